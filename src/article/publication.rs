use super::{PubDate, RichText};
use serde::{Deserialize, Serialize};

/// Journal and issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// Full title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// ISO abbreviation (`J Biol Chem.`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iso_abbreviation: Option<String>,
    /// NLM title abbreviation (`MedlineTA`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub medline_abbreviation: Option<String>,
    /// NLM's catalogue number of the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nlm_id: Option<String>,
    /// ISSN of the edition that was indexed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issn: Option<String>,
    /// `Print` or `Electronic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issn_type: Option<String>,
    /// Linking ISSN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issn_linking: Option<String>,
    /// Volume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<String>,
    /// Issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// `Print` or `Internet`: the medium that was cited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited_medium: Option<String>,
    /// Country of publication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

impl Journal {
    /// `J Biol Chem`: the abbreviation that PubMed prints, else the ISO one,
    /// else the full title.
    pub fn short_title(&self) -> &str {
        self.medline_abbreviation
            .as_deref()
            .or(self.iso_abbreviation.as_deref())
            .filter(|name| !name.is_empty())
            .unwrap_or(&self.title)
    }
}

/// A book, for books and chapters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// Title of the book.
    pub title: RichText,
    /// Publisher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// Place of publication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Volume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<String>,
    /// Title of the volume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_title: Option<String>,
    /// Edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection_title: Option<String>,
    /// ISBNs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub isbn: Vec<String>,
    /// Medium, such as `Internet`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub medium: Option<String>,
    /// Report number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_number: Option<String>,
    /// When work on the book began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<PubDate>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<PubDate>,
    /// Where in the book the chapter stands (`chapter 3`, …).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub location: Vec<String>,
    /// Titles of the chapter's own sections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub section_titles: Vec<String>,
}

/// Page range as written, and its ends where the source names them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// `MedlinePgn`, such as `123-9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub medline: Option<String>,
    /// First page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}
