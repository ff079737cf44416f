//! How well masked tokens are found in held-out text.

use super::batches::{assemble, micro_batches};
use super::corpora::Corpora;
use super::objective::MaskedObjective;
use crate::data::corpus::{
    ArticleSource, CorpusSpec, PretrainingExample, PretrainingSettings, PretrainingStream,
};
use crate::data::{Mix, Purpose};
use crate::error::device;
use crate::network::head::{Sums, classes, measure};
use crate::network::{Backbone, Parameters};
use medsift::encoder::parts::Tokenizer;
use medsift::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

/// Sequences that are measured on where nothing is said.
pub(super) const SEQUENCES: usize = 1000;

/// Scores on held-out text whose masks the seed has fixed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MaskedScores {
    /// Sequences.
    pub sequences: usize,
    /// Masked tokens in them.
    pub masked: usize,
    /// Mean cross-entropy of the masked tokens, in nats.
    pub loss: f64,
    /// `e^loss`.
    pub perplexity: f64,
    /// Share of the masked tokens that are the likeliest of all.
    pub accuracy: f64,
    /// Mean cross-entropy of the segments' relation, in nats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation_loss: Option<f64>,
    /// Share of the relations that are the likeliest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation_accuracy: Option<f64>,
}

/// Held-out sequences with their masks.
pub(crate) struct MaskedSet {
    examples: Vec<PretrainingExample>,
}

/// An evaluation set of kind `mlm`, `name` and `kind` apart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetConfig {
    files: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
    /// Sequences, the first ones of the stream.
    #[serde(default = "default_sequences")]
    sequences: usize,
    #[serde(default)]
    seed: u64,
}

fn default_sequences() -> usize {
    SEQUENCES
}

impl MaskedSet {
    /// Reads the set that a stage describes; its masks are those of the
    /// stage's objective, but the same at each measurement.
    pub(crate) fn load(
        set: &toml::Table,
        objective: &toml::Table,
        max_tokens: usize,
        tokenizer: &Tokenizer,
        articles: Option<&ArticleSource>,
    ) -> Result<Self> {
        let read = |error: toml::de::Error| Error::invalid("evaluation.sets", error.message());
        let set: SetConfig = set.clone().try_into().map_err(read)?;
        let objective: MaskedObjective = objective.clone().try_into().map_err(read)?;
        let spec = CorpusSpec {
            files: set.files,
            exclude: set.exclude,
        };
        let settings = objective.settings(max_tokens, set.seed);
        Self::read(&spec, settings, set.sequences, tokenizer, articles)
    }

    /// The first sequences of a corpus.
    pub(super) fn read(
        spec: &CorpusSpec,
        settings: PretrainingSettings,
        sequences: usize,
        tokenizer: &Tokenizer,
        articles: Option<&ArticleSource>,
    ) -> Result<Self> {
        if sequences == 0 {
            return Err(Error::invalid(
                "sequences",
                "`sequences` must be at least 1",
            ));
        }
        let corpora = Corpora::new(
            std::slice::from_ref(spec),
            Mix::Sequential,
            Purpose::Evaluation,
            articles.cloned(),
        )?;
        let documents = corpora.documents(settings.seed)?;
        let examples = PretrainingStream::new(documents, tokenizer, settings)?
            .take(sequences)
            .collect::<Result<Vec<_>>>()?;
        if examples.iter().all(|e| e.masked_labels.is_empty()) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("{} holds no text to measure on", spec.files.join(", ")),
            ));
        }
        Ok(Self { examples })
    }

    /// Its sequences.
    pub(crate) fn len(&self) -> usize {
        self.examples.len()
    }

    /// Measures a network with its heads; `budget` is the most tokens of a
    /// micro-batch.
    pub(crate) fn measure<B: Backbone>(
        &self,
        network: &mut B,
        heads: &Parameters,
        budget: usize,
    ) -> Result<MaskedScores> {
        let segments = network.architecture().token_types > 1;
        let mut sums = Sums::default();
        let mut memory = Vec::new();
        for places in micro_batches(&self.examples, budget) {
            let examples = places.iter().map(|&at| &self.examples[at]);
            let (tokens, targets) = assemble(examples, segments);
            let states = network.evaluate(&tokens).map_err(device)?;
            let part = measure(network, heads, &states, &targets, &mut memory).map_err(device)?;
            sums.add(&part);
        }
        let sequences = self.examples.len();
        let masked: usize = self.examples.iter().map(|e| e.masked_labels.len()).sum();
        let mean = |sum: f64, count: usize| sum / count as f64;
        let loss = mean(sums.masked, masked);
        let relation = |value: f64| classes(heads).map(|_| mean(value, sequences));
        Ok(MaskedScores {
            sequences,
            masked,
            loss,
            perplexity: loss.exp(),
            accuracy: mean(sums.masked_right as f64, masked),
            relation_loss: relation(sums.relation),
            relation_accuracy: relation(sums.relation_right as f64),
        })
    }
}

impl MaskedScores {
    /// The scores by name.
    pub(crate) fn named(&self) -> Vec<(&'static str, f64)> {
        let mut named = vec![
            ("loss", self.loss),
            ("perplexity", self.perplexity),
            ("accuracy", self.accuracy),
        ];
        named.extend(self.relation_loss.map(|value| ("relation_loss", value)));
        let accuracy = self.relation_accuracy;
        named.extend(accuracy.map(|value| ("relation_accuracy", value)));
        named
    }
}
