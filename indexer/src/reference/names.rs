//! Names of people as reference managers write them.

use medsift::article::{Author, PersonName};

/// `Smith, Jane A, Jr`, `Smith JA`, `Jane A Smith`: the parts of a person's
/// name.
pub(crate) fn name(text: &str) -> PersonName {
    let text = text.trim();
    if text.contains(',') {
        let mut parts = text.split(',').map(str::trim);
        let last = parts.next().unwrap_or_default();
        let given = parts.next().unwrap_or_default();
        let suffix = parts.collect::<Vec<_>>().join(", ");
        return parted(last, given, &suffix);
    }
    let (last, initials) = crate::nbib::split_short(text);
    if !initials.is_empty() {
        let (initials, suffix) = initials.split_once(' ').unwrap_or((initials, ""));
        return PersonName {
            last: last.to_owned(),
            fore: None,
            initials: some(initials),
            suffix: some(suffix),
        };
    }
    // `Ada de Roe`: what begins with a small letter belongs to the family name.
    let is_small = |word: &str| word.chars().next().is_some_and(char::is_lowercase);
    let mut places = text.match_indices(' ').map(|(at, _)| at);
    let particle = places.find(|at| is_small(&text[at + 1..]));
    match particle.or_else(|| text.rfind(' ')) {
        Some(at) => parted(&text[at + 1..], &text[..at], ""),
        None => parted(text, "", ""),
    }
}

/// A name whose parts are known. Given names that are initials are no given
/// names; of others the initials are taken, by which authors are searched.
pub(super) fn parted(last: &str, given: &str, suffix: &str) -> PersonName {
    let letters = || {
        given
            .split([' ', '-', '.'])
            .filter_map(|word| word.chars().next())
    };
    let is_bare =
        !given.is_empty() && given.chars().count() <= 4 && given.chars().all(char::is_uppercase);
    PersonName {
        last: last.to_owned(),
        fore: some(given).filter(|_| !is_bare),
        initials: match is_bare {
            true => some(given),
            false => some(
                &letters()
                    .filter(|c| c.is_alphabetic())
                    .flat_map(char::to_uppercase)
                    .collect::<String>(),
            ),
        },
        suffix: some(suffix),
    }
}

/// An author of a list in which names are `Family, Given`: what has neither a
/// comma nor initials behind it is a group, unless it is one word.
pub(super) fn author(text: &str) -> Author {
    let has_initials = !crate::nbib::split_short(text.trim()).1.is_empty();
    let is_person = text.contains(',') || has_initials || !text.trim().contains(' ');
    if is_person {
        person(name(text))
    } else {
        group(text)
    }
}

pub(super) fn person(name: PersonName) -> Author {
    Author {
        name: Some(name),
        ..Author::default()
    }
}

pub(super) fn group(text: &str) -> Author {
    Author {
        collective: Some(text.trim().to_owned()),
        ..Author::default()
    }
}

fn some(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
