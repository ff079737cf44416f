//! Everything that a search finds, as one file.

use super::asked::Asked;
use super::exported::{Exported, Part};
use crate::error::ApiError;
use crate::params::{self, Parameter, Parameters};
use crate::state::Shared;
use crate::streamed::{Streamed, streamed};
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use medsift::Deadline;
use medsift::query::{Query, QueryRequest};
use medsift::searcher::{ListFormat, Searcher, Walk};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tracing::Instrument;

/// How long an export waits before it asks for its turn again where searches
/// fill the queue.
const PATIENCE: Duration = Duration::from_millis(100);

/// How many articles the file has.
const ARTICLES: HeaderName = HeaderName::from_static("medsift-articles");

/// How many warnings a search for the same has; it tells them.
const WARNINGS: HeaderName = HeaderName::from_static("medsift-warnings");

/// `/v1/export`: a search and a format.
pub(crate) async fn answer(
    State(state): State<Shared>,
    mut asked: Asked,
) -> Result<Response, ApiError> {
    let (format, vectors) = read_format(&mut asked.parameters)?;
    let request = params::search_request(&asked.parameters)?;
    let begun = begin(&state, request).await;
    let (searcher, walk) = begun.map_err(|error| asked.in_its_names(error))?;
    let file = Exported::new(format, vectors, searcher.commit())?;
    let articles = walk.articles();
    let warnings = walk.warnings().len();
    let (sender, body) = streamed();
    // A part of the request, though its head is answered by now.
    tokio::spawn(send(state, searcher, walk, file, sender).in_current_span());
    let name = format!("medsift.{}", format.ending());
    Ok((
        [
            (CONTENT_TYPE, format.media_type().to_owned()),
            (
                CONTENT_DISPOSITION,
                format!("attachment; filename=\"{name}\""),
            ),
            (CACHE_CONTROL, "no-store".to_owned()),
            (ARTICLES, articles.to_string()),
            (WARNINGS, warnings.to_string()),
        ],
        body,
    )
        .into_response())
}

/// Takes the format, and whether vectors are wanted, out of the parameters; the
/// rest are those of a search.
fn read_format(parameters: &mut Parameters) -> Result<(ListFormat, bool), ApiError> {
    // A page of a list is no part of an export.
    for name in [
        "limit",
        "offset",
        "cursor",
        "enrich",
        "explain",
        "facets",
        "facet_limit",
    ] {
        if let Some(given) = parameters.iter().find(|given| given.name == name) {
            let message = format!("{name} does not go with an export, which gives the whole list");
            return Err(ApiError::parameter(&given.place, message));
        }
    }
    let format = taken(parameters, "format")?;
    let format = format.map(|given| {
        let read = given.value.trim().parse();
        read.map_err(|error: medsift::Error| ApiError::parameter(&given.place, error.to_string()))
    });
    let format: ListFormat = format.transpose()?.unwrap_or_default();
    let given = taken(parameters, "vectors")?;
    let vectors = params::flag(given.as_ref())?.unwrap_or(false);
    match (format, given) {
        (ListFormat::Text(_), Some(given)) if vectors => {
            let message = "vectors goes with the formats parquet, arrow and arrow-stream";
            Err(ApiError::parameter(&given.place, message))
        }
        _ => Ok((format, vectors)),
    }
}

/// Takes out a parameter that may stand once.
fn taken(parameters: &mut Parameters, name: &str) -> Result<Option<Parameter>, ApiError> {
    let place = parameters.iter().position(|given| given.name == name);
    let taken = place.map(|place| parameters.remove(place));
    match parameters.iter().find(|given| given.name == name) {
        Some(again) => {
            let message = format!("{} is given more than once", again.place);
            Err(ApiError::parameter(&again.place, message))
        }
        None => Ok(taken),
    }
}

async fn begin(state: &Shared, request: QueryRequest) -> Result<(Arc<Searcher>, Walk), ApiError> {
    let job = move |_: &_, searcher: &Searcher| {
        let query = Query::new(request, &searcher.settings().query)?;
        let walk = searcher.walk(&query)?;
        // What comes behind has the time of each batch.
        Ok((Arc::new(searcher.until(Deadline::NEVER)), walk))
    };
    Ok(state.with_searcher(job).await?.value)
}

/// Writes batch after batch, each as a job among the searches, for as long as
/// somebody reads.
async fn send(
    state: Shared,
    searcher: Arc<Searcher>,
    walk: Walk,
    file: Exported,
    sender: Streamed,
) {
    let limit = state.config.request_timeout();
    if !sender.send(file.head(), limit).await {
        return;
    }
    let under_way = Arc::new(Mutex::new((walk, file)));
    while !sender.is_deserted() {
        let (of_job, searcher) = (Arc::clone(&under_way), Arc::clone(&searcher));
        let job = move |_: &_, newest: &Searcher| {
            let mut held = of_job.lock().unwrap_or_else(PoisonError::into_inner);
            let (walk, file) = &mut *held;
            Ok(file.next(&searcher.until(newest.deadline()), walk)?)
        };
        match state.with_searcher(job).await {
            Ok(done) => {
                let Part { bytes, is_last } = done.value;
                if !sender.send(bytes, limit).await {
                    return;
                }
                if is_last {
                    sender.finish(limit).await;
                    return;
                }
            }
            // Nothing was taken: the same batch comes again.
            Err(error) if error.code == "busy" => tokio::time::sleep(PATIENCE).await,
            Err(error) => {
                if !sender.is_deserted() {
                    tracing::error!(message = %error.message, "an export broke off");
                }
                return;
            }
        }
    }
}
