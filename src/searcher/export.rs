//! Articles one behind the other, as a file.

use crate::article::Article;
use crate::article::citation::{
    csv_head, csv_row, nbib, pubmed_xml, pubmed_xml_head, pubmed_xml_tail, ris,
};
use crate::error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A format of whole lists: each article is written by itself, so that a list
/// of any length can be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// A JSON object a line, with everything of the article.
    #[default]
    Jsonl,
    /// A table (RFC 4180).
    Csv,
    /// MEDLINE tagged text.
    Nbib,
    /// RIS.
    Ris,
    /// PubMed XML.
    Xml,
}

impl ExportFormat {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 5] = [Self::Jsonl, Self::Csv, Self::Nbib, Self::Ris, Self::Xml];

    /// The name in requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Nbib => "nbib",
            Self::Ris => "ris",
            Self::Xml => "xml",
        }
    }

    /// How names of such files end.
    pub fn ending(self) -> &'static str {
        self.as_str()
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jsonl => "application/jsonl",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Nbib => "application/nbib; charset=utf-8",
            Self::Ris => "application/x-research-info-systems; charset=utf-8",
            Self::Xml => "application/xml",
        }
    }

    /// What stands before the first article.
    pub fn head(self) -> String {
        match self {
            Self::Csv => csv_head(),
            Self::Xml => pubmed_xml_head(),
            Self::Jsonl | Self::Nbib | Self::Ris => String::new(),
        }
    }

    /// What stands behind the last article.
    pub fn tail(self) -> String {
        match self {
            Self::Xml => pubmed_xml_tail(),
            Self::Jsonl | Self::Csv | Self::Nbib | Self::Ris => String::new(),
        }
    }

    /// Writes an article behind those before it.
    pub fn write(self, article: &Article, out: &mut String) -> Result<()> {
        match self {
            Self::Jsonl => {
                let text = serde_json::to_string(article).map_err(|error| {
                    let message = format!("cannot write article {}: {error}", article.id);
                    Error::new(ErrorKind::Internal, message)
                })?;
                out.push_str(&text);
                out.push('\n');
            }
            Self::Csv => out.push_str(&csv_row(article)),
            Self::Nbib => out.push_str(&nbib(article)),
            Self::Ris => out.push_str(&ris(article)),
            Self::Xml => out.push_str(&pubmed_xml(article)),
        }
        Ok(())
    }
}

impl FromStr for ExportFormat {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == text)
            .ok_or_else(|| {
                Error::invalid(
                    "format",
                    format!("unknown format {text:?}: use jsonl, csv, nbib, ris or xml"),
                )
            })
    }
}
