//! Sequences of one or two segments.

use rand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What the second segment of a sequence is to the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relations {
    /// There is no second segment.
    None,
    /// BERT's next sentence prediction: 0 what follows, 1 from a random
    /// document, half of each.
    #[default]
    NextSentence,
    /// LinkBERT's document relation prediction (Yasunaga et al. 2022,
    /// <https://aclanthology.org/2022.acl-long.551>): 0 what follows, 1 from a
    /// random document, 2 from a document that is cited. A third of each where
    /// a document cites one at hand, half of the first two where not.
    Linked,
}

/// What follows.
pub(super) const CONTINUED: u32 = 0;
/// From a random document.
pub(super) const RANDOM: u32 = 1;
/// From a cited document.
pub(super) const LINKED: u32 = 2;

/// A document as tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenDocument {
    /// Its PMID.
    pub pmid: Option<u32>,
    /// PMIDs that it cites.
    pub cites: Vec<u32>,
    /// Its sentences, title first, as tokens without special ones; none is
    /// empty.
    pub sentences: Vec<Vec<u32>>,
}

/// A sequence before masking, without special tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentPair {
    /// First segment; never empty.
    pub first: Vec<u32>,
    /// Second segment; empty with [`Relations::None`] only.
    pub second: Vec<u32>,
    /// What the second is to the first, counted as in [`Relations`].
    pub relation: u32,
}

/// Cuts documents into sequences. The random and the cited documents are
/// taken from the same block of documents, so a block should be large.
pub struct Segmenter<'a> {
    documents: &'a [TokenDocument],
    relations: Relations,
    /// Most tokens of a sequence, special ones not counted.
    room: usize,
    short: f64,
    by_pmid: HashMap<u32, usize>,
    /// Continuations that were drawn but could not be had, to be made up for.
    owed: usize,
}

/// Where a second segment comes from.
enum Second {
    /// The rest of the chunk.
    Rest,
    /// Another document, and what it is to this one.
    Other(usize, u32),
}

impl<'a> Segmenter<'a> {
    /// A segmenter over a block of documents. `max_length` counts the special
    /// tokens; `short` is the share of sequences that are made shorter, so
    /// that short inputs are not foreign to the model.
    pub fn new(
        documents: &'a [TokenDocument],
        relations: Relations,
        max_length: usize,
        short: f64,
    ) -> Self {
        let special = if relations == Relations::None { 2 } else { 3 };
        let by_pmid = documents
            .iter()
            .enumerate()
            .filter(|(_, document)| !document.sentences.is_empty())
            .filter_map(|(at, document)| Some((document.pmid?, at)))
            .collect();
        Self {
            documents,
            relations,
            room: max_length.saturating_sub(special).max(2),
            short: short.clamp(0.0, 1.0),
            by_pmid,
            owed: 0,
        }
    }

    /// The sequences of one document: each sentence begins one or is part of
    /// one. Sentences are gathered until a sequence is full; what is too much
    /// is cut off at the ends of its segments.
    pub fn sequences(&mut self, document: usize, random: &mut impl Rng) -> Vec<SegmentPair> {
        let sentences = &self.documents[document].sentences;
        let linked = self.linked(document);
        let mut sequences = Vec::new();
        let mut at = 0;
        while at < sentences.len() {
            let target = self.target(random);
            let end = chunk_end(sentences, at, target);
            if self.relations == Relations::None {
                sequences.extend(single(&sentences[at..end], self.room));
                at = end;
                continue;
            }
            let middle = match end - at {
                1 => end,
                count => at + random.random_range(1..count),
            };
            let first = sentences[at..middle].concat();
            let (first, second, relation) =
                match self.second(document, end - at > 1, &linked, random) {
                    Second::Other(other, relation) => {
                        // The rest of the chunk begins the next sequence.
                        at = middle;
                        let wanted = target.saturating_sub(first.len());
                        let second = fill(&self.documents[other].sentences, wanted, random);
                        (first, second, relation)
                    }
                    Second::Rest => {
                        let rest = sentences[middle..end].concat();
                        at = end;
                        let (first, rest) = halves(first, rest);
                        (first, rest, CONTINUED)
                    }
                };
            sequences.extend(pair(first, second, relation, self.room, random));
        }
        sequences
    }

