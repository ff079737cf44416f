//! What a stage's `objective` says of masked language modelling.

use crate::data::corpus::{MaskingSettings, PretrainingSettings, Relations};
use serde::Deserialize;

/// The table `objective` of a stage of kind `mlm`; all keys have defaults.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct MaskedObjective {
    /// Always `mlm`.
    pub(crate) kind: Kind,
    /// What the second segment is to the first.
    pub(crate) relations: Relations,
    /// Share of the tokens that are chosen.
    pub(crate) probability: f64,
    /// Share of the chosen ones that become `[MASK]`.
    pub(crate) masked: f64,
    /// Share of the chosen ones that become any token.
    pub(crate) random: f64,
    /// Whether all pieces of a word are chosen together.
    pub(crate) whole_word: bool,
    /// Share of sequences that are made shorter.
    pub(crate) short_probability: f64,
    /// Documents that are held in memory and shuffled.
    pub(crate) block: usize,
}

/// The only kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Masked language modelling.
    #[default]
    Mlm,
}

impl Default for MaskedObjective {
    fn default() -> Self {
        let (settings, masking) = (PretrainingSettings::default(), MaskingSettings::default());
        Self {
            kind: Kind::Mlm,
            relations: settings.relations,
            probability: masking.probability,
            masked: masking.masked,
            random: masking.random,
            whole_word: masking.whole_word,
            short_probability: settings.short_probability,
            block: settings.block,
        }
    }
}

impl MaskedObjective {
    /// How documents become sequences of at most so many tokens.
    pub(crate) fn settings(&self, max_length: usize, seed: u64) -> PretrainingSettings {
        PretrainingSettings {
            max_length,
            short_probability: self.short_probability,
            relations: self.relations,
            masking: MaskingSettings {
                probability: self.probability,
                masked: self.masked,
                random: self.random,
                whole_word: self.whole_word,
            },
            block: self.block,
            seed,
        }
    }
}

/// Classes of a relation; 0 where there is none.
pub(crate) fn classes(relations: Relations) -> usize {
    match relations {
        Relations::None => 0,
        Relations::NextSentence => 2,
        Relations::Linked => 3,
    }
}
