//! What can be asked under which address.

use super::parameters::{
    body, body_without_filter, in_query, of_answer, of_export, of_search, of_similar, of_suggest,
};
use serde_json::{Value, json};

/// All paths with their operations.
pub(super) fn paths() -> Value {
    let mut paths = own_paths();
    if let (Value::Object(paths), Value::Object(more)) = (&mut paths, super::passages::paths()) {
        paths.extend(more);
        super::eutils::add(paths);
    }
    paths
}

fn own_paths() -> Value {
    json!({
        "/health": {"get": plain("health", "Whether the server lives", "Health")},
        "/health/live": {"get": plain("healthLive", "Whether the server lives", "Health")},
        "/health/ready": {"get": ready()},
        "/metrics": {"get": metrics()},
        "/openapi.json": {"get": document()},
        "/v1/search": search(),
        "/v1/answer": answers(),
        "/v1/annotate": annotate(),
        "/v1/export": export(),
        "/v1/suggest": suggest(),
        "/v1/batch": {"post": batch()},
        "/v1/articles": article_list(),
        "/v1/articles/{id}": {"get": article()},
        "/v1/articles/{id}/similar": similar(),
        "/v1/stats": {"get": plain("stats", "What the index holds and costs", "Stats")},
    })
}

fn json_of(schema: &str) -> Value {
    json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{schema}")}}})
}

pub(super) fn answer(description: &str, schema: &str) -> Value {
    json!({"description": description, "content": json_of(schema)})
}

/// Statuses of errors, with what they mean.
fn errors(statuses: &[&str], schema: &str) -> Vec<(String, Value)> {
    let about = |status: &str| match status {
        "400" => "The request is at fault; the error names the field.",
        "401" => "The server needs an API key, and the request brings none that it knows.",
        "404" => "There is no such article or model, or the model has no head for this.",
        "410" => "The cursor belongs to an earlier state of the index.",
        "413" => "The body is too large.",
        "415" => "The body is not JSON.",
        "422" => "The request is at fault; the message names the field.",
        "424" => "The server failed.",
        "429" => "The client asks too often; Retry-After says when to come again.",
        "503" => "Too many searches are waiting; Retry-After says when to come again.",
        "504" => "The search took too long.",
        _ => "The server failed.",
    };
    let one = |status: &&str| ((*status).to_owned(), answer(about(status), schema));
    statuses.iter().map(one).collect()
}

pub(super) fn responses(success: Value, statuses: &[&str]) -> Value {
    responses_in("Error", success, statuses)
}

/// The same with errors in another shape; those of whoever guards the door
/// keep their own.
pub(super) fn responses_in(schema: &str, success: Value, statuses: &[&str]) -> Value {
    let mut all = serde_json::Map::from_iter([("200".to_owned(), success)]);
    all.extend(errors(&["401", "429", "500"], "Error"));
    all.extend(errors(statuses, schema));
    Value::Object(all)
}

fn plain(name: &str, summary: &str, schema: &str) -> Value {
    let success = answer(summary, schema);
    let responses = if schema == "Health" {
        // For everybody, and touching nothing.
        json!({"200": success})
    } else {
        responses(success, &["400", "503", "504"])
    };
    json!({"operationId": name, "summary": summary, "responses": responses})
}

fn ready() -> Value {
    json!({
        "operationId": "healthReady",
        "summary": "Whether a search that came now would be taken up",
        "responses": {
            "200": answer("It would", "Readiness"),
            "503": answer("It would not; `reason` says why", "Readiness"),
        },
    })
}

fn metrics() -> Value {
    let content = json!({"application/openmetrics-text": {"schema": {"type": "string"}}});
    let success = json!({"description": "Counts and times, for Prometheus", "content": content});
    json!({
        "operationId": "metrics", "summary": "Counts and times, for Prometheus",
        "responses": responses(success, &[]),
    })
}

fn document() -> Value {
    let schema = json!({"application/json": {"schema": {"type": "object"}}});
    let success = json!({"description": "An OpenAPI 3.1 document", "content": schema});
    json!({
        "operationId": "openapi", "summary": "This description",
        "responses": responses(success, &[]),
    })
}

pub(super) fn request_body(schema: Value) -> Value {
    json!({"required": true, "content": {"application/json": {"schema": schema}}})
}

