use crate::fixture;
use serde_json::json;

#[test]
fn get_and_post_find_the_same() {
    let server = fixture::server();
    let got = server
        .get("/v1/search?q=statins+muscle+pain&mode=keyword&limit=2&explain=true&year=2015..2022");
    assert_eq!(got.status, 200, "{}", got.text());
    let body = json!({
        "query": "statins muscle pain", "mode": "keyword", "limit": 2, "explain": true,
        "filter": {"year": {"from": 2015, "to": 2022}},
    });
    let posted = server.post("/v1/search", body.to_string().as_bytes());
    assert_eq!(posted.status, 200, "{}", posted.text());
    let (mut a, mut b) = (got.json(), posted.json());
    assert_eq!(a["hits"][0]["id"], "99000001");
    assert_eq!(a["hits"][0]["explain"]["keyword"]["rank"], 1);
    for answer in [&mut a, &mut b] {
        answer.as_object_mut().unwrap().remove("took").unwrap();
    }
    assert_eq!(a, b);
    for header in ["queue;dur=", "retrieve;dur=", "total;dur="] {
        assert!(got.header("server-timing").contains(header));
    }
    assert_eq!(got.header("cache-control"), "no-store");
}

#[test]
fn every_mode_answers() {
    let server = fixture::server();
    for mode in ["hybrid", "keyword", "semantic"] {
        let answer = server.get(&format!("/v1/search?q=statins&explain=true&mode={mode}"));
        assert_eq!(answer.status, 200, "{mode}: {}", answer.text());
        let json = answer.json();
        assert_eq!(json["mode"], mode);
        let explain = &json["hits"][0]["explain"];
        assert_eq!(explain["keyword"].is_object(), mode != "semantic", "{json}");
        assert_eq!(json["model"].is_string(), mode != "keyword", "{json}");
    }
    let unretracted = server.get("/v1/search?q=statins&retracted=false").json();
    let ids: Vec<&str> = unretracted["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["id"].as_str().unwrap())
        .collect();
    assert!(
        ids.contains(&"99000001") && !ids.contains(&"99000003"),
        "{ids:?}"
    );
}

#[test]
fn bad_requests_are_told_what_is_bad() {
    let server = fixture::server();
    for (path, field) in [
        ("/v1/search", "query"),
        ("/v1/search?q=+", "query"),
        ("/v1/search?q=%5Bti%5D", "query"),
        ("/v1/search?query=a+AND", "query"),
        ("/v1/search?q=a&syntax=google", "syntax"),
        ("/v1/search?q=a&lenient=x", "lenient"),
        ("/v1/search?q=a&colour=red", "colour"),
        ("/v1/search?q=a&limit=0", "limit"),
        ("/v1/search?q=a&limit=x", "limit"),
        ("/v1/search?q=a&offset=100000000", "offset"),
        ("/v1/search?q=a&mode=fuzzy", "mode"),
        ("/v1/search?q=a&year=2020..2019", "year"),
        ("/v1/search?q=a&fusion=rrf&fusion_k=0", "fusion_k"),
        (
            "/v1/search?q=a&fusion=weighted&semantic_weight=2",
            "semantic_weight",
        ),
        ("/v1/stats?verbose=1", "verbose"),
        ("/v1/articles/a%20b", "id"),
        ("/v1/articles/%FF", "id"),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 400, "{path}");
        let error = ("invalid_parameter".to_owned(), Some(field.to_owned()));
        assert_eq!(answer.error(), error, "{path}");
    }
}

