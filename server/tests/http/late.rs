//! Searches that take longer than a request may: the client is told so, and
//! the thread is free again.

use crate::client::Server;
use crate::fixture;
use medsift::article::{Article, Section};
use medsift::index::Index;
use medsift::query::QueryDefaults;
use medsift::searcher::SearchSettings;
use medsift_server::ServerConfig;
use serde_json::{Value, json};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const WORDS: [&str; 8] = [
    "liver", "kidney", "heart", "brain", "lung", "spleen", "muscle", "nerve",
];

/// How long a request may take.
const LIMIT: Duration = Duration::from_millis(300);

/// Articles that all hold the same few words, each many times.
fn articles() -> Vec<Article> {
    let mut state = 7_u32;
    let mut word = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        WORDS[(state >> 24) as usize % WORDS.len()]
    };
    let mut text = || (0..500).map(|_| word()).collect::<Vec<_>>().join(" ");
    (1..=600)
        .map(|number| {
            let mut article = fixture::article(&number.to_string(), "Organs", 2020);
            article.abstract_sections = vec![Section {
                text: text().into(),
                ..Section::default()
            }];
            article
        })
        .collect()
}

fn index() -> (TempDir, Arc<Index>) {
    let folder = TempDir::new().unwrap();
    let model = fixture::encoder();
    fixture::commit_with(folder.path(), &model, "organs.xml", articles(), false);
    let settings = SearchSettings {
        query: QueryDefaults {
            max_query_chars: 1_000_000,
            ..QueryDefaults::default()
        },
        ..SearchSettings::default()
    };
    let index = Index::open(folder.path(), None, settings).unwrap();
    (folder, Arc::new(index))
}

/// Hundreds of times all the words near each other, each time in another order.
fn worst() -> String {
    let mut words = WORDS;
    let mut near = Vec::new();
    for number in 0..900 {
        near.push(format!("\"{}\"[tiab:~0]", words.join(" ")));
        words.swap(number % 7, number % 7 + 1);
        words.rotate_left(number / 7 % 8);
    }
    near.join(" OR ")
}

/// Waits until no job runs, and says how long that took.
fn idle(server: &Server) -> Duration {
    let began = Instant::now();
    while server.get("/health").json()["pool"]["running"] != 0 {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "a job never ends"
        );
        thread::sleep(Duration::from_millis(2));
    }
    began.elapsed()
}

#[test]
fn a_search_that_is_late_gives_its_thread_back() {
    let (_folder, index) = index();
    let query = json!({"query": worst(), "mode": "keyword"});
    let config = ServerConfig {
        cpu_threads: 1,
        queue: 0,
        request_timeout_ms: LIMIT.as_millis() as u64,
        ..ServerConfig::default()
    };
    let server = Server::start(index, config);
    let late = |path: &str, body: &Value| {
        let began = Instant::now();
        let answer = server.post(path, body.to_string().as_bytes());
        assert!(began.elapsed() < LIMIT * 10, "{:?}", began.elapsed());
        let free = idle(&server);
        assert!(free < LIMIT * 2, "{path}: the thread was busy for {free:?}");
        answer
    };
    for path in ["/v1/search", "/v1/export"] {
        let answer = late(path, &query);
        assert_eq!(answer.status, 504, "{}", answer.text());
        assert_eq!(answer.error(), ("timeout".to_owned(), None));
        assert!(answer.text().contains("rarer words"), "{}", answer.text());
    }
    let batch = late("/v1/batch", &json!({"searches": [&query, &query]}));
    for answer in batch.json()["responses"].as_array().unwrap() {
        assert_eq!(answer["error"]["code"], "timeout", "{answer}");
    }
    // The next one has all of its time.
    let answer = server.get("/v1/search?q=liver&mode=keyword");
    assert_eq!(answer.status, 200, "{}", answer.text());
}
