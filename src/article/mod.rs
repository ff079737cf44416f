//! The bibliographic record: everything that a citation holds.
//!
//! Field names follow the PubMed DTD (<https://dtd.nlm.nih.gov/ncbi/pubmed/>)
//! in spirit, and the reader of every other format fills the same structure.
//! Optional parts are empty vectors or `None`, and are left out when an
//! article is stored as JSON.

pub mod citation;
mod date;
mod id;
mod links;
mod person;
mod publication;
mod running_text;
mod subject;
mod text;

pub use date::{DateError, HistoryDate, PubDate};
pub use id::{ArticleId, ArticleIdError};
pub use links::{CorrectionKind, Databank, Grant, Link, OtherId, Reference};
pub use person::{Affiliation, Author, Identifier, NamedPerson, PersonName};
pub use publication::{Book, Journal, Pages};
pub use running_text::RunningText;
pub use subject::{Chemical, Keyword, KeywordList, MeshHeading, MeshTerm, SupplementaryConcept};
pub use text::{Markup, MarkupSpan, RichText};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One article, chapter or book as its source describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Article {
    /// The key: the PMID for PubMed records, `_id` for JSONL.
    pub id: ArticleId,
    /// PubMed's version of the record, from 1.
    #[serde(default = "first_version", skip_serializing_if = "is_first_version")]
    pub version: u32,
    /// Journal article, book or book chapter.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: ArticleKind,
    /// `MEDLINE`, `PubMed-not-MEDLINE`, `Publisher`, `In-Process`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Who supplied the record: `NLM`, `NASA`, `PIP`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// How the MeSH headings were assigned: `Manual`, `Curated`, `Automated`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indexing_method: Option<String>,
    /// English title, as printed, in brackets when translated.
    #[serde(default, skip_serializing_if = "RichText::is_empty")]
    pub title: RichText,
    /// Title in the article's own language.
    #[serde(default, skip_serializing_if = "RichText::is_empty")]
    pub vernacular_title: RichText,
    /// The abstract's sections in reading order; one without label when the
    /// abstract is not structured.
    #[serde(rename = "abstract", default, skip_serializing_if = "Vec::is_empty")]
    pub abstract_sections: Vec<Section>,
    /// Copyright line of the abstract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copyright: Option<String>,
    /// Abstracts of another kind or in another language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_abstracts: Vec<OtherAbstract>,
    /// Full-text sections, where the source carries them (JATS).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub body: Vec<Section>,
    /// Authors and collective authors in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<Author>,
    /// `false` when the source says that more authors exist than it lists.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub authors_complete: bool,
    /// Book editors and other people who are not authors of the record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub editors: Vec<Author>,
    /// Investigators of the study, who are not authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub investigators: Vec<NamedPerson>,
    /// People whom the article is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub personal_name_subjects: Vec<NamedPerson>,
    /// Journal and issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<Journal>,
    /// Book, for books and chapters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Book>,
    /// Page range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<Pages>,
    /// Date of the issue or book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<PubDate>,
    /// Every other date with its own name: `electronic`, `received`,
    /// `revised` (the manuscript), `accepted`, `pubmed`, `medline`, `entrez`,
    /// and for the record itself `created`, `completed`, `last-revised`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<HistoryDate>,
    /// `ppublish`, `epublish`, `aheadofprint`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publication_status: Option<String>,
    /// How the article was published: `Print`, `Electronic`, `Print-Electronic`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publication_model: Option<String>,
    /// ISO 639-2 codes: `eng`, `ger`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// Publication types with their MeSH identifiers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub publication_types: Vec<MeshTerm>,
    /// MeSH headings with qualifiers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mesh: Vec<MeshHeading>,
    /// MeSH supplementary concepts: diseases, protocols, organisms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supplementary_concepts: Vec<SupplementaryConcept>,
    /// Substances with their registry numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chemicals: Vec<Chemical>,
    /// Keyword lists, by owner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<KeywordList>,
    /// Gene symbols of old MEDLINE records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gene_symbols: Vec<String>,
    /// Databanks with accession numbers, among them trial registrations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub databanks: Vec<Databank>,
    /// `false` when the source says that more databanks exist than it lists.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub databanks_complete: bool,
    /// Grants.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<Grant>,
    /// `false` when the source says that more grants exist than it lists.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub grants_complete: bool,
    /// Number of references as the old DTD reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_count: Option<String>,
    /// Cited works.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// Comments, corrections, retractions and the like.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// DOI, PMC id, publisher's item id and every other identifier.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_ids: Vec<OtherId>,
    /// Subsets of MEDLINE that cite the article (`AIM`, `IM`, …).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citation_subsets: Vec<String>,
    /// Space flight missions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub space_flight_missions: Vec<String>,
    /// General notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Statement on conflicts of interest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict_of_interest: Option<String>,
    /// Fields of the source that have no place above (JSONL `metadata`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, serde_json::Value>,
}

/// What sort of publication a record describes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArticleKind {
    /// An article in a journal.
    #[default]
    Journal,
    /// A book or a chapter of one.
    Book,
    /// A document of another sort, such as a JSONL record.
    Document,
}

