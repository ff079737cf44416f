//! Names of the elements that are records and of those that hold records.

use super::RawKind;

/// A root element and the records that stand directly below it.
pub(super) struct Vocabulary {
    /// The root.
    pub(super) set: &'static [u8],
    /// The records.
    pub(super) records: &'static [(&'static [u8], RawKind)],
}

const PUBMED_RECORDS: &[(&[u8], RawKind)] = &[
    (b"PubmedArticle", RawKind::PubmedArticle),
    (b"PubmedBookArticle", RawKind::PubmedBookArticle),
    (b"DeleteCitation", RawKind::Deletion),
    (b"DeleteDocument", RawKind::Deletion),
];

/// The roots of PubMed XML since 2009. A single record may be its own root.
pub(super) const PUBMED: &[Vocabulary] = &[
    Vocabulary {
        set: b"PubmedArticleSet",
        records: PUBMED_RECORDS,
    },
    Vocabulary {
        set: b"PubmedBookArticleSet",
        records: PUBMED_RECORDS,
    },
    Vocabulary {
        set: b"MedlineCitationSet",
        records: &[
            (b"MedlineCitation", RawKind::MedlineCitation),
            (b"DeleteCitation", RawKind::Deletion),
        ],
    },
    Vocabulary {
        set: b"BookDocumentSet",
        records: &[
            (b"BookDocument", RawKind::BookDocument),
            (b"DeleteDocument", RawKind::Deletion),
        ],
    },
];

/// Before any root: each kind of record may stand alone.
pub(super) const PUBMED_ROOTLESS: &[(&[u8], RawKind)] = &[
    (b"PubmedArticle", RawKind::PubmedArticle),
    (b"PubmedBookArticle", RawKind::PubmedBookArticle),
    (b"MedlineCitation", RawKind::MedlineCitation),
    (b"BookDocument", RawKind::BookDocument),
    (b"DeleteCitation", RawKind::Deletion),
    (b"DeleteDocument", RawKind::Deletion),
];

/// JATS articles, in whatever envelope: `pmc-articleset`, OAI-PMH, none.
pub(super) const JATS: &[Vocabulary] = &[
    Vocabulary {
        set: b"pmc-articleset",
        records: JATS_RECORDS,
    },
    Vocabulary {
        set: b"OAI-PMH",
        records: JATS_RECORDS,
    },
];

pub(super) const JATS_RECORDS: &[(&[u8], RawKind)] = &[(b"article", RawKind::Jats)];

/// The records that can stand beside one of this kind: those of the first set
/// that has it.
pub(super) fn siblings(
    vocabularies: &'static [Vocabulary],
    kind: RawKind,
) -> Option<&'static [(&'static [u8], RawKind)]> {
    let has = |vocabulary: &&Vocabulary| vocabulary.records.iter().any(|(_, k)| *k == kind);
    vocabularies
        .iter()
        .find(has)
        .map(|vocabulary| vocabulary.records)
}

/// Longest name above; a tag is known once this many bytes of it are there.
pub(super) const LONGEST_NAME: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_is_the_longest() {
        let sets = PUBMED.iter().chain(JATS).map(|v| v.set.len());
        let records = PUBMED_ROOTLESS
            .iter()
            .chain(JATS_RECORDS)
            .map(|r| r.0.len());
        assert_eq!(sets.chain(records).max(), Some(LONGEST_NAME));
    }
}
