//! What a stage's `objective` says of labels of texts.

use crate::config::StageConfig;
use crate::data::Purpose;
use crate::data::labelled::{LabelledSet, LabelledSpec};
use crate::trainer::classifier::loss::ClassLabel;
use crate::trainer::sentence::table;
use medsift::encoder::Pooling;
use medsift::encoder::parts::{PairIds, Tokenizer};
use medsift::enrich::{PairRule, TextHeadConfig, TextPooling, check_head_name};
use medsift::eval::LabelledText;
use medsift::{Error, Result};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The table `objective` of a stage of kind `text`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextObjective {
    /// Always `labels`.
    #[serde(default)]
    kind: Kind,
    /// What the head's folder is called.
    #[serde(default = "default_name")]
    pub(super) name: String,
    /// The labels, in their order.
    pub(super) labels: Vec<String>,
    /// The label that says that there is nothing, which micro F1 leaves out.
    #[serde(default)]
    pub(super) negative: Option<String>,
    /// What a text weighs in the loss, by its label; 1 where nothing is said.
    #[serde(default)]
    weights: BTreeMap<String, f64>,
    /// How the states of a text become a vector.
    #[serde(default)]
    pooling: TextPooling,
    /// Whether a dense layer with tanh stands behind it, as in BERT.
    #[serde(default)]
    pub(super) pooler: bool,
    /// Whether two texts are read at once, the second from the column
    /// `text_pair` of the data: a question and an abstract.
    #[serde(default)]
    pub(super) text_pair: bool,
    /// Which pairs of entities the texts are about.
    #[serde(default)]
    pair: Option<PairRule>,
}

/// The only kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// One label of several.
    #[default]
    Labels,
}

fn default_name() -> String {
    "text".to_owned()
}

impl TextObjective {
    /// Reads and checks the objective of a stage.
    ///
    /// # Errors
    /// When a key, a label or a weight does not fit.
    pub(super) fn of(stage: &StageConfig) -> Result<Self> {
        let objective: Self = table(stage, "objective", &stage.objective)?;
        // Not at the end of the run, when the head is written.
        check_head_name(&objective.name)?;
        let head = objective.head(0, 0, String::new());
        head.check().map_err(|error| {
            Error::invalid("objective", format!("stage `{}`: {error}", stage.name))
        })?;
        for (label, weight) in &objective.weights {
            if !objective.labels.contains(label) || !(0.0..=1e3).contains(weight) {
                return Err(Error::invalid(
                    "weights",
                    format!(
                        "stage `{}`: the weight {weight} of `{label}`: weights are from 0 to \
                         1000, for one of the labels {}",
                        stage.name,
                        objective.labels.join(", ")
                    ),
                ));
            }
        }
        Ok(objective)
    }

    /// Reads a data set, which has to have second texts where pairs are read, and
    /// none where they are not.
    ///
    /// # Errors
    /// As [`LabelledSpec::load`].
    pub(super) fn load(&self, spec: &LabelledSpec, purpose: Purpose) -> Result<LabelledSet> {
        if self.text_pair != spec.text_pair.is_some() {
            let what = match self.text_pair {
                true => "the objective has `text_pair`, but the data name no column for it",
                false => "the data have `text_pair`, but the objective has not",
            };
            return Err(Error::invalid(
                "text_pair",
                format!("{}: {what}", spec.files.join(", ")),
            ));
        }
        spec.load(&self.labels, purpose)
    }

    /// What the network reads of texts.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub(super) fn encode(
        &self,
        tokenizer: &Tokenizer,
        texts: &[&LabelledText],
        max_tokens: usize,
    ) -> Result<Vec<PairIds>> {
        texts
            .par_iter()
            .map(|row| match &row.pair {
                Some(pair) => tokenizer.encode_pair(&row.text, pair, max_tokens),
                None => {
                    let ids = tokenizer.encode(&row.text, max_tokens)?;
                    let second = ids.len();
                    Ok(PairIds { ids, second })
                }
            })
            .collect()
    }

    /// What is stored of it with the head.
    pub(super) fn head(&self, hidden: usize, max_tokens: usize, encoder: String) -> TextHeadConfig {
        TextHeadConfig {
            negative: self.negative.clone(),
            pooling: self.pooling,
            pooler: self.pooler,
            text_pair: self.text_pair,
            pair: self.pair.clone(),
            ..TextHeadConfig::new(&self.labels, hidden, max_tokens, encoder)
        }
    }

    /// What each label means for the loss, in their order.
    pub(super) fn classes(&self) -> Vec<ClassLabel> {
        let labels = self.labels.iter().enumerate();
        labels
            .map(|(place, label)| {
                let weight = self.weights.get(label).copied().unwrap_or(1.0);
                ClassLabel::one(place, self.labels.len(), weight)
            })
            .collect()
    }

    /// The place of the negative label.
    pub(super) fn negative(&self) -> Option<usize> {
        let negative = self.negative.as_ref()?;
        self.labels.iter().position(|label| label == negative)
    }

    /// How states become a vector.
    pub(super) fn pooling(&self) -> Pooling {
        match self.pooling {
            TextPooling::Cls => Pooling::Cls,
            TextPooling::Mean => Pooling::Mean,
        }
    }
}
