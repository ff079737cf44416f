//! Evaluates queries of PubMed's language: which articles they select.
//!
//! A query is translated against one commit ([`lexicon`]) and evaluated leaf by
//! leaf into bitmaps of documents, which the operators join. Words are looked
//! up as they are written ([`words`], [`positions`]), everything else as whole
//! values ([`values`]).

mod field;
mod leaf;
mod lexicon;
mod people;
mod positions;
mod prefix;
mod select;
mod values;
mod words;

pub(super) use prefix::terms_with;
pub use select::{Lines, Selection, Setting, TermCount};

use super::schema::Fields;
use super::snapshot::{Inner, KeywordSnapshot};
use crate::deadline::{LOOKUP, Watch};
use crate::mesh::MeshTable;
use prefix::Budget;
use roaring::RoaringBitmap;
use std::collections::HashMap;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet as _, InvertedIndexReader, SegmentReader, TERMINATED, Term};

/// Documents of all segments: those of a segment follow those of the one
/// before it.
type Documents = RoaringBitmap;

/// Evaluates against one commit.
struct Evaluator<'a> {
    inner: &'a Inner,
    mesh: Option<&'a MeshTable>,
    setting: Setting<'a>,
    watch: Watch,
    /// First document of each segment.
    bases: Vec<u32>,
    alive: Documents,
    budget: Budget,
    warnings: Vec<String>,
    counts: Vec<TermCount>,
    /// What terms find that were looked up already, as they are written.
    known: HashMap<String, Documents>,
}

impl<'a> Evaluator<'a> {
    fn new(snapshot: &'a KeywordSnapshot, setting: Setting<'a>) -> Self {
        let inner = &*snapshot.0;
        let mut bases = Vec::new();
        let mut alive = Documents::new();
        let mut base = 0_u32;
        for segment in inner.searcher.segment_readers() {
            bases.push(base);
            if segment.has_deletes() {
                alive.extend(segment.doc_ids_alive().map(|document| base + document));
            } else {
                alive.insert_range(base..base + segment.max_doc());
            }
            base += segment.max_doc();
        }
        Self {
            inner,
            mesh: setting.mesh,
            setting,
            watch: snapshot.watch(),
            bases,
            alive,
            budget: Budget::default(),
            warnings: Vec::new(),
            counts: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn fields(&self) -> &'a Fields {
        &self.inner.fields
    }

    /// Segments with their first documents.
    fn segments(&self) -> impl Iterator<Item = (&'a SegmentReader, u32)> + use<'a> {
        let segments = self.inner.searcher.segment_readers().iter();
        segments.zip(self.bases.clone())
    }

    /// Documents that hold a term.
    fn term(&self, term: &Term) -> tantivy::Result<Documents> {
        let mut found = Documents::new();
        for (segment, base) in self.segments() {
            let index = segment.inverted_index(term.field())?;
            gather(&index, term, base, &self.watch, &mut found)?;
        }
        Ok(found)
    }

    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// Adds a segment's documents that hold a term; `base` is its first document.
fn gather(
    index: &InvertedIndexReader,
    term: &Term,
    base: u32,
    watch: &Watch,
    found: &mut Documents,
) -> tantivy::Result<()> {
    watch.steps(LOOKUP)?;
    if let Some(mut postings) = index.read_postings(term, IndexRecordOption::Basic)? {
        while postings.doc() != TERMINATED {
            watch.step()?;
            found.insert(base + postings.doc());
            postings.advance();
        }
    }
    Ok(())
}