const OF_SEARCH: [&str; 4] = ["400", "410", "503", "504"];
const OF_BODY: [&str; 6] = ["400", "410", "413", "415", "503", "504"];

fn search() -> Value {
    let success = answer("The hits of a page", "SearchResponse");
    json!({
        "get": {
            "operationId": "search", "summary": "Search",
            "parameters": in_query(&of_search(), "q"),
            "responses": responses(success.clone(), &OF_SEARCH),
        },
        "post": {
            "operationId": "searchByBody", "summary": "Search, asked as JSON",
            "requestBody": request_body(body(&of_search())),
            "responses": responses(success, &OF_BODY),
        },
    })
}

fn batch() -> Value {
    // What an object holds is not described again: a fault in one does not make
    // the request one.
    let search = json!({"type": "object", "description": "As the body of /v1/search."});
    let searches = json!({"type": "array", "items": search, "minItems": 1, "maxItems": 32});
    let asked = json!({
        "type": "object", "additionalProperties": false,
        "required": ["searches"], "properties": {"searches": searches},
    });
    let success = answer(
        "What /v1/search answers to each, in their order",
        "BatchResponse",
    );
    json!({
        "operationId": "batch", "summary": "Several searches at once",
        "requestBody": request_body(asked),
        "responses": responses(success, &["400", "413", "415", "503", "504"]),
    })
}

fn article_list() -> Value {
    let success = answer("The articles that are there", "Articles");
    let many = |id: Value| json!({"type": "array", "items": id, "minItems": 1, "maxItems": 200});
    let ids = many(json!({
        "type": ["string", "integer"], "maxLength": 256, "minimum": 0, "maximum": u64::MAX,
    }));
    let asked = json!({
        "type": "object", "additionalProperties": false,
        "required": ["ids"], "properties": {"ids": ids},
    });
    json!({
        "get": {
            "operationId": "articles", "summary": "Everything that is stored of several articles",
            "parameters": [{
                "name": "id", "in": "query", "required": true,
                "description": "PMID, or the id that the source gives; several times for several, \
                    or with commas between them.",
                "schema": many(json!({"type": "string"})),
            }],
            "responses": responses(success.clone(), &["400", "503", "504"]),
        },
        "post": {
            "operationId": "articlesByBody", "summary": "The same, asked as JSON",
            "requestBody": request_body(asked),
            "responses": responses(success, &["400", "413", "415", "503", "504"]),
        },
    })
}

fn answers() -> Value {
    let success = answer("The answers, or that there is none", "AnswerResponse");
    json!({
        "get": {
            "operationId": "answer", "summary": "An answer to a question, read out of articles",
            "parameters": in_query(&of_answer(), "q"),
            "responses": responses(success.clone(), &["400", "404", "503", "504"]),
        },
        "post": {
            "operationId": "answerByBody", "summary": "The same, asked as JSON",
            "requestBody": request_body(body(&of_answer())),
            "responses": responses(success, &["400", "404", "413", "415", "503", "504"]),
        },
    })
}

fn annotate() -> Value {
    let mut success = answer("The entities of each text", "AnnotateResponse");
    success["content"]["text/plain"] = json!({"schema": {"type": "string"}});
    let exchange = ["json", "pubtator", "bioc"];
    let format = json!({
        "name": "format", "in": "query", "required": false,
        "description": "As JSON, as PubTator's lines, or as a BioC collection in JSON; in the \
            latter two the texts are numbered from 1.",
        "schema": {"type": "string", "enum": exchange, "default": "json"},
    });
    let text = json!({
        "name": "text", "in": "query", "required": true,
        "description": "A text; several times for several.",
        "schema": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 64},
    });
    let text_or_texts = json!({
        "type": "object", "additionalProperties": false,
        "anyOf": [{"required": ["text"]}, {"required": ["texts"]}],
        "properties": {
            "text": {"type": "string", "description": "One text."},
            "texts": {
                "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 64,
                "description": "Several; 60,000 characters in all.",
            },
            "format": {"type": "string", "enum": exchange, "default": "json"},
        },
    });
    json!({
        "get": {
            "operationId": "annotate", "summary": "Named entities of texts that are sent",
            "parameters": [text, format],
            "responses": responses(success.clone(), &["400", "404", "503", "504"]),
        },
        "post": {
            "operationId": "annotateByBody", "summary": "The same, asked as JSON",
            "requestBody": request_body(text_or_texts),
            "responses": responses(success, &["400", "404", "413", "415", "503", "504"]),
        },
    })
}

