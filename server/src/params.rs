//! Parameters of a search, wherever they were given, to requests and back.
//!
//! A query string and a JSON body ([`crate::api::request`]) become the same
//! list of parameters and are read by the same code, so that both take the
//! same values and refuse the same faults in the same words.

mod fusion;
mod write;

pub(crate) use write::query_string;

use crate::error::ApiError;
use axum::http::Uri;
use fusion::SEMANTIC_WEIGHT;
use medsift::query::{Filter, QueryRequest, YearRange};
use std::str::FromStr;

/// One parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name in a query string.
    pub(crate) name: String,
    /// Its value as text.
    pub(crate) value: String,
    /// What the client called it: the name, or a path into a JSON body.
    pub(crate) place: String,
}

/// Every parameter of a request, in order.
pub(crate) type Parameters = Vec<Parameter>;

/// Parameters that may be given several times.
pub(crate) const LISTS: [&str; 8] = [
    "journal",
    "publication_type",
    "mesh",
    "language",
    "entity",
    "relation",
    ENRICH,
    FACETS,
];

/// What else is found in the hits.
const ENRICH: &str = "enrich";

/// What is counted.
const FACETS: &str = "facets";

/// What is suggested: several, of an address that is no search.
pub(crate) const KINDS: &str = "kinds";

/// Whether a parameter may be given several times.
pub(crate) fn is_list(name: &str) -> bool {
    name == KINDS || LISTS.contains(&name)
}

/// Parameters that may be given once.
const SINGLE: [&str; 20] = [
    "q",
    "query",
    "syntax",
    "lenient",
    "mode",
    "limit",
    "offset",
    "sort",
    "cursor",
    "facet_limit",
    "year",
    "year_from",
    "year_to",
    "has_abstract",
    "retracted",
    "exact",
    "explain",
    "fusion",
    "fusion_k",
    SEMANTIC_WEIGHT,
];

/// Parameters that say which articles may answer.
pub(crate) const FILTERS: [&str; 11] = [
    "year",
    "year_from",
    "year_to",
    "journal",
    "publication_type",
    "mesh",
    "language",
    "entity",
    "relation",
    "has_abstract",
    "retracted",
];

/// Names of all parameters of a search.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SINGLE.iter().chain(&LISTS).copied()
}

/// Splits and decodes the query string of an address.
pub(crate) fn of_address(uri: &Uri) -> Parameters {
    form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
        .map(|(name, value)| Parameter {
            place: name.clone().into_owned(),
            name: name.into_owned(),
            value: value.into_owned(),
        })
        .collect()
}

