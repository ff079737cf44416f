//! Lists that go on behind the window, by cursor.

use crate::client::Server;
use crate::fixture::{self, article, commit};
use medsift::index::Index;
use medsift::searcher::SearchSettings;
use medsift_server::ServerConfig;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Articles that the search finds.
const ALL: usize = 23;

/// How far offsets reach.
const WINDOW: usize = 5;

fn server(folder: &Path) -> Server {
    let encoder = fixture::encoder();
    let found = |number: usize| {
        let title = format!(
            "Statins, study number {number}{}",
            " of many".repeat(number % 5)
        );
        article(
            &format!("9900{number:04}"),
            &title,
            2000 + number as i32 % 7,
        )
    };
    commit(folder, &encoder, "a.xml", (0..ALL).map(found).collect());
    let mut settings = SearchSettings::default();
    settings.query.limit = 2;
    settings.query.max_limit = 4;
    settings.query.max_window = WINDOW;
    let index = Index::open(folder, Some(encoder), settings).unwrap();
    Server::start(Arc::new(index), ServerConfig::default())
}

/// The pages of a list, from the first to the one without a cursor.
fn pages(server: &Server, search: &str) -> Vec<Value> {
    let mut pages: Vec<Value> = Vec::new();
    let mut more = String::new();
    loop {
        let page = server.get(&format!("{search}{more}"));
        assert_eq!(page.status, 200, "{}", page.text());
        pages.push(page.json());
        assert!(pages.len() <= ALL, "the list does not end");
        let Some(cursor) = pages[pages.len() - 1]["next_cursor"].as_str() else {
            return pages;
        };
        more = format!("&cursor={cursor}");
    }
}

#[test]
fn a_cursor_leads_past_the_window_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path());
    for sort in ["relevance", "date"] {
        let search = format!("/v1/search?q=statins&mode=keyword&sort={sort}&limit=3");
        let beyond = server.get(&format!("{search}&offset={WINDOW}"));
        let error = ("invalid_parameter".to_owned(), Some("offset".to_owned()));
        assert_eq!((beyond.status, beyond.error()), (400, error));
        let mut ids = BTreeSet::new();
        let mut years = Vec::new();
        for page in pages(&server, &search) {
            for hit in page["hits"].as_array().unwrap() {
                assert!(ids.insert(hit["id"].to_string()), "{sort}: twice: {hit}");
                assert_eq!(hit["rank"], ids.len(), "{sort}");
                years.push(hit["year"].as_i64().unwrap());
            }
            let by_offset = ids.len() + 3 <= WINDOW;
            assert_eq!(page["next_offset"].is_u64(), by_offset, "{sort}: {page}");
        }
        assert_eq!(ids.len(), ALL, "{sort}");
        let newest_first = years.is_sorted_by(|a, b| a >= b);
        assert_eq!(newest_first, sort == "date", "{years:?}");
    }
}
