//! What operators and their monitors see: health, metrics, keys, rates.

use crate::client::Server;
use crate::fixture;
use medsift_server::{KeyEntry, ServerConfig};

fn with_key(key: &str, change: impl FnOnce(&mut ServerConfig)) -> Server {
    let mut config = ServerConfig {
        keys: vec![KeyEntry::new("anna", key).unwrap()],
        ..ServerConfig::default()
    };
    change(&mut config);
    Server::start(fixture::index(), config)
}

const SEARCH: &str = "/v1/search?q=statins&mode=keyword";

#[test]
fn metrics_count_requests_by_route_and_status() {
    let server = fixture::server();
    assert_eq!(server.get(SEARCH).status, 200);
    assert_eq!(server.get("/v1/articles/99000001").status, 200);
    assert_eq!(server.get("/v1/articles/1").status, 404);
    assert_eq!(server.get("/nothing/here").status, 404);
    let answer = server.get("/metrics");
    assert!(
        answer
            .header("content-type")
            .starts_with("application/openmetrics-text")
    );
    for line in [
        r#"medsift_http_requests_total{method="GET",route="/v1/search",status="200"} 1"#,
        r#"medsift_http_requests_total{method="GET",route="/v1/articles/{id}",status="200"} 1"#,
        r#"medsift_http_requests_total{method="GET",route="/v1/articles/{id}",status="404"} 1"#,
        r#"medsift_http_requests_total{method="GET",route="unmatched",status="404"} 1"#,
        r#"medsift_search_stage_duration_seconds_count{stage="retrieve"} 1"#,
        "medsift_index_generation 1",
    ] {
        assert!(
            answer.text().lines().any(|l| l == line),
            "{line} is not in\n{}",
            answer.text()
        );
    }
}

/// Whatever runs in the pool is timed, not searches alone.
#[test]
fn stages_are_timed_whatever_address_they_are_for() {
    let server = fixture::server();
    let count = |stage: &str| {
        let begin = format!("medsift_search_stage_duration_seconds_count{{stage=\"{stage}\"}} ");
        let text = server.get("/metrics");
        let line = text
            .text()
            .lines()
            .find_map(|line| line.strip_prefix(&begin));
        line.map_or(0, |count| count.parse().unwrap())
    };
    let all = || ["queue", "encode", "retrieve", "fetch", "choose"].map(count);
    let mut before = all();
    assert_eq!(before, [0; 5]);
    for (path, stages) in [
        ("/v1/articles/99000001", [1, 0, 0, 0, 0]),
        ("/v1/suggest?q=sta", [1, 0, 0, 0, 0]),
        ("/v1/passages?q=muscle+pain", [1, 1, 1, 0, 1]),
        ("/v1/articles/99000001/similar", [1, 0, 1, 1, 0]),
        ("/v1/search?q=statins", [1, 1, 1, 1, 0]),
        // Words alone have no vector.
        (SEARCH, [1, 0, 1, 1, 0]),
        // By date the whole list is gone through: still one retrieval.
        (
            "/v1/search?q=statins&mode=keyword&sort=date",
            [1, 0, 1, 1, 0],
        ),
    ] {
        assert_eq!(server.get(path).status, 200, "{path}");
        let after = all();
        let more: Vec<u64> = after.iter().zip(before).map(|(a, b)| a - b).collect();
        assert_eq!(more, stages, "{path}");
        before = after;
    }
    // Nobody asked for entities, and nothing was read.
    assert_eq!([count("enrich"), count("read")], [0, 0]);
    let metrics = server.get("/metrics");
    for cache in ["hit", "miss"] {
        let line = format!("medsift_enrichment_articles_total{{cache=\"{cache}\"}} 0");
        assert!(metrics.text().lines().any(|l| l == line), "{line}");
    }
}

#[test]
fn a_server_says_that_it_lives_and_that_it_is_ready() {
    let server = fixture::server();
    for path in ["/health", "/health/live"] {
        assert_eq!(server.get(path).json()["status"], "ok");
    }
    let ready = server.get("/health/ready");
    assert_eq!(
        (ready.status, &ready.json()["status"]),
        (200, &"ready".into())
    );
}

