//! BM25 over the postings of one segment.
//!
//! The segment is gone through in windows of documents. In each window every
//! lookup adds its share to an array with one place per document, alternatives
//! are compared place by place, and what is left above nothing is counted and
//! offered to the best. Every match is seen, so that the number of matches is
//! exact, and scores are added in the order of the query, so that they do not
//! depend on how documents are spread over segments.
//!
//! Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and
//! Beyond, 2009. Lengths are tantivy's field norms, one byte per document.

use super::plan::{Group, Lookup, Ranking};
use super::top::Top;
use crate::ArticleKey;
use crate::deadline::{LOOKUP, Watch};
use roaring::RoaringBitmap;
use std::collections::HashMap;
use std::sync::Arc;
use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::BlockSegmentPostings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{BitSet, DocId, SegmentReader};

/// Documents per window: the arrays of a few alternatives stay in the
/// first-level cache.
const WINDOW: usize = 2048;

/// `k1 * (1 - b + b * length / average)` for each field norm, by field.
pub(super) struct Norms(HashMap<Field, Arc<[f32; 256]>>);

impl Norms {
    /// Tables for fields with their average lengths.
    pub(super) fn new(ranking: &Ranking, averages: &[(Field, f32)]) -> Self {
        let table = |average: f32| {
            let mut table = [0.0; 256];
            for (id, norm) in (0..=u8::MAX).zip(&mut table) {
                let length = FieldNormReader::id_to_fieldnorm(id) as f32;
                *norm = ranking.k1 * (1.0 - ranking.b + ranking.b * length / average);
            }
            Arc::new(table)
        };
        Self(
            averages
                .iter()
                .map(|&(field, average)| (field, table(average)))
                .collect(),
        )
    }

    /// A field whose length does not count has the norm of an average one.
    fn of(&self, field: Field, ranking: &Ranking) -> Arc<[f32; 256]> {
        self.0
            .get(&field)
            .cloned()
            .unwrap_or_else(|| Arc::new([ranking.k1; 256]))
    }
}

/// Where the documents that a segment's scoring finds go.
pub(super) struct Collector<'a> {
    /// Documents that count; `None` where all do.
    pub(super) allowed: Option<&'a BitSet>,
    /// The articles' keys.
    pub(super) keys: &'a Column<u64>,
    /// The best so far.
    pub(super) top: &'a mut Top,
    /// Receives every document found, where somebody asks.
    pub(super) found: Option<&'a mut RoaringBitmap>,
}

impl Collector<'_> {
    /// Takes a document if it counts, and says whether it does.
    fn take(&mut self, document: DocId, score: f32) -> bool {
        if self
            .allowed
            .is_some_and(|allowed| !allowed.contains(document))
        {
            return false;
        }
        if let Some(found) = &mut self.found {
            found.insert(document);
        }
        if score >= self.top.threshold()
            && let Some(key) = self.keys.first(document)
        {
            self.top.offer(ArticleKey(key as u32), score);
        }
        true
    }
}

/// Scores a segment: offers the documents found to the collector, gives their
/// number.
pub(super) fn score_segment(
    segment: &SegmentReader,
    groups: &[Group],
    ranking: &Ranking,
    norms: &Norms,
    mut collector: Collector<'_>,
    watch: &Watch,
) -> tantivy::Result<u64> {
    let opener = Opener {
        segment,
        ranking,
        norms,
    };
    let open = |group| {
        watch.look()?;
        opener.word(group)
    };
    let mut words = groups
        .iter()
        .map(open)
        .collect::<tantivy::Result<Vec<Word>>>()?;
    let mut sums = vec![0.0_f32; WINDOW];
    let mut best = vec![0.0_f32; WINDOW];
    let mut alternative = vec![0.0_f32; WINDOW];
    let mut total = 0;
    while let Some(next) = words.iter().filter_map(Word::next_document).min() {
        let start = next - next % WINDOW as DocId;
        watch.steps(WINDOW)?;
        for word in &mut words {
            watch.steps(LOOKUP)?;
            word.add_window(start, &mut sums, &mut best, &mut alternative);
        }
        for (document, sum) in (start..).zip(&mut sums) {
            let score = std::mem::take(sum);
            if score > 0.0 && collector.take(document, score) {
                total += 1;
            }
        }
    }
    Ok(total)
}

