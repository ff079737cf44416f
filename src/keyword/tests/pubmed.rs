//! Queries of PubMed's language against a small index: every tag, and what is
//! told of what it does not find.

mod fields;
mod properties;
mod sample;

use super::super::{Scope, Selection, Setting};
use super::*;
use crate::mesh::MeshTable;
use crate::query::pubmed::{Date, Limits, parse};
use std::sync::OnceLock;

fn snapshot() -> &'static KeywordSnapshot {
    static INDEX: OnceLock<(TempDir, KeywordSnapshot)> = OnceLock::new();
    &INDEX.get_or_init(|| index_of(&sample::articles())).1
}

fn setting(mesh: Option<&MeshTable>) -> Setting<'_> {
    Setting::new(mesh, Date::parse("2023/06/30").unwrap())
}

fn select(query: &str, mesh: Option<&MeshTable>) -> Selection {
    let tree = parse(query, Limits::default()).unwrap_or_else(|fault| panic!("{query}: {fault}"));
    snapshot().select(&tree, setting(mesh)).unwrap()
}

fn keys(selection: &Selection) -> Vec<u32> {
    let scope = Scope {
        selection: Some(selection),
        ..Scope::of(&EVERYTHING)
    };
    snapshot().matching_in(&scope).unwrap().iter().collect()
}

static EVERYTHING: Filter = Filter {
    year: None,
    journal: Vec::new(),
    publication_type: Vec::new(),
    mesh: Vec::new(),
    language: Vec::new(),
    entity: Vec::new(),
    relation: Vec::new(),
    has_abstract: None,
    retracted: None,
};

fn selected(query: &str) -> Vec<u32> {
    keys(&select(query, None))
}

#[track_caller]
fn all(table: &[(&str, &[u32])]) {
    for (query, expected) in table {
        assert_eq!(selected(query), *expected, "{query}");
    }
}

#[test]
fn operators() {
    all(&[
        ("asthma[ti]", &[0, 1]),
        ("asthma[ti] AND children[tiab]", &[0]),
        ("asthma[ti] OR gout[ti]", &[0, 1, 2]),
        ("asthma[ti] NOT children[tiab]", &[1]),
        ("gout[ti] OR asthma[ti] AND children[tiab]", &[0]),
        ("gout[ti] OR (asthma[ti] AND children[tiab])", &[0, 2]),
        ("all[sb] NOT asthma[ti]", &[2, 3]),
    ]);
}

#[test]
fn words_in_their_fields() {
    all(&[
        ("steroids[ti]", &[]),
        ("steroids[tiab]", &[0]),
        ("steroids[ab]", &[0]),
        ("wheeze[tiab]", &[0]),
        ("wheeze[ot]", &[0]),
        ("wheeze[ti]", &[]),
        ("bronchial[tw]", &[1]),
        ("salbutamol[tw]", &[1]),
        ("salbutamol[tiab]", &[]),
        ("gicht[tt]", &[2]),
        ("gicht[ti]", &[]),
        ("heidelberg[ad]", &[0]),
        ("\"university hospital\"[ad]", &[0]),
        ("lung study group[cn]", &[1]),
        ("royalties[cois]", &[2]),
        ("heidelberg[all]", &[0]),
        // Words without a tag are looked up in institutions as well.
        ("Heidelberg AND asthma", &[0]),
        ("heidelberg asthma", &[0]),
        ("Heidelberg AND gout", &[]),
        ("10.1000/gout(1)x[all]", &[2]),
    ]);
}

#[test]
fn words_are_not_stemmed_and_writings_of_one_thing_meet() {
    all(&[
        ("child[tiab]", &[]),
        ("children[tiab]", &[0]),
        ("IL-5[tiab]", &[1]),
        ("IL5[tiab]", &[1]),
        ("\"il 5\"[tiab]", &[1]),
        ("TNF-alpha[tiab]", &[2]),
        ("TNFα[tiab]", &[2]),
        ("antiinflammatory[tiab]", &[2]),
        ("anti-inflammatory[tiab]", &[2]),
        // Untagged words are looked up in each of their forms.
        ("inhaling", &[0]),
        // Wherever those stand: in the full text, in substances.
        ("urates", &[2]),
        ("sulphates", &[1]),
    ]);
}

