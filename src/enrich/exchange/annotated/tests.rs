use super::*;
use crate::enrich::ArticleEntities;
use crate::enrich::exchange::{ExchangeFormat, Provenance, bioc, pubtator};
use crate::enrich::{Evidence, link};

fn entity(start: usize, text: &str, kind: &str, id: Option<&str>) -> Entity {
    Entity {
        kind: kind.to_owned(),
        start,
        end: start + text.chars().count(),
        text: text.to_owned(),
        score: 0.5,
        concept: id.map(|id| link::Link {
            id: id.to_owned(),
            name: format!("Name of {id}"),
            evidence: link::Evidence {
                method: link::Method::Exact,
                score: 1.0,
            },
        }),
    }
}

fn treats(first: usize, second: usize) -> Found {
    Found {
        kind: "treats".to_owned(),
        head: "treats".to_owned(),
        score: 0.25,
        first,
        second,
        evidence: Evidence {
            start: 0,
            end: 1,
            text: "A sentence.".to_owned(),
        },
    }
}

fn made() -> [Document; 2] {
    let entities = ArticleFindings {
        entities: ArticleEntities {
            title: vec![entity(0, "β-Statins", "Chemical", Some("MESH:D019161"))],
            text: vec![
                entity(0, "Statins", "Chemical", Some("MESH:D019161")),
                entity(18, "myopathy", "Disease", None),
            ],
        },
        relations: None,
    };
    let title = "β-Statins and pain";
    let article = Document::of_article("12", title, "Statins may cause myopathy.", &entities);
    let text = "Statins\nStatins cause asthma and\nmyopathy.\n";
    let entities = [
        entity(8, "Statins", "Chemical", Some("MESH:D019161")),
        entity(22, "asthma", "Disease", Some("MESH:D001249")),
        entity(33, "myopathy", "Disease", None),
    ];
    let relations = [treats(0, 1), treats(0, 2), treats(0, 1)];
    [article, Document::of_text("1", text, &entities, &relations)]
}

/// Places of relations are those of one part; a document counts its mentions
/// through both.
#[test]
fn relations_of_the_text_are_of_its_mentions() {
    let found = ArticleFindings {
        entities: ArticleEntities {
            title: vec![entity(0, "Statins", "Chemical", Some("MESH:D019161"))],
            text: vec![
                entity(0, "Statins", "Chemical", Some("MESH:D019161")),
                entity(14, "asthma", "Disease", Some("MESH:D001249")),
            ],
        },
        relations: Some(crate::enrich::ArticleRelations {
            title: Vec::new(),
            text: vec![treats(0, 1)],
        }),
    };
    let document = Document::of_article("12", "Statins", "Statins cause asthma.", &found);
    assert_eq!(document.relations[0].mentions, [1, 2]);
    assert_eq!(document.misplaced(), Vec::<usize>::new());
}

/// Both forms of what is found, as users and other programs get it.
#[test]
fn both_forms_are_as_recorded() {
    let documents = made();
    for document in &documents {
        assert!(document.misplaced().is_empty(), "{document:?}");
    }
    assert_eq!(documents[1].relations_without_concepts(), 1);
    let by = Provenance {
        model: "tiny (1234)",
        head: "entities",
    };
    let lines = ExchangeFormat::Pubtator.write(&documents, by).unwrap();
    assert_eq!(lines, include_str!("golden.pubtator"));
    let json = ExchangeFormat::Bioc.write(&documents, by).unwrap();
    let golden: serde_json::Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&json).unwrap(),
        golden
    );
    // PubTator has places for fewer things; what it has is the same.
    let read = pubtator::read(&lines).unwrap();
    let whole = bioc::Collection::read_json(&json).unwrap().to_documents();
    assert_eq!(whole, documents);
    for (read, whole) in read.iter().zip(&whole) {
        assert_eq!(read.text(), whole.text().replace('\n', " "));
        for (read, whole) in read.mentions.iter().zip(&whole.mentions) {
            assert_eq!(read.characters, whole.characters);
            assert_eq!(
                (&read.kind, &read.identifier),
                (&whole.kind, &whole.identifier)
            );
        }
    }
}

#[test]
fn a_text_of_one_line_is_one_part() {
    for text in ["Statins.", "Statins.\n", ""] {
        let document = Document::of_text("1", text, &[], &[]);
        assert_eq!(
            (document.passages.len(), document.text().as_str()),
            (1, text)
        );
    }
}
