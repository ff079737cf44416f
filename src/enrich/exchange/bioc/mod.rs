//! BioC collections as JSON (Comeau et al. 2013): what NCBI's BioC and PubTator
//! services answer with, and corpora come in.
//!
//! [`Collection`] holds all that a file has, fields without a name here too, so
//! that a file that is read and written again says the same. The XML form of
//! BioC, which has the same parts, is read by the crate that reads XML.
//!
//! Offsets of passages, sentences and annotations are of the whole document.

mod convert;
mod nulls;
#[cfg(test)]
mod tests;

use super::document::Document;
use crate::error::{Error, ErrorKind, Result};
use nulls::{or_default, text};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Names and values that a part carries; texts, but for what some services add.
pub type Infons = BTreeMap<String, Value>;

/// Documents, and where they are from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Collection {
    /// Who made it.
    #[serde(deserialize_with = "or_default")]
    pub source: String,
    /// When.
    #[serde(deserialize_with = "or_default")]
    pub date: String,
    /// Name of a file that explains the infons.
    #[serde(deserialize_with = "or_default")]
    pub key: String,
    /// What else is known.
    #[serde(deserialize_with = "or_default")]
    pub infons: Infons,
    /// The documents.
    #[serde(deserialize_with = "or_default")]
    pub documents: Vec<BiocDocument>,
    /// Fields without a name here.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// One document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BiocDocument {
    /// PMID, or another name.
    #[serde(deserialize_with = "text")]
    pub id: String,
    /// What else is known.
    #[serde(deserialize_with = "or_default")]
    pub infons: Infons,
    /// Its text in parts.
    #[serde(deserialize_with = "or_default")]
    pub passages: Vec<Passage>,
    /// Annotations of the whole.
    #[serde(deserialize_with = "or_default")]
    pub annotations: Vec<Annotation>,
    /// Relations within the document.
    #[serde(deserialize_with = "or_default")]
    pub relations: Vec<BiocRelation>,
    /// Fields without a name here.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// A part of a document, such as its title.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Passage {
    /// Characters of the document before it.
    pub offset: usize,
    /// What else is known: `type` says which part it is.
    #[serde(deserialize_with = "or_default")]
    pub infons: Infons,
    /// Its text; nothing where its sentences have it, or the file has no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its sentences, where the file has them.
    #[serde(deserialize_with = "or_default")]
    pub sentences: Vec<Sentence>,
    /// Annotations in it.
    #[serde(deserialize_with = "or_default")]
    pub annotations: Vec<Annotation>,
    /// Relations within it.
    #[serde(deserialize_with = "or_default")]
    pub relations: Vec<BiocRelation>,
    /// Fields without a name here.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// A sentence of a passage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sentence {
    /// Characters of the document before it.
    pub offset: usize,
    /// What else is known.
    #[serde(deserialize_with = "or_default")]
    pub infons: Infons,
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Annotations in it.
    #[serde(deserialize_with = "or_default")]
    pub annotations: Vec<Annotation>,
    /// Relations within it.
    #[serde(deserialize_with = "or_default")]
    pub relations: Vec<BiocRelation>,
    /// Fields without a name here.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// A stretch of text with what is said of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Annotation {
    /// Its name within the document.
    #[serde(deserialize_with = "text")]
    pub id: String,
    /// What is said: `type`, `identifier`, …
    #[serde(deserialize_with = "or_default")]
    pub infons: Infons,
    /// Its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where it stands: several places where it is in pieces.
    #[serde(deserialize_with = "or_default")]
    pub locations: Vec<Location>,
    /// Fields without a name here.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// A stretch of text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Characters of the document before it.
    pub offset: usize,
    /// Its characters.
    pub length: usize,
}

/// What annotations have to do with each other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BiocRelation {
    /// Its name within the document.
    #[serde(deserialize_with = "text")]
    pub id: String,
    /// What is said: `type`, `entity1`, …
    #[serde(deserialize_with = "or_default")]
    pub infons: Infons,
    /// The annotations.
    #[serde(deserialize_with = "or_default")]
    pub nodes: Vec<Node>,
    /// Fields without a name here.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// An annotation in a relation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Node {
    /// The annotation's name.
    #[serde(deserialize_with = "text")]
    pub refid: String,
    /// What it is to the relation.
    #[serde(deserialize_with = "text")]
    pub role: String,
}

impl Collection {
    /// Reads BioC JSON: a collection, a list of them, or documents as NCBI's
    /// PubTator service sends them (an object with one list). What stands in
    /// several collections becomes one, with the first's names.
    ///
    /// # Errors
    /// `InvalidInput` with the place, when it is something else.
    pub fn read_json(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text).map_err(fault)?;
        match value {
            Value::Array(all) => Self::joined(all),
            Value::Object(object) if object.contains_key("documents") => {
                serde_json::from_value(Value::Object(object)).map_err(fault)
            }
            Value::Object(object) => Self::of_service(object),
            _ => Err(fault("neither an object nor a list")),
        }
    }

    fn joined(all: Vec<Value>) -> Result<Self> {
        let mut whole: Option<Self> = None;
        for one in all {
            let one: Self = match one {
                Value::Object(object) if object.contains_key("documents") => {
                    serde_json::from_value(Value::Object(object)).map_err(fault)?
                }
                _ => return Err(fault("a list of something other than collections")),
            };
            match &mut whole {
                Some(whole) => whole.documents.extend(one.documents),
                None => whole = Some(one),
            }
        }
        whole.ok_or_else(|| fault("an empty list"))
    }

    /// `{"PubTator3": [document, …]}`, or one document.
    fn of_service(object: Map<String, Value>) -> Result<Self> {
        if object.contains_key("passages") {
            let document = serde_json::from_value(Value::Object(object)).map_err(fault)?;
            return Ok(Self {
                documents: vec![document],
                ..Self::default()
            });
        }
        let mut fields = object.into_iter();
        let (Some((name, Value::Array(documents))), None) = (fields.next(), fields.next()) else {
            return Err(fault("no documents and no passages in it"));
        };
        let documents = documents.into_iter().map(serde_json::from_value);
        Ok(Self {
            source: name,
            documents: documents
                .collect::<std::result::Result<_, _>>()
                .map_err(fault)?,
            ..Self::default()
        })
    }

    /// The collection as JSON, with a line end.
    ///
    /// # Errors
    /// `Internal` where it cannot be written.
    pub fn write_json(&self) -> Result<String> {
        let text = serde_json::to_string(self).map_err(|error| {
            let what = format!("cannot write BioC: {error}");
            Error::new(ErrorKind::Internal, what)
        })?;
        Ok(text + "\n")
    }

    /// The documents with mentions and relations.
    pub fn to_documents(&self) -> Vec<Document> {
        self.documents
            .iter()
            .map(BiocDocument::to_document)
            .collect()
    }
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("no BioC JSON: {what}"))
}
