use serde::{Deserialize, Serialize};

/// How much of an article the format that it was read from can say.
///
/// The order is that of what they hold: a record of a format that holds less
/// does not take the place of an article that was read from one that holds
/// more, since whatever the format has no place for would be lost.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Completeness {
    /// What a list of references needs, title, abstract and subjects: RIS,
    /// BibTeX, CSL-JSON, documents of BEIR.
    Citation,
    /// MEDLINE tagged text: no identifiers of MeSH terms, no markup, no
    /// labels of sections, no references.
    Tagged,
    /// Everything: PubMed XML, JATS, and medsift's own files.
    #[default]
    Full,
}

impl Completeness {
    /// Whether nothing is missing. What is stored without a word is full.
    pub fn is_full(&self) -> bool {
        *self == Self::Full
    }
}

/// Where a record comes from, as far as that decides what it does.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// What its format can say.
    pub completeness: Completeness,
    /// Whether the record takes the place of an article that says more.
    pub replace: bool,
}

impl<'a> Origin<'a> {
    /// A file of a format that can say everything.
    pub fn full(file: &'a str) -> Self {
        Self {
            file,
            completeness: Completeness::Full,
            replace: false,
        }
    }
}
