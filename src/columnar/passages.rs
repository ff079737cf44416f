//! The column of passages: offsets into the running text, and vectors.

use super::internal;
use super::schema::VECTOR;
use super::values::{Values, as_list};
use crate::searcher::EmbeddedArticle;
use crate::vector::is_unit;
use crate::{Article, Passage, Result};
use arrow::array::{
    Array, ArrayRef, AsArray, FixedSizeListArray, Float32Array, ListArray, StringArray,
    StructArray, UInt32Array,
};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, Float32Type};
use serde::Deserialize;
use std::ops::Range;
use std::sync::Arc;

/// Passages with their vectors, as they stand in a file, one behind the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GivenPassages {
    /// Ordinals and byte ranges in the running text; without their texts.
    pub passages: Vec<Passage>,
    /// Unit vectors, a row a passage.
    pub vectors: Vec<f32>,
}

/// Writes the column of the schema.
pub(super) fn column(field: &Field, articles: &[EmbeddedArticle]) -> Result<ArrayRef> {
    let DataType::List(item) = field.data_type() else {
        return Err(internal("passages are no list"));
    };
    let DataType::Struct(fields) = item.data_type() else {
        return Err(internal("passages are no structs"));
    };
    let (mut ordinals, mut starts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let (mut texts, mut vectors) = (Vec::new(), Vec::new());
    for article in articles {
        let running = article.stored.article.running_text().text;
        for passage in &article.passages {
            let bytes = passage.range.start as usize..passage.range.end as usize;
            let text = running.get(bytes.clone()).ok_or_else(|| {
                internal(format!(
                    "a passage of article {} lies beyond its text: run `medsift verify`",
                    article.stored.article.id
                ))
            })?;
            let start = running[..bytes.start].chars().count() as u32;
            ordinals.push(passage.ordinal);
            starts.push(start);
            ends.push(start + text.chars().count() as u32);
            texts.push(text.to_owned());
            vectors.extend_from_slice(&passage.vector);
        }
    }
    let DataType::FixedSizeList(number, width) = fields[fields.len() - 1].data_type() else {
        return Err(internal("vectors are no lists of a fixed size"));
    };
    let vectors = Arc::new(Float32Array::from(vectors));
    let vectors = FixedSizeListArray::try_new(number.clone(), *width, vectors, None);
    let children: Vec<ArrayRef> = vec![
        Arc::new(UInt32Array::from(ordinals)),
        Arc::new(UInt32Array::from(starts)),
        Arc::new(UInt32Array::from(ends)),
        Arc::new(StringArray::from(texts)),
        Arc::new(vectors.map_err(internal)?),
    ];
    let structs = StructArray::try_new(fields.clone(), children, None).map_err(internal)?;
    let lengths = articles.iter().map(|article| article.passages.len());
    let offsets = OffsetBuffer::from_lengths(lengths);
    let list = ListArray::try_new(item.clone(), offsets, Arc::new(structs), None);
    Ok(Arc::new(list.map_err(internal)?))
}

/// The column of a file that is read.
pub(super) struct PassageColumn {
    list: ArrayRef,
    cells: Values,
    vectors: ArrayRef,
    numbers: ArrayRef,
    dimension: usize,
    normalised: bool,
}

/// A passage but for its vector.
#[derive(Deserialize)]
struct Cell {
    #[serde(default)]
    ordinal: Option<u32>,
    start: usize,
    end: usize,
    #[serde(default)]
    text: Option<String>,
}

impl PassageColumn {
    /// Prepares a column.
    ///
    /// # Errors
    /// In words, where it is no list of structs with vectors.
    pub(super) fn new(
        array: &ArrayRef,
        dimension: usize,
        normalised: bool,
    ) -> std::result::Result<Self, String> {
        let wrong = || "column `passages` is no list of structs with `vector`".to_owned();
        let (DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)) = array.data_type()
        else {
            return Err(wrong());
        };
        let list = cast_to(array, &as_list(item))?;
        let structs = list.as_list::<i64>().values().clone();
        let structs = structs.as_struct_opt().ok_or_else(wrong)?;
        let vectors = structs.column_by_name(VECTOR).ok_or_else(wrong)?;
        let number = Arc::new(Field::new("item", DataType::Float32, true));
        let vectors = cast_to(vectors, &DataType::LargeList(number))?;
        let numbers = vectors.as_list::<i64>().values().clone();
        let (fields, children): (Vec<_>, Vec<_>) = structs
            .fields()
            .iter()
            .cloned()
            .zip(structs.columns().iter().cloned())
            .filter(|(field, _)| field.name() != VECTOR)
            .unzip();
        let bare = StructArray::try_new(fields.into(), children, structs.nulls().cloned())
            .map_err(|error| error.to_string())?;
        Ok(Self {
            cells: Values::new("passages", &(Arc::new(bare) as ArrayRef))?,
            list,
            vectors,
            numbers,
            dimension,
            normalised,
        })
    }

    /// The passages of a row; none where the list is empty or null.
    ///
    /// # Errors
    /// In words, where an offset does not fit the article's text, or a vector
    /// is none of the model's.
    pub(super) fn at(
        &self,
        row: usize,
        article: &Article,
    ) -> std::result::Result<Option<GivenPassages>, String> {
        let offsets = self.list.as_list::<i64>().value_offsets();
        let rows = offsets[row] as usize..offsets[row + 1] as usize;
        if self.list.is_null(row) || rows.is_empty() {
            return Ok(None);
        }
        let running = article.running_text().text;
        let mut given = GivenPassages::default();
        // Where characters begin, and behind the last of them.
        let places: Vec<usize> = running
            .char_indices()
            .map(|(at, _)| at)
            .chain([running.len()])
            .collect();
        for (ordinal, item) in rows.enumerate() {
            let fault = |what: String| format!("passage {ordinal}: {what}");
            let cell: Cell = serde_json::from_value(self.cells.at(item))
                .map_err(|error| fault(error.to_string()))?;
            let range = range_of(&cell, ordinal, &running, &places).map_err(fault)?;
            self.take_vector(item, &mut given.vectors).map_err(fault)?;
            given.passages.push(Passage {
                ordinal: ordinal as u32,
                range: range.start as u32..range.end as u32,
                text: String::new(),
            });
        }
        check_cover(&given.passages, &running)?;
        Ok(Some(given))
    }

    fn take_vector(&self, item: usize, out: &mut Vec<f32>) -> std::result::Result<(), String> {
        let offsets = self.vectors.as_list::<i64>().value_offsets();
        let (start, end) = (offsets[item] as usize, offsets[item + 1] as usize);
        if self.vectors.is_null(item) {
            return Err("it has no vector".to_owned());
        }
        if end - start != self.dimension {
            return Err(format!(
                "its vector has {} numbers, the model's have {}",
                end - start,
                self.dimension
            ));
        }
        let numbers = self.numbers.as_primitive::<Float32Type>();
        let values = &numbers.values()[start..end];
        let has_nulls = (start..end).any(|place| numbers.is_null(place));
        if has_nulls || values.iter().any(|value| !value.is_finite()) {
            return Err("its vector holds what is no finite number".to_owned());
        }
        let at = out.len();
        out.extend_from_slice(values);
        let vector = &mut out[at..];
        if !self.normalised {
            // In double precision, where no square is too large or too small.
            let squares: f64 = vector.iter().map(|value| f64::from(*value).powi(2)).sum();
            let length = squares.sqrt();
            if length == 0.0 {
                return Err("its vector is zero".to_owned());
            }
            vector
                .iter_mut()
                .for_each(|value| *value = (f64::from(*value) / length) as f32);
        }
        if is_unit(vector) {
            Ok(())
        } else {
            Err(format!(
                "its vector has not the length 1, though `{}` says so",
                super::schema::NORMALISED
            ))
        }
    }
}

