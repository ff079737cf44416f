//! Passages for language models, and embeddings in the shapes of other programs.

use super::operations::{answer, request_body, responses, responses_in};
use super::parameters::{EXACT, FILTERS, Kind, Parameter, QUERY, body, in_query, parameter};
use super::schemas::{choice, flag, list, number, object, reference, text, whole};
use serde_json::{Value, json};

/// Those of passages: a search without order and pages, and a budget.
fn of_passages() -> Vec<Parameter> {
    let own = [
        parameter(
            "budget",
            Kind::Whole,
            "Tokens that all passages together may take, counted by the index's tokenizer.",
        ),
        parameter(
            "limit",
            Kind::Whole,
            "Most passages; as many as the budget holds where it is not given.",
        ),
        parameter(
            "diversity",
            Kind::Number,
            "Weight of being different from what was taken before, 0 to 1: 1 - lambda of maximal \
             marginal relevance.",
        ),
        parameter(
            "count_citations",
            Kind::Flag,
            "Whether the citation of each article takes of the budget too.",
        ),
    ];
    let query: Vec<Parameter> = QUERY.into_iter().filter(|one| one.name != "sort").collect();
    [&query[..], &own, &[EXACT], &FILTERS].concat()
}

/// The paths.
pub(super) fn paths() -> Value {
    json!({
        "/v1/passages": passages(),
        "/v1/embeddings": {"post": embeddings()},
        "/v1/models": {"get": {
            "operationId": "models", "summary": "The model of the index, in OpenAI's shape",
            "responses": responses_in(
                "OpenAiError", answer("The model", "ModelList"), &["400", "503", "504"],
            ),
        }},
        "/embed": {"post": embed()},
        "/rerank": {"post": rerank()},
        "/info": {"get": {
            "operationId": "embedInfo",
            "summary": "The model and the limits, in the shape of text-embeddings-inference",
            "responses": responses_in(
                "TeiError", answer("What is served", "EmbedInfo"), &["404", "422", "424"],
            ),
        }},
    })
}

fn passages() -> Value {
    let success = answer("The passages", "PassagesResponse");
    json!({
        "get": {
            "operationId": "passages",
            "summary": "What a language model should read for a question, within a budget",
            "parameters": in_query(&of_passages(), "q"),
            "responses": responses(success.clone(), &["400", "404", "503", "504"]),
        },
        "post": {
            "operationId": "passagesByBody", "summary": "The same, asked as JSON",
            "requestBody": request_body(body(&of_passages())),
            "responses": responses(success, &["400", "404", "413", "415", "503", "504"]),
        },
    })
}

/// Properties of which the first are required; no others are taken.
fn posted(required: &[&str], properties: Value) -> Value {
    request_body(json!({
        "type": "object", "required": required, "properties": properties,
        "additionalProperties": false,
    }))
}

fn texts(about: &str) -> Value {
    json!({"anyOf": [text(), list(text())], "description": about})
}

fn embeddings() -> Value {
    let input =
        "A text or several; none longer than the model reads. Numbers of tokens are refused.";
    json!({
        "operationId": "embeddings", "summary": "Vectors of texts, in OpenAI's shape",
        "requestBody": posted(&["input", "model"], json!({
            "input": texts(input),
            "model": {"type": "string", "description": "Name or fingerprint of the index's model, \
                or medsift."},
            "encoding_format": choice(&["float", "base64"]),
            "dimensions": {"type": "integer", "description": "The model's own, or one that it was \
                trained to be cut to."},
            "input_type": {"type": "string", "enum": ["passage", "query"], "description": "Which of \
                the model's prompts stands before the texts; an extension."},
            "user": {"type": "string", "description": "Taken and not used."},
        })),
        "responses": responses_in(
            "OpenAiError",
            answer("Vectors of length one, in the order of the texts", "EmbeddingList"),
            &["400", "404", "413", "415", "503", "504"],
        ),
    })
}

const OF_TEI: [&str; 6] = ["404", "413", "415", "422", "424", "504"];

fn cut() -> [(String, Value); 2] {
    [
        (
            "truncate".to_owned(),
            json!({"type": "boolean", "default": false, "description": "Cut what is longer than \
                the model reads, rather than refuse it."}),
        ),
        (
            "truncation_direction".to_owned(),
            json!({"type": "string", "enum": ["Right", "Left", "right", "left"],
                "description": "The end that is cut off."}),
        ),
    ]
}

