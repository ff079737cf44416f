use crate::client::Server;
use crate::fixture;
use medsift_server::ServerConfig;
use std::thread;

#[test]
fn a_large_body_is_refused() {
    let server = Server::start(
        fixture::index(),
        ServerConfig {
            body_limit_bytes: 1000,
            ..ServerConfig::default()
        },
    );
    let body = format!("{{\"query\":\"{}\"}}", "a".repeat(2000));
    let answer = server.post("/v1/search", body.as_bytes());
    assert_eq!(
        (answer.status, answer.error().0.as_str()),
        (413, "body_too_large")
    );
}

/// Many clients at a server that can do one search at a time and lets nobody
/// wait: each is answered or sent away at once, the health check always
/// answers, and nothing is left over afterwards.
#[test]
fn a_burst_is_answered_or_refused_and_health_goes_on() {
    let server = Server::start(
        fixture::index(),
        ServerConfig {
            cpu_threads: 1,
            queue: 0,
            ..ServerConfig::default()
        },
    );
    let mut statuses = Vec::new();
    // A burst may by luck arrive one after the other; not ten times.
    for _ in 0..10 {
        thread::scope(|scope| {
            let clients: Vec<_> = (0..24)
                .map(|_| scope.spawn(|| server.get("/v1/search?q=statins&mode=keyword")))
                .collect();
            assert_eq!(server.get("/health").status, 200);
            for client in clients {
                let answer = client.join().unwrap();
                if answer.status == 503 {
                    assert_eq!(answer.error().0, "busy");
                    assert_eq!(answer.header("retry-after"), "1");
                }
                statuses.push(answer.status);
            }
        });
        if statuses.contains(&503) {
            break;
        }
    }
    assert!(
        statuses.contains(&200) && statuses.contains(&503),
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 503)),
        "{statuses:?}"
    );
    let health = server.get("/health").json();
    assert_eq!(
        (&health["pool"]["running"], &health["pool"]["waiting"]),
        (&0.into(), &0.into())
    );
    assert_eq!(server.get("/v1/search?q=statins&mode=keyword").status, 200);
}

/// The HTTP library refuses these before any handler is asked.
#[test]
fn what_is_no_request_is_refused_in_the_shape_of_errors() {
    let server = fixture::server();
    let long = format!("/v1/search?q={}", "a".repeat(70_000));
    let answer = server.get(&long);
    assert_eq!(
        (answer.status, answer.error().0.as_str()),
        (414, "address_too_long")
    );
    assert_eq!(answer.header("content-type"), "application/json");
    let answer = server.send("GET", "/health", &[("x-many", "1"); 150], b"");
    assert_eq!(
        (answer.status, answer.error().0.as_str()),
        (431, "headers_too_large")
    );
    let answer = server.send("GET", "/health", &[("x bad", "1")], b"");
    assert_eq!(
        (answer.status, answer.error().0.as_str()),
        (400, "bad_request")
    );
    assert_eq!(server.get("/health").status, 200);
}
