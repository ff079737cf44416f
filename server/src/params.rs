//! Query strings to search requests and back.

use crate::error::ApiError;
use axum::http::Uri;
use form_urlencoded::Serializer;
use medsift::Fusion;
use medsift::query::{Filter, QueryRequest, YearRange};
use serde_json::{Map, Value};
use std::fmt::Display;
use std::str::FromStr;

/// Name and value of every parameter, in order.
pub(crate) type Pairs = Vec<(String, String)>;

/// Parameters that may be given several times.
const LISTS: [&str; 4] = ["journal", "publication_type", "mesh", "language"];

/// Parameters that may be given once.
const SINGLE: [&str; 14] = [
    "q",
    "query",
    "mode",
    "limit",
    "offset",
    "year",
    "year_from",
    "year_to",
    "has_abstract",
    "retracted",
    "exact",
    "explain",
    "fusion",
    "fusion_k",
];

/// Share of the semantic side; named apart to keep the tables one per line.
const SEMANTIC_WEIGHT: &str = "semantic_weight";

/// Splits and decodes the query string of an address.
pub(crate) fn pairs(uri: &Uri) -> Pairs {
    form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
        .into_owned()
        .collect()
}

/// Refuses any parameter, for addresses that take none.
pub(crate) fn refuse_all(uri: &Uri) -> Result<(), ApiError> {
    match pairs(uri).first() {
        Some((name, _)) => Err(ApiError::parameter(
            name,
            format!("unknown parameter {name:?}: this address takes none"),
        )),
        None => Ok(()),
    }
}

/// Reads the parameters of a search.
///
/// # Errors
///
/// A parameter that is unknown, given twice, or whose value is not understood;
/// the error names it.
pub(crate) fn search_request(pairs: &[(String, String)]) -> Result<QueryRequest, ApiError> {
    check_names(pairs)?;
    let once = |name: &str| {
        pairs
            .iter()
            .find(|(given, _)| given == name)
            .map(|(_, value)| value.as_str())
    };
    let filter = Filter {
        year: years(once("year"), once("year_from"), once("year_to"))?,
        journal: list(pairs, "journal")?,
        publication_type: list(pairs, "publication_type")?,
        mesh: list(pairs, "mesh")?,
        language: list(pairs, "language")?,
        has_abstract: flag("has_abstract", once("has_abstract"))?,
        retracted: flag("retracted", once("retracted"))?,
    };
    Ok(QueryRequest {
        query: once("query").or(once("q")).unwrap_or_default().to_owned(),
        mode: once("mode")
            .map(str::parse)
            .transpose()
            .map_err(|error: medsift::Error| ApiError::from(error))?,
        filter,
        offset: number("offset", once("offset"))?.unwrap_or(0),
        limit: number("limit", once("limit"))?,
        fusion: fusion(once("fusion"), once("fusion_k"), once(SEMANTIC_WEIGHT))?,
        exact: flag("exact", once("exact"))?.unwrap_or(false),
        explain: flag("explain", once("explain"))?.unwrap_or(false),
    })
}

fn check_names(pairs: &[(String, String)]) -> Result<(), ApiError> {
    for (place, (name, _)) in pairs.iter().enumerate() {
        if LISTS.contains(&name.as_str()) {
            continue;
        }
        if !SINGLE.contains(&name.as_str()) && name != SEMANTIC_WEIGHT {
            let known: Vec<&str> = SINGLE.iter().chain(&LISTS).copied().collect();
            return Err(ApiError::parameter(
                name,
                format!(
                    "unknown parameter {name:?}: use {}, {SEMANTIC_WEIGHT}",
                    known.join(", ")
                ),
            ));
        }
        let same = |other: &str| other == name || (is_text(other) && is_text(name));
        if pairs[..place].iter().any(|(earlier, _)| same(earlier)) {
            return Err(ApiError::parameter(
                name,
                format!("{name} is given more than once"),
            ));
        }
    }
    Ok(())
}

/// `q` is short for `query`.
fn is_text(name: &str) -> bool {
    matches!(name, "q" | "query")
}

fn list(pairs: &[(String, String)], name: &str) -> Result<Vec<String>, ApiError> {
    pairs
        .iter()
        .filter(|(given, _)| given == name)
        .map(|(_, value)| match value.trim() {
            "" => Err(ApiError::parameter(name, format!("{name} is empty"))),
            value => Ok(value.to_owned()),
        })
        .collect()
}

fn number<T: FromStr>(name: &str, value: Option<&str>) -> Result<Option<T>, ApiError>
where
    T::Err: Display,
{
    value
        .map(|text| {
            text.trim().parse().map_err(|error| {
                ApiError::parameter(name, format!("{name} {text:?} is not a number: {error}"))
            })
        })
        .transpose()
}

fn flag(name: &str, value: Option<&str>) -> Result<Option<bool>, ApiError> {
    value
        .map(|text| match text {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(ApiError::parameter(
                name,
                format!("{name} is {text:?}: use true or false"),
            )),
        })
        .transpose()
}

