//! Lists by date and cursor, facets, similar articles, suggestions, citations.

use crate::description::fits;
use crate::fixture;
use medsift_server::ServerConfig;
use serde_json::{Value, json};

fn ids(answer: &Value) -> Vec<String> {
    let hits = answer["hits"].as_array().unwrap().iter();
    hits.map(|hit| hit["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_list_by_date_is_walked_to_its_end() {
    let server = fixture::server();
    let search = "/v1/search?q=all%5Bsb%5D&mode=keyword&sort=date";
    let whole = ids(&server.get(search).json());
    let newest = ["99000001", "a/b:c<script>", "99000002", "99000003"];
    assert_eq!(whole, newest);
    let mut walked = Vec::new();
    let mut more = String::new();
    loop {
        let page = server.get(&format!("{search}&limit=1{more}"));
        assert_eq!(page.status, 200, "{}", page.text());
        let page = page.json();
        assert_eq!(page["hits"][0]["rank"], walked.len() + 1);
        walked.extend(ids(&page));
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        more = format!("&cursor={cursor}");
    }
    assert_eq!(walked, newest);
    // The same by POST, and not with another search.
    let cursor = server.get(&format!("{search}&limit=1")).json()["next_cursor"].clone();
    let body = json!({"q": "all[sb]", "mode": "keyword", "sort": "date", "cursor": cursor});
    let posted = server.post("/v1/search", body.to_string().as_bytes());
    assert_eq!(ids(&posted.json()), newest[1..]);
    let body = json!({"q": "all[sb]", "mode": "keyword", "cursor": cursor});
    let other = server.post("/v1/search", body.to_string().as_bytes());
    assert_eq!(
        (other.status, other.error().1.as_deref()),
        (400, Some("cursor"))
    );
}

#[test]
fn facets_are_counted_by_get_and_post() {
    let server = fixture::server();
    let got = server
        .get("/v1/search?q=statins&mode=keyword&facets=year,type&limit=1")
        .json();
    let body = json!({
        "q": "statins", "mode": "keyword", "facets": ["year", "type"], "limit": 1,
    });
    let posted = server
        .post("/v1/search", body.to_string().as_bytes())
        .json();
    assert_eq!(got["facets"], posted["facets"]);
    assert_eq!(
        got["facets"],
        json!({
            "over": "matches", "articles": 3,
            "year": [
                {"year": 2010, "articles": 1}, {"year": 2018, "articles": 1},
                {"year": 2021, "articles": 1},
            ],
            "type": {"values": [
                {"value": "Retracted Publication", "articles": 1},
                {"value": "Review", "articles": 1},
            ], "more": 0},
        })
    );
    let bad = server.get("/v1/search?q=a&facets=year&facet_limit=0");
    assert_eq!(
        (bad.status, bad.error().1.as_deref()),
        (400, Some("facet_limit"))
    );
}

#[test]
fn similar_articles_leave_the_article_out() {
    let server = fixture::server();
    let path = "/v1/articles/99000001/similar";
    let answer = server.get(path).json();
    let mut found = ids(&answer);
    found.sort();
    assert_eq!(found, ["99000002", "99000003", "a/b:c<script>"]);
    assert_eq!(answer["hits"][0]["rank"], 1);
    let unretracted = server
        .get(&format!("{path}?retracted=false&limit=1"))
        .json();
    assert_eq!(ids(&unretracted).len(), 1);
    let posted = server.post(path, br#"{"filter": {"retracted": false}, "limit": 1}"#);
    assert_eq!(posted.json(), unretracted);
    for (path, status, field) in [
        ("/v1/articles/1/similar", 404, "id"),
        ("/v1/articles/99000001/similar?limit=0", 400, "limit"),
        ("/v1/articles/99000001/similar?q=a", 400, "q"),
        ("/v1/articles/99000001/similar?year=2020-2010", 400, "year"),
    ] {
        let answer = server.get(path);
        assert_eq!(
            (answer.status, answer.error().1.as_deref()),
            (status, Some(field)),
            "{path}"
        );
    }
}

#[test]
fn suggestions_complete_words() {
    let server = fixture::server();
    let answer = server
        .get("/v1/suggest?q=muscle+pain+und+sta&kinds=term")
        .json();
    assert_eq!(
        answer["suggestions"],
        json!([{
            "kind": "term", "text": "statins", "query": "muscle pain und statins", "articles": 3,
        }])
    );
    for body in [
        json!({"q": "muscle pain und sta", "kinds": ["term"]}),
        json!({"q": "muscle pain und sta", "kinds": "term", "limit": 5}),
    ] {
        let posted = server.post("/v1/suggest", body.to_string().as_bytes());
        assert_eq!(posted.json(), answer, "{body}");
        fits(&server, "/v1/suggest", "post", &posted);
    }
    for (body, field) in [
        (json!({}), "q"),
        (json!({"q": 3}), "q"),
        (json!({"q": "a", "kinds": ["colour"]}), "kinds"),
        (json!({"q": "a", "limit": 1000}), "limit"),
        (json!({"q": "a", "mode": "keyword"}), "mode"),
        (json!({"q": "a", "filter": {"year": 2020}}), "filter.year"),
        (json!({"q": "a", "colour": 1}), "colour"),
    ] {
        let answer = server.post("/v1/suggest", body.to_string().as_bytes());
        assert_eq!(
            (answer.status, answer.error().1.as_deref()),
            (400, Some(field)),
            "{body}"
        );
    }
    // Only suggestions have kinds.
    let search = server.post("/v1/search", br#"{"q": "a", "kinds": ["term"]}"#);
    assert_eq!(search.error().1.as_deref(), Some("kinds"));
    let all = server.get("/v1/suggest?q=stat").json();
    assert_eq!(all["suggestions"][0]["text"], "statins");
    for (path, field) in [
        ("/v1/suggest", "q"),
        ("/v1/suggest?q=a&kinds=colour", "kinds"),
        ("/v1/suggest?q=a&limit=1000", "limit"),
        ("/v1/suggest?q=a&mode=keyword", "mode"),
    ] {
        let answer = server.get(path);
        assert_eq!(
            (answer.status, answer.error().1.as_deref()),
            (400, Some(field)),
            "{path}"
        );
    }
}

#[test]
fn citations_are_files_of_their_kind() {
    let server = fixture::server();
    for (format, kind, name, begin) in [
        (
            "nbib",
            "application/nbib; charset=utf-8",
            "99000001.nbib",
            "PMID- 99000001\n",
        ),
        (
            "ris",
            "application/x-research-info-systems; charset=utf-8",
            "99000001.ris",
            "TY  - JOUR\r\n",
        ),
        (
            "bibtex",
            "application/x-bibtex; charset=utf-8",
            "99000001.bib",
            "@article{",
        ),
        (
            "csl",
            "application/vnd.citationstyles.csl+json",
            "99000001.json",
            "[\n",
        ),
    ] {
        let answer = server.get(&format!("/v1/articles/99000001?format={format}"));
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("content-type"), kind);
        let disposition = answer.header("content-disposition");
        assert_eq!(disposition, format!("attachment; filename=\"{name}\""));
        assert!(answer.text().starts_with(begin), "{}", answer.text());
        assert!(answer.text().contains("Statins and muscle pain"));
    }
    let odd = server.get("/v1/articles/a%2Fb%3Ac%3Cscript%3E?format=ris");
    assert!(
        odd.header("content-disposition")
            .ends_with("\"a_b_c_script_.ris\"")
    );
    let json = server.get("/v1/articles/99000001?format=json");
    assert_eq!(json.body, server.get("/v1/articles/99000001").body);
    for path in [
        "/v1/articles/99000001?format=pdf",
        "/v1/articles/99000001?format=ris&format=ris",
    ] {
        let answer = server.get(path);
        assert_eq!(
            (answer.status, answer.error().1.as_deref()),
            (400, Some("format")),
            "{path}"
        );
    }
}

#[test]
fn an_article_that_is_known_is_not_sent_again() {
    let server = fixture::server();
    let path = "/v1/articles/99000001";
    let first = server.get(path);
    let tag = first.header("etag");
    assert!(tag.starts_with("W/\"") && first.header("cache-control") == "no-cache");
    for known in [tag.clone(), format!("\"x\", {tag}"), "*".to_owned()] {
        let again = server.send("GET", path, &[("if-none-match", &known)], b"");
        assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
        assert_eq!(again.header("etag"), tag);
    }
    let other = server.send("GET", path, &[("if-none-match", "\"x\"")], b"");
    assert_eq!(other.status, 200);
    let cited = server.get(&format!("{path}?format=ris")).header("etag");
    assert_ne!(cited, tag);
}

#[test]
fn other_origins_may_ask_where_they_are_named() {
    let origin = ("origin", "https://example.org");
    let asks = [origin, ("access-control-request-method", "POST")];
    let allowed = "access-control-allow-origin";
    let silent = fixture::server();
    assert_eq!(
        silent
            .send("GET", "/health", &[origin], b"")
            .header(allowed),
        ""
    );
    assert_eq!(silent.send("OPTIONS", "/v1/search", &asks, b"").status, 405);
    let config = ServerConfig {
        cors_origins: vec!["https://example.org".into()],
        ..ServerConfig::default()
    };
    let server = crate::client::Server::start(fixture::index(), config);
    let beforehand = server.send("OPTIONS", "/v1/search", &asks, b"");
    assert_eq!(beforehand.status, 204);
    assert_eq!(beforehand.header(allowed), "https://example.org");
    assert!(
        beforehand
            .header("access-control-allow-methods")
            .contains("POST")
    );
    assert!(
        beforehand
            .header("access-control-allow-headers")
            .contains("content-type")
    );
    let asked = server.send("GET", "/v1/search?q=a&limit=0", &[origin], b"");
    assert_eq!(
        (asked.status, &*asked.header(allowed)),
        (400, "https://example.org")
    );
    assert!(asked.header("vary").contains("origin"));
    let stranger = [("origin", "https://example.com")];
    assert_eq!(
        server
            .send("GET", "/health", &stranger, b"")
            .header(allowed),
        ""
    );
}