fn export() -> Value {
    let text = json!({"schema": {"type": "string"}});
    let success = json!({
        "description": "The whole list as a file, sent while it is made. In mode keyword and for \
            a query in PubMed's language that is everything that matches, else the candidates.",
        "headers": {"medsift-articles": {
            "description": "How many articles the file holds.", "schema": {"type": "integer"},
        }, "medsift-warnings": {
            "description": "How many warnings a search for the same gives; it tells them.",
            "schema": {"type": "integer"},
        }},
        "content": {
            "application/jsonl": text, "text/csv": text, "application/nbib": text,
            "application/x-research-info-systems": text, "application/xml": text,
            "application/x-bibtex": text, "application/vnd.citationstyles.csl+json": {
                "schema": {"type": "array", "items": {"type": "object"}},
            },
            "application/vnd.apache.parquet": {}, "application/vnd.apache.arrow.file": {},
            "application/vnd.apache.arrow.stream": {},
        },
    });
    json!({
        "get": {
            "operationId": "export", "summary": "Everything that a search finds, as a file",
            "parameters": in_query(&of_export(), "q"),
            "responses": responses(success.clone(), &["400", "503", "504"]),
        },
        "post": {
            "operationId": "exportByBody", "summary": "The same, asked as JSON",
            "requestBody": request_body(body(&of_export())),
            "responses": responses(success, &["400", "413", "415", "503", "504"]),
        },
    })
}

fn suggest() -> Value {
    let success = answer("The suggestions", "Suggestions");
    json!({
        "get": {
            "operationId": "suggest",
            "summary": "Words, MeSH headings and journals that what was typed may become",
            "parameters": in_query(&of_suggest(), "q"),
            "responses": responses(success.clone(), &["400", "503", "504"]),
        },
        "post": {
            "operationId": "suggestByBody", "summary": "The same, asked as JSON",
            "requestBody": request_body(body_without_filter(&of_suggest(), "q")),
            "responses": responses(success, &["400", "413", "415", "503", "504"]),
        },
    })
}

fn id() -> Value {
    json!({
        "name": "id", "in": "path", "required": true,
        "description": "PMID, or the id that the source gives; a slash within it is %2F.",
        "schema": {"type": "string", "maxLength": 256},
    })
}

fn article() -> Value {
    let text = json!({"schema": {"type": "string"}});
    let success = json!({
        "description": "The article",
        "headers": {"etag": {
            "description": "Changes with the content.", "schema": {"type": "string"},
        }},
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/StoredArticle"}},
            "application/nbib": text, "application/x-research-info-systems": text,
            "application/x-bibtex": text, "application/xml": text, "text/plain": text,
            "application/vnd.citationstyles.csl+json": {
                "schema": {"type": "array", "items": {"type": "object"}},
            },
        },
    });
    let mut answers = responses(success, &["400", "404", "503", "504"]);
    answers["304"] = json!({"description": "As if-none-match has it."});
    let formats = [
        "json", "nbib", "ris", "bibtex", "csl", "xml", "pubtator", "bioc",
    ];
    json!({
        "operationId": "article", "summary": "Everything that is stored of an article",
        "parameters": [id(), {
            "name": "format", "in": "query", "required": false,
            "description": "Everything as JSON, a citation, or title and abstract with the \
                entities in them (pubtator, bioc as JSON).",
            "schema": {"type": "string", "enum": formats, "default": "json"},
        }],
        "responses": answers,
    })
}

fn similar() -> Value {
    let success = answer(
        "The nearest articles, without the article itself",
        "SimilarResponse",
    );
    let mut parameters = vec![id()];
    parameters.extend(in_query(&of_similar(), ""));
    json!({
        "get": {
            "operationId": "similar", "summary": "Articles that are most like one of the index",
            "parameters": parameters,
            "responses": responses(success.clone(), &["400", "404", "503", "504"]),
        },
        "post": {
            "operationId": "similarByBody", "summary": "The same, asked as JSON",
            "parameters": [id()],
            "requestBody": request_body(body(&of_similar())),
            "responses": responses(success, &["400", "404", "413", "415", "503", "504"]),
        },
    })
}
