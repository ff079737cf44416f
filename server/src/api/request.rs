//! A search as a JSON object, as the parameters that a query string carries.
//!
//! Whatever can be given in a query string can be given under the same name in
//! the object; what the response echoes (`filter` and `fusion` as objects, the
//! year as `from` and `to`) is taken too.

use super::body::{self, Arrived};
use super::tree::Json;
use crate::error::ApiError;
use crate::params::{self, FILTERS, KINDS, Parameter, Parameters};
use crate::state::Shared;
use axum::http::{HeaderMap, Uri};

/// The other names at the top.
const TOP: [&str; 24] = [
    "query",
    "q",
    "syntax",
    "lenient",
    "mode",
    "filter",
    "limit",
    "offset",
    "fusion",
    "fusion_k",
    "semantic_weight",
    "exact",
    "explain",
    "enrich",
    "sort",
    "cursor",
    "facets",
    "facet_limit",
    "format",
    "budget",
    "diversity",
    "count_citations",
    "vectors",
    KINDS,
];

/// The parameters of a request that is posted: all of them stand in its body.
///
/// # Errors
///
/// Parameters in the address; a body that is too large or no JSON; and as
/// [`parameters`].
pub(super) fn posted(
    state: &Shared,
    uri: &Uri,
    headers: &HeaderMap,
    body: Arrived,
) -> Result<Parameters, ApiError> {
    parameters(body::posted(state, uri, headers, body)?)
}

/// The parameters of a body.
///
/// # Errors
///
/// A body that is no object, a name that is unknown or repeated, a value of
/// another kind than the name takes; the error names the path.
pub(crate) fn parameters(body: Json) -> Result<Parameters, ApiError> {
    let mut found = Vec::new();
    let known: Vec<&str> = TOP.into_iter().chain(FILTERS).collect();
    let Json::Object(_) = body else {
        return Err(ApiError {
            field: None,
            ..ApiError::parameter(
                "",
                format!("the body is {}: send the search as an object", body.kind()),
            )
        });
    };
    for (name, value) in entries("", body, &known)? {
        match name.as_str() {
            "filter" => {
                for (name, value) in entries("filter", value, &FILTERS)? {
                    let place = format!("filter.{name}");
                    parameter(&name, place, value, &mut found)?;
                }
            }
            _ => parameter(&name.clone(), name, value, &mut found)?,
        }
    }
    Ok(found)
}

/// What an object holds, each key once and known; `null` counts as absent.
pub(super) fn entries(
    path: &str,
    value: Json,
    known: &[&str],
) -> Result<Vec<(String, Json)>, ApiError> {
    let object = match value {
        Json::Object(object) => object,
        Json::Null => Vec::new(),
        other => return Err(unfit(path, &other, "an object")),
    };
    for (at, (name, _)) in object.iter().enumerate() {
        let place = match path {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        if !known.contains(&name.as_str()) {
            let message = format!("unknown field {place:?}: use {}", known.join(", "));
            return Err(ApiError::parameter(&place, message));
        }
        if object[..at].iter().any(|(earlier, _)| earlier == name) {
            let message = format!("{place} is given more than once");
            return Err(ApiError::parameter(&place, message));
        }
    }
    let given = object.into_iter().filter(|(_, value)| *value != Json::Null);
    Ok(given.collect())
}

fn parameter(
    name: &str,
    place: String,
    value: Json,
    found: &mut Parameters,
) -> Result<(), ApiError> {
    match name {
        "fusion" => parts(&place, value, FUSION, found),
        "year" => parts(&place, value, YEARS, found),
        list if params::is_list(list) => values(name, &place, value, found),
        _ => {
            let takes = match name {
                "query" | "q" | "syntax" | "mode" | "sort" | "cursor" | "format" => "a text",
                "lenient" | "has_abstract" | "retracted" | "exact" | "explain"
                | "count_citations" | "vectors" => "true or false",
                _ => "a number",
            };
            if value.kind() != takes {
                return Err(unfit(&place, &value, takes));
            }
            found.extend(scalar(name, place, &value));
            Ok(())
        }
    }
}

/// A value that is one text, or an object of parts.
struct Parts {
    /// The parameter that the bare value is.
    whole: &'static str,
    /// Kinds of bare values.
    bare: &'static [&'static str],
    /// Keys of the object, the parameters that they are, and their kinds.
    keys: &'static [(&'static str, &'static str, &'static str)],
    /// What may be sent, for messages.
    takes: &'static str,
}

const FUSION: Parts = Parts {
    whole: "fusion",
    bare: &["a text"],
    keys: &[
        ("method", "fusion", "a text"),
        ("k", "fusion_k", "a number"),
        ("semantic_weight", "semantic_weight", "a number"),
    ],
    takes: "rrf, weighted, or an object with method, k and semantic_weight",
};

const YEARS: Parts = Parts {
    whole: "year",
    bare: &["a text", "a number"],
    keys: &[
        ("from", "year_from", "a number"),
        ("to", "year_to", "a number"),
    ],
    takes: "2019, \"2019-2023\", \"2019-\", \"-2023\", or an object with from and to",
};

fn parts(place: &str, value: Json, parts: Parts, found: &mut Parameters) -> Result<(), ApiError> {
    if parts.bare.contains(&value.kind()) {
        found.extend(scalar(parts.whole, place.to_owned(), &value));
        return Ok(());
    }
    let Json::Object(_) = value else {
        return Err(unfit(place, &value, parts.takes));
    };
    let known: Vec<&str> = parts.keys.iter().map(|(key, _, _)| *key).collect();
    for (key, value) in entries(place, value, &known)? {
        let place = format!("{place}.{key}");
        let part = parts.keys.iter().find(|(name, _, _)| *name == key);
        if let Some(&(_, name, takes)) = part {
            if value.kind() != takes {
                return Err(unfit(&place, &value, takes));
            }
            found.extend(scalar(name, place, &value));
        }
    }
    Ok(())
}

/// One text, or a list of them.
fn values(name: &str, place: &str, value: Json, found: &mut Parameters) -> Result<(), ApiError> {
    let items = match value {
        Json::List(items) => items,
        Json::Text(_) => vec![value],
        other => return Err(unfit(place, &other, "a text or a list of texts")),
    };
    for item in items {
        let Json::Text(_) = item else {
            return Err(unfit(place, &item, "texts in the list"));
        };
        found.extend(scalar(name, place.to_owned(), &item));
    }
    Ok(())
}

fn scalar(name: &str, place: String, value: &Json) -> Option<Parameter> {
    let value = match value {
        Json::Text(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        Json::Flag(flag) => flag.to_string(),
        Json::Null | Json::List(_) | Json::Object(_) => return None,
    };
    Some(Parameter {
        name: name.to_owned(),
        value,
        place,
    })
}

pub(super) fn unfit(place: &str, value: &Json, takes: &str) -> ApiError {
    let given = match value {
        Json::Text(text) => format!("{text:?}"),
        Json::Number(number) => number.to_string(),
        other => other.kind().to_owned(),
    };
    let name = if place.is_empty() { "the body" } else { place };
    ApiError {
        // The whole body has no name.
        field: (!place.is_empty()).then(|| place.to_owned()),
        ..ApiError::parameter(place, format!("{name} is {given}: use {takes}"))
    }
}

#[cfg(test)]
mod tests;
