//! Which fields of the index answer for which field of PubMed.

use crate::keyword::schema::Fields;
use crate::query::pubmed::Field;
use tantivy::schema::Field as IndexField;

/// Fields of words, by their analysis.
#[derive(Debug, Default)]
pub(super) struct WordFields {
    /// Running text: compounds have parts.
    pub(super) texts: Vec<IndexField>,
    /// Names.
    pub(super) names: Vec<IndexField>,
}

/// Where the words of a field stand; `None` where it has whole values.
pub(super) fn word_fields(fields: &Fields, field: Field) -> Option<WordFields> {
    let texts = |fields: &[IndexField]| WordFields {
        texts: fields.to_vec(),
        names: Vec::new(),
    };
    let names = |field: IndexField| WordFields {
        texts: Vec::new(),
        names: vec![field],
    };
    let f = fields;
    Some(match field {
        Field::Title => texts(&[f.title_words]),
        Field::Abstract => texts(&[f.abstracts]),
        Field::TitleAbstract => texts(&[f.title_words, f.abstracts, f.keywords]),
        Field::TextWord => texts(&[
            f.title_words,
            f.vernacular,
            f.abstracts,
            f.keywords,
            f.mesh,
            f.chemicals,
        ]),
        Field::All => WordFields {
            texts: vec![
                f.title_words,
                f.vernacular,
                f.abstracts,
                f.keywords,
                f.mesh,
                f.chemicals,
                f.body,
            ],
            names: vec![f.authors, f.journal, f.affiliation, f.grants],
        },
        Field::OtherTerm => texts(&[f.keywords]),
        Field::TransliteratedTitle => texts(&[f.vernacular]),
        Field::ConflictOfInterest => texts(&[f.conflict]),
        Field::Affiliation => names(f.affiliation),
        Field::CorporateAuthor => names(f.collective),
        Field::Grant => names(f.grants),
        _ => return None,
    })
}
