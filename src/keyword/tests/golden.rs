use super::*;
use crate::article::{Journal, MeshHeading, MeshTerm, PubDate};
use std::fmt::Write as _;
use tantivy::schema::FieldType;

/// The terms of every text field with the number of documents of each; of a
/// column, the values.
fn print(snapshot: &KeywordSnapshot) -> String {
    let searcher = &snapshot.0.searcher;
    let mut out = String::new();
    for (field, entry) in searcher.schema().fields() {
        if !matches!(entry.field_type(), FieldType::Str(_)) {
            continue;
        }
        write!(out, "{}:", entry.name()).unwrap();
        for segment in searcher.segment_readers() {
            if !entry.is_indexed() {
                let column = segment.fast_fields().str(entry.name()).unwrap();
                let Some(column) = column else { continue };
                for ordinal in 0..column.num_terms() as u64 {
                    let mut value = String::new();
                    column.ord_to_str(ordinal, &mut value).unwrap();
                    write!(out, " {value:?}").unwrap();
                }
                continue;
            }
            let index = segment.inverted_index(field).unwrap();
            let mut terms = index.terms().stream().unwrap();
            while terms.advance() {
                let term = String::from_utf8_lossy(terms.key());
                write!(out, " {term:?}×{}", terms.value().doc_freq).unwrap();
            }
        }
        out.push('\n');
    }
    out
}

#[test]
fn a_small_index_as_text() {
    let mut one = article("1", "IL-2 in Crohn's disease", "Levels of TNF-α rose.");
    one.published = Some(PubDate::calendar(2019, None, None).unwrap());
    one.languages = vec!["eng".into()];
    one.journal = Some(Journal {
        title: "Gut".into(),
        issn: Some("0017-5749".into()),
        ..Journal::default()
    });
    one.mesh = vec![MeshHeading {
        descriptor: MeshTerm {
            name: "Crohn Disease".into(),
            ui: Some("D003424".into()),
        },
        qualifiers: vec![(
            MeshTerm {
                name: "immunology".into(),
                ui: None,
            },
            false,
        )],
        ..MeshHeading::default()
    }];
    let (_dir, snapshot) = index_of(&[one, article("2", "Disease", "")]);
    insta::assert_snapshot!(print(&snapshot));
}
