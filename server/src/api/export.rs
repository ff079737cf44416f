//! Everything that a search finds, as one file.

use super::asked::Asked;
use crate::error::ApiError;
use crate::params::{self, Parameters};
use crate::state::Shared;
use crate::streamed::{Streamed, streamed};
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use medsift::query::{Query, QueryRequest};
use medsift::searcher::{ExportFormat, Searcher, TextList, Walk};
use std::sync::Arc;
use std::time::Duration;

/// Articles that are fetched and written at a time.
const BATCH: usize = 200;

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
    let format = read_format(&mut asked.parameters)?;
    let request = params::search_request(&asked.parameters)?;
    let begun = begin(&state, request).await;
    let (searcher, walk) = begun.map_err(|error| asked.in_its_names(error))?;
    let articles = walk.articles();
    let warnings = walk.warnings().len();
    let (sender, body) = streamed();
    tokio::spawn(send(state, searcher, walk, format, sender));
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

/// Takes the format out of the parameters; the rest are those of a search.
fn read_format(parameters: &mut Parameters) -> Result<ExportFormat, ApiError> {
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
    let mut format = None;
    for given in parameters.iter().filter(|given| given.name == "format") {
        if format.is_some() {
            let message = format!("{} is given more than once", given.place);
            return Err(ApiError::parameter(&given.place, message));
        }
        let read = given.value.trim().parse();
        format = Some(read.map_err(|error: medsift::Error| {
            ApiError::parameter(&given.place, error.to_string())
        })?);
    }
    parameters.retain(|given| given.name != "format");
    Ok(format.unwrap_or_default())
}

async fn begin(state: &Shared, request: QueryRequest) -> Result<(Arc<Searcher>, Walk), ApiError> {
    let job = move |_: &_, searcher: &Arc<Searcher>| {
        let query = Query::new(request, &searcher.settings().query)?;
        let walk = searcher.walk(&query)?;
        Ok((Arc::clone(searcher), walk))
    };
    Ok(state.with_shared_searcher(job).await?.value)
}

/// Writes batch after batch, each as a job among the searches, for as long as
/// somebody reads.
async fn send(
    state: Shared,
    searcher: Arc<Searcher>,
    walk: Walk,
    format: ExportFormat,
    sender: Streamed,
) {
    let limit = state.config.request_timeout();
    let list = TextList::new(format);
    let tail = list.tail();
    if !sender.send(list.head().into_bytes(), limit).await {
        return;
    }
    let state_of_walk = Arc::new(std::sync::Mutex::new((walk, list)));
    loop {
        let (of_job, searcher) = (Arc::clone(&state_of_walk), Arc::clone(&searcher));
        let job = move |_: &_, _: &_| {
            let mut held = of_job
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let (walk, list) = &mut *held;
            let articles = searcher.advance(walk, BATCH)?;
            let mut text = String::new();
            for stored in &articles {
                list.push(&stored.article, &mut text)?;
            }
            Ok((!articles.is_empty()).then_some(text))
        };
        match state.with_searcher(job).await {
            Ok(done) => match done.value {
                Some(text) => {
                    if !sender.send(text.into_bytes(), limit).await {
                        return;
                    }
                }
                None => {
                    if !tail.is_empty() && !sender.send(tail.into(), limit).await {
                        return;
                    }
                    sender.finish(limit).await;
                    return;
                }
            },
            Err(_) if sender.is_deserted() => return,
            // Nothing was taken: the same batch comes again.
            Err(error) if error.code == "busy" => tokio::time::sleep(PATIENCE).await,
            Err(error) => {
                tracing::error!(message = %error.message, "an export broke off");
                return;
            }
        }
    }
}
