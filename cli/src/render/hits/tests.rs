use super::*;
use medsift::query::{Filter, Mode};
use medsift::searcher::{Explanation, Found, Highlights, HitPassage, Took};
use medsift::{Article, ArticleId};
use std::sync::Arc;

const TEXT: &str = "BACKGROUND: Many people who take a tablet every day report that their legs \
    ache. METHODS: We asked four hundred adults. RESULTS: Muscle pain was twice as common among \
    those on statins, and faded after the drug was withheld. CONCLUSIONS: Ask about it.";

fn marks(text: &str, words: &[&str]) -> Vec<[usize; 2]> {
    let chars: Vec<char> = text.to_lowercase().chars().collect();
    let mut found = Vec::new();
    for word in words {
        let word: Vec<char> = word.chars().collect();
        for at in 0..chars.len() {
            if chars[at..].starts_with(&word) {
                found.push([at, at + word.len()]);
            }
        }
    }
    found.sort_unstable();
    found
}

fn hit(rank: usize, id: &str) -> Hit {
    let id = ArticleId::new(id).unwrap();
    let title = "Muscle pain in people who take statins: a survey of four hundred adults";
    Hit {
        id: id.clone(),
        rank,
        score: 0.87654,
        title: title.into(),
        text: TEXT.into(),
        abstract_origin: AbstractOrigin::Main,
        authors: ["Ash B", "Birch C", "Cedar D", "Elm F"]
            .map(String::from)
            .into(),
        journal: Some("Medsift Sample Rep".into()),
        published: Some("2021 Mar".into()),
        year: Some(2021),
        publication_types: vec!["Journal Article".into(), "Review".into()],
        languages: vec!["eng".into()],
        doi: None,
        pmc: None,
        retracted: false,
        truncated: false,
        passage: None,
        highlights: Highlights {
            title: marks(title, &["muscle", "pain", "statins"]),
            text: marks(TEXT, &["muscle", "pain", "statins"]),
        },
        entities: None,
        relations: None,
        explain: None,
        article: Arc::new(Article::new(id)),
    }
}

fn response(hits: Vec<Hit>) -> SearchResponse {
    SearchResponse {
        query: "muscle pain statins".into(),
        translation: None,
        mode: Mode::Hybrid,
        sort: Default::default(),
        filter: Filter::default(),
        fusion: None,
        found: Found {
            candidates: 57,
            keyword_matches: Some(40),
            semantic_candidates: Some(50),
            more: false,
        },
        offset: 0,
        limit: 10,
        next_offset: Some(10),
        next_cursor: None,
        facets: None,
        hits,
        warnings: Vec::new(),
        enrichment: None,
        model: None,
        generation: 1,
        took: Took::default(),
    }
}

fn show(hits: Vec<Hit>, width: usize) -> String {
    page(&response(hits), width, Style::new(false))
}

#[test]
fn a_row_says_what_a_reader_needs() {
    let shown = show(vec![hit(1, "990000001")], 100);
    for part in [
        "990000001",
        "0.8765",
        "2021",
        "Muscle pain in people",
        "Ash B, Birch C, Cedar D, et al.",
        "Medsift Sample Rep",
        "Review",
        "hits 1 to 1 of 57 ranked · 40 match the words · 50 by meaning",
        "--offset 10",
    ] {
        assert!(shown.contains(part), "{part:?} is not in\n{shown}");
    }
    assert!(!shown.contains("Journal Article"));
}

#[test]
fn the_foot_does_not_call_candidates_matches() {
    let foot_of = |mode, more| {
        let mut response = response(vec![hit(1, "1")]);
        response.mode = mode;
        response.found.more = more;
        foot(&response)
    };
    for (mode, more, part) in [
        (
            Mode::Hybrid,
            true,
            "of the best 57 ranked · 40 match the words",
        ),
        (Mode::Semantic, false, "of 57 ranked by meaning"),
        (Mode::Semantic, true, "of the best 57 ranked by meaning"),
        (Mode::Keyword, false, "of 57 that match the words"),
        (Mode::Keyword, true, "of the best 57 · 40 match the words"),
    ] {
        let foot = foot_of(mode, more);
        assert!(foot.contains(part), "{foot}");
    }
}

