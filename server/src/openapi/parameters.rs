//! Parameters in words.

use serde_json::{Map, Value, json};

/// What a value is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Text,
    Flag,
    Whole,
    Number,
    /// A year or a range of years.
    Years,
    Choice(&'static [&'static str]),
    Texts,
    Choices(&'static [&'static str]),
}

/// A parameter of a query string, and a key of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) about: &'static str,
}

pub(super) const fn parameter(name: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter { name, kind, about }
}

/// Which articles may answer.
pub(super) const FILTERS: [Parameter; 11] = [
    parameter(
        "year",
        Kind::Years,
        "Years of publication: 2019, 2015-2024, 2015- or -2024.",
    ),
    parameter("year_from", Kind::Whole, "First year, instead of year."),
    parameter("year_to", Kind::Whole, "Last year, instead of year."),
    parameter(
        "journal",
        Kind::Texts,
        "Journal: title, abbreviation, ISSN or NLM id; any of several.",
    ),
    parameter(
        "publication_type",
        Kind::Texts,
        "Publication type, such as Review; any of several.",
    ),
    parameter(
        "mesh",
        Kind::Texts,
        "MeSH heading or identifier; every one of several.",
    ),
    parameter(
        "language",
        Kind::Texts,
        "Language, as ISO 639-2 code; any of several.",
    ),
    parameter(
        "entity",
        Kind::Texts,
        "Entity that was found in the article: MESH:D003924, a name, or Gene:BRCA1; every one of \
         several.",
    ),
    parameter(
        "relation",
        Kind::Texts,
        "Relation that was found in it: type|first|second, with * for anything; every one of \
         several.",
    ),
    parameter(
        "has_abstract",
        Kind::Flag,
        "Only articles with (true) or without (false) an abstract.",
    ),
    parameter(
        "retracted",
        Kind::Flag,
        "Only articles that are (true) or are not (false) retracted.",
    ),
];

/// What is looked for, and how.
pub(super) const QUERY: [Parameter; 9] = [
    parameter(
        "q",
        Kind::Text,
        "What is looked for: words, a question, or a query in PubMed's language. Also query.",
    ),
    parameter("query", Kind::Text, "The same as q."),
    parameter(
        "syntax",
        Kind::Choice(&["auto", "plain", "pubmed"]),
        "How the text is read; auto finds out.",
    ),
    parameter(
        "lenient",
        Kind::Flag,
        "Pass over faults of the syntax, with a warning each, rather than refuse them.",
    ),
    parameter(
        "mode",
        Kind::Choice(&["hybrid", "keyword", "semantic"]),
        "Which sides answer.",
    ),
    parameter(
        "sort",
        Kind::Choice(&["relevance", "date"]),
        "Best first, or newest first.",
    ),
    parameter(
        "fusion",
        Kind::Choice(&["rrf", "weighted"]),
        "How the sides are joined in mode hybrid.",
    ),
    parameter("fusion_k", Kind::Number, "Constant of rrf."),
    parameter(
        "semantic_weight",
        Kind::Number,
        "Share of the semantic side, 0 to 1.",
    ),
];

/// Whether vectors are compared one by one.
pub(super) const EXACT: Parameter = parameter(
    "exact",
    Kind::Flag,
    "Compare every vector rather than walk the graph.",
);

/// Which part of the list is given, and what with it.
pub(super) const PAGE: [Parameter; 7] = [
    parameter("limit", Kind::Whole, "Hits on a page."),
    parameter(
        "offset",
        Kind::Whole,
        "Hits to pass over, as far as the configured window.",
    ),
    parameter(
        "cursor",
        Kind::Text,
        "Where the list goes on, to any depth: next_cursor of the page before, as it is.",
    ),
    parameter("explain", Kind::Flag, "Rank and score on each side."),
    parameter(
        "enrich",
        Kind::Choices(&["entities", "relations"]),
        "What else is found in the hits.",
    ),
    parameter(
        "facets",
        Kind::Choices(&["year", "journal", "type", "mesh", "entity"]),
        "What is counted over everything that is found.",
    ),
    parameter(
        "facet_limit",
        Kind::Whole,
        "Most values of each facet; all years are given.",
    ),
];

/// The parameters of a search.
pub(super) fn of_search() -> Vec<Parameter> {
    [&QUERY[..], &PAGE, &[EXACT], &FILTERS].concat()
}

/// Those of an answer: a search whose first articles are read.
pub(super) fn of_answer() -> Vec<Parameter> {
    let limit = parameter("limit", Kind::Whole, "Articles that are read.");
    [&QUERY[..], &[limit, EXACT], &FILTERS].concat()
}

