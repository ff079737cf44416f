//! `GET /articles/{id}`: everything that is stored about one article, to read.

mod cite;
mod cited;
mod entities;
mod head;
mod linked;
mod links;
mod people;
mod record;
mod similar;
mod subjects;
mod text;

use super::layout::Layout;
use super::{error, form, html};
use crate::api::articles::{IdInPath, read_id};
use crate::error::ApiError;
use crate::params;
use crate::state::Shared;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use cited::Cited;
use entities::Marked;
use linked::Linked;
use medsift::index::StoredArticle;
use medsift::query::{Filter, Mode, QueryRequest};
use medsift::searcher::Hit;

/// Answers with the article, or a page about what went wrong. The query string
/// is that of the search which led here, for the way back.
pub(crate) async fn get(State(state): State<Shared>, uri: Uri, id: IdInPath) -> Response {
    let request = match params::search_request(&params::of_address(&uri)) {
        Ok(request) => request,
        Err(trouble) => return error::respond(&trouble, &QueryRequest::default(), Some(&uri)),
    };
    show(&state, request.clone(), id)
        .await
        .unwrap_or_else(|trouble| error::respond(&trouble, &request, Some(&uri)))
}

async fn show(state: &Shared, request: QueryRequest, id: IdInPath) -> Result<Response, ApiError> {
    let id = read_id(id)?;
    let done = state
        .with_searcher(move |_, searcher| {
            let stored = searcher.article(&id)?;
            let stored = stored.ok_or_else(|| ApiError::no_article(id.as_str()))?;
            let marked = Marked::of(searcher, &stored.article, &request);
            let query = params::query_string(&request);
            let linked = Linked::of(&stored.article, searcher, query)?;
            let most = similar::LISTED.min(searcher.settings().query.max_limit);
            let like = searcher.similar(&id, &Filter::default(), Some(most))?;
            let like = like.map(|found| found.hits).unwrap_or_default();
            let mode = searcher.settings().query.mode;
            let cited = Cited::of(&stored.article, searcher)?;
            let beside = Beside {
                linked,
                like,
                cited,
                marked,
            };
            Ok(page(&stored, &request, &beside, mode))
        })
        .await?;
    Ok(html::respond(StatusCode::OK, done.value))
}

/// What stands beside the record.
#[derive(Debug, Default)]
struct Beside {
    /// Which of the articles that it names are here.
    linked: Linked,
    /// Similar articles.
    like: Vec<Hit>,
    /// Articles that cite it.
    cited: Cited,
    /// Its entities.
    marked: Marked,
}

/// Renders an article; `request` is the search that led to it.
fn page(
    stored: &StoredArticle,
    request: &QueryRequest,
    beside: &Beside,
    default_mode: Mode,
) -> String {
    let article = &stored.article;
    let Beside {
        linked,
        like,
        cited,
        marked,
    } = beside;
    let layout = Layout {
        title: &article.display_title().plain,
        class: "reading",
        skip: "Skip to the article",
    };
    layout.page(
        |html| form::write(html, request, default_mode),
        |html| {
            if !request.query.is_empty() {
                let back = format!("/?{}", params::query_string(request));
                html.element("p", &[("class", "back")], |html| {
                    html.leaf("a", &[("href", &back)], "← Back to the results");
                });
            }
            html.element("article", &[("aria-labelledby", "title")], |html| {
                head::write(html, article, linked, marked);
                marked.write_switch(html, article, request);
                text::write(html, article, marked);
                cite::write(html, article, marked.can_be_had());
                similar::write(html, like, &params::query_string(request));
                cited.write(html, &params::query_string(request));
                subjects::write(html, article);
                links::write(html, article, linked);
                people::write(html, article);
                record::write(html, stored);
            });
        },
    )
}

#[cfg(test)]
mod tests;
