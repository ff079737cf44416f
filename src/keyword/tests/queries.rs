use super::super::Highlighter;
use super::*;
use crate::article::{Author, OtherId, PersonName};
use proptest::prelude::*;

#[test]
fn writings_of_one_thing_meet() {
    let table = [
        ("IL-2", &["IL-2", "IL2", "IL 2", "il-2 receptor"][..]),
        (
            "TNFα",
            &["TNF-alpha", "TNFalpha", "tnf alpha", "TNF-α levels"],
        ),
        ("β-catenin", &["beta-catenin", "Beta catenin", "β-Catenin"]),
        ("CO2", &["CO₂", "CO2 retention"]),
        ("SARS-CoV-2", &["SARS CoV 2", "sars-cov-2", "SARS‐CoV‐2"]),
        ("Crohn's disease", &["crohn disease", "Crohn’s diseases"]),
        ("Schrödinger", &["Schrodinger", "SCHRÖDINGER"]),
        ("AIDS", &["AIDS", "aids"]),
        ("headaches", &["headache", "Headaches"]),
        ("follow-up", &["followup", "follow up"]),
        (
            "anti-inflammatory",
            &["antiinflammatory", "anti inflammatory"],
        ),
    ];
    for (title, queries) in table {
        let (_dir, snapshot) = index_of(&[article("1", title, ""), article("2", "Other", "")]);
        for query in queries {
            assert_eq!(
                found(&snapshot, query).first(),
                Some(&0),
                "{query} in {title}"
            );
        }
    }
}

#[test]
fn an_acronym_is_not_a_word() {
    let articles = [
        article("1", "Hearing aid use", ""),
        article("2", "Living with AIDS", ""),
    ];
    let (_dir, snapshot) = index_of(&articles);
    assert_eq!(found(&snapshot, "AIDS"), [1]);
    assert_eq!(found(&snapshot, "hearing aids")[0], 0);
    assert!(found(&snapshot, "aids").contains(&1));
}

#[test]
fn the_whole_compound_comes_before_its_parts() {
    let articles = [
        article("1", "Two forms, 2 of IL origin", ""),
        article("2", "A study of IL-2 here", ""),
        article("3", "A study of IL-10 here", ""),
    ];
    let (_dir, snapshot) = index_of(&articles);
    assert_eq!(found(&snapshot, "IL-2")[0], 1);
    assert_eq!(found(&snapshot, "IL2")[0], 1);
}

#[test]
fn no_character_is_syntax() {
    let (_dir, snapshot) = index_of(&[article("1", "Aspirin and pain", "")]);
    for query in [
        "aspirin",
        "-aspirin",
        "(aspirin",
        "aspirin)",
        "\"aspirin",
        "title:aspirin",
        "aspirin AND",
        "aspirin^2",
        "aspirin*",
        "+aspirin -pain",
        "aspirin\\",
        "[aspirin TO pain]",
        "https://example.org/aspirin?q=1&r=(2)#x",
        "'aspirin'",
        "aspirin: a review?",
    ] {
        assert_eq!(found(&snapshot, query), [0], "{query}");
    }
    for query in ["(", "-", ":", "\"", "…", "^~*?", "   "] {
        assert!(found(&snapshot, query).is_empty(), "{query}");
    }
}

#[test]
fn stop_words_are_passed_over_unless_there_is_nothing_else() {
    let articles = [
        article("1", "To be or not to be", ""),
        article("2", "The aspirin", ""),
    ];
    let (_dir, snapshot) = index_of(&articles);
    let search = |query| snapshot.search(query, &Filter::default(), 10).unwrap();
    let matches = search("the aspirin");
    assert_eq!(matches.hits.len(), 1);
    assert_eq!(matches.notes.ignored, ["the"]);
    assert!(!matches.notes.only_stop_words);
    let matches = search("to be or not to be");
    assert_eq!(matches.hits[0].0, ArticleKey(0));
    assert!(matches.notes.only_stop_words);
}

#[test]
fn acronyms_in_capitals_are_no_stop_words() {
    let articles = [
        article("1", "The WHO guideline", ""),
        article("2", "A guideline", ""),
    ];
    let (_dir, snapshot) = index_of(&articles);
    assert_eq!(found(&snapshot, "WHO"), [0]);
    assert_eq!(found(&snapshot, "WHO guideline")[0], 0);
}

#[test]
fn unknown_words_are_named_and_others_still_found() {
    let (_dir, snapshot) = index_of(&[article("1", "Aspirin", "")]);
    let matches = snapshot
        .search("aspirin qwertz", &Filter::default(), 10)
        .unwrap();
    assert_eq!(matches.hits.len(), 1);
    assert_eq!(matches.notes.unknown, ["qwertz"]);
}

/// An article with a DOI and an author.
fn named_article(title: &str) -> Article {
    let mut one = article("11943073", title, "");
    one.other_ids.push(OtherId {
        kind: "doi".into(),
        value: "10.1016/S0140-6736(02)08187-5".into(),
        valid: true,
    });
    one.authors.push(Author {
        name: Some(PersonName {
            last: "Özgür-Smith".into(),
            initials: Some("JA".into()),
            ..PersonName::default()
        }),
        ..Author::default()
    });
    one
}

