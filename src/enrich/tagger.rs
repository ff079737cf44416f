//! An encoder with a head that tags words.

use super::decode::{Span, best_tags, spans};
use super::entity::{Characters, Entity};
use super::head::{TokenHead, fit};
use super::reading::{Reader, Reading};
use super::words::words;
use crate::encoder::{Encoder, PackedAdapter};
use crate::error::Result;
use crate::passage::sentence_ranges;
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Finds named entities in texts.
#[derive(Debug, Clone)]
pub struct Tagger {
    encoder: Arc<Encoder>,
    head: TokenHead,
    adapter: Option<Arc<PackedAdapter>>,
}

/// Words that are tagged together: a sentence.
struct Sequence {
    /// Its text among those that were given.
    text: usize,
    /// Its words, as byte ranges of that text.
    words: Vec<Range<usize>>,
    readings: Vec<Reading>,
}

impl Tagger {
    /// Takes a head out of the directory that the encoder was opened from; see
    /// [`TokenHead::open`].
    ///
    /// # Errors
    /// As there, and when the head is for states of another size.
    pub fn open(encoder: Arc<Encoder>, model: &Path, name: Option<&str>) -> Result<Self> {
        let head = TokenHead::open(model, name, &encoder.fingerprint().sha256)?;
        let hidden = head.config().hidden;
        let adapter = fit(&encoder, head.name(), hidden, head.adapter())?;
        Ok(Self {
            encoder,
            head,
            adapter,
        })
    }

    /// The encoder under the head.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The head.
    pub fn head(&self) -> &TokenHead {
        &self.head
    }

    /// The entities of texts, in the order of each text.
    ///
    /// A text is cut into sentences, as in training; a sentence that is longer
    /// than the encoder reads, into overlapping windows whose scores are put
    /// together before anything is decoded. An entity's `text` is that between
    /// its `start` and `end`, to the character.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn annotate<S: AsRef<str> + Sync>(&self, texts: &[S]) -> Result<Vec<Vec<Entity>>> {
        let reader = self.reader()?;
        let sequences = texts
            .par_iter()
            .enumerate()
            .map(|(number, text)| sentences(&reader, number, text.as_ref()))
            .collect::<Result<Vec<_>>>()?;
        let sequences: Vec<Sequence> = sequences.into_iter().flatten().collect();
        let found = self.decode(sequences.iter().map(|sequence| &sequence.readings[..]));
        let mut entities: Vec<Vec<Entity>> = texts.iter().map(|_| Vec::new()).collect();
        let mut characters: Vec<Characters<'_>> = texts
            .iter()
            .map(|text| Characters::of(text.as_ref()))
            .collect();
        for (sequence, (_, spans)) in sequences.iter().zip(found) {
            let text = texts[sequence.text].as_ref();
            let characters = &mut characters[sequence.text];
            for span in spans {
                let start = sequence.words[span.words.start].start;
                let end = sequence.words[span.words.end - 1].end;
                entities[sequence.text].push(Entity {
                    kind: self.head.tags().types()[span.kind].clone(),
                    start: characters.before(start),
                    end: characters.before(end),
                    text: text[start..end].to_owned(),
                    score: span.score,
                    concept: None,
                });
            }
        }
        Ok(entities)
    }

    /// The tags of sentences that are cut into words already, as numbers of
    /// the head's tags.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn tag<S: AsRef<str> + Sync>(&self, sentences: &[Vec<S>]) -> Result<Vec<Vec<usize>>> {
        let reader = self.reader()?;
        let readings = sentences
            .par_iter()
            .map(|words| reader.read_words(words))
            .collect::<Result<Vec<_>>>()?;
        let found = self.decode(readings.iter().map(|readings| &readings[..]));
        Ok(found.into_iter().map(|(tags, _)| tags).collect())
    }

    fn reader(&self) -> Result<Reader<'_>> {
        let most = self.head.config().max_tokens.min(self.encoder.max_tokens());
        Reader::new(self.encoder.tokenizer(), most)
    }

    /// Tags and entities of sequences, each given by its windows.
    fn decode<'a>(
        &self,
        sequences: impl Iterator<Item = &'a [Reading]>,
    ) -> Vec<(Vec<usize>, Vec<Span>)> {
        let sequences: Vec<&[Reading]> = sequences.collect();
        let readings: Vec<&Reading> = sequences.iter().copied().flatten().collect();
        let ids: Vec<Vec<u32>> = readings.iter().map(|reading| reading.ids.clone()).collect();
        let hidden = self.encoder.hidden();
        let tags = self.head.tags().len();
        let adapter = self.adapter.as_deref();
        let scores = self.encoder.map_states(&ids, adapter, |number, states| {
            let mut scores = Vec::with_capacity(readings[number].rows.len() * tags);
            for row in &readings[number].rows {
                match row {
                    Some(row) => {
                        let row = *row as usize * hidden;
                        self.head.score(&states[row..row + hidden], &mut scores);
                    }
                    // Where nothing was read, nothing is decided: such a word
                    // goes with its neighbours.
                    None => scores.resize(scores.len() + tags, 0.0),
                }
            }
            scores
        });
        let mut scores = scores.into_iter();
        sequences
            .iter()
            .map(|windows| {
                let scores: Vec<f32> = scores.by_ref().take(windows.len()).flatten().collect();
                let sequence = best_tags(&scores, tags);
                let spans = spans(&sequence, &scores, tags);
                (sequence, spans)
            })
            .collect()
    }
}

/// The sentences of a text, with their windows.
fn sentences(reader: &Reader<'_>, number: usize, text: &str) -> Result<Vec<Sequence>> {
    sentence_ranges(text)
        .map(|range| {
            let sentence = &text[range.clone()];
            let own = words(sentence);
            let readings = reader.read(sentence, &own)?;
            let place = |word: Range<usize>| range.start + word.start..range.start + word.end;
            Ok(Sequence {
                text: number,
                words: own.into_iter().map(place).collect(),
                readings,
            })
        })
        .collect()
}
