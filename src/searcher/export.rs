//! Articles one behind the other, as a file: texts, and the names of all
//! formats.

use crate::article::Article;
use crate::article::citation::{
    beir, bibtex, csl_item, csv_head, csv_row, nbib, pubmed_xml, pubmed_xml_head, pubmed_xml_tail,
    ris,
};
use crate::columnar::ColumnFormat;
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
    /// BibTeX.
    Bibtex,
    /// CSL-JSON: an array.
    Csl,
    /// The corpus of a BEIR data set: a JSON object a line.
    Beir,
}

impl ExportFormat {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 8] = [
        Self::Jsonl,
        Self::Csv,
        Self::Nbib,
        Self::Ris,
        Self::Xml,
        Self::Bibtex,
        Self::Csl,
        Self::Beir,
    ];

    /// The name in requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Nbib => "nbib",
            Self::Ris => "ris",
            Self::Xml => "xml",
            Self::Bibtex => "bibtex",
            Self::Csl => "csl",
            Self::Beir => "beir",
        }
    }

    /// How names of such files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Bibtex => "bib",
            Self::Csl => "json",
            Self::Beir => "jsonl",
            other => other.as_str(),
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jsonl | Self::Beir => "application/jsonl",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Nbib => "application/nbib; charset=utf-8",
            Self::Ris => "application/x-research-info-systems; charset=utf-8",
            Self::Xml => "application/xml",
            Self::Bibtex => "application/x-bibtex; charset=utf-8",
            Self::Csl => "application/vnd.citationstyles.csl+json",
        }
    }
}

/// A list as a text that is made article by article.
#[derive(Debug, Clone)]
pub struct TextList {
    format: ExportFormat,
    begun: bool,
}

impl TextList {
    /// An empty one.
    pub fn new(format: ExportFormat) -> Self {
        Self {
            format,
            begun: false,
        }
    }

    /// What stands before the first article.
    pub fn head(&self) -> String {
        match self.format {
            ExportFormat::Csv => csv_head(),
            ExportFormat::Csl => "[".to_owned(),
            ExportFormat::Xml => pubmed_xml_head(),
            _ => String::new(),
        }
    }

    /// Writes an article behind those before it.
    ///
    /// # Errors
    /// `Internal` where it cannot be written as JSON.
    pub fn push(&mut self, article: &Article, out: &mut String) -> Result<()> {
        let is_first = !std::mem::replace(&mut self.begun, true);
        match self.format {
            ExportFormat::Jsonl => {
                let text = serde_json::to_string(article).map_err(|error| {
                    let message = format!("cannot write article {}: {error}", article.id);
                    Error::new(ErrorKind::Internal, message)
                })?;
                out.push_str(&text);
                out.push('\n');
            }
            ExportFormat::Csv => out.push_str(&csv_row(article)),
            ExportFormat::Nbib => out.push_str(&nbib(article)),
            ExportFormat::Ris => out.push_str(&ris(article)),
            ExportFormat::Xml => out.push_str(&pubmed_xml(article)),
            ExportFormat::Beir => out.push_str(&beir(article)),
            ExportFormat::Bibtex => {
                out.push_str(if is_first { "" } else { "\n" });
                out.push_str(&bibtex(article));
            }
            ExportFormat::Csl => {
                out.push_str(if is_first { "\n" } else { ",\n" });
                out.push_str(&csl_item(article).to_string());
            }
        }
        Ok(())
    }

    /// What stands behind the last article.
    pub fn tail(&self) -> String {
        match self.format {
            ExportFormat::Csl => "\n]\n".to_owned(),
            ExportFormat::Xml => pubmed_xml_tail(),
            _ => String::new(),
        }
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
                    format!(
                        "unknown format {text:?}: use jsonl, csv, nbib, ris, xml, bibtex, csl or beir"
                    ),
                )
            })
    }
}

/// Any format of whole lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListFormat {
    /// A text, article by article.
    Text(ExportFormat),
    /// Columns, with the vectors of passages or without.
    Columns(ColumnFormat),
}

impl ListFormat {
    /// How names of such files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Text(format) => format.ending(),
            Self::Columns(format) => format.ending(),
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Text(format) => format.media_type(),
            Self::Columns(format) => format.media_type(),
        }
    }
}

impl Default for ListFormat {
    fn default() -> Self {
        Self::Text(ExportFormat::default())
    }
}

impl FromStr for ListFormat {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let columns = ColumnFormat::from_str(text).map(Self::Columns);
        columns.or_else(|_| {
            let text = ExportFormat::from_str(text).map(Self::Text);
            text.map_err(|error| {
                Error::invalid(
                    "format",
                    format!("{error}; or parquet, arrow, arrow-stream"),
                )
            })
        })
    }
}