#[test]
fn identifiers_and_authors_are_found_by_plain_words() {
    let one = named_article("Aspirin");
    let (_dir, snapshot) = index_of(&[article("2", "Other", ""), one]);
    for query in [
        "11943073",
        "10.1016/s0140-6736(02)08187-5",
        "ozgur",
        "Özgür-Smith",
    ] {
        assert_eq!(found(&snapshot, query), [1], "{query}");
    }
}

#[test]
fn equal_scores_go_by_key_and_the_limit_cuts() {
    let articles: Vec<_> = (0..30)
        .map(|i| article(&i.to_string(), "Aspirin", ""))
        .collect();
    let (_dir, snapshot) = index_of(&articles);
    let matches = snapshot.search("aspirin", &Filter::default(), 7).unwrap();
    let keys: Vec<u32> = matches.hits.iter().map(|(key, _)| key.0).collect();
    assert_eq!(keys, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(matches.total, 30);
    let none = snapshot.search("aspirin", &Filter::default(), 0).unwrap();
    assert_eq!((none.hits.len(), none.total), (0, 30));
}

#[test]
fn a_sequence_of_ten_thousand_bases_finds_itself() {
    let bases = "ACGT".repeat(2500);
    let (_dir, snapshot) = index_of(&[article("1", &bases, ""), article("2", "Other", "")]);
    assert_eq!(found(&snapshot, &bases), [0]);
}

fn marked(query: &str, text: &str) -> String {
    let mut marked = String::new();
    let mut at = 0;
    for range in Highlighter::new(query).ranges(text) {
        marked.push_str(&text[at..range.start]);
        marked.push_str(&format!("[{}]", &text[range.clone()]));
        at = range.end;
    }
    marked.push_str(&text[at..]);
    marked
}

#[test]
fn highlights_what_matches() {
    let table = [
        (
            "statins and pain",
            "A Statin and the pain.",
            "A [Statin] and the [pain].",
        ),
        (
            "IL-2",
            "IL-2, IL2, IL 2 but 2 and IL-10",
            "[IL-2], [IL2], [IL] [2] but 2 and IL-10",
        ),
        ("TNFα", "TNF-alpha and α", "[TNF-alpha] and α"),
        (
            "catenin",
            "the β-catenin pathway",
            "the β-[catenin] pathway",
        ),
        ("crohn", "Crohn’s disease", "[Crohn]’s disease"),
        ("AIDS", "AIDS and aids", "[AIDS] and aids"),
        ("the of", "the cause of it", "[the] cause [of] it"),
        ("eclair", "un e\u{301}clair", "un [e\u{301}clair]"),
        ("CO2", "CO₂", "[CO₂]"),
        ("", "nothing", "nothing"),
    ];
    for (query, text, expected) in table {
        assert_eq!(marked(query, text), expected, "{query}");
    }
}

proptest! {
    #[test]
    fn highlights_are_ordered_and_on_boundaries(query in any::<String>(), text in any::<String>()) {
        let text = format!("{text}{query} {text}");
        let mut end = 0;
        for range in Highlighter::new(&query).ranges(&text) {
            prop_assert!(range.start >= end && range.start < range.end && range.end <= text.len());
            prop_assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
            end = range.end;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_query(query in any::<String>()) {
        use std::sync::OnceLock;
        static INDEX: OnceLock<(TempDir, KeywordSnapshot)> = OnceLock::new();
        let (_, snapshot) = INDEX.get_or_init(|| index_of(&[article("1", "Aspirin α 2", "")]));
        snapshot.search(&query, &Filter::default(), 10).unwrap();
    }

    #[test]
    fn a_text_finds_itself(text in "[A-Za-zα-ω0-9µ²é'./>-]{1,20}( [A-Za-z0-9-]{1,8}){0,3}") {
        let (_dir, snapshot) = index_of(&[article("1", &text, "")]);
        let has_word = text.chars().any(char::is_alphanumeric);
        prop_assert_eq!(found(&snapshot, &text).len(), usize::from(has_word));
    }
}

#[test]
fn words_are_told_with_what_they_were_looked_up_as() {
    let (_dir, snapshot) = index_of(&[named_article("IL-2 in headaches and AIDS")]);
    for (query, word, forms) in [
        ("the headaches", "headaches", &["headach"][..]),
        ("aids", "aids", &["aids"]),
        ("IL-2", "IL-2", &["il2", "il 2"]),
        ("Smith", "Smith", &["smith[Author]"]),
        ("11943073", "11943073", &["11943073[Article Identifier]"]),
    ] {
        let found = snapshot.search(query, &Filter::default(), 10).unwrap();
        let shown = found.words.iter().find(|shown| shown.text == word);
        let shown = shown.unwrap_or_else(|| panic!("{query}: {:?}", found.words));
        assert_eq!(shown.forms, forms, "{query}");
    }
    let nothing = snapshot.search("xylophone", &Filter::default(), 10);
    assert!(nothing.unwrap().words.is_empty());
}
