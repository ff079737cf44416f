//! Facets, lists by date, cursors, walks, similar articles and suggestions.

use super::*;
use crate::error::ErrorKind;
use crate::query::{Cursor, FacetField, Filter, Sort};

fn request(query: &str, mode: Mode) -> QueryRequest {
    QueryRequest {
        query: query.to_owned(),
        mode: Some(mode),
        ..QueryRequest::default()
    }
}

fn ask(searcher: &Searcher, request: QueryRequest) -> Result<SearchResponse> {
    searcher.search(&Query::new(request, &searcher.settings().query)?)
}

/// Ids in the order of the list.
fn in_order(response: &SearchResponse) -> Vec<String> {
    response.hits.iter().map(|hit| hit.id.to_string()).collect()
}

/// Every page of a list, one hit each.
fn walked(searcher: &Searcher, request: &QueryRequest) -> Vec<String> {
    let mut walked = Vec::new();
    let mut cursor: Option<Cursor> = None;
    for page in 0..99 {
        let request = QueryRequest {
            cursor,
            limit: Some(1),
            ..request.clone()
        };
        let response = ask(searcher, request).unwrap();
        assert_eq!(response.offset, page);
        let ranks: Vec<usize> = response.hits.iter().map(|hit| hit.rank).collect();
        assert_eq!(ranks, [page + 1]);
        walked.extend(in_order(&response));
        cursor = response.next_cursor;
        if cursor.is_none() {
            return walked;
        }
    }
    panic!("the list has no end");
}

#[test]
fn pages_by_cursor_are_the_list() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    for query in [
        "statins and muscle pain",
        "all[sb]",
        "muscle[ti] OR statins[ti]",
    ] {
        for mode in Mode::ALL {
            for sort in Sort::ALL {
                if mode == Mode::Semantic && query == "all[sb]" {
                    continue;
                }
                let request = QueryRequest {
                    sort,
                    ..request(query, mode)
                };
                let whole = ask(&searcher, request.clone()).unwrap();
                assert_eq!(whole.next_cursor, None);
                let whole = in_order(&whole);
                assert_eq!(whole.len(), 3, "{query} {mode:?} {sort:?}");
                assert_eq!(
                    walked(&searcher, &request),
                    whole,
                    "{query} {mode:?} {sort:?}"
                );
            }
        }
    }
}

#[test]
fn the_newest_come_first_in_every_mode() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    for mode in Mode::ALL {
        let request = QueryRequest {
            sort: Sort::Date,
            ..request("statins and muscle pain", mode)
        };
        let response = ask(&searcher, request).unwrap();
        assert_eq!(in_order(&response), ["3", "1", "2"], "{mode:?}");
    }
}

#[test]
fn a_cursor_belongs_to_one_search() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    let first = QueryRequest {
        limit: Some(1),
        ..request("muscle pain", Mode::Keyword)
    };
    let cursor = ask(&searcher, first.clone()).unwrap().next_cursor;
    assert!(cursor.is_some());
    let with = |change: &dyn Fn(&mut QueryRequest)| {
        let mut request = QueryRequest {
            cursor,
            ..first.clone()
        };
        change(&mut request);
        ask(&searcher, request)
    };
    // What does not change the list may change.
    assert!(with(&|request| request.limit = Some(3)).is_ok());
    assert!(with(&|request| request.explain = true).is_ok());
    let changes: [&dyn Fn(&mut QueryRequest); 4] = [
        &|request| request.query = "muscle".into(),
        &|request| request.mode = Some(Mode::Hybrid),
        &|request| request.sort = Sort::Date,
        &|request| request.filter.has_abstract = Some(true),
    ];
    for change in changes {
        assert_eq!(with(change).unwrap_err().field(), Some("cursor"));
    }
    let beside = with(&|request| request.offset = 1);
    assert_eq!(beside.unwrap_err().field(), Some("offset"));
}

