//! Linking to MeSH, on mentions that people marked.

use flate2::read::GzDecoder;
use medsift::enrich::link::{ConceptKind, Grade, Lexicon, Linker, normal_form};
use medsift::eval::LinkingScores;
use medsift::mesh::{Descriptor, MeshTable};
use medsift_indexer::annotated::read_documents;
use medsift_tests::real_data;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The rows of a table below its header.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let mut text = String::new();
    let file = File::open(path).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let row = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().skip(1).map(row).collect()
}

/// MeSH 2024, whose terms stand in a table of their own.
fn lexicon(data: &Path) -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let mesh = data.join("vocab/mesh");
        let mut terms: HashMap<String, Vec<String>> = HashMap::new();
        for row in rows(&mesh.join("terms.tsv.gz")) {
            terms
                .entry(row[0].clone())
                .or_default()
                .push(row[5].clone());
        }
        let descriptors = rows(&mesh.join("descriptors.tsv.gz"))
            .into_iter()
            .map(|row| {
                let mut entry_terms = terms.remove(&row[0]).unwrap_or_default();
                entry_terms.retain(|term| *term != row[1]);
                Descriptor {
                    ui: row[0].clone(),
                    heading: row[1].clone(),
                    tree_numbers: row[2]
                        .split(';')
                        .filter(|n| !n.is_empty())
                        .map(str::to_owned)
                        .collect(),
                    entry_terms,
                }
            });
        let table = MeshTable::new(descriptors.collect());
        assert_eq!(table.len(), 30_764);
        Lexicon::new(Arc::new(table))
    })
}

/// A set, its mentions, and what of them is found at least: of all with an
/// identifier, and of those with one of the table's. Half a point below what
/// docs/enrichment.md records for rules of names alone.
const FLOORS: [(&str, usize, f64, f64); 2] = [
    ("re/bc5cdr-cid/test.pubtator.gz", 9809, 0.830, 0.902),
    ("ner/ncbi-disease/pubtator/test.pubtator", 960, 0.688, 0.846),
];

#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn mentions_of_the_test_splits_are_linked() {
    let Some(data) = real_data("mentions_of_the_test_splits_are_linked") else {
        return;
    };
    let linker = Linker::new(lexicon(&data).clone());
    for (name, mentions, accuracy, known) in FLOORS {
        let documents = read_documents(&data.join(name)).unwrap();
        let scores = LinkingScores::measure(&linker, &documents, |_| ()).unwrap();
        assert_eq!(scores.mentions + scores.without_id, mentions, "{name}");
        assert_eq!((scores.misplaced, scores.other_types), (0, 0), "{name}");
        assert!(scores.accuracy >= accuracy, "{name}: {}", scores.accuracy);
        assert!(
            scores.accuracy_known >= known,
            "{name}: {}",
            scores.accuracy_known
        );
    }
}

/// Each name of MeSH that is linked to leads to its descriptor, or to one that
/// has the same name.
#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn every_name_of_mesh_leads_to_a_descriptor_that_has_it() {
    let Some(data) = real_data("every_name_of_mesh_leads_to_a_descriptor_that_has_it") else {
        return;
    };
    let lexicon = lexicon(&data);
    let (mut names, mut shared) = (0, 0);
    // Every seventh descriptor: the whole table takes a minute.
    for (place, descriptor) in lexicon.table().descriptors().iter().enumerate().step_by(7) {
        for kind in ConceptKind::ALL
            .into_iter()
            .filter(|kind| lexicon.is(place, *kind))
        {
            for name in descriptor.entry_terms.iter().chain([&descriptor.heading]) {
                let form = normal_form(name, Grade::Exact);
                if form.is_empty() {
                    continue;
                }
                names += 1;
                let found = lexicon.find(kind, name).unwrap().descriptor;
                if found != place {
                    shared += 1;
                    let found = &lexicon.table().descriptors()[found];
                    let mut theirs = found.entry_terms.iter().chain([&found.heading]);
                    let same = theirs.any(|name| normal_form(name, Grade::Exact) == form);
                    assert!(same, "{name} leads to {}", found.heading);
                }
            }
        }
    }
    assert!(
        names > 20_000 && shared * 100 < names,
        "{shared} of {names}"
    );
}