/// Refuses any parameter, for addresses that take none.
pub(crate) fn refuse_all(uri: &Uri) -> Result<(), ApiError> {
    match of_address(uri).first() {
        Some(Parameter { name, .. }) => Err(ApiError::parameter(
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
/// the error names it as the client did.
pub(crate) fn search_request(parameters: &[Parameter]) -> Result<QueryRequest, ApiError> {
    check_names(parameters)?;
    let once = |name: &str| parameters.iter().find(|given| given.name == name);
    let filter = filter(parameters)?;
    let text = once("query").or(once("q"));
    Ok(QueryRequest {
        query: text.map(|given| given.value.clone()).unwrap_or_default(),
        syntax: parsed(once("syntax"))?.unwrap_or_default(),
        lenient: flag(once("lenient"))?.unwrap_or(false),
        mode: parsed(once("mode"))?,
        filter,
        offset: whole(once("offset"))?.unwrap_or(0),
        limit: whole(once("limit"))?,
        fusion: fusion::read(once("fusion"), once("fusion_k"), once(SEMANTIC_WEIGHT))?,
        exact: flag(once("exact"))?.unwrap_or(false),
        explain: flag(once("explain"))?.unwrap_or(false),
        enrich: several(parameters, ENRICH)?,
        sort: parsed(once("sort"))?.unwrap_or_default(),
        cursor: parsed(once("cursor"))?,
        facets: several(parameters, FACETS)?,
        facet_limit: whole(once("facet_limit"))?,
    })
}

/// The parameters of a filter, whatever others there are.
pub(crate) fn filter(parameters: &[Parameter]) -> Result<Filter, ApiError> {
    let once = |name: &str| parameters.iter().find(|given| given.name == name);
    Ok(Filter {
        year: years(once("year"), once("year_from"), once("year_to"))?,
        journal: list(parameters, "journal")?,
        publication_type: list(parameters, "publication_type")?,
        mesh: list(parameters, "mesh")?,
        language: list(parameters, "language")?,
        entity: list(parameters, "entity")?,
        relation: list(parameters, "relation")?,
        has_abstract: flag(once("has_abstract"))?,
        retracted: flag(once("retracted"))?,
    })
}

fn check_names(parameters: &[Parameter]) -> Result<(), ApiError> {
    check_among(parameters, SINGLE.iter().chain(&LISTS).copied().collect())
}

/// Refuses parameters that an address does not take, and such as are given
/// twice. `filters` takes those of filters as well.
pub(crate) fn check(
    parameters: &[Parameter],
    names: &[&'static str],
    filters: bool,
) -> Result<(), ApiError> {
    let of_filter = FILTERS.into_iter().filter(|_| filters);
    check_among(parameters, names.iter().copied().chain(of_filter).collect())
}

fn check_among(parameters: &[Parameter], known: Vec<&str>) -> Result<(), ApiError> {
    for (at, Parameter { name, place, .. }) in parameters.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            return Err(ApiError::parameter(
                place,
                format!("unknown parameter {name:?}: use {}", known.join(", ")),
            ));
        }
        if is_list(name) {
            continue;
        }
        let same = |other: &str| other == name || (is_text(other) && is_text(name));
        if parameters[..at].iter().any(|earlier| same(&earlier.name)) {
            return Err(ApiError::parameter(
                place,
                format!("{place} is given more than once"),
            ));
        }
    }
    Ok(())
}

/// The number of hits on a page.
pub(crate) fn limit(parameters: &[Parameter]) -> Result<Option<usize>, ApiError> {
    whole(parameters.iter().find(|given| given.name == "limit"))
}

/// `q` is short for `query`.
pub(crate) fn is_text(name: &str) -> bool {
    matches!(name, "q" | "query")
}

fn list(parameters: &[Parameter], name: &str) -> Result<Vec<String>, ApiError> {
    parameters
        .iter()
        .filter(|given| given.name == name)
        .map(|Parameter { value, place, .. }| match value.trim() {
            "" => Err(ApiError::parameter(place, format!("{place} is empty"))),
            value => Ok(value.to_owned()),
        })
        .collect()
}

/// Names of a list, given one by one or with commas between them, each once.
pub(crate) fn several<T: FromStr<Err = medsift::Error> + PartialEq>(
    parameters: &[Parameter],
    name: &str,
) -> Result<Vec<T>, ApiError> {
    let mut wanted = Vec::new();
    for Parameter { value, place, .. } in parameters.iter().filter(|given| given.name == name) {
        for one in value.split(',') {
            let one = one.trim().parse();
            let one =
                one.map_err(|error: medsift::Error| ApiError::parameter(place, error.to_string()))?;
            if !wanted.contains(&one) {
                wanted.push(one);
            }
        }
    }
    Ok(wanted)
}

/// A value that the core reads by itself.
fn parsed<T: FromStr<Err = medsift::Error>>(
    given: Option<&Parameter>,
) -> Result<Option<T>, ApiError> {
    given
        .map(|Parameter { value, place, .. }| {
            let read = value.trim().parse();
            read.map_err(|error: medsift::Error| ApiError::parameter(place, error.to_string()))
        })
        .transpose()
}

pub(crate) fn whole<T: FromStr>(given: Option<&Parameter>) -> Result<Option<T>, ApiError> {
    number(given, "a whole number")
}

pub(crate) fn number<T: FromStr>(
    given: Option<&Parameter>,
    what: &str,
) -> Result<Option<T>, ApiError> {
    given
        .map(|Parameter { value, place, .. }| {
            value.trim().parse().map_err(|_| {
                ApiError::parameter(place, format!("{place} is {value:?}: use {what}"))
            })
        })
        .transpose()
}

pub(crate) fn flag(given: Option<&Parameter>) -> Result<Option<bool>, ApiError> {
    given
        .map(|Parameter { value, place, .. }| match value.as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(ApiError::parameter(
                place,
                format!("{place} is {value:?}: use true or false"),
            )),
        })
        .transpose()
}

/// A range as the core reads it, or its two ends as `year_from` and `year_to`.
fn years(
    both: Option<&Parameter>,
    from: Option<&Parameter>,
    to: Option<&Parameter>,
) -> Result<Option<YearRange>, ApiError> {
    let Some(range) = both else {
        let range = YearRange {
            from: number(from, "a year")?,
            to: number(to, "a year")?,
        };
        return Ok((range != YearRange::default()).then_some(range));
    };
    if let Some(end) = from.or(to) {
        return Err(ApiError::parameter(
            &range.place,
            format!(
                "{} is given beside {}: use one or the other",
                range.place, end.place
            ),
        ));
    }
    parsed(both)
}

/// Names the field of an error of the core as the client did.
///
/// `own` is what a parameter is called that was not given: a query string has
/// flat names, the core paths.
pub(crate) fn as_given(parameters: &[Parameter], own: OwnNames, mut error: ApiError) -> ApiError {
    error.field = error.field.map(|field| {
        let flat = match field.as_str() {
            "fusion.k" => "fusion_k",
            "fusion.semantic_weight" => SEMANTIC_WEIGHT,
            other => other.strip_prefix("filter.").unwrap_or(other),
        };
        let given = parameters.iter().find(|given| given.name == flat);
        match (given, own) {
            (Some(given), _) => given.place.clone(),
            (None, OwnNames::Flat) => flat.to_owned(),
            (None, OwnNames::Paths) => field,
        }
    });
    error
}

/// What a surface calls the fields of the core.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OwnNames {
    /// `year`, `fusion_k`: a query string.
    Flat,
    /// `filter.year`, `fusion.k`: a JSON body.
    Paths,
}

#[cfg(test)]
mod tests;