#[test]
fn after_a_commit_scores_begin_again_and_dates_go_on() {
    let (dir, index) = index(None);
    let before = index.searcher().unwrap();
    let page = |sort| QueryRequest {
        limit: Some(1),
        sort,
        ..request("muscle pain", Mode::Keyword)
    };
    let cursor = |sort| ask(&before, page(sort)).unwrap().next_cursor;
    let (by_score, by_date) = (cursor(Sort::Relevance), cursor(Sort::Date));
    add(
        dir.path(),
        &[article(
            "4",
            "Muscle pain, newer than all",
            "D1",
            "Pain",
            2025,
        )],
    );
    let after = index.searcher().unwrap();
    assert_eq!(after.generation(), before.generation() + 1);
    let go_on = |sort, cursor| {
        let request = QueryRequest {
            cursor,
            limit: None,
            ..page(sort)
        };
        ask(&after, request)
    };
    let error = go_on(Sort::Relevance, by_score).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Outdated);
    assert!(error.to_string().contains("sort=date"), "{error}");
    let rest = go_on(Sort::Date, by_date).unwrap();
    assert_eq!(in_order(&rest), ["1"]);
    assert!(
        rest.warnings[0].contains("the index has changed"),
        "{:?}",
        rest.warnings
    );
}

#[test]
fn facets_are_over_what_the_mode_finds() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    let count = |query: &str, mode, filter: &Filter| {
        let request = QueryRequest {
            facets: FacetField::ALL.to_vec(),
            limit: Some(1),
            filter: filter.clone(),
            ..request(query, mode)
        };
        ask(&searcher, request).unwrap().facets.unwrap()
    };
    let all = Filter::default();
    for (query, mode, over, articles) in [
        ("statins", Mode::Keyword, FacetScope::Matches, 2),
        ("statins", Mode::Semantic, FacetScope::Nearest, 3),
        ("statins", Mode::Hybrid, FacetScope::MatchesAndNearest, 3),
        ("statins[ti]", Mode::Keyword, FacetScope::Selection, 2),
        ("statins[ti]", Mode::Semantic, FacetScope::Selection, 2),
        ("statins[ti]", Mode::Hybrid, FacetScope::Selection, 2),
    ] {
        let facets = count(query, mode, &all);
        assert_eq!(
            (facets.over, facets.articles),
            (over, articles),
            "{query} {mode:?}"
        );
        let years = facets.year.unwrap();
        let total: u64 = years.iter().map(|year| year.articles).sum();
        assert_eq!(total, articles);
    }
    let mesh = count("muscle", Mode::Keyword, &all).mesh.unwrap();
    let mesh: Vec<_> = mesh
        .values
        .iter()
        .map(|found| (&*found.value, found.articles))
        .collect();
    assert_eq!(mesh, [("Myalgia", 2)]);
    // A count is what the filter of its value finds.
    let aged = Filter {
        mesh: vec!["Aged".into()],
        ..Filter::default()
    };
    assert_eq!(count("statins", Mode::Keyword, &aged).articles, 1);
    let plain = ask(&searcher, request("statins", Mode::Keyword)).unwrap();
    assert_eq!(plain.facets, None);
}

#[test]
fn a_walk_gives_each_article_once() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    for (query, mode, articles) in [
        ("statins", Mode::Keyword, 2),
        ("statins", Mode::Hybrid, 3),
        ("all[sb]", Mode::Hybrid, 3),
        ("statins[ti]", Mode::Hybrid, 2),
        ("statins[ti]", Mode::Semantic, 2),
    ] {
        for sort in Sort::ALL {
            let request = QueryRequest {
                sort,
                ..request(query, mode)
            };
            let asked = Query::new(request.clone(), &searcher.settings().query).unwrap();
            let mut walk = searcher.walk(&asked).unwrap();
            assert_eq!(walk.articles(), articles);
            let mut ids = Vec::new();
            loop {
                let next = searcher.advance(&mut walk, 2).unwrap();
                if next.is_empty() {
                    break;
                }
                ids.extend(next.iter().map(|stored| stored.article.id.to_string()));
            }
            let mut listed = in_order(&ask(&searcher, request).unwrap());
            let ranked_by_meaning = sort == Sort::Relevance && query.contains("[ti]");
            if ranked_by_meaning {
                ids.sort();
                listed.sort();
            }
            assert_eq!(ids, listed, "{query} {mode:?} {sort:?}");
        }
    }
}