fn cast_to(array: &ArrayRef, to: &DataType) -> std::result::Result<ArrayRef, String> {
    let strict = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    cast_with_options(array, to, &strict).map_err(|error| format!("column `passages`: {error}"))
}

/// Bytes of a passage that is given in characters.
fn range_of(
    cell: &Cell,
    ordinal: usize,
    running: &str,
    places: &[usize],
) -> std::result::Result<Range<usize>, String> {
    if cell.ordinal.is_some_and(|given| given as usize != ordinal) {
        return Err("its ordinal is not its place in the list, counted from 0".to_owned());
    }
    let (Some(&start), Some(&end)) = (places.get(cell.start), places.get(cell.end)) else {
        return Err(format!(
            "characters {} to {} lie beyond the text, which has {}",
            cell.start,
            cell.end,
            places.len() - 1
        ));
    };
    if start > end {
        return Err(format!(
            "it ends at {} and begins at {}",
            cell.end, cell.start
        ));
    }
    match &cell.text {
        Some(text) if *text != running[start..end] => Err(format!(
            "its text is not that of characters {} to {} of the article's text",
            cell.start, cell.end
        )),
        _ => Ok(start..end),
    }
}

/// Passages are in order and hold the whole text: what is in none of them
/// could not be found.
fn check_cover(passages: &[Passage], running: &str) -> std::result::Result<(), String> {
    let mut covered = 0;
    let mut before = 0;
    for passage in passages {
        let start = passage.range.start as usize;
        if start < before {
            return Err("its passages are not in the order of the text".to_owned());
        }
        before = start;
        if start > covered && !running[covered..start].trim().is_empty() {
            return Err(uncovered(covered, start, running));
        }
        covered = covered.max(passage.range.end as usize);
    }
    if running[covered..].trim().is_empty() {
        Ok(())
    } else {
        Err(uncovered(covered, running.len(), running))
    }
}

fn uncovered(start: usize, end: usize, running: &str) -> String {
    let characters = |place: usize| running[..place].chars().count();
    format!(
        "characters {} to {} of its text are in no passage; --reencode makes its passages anew",
        characters(start),
        characters(end)
    )
}
