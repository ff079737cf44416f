//! The API described by OpenAPI 3.1, for programs and as a page.
//!
//! The description is written here rather than derived: the types that are
//! answered belong to the core, which knows no HTTP. Tests hold it to the
//! routes, to the parameters that are read, and to what is answered.

mod bounds;
mod eutils;
mod operations;
pub(crate) mod page;
mod parameters;
mod passages;
mod schemas;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The document, made once.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(document);

/// `GET /openapi.json`.
pub(crate) async fn get() -> Response {
    (
        [
            (CONTENT_TYPE, "application/json"),
            (CACHE_CONTROL, "no-cache"),
        ],
        DOCUMENT.to_string(),
    )
        .into_response()
}

fn document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "medsift",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Semantic and keyword search over biomedical literature",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": operations::paths(),
        "components": {
            "schemas": schemas::all(),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "header": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
        },
        // Keys are needed only where the operator configured some.
        "security": [{}, {"bearer": []}, {"header": []}],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::described;
    use std::collections::BTreeSet;

    /// Every path with its methods.
    fn documented() -> BTreeSet<(String, String)> {
        let paths = DOCUMENT["paths"].as_object().unwrap();
        let methods = |(path, item): (&String, &Value)| {
            let methods = item.as_object().unwrap().keys();
            let path = path.clone();
            methods
                .map(move |method| (path.clone(), method.clone()))
                .collect::<Vec<_>>()
        };
        paths.iter().flat_map(methods).collect()
    }

    #[test]
    fn every_route_is_described_and_nothing_else() {
        let routed: BTreeSet<(String, String)> = described()
            .iter()
            .flat_map(|route| {
                let methods = route.methods.iter();
                methods.map(|method| (route.path.to_owned(), (*method).to_owned()))
            })
            .collect();
        assert_eq!(documented(), routed);
    }

    #[test]
    fn operations_have_names_of_their_own_and_what_they_need() {
        let mut names = BTreeSet::new();
        for item in DOCUMENT["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                let name = operation["operationId"].as_str().unwrap();
                assert!(names.insert(name), "{name} twice");
                assert!(!operation["summary"].as_str().unwrap().is_empty());
                let answers = operation["responses"].as_object().unwrap();
                assert!(answers.contains_key("200"), "{name}");
            }
        }
    }

    /// Every `$ref` leads to a schema, and every schema is led to.
    #[test]
    fn references_have_ends() {
        fn gather(value: &Value, found: &mut BTreeSet<String>) {
            match value {
                Value::Object(fields) => {
                    for (name, value) in fields {
                        if let ("$ref", Some(target)) = (name.as_str(), value.as_str()) {
                            let name = target.strip_prefix("#/components/schemas/");
                            found.insert(name.unwrap().to_owned());
                        }
                        gather(value, found);
                    }
                }
                Value::Array(items) => items.iter().for_each(|item| gather(item, found)),
                _ => {}
            }
        }
        let mut found = BTreeSet::new();
        gather(&DOCUMENT, &mut found);
        let schemas = DOCUMENT["components"]["schemas"].as_object().unwrap();
        let known: BTreeSet<String> = schemas.keys().cloned().collect();
        assert_eq!(found, known);
    }
}
