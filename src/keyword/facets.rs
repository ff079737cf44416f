//! How often values occur in a set of articles.

use super::document::BETWEEN;
use super::results::ResultSet;
use super::schema::{FACET_ENTITY, FACET_JOURNAL, FACET_MESH, FACET_TYPE, YEAR};
use super::snapshot::KeywordSnapshot;
use crate::deadline::Watch;
use crate::error::Result;
use crate::query::FacetField;
use roaring::RoaringBitmap;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use tantivy::SegmentReader;
use tantivy::columnar::{Column, StrColumn};

/// How many articles appeared in a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct YearCount {
    /// The year.
    pub year: i32,
    /// Articles.
    pub articles: u64,
}

/// How many articles have a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValueCount {
    /// The value, as the filter of its kind takes it.
    pub value: String,
    /// How it is shown, where that is something else: an entity's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What an entity is: `Disease`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Articles.
    pub articles: u64,
}

/// The most frequent values of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ValueCounts {
    /// Most frequent first; equally frequent ones by name.
    pub values: Vec<ValueCount>,
    /// Values beyond those.
    pub more: usize,
}

impl KeywordSnapshot {
    /// Articles of a set by year, earliest first. Articles without a year are
    /// in none.
    pub fn years(&self, set: &ResultSet) -> Result<Vec<YearCount>> {
        let mut years: BTreeMap<i32, u64> = BTreeMap::new();
        let watch = self.watch();
        for (segment, documents) in self.with_documents(set) {
            count_years(segment, documents, &mut years, &watch)
                .map_err(|error| self.failed("count years in", error))?;
        }
        let years = years.into_iter();
        Ok(years
            .map(|(year, articles)| YearCount { year, articles })
            .collect())
    }

    /// The `most` most frequent values of a set; none for the year, which is no
    /// list of values.
    pub fn values(&self, field: FacetField, set: &ResultSet, most: usize) -> Result<ValueCounts> {
        let counts = self.counts(field, set)?;
        Ok(match field {
            FacetField::Entity => most_frequent(entities(counts), most),
            _ => most_frequent(counts.into_iter().map(plain), most),
        })
    }

    /// Every value of a set with its articles.
    pub(super) fn counts(
        &self,
        field: FacetField,
        set: &ResultSet,
    ) -> Result<HashMap<String, u64>> {
        let mut counts = HashMap::new();
        let name = match field {
            FacetField::Year => return Ok(counts),
            FacetField::Journal => FACET_JOURNAL,
            FacetField::Type => FACET_TYPE,
            FacetField::Mesh => FACET_MESH,
            FacetField::Entity => FACET_ENTITY,
        };
        let watch = self.watch();
        for (segment, documents) in self.with_documents(set) {
            let column = segment.fast_fields().str(name);
            let column = column.map_err(|error| self.failed("count values in", error))?;
            if let Some(column) = column {
                count_values(&column, documents, &mut counts, &watch)
                    .map_err(|error| self.failed("count values in", error.into()))?;
            }
        }
        Ok(counts)
    }

    fn with_documents<'s>(
        &'s self,
        set: &'s ResultSet,
    ) -> impl Iterator<Item = (&'s SegmentReader, &'s RoaringBitmap)> {
        let segments = self.0.searcher.segment_readers().iter();
        segments
            .zip(&set.segments)
            .filter(|(_, set)| !set.is_empty())
    }
}

fn count_years(
    segment: &SegmentReader,
    documents: &RoaringBitmap,
    years: &mut BTreeMap<i32, u64>,
    watch: &Watch,
) -> tantivy::Result<()> {
    watch.look()?;
    let column: Option<Column<i64>> = segment.fast_fields().column_opt(YEAR)?;
    if let Some(column) = column {
        for document in documents {
            watch.step()?;
            let year = column.first(document).map(i32::try_from);
            if let Some(Ok(year)) = year {
                *years.entry(year).or_default() += 1;
            }
        }
    }
    Ok(())
}

/// Counts by the number of a value in the segment's dictionary, then looks up
/// the values that were met.
fn count_values(
    column: &StrColumn,
    documents: &RoaringBitmap,
    counts: &mut HashMap<String, u64>,
    watch: &Watch,
) -> std::io::Result<()> {
    watch.look()?;
    let mut met = vec![0_u64; column.num_terms()];
    for document in documents {
        watch.step()?;
        for ordinal in column.ords().values_for_doc(document) {
            watch.step()?;
            if let Some(count) = met.get_mut(ordinal as usize) {
                *count += 1;
            }
        }
    }
    let ordinals: Vec<u64> = (0..)
        .zip(&met)
        .filter(|(_, count)| **count > 0)
        .map(|(ordinal, _)| ordinal)
        .collect();
    let mut at = ordinals.iter();
    column
        .dictionary()
        .sorted_ords_to_term_cb(&ordinals, |value| {
            let count = at.next().map_or(0, |&ordinal| met[ordinal as usize]);
            if let Ok(value) = std::str::from_utf8(value) {
                match counts.get_mut(value) {
                    Some(known) => *known += count,
                    None => drop(counts.insert(value.to_owned(), count)),
                }
            }
        })?;
    Ok(())
}

fn plain((value, articles): (String, u64)) -> ValueCount {
    ValueCount {
        value,
        name: None,
        kind: None,
        articles,
    }
}

/// Takes values of the column of entities apart. What articles write in
/// different ways (`BRCA1`, `Brca1`) is one value, which is called as most of
/// them have it.
fn entities(counts: HashMap<String, u64>) -> Vec<ValueCount> {
    let mut values: HashMap<String, (ValueCount, u64)> = HashMap::new();
    // In a fixed order, so that of equally frequent names it is always the same.
    for (counted, articles) in BTreeMap::from_iter(counts) {
        let mut parts = counted.splitn(3, BETWEEN);
        let (Some(value), Some(kind), Some(name)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let one = ValueCount {
            value: value.to_owned(),
            name: Some(name.to_owned()),
            kind: Some(kind.to_owned()),
            articles,
        };
        match values.get_mut(value) {
            None => drop(values.insert(value.to_owned(), (one, articles))),
            Some((known, most)) => {
                let articles_of_all = known.articles + articles;
                if articles > *most {
                    (*known, *most) = (one, articles);
                }
                known.articles = articles_of_all;
            }
        }
    }
    values.into_values().map(|(value, _)| value).collect()
}

fn most_frequent(counts: impl IntoIterator<Item = ValueCount>, most: usize) -> ValueCounts {
    let mut values: Vec<ValueCount> = counts.into_iter().collect();
    let order = |a: &ValueCount, b: &ValueCount| {
        (Reverse(a.articles), &a.value).cmp(&(Reverse(b.articles), &b.value))
    };
    let more = values.len().saturating_sub(most);
    if more > 0 && most > 0 {
        values.select_nth_unstable_by(most - 1, order);
    }
    values.truncate(most);
    values.sort_by(order);
    ValueCounts { values, more }
}
