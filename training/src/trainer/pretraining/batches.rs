//! Batches of masked sequences, the same ones whenever a run is repeated or
//! taken up again.

use super::corpora::{Corpora, DocumentStream};
use crate::data::buckets;
use crate::data::corpus::{PretrainingExample, PretrainingSettings, PretrainingStream};
use crate::kernel::scalar::mix;
use crate::network::Tokens;
use crate::network::head::Targets;
use medsift::encoder::parts::Tokenizer;
use medsift::{Error, ErrorKind, Result};
use std::sync::Arc;

type Stream = PretrainingStream<Arc<Tokenizer>, DocumentStream>;

/// Batches over passes without end. Each pass has other pairs and masks.
pub(super) struct Batches {
    corpora: Corpora,
    tokenizer: Arc<Tokenizer>,
    settings: PretrainingSettings,
    size: usize,
    stream: Stream,
    epoch: u64,
    step: u64,
}

impl Batches {
    /// Batches of `size` sequences, from the first pass on.
    ///
    /// # Errors
    /// When a file cannot be opened, or a setting does not fit.
    pub(super) fn new(
        corpora: Corpora,
        tokenizer: Arc<Tokenizer>,
        settings: PretrainingSettings,
        size: usize,
    ) -> Result<Self> {
        let stream = stream(&corpora, &tokenizer, settings, 0)?;
        Ok(Self {
            corpora,
            tokenizer,
            settings,
            size,
            stream,
            epoch: 0,
            step: 0,
        })
    }

    /// The corpora.
    pub(super) fn corpora(&self) -> &Corpora {
        &self.corpora
    }

    /// The pass, and the batches taken in it.
    pub(super) fn place(&self) -> (u64, u64) {
        (self.epoch, self.step)
    }

    /// Batches of the first pass, after reading all of it. The others have
    /// about as many: their segments are drawn anew.
    pub(super) fn count(&self) -> Result<u64> {
        let mut sequences = 0u64;
        for example in self.pass(0)? {
            example?;
            sequences += 1;
        }
        if sequences == 0 {
            return Err(no_text());
        }
        Ok(sequences.div_ceil(self.size as u64))
    }

    /// Goes to a batch of a pass, by reading what stands before it.
    pub(super) fn seek(&mut self, epoch: u64, step: u64) -> Result<()> {
        self.stream = self.pass(epoch)?;
        self.epoch = epoch;
        for done in 0..step {
            if self.take()?.is_empty() {
                return Err(Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "pass {} of the corpus ends after {done} batches, but the checkpoint \
                         was made after {step}: its files have changed; restore them, or begin \
                         anew with --overwrite",
                        epoch + 1
                    ),
                ));
            }
        }
        self.step = step;
        Ok(())
    }

    /// The next batch. The last one of a pass may be smaller.
    pub(super) fn next(&mut self) -> Result<Vec<PretrainingExample>> {
        let mut batch = self.take()?;
        if batch.is_empty() {
            self.stream = self.pass(self.epoch + 1)?;
            self.epoch += 1;
            self.step = 0;
            batch = self.take()?;
            if batch.is_empty() {
                return Err(no_text());
            }
        }
        self.step += 1;
        Ok(batch)
    }

    fn take(&mut self) -> Result<Vec<PretrainingExample>> {
        self.stream.by_ref().take(self.size).collect()
    }

    fn pass(&self, epoch: u64) -> Result<Stream> {
        stream(&self.corpora, &self.tokenizer, self.settings, epoch)
    }
}

fn stream(
    corpora: &Corpora,
    tokenizer: &Arc<Tokenizer>,
    settings: PretrainingSettings,
    epoch: u64,
) -> Result<Stream> {
    let seed = mix(settings.seed, epoch);
    let settings = PretrainingSettings { seed, ..settings };
    PretrainingStream::new(corpora.documents(seed)?, tokenizer.clone(), settings)
}

fn no_text() -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        "the corpus gives no sequence: its documents are empty or held out; look at `files` and \
         `exclude`",
    )
}

/// Micro-batches of like lengths: the places of their sequences.
pub(super) fn micro_batches(examples: &[PretrainingExample], budget: usize) -> Vec<Vec<usize>> {
    let lengths: Vec<usize> = examples.iter().map(|example| example.ids.len()).collect();
    buckets(&lengths, budget)
}

/// Sequences one behind the other, with what is to be found in them.
/// `segments` says whether the network tells segments apart.
pub(super) fn assemble<'a>(
    examples: impl IntoIterator<Item = &'a PretrainingExample>,
    segments: bool,
) -> (Tokens, Targets) {
    let mut tokens = Tokens::default();
    let mut targets = Targets::default();
    for example in examples {
        let first = tokens.len() as u32;
        tokens.push(&example.ids, segments.then_some(&example.type_ids));
        let places = example.masked_positions.iter().map(|place| first + place);
        targets.masked.extend(places);
        targets.labels.extend(&example.masked_labels);
        targets.first.push(first);
        targets.relations.push(example.relation);
    }
    (tokens, targets)
}
