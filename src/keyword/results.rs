//! Everything that a search finds, as a set: for counting, sorting by date and
//! going through it.

use super::filter;
use super::plan::Planner;
use super::schema::DATE_SORT;
use super::score::{Collector, score_segment};
use super::snapshot::{KeywordSnapshot, Scope, keys_of};
use super::top::Top;
use crate::ArticleKey;
use crate::deadline::{Expired, LOOKUP, Watch};
use crate::error::Result;
use roaring::RoaringBitmap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tantivy::columnar::Column;
use tantivy::{SegmentReader, Term};

/// Articles of one commit, as the documents of each segment.
#[derive(Debug, Clone, Default)]
pub struct ResultSet {
    pub(super) segments: Vec<RoaringBitmap>,
}

impl ResultSet {
    /// Number of articles.
    pub fn articles(&self) -> u64 {
        self.segments.iter().map(RoaringBitmap::len).sum()
    }
}

/// Places in a list by date, newest first: equal days go by key, lower first.
/// The greater is behind.
type Place = (Reverse<i64>, ArticleKey);

impl KeywordSnapshot {
    /// Every article of a scope that matches any word of a text; within a
    /// selection, every article of the scope.
    pub fn results(&self, text: &str, scope: &Scope<'_>) -> Result<ResultSet> {
        self.try_results(text, scope)
            .map_err(|error| self.failed("search", error))
    }

    fn try_results(&self, text: &str, scope: &Scope<'_>) -> tantivy::Result<ResultSet> {
        let inner = &*self.0;
        let watch = self.watch();
        let planner = Planner {
            searcher: &inner.searcher,
            fields: &inner.fields,
            ranking: &inner.ranking,
            watch: &watch,
        };
        let plan = match scope.selection {
            Some(_) => None,
            None => Some(planner.plan(text)?),
        };
        let mut segments = Vec::new();
        for (ordinal, segment) in inner.searcher.segment_readers().iter().enumerate() {
            let passing = self.passing(ordinal, segment, scope)?;
            let Some(plan) = &plan else {
                segments.push(passing.unwrap_or_default());
                continue;
            };
            let allowed = passing.map(|passing| filter::as_bits(&passing, segment.max_doc()));
            let mut found = RoaringBitmap::new();
            let collector = Collector {
                allowed: allowed.as_ref(),
                keys: &keys_of(segment)?,
                top: &mut Top::new(0),
                found: Some(&mut found),
            };
            score_segment(
                segment,
                &plan.groups,
                &inner.ranking,
                &inner.norms,
                collector,
                &watch,
            )?;
            segments.push(found);
        }
        Ok(ResultSet { segments })
    }

    /// Adds articles to a set; keys that the commit does not hold are passed
    /// over.
    pub fn add_keys(
        &self,
        set: &mut ResultSet,
        keys: impl IntoIterator<Item = ArticleKey>,
    ) -> Result<()> {
        set.segments
            .resize_with(self.segments(), RoaringBitmap::new);
        let watch = self.watch();
        for key in keys {
            watch.steps(LOOKUP).map_err(Expired::error)?;
            let term = Term::from_field_u64(self.0.fields.key, u64::from(key.0));
            let places = self.find(&term);
            for place in places.map_err(|error| self.failed("look up", error))? {
                if let Some(segment) = set.segments.get_mut(place.segment_ord as usize) {
                    segment.insert(place.doc_id);
                }
            }
        }
        Ok(())
    }

    /// The first articles of a set by date, newest first, from behind a place
    /// on; each with its day as `YYYYMMDD`, 0 where it has none. Equal days go
    /// by key, lower first.
    pub fn by_date(
        &self,
        set: &ResultSet,
        limit: usize,
        after: Option<(ArticleKey, i64)>,
    ) -> Result<Vec<(ArticleKey, i64)>> {
        let after = after.map(|(key, day)| (Reverse(day), key));
        let mut first: BinaryHeap<Place> = BinaryHeap::new();
        let segments = self.0.searcher.segment_readers();
        let watch = self.watch();
        for (segment, documents) in segments.iter().zip(&set.segments) {
            earliest(segment, documents, limit, after, &mut first, &watch)
                .map_err(|error| self.failed("read the dates of", error))?;
        }
        let sorted = first.into_sorted_vec().into_iter();
        Ok(sorted.map(|(Reverse(day), key)| (key, day)).collect())
    }
}

/// Offers a segment's documents to the first of the list.
fn earliest(
    segment: &SegmentReader,
    documents: &RoaringBitmap,
    limit: usize,
    after: Option<Place>,
    first: &mut BinaryHeap<Place>,
    watch: &Watch,
) -> tantivy::Result<()> {
    watch.look()?;
    let keys = keys_of(segment)?;
    let days: Option<Column<i64>> = segment.fast_fields().column_opt(DATE_SORT)?;
    for document in documents {
        watch.step()?;
        let Some(key) = keys.first(document) else {
            continue;
        };
        let day = days.as_ref().and_then(|days| days.first(document));
        let place = (Reverse(day.unwrap_or(0)), ArticleKey(key as u32));
        if after.is_some_and(|after| place <= after) {
            continue;
        }
        if first.len() < limit {
            first.push(place);
        } else if let Some(mut last) = first.peek_mut()
            && place < *last
        {
            *last = place;
        }
    }
    Ok(())
}
