//! Several searches in one request.

use super::body::{self, Arrived};
use super::json::{respond, to_json};
use super::request::{entries, parameters, unfit};
use super::tree::Json;
use crate::error::ApiError;
use crate::guard::{Admitted, Refusal};
use crate::params::{self, OwnNames, Parameters};
use crate::search::search_within;
use crate::state::Shared;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use medsift::query::QueryRequest;
use medsift::searcher::Expected;
use std::collections::VecDeque;
use std::time::Instant;

/// Most searches of one request.
const MOST: usize = 32;

/// Searches whose words are announced for encoding before their turns: few, since
/// whoever encodes next, and waits for it, encodes them along.
const AHEAD: usize = 4;

/// A search, and how the client wrote it, or why it is none.
type Read = Result<(Parameters, QueryRequest), ApiError>;

/// `POST /v1/batch` with `{"searches": [{"query": "…"}, …]}`: each is what
/// `/v1/search` takes, and in its place stands what that would answer, a fault
/// of one included.
///
/// They take their turns one after the other, each of them in the queue as a
/// search by itself, and each counts for the limit of requests. All of them
/// together have the time of one request.
pub(crate) async fn post(
    State(state): State<Shared>,
    Extension(whom): Extension<Admitted>,
    uri: Uri,
    headers: HeaderMap,
    body: Arrived,
) -> Result<Response, ApiError> {
    let body = body::posted(&state, &uri, &headers, body)?;
    let searches: Vec<Read> = searches(body)?.into_iter().map(read).collect();
    let mut expected: VecDeque<Option<Expected>> = VecDeque::new();
    let mut announced = searches.iter().map(|read| expect(&state, read));
    let deadline = Instant::now() + state.config.request_timeout();
    let mut answers = Vec::new();
    let mut found_any = false;
    for (place, read) in searches.iter().enumerate() {
        expected.pop_front();
        expected.extend(announced.by_ref().take(AHEAD - expected.len()));
        // The first was counted with the request.
        let admitted = match place {
            0 => Ok(()),
            _ => state.guard.count(&whom).map_err(Refusal::error),
        };
        let answer = match admitted {
            Ok(()) => answer(&state, read, deadline).await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(found) => {
                found_any = true;
                answers.push(found);
            }
            // Nothing is lost yet: the client may come again with all of it.
            Err(error) if !found_any && error.status == StatusCode::SERVICE_UNAVAILABLE => {
                return Err(error);
            }
            Err(error) => answers.push(error.to_json()),
        }
    }
    Ok(respond(joined(&answers)))
}

fn expect(state: &Shared, read: &Read) -> Option<Expected> {
    let (_, request) = read.as_ref().ok()?;
    state.expect(&state.query(request.clone()).ok()?)
}

async fn answer(state: &Shared, read: &Read, deadline: Instant) -> Result<Vec<u8>, ApiError> {
    let (given, request) = read.as_ref().map_err(ApiError::clone)?;
    let limit = deadline.saturating_duration_since(Instant::now());
    if limit.is_zero() {
        return Err(ApiError::new(
            StatusCode::GATEWAY_TIMEOUT,
            "timeout",
            "the time of the batch was over before its turn: send fewer at a time",
        ));
    }
    search_within(
        state,
        limit,
        request.clone(),
        |_, query| Ok(query),
        |_, _, found| to_json(found),
    )
    .await
    .map(|answer| answer.value)
    .map_err(|error| params::as_given(given, OwnNames::Paths, error))
}

fn searches(body: Json) -> Result<Vec<Json>, ApiError> {
    let mut searches = Vec::new();
    for (name, value) in entries("", body, &["searches"])? {
        match value {
            Json::List(items) => searches = items,
            other => return Err(unfit(&name, &other, "a list of searches")),
        }
    }
    for (place, search) in searches.iter().enumerate() {
        if !matches!(search, Json::Object(_)) {
            return Err(unfit(&format!("searches[{place}]"), search, "an object"));
        }
    }
    match searches.len() {
        1..=MOST => Ok(searches),
        0 => Err(ApiError::parameter(
            "searches",
            "searches is missing or empty: give one or more",
        )),
        many => Err(ApiError::parameter(
            "searches",
            format!("{many} searches: use at most {MOST} at a time"),
        )),
    }
}

fn read(search: Json) -> Read {
    let given = parameters(search)?;
    let request = params::search_request(&given)?;
    Ok((given, request))
}

/// Answers that are JSON already, as one object.
fn joined(answers: &[Vec<u8>]) -> Vec<u8> {
    let mut json = b"{\"responses\":[".to_vec();
    json.extend(answers.join(&b','));
    json.extend(b"]}");
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: &str) -> String {
        searches(serde_json::from_str(body).unwrap())
            .unwrap_err()
            .message
    }

    #[test]
    fn a_batch_is_a_list_of_bounded_length() {
        assert!(message("[]").contains("a list: use an object"));
        assert!(message("{}").contains("missing or empty"));
        assert!(message(r#"{"searches": []}"#).contains("missing or empty"));
        assert!(message(r#"{"searches": "a"}"#).contains("a list of searches"));
        assert!(message(r#"{"queries": []}"#).contains("unknown field"));
        assert!(message(r#"{"searches": [{}, 3]}"#).contains("searches[1]"));
        let many = format!(r#"{{"searches": [{}]}}"#, vec!["{}"; 33].join(","));
        assert!(message(&many).contains("33 searches: use at most 32"));
    }

    #[test]
    fn a_fault_of_one_is_its_own() {
        let body = r#"{"searches": [{"q": "a"}, {"q": "b", "limit": "x"}]}"#;
        let all = searches(serde_json::from_str(body).unwrap()).unwrap();
        let read: Vec<Read> = all.into_iter().map(read).collect();
        assert_eq!(read[0].as_ref().unwrap().1.query, "a");
        assert_eq!(
            read[1].as_ref().unwrap_err().field.as_deref(),
            Some("limit")
        );
    }

    #[test]
    fn answers_are_joined_as_they_are() {
        let json = joined(&[b"{\"a\":1}".to_vec(), b"{}".to_vec()]);
        assert_eq!(json, br#"{"responses":[{"a":1},{}]}"#);
    }
}
