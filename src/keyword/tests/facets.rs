//! Counting, sorting by date and suggesting.

use super::*;
use crate::article::{Journal, MeshHeading, MeshTerm, PubDate};
use crate::keyword::{ResultSet, Scope, ValueCount};
use crate::query::FacetField;
use std::collections::BTreeMap;

fn dated(name: &str, title: &str, year: i32, journal: &str, headings: &[&str]) -> Article {
    let mut article = article(name, title, "");
    article.published = Some(PubDate::calendar(year, Some(5), None).unwrap());
    article.journal = Some(Journal {
        title: format!("The whole name of {journal}"),
        medline_abbreviation: Some(journal.into()),
        ..Journal::default()
    });
    let heading = |name: &&str| MeshHeading {
        descriptor: MeshTerm {
            name: (*name).into(),
            ui: None,
        },
        ..MeshHeading::default()
    };
    // A source may name a heading twice.
    article.mesh = headings.iter().chain(headings).map(heading).collect();
    article
}

/// Two segments, of which one has a deletion.
fn index() -> (TempDir, KeywordSnapshot) {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    let rows = [
        dated("1", "gout in men", 2001, "Gut", &["Gout", "Humans"]),
        dated("2", "gout in mice", 2003, "BMJ", &["Gout", "Mice"]),
        dated("3", "gout again", 2003, "Gut", &["Gout", "Humans"]),
        dated("4", "asthma", 2004, "Thorax", &["Asthma"]),
        article("5", "gout without anything", ""),
    ];
    for (row, key) in rows.iter().zip(0..) {
        writer.add(ArticleKey(key), row, b"").unwrap();
        if key == 2 {
            writer.commit("first").unwrap();
        }
    }
    writer.delete(&id("2")).unwrap();
    writer.commit("second").unwrap();
    writer.close().unwrap();
    let snapshot = KeywordIndex::open(dir.path()).unwrap().snapshot().unwrap();
    (dir, snapshot)
}

fn set(snapshot: &KeywordSnapshot, words: &str) -> ResultSet {
    snapshot
        .results(words, &Scope::of(&Filter::default()))
        .unwrap()
}

#[test]
fn values_are_counted_over_all_that_match() {
    let (_dir, snapshot) = index();
    let gout = set(&snapshot, "gout");
    assert_eq!(gout.articles(), 3);
    let years: Vec<(i32, u64)> = snapshot
        .years(&gout)
        .unwrap()
        .iter()
        .map(|count| (count.year, count.articles))
        .collect();
    assert_eq!(years, [(2001, 1), (2003, 1)]);
    let counts = |field, most| {
        let counts = snapshot.values(field, &gout, most).unwrap();
        let values: Vec<(String, u64)> = counts
            .values
            .into_iter()
            .map(
                |ValueCount {
                     value, articles, ..
                 }| (value, articles),
            )
            .collect();
        (values, counts.more)
    };
    assert_eq!(counts(FacetField::Journal, 9), (vec![("Gut".into(), 2)], 0));
    let both = vec![("Gout".to_owned(), 2), ("Humans".to_owned(), 2)];
    assert_eq!(counts(FacetField::Mesh, 9), (both.clone(), 0));
    assert_eq!(counts(FacetField::Mesh, 1), (both[..1].to_vec(), 1));
    assert_eq!(counts(FacetField::Type, 9), (Vec::new(), 0));
}

#[test]
fn a_filter_and_added_keys_decide_what_is_counted() {
    let (_dir, snapshot) = index();
    let filter = Filter {
        mesh: vec!["humans".into()],
        year: Some("2002-".parse().unwrap()),
        ..Filter::default()
    };
    let mut found = snapshot.results("gout", &Scope::of(&filter)).unwrap();
    assert_eq!(found.articles(), 1);
    // Once more, a deleted one, one that is there and one that never was.
    let keys = [2, 1, 3, 99].map(ArticleKey);
    snapshot.add_keys(&mut found, keys).unwrap();
    assert_eq!(found.articles(), 2);
    let years: BTreeMap<i32, u64> = snapshot
        .years(&found)
        .unwrap()
        .iter()
        .map(|count| (count.year, count.articles))
        .collect();
    assert_eq!(years, BTreeMap::from([(2003, 1), (2004, 1)]));
}

#[test]
fn the_newest_come_first_page_by_page() {
    let (_dir, snapshot) = index();
    let all = set(&snapshot, "gout asthma");
    let whole = snapshot.by_date(&all, 99, None).unwrap();
    let expected = [(3, 20_040_501), (2, 20_030_501), (0, 20_010_501), (4, 0)]
        .map(|(key, day)| (ArticleKey(key), day));
    assert_eq!(whole, expected);
    let mut walked = Vec::new();
    loop {
        let next = snapshot.by_date(&all, 1, walked.last().copied()).unwrap();
        if next.is_empty() {
            break;
        }
        walked.extend(next);
    }
    assert_eq!(walked, whole);
    assert!(snapshot.by_date(&all, 0, None).unwrap().is_empty());
}

#[test]
fn suggestions_come_from_articles_that_are_there() {
    let (_dir, snapshot) = index();
    let headings = snapshot.completions(FacetField::Mesh).unwrap();
    let found: Vec<String> = headings
        .beginning("", 9)
        .into_iter()
        .map(|found| format!("{} {}", found.text, found.articles))
        .collect();
    assert_eq!(found, ["Gout 2", "Humans 2", "Asthma 1"]);
    let words = snapshot.words_beginning("go", 9).unwrap();
    assert_eq!(words.len(), 1);
    assert_eq!(words[0].text, "gout");
}

#[test]
fn an_empty_index_counts_nothing() {
    let (_dir, snapshot) = index_of(&[]);
    let none = set(&snapshot, "gout");
    assert_eq!(none.articles(), 0);
    assert!(snapshot.years(&none).unwrap().is_empty());
    assert!(snapshot.by_date(&none, 9, None).unwrap().is_empty());
}
