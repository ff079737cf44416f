//! Searches that have to be over by a deadline.

use super::*;
use crate::query::pubmed::{Date, Limits, parse};
use crate::query::strategy::Strategy;
use crate::query::{FacetField, Filter, Sort};
use std::time::Duration;

fn query(searcher: &Searcher, text: &str, mode: Mode) -> Query {
    let request = QueryRequest {
        query: text.to_owned(),
        mode: Some(mode),
        exact: mode == Mode::Semantic,
        facets: FacetField::ALL.to_vec(),
        ..QueryRequest::default()
    };
    Query::new(request, &searcher.settings().query).unwrap()
}

#[track_caller]
fn late<T>(result: Result<T>) {
    match result {
        Ok(_) => panic!("it was not broken off"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}"),
    }
}

const QUERIES: [&str; 4] = [
    "statins and muscle pain",
    "\"muscle pain\"[tiab] OR statin*[ti]",
    "\"pain muscle\"[ti:~2] AND myalgia[mh]",
    "pain AND 2010:2016[dp]",
];

#[test]
fn every_mode_ends_at_the_deadline_and_finds_the_same_before_it() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    let over = searcher.until(Deadline::after(Duration::ZERO));
    let far = searcher.until(Deadline::after(Duration::from_secs(3600)));
    assert_eq!(searcher.deadline(), Deadline::NEVER);
    let answer = |searcher: &Searcher, query: &Query| {
        let mut response = searcher.search(query).unwrap();
        response.took = Took::default();
        serde_json::to_value(response).unwrap()
    };
    for text in QUERIES {
        for mode in Mode::ALL {
            let query = query(&searcher, text, mode);
            late(over.search(&query));
            late(over.rank(&query));
            let [one, other] = [&*searcher, &far].map(|searcher| answer(searcher, &query));
            assert_eq!(one, other, "{text} {mode:?}");
            assert_ne!(one["hits"].as_array().unwrap().len(), 0, "{text}");
        }
    }
}

#[test]
fn so_do_those_who_search_otherwise() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    let over = searcher.until(Deadline::after(Duration::ZERO));
    late(over.similar(&ArticleId::new("1").unwrap(), &Filter::default(), None));
    let day = Date::parse("2023/06/30").unwrap();
    late(over.pmid_list(&PmidSearch {
        tree: parse("statins", Limits::default()).unwrap(),
        day,
        sets: BTreeMap::new(),
        order: PmidOrder::Relevance,
        from: 0,
        most: 10,
    }));
    let strategy = Strategy::parse("statins\n#1 AND pain").unwrap();
    late(over.run_strategy(&strategy, None, day));
    // What is kept for all who come after was gathered nevertheless.
    assert_eq!(over.articles_with_pmid().unwrap(), 3);
    assert_eq!(over.enriched_articles().unwrap(), 0);
    assert!(searcher.gathered.pmids.get().is_some());
    let found = over.article(&ArticleId::new("2").unwrap()).unwrap();
    assert!(found.is_some());
}

#[test]
fn a_walk_goes_on_under_the_deadline_of_each_step() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    for sort in [Sort::Relevance, Sort::Date] {
        let request = QueryRequest {
            query: "pain".to_owned(),
            mode: Some(Mode::Keyword),
            sort,
            ..QueryRequest::default()
        };
        let query = Query::new(request, &searcher.settings().query).unwrap();
        let over = searcher.until(Deadline::after(Duration::ZERO));
        late(over.walk(&query));
        let far = searcher.until(Deadline::after(Duration::from_secs(3600)));
        let mut walk = far.walk(&query).unwrap();
        late(over.advance(&mut walk, 10));
        assert_eq!(far.advance(&mut walk, 10).unwrap().len(), 2);
        assert!(searcher.advance(&mut walk, 10).unwrap().is_empty());
    }
}
