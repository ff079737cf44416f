//! The columns. They are the one place that says what is written; the reader
//! takes columns by name, in any order.

use super::internal;
use super::model::VectorModel;
use crate::Result;
use arrow::datatypes::{DataType, Field, Fields, Metadata, Schema};
use std::sync::Arc;

/// Version of the columns.
pub(super) const VERSION: &str = "1";

/// Entries of the schema's metadata.
pub(super) const FORMAT: &str = "medsift.columns";
pub(super) const MODEL: &str = "medsift.model";
pub(super) const DIMENSION: &str = "medsift.dimension";
pub(super) const POOLING: &str = "medsift.pooling";
pub(super) const NORMALISED: &str = "medsift.normalised";
pub(super) const PASSAGES: &str = "medsift.passages";

/// All of them, for the test that compares them with the documentation.
#[cfg(test)]
pub(super) const KEYS: [&str; 6] = [FORMAT, MODEL, DIMENSION, POOLING, NORMALISED, PASSAGES];

/// The column with everything that the others cannot say.
pub(super) const MORE: &str = "more";
/// The column of passages, and its vectors.
pub(super) const PASSAGE_COLUMN: &str = "passages";
pub(super) const VECTOR: &str = "vector";

/// The schema of a file of articles; with the vectors of their passages where
/// a model is given.
///
/// # Errors
/// `Internal` where the model cannot be written.
pub(super) fn schema(model: Option<&VectorModel>) -> Result<Schema> {
    let mut fields = article_fields();
    let mut metadata = Metadata::from([(FORMAT, VERSION)]);
    if let Some(model) = model {
        fields.push(passages(model.model.dimension)?);
        let entries = model.entries().map_err(internal)?;
        metadata.extend(entries);
    }
    Ok(Schema::new_with_metadata(fields, metadata))
}

/// The columns of an article.
pub(super) fn article_fields() -> Vec<Field> {
    let section = || list(&[text("label"), text("category"), text("text")]);
    let term = [text("name"), text("ui")];
    let qualifier = Field::new(
        "qualifiers",
        list(&[text("name"), text("ui"), flag("major")]),
        true,
    );
    let author = [
        text("last"),
        text("fore"),
        text("initials"),
        text("suffix"),
        text("collective"),
        text("orcid"),
        Field::new("affiliations", texts(), true),
    ];
    vec![
        Field::new("id", DataType::Utf8, false),
        Field::new("version", DataType::UInt32, true),
        text("kind"),
        text("title"),
        text("vernacular_title"),
        Field::new("abstract", section(), true),
        Field::new("body", section(), true),
        Field::new("authors", list(&author), true),
        text("journal"),
        text("journal_abbreviation"),
        text("issn"),
        text("volume"),
        text("issue"),
        text("pages"),
        text("published"),
        Field::new("year", DataType::Int32, true),
        Field::new("month", DataType::UInt8, true),
        Field::new("day", DataType::UInt8, true),
        Field::new("languages", texts(), true),
        Field::new("publication_types", list(&term), true),
        Field::new(
            "mesh",
            list(&[text("name"), text("ui"), flag("major"), qualifier]),
            true,
        ),
        Field::new(
            "chemicals",
            list(&[text("name"), text("ui"), text("registry_number")]),
            true,
        ),
        Field::new(
            "keywords",
            list(&[text("owner"), text("text"), flag("major")]),
            true,
        ),
        text("doi"),
        text("pmc"),
        flag("retracted"),
        text(MORE),
    ]
}

/// Passages: offsets in characters of the running text, and the vector.
fn passages(dimension: usize) -> Result<Field> {
    let width = i32::try_from(dimension).map_err(internal)?;
    let number = Arc::new(Field::new("item", DataType::Float32, false));
    let vector = DataType::FixedSizeList(number, width);
    let passage = Fields::from(vec![
        Field::new("ordinal", DataType::UInt32, false),
        Field::new("start", DataType::UInt32, false),
        Field::new("end", DataType::UInt32, false),
        Field::new("text", DataType::Utf8, false),
        Field::new(VECTOR, vector, false),
    ]);
    let item = Field::new("item", DataType::Struct(passage), false);
    let passages = DataType::List(Arc::new(item));
    Ok(Field::new(PASSAGE_COLUMN, passages, false))
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}

fn flag(name: &str) -> Field {
    Field::new(name, DataType::Boolean, true)
}

fn texts() -> DataType {
    DataType::List(Arc::new(text("item")))
}

fn list(fields: &[Field]) -> DataType {
    let item = DataType::Struct(Fields::from(fields.to_vec()));
    DataType::List(Arc::new(Field::new("item", item, true)))
}