#[test]
fn bodies_are_told_where_they_go_wrong() {
    let server = fixture::server();
    let post = |body: &str| server.post("/v1/search", body.as_bytes());
    for (body, code, field) in [
        ("{\"query\": ", "invalid_json", None),
        ("nonsense", "invalid_json", None),
        (
            "{\"query\":\"a\",\"colour\":1}",
            "invalid_parameter",
            Some("colour"),
        ),
        ("{\"query\":\"\"}", "invalid_parameter", Some("query")),
        (
            "{\"query\":\"a\",\"filter\":{\"year\":{\"from\":2,\"to\":1}}}",
            "invalid_parameter",
            Some("filter.year"),
        ),
    ] {
        let answer = post(body);
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(
            answer.error(),
            (code.to_owned(), field.map(str::to_owned)),
            "{body}"
        );
    }
    let message = post("{\n\"query\": oops}").json()["error"]["message"].to_string();
    assert!(message.contains("line 2, column 10"), "{message}");

    let plain = server.send(
        "POST",
        "/v1/search",
        &[("content-type", "text/plain")],
        b"{}",
    );
    assert_eq!(
        (plain.status, plain.error().0.as_str()),
        (415, "unsupported_media_type")
    );
    let beside = server.post("/v1/search?limit=5", b"{\"query\":\"a\"}");
    assert_eq!(
        (beside.status, beside.error().1.as_deref()),
        (400, Some("limit"))
    );
}

#[test]
fn unknown_paths_and_wrong_methods_are_json_for_programs() {
    let server = fixture::server();
    for path in ["/nothing", "/v1/", "/v1/search/x", "/v2/search"] {
        let answer = server.get(path);
        assert_eq!(
            (answer.status, answer.error().0.as_str()),
            (404, "unknown_path"),
            "{path}"
        );
    }
    let answer = server.send("DELETE", "/v1/search", &[], b"");
    assert_eq!(
        (answer.status, answer.error().0.as_str()),
        (405, "wrong_method")
    );
    let allow = answer.header("allow");
    assert!(allow.contains("GET") && allow.contains("POST"), "{allow}");
}

#[test]
fn articles_are_given_whole() {
    let server = fixture::server();
    let answer = server.get("/v1/articles/99000001");
    assert_eq!(answer.status, 200, "{}", answer.text());
    let json = answer.json();
    assert_eq!(json["article"]["id"], "99000001");
    assert_eq!(json["source"], "sample.xml");
    assert_eq!(
        json["article"],
        serde_json::to_value(&fixture::articles()[0]).unwrap()
    );
    // Ids may hold what addresses split at.
    let odd = server.get("/v1/articles/a%2Fb%3Ac%3Cscript%3E");
    assert_eq!(
        odd.json()["article"]["id"],
        "a/b:c<script>",
        "{}",
        odd.text()
    );
    let missing = server.get("/v1/articles/1");
    assert_eq!(
        (missing.status, missing.error().0.as_str()),
        (404, "article_not_found")
    );
}

#[test]
fn stats_count_what_is_there() {
    let server = fixture::server();
    let json = server.get("/v1/stats").json();
    assert_eq!(json["articles"], fixture::articles().len());
    assert_eq!(json["model"]["name"], "bert-mean");
    assert!(json["passages"].as_u64().unwrap() >= 4);
}

#[test]
fn requests_have_ids() {
    let server = fixture::server();
    let made = |answer: &crate::client::Answer| answer.header("x-request-id");
    let (a, b) = (server.get("/health"), server.get("/health"));
    assert!(made(&a).len() == 16 && made(&a) != made(&b));
    let own = server.send("GET", "/nothing", &[("x-request-id", "mine-7")], b"");
    assert_eq!(made(&own), "mine-7");
    let forged = server.send("GET", "/health", &[("x-request-id", "a b=\"c")], b"");
    assert_eq!(made(&forged).len(), 16);
}

#[test]
fn answers_are_compressed_when_asked() {
    let server = fixture::server();
    let path = "/v1/search?q=statins&mode=keyword";
    let zipped = server.send("GET", path, &[("accept-encoding", "gzip")], b"");
    assert_eq!(zipped.header("content-encoding"), "gzip");
    assert!(zipped.header("vary").contains("accept-encoding"));
    assert_eq!(server.get(path).header("content-encoding"), "");
}
