//! Hiding tokens, as BERT does (Devlin et al. 2019,
//! <https://aclanthology.org/N19-1423>).

use super::Vocabulary;
use medsift::{Error, Result};
use rand::Rng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// How tokens are hidden.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MaskingSettings {
    /// Share of the tokens that are chosen; special ones neither count nor are
    /// chosen.
    pub probability: f64,
    /// Share of the chosen ones that become `[MASK]`.
    pub masked: f64,
    /// Share of the chosen ones that become any token; the rest stays as it
    /// is.
    pub random: f64,
    /// Whether all pieces of a word are chosen together.
    pub whole_word: bool,
}

impl Default for MaskingSettings {
    fn default() -> Self {
        Self {
            probability: 0.15,
            masked: 0.8,
            random: 0.1,
            whole_word: false,
        }
    }
}

/// What was hidden in a sequence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Masked {
    /// Places of the chosen tokens, rising.
    pub positions: Vec<u32>,
    /// The tokens that stood there.
    pub labels: Vec<u32>,
}

impl MaskingSettings {
    /// Checks the shares, and that whole words can be told.
    ///
    /// # Errors
    /// Names the key that does not fit.
    pub fn check(&self, vocabulary: &Vocabulary) -> Result<()> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        if !(share(self.probability) && self.probability > 0.0) {
            return Err(Error::invalid(
                "probability",
                format!(
                    "`probability` {} is not above 0 and up to 1",
                    self.probability
                ),
            ));
        }
        if !(share(self.masked) && share(self.random) && self.masked + self.random <= 1.0 + 1e-9) {
            return Err(Error::invalid(
                "masked",
                format!(
                    "`masked` {} and `random` {} must be shares that add up to 1 at most",
                    self.masked, self.random
                ),
            ));
        }
        if self.whole_word && !vocabulary.has_word_pieces() {
            return Err(Error::invalid(
                "whole_word",
                "`whole_word` needs a WordPiece vocabulary, with pieces such as `##ing`",
            ));
        }
        Ok(())
    }
}

/// Hides tokens of a sequence in place and says which.
///
/// Of n ordinary tokens `probability · n` are chosen, rounded up or down at
/// random so that the share holds on average, but at least one; none where
/// there is none. With `whole_word` a word that would exceed the number is
/// passed over.
pub fn mask(
    ids: &mut [u32],
    vocabulary: &Vocabulary,
    settings: &MaskingSettings,
    random: &mut impl Rng,
) -> Masked {
    let mut units = units(ids, vocabulary, settings.whole_word);
    let ordinary: usize = units.iter().map(Vec::len).sum();
    if ordinary == 0 {
        return Masked::default();
    }
    let share = settings.probability * ordinary as f64;
    let up = random.random_bool((share - share.floor()).clamp(0.0, 1.0));
    let count = (share.floor() as usize + usize::from(up)).clamp(1, ordinary);
    units.shuffle(random);
    let mut positions = Vec::with_capacity(count);
    for unit in &units {
        if positions.len() + unit.len() <= count {
            positions.extend_from_slice(unit);
        }
    }
    if positions.is_empty()
        && let Some(shortest) = units.iter().min_by_key(|unit| unit.len())
    {
        // Every word is longer than the number.
        positions.extend_from_slice(shortest);
    }
    positions.sort_unstable();
    let labels = positions.iter().map(|&at| ids[at]).collect();
    for &at in &positions {
        ids[at] = replacement(ids[at], vocabulary, settings, random);
    }
    Masked {
        positions: positions.into_iter().map(|at| at as u32).collect(),
        labels,
    }
}

/// Places that are chosen together: words, or single tokens.
fn units(ids: &[u32], vocabulary: &Vocabulary, whole_word: bool) -> Vec<Vec<usize>> {
    let mut units: Vec<Vec<usize>> = Vec::new();
    for (at, &id) in ids.iter().enumerate() {
        if vocabulary.is_special(id) {
            continue;
        }
        match units.last_mut() {
            Some(unit)
                if whole_word
                    && vocabulary.continues_word(id)
                    && unit.last() == Some(&at.wrapping_sub(1)) =>
            {
                unit.push(at);
            }
            _ => units.push(vec![at]),
        }
    }
    units
}

fn replacement(
    id: u32,
    vocabulary: &Vocabulary,
    settings: &MaskingSettings,
    random: &mut impl Rng,
) -> u32 {
    let drawn: f64 = random.random();
    if drawn < settings.masked {
        vocabulary.mask
    } else if drawn < settings.masked + settings.random {
        let words = vocabulary.ordinary();
        words[random.random_range(0..words.len())]
    } else {
        id
    }
}