/// Those of an export: a search without pages.
pub(super) fn of_export() -> Vec<Parameter> {
    let format = parameter(
        "format",
        Kind::Choice(&[
            "jsonl",
            "csv",
            "nbib",
            "ris",
            "xml",
            "bibtex",
            "csl",
            "beir",
            "parquet",
            "arrow",
            "arrow-stream",
        ]),
        "Format of the file.",
    );
    let vectors = parameter(
        "vectors",
        Kind::Flag,
        "With the vectors of passages, in parquet, arrow and arrow-stream.",
    );
    [&[format, vectors][..], &QUERY, &[EXACT], &FILTERS].concat()
}

/// Those of similar articles.
pub(super) fn of_similar() -> Vec<Parameter> {
    [&PAGE[..1], &FILTERS].concat()
}

/// Those of suggestions.
pub(super) fn of_suggest() -> Vec<Parameter> {
    vec![
        parameter("q", Kind::Text, "What was typed."),
        parameter("limit", Kind::Whole, "Most suggestions of each kind."),
        parameter(
            "kinds",
            Kind::Choices(&["term", "mesh", "journal"]),
            "What is suggested; everything where it is not given.",
        ),
    ]
}

/// Parameters of a query string as OpenAPI has them.
pub(super) fn in_query(parameters: &[Parameter], required: &str) -> Vec<Value> {
    let one = |parameter: &Parameter| {
        let mut schema = schema(parameter.kind);
        super::bounds::add(parameter.name, &mut schema);
        json!({
            "name": parameter.name, "in": "query", "description": parameter.about,
            "required": parameter.name == required,
            "schema": schema,
        })
    };
    parameters.iter().map(one).collect()
}

/// The same as an object, of an address where nothing is filtered; null counts
/// as absent.
pub(super) fn body_without_filter(parameters: &[Parameter], required: &str) -> Value {
    let one = |parameter: &Parameter| {
        let (name, mut schema) = property(parameter);
        let kind = schema["type"].as_str().map(str::to_owned);
        if let Some(kind) = kind.filter(|_| name != required) {
            schema["type"] = json!([kind, "null"]);
        }
        (name, schema)
    };
    let properties: Map<String, Value> = parameters.iter().map(one).collect();
    json!({
        "type": "object", "required": [required],
        "properties": properties, "additionalProperties": false,
    })
}

/// The same as an object, which takes filters in an object of their own, too.
pub(super) fn body(parameters: &[Parameter]) -> Value {
    let mut properties: Map<String, Value> = parameters.iter().map(property).collect();
    let filter: Map<String, Value> = FILTERS.iter().map(property).collect();
    properties.insert(
        "filter".to_owned(),
        json!({
            "description": "Filters, which may stand at the top as well.",
            "type": ["object", "null"], "properties": filter, "additionalProperties": false,
        }),
    );
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn property(parameter: &Parameter) -> (String, Value) {
    let mut schema = match parameter.kind {
        // What the response echoes is taken, too.
        Kind::Years => json!({"anyOf": [
            {"type": ["string", "integer", "null"]},
            {"type": "object", "additionalProperties": false, "properties": {
                "from": {"type": ["integer", "null"]}, "to": {"type": ["integer", "null"]},
            }},
        ]}),
        Kind::Texts | Kind::Choices(_) => json!({"anyOf": [
            {"type": ["string", "null"]}, schema(parameter.kind),
        ]}),
        Kind::Choice(_) if parameter.name == "fusion" => json!({"anyOf": [
            schema(parameter.kind),
            {"type": "object", "additionalProperties": false, "properties": {
                "method": schema(parameter.kind),
                "k": {"type": "number"}, "semantic_weight": {"type": "number"},
            }},
        ]}),
        kind => schema(kind),
    };
    super::bounds::add(parameter.name, &mut schema);
    schema["description"] = parameter.about.into();
    (parameter.name.to_owned(), schema)
}

fn schema(kind: Kind) -> Value {
    match kind {
        Kind::Text | Kind::Years => json!({"type": "string"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Whole => json!({"type": "integer"}),
        Kind::Number => json!({"type": "number"}),
        Kind::Choice(names) => json!({"type": "string", "enum": names}),
        Kind::Texts => json!({"type": "array", "items": {"type": "string", "minLength": 1}}),
        Kind::Choices(names) => {
            json!({"type": "array", "items": {"type": "string", "enum": names}})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params;
    use std::collections::BTreeSet;

    #[test]
    fn every_parameter_of_a_search_is_described() {
        let described: BTreeSet<&str> = of_search().iter().map(|one| one.name).collect();
        let read: BTreeSet<&str> = params::names().collect();
        assert_eq!(described, read);
        let filters: BTreeSet<&str> = FILTERS.iter().map(|one| one.name).collect();
        assert_eq!(filters, BTreeSet::from(params::FILTERS));
    }
}
