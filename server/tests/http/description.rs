//! The OpenAPI document against what the server answers.

use crate::client::{Answer, Server};
use crate::fixture;
use serde_json::Value;

#[test]
fn answers_are_as_described() {
    let server = fixture::server();
    let document = server.get("/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    for (path, described, status) in [
        ("/health", "/health", "200"),
        ("/v1/stats", "/v1/stats", "200"),
        (
            "/v1/search?q=statins&explain=true&facets=year,journal,type,mesh",
            "/v1/search",
            "200",
        ),
        (
            "/v1/search?q=statins%5Bti%5D&mode=keyword&limit=1&sort=date",
            "/v1/search",
            "200",
        ),
        (
            "/v1/search?q=statins&journal=Nowhere&mode=semantic",
            "/v1/search",
            "200",
        ),
        ("/v1/search?q=", "/v1/search", "400"),
        ("/v1/export?q=", "/v1/export", "400"),
        ("/v1/suggest?q=sta", "/v1/suggest", "200"),
        ("/v1/articles/99000001", "/v1/articles/{id}", "200"),
        ("/v1/articles/1", "/v1/articles/{id}", "404"),
        (
            "/v1/articles/99000001/similar",
            "/v1/articles/{id}/similar",
            "200",
        ),
        ("/v1/articles/1/similar", "/v1/articles/{id}/similar", "404"),
    ] {
        let answer = server.get(path);
        assert_eq!(
            answer.status.to_string(),
            status,
            "{path}: {}",
            answer.text()
        );
        let operation = &document["paths"][described]["get"];
        let content = &operation["responses"][status]["content"];
        let schema = &content["application/json"]["schema"];
        assert!(schema.is_object(), "{path} {status} is not described");
        let mut faults = Vec::new();
        check(&document, schema, &answer.json(), "", &mut faults);
        assert!(faults.is_empty(), "{path}: {faults:?}");
    }
}

#[test]
fn every_operation_is_there() {
    let server = fixture::server();
    let document = server.get("/openapi.json").json();
    for (path, item) in document["paths"].as_object().unwrap() {
        let address = path.replace("{id}", "99000001");
        for method in item.as_object().unwrap().keys() {
            let json = [("content-type", "application/json")];
            let answer = server.send(&method.to_uppercase(), &address, &json, b"{}");
            assert!(![404, 405].contains(&answer.status), "{method} {path}");
        }
        let other = server.send("DELETE", &address, &[], b"");
        assert_eq!(other.status, 405, "{path}");
    }
    let page = server.get("/api");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("GET /v1/search</code>"));
}

/// Checks an answer against what the description says of its status.
///
/// # Panics
/// When it is something else.
pub(crate) fn fits(server: &Server, path: &str, method: &str, answer: &Answer) {
    let document = server.get("/openapi.json").json();
    let responses = &document["paths"][path][method]["responses"];
    let content = &responses[answer.status.to_string()]["content"];
    let schema = &content["application/json"]["schema"];
    assert!(
        schema.is_object(),
        "{method} {path} {} is not described",
        answer.status
    );
    let mut faults = Vec::new();
    check(&document, schema, &answer.json(), "", &mut faults);
    assert!(faults.is_empty(), "{method} {path}: {faults:?}");
}

/// As much of JSON Schema as the document uses.
fn check(document: &Value, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).unwrap();
        return check(document, target, value, at, faults);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = |choice: &Value| {
            let mut faults = Vec::new();
            check(document, choice, value, at, &mut faults);
            faults.is_empty()
        };
        if !choices.iter().any(fits) {
            faults.push(format!("{at} is {value}, which is none of several"));
        }
        return;
    }
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    let fits = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|kind| is(kind.as_str().unwrap())),
        Value::String(kind) => is(kind),
        _ => panic!("{at} has no type"),
    };
    let names = schema["enum"].as_array();
    if !fits || names.is_some_and(|names| !names.contains(value)) {
        faults.push(format!("{at} is {value}, not {schema}"));
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        check(
            document,
            &schema["items"],
            item,
            &format!("{at}[{number}]"),
            faults,
        );
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap()).is_none() {
            faults.push(format!("{at} lacks {name}"));
        }
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(known) => check(document, known, field, &format!("{at}.{name}"), faults),
            None if schema["additionalProperties"] == Value::Bool(false) => {
                faults.push(format!("{at}.{name} is not described"));
            }
            None => {}
        }
    }
}
