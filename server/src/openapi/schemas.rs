//! What is answered, by name.

use serde_json::{Map, Value, json};

/// All schemas.
pub(super) fn all() -> Value {
    let mut all = Map::new();
    for part in [
        errors(),
        searches(),
        hits(),
        entities(),
        answers(),
        articles(),
        others(),
        super::passages::schemas(),
    ] {
        if let Value::Object(part) = part {
            all.extend(part);
        }
    }
    Value::Object(all)
}

pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

pub(super) fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

pub(super) fn text() -> Value {
    json!({"type": "string"})
}

pub(super) fn whole() -> Value {
    json!({"type": "integer"})
}

pub(super) fn number() -> Value {
    json!({"type": "number"})
}

pub(super) fn flag() -> Value {
    json!({"type": "boolean"})
}

pub(super) fn choice(names: &[&str]) -> Value {
    json!({"type": "string", "enum": names})
}

/// An object with no other keys; a name that ends with `?` may be absent.
pub(super) fn object(fields: Vec<(&str, Value)>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, schema) in fields {
        match name.strip_suffix('?') {
            Some(name) => properties.insert(name.to_owned(), schema),
            None => {
                required.push(name);
                properties.insert(name.to_owned(), schema)
            }
        };
    }
    json!({
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": false,
    })
}

fn errors() -> Value {
    let error = object(vec![
        (
            "code",
            json!({"type": "string", "description": "Stable; for programs."}),
        ),
        (
            "message",
            json!({"type": "string", "description": "For people."}),
        ),
        (
            "field",
            json!({"type": ["string", "null"], "description": "The parameter at fault."}),
        ),
    ]);
    json!({"Error": object(vec![("error", error)])})
}

fn searches() -> Value {
    let found = object(vec![
        ("candidates", whole()),
        ("keyword_matches?", whole()),
        ("semantic_candidates?", whole()),
        ("more", flag()),
    ]);
    let took = [
        "total_ms",
        "encode_ms",
        "retrieve_ms",
        "fetch_ms",
        "enrich_ms",
    ];
    let translation = object(vec![
        ("query", text()),
        ("words", text()),
        ("articles?", whole()),
        (
            "terms?",
            list(object(vec![("term", text()), ("articles", whole())])),
        ),
        ("passed_over?", list(text())),
        ("tree", json!({"type": "object"})),
    ]);
    let response = object(vec![
        ("query", text()),
        ("translation?", translation),
        ("mode", choice(&["hybrid", "keyword", "semantic"])),
        ("sort", choice(&["relevance", "date"])),
        ("filter?", json!({"type": "object"})),
        ("fusion?", json!({"type": "object"})),
        ("found", found),
        ("offset", whole()),
        ("limit", whole()),
        ("hits", list(reference("Hit"))),
        ("next_offset?", whole()),
        ("next_cursor?", text()),
        ("facets?", reference("Facets")),
        ("warnings?", list(text())),
        ("enrichment?", json!({"type": "object"})),
        ("model?", text()),
        ("generation", whole()),
        ("took", object(took.map(|name| (name, number())).into())),
    ]);
    let values = object(vec![
        (
            "values",
            list(object(vec![
                ("value", text()),
                ("name?", text()),
                ("type?", text()),
                ("articles", whole()),
            ])),
        ),
        ("more", whole()),
    ]);
    let facets = object(vec![
        (
            "over",
            json!({
                "type": "string",
                "description": "Which articles were counted: all that the query selects, all that \
                    hold its words, the nearest by meaning, or both of these.",
                "enum": ["selection", "matches", "nearest", "matches_and_nearest"],
            }),
        ),
        ("articles", whole()),
        (
            "year?",
            list(object(vec![("year", whole()), ("articles", whole())])),
        ),
        ("journal?", reference("FacetValues")),
        ("type?", reference("FacetValues")),
        ("mesh?", reference("FacetValues")),
        ("entity?", reference("FacetValues")),
    ]);
    let one = json!({"anyOf": [reference("SearchResponse"), reference("Error")]});
    let batch = object(vec![("responses", list(one))]);
    json!({
        "SearchResponse": response, "BatchResponse": batch,
        "Facets": facets, "FacetValues": values,
    })
}

fn hits() -> Value {
    let range = json!({
        "type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2,
        "description": "Half-open, in characters.",
    });
    let place = json!({"anyOf": [
        {"type": "null"},
        object(vec![("rank", whole()), ("score", number())]),
    ]});
    let passage = object(vec![
        ("ordinal", whole()),
        ("start", whole()),
        ("end", whole()),
        ("score", number()),
    ]);
    let highlights = object(vec![("title", list(range.clone())), ("text", list(range))]);
    let entities = object(vec![
        ("title", list(reference("Entity"))),
        ("text", list(reference("Entity"))),
    ]);
    let relations = object(vec![
        ("title", list(reference("Relation"))),
        ("text", list(reference("Relation"))),
    ]);
    let hit = object(vec![
        ("id", text()),
        ("rank", whole()),
        ("score", number()),
        ("title", text()),
        ("text", text()),
        ("abstract_origin", json!({"type": "object"})),
        ("authors", list(text())),
        ("journal?", text()),
        ("published?", text()),
        ("year?", whole()),
        ("publication_types?", list(text())),
        ("languages?", list(text())),
        ("doi?", text()),
        ("pmc?", text()),
        ("retracted", flag()),
        ("truncated", flag()),
        ("passage?", passage),
        ("highlights", highlights),
        ("entities?", entities),
        ("relations?", relations),
        (
            "explain?",
            object(vec![("keyword", place.clone()), ("semantic", place)]),
        ),
    ]);
    json!({"Hit": hit})
}

