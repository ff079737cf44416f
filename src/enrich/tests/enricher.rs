use super::*;
use crate::enrich::{EnrichSettings, Enricher, EnrichmentCounts};
use std::sync::Arc;

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
    let (found, report) = enricher.enrich(&ARTICLES, false);
    assert_eq!((report.cached, report.incomplete), (0, None));
    assert_eq!(report.head, "t48");
    let mut mentions = 0;
    for ((title, text), entities) in ARTICLES.iter().zip(&found) {
        let entities = &entities.as_ref().unwrap().entities;
        let alone = tagger.annotate(&[title, text]).unwrap();
        assert_eq!([&entities.title, &entities.text], [&alone[0], &alone[1]]);
        mentions += entities.title.len() + entities.text.len();
    }
    assert!(mentions > 0, "nothing was looked at");
    let (again, report) = enricher.enrich(&ARTICLES[2..4], false);
    assert_eq!(report.cached, 2);
    assert_eq!(again, found[2..4]);
    let counts = EnrichmentCounts { hits: 2, misses: 6 };
    assert_eq!(enricher.counts(), counts);
}

#[test]
fn what_does_not_fit_into_memory_is_found_again() {
    let enricher = Enricher::new(tagger(48), &settings(600_000, 1));
    let (first, _) = enricher.enrich(&ARTICLES, false);
    let (second, report) = enricher.enrich(&ARTICLES, false);
    assert_eq!(first, second);
    assert_eq!(report.cached, 1);
}

#[test]
fn a_search_does_not_wait_longer_than_the_budget() {
    let enricher = Enricher::new(tagger(48), &settings(0, 100));
    let (found, report) = enricher.enrich(&ARTICLES, false);
    assert!(found.iter().all(Option::is_none));
    let why = report.incomplete.unwrap();
    assert!(why.contains("6 of 6 hits"), "{why}");
    assert!(settings(0, 1).check().is_err() && settings(1, 0).check().is_err());
    assert!(EnrichSettings::default().check().is_ok());
}

#[test]
fn relations_are_told_of_the_entities_that_are_there_and_kept_beside_them() {
    let settings = settings(600_000, 100);
    let pair = "Statins and muscle pain: IL-2 and TNF-α in T cells (p < 0.001).";
    let articles = [
        (pair, "Weakness of the cells."),
        ("Statins", pair),
        ("", ""),
    ];
    let plain = Enricher::new(tagger(48), &settings);
    let (_model, finder) = super::text::finder(&types());
    let enricher = Enricher::new(tagger(48), &settings).with_relations(vec![finder.clone()]);
    assert_ne!(plain.recipe_digest(), enricher.recipe_digest());
    assert!(enricher.tells_relations() && !plain.tells_relations());
    let (without, _) = enricher.enrich(&articles, false);
    assert!(
        without
            .iter()
            .flatten()
            .all(|found| found.relations.is_none())
    );
    // The entities are known by now: only what they have to do with each other
    // is new.
    let (with, report) = enricher.enrich(&articles, true);
    assert_eq!((report.cached, report.relation_heads.len()), (0, 1));
    let mut told = 0;
    for ((found, without), (title, text)) in with.iter().zip(&without).zip(articles) {
        let found = found.as_ref().unwrap();
        assert_eq!(found.entities, without.as_ref().unwrap().entities);
        let relations = found.relations.as_ref().unwrap();
        let alone = finder
            .find(&[
                (title, &found.entities.title[..]),
                (text, &found.entities.text[..]),
            ])
            .unwrap();
        assert_eq!([&relations.title, &relations.text], [&alone[0], &alone[1]]);
        told += found.related().count();
    }
    assert!(told > 0, "nothing was looked at");
    let (again, report) = enricher.enrich(&articles, true);
    assert_eq!(report.cached, articles.len());
    assert_eq!(again, with);
    let whole = enricher.find(&articles).unwrap();
    let with: Vec<_> = with
        .into_iter()
        .map(|one| Arc::unwrap_or_clone(one.unwrap()))
        .collect();
    assert_eq!(whole, with);
}