/// `year=2019`, `year=2019..2023`, `year=2019..`, `year=..2023`, or the two
/// ends as `year_from` and `year_to`.
fn years(
    both: Option<&str>,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<Option<YearRange>, ApiError> {
    let Some(text) = both else {
        let range = YearRange {
            from: number("year_from", from)?,
            to: number("year_to", to)?,
        };
        return Ok((range != YearRange::default()).then_some(range));
    };
    if from.is_some() || to.is_some() {
        return Err(ApiError::parameter(
            "year",
            "year is given beside year_from or year_to: use one or the other",
        ));
    }
    let end = |text: &str| -> Result<Option<i32>, ApiError> {
        match text.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| bad_year(both)),
        }
    };
    let range = match text.split_once("..") {
        Some((from, to)) => YearRange {
            from: end(from)?,
            to: end(to)?,
        },
        None => {
            let year = end(text)?;
            YearRange {
                from: year,
                to: year,
            }
        }
    };
    if range == YearRange::default() {
        return Err(bad_year(both));
    }
    Ok(Some(range))
}

fn bad_year(text: Option<&str>) -> ApiError {
    ApiError::parameter(
        "year",
        format!(
            "year {:?} is not understood: use 2019, 2019..2023, 2019.. or ..2023",
            text.unwrap_or_default()
        ),
    )
}

fn fusion(
    method: Option<&str>,
    k: Option<&str>,
    weight: Option<&str>,
) -> Result<Option<Fusion>, ApiError> {
    let Some(method) = method else {
        let alone = k.map(|_| "fusion_k").or(weight.map(|_| SEMANTIC_WEIGHT));
        return match alone {
            Some(name) => Err(ApiError::parameter(
                name,
                format!("{name} needs fusion=rrf or fusion=weighted beside it"),
            )),
            None => Ok(None),
        };
    };
    if !matches!(method, "rrf" | "weighted") {
        return Err(ApiError::parameter(
            "fusion",
            format!("unknown fusion {method:?}: use rrf or weighted"),
        ));
    }
    if k.is_some() && method == "weighted" {
        return Err(ApiError::parameter(
            "fusion_k",
            "fusion_k belongs to fusion=rrf alone",
        ));
    }
    // Through the core's own reader, so that its defaults are the only ones.
    let mut parts = Map::from_iter([("method".to_owned(), Value::from(method))]);
    if let Some(k) = number::<f32>("fusion_k", k)? {
        parts.insert("k".to_owned(), finite("fusion_k", k)?);
    }
    if let Some(weight) = number::<f32>(SEMANTIC_WEIGHT, weight)? {
        parts.insert(SEMANTIC_WEIGHT.to_owned(), finite(SEMANTIC_WEIGHT, weight)?);
    }
    serde_json::from_value(Value::Object(parts))
        .map(Some)
        .map_err(|error| ApiError::parameter("fusion", error.to_string()))
}

/// JSON has no infinity and no NaN.
fn finite(name: &str, value: f32) -> Result<Value, ApiError> {
    if value.is_finite() {
        Ok(Value::from(value))
    } else {
        Err(ApiError::parameter(
            name,
            format!("{name} is {value}: use a finite number"),
        ))
    }
}

/// Renames the field of an error of the core after the parameter that a query
/// string carries it in.
pub(crate) fn name_parameter(mut error: ApiError) -> ApiError {
    error.field = error.field.map(|field| match field.as_str() {
        "fusion.k" => "fusion_k".to_owned(),
        "fusion.semantic_weight" => SEMANTIC_WEIGHT.to_owned(),
        other => other.strip_prefix("filter.").unwrap_or(other).to_owned(),
    });
    error
}

/// Writes a request as the query string that [`search_request`] reads back.
pub(crate) fn query_string(request: &QueryRequest) -> String {
    let mut out = Serializer::new(String::new());
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            out.append_pair(name, &value);
        }
    };
    let filter = &request.filter;
    let years = filter.year.unwrap_or_default();
    let on = |flag: bool| flag.then(|| "true".to_owned());
    put(
        "q",
        Some(request.query.clone()).filter(|text| !text.is_empty()),
    );
    put("mode", request.mode.map(|mode| mode.as_str().to_owned()));
    put("year_from", years.from.map(|year| year.to_string()));
    put("year_to", years.to.map(|year| year.to_string()));
    let lists = [
        &filter.journal,
        &filter.publication_type,
        &filter.mesh,
        &filter.language,
    ];
    for (name, values) in LISTS.into_iter().zip(lists) {
        for value in values {
            put(name, Some(value.clone()));
        }
    }
    put(
        "has_abstract",
        filter.has_abstract.map(|flag| flag.to_string()),
    );
    put("retracted", filter.retracted.map(|flag| flag.to_string()));
    put("limit", request.limit.map(|limit| limit.to_string()));
    put(
        "offset",
        Some(request.offset)
            .filter(|&offset| offset > 0)
            .map(|n| n.to_string()),
    );
    put("exact", on(request.exact));
    put("explain", on(request.explain));
    match &request.fusion {
        Some(Fusion::Rrf { k, semantic_weight }) => {
            put("fusion", Some("rrf".to_owned()));
            put("fusion_k", Some(k.to_string()));
            put(SEMANTIC_WEIGHT, Some(semantic_weight.to_string()));
        }
        Some(Fusion::Weighted { semantic_weight }) => {
            put("fusion", Some("weighted".to_owned()));
            put(SEMANTIC_WEIGHT, Some(semantic_weight.to_string()));
        }
        None => {}
    }
    out.finish()
}

#[cfg(test)]
mod tests;
