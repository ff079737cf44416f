use super::super::positions::{Slot, side_by_side};
use super::*;
use crate::keyword::boolean::Setting;
use crate::keyword::snapshot::KeywordSnapshot;
use crate::keyword::tests::{article, index_of};
use crate::query::pubmed::Date;
use tempfile::TempDir;

/// Four words that begin alike, each in the title of one article.
fn index() -> (TempDir, KeywordSnapshot) {
    let titles = [
        "Severe immunity",
        "Severe immunoglobulin",
        "Severe immunology",
        "Severe immunosuppression",
    ];
    let articles: Vec<_> = (1..)
        .zip(titles)
        .map(|(name, title)| article(&format!("{name}"), title, ""))
        .collect();
    index_of(&articles)
}

fn with_budget(snapshot: &KeywordSnapshot, budget: Budget) -> Evaluator<'_> {
    let mut evaluator = Evaluator::new(snapshot, Setting::new(None, Date::today()));
    evaluator.budget = budget;
    evaluator
}

fn found(evaluator: &mut Evaluator<'_>, prefix: &str) -> Vec<u32> {
    let field = evaluator.fields().title_words;
    evaluator.prefix(field, prefix).unwrap().iter().collect()
}

#[test]
fn a_truncated_word_stands_for_so_many_words() {
    let (_dir, snapshot) = index();
    let budget = |alone| Budget {
        alone,
        ..Budget::default()
    };
    let mut enough = with_budget(&snapshot, budget(4));
    assert_eq!(found(&mut enough, "immun"), [0, 1, 2, 3]);
    assert!(enough.warnings.is_empty(), "{:?}", enough.warnings);
    let mut few = with_budget(&snapshot, budget(2));
    // The first ones in the order of the alphabet.
    assert_eq!(found(&mut few, "immun"), [0, 1]);
    assert_eq!(
        few.warnings,
        [
            "`immun*` stands for too many words: only the first 2 of them were searched; write \
             more letters"
        ]
    );
    assert_eq!(found(&mut few, "immunos"), [3]);
    assert_eq!(few.warnings.len(), 1);
}

#[test]
fn inside_a_phrase_it_stands_for_fewer() {
    let (_dir, snapshot) = index();
    let slots = [Slot::Term("severe".into()), Slot::Prefix("immun".into())];
    let phrase = |in_phrase| {
        let budget = Budget {
            in_phrase,
            ..Budget::default()
        };
        let mut evaluator = with_budget(&snapshot, budget);
        let field = evaluator.fields().title_words;
        let found = evaluator.positioned(field, &slots, side_by_side).unwrap();
        (found.iter().collect::<Vec<_>>(), evaluator.warnings)
    };
    assert_eq!(phrase(4), (vec![0, 1, 2, 3], Vec::new()));
    let (found, warnings) = phrase(1);
    assert_eq!(found, [0]);
    assert!(
        warnings[0].contains("only the first 1 of them"),
        "{warnings:?}"
    );
}

#[test]
fn all_truncated_words_of_a_query_share_what_there_is() {
    let (_dir, snapshot) = index();
    let budget = Budget {
        left: 5,
        ..Budget::default()
    };
    let mut evaluator = with_budget(&snapshot, budget);
    assert_eq!(found(&mut evaluator, "immun"), [0, 1, 2, 3]);
    assert!(evaluator.warnings.is_empty());
    assert_eq!(found(&mut evaluator, "immuno"), [1]);
    assert_eq!(found(&mut evaluator, "seve"), [] as [u32; 0]);
    let [cut, none] = &evaluator.warnings[..] else {
        panic!("{:?}", evaluator.warnings);
    };
    assert!(cut.starts_with("`immuno*` stands for too many words: only the first 1"));
    assert!(
        none.starts_with("`seve*` was not searched everywhere"),
        "{none}"
    );
    // What begins nothing needs nothing.
    assert_eq!(found(&mut evaluator, "zzz"), [] as [u32; 0]);
    assert_eq!(evaluator.warnings.len(), 2);
}
