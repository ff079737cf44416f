//! Passages for a question over HTTP.

use crate::description::fits;
use crate::fixture;
use serde_json::{Value, json};

fn settled(mut answer: Value) -> Value {
    answer.as_object_mut().unwrap().remove("took").unwrap();
    answer
}

#[test]
fn passages_are_given_within_the_budget_by_get_and_post() {
    let server = fixture::server();
    let query = "q=statins+and+muscle+pain&budget=40&diversity=0.3&count_citations=true";
    let got = server.get(&format!("/v1/passages?{query}&retracted=false"));
    assert_eq!(got.status, 200, "{}", got.text());
    assert!(got.header("server-timing").contains("choose"));
    fits(&server, "/v1/passages", "get", &got);
    let answer = settled(got.json());
    let count = |name: &str| answer[name].as_u64().unwrap();
    assert!(
        count("tokens") + count("citation_tokens") <= 40,
        "{answer:#}"
    );
    assert_eq!(answer["tokenizer"], "bert-mean");
    for body in [
        json!({"filter": {"retracted": false}, "budget": 40, "diversity": 0.3, "count_citations": true}),
        json!({"retracted": false, "budget": 40, "diversity": 0.3, "count_citations": true}),
    ] {
        let mut body = body;
        body["query"] = "statins and muscle pain".into();
        let posted = server.post("/v1/passages", body.to_string().as_bytes());
        assert_eq!(posted.status, 200, "{}", posted.text());
        assert_eq!(settled(posted.json()), answer);
    }
}

#[test]
fn a_passage_has_its_place_its_sections_and_its_citation() {
    let server = fixture::server();
    let answer = server.get("/v1/passages?q=muscle+pain&mode=keyword&year=2021");
    fits(&server, "/v1/passages", "get", &answer);
    let answer = answer.json();
    let passage = &answer["passages"][0];
    assert_eq!(passage["id"], "99000001");
    assert_eq!(passage["sections"], json!(["METHODS", "RESULTS"]));
    let text = "METHODS: We gave statins or placebo to 120 people. RESULTS: Muscle pain was as \
                frequent under statins as under placebo.";
    assert_eq!(passage["text"], text);
    assert_eq!(
        (&passage["start"], &passage["end"]),
        (&0.into(), &text.len().into())
    );
    let citation = passage["citation"].as_str().unwrap();
    assert!(citation.contains("doi: 10.5555/sample.1."), "{citation}");
}

#[test]
fn faults_of_a_request_are_named_as_the_client_named_them() {
    let server = fixture::server();
    for (query, field) in [
        ("q=", "q"),
        ("q=a&budget=0", "budget"),
        ("q=a&budget=many", "budget"),
        ("q=a&diversity=2", "diversity"),
        ("q=a&diversity=NaN", "diversity"),
        ("q=a&offset=3", "offset"),
        ("q=a&budget=5&budget=6", "budget"),
        ("q=a&year=2020-2010", "year"),
    ] {
        let answer = server.get(&format!("/v1/passages?{query}"));
        assert_eq!(answer.status, 400, "{query}: {}", answer.text());
        let named = answer.error().1.unwrap();
        assert!(
            named.starts_with(field) || (field == "q" && named == "query"),
            "{query}: {named}"
        );
    }
    let answer = server.post("/v1/passages", br#"{"q": "a", "budget": "many"}"#);
    assert_eq!(answer.error().1.as_deref(), Some("budget"));
    // What belongs to passages alone is no part of a search.
    assert_eq!(
        server.get("/v1/search?q=a&budget=5").error().1.as_deref(),
        Some("budget")
    );
}
