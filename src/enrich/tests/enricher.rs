use super::*;
use crate::enrich::{EnrichSettings, Enricher};

const ARTICLES: [(&str, &str); 6] = [
    ("Statins and muscle pain", "IL-2 and TNF-α in T cells."),
    ("", "Muscle pain in patients."),
    ("A title alone", ""),
    ("Statins", "Pain. Statins and pain."),
    ("TNF-α", "Receptors of the tumour."),
    ("", ""),
];

fn settings(budget_ms: u64, cached_articles: usize) -> EnrichSettings {
    EnrichSettings {
        budget_ms,
        cached_articles,
        ..EnrichSettings::default()
    }
}

#[test]
fn articles_get_what_their_texts_get_alone_and_are_known_the_next_time() {
    let tagger = tagger(48);
    let enricher = Enricher::new(tagger.clone(), &settings(600_000, 100));
    let (found, report) = enricher.enrich(&ARTICLES);
    assert_eq!((report.cached, report.incomplete), (0, None));
    assert_eq!(report.head, "t48");
    let mut mentions = 0;
    for ((title, text), entities) in ARTICLES.iter().zip(&found) {
        let entities = entities.as_ref().unwrap();
        let alone = tagger.annotate(&[title, text]).unwrap();
        assert_eq!([&entities.title, &entities.text], [&alone[0], &alone[1]]);
        mentions += entities.title.len() + entities.text.len();
    }
    assert!(mentions > 0, "nothing was looked at");
    let (again, report) = enricher.enrich(&ARTICLES[2..4]);
    assert_eq!(report.cached, 2);
    assert_eq!(again, found[2..4]);
}

#[test]
fn what_does_not_fit_into_memory_is_found_again() {
    let enricher = Enricher::new(tagger(48), &settings(600_000, 1));
    let (first, _) = enricher.enrich(&ARTICLES);
    let (second, report) = enricher.enrich(&ARTICLES);
    assert_eq!(first, second);
    assert_eq!(report.cached, 1);
}

#[test]
fn a_search_does_not_wait_longer_than_the_budget() {
    let enricher = Enricher::new(tagger(48), &settings(0, 100));
    let (found, report) = enricher.enrich(&ARTICLES);
    assert!(found.iter().all(Option::is_none));
    let why = report.incomplete.unwrap();
    assert!(why.contains("6 of 6 hits"), "{why}");
    assert!(settings(0, 1).check().is_err() && settings(1, 0).check().is_err());
    assert!(EnrichSettings::default().check().is_ok());
}
