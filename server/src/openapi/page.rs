//! `GET /api`: the description as a page to read.

use super::DOCUMENT;
use crate::page::html::{self, Html};
use crate::page::layout::Layout;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

/// Answers with the page.
pub(crate) async fn get() -> Response {
    html::respond(StatusCode::OK, page())
}

fn page() -> String {
    let layout = Layout {
        title: "HTTP API",
        class: "reading",
        skip: "Skip to the addresses",
    };
    layout.page(
        |_| (),
        |html| {
            html.element("article", &[("class", "api")], |html| {
                html.raw("<header class=\"article-head\"><h1>HTTP API</h1></header>");
                html.raw(
                    "<p class=\"lead\">Every address, from the OpenAPI 3.1 document at \
                     <a href=\"/openapi.json\">/openapi.json</a>.</p>",
                );
                for (path, item) in entries(&DOCUMENT["paths"]) {
                    for (method, operation) in entries(item) {
                        write_operation(html, path, method, operation);
                    }
                }
                html.raw("<section><h2>What is answered</h2>");
                for (name, schema) in entries(&DOCUMENT["components"]["schemas"]) {
                    write_schema(html, name, schema);
                }
                html.raw("</section>");
            });
        },
    )
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn write_operation(html: &mut Html, path: &str, method: &str, operation: &Value) {
    let id = word(&operation["operationId"]);
    html.element("section", &[("aria-labelledby", id)], |html| {
        html.element("h2", &[("id", id)], |html| {
            html.leaf(
                "code",
                &[],
                format_args!("{} {path}", method.to_uppercase()),
            );
        });
        html.leaf("p", &[], word(&operation["summary"]));
        if let Some(parameters) = operation["parameters"].as_array() {
            html.element("details", &[], |html| {
                html.raw("<summary>Parameters</summary>");
                html.element("dl", &[("class", "parameters")], |html| {
                    for parameter in parameters {
                        let schema = &parameter["schema"];
                        write_row(
                            html,
                            word(&parameter["name"]),
                            word(&parameter["description"]),
                            &kind(schema),
                        );
                    }
                });
            });
        }
        if operation.get("requestBody").is_some() {
            html.raw(
                "<p>The body is a JSON object with the parameters of the same search by \
                 <code>GET</code>; filters may stand in <code>filter</code>.</p>",
            );
        }
        html.element("details", &[], |html| {
            html.raw("<summary>Answers</summary>");
            html.element("dl", &[("class", "parameters")], |html| {
                for (status, answer) in entries(&operation["responses"]) {
                    let kinds: Vec<&str> = entries(&answer["content"])
                        .map(|(kind, _)| kind.as_str())
                        .collect();
                    write_row(
                        html,
                        status,
                        word(&answer["description"]),
                        &kinds.join(", "),
                    );
                }
            });
        });
    });
}

fn write_schema(html: &mut Html, name: &str, schema: &Value) {
    html.element("details", &[], |html| {
        html.leaf("summary", &[], name);
        html.element("dl", &[("class", "parameters")], |html| {
            for (field, schema) in entries(&schema["properties"]) {
                write_row(html, field, word(&schema["description"]), &kind(schema));
            }
        });
    });
}

fn write_row(html: &mut Html, name: &str, about: &str, kind: &str) {
    html.element("div", &[], |html| {
        html.element("dt", &[], |html| {
            html.leaf("code", &[], name);
        });
        html.element("dd", &[], |html| {
            html.text(about);
            if !kind.is_empty() {
                html.raw(" ").leaf("span", &[("class", "kind")], kind);
            }
        });
    });
}

/// What a value is, in a few words.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(names) = schema["enum"].as_array() {
        return names.iter().map(word).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(word).collect::<Vec<_>>().join(" | "),
        kind if word(kind) == "array" => format!("list of {}", self::kind(&schema["items"])),
        kind => word(kind).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_address_and_asks_nobody_else() {
        let page = page();
        for (path, _) in entries(&DOCUMENT["paths"]) {
            assert!(page.contains(&format!(" {path}</code>")), "{path}");
        }
        assert!(!page.contains("://"), "an address outside");
        assert!(page.contains("hybrid | keyword | semantic"));
    }
}
