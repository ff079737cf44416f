use super::*;
use crate::enrich::link::{Evidence, Link, Method};
use crate::enrich::{ArticleEntities, ArticleRelations, Relation};

fn entity(kind: &str, text: &str, concept: Option<(&str, &str)>) -> Entity {
    Entity {
        kind: kind.to_owned(),
        start: 0,
        end: text.chars().count(),
        text: text.to_owned(),
        score: 0.9,
        concept: concept.map(|(id, name)| Link {
            id: id.to_owned(),
            name: name.to_owned(),
            evidence: Evidence {
                method: Method::Exact,
                score: 1.0,
            },
        }),
    }
}

fn findings() -> ArticleFindings {
    let metformin = ("MESH:D008687", "Metformin");
    let acidosis = ("MESH:D000140", "Acidosis, Lactic");
    ArticleFindings {
        entities: ArticleEntities {
            title: vec![entity("Chemical", "metformin", Some(metformin))],
            text: vec![
                entity("Disease", "lactic\nacidosis", Some(acidosis)),
                entity("Chemical", "Metformin", Some(metformin)),
                entity("Gene", "OCT1", None),
                entity("Gene", "oct1", None),
            ],
        },
        relations: Some(ArticleRelations {
            title: Vec::new(),
            text: vec![Relation {
                kind: "induces".to_owned(),
                head: "induces".to_owned(),
                score: 0.8,
                first: 1,
                second: 0,
                evidence: crate::enrich::Evidence {
                    start: 0,
                    end: 1,
                    text: "x".to_owned(),
                },
            }],
        }),
    }
}

#[test]
fn an_entity_is_found_by_identifier_name_and_what_is_written() {
    let values = LookupValues::of(&findings());
    for asked in [
        "mesh:d008687",
        "d008687",
        "metformin",
        "chemical:metformin",
        "acidosis, lactic",
        "lactic acidosis",
        "gene:oct1",
        "oct1",
        "gene:*",
    ] {
        assert!(values.entities.contains(asked), "{asked}");
    }
    assert!(!values.entities.contains("oct1 gene"));
}

#[test]
fn an_entity_is_counted_once_however_it_is_written() {
    let counted = LookupValues::of(&findings()).counted;
    let shown: Vec<(&str, &str, &str)> = counted
        .iter()
        .map(|one| (&one.value[..], &one.kind[..], &one.name[..]))
        .collect();
    assert_eq!(
        shown,
        [
            ("Gene:oct1", "Gene", "OCT1"),
            ("MESH:D000140", "Disease", "Acidosis, Lactic"),
            ("MESH:D008687", "Chemical", "Metformin"),
        ]
    );
}

#[test]
fn a_relation_is_found_by_any_of_its_parts() {
    let relations = LookupValues::of(&findings()).relations;
    for asked in [
        "induces|d008687|d000140",
        "induces|mesh:d008687|lactic acidosis",
        "induces|metformin|*",
        "*|*|acidosis, lactic",
        "induces|*|*",
        "*|metformin|mesh:d000140",
        "induces|chemical:*|d000140",
    ] {
        assert!(relations.contains(asked), "{asked}");
    }
    for wrong in ["induces|d000140|d008687", "*|*|*", "treats|d008687|d000140"] {
        assert!(!relations.contains(wrong), "{wrong}");
    }
}

#[test]
fn what_is_asked_must_have_three_parts() {
    assert_eq!(relation_fault("induces | D008687|*"), None);
    assert_eq!(relation_value("induces | D008687|*"), "induces|D008687|*");
    for wrong in ["induces", "a|b", "a||c", "a|b|c|d", "*|*|*", ""] {
        let fault = relation_fault(wrong).unwrap();
        assert!(fault.contains("type|first|second"), "{fault}");
    }
}