#[test]
fn with_keys_every_way_in_needs_one() {
    let server = with_key("secret", |_| ());
    for path in ["/health/live", "/assets/style.css"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    for path in [SEARCH, "/v1/stats", "/", "/metrics", "/articles/99000001"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 401, "{path}");
        assert!(
            answer.header("www-authenticate").starts_with("Basic"),
            "{path}"
        );
        let answer = server.send("GET", path, &[("authorization", "Bearer secret")], b"");
        assert_eq!(answer.status, 200, "{path}");
    }
    assert_eq!(server.get(SEARCH).error().0, "key_missing");
    let wrong = server.send("GET", SEARCH, &[("x-api-key", "other")], b"");
    assert_eq!(wrong.error().0, "key_unknown");
    // Balancers have no key.
    assert_eq!(server.get("/health/ready").status, 200);
    // What a browser sends for any name and this password.
    let browser = [
        ("authorization", "Basic YW55OnNlY3JldA=="),
        ("accept", "text/html"),
    ];
    assert_eq!(server.send("GET", "/", &browser, b"").status, 200);
}

#[test]
fn who_asks_too_often_is_told_when_to_come_back() {
    let server = Server::start(
        fixture::index(),
        ServerConfig {
            requests_per_minute: 2,
            burst: 3,
            ..ServerConfig::default()
        },
    );
    let statuses: Vec<u16> = (0..4).map(|_| server.get(SEARCH).status).collect();
    assert_eq!(statuses, [200, 200, 200, 429]);
    let answer = server.get(SEARCH);
    assert_eq!(answer.error().0, "too_many_requests");
    let wait: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=30).contains(&wait), "{wait}");
    assert_eq!(server.get("/health").status, 200);
}

/// Several keys from one address do not add up.
#[test]
fn an_address_may_ask_only_so_often_whatever_keys_it_has() {
    let plain = |name: &str| KeyEntry::new(name, name).unwrap();
    let own = format!("{}:60:1", plain("bert")).parse().unwrap();
    let config = ServerConfig {
        keys: vec![plain("anna"), own],
        address_requests_per_minute: 3,
        behind_proxy: true,
        ..ServerConfig::default()
    };
    let server = Server::start(fixture::index(), config);
    let ask = |key: &str, from: &str| {
        let headers = [("x-api-key", key), ("x-forwarded-for", from)];
        server.send("GET", SEARCH, &headers, b"")
    };
    let (here, there) = ("192.0.2.1", "2001:db8::1");
    let statuses = ["anna", "bert", "bert", "anna"].map(|key| ask(key, here).status);
    // The third for bert's own limit, the fourth for that of the address.
    assert_eq!(statuses, [200, 200, 429, 429]);
    assert!(!ask("anna", here).header("retry-after").is_empty());
    assert_eq!(ask("anna", there).status, 200);
    // Wrong keys count as well.
    assert_eq!([1, 2].map(|_| ask("carl", there).status), [401, 401]);
    assert_eq!(ask("anna", "2001:db8::2").status, 429, "the same network");
}

#[test]
fn behind_a_proxy_clients_are_told_apart_by_what_it_says() {
    let ask = |server: &Server, from: &str| {
        server
            .send("GET", SEARCH, &[("x-forwarded-for", from)], b"")
            .status
    };
    let server = |behind_proxy| {
        Server::start(
            fixture::index(),
            ServerConfig {
                requests_per_minute: 1,
                behind_proxy,
                ..ServerConfig::default()
            },
        )
    };
    let behind = server(true);
    assert_eq!(
        [ask(&behind, "192.0.2.1"), ask(&behind, "192.0.2.2")],
        [200, 200]
    );
    // The client's own addition counts for nothing.
    assert_eq!(ask(&behind, "192.0.2.9, 192.0.2.1"), 429);
    let open = server(false);
    assert_eq!(
        [ask(&open, "192.0.2.1"), ask(&open, "192.0.2.2")],
        [200, 429]
    );
}
