//! Named entities: precision, recall and F1 of whole entities.
//!
//! An entity is right when its type and its first and last word are (Tjong Kim
//! Sang and Buchholz 2000, <https://aclanthology.org/W00-0726>). What counts as
//! an entity in a sequence that breaks the rules, [`Counting`] says. The
//! numbers are those of seqeval, against which the tests hold them.

mod chunks;
#[cfg(test)]
mod tests;

pub use chunks::{BioTag, Chunk, Counting};

use crate::error::{Error, ErrorKind, Result};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// Entities counted, by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    gold: usize,
    predicted: usize,
    correct: usize,
}

/// Counts entities sentence by sentence.
#[derive(Debug, Clone, Default)]
pub struct EntityCounter {
    counting: Counting,
    types: BTreeMap<String, Counts>,
    sentences: usize,
    words: usize,
}

/// Precision, recall and F1, each from 0 to 1; 0 where nothing was predicted
/// or nothing was to be found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct EntityScore {
    /// Share of the predicted entities that are right.
    pub precision: f64,
    /// Share of the entities to be found that were.
    pub recall: f64,
    /// Harmonic mean of both.
    pub f1: f64,
    /// Entities to be found.
    pub gold: usize,
    /// Entities predicted.
    pub predicted: usize,
    /// Predicted entities that are right.
    pub correct: usize,
}

/// Scores of all entities together and of each type.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntityScores {
    /// Over all entities, whatever their type.
    pub micro: EntityScore,
    /// Mean of the F1 of all types that occur or were predicted.
    pub macro_f1: f64,
    /// By type, in alphabetical order.
    pub types: BTreeMap<String, EntityScore>,
    /// Sentences measured.
    pub sentences: usize,
    /// Words in them.
    pub words: usize,
    /// How entities were counted.
    pub counting: Counting,
}

impl EntityCounter {
    /// A counter that has seen nothing.
    pub fn new(counting: Counting) -> Self {
        Self {
            counting,
            ..Self::default()
        }
    }

    /// Adds a sentence: a tag of each kind for each of its words.
    ///
    /// # Errors
    /// When the sequences are not equally long, or a tag is none of `O`,
    /// `B-TYPE` and `I-TYPE`; it names the word.
    pub fn add<G: AsRef<str>, P: AsRef<str>>(&mut self, gold: &[G], predicted: &[P]) -> Result<()> {
        if gold.len() != predicted.len() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "{} tags were predicted for the {} words of sentence {}",
                    predicted.len(),
                    gold.len(),
                    self.sentences + 1
                ),
            ));
        }
        let gold = self.parse(gold)?;
        let predicted = self.parse(predicted)?;
        let expected: HashSet<Chunk<'_>> = self.counting.chunks(&gold).into_iter().collect();
        for (kind, _) in &expected {
            self.of(kind).gold += 1;
        }
        for chunk in self.counting.chunks(&predicted) {
            let right = expected.contains(&chunk);
            let counts = self.of(chunk.0);
            counts.predicted += 1;
            counts.correct += usize::from(right);
        }
        self.sentences += 1;
        self.words += gold.len();
        Ok(())
    }

    /// What was counted so far.
    pub fn scores(&self) -> EntityScores {
        let mut all = Counts::default();
        for counts in self.types.values() {
            all.gold += counts.gold;
            all.predicted += counts.predicted;
            all.correct += counts.correct;
        }
        let types: BTreeMap<String, EntityScore> = self
            .types
            .iter()
            .map(|(name, counts)| (name.clone(), counts.score()))
            .collect();
        let sum: f64 = types.values().map(|score| score.f1).sum();
        EntityScores {
            micro: all.score(),
            macro_f1: sum / types.len().max(1) as f64,
            types,
            sentences: self.sentences,
            words: self.words,
            counting: self.counting,
        }
    }

    fn parse<'a, T: AsRef<str>>(&self, tags: &'a [T]) -> Result<Vec<BioTag<'a>>> {
        let parsed = tags.iter().enumerate().map(|(word, tag)| {
            BioTag::parse(tag.as_ref()).ok_or_else(|| {
                Error::new(
                    ErrorKind::InvalidInput,
                    format!(
                        "the tag {:?} of word {} in sentence {} is none of O, B-TYPE and I-TYPE",
                        tag.as_ref(),
                        word + 1,
                        self.sentences + 1
                    ),
                )
            })
        });
        parsed.collect()
    }

    fn of(&mut self, kind: &str) -> &mut Counts {
        self.types.entry(kind.to_owned()).or_default()
    }
}

impl Counts {
    fn score(self) -> EntityScore {
        let share = |part: usize, whole: usize| {
            if whole == 0 {
                0.0
            } else {
                part as f64 / whole as f64
            }
        };
        EntityScore {
            precision: share(self.correct, self.predicted),
            recall: share(self.correct, self.gold),
            // 2 P R / (P + R), without dividing by P + R = 0.
            f1: share(2 * self.correct, self.predicted + self.gold),
            gold: self.gold,
            predicted: self.predicted,
            correct: self.correct,
        }
    }
}
