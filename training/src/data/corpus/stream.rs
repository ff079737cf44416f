//! From documents to masked sequences.

use super::masking::{MaskingSettings, mask};
use super::segments::{Relations, SegmentPair, Segmenter, TokenDocument};
use super::{Document, Vocabulary};
use crate::data::random::generator;
use medsift::encoder::parts::Tokenizer;
use medsift::{Error, Result};
use rand::Rng;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Deref;

/// How documents become sequences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PretrainingSettings {
    /// Most tokens of a sequence, special ones included.
    pub max_length: usize,
    /// Share of sequences that are made shorter.
    pub short_probability: f64,
    /// What the second segment is to the first.
    pub relations: Relations,
    /// How tokens are hidden.
    pub masking: MaskingSettings,
    /// Documents of a block: they are held in memory, shuffled, and give each
    /// other random and cited segments.
    pub block: usize,
    /// Seed. Another one for each pass gives other pairs and other masks.
    pub seed: u64,
}

impl Default for PretrainingSettings {
    fn default() -> Self {
        Self {
            max_length: 128,
            short_probability: 0.1,
            relations: Relations::NextSentence,
            masking: MaskingSettings::default(),
            block: 8192,
            seed: 0,
        }
    }
}

/// A masked sequence: `[CLS] first [SEP]` or `[CLS] first [SEP] second [SEP]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PretrainingExample {
    /// Tokens, some of them hidden.
    pub ids: Vec<u32>,
    /// 0 up to the first `[SEP]`, 1 behind it; as long as `ids`.
    pub type_ids: Vec<u32>,
    /// Places of the chosen tokens, rising.
    pub masked_positions: Vec<u32>,
    /// The tokens that stood there.
    pub masked_labels: Vec<u32>,
    /// What the second segment is to the first ([`Relations`]).
    pub relation: u32,
}

/// What has gone through a stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct StreamCounts {
    /// Documents.
    pub documents: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Sequences made.
    pub sequences: u64,
    /// Tokens in them, special ones not counted. Random segments come twice,
    /// and what does not fit is cut, so it is not the number above.
    pub sequence_tokens: u64,
}

/// Masked sequences of a stream of documents, by a tokenizer that is borrowed
/// or shared. It ends after an error.
pub struct PretrainingStream<T, D> {
    documents: D,
    tokenizer: T,
    vocabulary: Vocabulary,
    settings: PretrainingSettings,
    block: u64,
    ready: VecDeque<PretrainingExample>,
    counts: StreamCounts,
    ended: bool,
}

impl<T, D> PretrainingStream<T, D>
where
    T: Deref<Target = Tokenizer>,
    D: Iterator<Item = Result<Document>>,
{
    /// A stream over documents.
    ///
    /// # Errors
    /// When a setting does not fit, or the vocabulary lacks the tokens that
    /// masking needs.
    pub fn new(documents: D, tokenizer: T, settings: PretrainingSettings) -> Result<Self> {
        let vocabulary = Vocabulary::of(tokenizer.inner())?;
        settings.masking.check(&vocabulary)?;
        if settings.max_length < 8 {
            return Err(Error::invalid(
                "max_length",
                format!("`max_length` {} is below 8 tokens", settings.max_length),
            ));
        }
        if !(0.0..=1.0).contains(&settings.short_probability) {
            return Err(Error::invalid(
                "short_probability",
                format!(
                    "`short_probability` {} is no share",
                    settings.short_probability
                ),
            ));
        }
        if settings.block == 0 {
            return Err(Error::invalid("block", "`block` must be at least 1"));
        }
        Ok(Self {
            documents,
            tokenizer,
            vocabulary,
            settings,
            block: 0,
            ready: VecDeque::new(),
            counts: StreamCounts::default(),
            ended: false,
        })
    }

    /// What has gone through so far.
    pub fn counts(&self) -> StreamCounts {
        self.counts
    }

    /// The documents, for what their source says about them.
    pub fn source(&self) -> &D {
        &self.documents
    }

    /// Fills the queue from the next block; `false` at the end.
    fn next_block(&mut self) -> Result<bool> {
        let texts: Vec<Document> = self
            .documents
            .by_ref()
            .take(self.settings.block)
            .collect::<Result<_>>()?;
        if texts.is_empty() {
            return Ok(false);
        }
        let (tokenizer, vocabulary) = (&*self.tokenizer, &self.vocabulary);
        let documents: Vec<TokenDocument> = texts
            .par_iter()
            .map(|document| tokenise(document, tokenizer, vocabulary))
            .collect::<Result<_>>()?;
        let mut random = generator(self.settings.seed, "block", &[self.block]);
        self.block += 1;
        let mut order: Vec<usize> = (0..documents.len()).collect();
        order.shuffle(&mut random);
        let mut segmenter = Segmenter::new(
            &documents,
            self.settings.relations,
            self.settings.max_length,
            self.settings.short_probability,
        );
        let mut examples = Vec::new();
        for document in order {
            for pair in segmenter.sequences(document, &mut random) {
                self.counts.sequences += 1;
                self.counts.sequence_tokens += (pair.first.len() + pair.second.len()) as u64;
                examples.push(example(
                    pair,
                    &self.vocabulary,
                    &self.settings.masking,
                    &mut random,
                ));
            }
        }
        let sentences = documents.iter().flat_map(|document| &document.sentences);
        self.counts.tokens += sentences.map(|tokens| tokens.len() as u64).sum::<u64>();
        self.counts.documents += documents.len() as u64;
        examples.shuffle(&mut random);
        self.ready.extend(examples);
        Ok(true)
    }
}

impl<T, D> Iterator for PretrainingStream<T, D>
where
    T: Deref<Target = Tokenizer>,
    D: Iterator<Item = Result<Document>>,
{
    type Item = Result<PretrainingExample>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            match self.next_block() {
                Ok(more) => self.ended = !more,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

/// The tokens of a document, its title as its first sentence.
fn tokenise(
    document: &Document,
    tokenizer: &Tokenizer,
    vocabulary: &Vocabulary,
) -> Result<TokenDocument> {
    let mut sentences = Vec::new();
    let title = std::iter::once(&document.title).filter(|title| !title.is_empty());
    for sentence in title.chain(&document.sentences) {
        let mut ids = tokenizer.encode(sentence, usize::MAX)?;
        // The frame that the tokenizer puts around every text.
        if ids.last() == Some(&vocabulary.separator) {
            ids.pop();
        }
        if ids.first() == Some(&vocabulary.class) {
            ids.remove(0);
        }
        if !ids.is_empty() {
            sentences.push(ids);
        }
    }
    Ok(TokenDocument {
        pmid: document.pmid,
        cites: document.cites.clone(),
        sentences,
    })
}

/// Puts special tokens around segments and hides some of theirs.
fn example(
    pair: SegmentPair,
    vocabulary: &Vocabulary,
    masking: &MaskingSettings,
    random: &mut impl Rng,
) -> PretrainingExample {
    let mut ids = vec![vocabulary.class];
    ids.extend(pair.first);
    ids.push(vocabulary.separator);
    let mut type_ids = vec![0; ids.len()];
    if !pair.second.is_empty() {
        ids.extend(pair.second);
        ids.push(vocabulary.separator);
        type_ids.resize(ids.len(), 1);
    }
    let masked = mask(&mut ids, vocabulary, masking, random);
    PretrainingExample {
        ids,
        type_ids,
        masked_positions: masked.positions,
        masked_labels: masked.labels,
        relation: pair.relation,
    }
}
