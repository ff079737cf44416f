//! Searches that have to be over by a deadline.

use super::super::{ResultSet, Scope, Selection, Setting};
use super::*;
use crate::deadline::Deadline;
use crate::error::{ErrorKind, Result};
use crate::query::pubmed::{Date, Limits, parse};
use crate::query::{FacetField, YearRange};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const WORDS: [&str; 8] = [
    "liver", "kidney", "heart", "brain", "lung", "spleen", "muscle", "nerve",
];

/// Articles that all hold the same few words, each many times.
fn frequent() -> &'static KeywordSnapshot {
    static INDEX: OnceLock<(TempDir, KeywordSnapshot)> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut state = 7_u32;
        let mut word = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            WORDS[(state >> 24) as usize % WORDS.len()]
        };
        let mut text = || (0..500).map(|_| word()).collect::<Vec<_>>().join(" ");
        let articles: Vec<Article> = (1..=300)
            .map(|name| article(&name.to_string(), "Organs", &text()))
            .collect();
        index_of(&articles)
    });
    &index.1
}

/// Every way to take four different words, as phrases or near each other.
fn worst(tag: &str, many: usize) -> String {
    let mut parts = Vec::new();
    for number in 0..8_usize.pow(4) {
        let digits = [number & 7, number >> 3 & 7, number >> 6 & 7, number >> 9];
        let different = (1..4).all(|at| !digits[..at].contains(&digits[at]));
        if different && parts.len() < many {
            let words: Vec<&str> = digits.iter().map(|&digit| WORDS[digit]).collect();
            parts.push(format!("\"{}\"{tag}", words.join(" ")));
        }
    }
    parts.join(" OR ")
}

fn select(snapshot: &KeywordSnapshot, query: &str) -> Result<Selection> {
    let tree = parse(query, Limits::default()).unwrap_or_else(|fault| panic!("{query}: {fault}"));
    let day = Date::parse("2023/06/30").unwrap();
    snapshot.select(&tree, Setting::new(None, day))
}

#[track_caller]
fn late<T>(result: Result<T>) {
    match result {
        Ok(_) => panic!("it was not broken off"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}"),
    }
}

#[test]
fn hundreds_of_phrases_of_frequent_words_end_in_time() {
    let snapshot = frequent();
    for (tag, many) in [
        ("", 900),
        ("[tiab]", 900),
        ("[tiab:~3]", 900),
        ("[ab:~0]", 900),
    ] {
        let query = worst(tag, many);
        let began = Instant::now();
        late(select(
            &snapshot.until(Deadline::after(Duration::from_millis(20))),
            &query,
        ));
        let took = began.elapsed();
        assert!(took < Duration::from_secs(2), "{tag}: {took:?}");
    }
}

#[test]
fn whatever_looks_at_many_articles_ends_at_its_deadline() {
    let over = frequent().until(Deadline::after(Duration::ZERO));
    for query in [
        "liver",
        "\"liver kidney\"[tiab]",
        "\"liver kidney\"[tiab:~2]",
        "live*[tiab]",
        "humans[mh]",
        "smith j[au]",
        "2020[dp]",
        "hasabstract",
        "1[pmid]",
    ] {
        late(select(&over, query));
    }
    late(over.search("liver", &Filter::default(), 10));
    let filter = Filter {
        year: Some(YearRange {
            from: Some(2000),
            to: None,
        }),
        language: vec!["eng".into()],
        ..Filter::default()
    };
    let scope = Scope::of(&filter);
    late(over.matching(&filter));
    late(over.results("liver", &scope));
    late(over.unknown_values(&filter));
    let everything = Filter::default();
    let set: ResultSet = frequent()
        .results("liver", &Scope::of(&everything))
        .unwrap();
    assert_eq!(set.articles(), 300);
    late(over.years(&set));
    late(over.values(FacetField::Mesh, &set, 10));
    late(over.by_date(&set, 10, None));
    late(over.keys_in(&set));
    late(over.by_first_author(&set));
    late(over.by_journal(&set));
    late(over.select_keys(parse("liver", Limits::default()).unwrap(), |_| true));
    // A single article is read all the same.
    assert_eq!(over.key_of(&id("7")).unwrap(), Some(ArticleKey(6)));
    assert!(over.stored_by_key(ArticleKey(6)).unwrap().is_some());
}

#[test]
fn a_deadline_that_is_far_off_changes_nothing() {
    let snapshot = frequent();
    let patient = snapshot.until(Deadline::after(Duration::from_secs(3600)));
    for query in [
        worst("", 5),
        worst("[tiab:~1]", 5),
        "live*[tiab] NOT \"heart brain\"".to_owned(),
        "nothing OR \"of it\"".to_owned(),
    ] {
        let [one, other] = [snapshot, &patient].map(|snapshot| select(snapshot, &query).unwrap());
        assert_eq!(one.documents, other.documents, "{query}");
        assert_eq!((one.tree, one.terms), (other.tree, other.terms));
        assert_eq!(one.warnings, other.warnings);
    }
    let [one, other] = [snapshot, &patient].map(|snapshot| {
        let found = snapshot.search("liver brain zzz", &Filter::default(), 50);
        found.unwrap()
    });
    assert_eq!(one, other);
    assert_eq!(one.total, 300);
}
