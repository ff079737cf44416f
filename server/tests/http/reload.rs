//! Commits that land while clients ask: nobody gets anything but an answer.

use crate::client::{Answer, Server};
use crate::export::joined;
use crate::fixture::{self, article, commit};
use medsift::article::Article;
use medsift::index::Index;
use medsift::searcher::SearchSettings;
use medsift_server::ServerConfig;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Commits that land meanwhile.
const COMMITS: u64 = 5;

/// Articles that each of them adds.
const ADDED: u64 = 6;

/// The article that every commit replaces.
const CHANGING: &str = "99010000";

/// What a commit holds; the first one makes the index.
fn state(number: u64) -> Vec<Article> {
    let title = format!("State {number} of the trial of statins");
    let mut articles = vec![article(CHANGING, &title, 2020)];
    articles.extend((0..ADDED).map(|place| {
        let id = format!("990200{number}{place}");
        let title = format!("Statins in study {place} of commit {number}");
        article(&id, &title, 2000 + number as i32)
    }));
    articles
}

fn put(folder: &Path, number: u64) {
    let source = format!("state{number}.xml");
    commit(folder, &fixture::encoder(), &source, state(number));
}

fn ok(server: &Server, path: &str) -> Answer {
    let answer = server.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer
}

/// The generation that answered; a client never goes back to an earlier one.
fn newer(answer: &Value, seen: &mut u64) {
    let generation = answer["generation"].as_u64().unwrap();
    assert!(generation >= *seen, "{generation} after {seen}");
    *seen = generation;
}

fn by_words(server: &Server, seen: &mut u64) {
    let found = ok(server, "/v1/search?q=statins&mode=keyword&facets=year").json();
    newer(&found, seen);
    // Every commit is seen whole.
    assert_eq!(found["facets"]["articles"], 1 + *seen * ADDED, "{found}");
}

fn by_both(server: &Server, seen: &mut u64) {
    let found = ok(server, "/v1/search?q=a+trial+of+statins&limit=20").json();
    newer(&found, seen);
    assert!(found["hits"].as_array().unwrap().len() > 5, "{found}");
}

fn article_alone(server: &Server, seen: &mut u64) {
    let found = ok(server, &format!("/v1/articles/{CHANGING}")).json();
    let title = found["article"]["title"].to_string();
    let mut states = 0..=COMMITS;
    let current = states.find(|number| title.contains(&format!("State {number} ")));
    let current = current.unwrap_or_else(|| panic!("{title}"));
    assert!(current >= *seen, "{current} after {seen}");
    *seen = current;
}

fn suggestions(server: &Server, seen: &mut u64) {
    let found = ok(server, "/v1/suggest?q=stat&kinds=term").json();
    newer(&found, seen);
    assert_eq!(found["suggestions"][0]["text"], "statins", "{found}");
}

fn exported(server: &Server, seen: &mut u64) {
    let answer = ok(server, "/v1/export?q=statins%5Bti%5D");
    let all: u64 = answer.header("medsift-articles").parse().unwrap();
    assert_eq!(joined(&answer.body).lines().count() as u64, all);
    assert!(
        all >= *seen && (all - 1).is_multiple_of(ADDED),
        "{all} after {seen}"
    );
    *seen = all;
}

/// A list by date goes on in a newer state; one by relevance says that it
/// cannot.
fn pages(server: &Server, seen: &mut u64) {
    for (sort, may_expire) in [("date", false), ("relevance", true)] {
        let path = format!("/v1/search?q=statins&mode=keyword&limit=3&sort={sort}");
        let first = ok(server, &path).json();
        newer(&first, seen);
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = server.get(&format!("{path}&cursor={cursor}"));
        match second.status {
            200 => assert_eq!(second.json()["hits"][0]["rank"], 4, "{}", second.text()),
            status => {
                let refused = (status, second.error().0.as_str() == "cursor_expired");
                assert_eq!((refused, may_expire), ((410, true), true), "{sort}");
            }
        }
    }
}

#[test]
fn commits_land_while_clients_ask() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), 0);
    let encoder = Some(fixture::encoder());
    let index = Index::open(folder.path(), encoder, SearchSettings::default()).unwrap();
    let server = Server::start(Arc::new(index), ServerConfig::default());
    let clients: [fn(&Server, &mut u64); 6] = [
        by_words,
        by_both,
        article_alone,
        suggestions,
        exported,
        pages,
    ];
    let (done, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for ask in clients {
            let (server, done, answered) = (&server, &done, &answered);
            scope.spawn(move || {
                let mut seen = 0;
                while !done.load(Ordering::Relaxed) {
                    ask(server, &mut seen);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                // Once more of what is there at the end.
                ask(server, &mut seen);
            });
        }
        for number in 1..=COMMITS {
            // Between two commits some are asked from begin to end.
            let enough = answered.load(Ordering::Relaxed) + 2 * clients.len();
            let patience = Instant::now() + Duration::from_secs(60);
            while answered.load(Ordering::Relaxed) < enough && Instant::now() < patience {
                thread::sleep(Duration::from_millis(5));
            }
            put(folder.path(), number);
        }
        done.store(true, Ordering::Relaxed);
    });
    let newest = ok(&server, "/v1/search?q=statins&mode=keyword&limit=1").json();
    assert_eq!(newest["generation"], COMMITS + 1);
    for change in state(COMMITS) {
        let stored = ok(&server, &format!("/v1/articles/{}", change.id)).json();
        assert_eq!(stored["article"], serde_json::to_value(&change).unwrap());
    }
}
