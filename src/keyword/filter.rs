//! Which documents of a segment pass a filter.

use super::analysis::exact_value;
use super::schema::{Fields, YEAR};
use crate::deadline::{LOOKUP, Watch};
use crate::enrich::relation_value;
use crate::query::{Filter, YearRange};
use roaring::RoaringBitmap;
use tantivy::columnar::Column;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{BitSet, DocId, DocSet as _, SegmentReader, TERMINATED, Term};

/// Documents of a segment that are not deleted and pass the filter; `None`
/// where that is every document.
pub(super) fn passing(
    segment: &SegmentReader,
    fields: &Fields,
    filter: &Filter,
    watch: &Watch,
) -> tantivy::Result<Option<RoaringBitmap>> {
    let clauses = Clauses {
        segment,
        fields,
        watch,
    };
    let mut passing: Option<RoaringBitmap> = segment
        .has_deletes()
        .then(|| segment.doc_ids_alive().collect());
    for clause in clauses.all(filter)? {
        match &mut passing {
            Some(passing) => *passing &= clause,
            None => passing = Some(clause),
        }
    }
    Ok(passing)
}

/// The same as a bit per document, for a look at every document found.
pub(super) fn as_bits(documents: &RoaringBitmap, max_doc: DocId) -> BitSet {
    let mut bits = BitSet::with_max_value(max_doc);
    for document in documents {
        bits.insert(document);
    }
    bits
}

/// Documents of a segment that hold a term, deleted ones among them.
pub(super) fn documents(
    segment: &SegmentReader,
    term: &Term,
    watch: &Watch,
) -> tantivy::Result<RoaringBitmap> {
    watch.steps(LOOKUP)?;
    let index = segment.inverted_index(term.field())?;
    let mut documents = RoaringBitmap::new();
    if let Some(mut postings) = index.read_postings(term, IndexRecordOption::Basic)? {
        while postings.doc() != TERMINATED {
            watch.step()?;
            documents.insert(postings.doc());
            postings.advance();
        }
    }
    Ok(documents)
}

struct Clauses<'a> {
    segment: &'a SegmentReader,
    fields: &'a Fields,
    watch: &'a Watch,
}

impl Clauses<'_> {
    fn all(&self, filter: &Filter) -> tantivy::Result<Vec<RoaringBitmap>> {
        let mut clauses = Vec::new();
        if let Some(range) = filter.year {
            clauses.push(self.years(range)?);
        }
        let any_of = [
            (self.fields.journal_exact, &filter.journal),
            (self.fields.publication_type, &filter.publication_type),
            (self.fields.language, &filter.language),
        ];
        for (field, values) in any_of {
            if !values.is_empty() {
                clauses.push(self.any_of(field, values)?);
            }
        }
        let all_of = [
            (self.fields.mesh_exact, &filter.mesh),
            (self.fields.findings.entity, &filter.entity),
        ];
        for (field, values) in all_of {
            for value in values {
                clauses.push(self.value(field, value)?);
            }
        }
        for value in &filter.relation {
            clauses.push(self.value(self.fields.findings.relation, &relation_value(value))?);
        }
        let flags = [
            (self.fields.has_abstract, filter.has_abstract),
            (self.fields.retracted, filter.retracted),
        ];
        for (field, flag) in flags {
            if let Some(flag) = flag {
                clauses.push(self.documents(&Term::from_field_bool(field, flag))?);
            }
        }
        Ok(clauses)
    }

    fn any_of(&self, field: Field, values: &[String]) -> tantivy::Result<RoaringBitmap> {
        let mut union = RoaringBitmap::new();
        for value in values {
            union |= self.value(field, value)?;
        }
        Ok(union)
    }

    fn value(&self, field: Field, value: &str) -> tantivy::Result<RoaringBitmap> {
        self.documents(&Term::from_field_text(field, &exact_value(value)))
    }

    fn documents(&self, term: &Term) -> tantivy::Result<RoaringBitmap> {
        documents(self.segment, term, self.watch)
    }

    /// An article without a year passes no range.
    fn years(&self, range: YearRange) -> tantivy::Result<RoaringBitmap> {
        let column: Option<Column<i64>> = self.segment.fast_fields().column_opt(YEAR)?;
        let Some(column) = column else {
            return Ok(RoaringBitmap::new());
        };
        let from = range.from.map_or(i64::MIN, i64::from);
        let to = range.to.map_or(i64::MAX, i64::from);
        let documents = self.watch.over(0..self.segment.max_doc());
        let documents = documents.filter(|&document| {
            column
                .first(document)
                .is_some_and(|year| (from..=to).contains(&year))
        });
        let documents = documents.collect();
        self.watch.look()?;
        Ok(documents)
    }
}