#[test]
fn similar_articles_are_the_others_nearest_first() {
    let (_dir, index) = index(None);
    let searcher = index.searcher().unwrap();
    let id = |text: &str| ArticleId::new(text).unwrap();
    let ask = |of: &str, filter: &Filter, limit| searcher.similar(&id(of), filter, limit);
    for of in ["1", "2", "3"] {
        let found = ask(of, &Filter::default(), None).unwrap().unwrap();
        assert_eq!(found.hits.len(), 2);
        assert!(
            found
                .hits
                .iter()
                .all(|hit| hit.id.as_str() != of && hit.passage.is_some())
        );
        assert!(found.hits[0].score >= found.hits[1].score);
        let first = ask(of, &Filter::default(), Some(1)).unwrap().unwrap();
        assert_eq!(first.hits[0].id, found.hits[0].id);
    }
    let aged = Filter {
        mesh: vec!["Aged".into()],
        ..Filter::default()
    };
    let found = ask("1", &aged, None).unwrap().unwrap();
    assert_eq!(found.hits.len(), 1);
    assert_eq!(found.hits[0].id.as_str(), "2");
    assert!(ask("2", &aged, None).unwrap().unwrap().hits.is_empty());
    assert!(ask("99", &aged, None).unwrap().is_none());
    assert_eq!(ask("1", &aged, Some(0)).unwrap_err().field(), Some("limit"));
}

#[test]
fn suggestions_complete_what_was_typed() {
    let table = MeshTable::new(vec![crate::mesh::Descriptor {
        ui: "D063806".into(),
        heading: "Myalgia".into(),
        entry_terms: vec!["Sore Muscles".into(), "Nowhere".into()],
        ..crate::mesh::Descriptor::default()
    }]);
    let (_dir, index) = index(Some(table));
    let searcher = index.searcher().unwrap();
    let suggest = |typed: &str| {
        let found = searcher.suggest(typed, &SuggestionKind::ALL, None).unwrap();
        let found = found.into_iter();
        found
            .map(|one| (one.kind, one.query, one.found_as))
            .collect::<Vec<_>>()
    };
    let term = |query: &str| (SuggestionKind::Term, query.to_owned(), None);
    assert_eq!(suggest("sta"), [term("statins")]);
    assert_eq!(suggest("pain and Musc"), [term("pain and muscle")]);
    let mesh = |name: Option<&str>| {
        let query = "\"Myalgia\"[mh]".to_owned();
        (SuggestionKind::Mesh, query, name.map(str::to_owned))
    };
    assert_eq!(suggest("myal"), [mesh(None)]);
    assert_eq!(
        suggest("sore mus"),
        [term("sore muscle"), mesh(Some("Sore Muscles"))]
    );
    for nothing in ["", " ", "s", "-", "zzz", "\"[", "d0638"] {
        assert!(suggest(nothing).is_empty(), "{nothing}");
    }
    let too_many = searcher.suggest("sta", &SuggestionKind::ALL, Some(1000));
    assert_eq!(too_many.unwrap_err().field(), Some("limit"));
}

#[test]
fn a_list_by_date_is_walked_to_its_end_though_what_was_passed_is_deleted() {
    let (dir, index) = index(None);
    let all: Vec<Article> = (10..18)
        .map(|number| {
            let year = 2000 + number;
            article(&number.to_string(), "Gout in flamingos", "D1", "Gout", year)
        })
        .collect();
    add(dir.path(), &all);
    let page = |cursor| QueryRequest {
        limit: Some(2),
        sort: Sort::Date,
        cursor,
        ..request("flamingos", Mode::Keyword)
    };
    let before = index.searcher().unwrap();
    let first = ask(&before, page(None)).unwrap();
    let second = ask(&before, page(first.next_cursor)).unwrap();
    assert_eq!(in_order(&second), ["15", "14"]);
    remove(dir.path(), &["17", "16", "15"]);
    let after = index.searcher().unwrap();
    let (mut rest, mut cursor) = (Vec::new(), second.next_cursor);
    while cursor.is_some() {
        let response = ask(&after, page(cursor)).unwrap();
        rest.extend(in_order(&response));
        cursor = response.next_cursor;
    }
    assert_eq!(rest, ["13", "12", "11", "10"]);
}

#[test]
fn a_page_by_offset_leads_to_pages_that_are_answered() {
    let (dir, _) = index(None);
    let mut settings = SearchSettings::default();
    settings.query.limit = 2;
    settings.query.max_limit = 2;
    settings.query.max_window = 3;
    let defaults = settings.query.clone();
    let index = Index::open(dir.path(), Some(encoder()), settings).unwrap();
    let searcher = index.searcher().unwrap();
    let page = |offset, cursor| QueryRequest {
        offset,
        cursor,
        ..request("all[sb]", Mode::Keyword)
    };
    let ask = |request| {
        searcher
            .search(&Query::new(request, &defaults).unwrap())
            .unwrap()
    };
    let first = ask(page(0, None));
    // The next one by offset would reach beyond the window.
    assert_eq!(first.next_offset, None);
    let second = ask(page(0, first.next_cursor));
    assert!(!second.hits.is_empty());
}