/// A part of an abstract or of a full text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Heading as printed: `BACKGROUND`, `MATERIALS AND METHODS`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// NLM's category of the heading: `BACKGROUND`, `OBJECTIVE`, `METHODS`,
    /// `RESULTS`, `CONCLUSIONS` or `UNASSIGNED`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The text.
    pub text: RichText,
}

/// A note on a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Who wrote it: `KIE`, `NASA`, `PIP`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The text.
    pub text: String,
}

/// An abstract beside the main one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherAbstract {
    /// `Publisher`, `plain-language-summary`, `AIDS`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// ISO 639-2 code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The sections.
    pub sections: Vec<Section>,
    /// Copyright line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copyright: Option<String>,
}

impl Article {
    /// An article that holds nothing but its id.
    pub fn new(id: ArticleId) -> Self {
        Self {
            id,
            version: 1,
            kind: ArticleKind::default(),
            status: None,
            owner: None,
            indexing_method: None,
            title: RichText::default(),
            vernacular_title: RichText::default(),
            abstract_sections: Vec::new(),
            copyright: None,
            other_abstracts: Vec::new(),
            body: Vec::new(),
            authors: Vec::new(),
            authors_complete: true,
            editors: Vec::new(),
            investigators: Vec::new(),
            personal_name_subjects: Vec::new(),
            journal: None,
            book: None,
            pages: None,
            published: None,
            history: Vec::new(),
            publication_status: None,
            publication_model: None,
            languages: Vec::new(),
            publication_types: Vec::new(),
            mesh: Vec::new(),
            supplementary_concepts: Vec::new(),
            chemicals: Vec::new(),
            keywords: Vec::new(),
            gene_symbols: Vec::new(),
            databanks: Vec::new(),
            databanks_complete: true,
            grants: Vec::new(),
            grants_complete: true,
            reference_count: None,
            references: Vec::new(),
            links: Vec::new(),
            other_ids: Vec::new(),
            citation_subsets: Vec::new(),
            space_flight_missions: Vec::new(),
            notes: Vec::new(),
            conflict_of_interest: None,
            metadata: BTreeMap::new(),
        }
    }

    /// The title to show: the English one, else the vernacular one, else the
    /// book's.
    pub fn display_title(&self) -> &RichText {
        if !self.title.is_empty() {
            return &self.title;
        }
        if !self.vernacular_title.is_empty() {
            return &self.vernacular_title;
        }
        match &self.book {
            Some(book) => &book.title,
            None => &self.title,
        }
    }

    /// The abstract to search and to show, and where it stands: the main one,
    /// else the first other abstract.
    pub fn display_abstract(&self) -> (&[Section], AbstractOrigin) {
        if !self.abstract_sections.is_empty() {
            return (&self.abstract_sections, AbstractOrigin::Main);
        }
        match self.other_abstracts.first() {
            Some(other) => (
                &other.sections,
                AbstractOrigin::Other {
                    kind: other.kind.clone(),
                    language: other.language.clone(),
                },
            ),
            None => (&[], AbstractOrigin::None),
        }
    }

    /// Year of publication, where a date names one.
    pub fn year(&self) -> Option<i32> {
        self.published
            .as_ref()
            .and_then(PubDate::year)
            .or_else(|| self.history.iter().find_map(|event| event.date.year()))
    }

    /// Whether the record itself is marked as retracted.
    pub fn is_retracted(&self) -> bool {
        self.publication_types
            .iter()
            .any(|kind| kind.name.eq_ignore_ascii_case("Retracted Publication"))
            || self
                .links
                .iter()
                .any(|link| link.kind == CorrectionKind::RetractionIn)
    }

    /// PMIDs of what the article cites, as they are written, in order; one may
    /// come twice.
    pub fn cites(&self) -> impl Iterator<Item = &str> {
        let ids = self.references.iter().flat_map(|reference| &reference.ids);
        let listed = ids
            .filter(|id| id.kind == "pubmed" && id.valid)
            .map(|id| id.value.as_str());
        let links = self.links.iter();
        let linked = links
            .filter(|link| link.kind == CorrectionKind::Cites)
            .filter_map(|link| link.pmid.as_deref());
        listed.chain(linked)
    }

    /// The value of an identifier such as `doi`, `pmc` or `pii`.
    pub fn other_id(&self, kind: &str) -> Option<&str> {
        self.other_ids
            .iter()
            .find(|id| id.kind.eq_ignore_ascii_case(kind))
            .map(|id| id.value.as_str())
    }
}

/// Where the abstract that is searched and shown was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "from")]
pub enum AbstractOrigin {
    /// The record's own abstract.
    Main,
    /// An `OtherAbstract`, since the record has no main one.
    Other {
        /// Its type.
        kind: Option<String>,
        /// Its language.
        language: Option<String>,
    },
    /// The record has no abstract.
    None,
}

fn first_version() -> u32 {
    1
}

fn is_first_version(version: &u32) -> bool {
    *version == 1
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