#[test]
fn phrases_and_nearness() {
    all(&[
        ("\"inhaled steroids\"[tiab]", &[0]),
        ("\"steroids inhaled\"[tiab]", &[]),
        ("\"steroids inhaled\"[tiab:~0]", &[0]),
        ("\"steroids children\"[tiab:~1]", &[]),
        ("\"steroids children\"[tiab:~2]", &[0]),
        ("\"asthma steroids\"[tiab:~50]", &[]),
        ("\"inhaled ster*\"[tiab]", &[0]),
        ("\"hospital heidelberg\"[ad:~0]", &[0]),
    ]);
    let loose = select("steroids inhaled[tiab]", None);
    assert_eq!(keys(&loose), [0]);
    assert!(
        loose.warnings[0].contains("side by side"),
        "{:?}",
        loose.warnings
    );
    let strict = select("\"steroids inhaled\"[tiab]", None);
    let told = strict.warnings.join("\n");
    assert!(
        told.contains("no article matches: \"steroids inhaled\""),
        "{told}"
    );
    assert!(told.contains("without quotation marks"), "{told}");
}

#[test]
fn truncation_goes_by_the_written_word() {
    all(&[
        ("vaccinat*[tiab]", &[3]),
        ("vaccine*[tiab]", &[2]),
        ("vacci*[tiab]", &[2, 3]),
        ("asth*[mh]", &[0]),
        ("Asth*", &[0, 1]),
    ]);
}

#[test]
fn each_term_is_counted_and_the_translation_can_be_searched_again() {
    let selection = select("asthma NOT (gout OR meyer k[au])", None);
    let counts: Vec<(&str, u64)> = selection
        .terms
        .iter()
        .map(|count| (count.term.as_str(), count.articles))
        .collect();
    assert_eq!(
        counts,
        [
            ("asthma[All Fields]", 2),
            ("gout[All Fields]", 1),
            ("meyer k[Author]", 2),
        ]
    );
    assert_eq!(selection.articles(), 0);
    let again = select(&selection.tree.to_string(), None);
    assert_eq!(again.tree, selection.tree);
}

#[test]
fn articles_are_ranked_within_the_selection() {
    let selection = select("asthma[ti] OR gout[ti]", None);
    let scope = |unscored| Scope {
        selection: Some(&selection),
        unscored,
        ..Scope::of(&EVERYTHING)
    };
    let keys = |text: &str, unscored| -> Vec<u32> {
        let matches = snapshot().search_in(text, &scope(unscored), 10).unwrap();
        assert_eq!(matches.total, 3);
        matches.hits.iter().map(|(key, _)| key.0).collect()
    };
    assert_eq!(keys("gout vaccination", false), [2]);
    assert_eq!(keys("gout vaccination", true), [2, 0, 1]);
    assert_eq!(keys("", true), [0, 1, 2]);
    assert_eq!(keys("", false), [] as [u32; 0]);
}

#[test]
fn deleted_articles_are_in_no_selection() {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    for (article, key) in sample::articles().iter().zip(0..) {
        writer.add(ArticleKey(key), article, b"").unwrap();
        // A segment each.
        writer.commit("").unwrap();
    }
    writer.delete(&id("1")).unwrap();
    writer.commit("").unwrap();
    let snapshot = KeywordIndex::open(dir.path()).unwrap().snapshot().unwrap();
    for (query, expected) in [
        ("asthma[ti]", &[1][..]),
        ("all[sb] NOT asthma[ti]", &[2, 3]),
        ("meyer[au] OR review[pt]", &[1, 2]),
    ] {
        let tree = parse(query, Limits::default()).unwrap();
        let selection = snapshot.select(&tree, setting(None)).unwrap();
        assert_eq!(selection.articles(), expected.len() as u64);
        let scope = Scope {
            selection: Some(&selection),
            ..Scope::of(&EVERYTHING)
        };
        let found: Vec<u32> = snapshot.matching_in(&scope).unwrap().iter().collect();
        assert_eq!(found, expected, "{query}");
    }
}