    /// Length to fill: all there is room for, or now and then less.
    fn target(&self, random: &mut impl Rng) -> usize {
        if random.random_bool(self.short) {
            random.random_range(2..=self.room)
        } else {
            self.room
        }
    }

    fn second(
        &mut self,
        document: usize,
        continues: bool,
        linked: &[usize],
        random: &mut impl Rng,
    ) -> Second {
        let kinds = if linked.is_empty() { 2 } else { 3 };
        let mut relation = random.random_range(CONTINUED..kinds);
        if relation == CONTINUED && !continues {
            self.owed += 1;
            relation = RANDOM;
        } else if relation == RANDOM && continues && self.owed > 0 {
            self.owed -= 1;
            relation = CONTINUED;
        }
        match relation {
            LINKED => Second::Other(linked[random.random_range(0..linked.len())], LINKED),
            RANDOM => match self.random_document(document, linked, random) {
                Some(other) => Second::Other(other, RANDOM),
                None => Second::Rest,
            },
            _ => Second::Rest,
        }
    }

    /// Documents of the block that a document cites, rising.
    fn linked(&self, document: usize) -> Vec<usize> {
        if self.relations != Relations::Linked {
            return Vec::new();
        }
        let mut linked: Vec<usize> = self.documents[document]
            .cites
            .iter()
            .filter_map(|pmid| self.by_pmid.get(pmid).copied())
            .filter(|&other| other != document)
            .collect();
        linked.sort_unstable();
        linked.dedup();
        linked
    }

    /// A document that is neither this one nor cited by it; `None` where a few
    /// draws find none.
    fn random_document(
        &self,
        document: usize,
        linked: &[usize],
        random: &mut impl Rng,
    ) -> Option<usize> {
        (0..16)
            .map(|_| random.random_range(0..self.documents.len()))
            .find(|other| {
                *other != document
                    && linked.binary_search(other).is_err()
                    && !self.documents[*other].sentences.is_empty()
            })
    }
}

/// Where a chunk ends that begins at a sentence and has `target` tokens or
/// one sentence more than fits.
fn chunk_end(sentences: &[Vec<u32>], start: usize, target: usize) -> usize {
    let mut length = 0;
    let mut end = start;
    while end < sentences.len() && length < target {
        length += sentences[end].len();
        end += 1;
    }
    end
}

/// Sequences of one segment out of a chunk, all of its tokens kept.
fn single(sentences: &[Vec<u32>], room: usize) -> Vec<SegmentPair> {
    sentences
        .concat()
        .chunks(room)
        .map(|tokens| SegmentPair {
            first: tokens.to_vec(),
            second: Vec::new(),
            relation: CONTINUED,
        })
        .collect()
}

/// A lone sentence without another document at hand goes on with itself.
fn halves(mut first: Vec<u32>, rest: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
    if !rest.is_empty() {
        return (first, rest);
    }
    let rest = first.split_off(first.len().div_ceil(2));
    (first, rest)
}

/// Sentences of a document from a random one on, until `wanted` tokens are
/// there or the document ends.
fn fill(sentences: &[Vec<u32>], wanted: usize, random: &mut impl Rng) -> Vec<u32> {
    let mut tokens = Vec::new();
    let start = random.random_range(0..sentences.len());
    for sentence in &sentences[start..] {
        tokens.extend_from_slice(sentence);
        if tokens.len() >= wanted {
            break;
        }
    }
    tokens
}

/// Shortens the longer segment, at its beginning or end at random, until both
/// fit.
fn pair(
    first: Vec<u32>,
    second: Vec<u32>,
    relation: u32,
    room: usize,
    random: &mut impl Rng,
) -> Option<SegmentPair> {
    let mut ranges = [0..first.len(), 0..second.len()];
    while ranges[0].len() + ranges[1].len() > room {
        let longer = usize::from(ranges[1].len() >= ranges[0].len());
        if random.random_bool(0.5) {
            ranges[longer].start += 1;
        } else {
            ranges[longer].end -= 1;
        }
    }
    let [a, b] = ranges;
    (!a.is_empty() && !b.is_empty()).then(|| SegmentPair {
        first: first[a].to_vec(),
        second: second[b].to_vec(),
        relation,
    })
}
