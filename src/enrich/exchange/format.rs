//! The formats by name.

use super::bioc::{BiocDocument, Collection};
use super::document::Document;
use super::pubtator;
use crate::error::{Error, Result};
use std::str::FromStr;

/// A format for annotated texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExchangeFormat {
    /// PubTator's lines.
    Pubtator,
    /// A BioC collection as JSON.
    Bioc,
}

/// By what the annotations were made; BioC has a place for it.
#[derive(Debug, Clone, Copy)]
pub struct Provenance<'a> {
    /// The encoder, as its fingerprint has it.
    pub model: &'a str,
    /// The head over it.
    pub head: &'a str,
}

impl ExchangeFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Pubtator, Self::Bioc];

    /// The name in requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pubtator => "pubtator",
            Self::Bioc => "bioc",
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Pubtator => "text/plain; charset=utf-8",
            Self::Bioc => "application/json",
        }
    }

    /// How names of such files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Pubtator => "pubtator",
            Self::Bioc => "bioc.json",
        }
    }

    /// Documents in this format.
    ///
    /// # Errors
    /// As [`pubtator::write`], and `Internal` where JSON cannot be written.
    pub fn write(self, documents: &[Document], by: Provenance<'_>) -> Result<String> {
        match self {
            Self::Pubtator => pubtator::write(documents),
            Self::Bioc => {
                let infons = [("model", by.model), ("head", by.head)];
                let infons = infons.map(|(name, value)| (name.to_owned(), value.into()));
                let collection = Collection {
                    source: "medsift".to_owned(),
                    infons: infons.into(),
                    documents: documents.iter().map(BiocDocument::of).collect(),
                    ..Collection::default()
                };
                collection.write_json()
            }
        }
    }
}

impl FromStr for ExchangeFormat {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|one| one.as_str() == text);
        found.ok_or_else(|| {
            let what = format!("unknown format {text:?}: use pubtator or bioc");
            Error::invalid("format", what)
        })
    }
}

/// Reads documents in either form: BioC JSON begins with a bracket.
///
/// # Errors
/// As [`pubtator::read`] and [`Collection::read_json`].
pub fn read(text: &str) -> Result<Vec<Document>> {
    match text.trim_start().chars().next() {
        Some('{' | '[') => Ok(Collection::read_json(text)?.to_documents()),
        _ => pubtator::read(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_told_apart_by_their_content() {
        let text = "1|t|Statins\n1\t0\t7\tStatins\tChemical\tMESH:D019161\n\n";
        let documents = read(text).unwrap();
        let by = Provenance {
            model: "m",
            head: "h",
        };
        for format in ExchangeFormat::ALL {
            assert_eq!(format.as_str().parse::<ExchangeFormat>().unwrap(), format);
            let written = format.write(&documents, by).unwrap();
            assert_eq!(read(&written).unwrap(), documents);
        }
        assert!("xml".parse::<ExchangeFormat>().is_err());
    }
}
