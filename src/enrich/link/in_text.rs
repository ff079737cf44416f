//! What the mentions of a text say about each other.
//!
//! A mention in parentheses behind another is another name of it (`sirolimus
//! (Srl)`); letters that nothing explains may be those of a name that the text
//! has elsewhere; and what is written the same is the same.

use super::concept::{Evidence, Method};
use super::kind::ConceptKind;
use super::rules::Linked;
use std::collections::HashMap;
use std::ops::Range;

/// A mention of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Which part of MeSH it may be linked to.
    pub kind: ConceptKind,
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
}

/// Longest mention that may be letters of another.
const SHORT: usize = 6;

/// What a mention counts whose letters are those of another.
const LETTERS: f32 = 0.7;

/// What a mention counts that stands in parentheses behind another.
const BESIDE: f32 = 0.9;

/// Links mentions that have no link to what others of the same text are.
pub(super) fn resolve(text: &str, mentions: &[Mention], links: &mut [Option<Linked>]) {
    beside(text, mentions, links);
    let known: Vec<(usize, Linked)> = links
        .iter()
        .enumerate()
        .filter_map(|(place, link)| Some((place, (*link)?)))
        .collect();
    for (place, link) in links.iter_mut().enumerate() {
        if link.is_none() {
            *link = by_letters(text, mentions, place, &known);
        }
    }
    same(text, mentions, links);
}

/// `name (other name`: the other name is what the name is.
fn beside(text: &str, mentions: &[Mention], links: &mut [Option<Linked>]) {
    let mut order: Vec<usize> = (0..mentions.len()).collect();
    order.sort_by_key(|&place| mentions[place].range.start);
    for pair in order.windows(2) {
        let (first, second) = (pair[0], pair[1]);
        let (one, other) = (&mentions[first], &mentions[second]);
        if links[second].is_some()
            || one.kind != other.kind
            || !is_short(&text[other.range.clone()])
        {
            continue;
        }
        let between = text.get(one.range.end..other.range.start).map(str::trim);
        if matches!(between, Some("(" | "[")) {
            links[second] = links[first]
                .map(|(descriptor, evidence)| (descriptor, shortened(evidence, BESIDE)));
        }
    }
}

/// The link of the other mentions whose letters a mention is made of, where
/// they agree.
fn by_letters(
    text: &str,
    mentions: &[Mention],
    place: usize,
    known: &[(usize, Linked)],
) -> Option<Linked> {
    let mention = &mentions[place];
    let short = &text[mention.range.clone()];
    if !is_short(short) || short.chars().filter(|c| c.is_uppercase()).count() < 2 {
        return None;
    }
    let mut found: Option<Linked> = None;
    for &(other, (descriptor, evidence)) in known {
        let long = &text[mentions[other].range.clone()];
        if mentions[other].kind != mention.kind || !spells(short, long) {
            continue;
        }
        match found {
            Some((before, _)) if before != descriptor => return None,
            _ => found = Some((descriptor, shortened(evidence, LETTERS))),
        }
    }
    found
}

/// What is written like a linked mention of the same kind.
fn same(text: &str, mentions: &[Mention], links: &mut [Option<Linked>]) {
    let mut known: HashMap<(ConceptKind, &str), Linked> = HashMap::new();
    for (mention, link) in mentions.iter().zip(links.iter()) {
        if let Some(link) = link {
            known
                .entry((mention.kind, &text[mention.range.clone()]))
                .or_insert(*link);
        }
    }
    for (mention, link) in mentions.iter().zip(links) {
        if link.is_none() {
            *link = known
                .get(&(mention.kind, &text[mention.range.clone()]))
                .copied();
        }
    }
}

fn shortened(evidence: Evidence, factor: f32) -> Evidence {
    Evidence {
        method: Method::Abbreviation,
        score: evidence.score * factor,
    }
}

/// Whether a mention looks like letters that stand for a name.
pub(super) fn is_short(mention: &str) -> bool {
    mention.chars().count() <= SHORT
        && !mention.contains(char::is_whitespace)
        && mention.chars().any(char::is_uppercase)
}

/// Whether the letters of a short form are found in a name in order, the first
/// at its beginning, and at least half of them at beginnings of words or
/// parts of words.
fn spells(short: &str, long: &str) -> bool {
    let short = short.strip_suffix('s').unwrap_or(short);
    let lower = |text: &str| -> Vec<char> { text.chars().flat_map(char::to_lowercase).collect() };
    let letters: Vec<char> = lower(short)
        .into_iter()
        .filter(|c| c.is_alphanumeric())
        .collect();
    let name = lower(long);
    if letters.len() < 2 || name.len() <= 2 * letters.len() || name.first() != letters.first() {
        return false;
    }
    let begins = |at: usize| at == 0 || !name[at - 1].is_alphanumeric();
    let (mut at, mut initials) = (0, 0);
    for letter in &letters {
        let rest = at..name.len();
        let initial = rest.clone().find(|&at| name[at] == *letter && begins(at));
        let Some(place) = initial.or_else(|| rest.clone().find(|&at| name[at] == *letter)) else {
            return false;
        };
        initials += usize::from(initial.is_some());
        at = place + 1;
    }
    2 * initials >= letters.len()
}