fn entities() -> Value {
    let methods = choice(&["exact", "normalised", "abbreviation", "nearest"]);
    let entity = object(vec![
        ("type", text()),
        ("start", whole()),
        ("end", whole()),
        ("text", text()),
        ("score", number()),
        ("id?", text()),
        ("concept?", text()),
        (
            "link?",
            object(vec![("method", methods), ("score", number())]),
        ),
    ]);
    let document = object(vec![("entities", list(reference("Entity")))]);
    let evidence = object(vec![("start", whole()), ("end", whole()), ("text", text())]);
    let relation = object(vec![
        ("type", text()),
        ("head", text()),
        ("score", number()),
        ("first", whole()),
        ("second", whole()),
        ("evidence", evidence),
    ]);
    json!({
        "Entity": entity,
        "Relation": relation,
        "AnnotateResponse": object(vec![
            ("documents", list(document)),
            ("model", text()),
            ("head", text()),
            ("took_ms", number()),
        ]),
    })
}

fn answers() -> Value {
    let span = || vec![("start", whole()), ("end", whole()), ("text", text())];
    let mut one = vec![
        ("id", text()),
        ("title", text()),
        ("year?", whole()),
        ("retracted", flag()),
        ("field", choice(&["title", "text"])),
        ("margin", number()),
        ("confidence", number()),
        ("evidence", object(span())),
        ("also_in?", list(text())),
    ];
    one.extend(span());
    let stance = || choice(&["yes", "no", "maybe"]);
    let verdict = object(vec![
        ("verdict", stance()),
        ("supporting", whole()),
        ("opposing", whole()),
        ("undecided", whole()),
        (
            "articles",
            list(object(vec![
                ("id", text()),
                ("title", text()),
                ("stance", stance()),
                ("score", number()),
            ])),
        ),
    ]);
    let took = ["total_ms", "search_ms", "read_ms"];
    let response = object(vec![
        ("question", text()),
        ("answers", list(object(one))),
        ("verdict?", verdict),
        ("message?", text()),
        ("read", whole()),
        ("warnings?", list(text())),
        ("model", text()),
        ("head", text()),
        ("verdict_head?", text()),
        ("generation", whole()),
        ("took", object(took.map(|name| (name, number())).into())),
    ]);
    json!({"AnswerResponse": response})
}

fn articles() -> Value {
    let article = json!({
        "type": "object", "required": ["id"],
        "description": "Everything that a citation holds; parts that are empty are left out.",
        "properties": {"id": text()},
    });
    json!({
        "Article": article,
        "StoredArticle": object(vec![
            ("source", text()),
            ("content", text()),
            ("completeness?", text()),
            ("article", reference("Article")),
        ]),
        "Articles": object(vec![
            ("articles", list(reference("StoredArticle"))),
            ("missing", list(text())),
        ]),
        "SimilarResponse": object(vec![
            ("id", text()),
            ("filter?", json!({"type": "object"})),
            ("hits", list(reference("Hit"))),
            ("warnings?", list(text())),
            ("model", text()),
            ("generation", whole()),
        ]),
    })
}

fn others() -> Value {
    let suggestion = object(vec![
        ("kind", choice(&["term", "mesh", "journal"])),
        ("text", text()),
        ("query", text()),
        ("found_as?", text()),
        ("articles", whole()),
    ]);
    let pool = ["threads", "running", "waiting"];
    let counts = [
        "articles",
        "passages",
        "deleted_passages",
        "quarantined",
        "tombstones",
        "fallbacks",
        "generation",
        "format_version",
        "vector_segments",
        "graph_segments",
        "mapped_bytes",
    ];
    let mut stats: Vec<(&str, Value)> = counts.map(|name| (name, whole())).into();
    stats.extend([
        ("committed_at", text()),
        ("model", json!({"type": "object"})),
        ("disk", json!({"type": "object"})),
        ("last_update_file?", text()),
        ("sources", list(json!({"type": "object"}))),
    ]);
    json!({
        "Suggestions": object(vec![
            ("suggestions", list(suggestion)),
            ("generation", whole()),
        ]),
        "Stats": object(stats),
        "Readiness": object(vec![("status", choice(&["ready", "not_ready"])), ("reason?", text())]),
        "Health": object(vec![
            ("status", text()),
            ("version", text()),
            ("uptime_seconds", whole()),
            ("pool", object(pool.map(|name| (name, whole())).into())),
        ]),
    })
}
