//! Relations of entities: each pair of a sentence, masked, before a head that
//! labels texts.
//!
//! As BioBERT has it (Lee et al. 2020): the two entities are replaced by
//! `@TYPE$`, so that the head judges the sentence and not the names. What is
//! masked in training has to be masked in the same way here, so a head says for
//! which types it is and what becomes of the other entities ([`PairRule`]).

use super::classifier::TextClassifier;
use super::entity::{Characters, Entity};
use super::head::PairRule;
use crate::error::{Error, ErrorKind, Result};
use crate::passage::sentence_ranges;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Two entities of a sentence that may have something to do with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The entity of the first type of the rule: its place in the list.
    pub first: usize,
    /// That of the second.
    pub second: usize,
    /// The sentence, in characters of the text, without the white space around.
    pub sentence: Range<usize>,
    /// The sentence with both entities masked.
    pub masked: String,
}

/// A sentence of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Its first character in the text, counted from 0.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
    /// What stands between the two.
    pub text: String,
}

/// What two entities have to do with each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relation {
    /// The head's label.
    #[serde(rename = "type")]
    pub kind: String,
    /// The head that says so.
    pub head: String,
    /// Its probability.
    pub score: f32,
    /// The entity of the head's first type: its place in the list.
    pub first: usize,
    /// That of the second.
    pub second: usize,
    /// The sentence that says so.
    pub evidence: Evidence,
}

/// An entity that lies in the text, in bytes.
struct Placed<'a> {
    number: usize,
    kind: &'a str,
    bytes: Range<usize>,
}

/// Entities of a sentence beyond which it is a list.
const MOST_TOGETHER: usize = 32;

/// The pairs of entities that a rule asks for, sentence by sentence: one of
/// each type, or two of the type where it names one twice. Types are compared
/// without regard to case.
///
/// A sentence that names more than 32 entities of these types is a list or a
/// table: its pairs would be hundreds, and are not asked for.
///
/// Entities that overlap make no pair, nor do two of one type that are written
/// the same, nor one that reaches over the end of its sentence. An entity whose
/// offsets are not those of its mention is left out.
pub fn candidates(text: &str, entities: &[Entity], rule: &PairRule) -> Vec<Candidate> {
    let placed = placed(text, entities, rule);
    let mut characters = Characters::of(text);
    let mut found = Vec::new();
    for range in sentence_ranges(text) {
        let whole = &text[range.clone()];
        let start = range.start + (whole.len() - whole.trim_start().len());
        let bytes = start..start + whole.trim().len();
        let sentence = characters.before(bytes.start)..characters.before(bytes.end);
        let within =
            |one: &&Placed<'_>| bytes.start <= one.bytes.start && one.bytes.end <= bytes.end;
        let own: Vec<&Placed<'_>> = placed.iter().filter(within).collect();
        if own.len() > MOST_TOGETHER {
            continue;
        }
        for (place, a) in own.iter().enumerate() {
            for b in &own[place + 1..] {
                let Some((first, second)) = ordered(a, b, &rule.types) else {
                    continue;
                };
                if overlap(&a.bytes, &b.bytes) || same(text, a, b) {
                    continue;
                }
                found.push(Candidate {
                    first: first.number,
                    second: second.number,
                    sentence: sentence.clone(),
                    masked: masked(text, &bytes, &own, (a, b), rule),
                });
            }
        }
    }
    found
}

/// The entities of the rule's types, in the order of the text.
fn placed<'a>(text: &str, entities: &'a [Entity], rule: &PairRule) -> Vec<Placed<'a>> {
    let starts: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
    let byte = |character: usize| match character.cmp(&starts.len()) {
        std::cmp::Ordering::Less => Some(starts[character]),
        std::cmp::Ordering::Equal => Some(text.len()),
        std::cmp::Ordering::Greater => None,
    };
    let mut placed: Vec<Placed<'a>> = entities
        .iter()
        .enumerate()
        .filter(|(_, entity)| rule.types.iter().any(|kind| is_of(&entity.kind, kind)))
        .filter_map(|(number, entity)| {
            let bytes = byte(entity.start)?..byte(entity.end)?;
            let mention = text.get(bytes.clone())?;
            (!mention.is_empty() && mention == entity.text).then_some(Placed {
                number,
                kind: &entity.kind,
                bytes,
            })
        })
        .collect();
    placed.sort_by_key(|one| (one.bytes.start, one.bytes.end));
    placed
}

fn is_of(kind: &str, wanted: &str) -> bool {
    kind.eq_ignore_ascii_case(wanted)
}

