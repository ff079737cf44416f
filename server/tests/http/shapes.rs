//! GET and POST take the same shapes; what they find is told in warnings.

use crate::fixture;
use serde_json::{Value, json};

/// The answer without what differs from run to run.
fn settled(mut answer: Value) -> Value {
    answer.as_object_mut().unwrap().remove("took").unwrap();
    answer
}

#[test]
fn every_shape_of_a_filter_finds_the_same_by_get_and_post() {
    let server = fixture::server();
    let one = ["99000001"];
    for (query, bodies, ids) in [
        (
            "year=2019-2023",
            vec![
                json!({"year": "2019-2023"}),
                json!({"filter": {"year": "2019..2023"}}),
                json!({"filter": {"year": {"from": 2019, "to": 2023}}}),
            ],
            &one[..],
        ),
        (
            "year=2021",
            vec![json!({"year": 2021}), json!({"year": "2021"})],
            &one,
        ),
        ("year=2019-", vec![json!({"year": "2019-"})], &one),
        (
            "year=-2012",
            vec![json!({"filter": {"year": "-2012"}})],
            &["99000003"],
        ),
        (
            "publication_type=Review",
            vec![
                json!({"publication_type": "Review"}),
                json!({"filter": {"publication_type": ["Review"]}}),
            ],
            &["99000002"],
        ),
        (
            "fusion=rrf&year=2021&fusion_k=30",
            vec![
                json!({"fusion": {"method": "rrf", "k": 30}, "year": 2021}),
                json!({"fusion": "rrf", "fusion_k": 30, "year": 2021}),
            ],
            &one,
        ),
    ] {
        let mode = if query.contains("fusion") {
            "hybrid"
        } else {
            "keyword"
        };
        let got = server.get(&format!("/v1/search?q=statins&mode={mode}&{query}"));
        assert_eq!(got.status, 200, "{query}: {}", got.text());
        let got = settled(got.json());
        let hits = got["hits"].as_array().unwrap().iter();
        let found: Vec<&str> = hits.map(|hit| hit["id"].as_str().unwrap()).collect();
        assert_eq!(found, ids, "{query}");
        for mut body in bodies {
            body["query"] = "statins".into();
            body["mode"] = mode.into();
            let posted = server.post("/v1/search", body.to_string().as_bytes());
            assert_eq!(posted.status, 200, "{body}: {}", posted.text());
            assert_eq!(settled(posted.json()), got, "{body}");
        }
    }
}

#[test]
fn a_filter_value_that_no_article_has_is_told_and_not_replaced() {
    let server = fixture::server();
    for (query, warning) in [
        (
            "language=englisch",
            "no article in this index has language `englisch`; did you mean `eng`?",
        ),
        (
            "publication_type=Reviews",
            "no article in this index has publication type `Reviews`; did you mean `review`?",
        ),
        (
            "mesh=Humans",
            "no article in this index has MeSH heading `Humans`",
        ),
        (
            "journal=Lancet",
            "no article in this index has journal `Lancet`",
        ),
    ] {
        for mode in ["keyword", "semantic", "hybrid"] {
            let found = server.get(&format!("/v1/search?q=statins&mode={mode}&{query}"));
            assert_eq!(found.status, 200);
            let json = found.json();
            assert_eq!(json["hits"], json!([]), "{query}");
            let warnings = json["warnings"].as_array().unwrap();
            assert!(warnings.contains(&warning.into()), "{query}: {warnings:?}");
        }
    }
    // Known values are passed over in silence, whatever their case.
    let known =
        server.get("/v1/search?q=statins&mode=keyword&language=ENG&publication_type=review");
    assert!(known.json().get("warnings").is_none(), "{}", known.text());
    let page = server.get("/?q=statins&language=englisch");
    assert!(
        page.text().contains("did you mean `eng`?"),
        "{}",
        page.text()
    );
}
