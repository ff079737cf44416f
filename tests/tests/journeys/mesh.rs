//! MeSH: what searches explode by, out of the box and after an import.

use medsift_tests::{Finished, Workspace, sample};
use std::fs;

const TABLE: &str = "*NEWRECORD\nRECTYPE = D\nMH = Zonks\nENTRY = Sore Things|T184\nMN = C99\nUI = D999001\n\n\
    *NEWRECORD\nRECTYPE = D\nMH = Myalgia\nENTRY = Muscle Pain|T184\nMN = C99.100\nUI = D063806\n";

fn ids(answer: &Finished) -> Vec<String> {
    let answer = answer.json();
    let hits = answer["hits"].as_array().expect("hits");
    let mut ids: Vec<String> = hits
        .iter()
        .filter_map(|hit| hit["id"].as_str().map(str::to_owned))
        .collect();
    ids.sort();
    ids
}

#[test]
fn headings_explode_out_of_the_box() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]).expect(0);
    let search = |query: &str| {
        let answer = work
            .medsift([
                "search", query, "--mode", "keyword", "--limit", "100", "--json",
            ])
            .run()
            .expect(0);
        assert!(!answer.json()["warnings"].to_string().contains("MeSH table"));
        ids(&answer)
    };
    let asthma = search("asthma[mh:noexp]");
    assert!(!asthma.is_empty());
    let airways = search("\"Respiratory Tract Diseases\"[mh]");
    assert!(asthma.iter().all(|id| airways.contains(id)), "{airways:?}");
    assert!(search("\"Respiratory Tract Diseases\"[mh:noexp]").len() < airways.len());
    // An entry term is as good as its heading.
    assert_eq!(search("\"bronchial asthma\"[mh]"), search("asthma[mh]"));

    work.medsift(["mesh", "show", "bronchial asthma"])
        .run()
        .expect(0)
        .prints(&["Asthma  D001249", "C08.127.108", "MeSH 2024"]);
    work.medsift(["mesh", "show", "No Such Thing"])
        .run()
        .expect(1)
        .says(&["No Such Thing", "medsift mesh import"]);
}

#[test]
fn an_imported_table_serves_all_searches() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]).expect(0);
    let count = |query: &str| {
        let found = work
            .medsift(["search", query, "--mode", "keyword", "--json"])
            .run()
            .expect(0);
        ids(&found).len()
    };
    let myalgia = count("myalgia[mh]");
    assert!(myalgia > 0);
    assert_eq!(count("zonks[mh]"), 0);

    work.write("d2025.bin", TABLE);
    work.run("mesh import d2025.bin")
        .expect(0)
        .says(&["2 headings of d2025.bin"]);
    assert_eq!(count("\"sore things\"[mh]"), myalgia);
    let shown = work.run("mesh show zonks --json").expect(0).json();
    assert_eq!(shown["below"][0], "Myalgia");
    assert_eq!(shown["source"], "d2025.bin");

    // Another import takes its place whole; a bad file changes nothing.
    let table = work.join("home/.cache/medsift/mesh.tsv");
    let before = fs::read(&table).expect("the table");
    work.write("supp.xml", "<SupplementalRecordSet><SupplementalRecord/>");
    work.run("mesh import supp.xml")
        .expect(2)
        .says(&["supplementary records", "descYYYY.xml"]);
    assert_eq!(fs::read(&table).expect("the table"), before);
    work.write(
        "d2026.bin",
        TABLE.split_at(TABLE.find("\n\n").expect("a gap") + 2).0,
    );
    work.run("mesh import d2026.bin")
        .expect(0)
        .says(&["1 headings of"]);
    assert_eq!(count("zonks[mh]"), 0);

    // A table that somebody has spoilt is named with its remedy.
    fs::write(&table, "spoilt").expect("written");
    work.run("search zonks[mh] --mode keyword")
        .expect(1)
        .says(&["mesh.tsv", "medsift mesh import"]);
    work.run("search zonks --mode keyword").expect(0);
}
