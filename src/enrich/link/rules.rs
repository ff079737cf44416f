//! Linking by the rules of names, one mention at a time.

use super::concept::{Evidence, Method};
use super::kind::ConceptKind;
use super::lexicon::{Found, Lexicon};
use super::modifiers::without_modifiers;
use super::normal::Grade;
use super::short_forms::ShortForms;

/// A descriptor's place in the table, and how it was found.
pub(super) type Linked = (usize, Evidence);

/// What is taken off the score for words that were left out.
const MODIFIED: f32 = 0.8;

/// What counts a disease that is only the end of a name.
const BROADER: f32 = 0.5;

/// Letters of the shortest name that is found by less than its spelling: of
/// fewer letters too much is the same as something else.
const LOOSE: usize = 5;

/// The descriptor that a mention names: by what the text explains it as, which
/// goes before what its letters mean elsewhere, or by its own form.
pub(super) fn by_rule(
    lexicon: &Lexicon,
    shorts: &ShortForms<'_>,
    kind: ConceptKind,
    mention: &str,
) -> Option<Linked> {
    let explained = shorts
        .long_form(mention)
        .and_then(|long| by_name(lexicon, kind, long));
    if let Some(linked) = explained {
        return Some(explained_by_text(linked));
    }
    by_name(lexicon, kind, mention).or_else(|| {
        let expanded = shorts.expanded(mention)?;
        by_name(lexicon, kind, &expanded).map(explained_by_text)
    })
}

fn explained_by_text((descriptor, evidence): Linked) -> Linked {
    let method = Method::Abbreviation;
    (descriptor, Evidence { method, ..evidence })
}

fn by_name(lexicon: &Lexicon, kind: ConceptKind, name: &str) -> Option<Linked> {
    if let Some(Found { descriptor, grade }) = find(lexicon, kind, name) {
        let method = match grade {
            Grade::Exact => Method::Exact,
            _ => Method::Normalised,
        };
        let score = grade.score();
        return Some((descriptor, Evidence { method, score }));
    }
    let rest = without_modifiers(name)?;
    let Found { descriptor, grade } = find(lexicon, kind, &rest)?;
    Some((descriptor, normalised(MODIFIED * grade.score())))
}

fn normalised(score: f32) -> Evidence {
    Evidence {
        method: Method::Normalised,
        score,
    }
}

/// The broader disease that the last words of a name are: `homozygous
/// hypobetalipoproteinemia`. Of chemicals the end is something else.
pub(super) fn by_end(lexicon: &Lexicon, kind: ConceptKind, name: &str) -> Option<Linked> {
    if kind != ConceptKind::Disease {
        return None;
    }
    let starts = name.char_indices().filter(|(_, c)| c.is_whitespace());
    starts
        .map(|(at, _)| name[at..].trim_start())
        .find_map(|end| find(lexicon, kind, end).filter(|found| found.grade <= Grade::Bag))
        .map(|Found { descriptor, grade }| (descriptor, normalised(BROADER * grade.score())))
}

fn find(lexicon: &Lexicon, kind: ConceptKind, name: &str) -> Option<Found> {
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let found = lexicon.find(kind, name)?;
    (letters >= LOOSE || found.grade <= Grade::Normal).then_some(found)
}
