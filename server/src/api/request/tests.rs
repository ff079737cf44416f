use super::*;
use crate::params::{OwnNames, as_given, of_address, query_string, search_request};
use medsift::query::{Query, QueryDefaults, QueryRequest};

fn read(body: &str) -> Result<QueryRequest, ApiError> {
    let tree: Json = serde_json::from_str(body).unwrap();
    let parameters = parameters(tree)?;
    let request = search_request(&parameters)?;
    Query::new(request.clone(), &QueryDefaults::default())
        .map_err(|error| as_given(&parameters, OwnNames::Paths, error.into()))?;
    Ok(request)
}

fn from_address(text: &str) -> QueryRequest {
    let uri = format!("/v1/search?{text}").parse().unwrap();
    search_request(&of_address(&uri)).unwrap()
}

#[test]
fn a_body_takes_what_a_query_string_takes() {
    for (body, address) in [
        (r#"{"q":"a"}"#, "q=a"),
        (
            r#"{"q":"a AND [ti]","syntax":"pubmed","lenient":true}"#,
            "q=a+AND+[ti]&syntax=pubmed&lenient=1",
        ),
        (r#"{"query":"a","year":"2019-2023"}"#, "q=a&year=2019-2023"),
        (r#"{"query":"a","year":2020}"#, "q=a&year=2020"),
        (
            r#"{"query":"a","filter":{"year":"2019-"}}"#,
            "q=a&year=2019..",
        ),
        (
            r#"{"query":"a","filter":{"year":"-2023"}}"#,
            "q=a&year_to=2023",
        ),
        (
            r#"{"query":"a","filter":{"year":{"from":2019,"to":null}}}"#,
            "q=a&year=2019-",
        ),
        (
            r#"{"query":"a","publication_type":"Review"}"#,
            "q=a&publication_type=Review",
        ),
        (
            r#"{"query":"a","filter":{"journal":["Lancet","BMJ"],"mesh":"Humans"}}"#,
            "q=a&journal=Lancet&journal=BMJ&mesh=Humans",
        ),
        (
            r#"{"query":"a","filter":{"retracted":false},"explain":true,"limit":5,"offset":10}"#,
            "q=a&retracted=false&explain=true&limit=5&offset=10",
        ),
        (
            r#"{"query":"a","enrich":["entities"]}"#,
            "q=a&enrich=entities",
        ),
        (r#"{"query":"a","fusion":"rrf"}"#, "q=a&fusion=rrf"),
        (
            r#"{"query":"a","fusion":{"method":"rrf","k":30,"semantic_weight":0.25}}"#,
            "q=a&fusion=rrf&fusion_k=30&semantic_weight=0.25",
        ),
        (
            r#"{"query":"a","fusion":"weighted","semantic_weight":0.25}"#,
            "q=a&fusion=weighted&semantic_weight=0.25",
        ),
        (
            r#"{"query":"a","mode":"semantic","exact":true,"filter":null,"fusion":null}"#,
            "q=a&mode=semantic&exact=1",
        ),
    ] {
        let request = read(body).unwrap_or_else(|error| panic!("{body}: {error:?}"));
        assert_eq!(request, from_address(address), "{body}");
        // And what one of them was read from leads back to it.
        assert_eq!(from_address(&query_string(&request)), request, "{body}");
    }
}

#[test]
fn faults_name_the_field_what_was_given_and_what_is_allowed() {
    for (body, field, given, allowed) in [
        (
            r#"{"query":"a","mode":"fuzzy"}"#,
            "mode",
            "fuzzy",
            "hybrid, keyword or semantic",
        ),
        (r#"{"query":"a","mode":1}"#, "mode", "1", "a text"),
        (r#"{"query":["a"]}"#, "query", "a list", "a text"),
        (
            r#"{"query":"a","colour":1}"#,
            "colour",
            "colour",
            "publication_type",
        ),
        (
            r#"{"query":"a","filter":{"colour":1}}"#,
            "filter.colour",
            "filter.colour",
            "journal",
        ),
        (r#"{"query":"a","filter":"x"}"#, "filter", "x", "an object"),
        (
            r#"{"query":"a","limit":-1}"#,
            "limit",
            "-1",
            "a whole number",
        ),
        (
            r#"{"query":"a","limit":2.5}"#,
            "limit",
            "2.5",
            "a whole number",
        ),
        (r#"{"query":"a","limit":"ten"}"#, "limit", "ten", "a number"),
        (r#"{"query":"a","limit":0}"#, "limit", "0", "1 to 100"),
        (
            r#"{"query":"a","explain":"yes"}"#,
            "explain",
            "yes",
            "true or false",
        ),
        (
            r#"{"query":"a","year":"soon"}"#,
            "year",
            "soon",
            "2019-2023",
        ),
        (
            r#"{"query":"a","year":[2019]}"#,
            "year",
            "a list",
            "2019-2023",
        ),
        (
            r#"{"query":"a","filter":{"year":{"from":"x"}}}"#,
            "filter.year.from",
            "x",
            "a number",
        ),
        (
            r#"{"query":"a","filter":{"year":{"since":1}}}"#,
            "filter.year.since",
            "since",
            "from, to",
        ),
        (
            r#"{"query":"a","filter":{"year":"2020-2019"}}"#,
            "filter.year",
            "2020",
            "swap",
        ),
        (
            r#"{"query":"a","year":"2020-2019"}"#,
            "year",
            "2020",
            "swap",
        ),
        (
            r#"{"query":"a","filter":{"year":{"from":2,"to":1}}}"#,
            "filter.year",
            "from 2 to 1",
            "swap",
        ),
        (r#"{"query":"a","mesh":[1]}"#, "mesh", "1", "texts"),
        (
            r#"{"query":"a","mesh":{"a":1}}"#,
            "mesh",
            "an object",
            "a list of texts",
        ),
        (r#"{"query":"a","mesh":" "}"#, "mesh", "empty", "empty"),
        (
            r#"{"query":"a","fusion":"magic"}"#,
            "fusion",
            "magic",
            "rrf or weighted",
        ),
        (
            r#"{"query":"a","fusion":{"method":"magic"}}"#,
            "fusion.method",
            "magic",
            "rrf or weighted",
        ),
        (
            r#"{"query":"a","fusion":{"k":3}}"#,
            "fusion.k",
            "fusion.k",
            "rrf or weighted",
        ),
        (
            r#"{"query":"a","fusion":{"method":"rrf","k":0}}"#,
            "fusion.k",
            "0",
            "positive",
        ),
        (
            r#"{"query":"a","fusion":7}"#,
            "fusion",
            "7",
            "rrf, weighted",
        ),
        (
            r#"{"query":"a","query":"b"}"#,
            "query",
            "query",
            "more than once",
        ),
        (r#"{"query":"a","q":"b"}"#, "q", "q", "more than once"),
        (
            r#"{"query":"a","year":2019,"filter":{"year":2020}}"#,
            "filter.year",
            "filter.year",
            "more than once",
        ),
        (
            r#"{"query":"a","mesh":"x","mesh":"y"}"#,
            "mesh",
            "mesh",
            "more than once",
        ),
        (r#"{}"#, "query", "empty", "words"),
    ] {
        let error = read(body).unwrap_err();
        assert_eq!(error.code, "invalid_parameter", "{body}");
        assert_eq!(
            error.field.as_deref(),
            Some(field),
            "{body}: {}",
            error.message
        );
        for part in [given, allowed] {
            assert!(error.message.contains(part), "{body}: {}", error.message);
        }
        for word in [
            "variant",
            "expected",
            "invalid type",
            "column",
            "deserial",
            "missing field",
        ] {
            assert!(!error.message.contains(word), "{body}: {}", error.message);
        }
    }
}

#[test]
fn a_body_that_is_no_object_is_told_so() {
    for (body, kind) in [
        ("[]", "a list"),
        ("7", "a number"),
        ("null", "null"),
        ("\"a\"", "a text"),
    ] {
        let error = read(body).unwrap_err();
        assert_eq!(error.field, None);
        assert!(error.message.contains(kind), "{body}: {}", error.message);
    }
}