/// Two entities in the order of the rule's types; of one type, that of the text.
fn ordered<'p, 'a>(
    a: &'p Placed<'a>,
    b: &'p Placed<'a>,
    [first, second]: &[String; 2],
) -> Option<(&'p Placed<'a>, &'p Placed<'a>)> {
    if is_of(a.kind, first) && is_of(b.kind, second) {
        Some((a, b))
    } else if is_of(b.kind, first) && is_of(a.kind, second) {
        Some((b, a))
    } else {
        None
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Whether two entities are one that is named twice.
fn same(text: &str, a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let lower = |one: &Placed<'_>| text[one.bytes.clone()].to_lowercase();
    is_of(a.kind, b.kind) && lower(a) == lower(b)
}

/// A sentence with two of its entities masked, the first in the text before
/// the second; and the others, where the rule says how.
fn masked(
    text: &str,
    sentence: &Range<usize>,
    own: &[&Placed<'_>],
    (a, b): (&Placed<'_>, &Placed<'_>),
    rule: &PairRule,
) -> String {
    let mut masks = vec![(a.bytes.clone(), a.kind), (b.bytes.clone(), b.kind)];
    if let Some(others) = &rule.others {
        for one in own {
            // Of entities that overlap, the longer stands for both only where
            // it is one of the pair.
            if !masks.iter().any(|(bytes, _)| overlap(bytes, &one.bytes)) {
                masks.push((one.bytes.clone(), others));
            }
        }
    }
    masks.sort_by_key(|(bytes, _)| bytes.start);
    let mut out = String::with_capacity(sentence.len());
    let mut at = sentence.start;
    for (bytes, kind) in masks {
        out.push_str(&text[at..bytes.start]);
        out.push('@');
        out.push_str(&kind.to_uppercase());
        out.push('$');
        at = bytes.end;
    }
    out.push_str(&text[at..sentence.end]);
    out
}

/// Finds relations of entities.
#[derive(Debug, Clone)]
pub struct RelationFinder {
    classifier: TextClassifier,
    rule: PairRule,
}

impl RelationFinder {
    /// Takes a classifier whose head says which pairs it is for.
    ///
    /// # Errors
    /// When it does not.
    pub fn new(classifier: TextClassifier) -> Result<Self> {
        let head = classifier.head();
        let Some(rule) = head.config().pair.clone() else {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "the head {} labels texts and does not say of which entities it tells the \
                     relation: train it with `pair` in the stage's objective, as \
                     config/train/gad.toml has it",
                    head.name()
                ),
            ));
        };
        Ok(Self { classifier, rule })
    }

    /// Which pairs it judges.
    pub fn rule(&self) -> &PairRule {
        &self.rule
    }

    /// What labels the masked sentences.
    pub fn classifier(&self) -> &TextClassifier {
        &self.classifier
    }

    /// The relations of the entities of texts, in the order of each text; of
    /// several texts at once, so that their sentences share batches. Pairs that
    /// get the head's negative label are left out.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn find<S: AsRef<str> + Sync>(
        &self,
        texts: &[(S, &[Entity])],
    ) -> Result<Vec<Vec<Relation>>> {
        let each = texts.iter();
        let pairs: Vec<Vec<Candidate>> = each
            .map(|(text, entities)| candidates(text.as_ref(), entities, &self.rule))
            .collect();
        let masked: Vec<&str> = pairs.iter().flatten().map(|one| &one.masked[..]).collect();
        let negative = self.classifier.head().config().negative.as_deref();
        let mut labels = self.classifier.classify(&masked)?.into_iter();
        let mut found = Vec::with_capacity(texts.len());
        for ((text, _), pairs) in texts.iter().zip(pairs) {
            let text = text.as_ref();
            let labelled = pairs.into_iter().zip(labels.by_ref());
            let positive =
                labelled.filter(|(_, label)| negative.is_none_or(|none| label.label != none));
            found.push(
                positive
                    .map(|(pair, label)| Relation {
                        kind: label.label,
                        head: self.classifier.head().name().to_owned(),
                        score: label.score,
                        first: pair.first,
                        second: pair.second,
                        evidence: Evidence::of(text, pair.sentence),
                    })
                    .collect(),
            );
        }
        Ok(found)
    }
}

impl Evidence {
    fn of(text: &str, characters: Range<usize>) -> Self {
        let Range { start, end } = characters;
        Self {
            start,
            end,
            text: text.chars().skip(start).take(end - start).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
