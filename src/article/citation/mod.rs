//! An article as a citation, in the formats that reference managers read.
//!
//! Pure functions of an [`Article`]. What a format has no place for is left
//! out; [`pubmed_xml`] has a place for nearly everything, [`nbib`] for most.

mod beir;
mod bibtex;
mod csl;
mod csv;
mod nbib;
mod parts;
mod plain;
mod printed;
mod pubmed_xml;
mod ris;
#[cfg(test)]
mod tests;

pub use beir::beir;
pub use bibtex::bibtex;
pub use csl::{csl, csl_item};
pub use csv::{csv_head, csv_row};
pub use nbib::nbib;
pub use parts::page_range;
pub use plain::{plain, source};
pub use printed::printed;
pub use pubmed_xml::{pubmed_xml, pubmed_xml_head, pubmed_xml_tail};
pub use ris::ris;

use super::{Article, ArticleId};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A format of citations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CitationFormat {
    /// MEDLINE tagged text, as PubMed exports it and `medsift index` reads it.
    Nbib,
    /// RIS, by Research Information Systems.
    Ris,
    /// BibTeX.
    Bibtex,
    /// CSL-JSON.
    Csl,
    /// PubMed XML, as NLM distributes it and `medsift index` reads it.
    Xml,
}

impl CitationFormat {
    /// All of them, in the order in which help texts name them.
    pub const ALL: [Self; 5] = [Self::Nbib, Self::Ris, Self::Bibtex, Self::Csl, Self::Xml];

    /// The name in requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nbib => "nbib",
            Self::Ris => "ris",
            Self::Bibtex => "bibtex",
            Self::Csl => "csl",
            Self::Xml => "xml",
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Nbib => "application/nbib; charset=utf-8",
            Self::Ris => "application/x-research-info-systems; charset=utf-8",
            Self::Bibtex => "application/x-bibtex; charset=utf-8",
            Self::Csl => "application/vnd.citationstyles.csl+json",
            Self::Xml => "application/xml",
        }
    }

    /// Name of a file that holds one article.
    pub fn file_name(self, id: &ArticleId) -> String {
        let ending = match self {
            Self::Nbib => "nbib",
            Self::Ris => "ris",
            Self::Bibtex => "bib",
            Self::Csl => "json",
            Self::Xml => "xml",
        };
        file_name(id, ending)
    }

    /// An article in this format.
    pub fn write(self, article: &Article) -> String {
        match self {
            Self::Nbib => nbib(article),
            Self::Ris => ris(article),
            Self::Bibtex => bibtex(article),
            Self::Csl => csl(std::slice::from_ref(article)),
            Self::Xml => [pubmed_xml_head(), pubmed_xml(article), pubmed_xml_tail()].concat(),
        }
    }
}

/// Name of a file for one article: its id, with `_` for what names of files may
/// not have everywhere.
pub fn file_name(id: &ArticleId, ending: &str) -> String {
    let name = id.as_str().chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => c,
        _ => '_',
    });
    format!("{}.{ending}", name.collect::<String>())
}

impl FromStr for CitationFormat {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == text)
            .ok_or_else(|| {
                Error::invalid(
                    "format",
                    format!("unknown format {text:?}: use nbib, ris, bibtex, csl or xml"),
                )
            })
    }
}
