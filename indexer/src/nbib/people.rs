//! Tags of people: each full name is followed by its short form, its
//! affiliations and its identifiers.

use medsift::Article;
use medsift::article::{Affiliation, Author, Identifier, NamedPerson, PersonName};

/// People in the order in which they are named.
#[derive(Default)]
pub(super) struct People {
    authors: Vec<Person>,
    editors: Vec<Person>,
    investigators: Vec<Person>,
    subjects: Vec<Person>,
    /// Affiliations before any author: the first author's, in older records.
    unclaimed: Vec<Affiliation>,
}

#[derive(Default)]
struct Person {
    /// `FAU`: `Long, Vicky`
    full: Option<String>,
    /// `AU`: `Long V`
    short: Option<String>,
    /// `CN`
    collective: Option<String>,
    affiliations: Vec<Affiliation>,
    identifiers: Vec<Identifier>,
}

impl People {
    /// Takes a field, if it belongs to a person.
    pub(super) fn take(&mut self, tag: &str, value: &str) -> bool {
        match tag {
            "FAU" => full(&mut self.authors, value),
            "AU" => short(&mut self.authors, value),
            "FED" => full(&mut self.editors, value),
            "ED" => short(&mut self.editors, value),
            "FIR" => full(&mut self.investigators, value),
            "IR" => short(&mut self.investigators, value),
            "FPS" => full(&mut self.subjects, value),
            "PS" => short(&mut self.subjects, value),
            "CN" => self.authors.push(Person {
                collective: Some(value.to_owned()),
                ..Person::default()
            }),
            "AD" => {
                let affiliations = match self.authors.last_mut() {
                    Some(author) => &mut author.affiliations,
                    None => &mut self.unclaimed,
                };
                affiliations.push(affiliation(value));
            }
            "IRAD" => match self.investigators.last_mut() {
                Some(person) => person.affiliations.push(affiliation(value)),
                None => return false,
            },
            "AUID" => match self.authors.last_mut() {
                Some(author) => author.identifiers.push(identifier(value)),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// Puts everybody into the article.
    pub(super) fn finish(mut self, article: &mut Article) {
        match self.authors.first_mut() {
            Some(first) => first
                .affiliations
                .splice(0..0, self.unclaimed)
                .for_each(drop),
            None => {
                for affiliation in self.unclaimed {
                    super::keep(article, "AD", affiliation.name);
                }
            }
        }
        article.authors.extend(self.authors.into_iter().map(author));
        article.editors.extend(self.editors.into_iter().map(author));
        let people = self.investigators.into_iter().map(named_person);
        article.investigators.extend(people);
        let people = self.subjects.into_iter().map(named_person);
        article.personal_name_subjects.extend(people);
    }
}

fn full(people: &mut Vec<Person>, value: &str) {
    people.push(Person {
        full: Some(value.to_owned()),
        ..Person::default()
    });
}

/// The short form of the person before, unless they have one.
fn short(people: &mut Vec<Person>, value: &str) {
    match people.last_mut() {
        Some(person) if person.full.is_some() && person.short.is_none() => {
            person.short = Some(value.to_owned());
        }
        _ => people.push(Person {
            short: Some(value.to_owned()),
            ..Person::default()
        }),
    }
}

fn affiliation(value: &str) -> Affiliation {
    Affiliation {
        name: value.to_owned(),
        identifiers: Vec::new(),
    }
}

/// `ORCID: 0000-0001-2345-6789`
fn identifier(value: &str) -> Identifier {
    let (source, value) = value.split_once(':').unwrap_or(("", value));
    Identifier {
        source: source.trim().to_owned(),
        value: value.trim().to_owned(),
    }
}

fn author(person: Person) -> Author {
    let name = person.name();
    Author {
        name,
        collective: person.collective,
        identifiers: person.identifiers,
        affiliations: person.affiliations,
        ..Author::default()
    }
}

fn named_person(person: Person) -> NamedPerson {
    NamedPerson {
        name: person.name().unwrap_or_default(),
        identifiers: person.identifiers,
        affiliations: person.affiliations,
        ..NamedPerson::default()
    }
}

impl Person {
    /// Joins `Martin Luther, John Jr` and `Martin Luther J Jr`: the full form
    /// says where the family name ends, the short one what the suffix is.
    fn name(&self) -> Option<PersonName> {
        let mut name = PersonName::default();
        if let Some(full) = &self.full {
            let (last, fore) = full.split_once(", ").unwrap_or((full, ""));
            name.last = last.to_owned();
            name.fore = some(fore);
        }
        if let Some(short) = &self.short {
            let rest = match short.strip_prefix(name.last.as_str()) {
                Some(rest) if !name.last.is_empty() => rest.trim_start(),
                _ if name.last.is_empty() => {
                    let (last, initials) = split_short(short);
                    name.last = last.to_owned();
                    initials
                }
                _ => "",
            };
            let (initials, suffix) = rest.split_once(' ').unwrap_or((rest, ""));
            name.initials = some(initials);
            name.suffix = some(suffix);
        }
        if let (Some(fore), Some(suffix)) = (&name.fore, &name.suffix)
            && let Some(bare) = fore.strip_suffix(suffix.as_str())
        {
            name.fore = some(bare.trim_end().trim_end_matches(','));
        }
        (name != PersonName::default()).then_some(name)
    }
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// `van der Berg JA Jr` into `van der Berg` and `JA Jr`: initials are the last
/// word of capitals, at most a suffix comes after them.
pub(crate) fn split_short(short: &str) -> (&str, &str) {
    let is_initials = |word: &str| {
        word.chars().count() <= 4 && word.chars().all(char::is_uppercase) && !word.is_empty()
    };
    let mut end = short.len();
    for _ in 0..2 {
        let Some(space) = short[..end].rfind(' ') else {
            break;
        };
        if is_initials(&short[space + 1..end]) {
            return (&short[..space], &short[space + 1..]);
        }
        end = space;
    }
    (short, "")
}