#[test]
fn every_line_fits_the_terminal() {
    let mut other = hit(2, "MED-10");
    other.title = "筋肉痛とスタチンに関する長い題名がここにある研究報告、その一".into();
    other.highlights = Highlights::default();
    for width in [60, 80, 100, 140] {
        let shown = show(vec![hit(1, "990000001"), other.clone()], width);
        for line in shown.lines() {
            assert!(
                columns(line) <= width,
                "{} > {width}: {line}",
                columns(line)
            );
        }
    }
}

#[test]
fn the_snippet_shows_the_matching_part_and_marks_it() {
    let shown = show(vec![hit(1, "1")], 100);
    assert!(shown.contains("Muscle pain was twice"), "{shown}");
    assert!(shown.contains('…'), "{shown}");
    let painted = page(&response(vec![hit(1, "1")]), 100, Style::new(true));
    assert!(painted.contains("\x1b[1;33mstatins\x1b[0m"), "{painted}");
}

#[test]
fn without_matching_words_the_best_passage_is_shown() {
    let mut only_near = hit(1, "1");
    only_near.highlights = Highlights::default();
    let start = TEXT.find("RESULTS").unwrap();
    only_near.passage = Some(HitPassage {
        ordinal: 0,
        start,
        end: TEXT.chars().count(),
        score: 0.5,
    });
    let shown = show(vec![only_near], 100);
    assert!(shown.contains("…RESULTS: Muscle"), "{shown}");
}

#[test]
fn what_must_not_be_overlooked_is_there() {
    let mut bad = hit(1, "1");
    bad.retracted = true;
    bad.text = String::new();
    bad.highlights = Highlights::default();
    bad.abstract_origin = AbstractOrigin::None;
    let shown = show(vec![bad], 100);
    assert!(shown.contains("RETRACTED · no abstract"), "{shown}");
}

#[test]
fn explain_gives_both_sides() {
    let mut explained = hit(1, "1");
    explained.explain = Some(Explanation {
        keyword: Some(SideRank {
            rank: 3,
            score: 12.5,
        }),
        semantic: None,
    });
    let shown = show(vec![explained], 100);
    assert!(
        shown.contains("keyword #3 (12.5000) · semantic not found"),
        "{shown}"
    );
}

#[test]
fn a_long_id_is_shown_whole() {
    let long = "x".repeat(40);
    assert!(show(vec![hit(1, &long)], 100).contains(&long));
}

#[test]
fn stored_escapes_do_not_reach_the_terminal() {
    let mut evil = hit(1, "1");
    evil.title = "a\x1b]0;owned\x07b".into();
    evil.authors = vec!["\x1b[2JX".into()];
    assert!(!show(vec![evil], 100).contains(['\x1b', '\x07']));
}

#[test]
fn marks_past_the_text_are_no_panic() {
    let mut off = hit(1, "1");
    off.highlights.title = vec![[1000, 2000], [5, 2]];
    off.highlights.text = vec![[1000, 2000]];
    off.passage = Some(HitPassage {
        ordinal: 0,
        start: 9000,
        end: 9999,
        score: 0.1,
    });
    show(vec![off], 100);
}

#[test]
fn an_empty_page_says_why() {
    let mut empty = response(Vec::new());
    empty.found.candidates = 0;
    let style = Style::new(false);
    assert!(page(&empty, 80, style).contains("no article matches"));
    empty.filter.has_abstract = Some(true);
    assert!(page(&empty, 80, style).contains("fewer filters"));
    empty.found.candidates = 5;
    empty.offset = 10;
    assert!(page(&empty, 80, style).contains("there are 5"));
}