fn embed() -> Value {
    let mut properties = json!({
        "inputs": texts("A text or several."),
        "normalize": {"type": "boolean", "default": true},
        "prompt_name": {"type": "string", "enum": ["passage", "document", "query"]},
        "dimensions": whole(),
    });
    for (name, schema) in cut() {
        properties[name] = schema;
    }
    json!({
        "operationId": "embed",
        "summary": "Vectors of texts, in the shape of text-embeddings-inference",
        "requestBody": posted(&["inputs"], properties),
        "responses": responses_in("TeiError", answer("A vector for each text", "Vectors"), &OF_TEI),
    })
}

fn rerank() -> Value {
    let mut properties = json!({
        "query": text(),
        "texts": list(text()),
        "raw_scores": {"type": "boolean", "default": false, "description": "The cosine itself \
            rather than its place between 0 and 1."},
        "return_text": {"type": "boolean", "default": false},
    });
    for (name, schema) in cut() {
        properties[name] = schema;
    }
    json!({
        "operationId": "rerank",
        "summary": "Texts by the cosine of their vector and that of a query; no cross-encoder",
        "requestBody": posted(&["query", "texts"], properties),
        "responses": responses_in("TeiError", answer("The texts, best first", "Ranks"), &OF_TEI),
    })
}

/// The schemas.
pub(super) fn schemas() -> Value {
    let side = object(vec![("rank", whole()), ("score", number())]);
    let passage = object(vec![
        ("rank", whole()),
        ("source", whole()),
        ("id", text()),
        ("title", text()),
        ("field", choice(&["title", "text"])),
        ("start", whole()),
        ("end", whole()),
        ("text", text()),
        ("sections?", list(text())),
        ("year?", whole()),
        ("journal?", text()),
        ("retracted", flag()),
        ("score", number()),
        ("similarity?", number()),
        ("keyword?", side.clone()),
        ("semantic?", side),
        ("tokens", whole()),
        ("cut", flag()),
        ("citation", text()),
        ("citation_tokens", whole()),
    ]);
    let took = ["total_ms", "search_ms", "choose_ms"];
    let response = object(vec![
        ("question", text()),
        ("mode", choice(&["hybrid", "keyword", "semantic"])),
        ("filter?", json!({"type": "object"})),
        ("fusion?", json!({"type": "object"})),
        ("budget", whole()),
        ("tokens", whole()),
        ("citation_tokens", whole()),
        ("citations_counted", flag()),
        ("tokenizer", text()),
        ("diversity", number()),
        ("passages", list(reference("Passage"))),
        ("candidates", whole()),
        ("passed_over", whole()),
        ("warnings?", list(text())),
        ("model", text()),
        ("generation", whole()),
        ("took", object(took.map(|name| (name, number())).into())),
    ]);
    let vector = json!({"anyOf": [list(number()), {
        "type": "string", "description": "32-bit numbers, little-endian, in base64.",
    }]});
    let embedding = object(vec![
        ("object", choice(&["embedding"])),
        ("index", whole()),
        ("embedding", vector),
    ]);
    let usage = object(vec![("prompt_tokens", whole()), ("total_tokens", whole())]);
    let told = object(vec![
        ("message", text()),
        ("type", choice(&["invalid_request_error", "server_error"])),
        ("param", json!({"type": ["string", "null"]})),
        ("code", text()),
    ]);
    let model = object(vec![
        ("id", text()),
        ("object", choice(&["model"])),
        ("created", whole()),
        ("owned_by", text()),
    ]);
    let info = json!({
        "type": "object", "required": ["model_id", "model_type", "max_input_length"],
        "properties": {
            "model_id": text(), "model_sha": text(), "model_type": {"type": "object"},
            "max_input_length": whole(), "max_client_batch_size": whole(),
        },
    });
    json!({
        "PassagesResponse": response,
        "Passage": passage,
        "EmbeddingList": object(vec![
            ("object", choice(&["list"])),
            ("data", list(embedding)),
            ("model", text()),
            ("usage", usage),
        ]),
        "ModelList": object(vec![("object", choice(&["list"])), ("data", list(model))]),
        "OpenAiError": object(vec![("error", told)]),
        "Vectors": list(list(number())),
        "Ranks": list(object(vec![("index", whole()), ("text?", text()), ("score", number())])),
        "EmbedInfo": info,
        "TeiError": object(vec![
            ("error", text()),
            ("error_type", choice(&["Validation", "Overloaded", "Backend"])),
        ]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api;
    use crate::params;
    use std::collections::BTreeSet;

    #[test]
    fn every_parameter_of_passages_is_described() {
        let described: BTreeSet<&str> = of_passages().iter().map(|one| one.name).collect();
        let read = api::passages::names().into_iter().chain(params::FILTERS);
        assert_eq!(described, read.collect());
    }
}