struct Opener<'a> {
    segment: &'a SegmentReader,
    ranking: &'a Ranking,
    norms: &'a Norms,
}

impl Opener<'_> {
    fn word(&self, group: &Group) -> tantivy::Result<Word> {
        let mut alternatives = Vec::new();
        for lookups in &group.alternatives {
            let mut cursors = Vec::new();
            for lookup in lookups {
                cursors.extend(self.cursor(lookup)?);
            }
            if !cursors.is_empty() {
                alternatives.push(cursors);
            }
        }
        Ok(Word { alternatives })
    }

    fn cursor(&self, lookup: &Lookup) -> tantivy::Result<Option<Cursor>> {
        let field = lookup.term.field();
        let index = self.segment.inverted_index(field)?;
        let Some(postings) =
            index.read_block_postings(&lookup.term, IndexRecordOption::WithFreqs)?
        else {
            return Ok(None);
        };
        let lengths = self.segment.fieldnorms_readers().get_field(field)?;
        Ok(Some(Cursor {
            postings,
            at: 0,
            weight: lookup.weight * (self.ranking.k1 + 1.0),
            norms: self.norms.of(field, self.ranking),
            lengths: lengths
                .unwrap_or_else(|| FieldNormReader::constant(self.segment.max_doc(), 1)),
        }))
    }
}

/// A group on its way through a segment.
struct Word {
    alternatives: Vec<Vec<Cursor>>,
}

impl Word {
    fn next_document(&self) -> Option<DocId> {
        let cursors = self.alternatives.iter().flatten();
        cursors.filter_map(Cursor::document).min()
    }

    /// Adds the best alternative's score of each document of the window.
    fn add_window(
        &mut self,
        start: DocId,
        sums: &mut [f32],
        best: &mut [f32],
        alternative: &mut [f32],
    ) {
        let end = start + WINDOW as DocId;
        if self.next_document().is_none_or(|next| next >= end) {
            return;
        }
        if let [only] = self.alternatives.as_mut_slice() {
            for cursor in only {
                cursor.add_window(start, end, sums);
            }
            return;
        }
        for cursors in &mut self.alternatives {
            for cursor in cursors {
                cursor.add_window(start, end, alternative);
            }
            for (best, score) in best.iter_mut().zip(&mut *alternative) {
                *best = best.max(std::mem::take(score));
            }
        }
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += std::mem::take(best);
        }
    }
}

/// A posting list with the place reached in it.
struct Cursor {
    postings: BlockSegmentPostings,
    at: usize,
    weight: f32,
    norms: Arc<[f32; 256]>,
    lengths: FieldNormReader,
}

impl Cursor {
    /// The document to come; `None` at the end.
    fn document(&self) -> Option<DocId> {
        self.postings.docs().get(self.at).copied()
    }

    fn add_window(&mut self, start: DocId, end: DocId, scores: &mut [f32]) {
        while self.document().is_some_and(|document| document < end) {
            let documents = self.postings.docs();
            let mut at = self.at;
            while at < documents.len() && documents[at] < end {
                let document = documents[at];
                // 1 in a field that keeps no frequencies.
                let frequency = self.postings.freq(at) as f32;
                let norm = self.norms[usize::from(self.lengths.fieldnorm_id(document))];
                scores[(document - start) as usize] += self.weight * frequency / (frequency + norm);
                at += 1;
            }
            self.at = at;
            if at == documents.len() {
                self.postings.advance();
                self.at = 0;
            }
        }
    }
}
