//! Several searches or articles in one request.

use crate::client::Server;
use crate::description::fits;
use crate::fixture;
use medsift_server::ServerConfig;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn batch(server: &Server, searches: &[Value]) -> Vec<Value> {
    let body = json!({ "searches": searches }).to_string();
    let answer = server.post("/v1/batch", body.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.text());
    fits(server, "/v1/batch", "post", &answer);
    answer.json()["responses"].as_array().unwrap().clone()
}

#[test]
fn a_batch_answers_as_its_searches_would_one_by_one() {
    let server = fixture::server();
    let searches = [
        json!({"query": "statins muscle pain", "limit": 2}),
        json!({"query": "old age", "mode": "semantic"}),
        json!({"query": "statins", "mode": "keyword", "year": "2015-", "explain": true}),
    ];
    let together = batch(&server, &searches);
    assert_eq!(together.len(), searches.len());
    for (search, mut of_batch) in searches.iter().zip(together) {
        let alone = server.post("/v1/search", search.to_string().as_bytes());
        let mut alone = alone.json();
        for answer in [&mut alone, &mut of_batch] {
            answer.as_object_mut().unwrap().remove("took").unwrap();
        }
        assert_eq!(of_batch, alone, "{search}");
    }
}

#[test]
fn a_fault_of_one_search_leaves_the_others() {
    let server = fixture::server();
    let answers = batch(
        &server,
        &[
            json!({"query": "statins", "limit": 0}),
            json!({"query": "muscle pain", "mode": "keyword"}),
            json!({"query": "asthma[zz]", "syntax": "pubmed"}),
            json!({"qwery": "statins"}),
        ],
    );
    let code = |place: usize| &answers[place]["error"]["code"];
    assert_eq!(answers[0]["error"]["field"], "limit");
    assert_eq!(answers[1]["hits"][0]["id"], "99000001");
    assert_eq!(code(2), "invalid_parameter", "{answers:#?}");
    assert_eq!(answers[3]["error"]["field"], "qwery");
    for body in ["{}", "[]", r#"{"searches": []}"#] {
        assert_eq!(server.post("/v1/batch", body.as_bytes()).status, 400);
    }
    let parameters = server.post("/v1/batch?q=a", br#"{"searches": [{"q": "a"}]}"#);
    assert_eq!(parameters.status, 400);
}

/// A batch is no way around the limit of requests.
#[test]
fn every_search_of_a_batch_counts() {
    let config = ServerConfig {
        requests_per_minute: 2,
        burst: 3,
        ..ServerConfig::default()
    };
    let server = Server::start(fixture::index(), config);
    let searches = vec![json!({"query": "statins", "mode": "keyword"}); 5];
    let body = json!({ "searches": searches }).to_string();
    let answer = server.post("/v1/batch", body.as_bytes()).json();
    let codes: Vec<&Value> = (0..5)
        .map(|place| &answer["responses"][place]["error"]["code"])
        .collect();
    let refused = Value::from("too_many_requests");
    let none = Value::Null;
    assert_eq!(codes, [&none, &none, &none, &refused, &refused]);
    assert_eq!(server.get("/v1/search?q=statins").status, 429);
}

/// Nor around that of addresses.
#[test]
fn every_search_of_a_batch_counts_for_the_address() {
    let config = ServerConfig {
        address_requests_per_minute: 2,
        ..ServerConfig::default()
    };
    let server = Server::start(fixture::index(), config);
    let searches = vec![json!({"query": "statins", "mode": "keyword"}); 3];
    let body = json!({ "searches": searches }).to_string();
    let answer = server.post("/v1/batch", body.as_bytes()).json();
    let last = &answer["responses"][2]["error"]["code"];
    assert_eq!(last, "too_many_requests", "{answer}");
}

/// A batch has the time of one request, not of one for each search: a long one
/// is answered in part, and in that time.
#[test]
fn a_batch_ends_when_the_time_of_a_request_is_over() {
    let search = |number: usize| {
        let words = format!("statins number {number} ").repeat(60);
        json!({"query": words, "mode": "semantic"})
    };
    let server = fixture::server();
    let start = Instant::now();
    let alone = batch(&server, &[search(100)]);
    assert!(alone[0]["hits"].is_array(), "{}", alone[0]);
    let limit = (start.elapsed() * 6).max(Duration::from_millis(100));
    let config = ServerConfig {
        request_timeout_ms: limit.as_millis() as u64,
        ..ServerConfig::default()
    };
    let server = Server::start(fixture::index(), config);
    let searches: Vec<Value> = (0..32).map(search).collect();
    let start = Instant::now();
    let answers = batch(&server, &searches);
    let took = start.elapsed();
    assert!(took < limit * 3, "{took:?} of {limit:?}");
    // Where the first was slow by chance, all may have had the time; what ended
    // at the last moment counts as in time.
    let late = |answer: &&Value| answer["error"]["code"] == "timeout";
    let unanswered = answers.iter().filter(late).count();
    let answered = answers.iter().filter(|one| one["hits"].is_array()).count();
    assert_eq!(answered + unanswered, 32, "{answers:#?}");
    assert!(answered > 0, "{answers:#?}");
    assert!(
        unanswered > 0 || took < limit * 3 / 2,
        "{took:?} of {limit:?}"
    );
}

#[test]
fn articles_are_given_in_the_order_of_their_ids() {
    let server = fixture::server();
    let got = server.get("/v1/articles?id=99000002&id=1&id=99000001&id=99000002");
    assert_eq!(got.status, 200, "{}", got.text());
    fits(&server, "/v1/articles", "get", &got);
    let json = got.json();
    let ids: Vec<&Value> = json["articles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stored| &stored["article"]["id"])
        .collect();
    assert_eq!(ids, ["99000002", "99000001"]);
    assert_eq!(json["missing"], json!(["1"]));
    let one = server.get("/v1/articles/99000001").json();
    assert_eq!(json["articles"][1], one);
    let body = json!({"ids": ["99000002", 1, 99000001]}).to_string();
    let posted = server.post("/v1/articles", body.as_bytes());
    assert_eq!(posted.json(), json);
    for path in [
        "/v1/articles?id=99000002,1,99000001,99000002",
        "/v1/articles?id=99000002%2C1&id=99000001",
        "/v1/articles?id=99000002,+1,+99000001",
    ] {
        assert_eq!(server.get(path).json(), json, "{path}");
    }
    // In a list each text is an id by itself.
    let body = json!({"ids": ["99000002,1"]}).to_string();
    let posted = server.post("/v1/articles", body.as_bytes());
    assert_eq!(posted.json()["missing"], json!(["99000002,1"]));
    let many = vec!["1"; 201].join(",");
    for path in [
        "/v1/articles",
        "/v1/articles?ids=1",
        "/v1/articles?id=",
        "/v1/articles?id=1,",
        "/v1/articles?id=1,a%20b",
        &format!("/v1/articles?id={many}"),
    ] {
        assert_eq!(server.get(path).status, 400, "{path}");
    }
}
