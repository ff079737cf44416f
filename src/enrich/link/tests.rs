use super::*;
use crate::mesh::{Descriptor, MeshTable};
use proptest::prelude::*;
use std::sync::Arc;

/// A few descriptors of MeSH 2024.
pub(crate) fn lexicon() -> Lexicon {
    let rows: [(&str, &str, &str, &[&str]); 12] = [
        (
            "D000741",
            "Anemia, Aplastic",
            "C15.378.071.085",
            &["Anemia, Hypoplastic"],
        ),
        (
            "D003924",
            "Diabetes Mellitus, Type 2",
            "C18.452.394.750.149",
            &["NIDDM", "Type 2 Diabetes Mellitus"],
        ),
        ("D003920", "Diabetes Mellitus", "C18.452.394.750", &[]),
        (
            "D007674",
            "Kidney Diseases",
            "C12.050.351.968.419",
            &["Nephropathies"],
        ),
        ("D013927", "Thrombosis", "C14.907.355.830", &["Thrombus"]),
        (
            "D006973",
            "Hypertension",
            "C14.907.489",
            &["High Blood Pressure"],
        ),
        (
            "D010300",
            "Parkinson Disease",
            "C10.228.140.079.862.500",
            &["Parkinson's Disease"],
        ),
        ("D009369", "Neoplasms", "C04", &["Cancer", "Tumors"]),
        ("D020123", "Sirolimus", "D02.540.505.760", &["Rapamycin"]),
        ("D002122", "Calcium Chloride", "D01.146.300", &[]),
        ("D009369X", "Tumor", "D23.050", &[]),
        ("D051379", "Mice", "B01.050.150.900.649", &["Mouse"]),
    ];
    let descriptors = rows.map(|(ui, heading, place, terms)| Descriptor {
        ui: ui.to_owned(),
        heading: heading.to_owned(),
        tree_numbers: vec![place.to_owned()],
        entry_terms: terms.iter().map(|&term| term.to_owned()).collect(),
    });
    Lexicon::new(Arc::new(MeshTable::new(descriptors.into())))
}

/// The links of mentions, each by its words, the first place where they stand.
fn linked(text: &str, mentions: &[(ConceptKind, &str)]) -> Vec<Option<Link>> {
    let mentions = mentions.iter().map(|&(kind, mention)| {
        let start = text.find(mention).unwrap();
        let range = start..start + mention.len();
        Mention { kind, range }
    });
    let document = Document {
        text,
        mentions: mentions.collect(),
    };
    Linker::new(lexicon()).link(&[document]).unwrap().remove(0)
}

fn one(kind: ConceptKind, name: &str) -> Option<(String, Method)> {
    let link = linked(name, &[(kind, name)]).remove(0)?;
    Some((link.id, link.evidence.method))
}

#[test]
fn spellings_of_a_name_lead_to_it() {
    use ConceptKind::{Chemical, Disease, Species};
    for (kind, name, id) in [
        (Disease, "HYPERTENSION", "D006973"),
        (Disease, "aplastic anaemia", "D000741"),
        (Disease, "type II diabetes mellitus", "D003924"),
        (Disease, "diabetes mellitus type 2", "D003924"),
        (Disease, "renal disease", "D007674"),
        (Disease, "nephropathy", "D007674"),
        (Disease, "thrombotic", "D013927"),
        (Disease, "thromboses", "D013927"),
        (Disease, "hypertensive", "D006973"),
        (Disease, "Parkinson’s disease", "D010300"),
        (Disease, "tumour", "D009369"),
        (Disease, "severe hypertension", "D006973"),
        (Disease, "levodopa-induced thrombosis", "D013927"),
        (Chemical, "CaCl(2)", "D002122"),
        (Chemical, "calcium-chloride", "D002122"),
        (Chemical, "tumor", "D009369X"),
        (Species, "mice", "D051379"),
    ] {
        let found = one(kind, name).map(|(id, _)| id);
        assert_eq!(found, Some(format!("MESH:{id}")), "{name}");
    }
}

#[test]
fn what_has_no_name_has_no_link() {
    use ConceptKind::{Chemical, Disease, Species};
    for (kind, name) in [
        (Disease, "rapamycin"),
        (Chemical, "hypertension"),
        (Species, "thrombosis"),
        (Disease, "XYZ"),
        (Chemical, "-"),
        // The end of a chemical's name is another chemical.
        (Chemical, "something sirolimus"),
    ] {
        assert_eq!(one(kind, name), None, "{name}");
    }
}

#[test]
fn the_strictest_agreement_says_how_sure_a_link_is() {
    let score = |name: &str| {
        let links = linked(name, &[(ConceptKind::Disease, name)]);
        links[0].as_ref().unwrap().evidence
    };
    let names = [
        "hypertension",
        "hypertensions",
        "hypertensive",
        "congenital hypertensive",
        "unheard-of hypertension",
    ];
    let scores = names.map(|name| score(name).score);
    assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
    assert_eq!(score(names[0]).method, Method::Exact);
    assert_eq!(score(names[1]).method, Method::Normalised);
}

#[test]
fn a_text_explains_its_short_forms() {
    use ConceptKind::{Chemical, Disease};
    let text = "Parkinson disease (PD) is treated with sirolimus (Srl). Patients with PD get Srl. \
                XQ is not.";
    let links = linked(
        text,
        &[
            (Disease, "Parkinson disease"),
            (Disease, "PD"),
            (Chemical, "sirolimus"),
            (Chemical, "Srl"),
            (Disease, "XQ"),
        ],
    );
    let ids: Vec<Option<&str>> = links
        .iter()
        .map(|link| Some(link.as_ref()?.id.as_str()))
        .collect();
    assert_eq!(
        ids[1..],
        [
            Some("MESH:D010300"),
            Some("MESH:D020123"),
            Some("MESH:D020123"),
            None
        ]
    );
    let methods = [1, 3].map(|place| links[place].as_ref().unwrap().evidence.method);
    assert_eq!(methods, [Method::Abbreviation; 2]);
}

#[test]
fn a_link_is_written_flat_and_read_again() {
    let link = linked("Hypertension", &[(ConceptKind::Disease, "Hypertension")])
        .remove(0)
        .unwrap();
    let json = serde_json::to_value(&link).unwrap();
    let expected = serde_json::json!({
        "id": "MESH:D006973",
        "concept": "Hypertension",
        "link": { "method": "exact", "score": 1.0 },
    });
    assert_eq!(json, expected);
    assert_eq!(serde_json::from_value::<Link>(json).unwrap(), link);
}

#[test]
fn a_mention_outside_its_text_is_refused() {
    let mention = Mention {
        kind: ConceptKind::Disease,
        range: 3..9,
    };
    let document = Document {
        text: "short",
        mentions: vec![mention],
    };
    assert!(Linker::new(lexicon()).link(&[document]).is_err());
}

/// Every name of a table leads to its descriptor, or to one that shares it.
#[test]
fn every_name_leads_to_a_descriptor_that_has_it() {
    let lexicon = lexicon();
    for descriptor in lexicon.table().descriptors() {
        let kinds = descriptor
            .tree_numbers
            .iter()
            .filter_map(|place| ConceptKind::of_place(place));
        for kind in kinds {
            for name in descriptor.entry_terms.iter().chain([&descriptor.heading]) {
                let found = lexicon.find(kind, name).unwrap();
                assert_eq!(found.grade, Grade::Exact, "{name}");
                let found = &lexicon.table().descriptors()[found.descriptor];
                let form = normal_form(name, Grade::Exact);
                let mut names = found.entry_terms.iter().chain([&found.heading]);
                assert!(
                    names.any(|name| normal_form(name, Grade::Exact) == form),
                    "{name}"
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn a_form_of_a_form_is_itself(name in "\\PC{0,24}|[a-zA-ZαéI-X0-9 ,'()s-]{0,40}") {
        for grade in Grade::ALL {
            let form = normal_form(&name, grade);
            prop_assert_eq!(&normal_form(&form, grade), &form, "{:?}", grade);
        }
    }

    #[test]
    fn any_text_is_linked_without_trouble(
        text in "[A-Za-zαéI-X0-9 ,.'()\\[\\];s-]{0,80}",
        places in prop::collection::vec((0..80_usize, 0..12_usize, 0..4_usize), 0..6),
    ) {
        let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mentions = places.into_iter().map(|(start, length, kind)| {
            let start = start.min(bytes.len() - 1);
            let end = (start + length).min(bytes.len() - 1);
            Mention { kind: ConceptKind::ALL[kind], range: bytes[start]..bytes[end] }
        });
        let mentions: Vec<Mention> = mentions.collect();
        let count = mentions.len();
        let links = Linker::new(lexicon()).link(&[Document { text: &text, mentions }]).unwrap();
        prop_assert_eq!(links[0].len(), count);
        for link in links[0].iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&link.evidence.score));
        }
    }
}
