//! The tools.

use super::arguments::{
    AnnotateArguments, AnswerArguments, ArticleArguments, SearchArguments, SimilarArguments,
};
use super::results::Listed;
use crate::api::{annotate, answer};
use crate::error::ApiError;
use crate::state::{AppState, Shared};
use medsift::ArticleId;
use medsift::article::citation::CitationFormat;
use medsift::query::{Filter, Query, QueryRequest, YearRange};
use medsift::searcher::Searcher;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use serde::Serialize;
use serde_json::{Value, json};
use std::str::FromStr;

/// Most hits of a call: what an assistant reads has its price.
const MOST: usize = 50;

/// What a tool gives: an error is told to the assistant, which may mend its
/// call, and not to the protocol.
type Called = Result<CallToolResult, rmcp::ErrorData>;

/// The tools over what all handlers share.
#[derive(Clone)]
pub(crate) struct Tools {
    state: Shared,
    tool_router: ToolRouter<Self>,
}

#[tool_handler(
    router = self.tool_router,
    name = "medsift",
    instructions = "Biomedical literature (PubMed). Search first; hits carry ids for get_article \
                    and similar. Cite articles by PMID, and say when one is retracted. Nothing \
                    outside the index is known."
)]
impl ServerHandler for Tools {}

#[tool_router(router = tool_router)]
impl Tools {
    /// Over what all handlers share.
    pub(crate) fn new(state: Shared) -> Self {
        Self {
            state,
            tool_router: Self::tool_router(),
        }
    }

    #[tool(
        description = "Search biomedical abstracts by meaning and by words. Gives hits with id, \
                       title, journal, year, authors, whether retracted, and the beginning of the \
                       abstract.",
        annotations(
            title = "Search the literature",
            read_only_hint = true,
            open_world_hint = false
        )
    )]
    async fn search(&self, Parameters(asked): Parameters<SearchArguments>) -> Called {
        self.call(move |_, searcher| {
            let query = Query::new(asked.request()?, &searcher.settings().query)?;
            let response = searcher.search(&query)?;
            value(&Listed::found(&response))
        })
        .await
    }

    #[tool(
        description = "One article of the index with everything that is stored of it: abstract \
                       with its sections, authors, MeSH headings, identifiers, references; or \
                       its citation.",
        annotations(
            title = "Read an article",
            read_only_hint = true,
            open_world_hint = false
        )
    )]
    async fn get_article(&self, Parameters(asked): Parameters<ArticleArguments>) -> Called {
        self.call(move |_, searcher| {
            let id = article_id(&asked.id)?;
            let stored = searcher.article(&id)?;
            let stored = stored.ok_or_else(|| ApiError::no_article(id.as_str()))?;
            match asked.format.as_deref() {
                None | Some("json") => value(&stored),
                Some(format) => {
                    let format: CitationFormat = format.parse()?;
                    Ok(json!({ "id": id, "citation": format.write(&stored.article) }))
                }
            }
        })
        .await
    }

    #[tool(
        description = "The articles that are nearest in meaning to one of the index.",
        annotations(
            title = "Similar articles",
            read_only_hint = true,
            open_world_hint = false
        )
    )]
    async fn similar(&self, Parameters(asked): Parameters<SimilarArguments>) -> Called {
        self.call(move |_, searcher| {
            let id = article_id(&asked.id)?;
            let found = searcher.similar(&id, &Filter::default(), limit(asked.limit)?)?;
            let found = found.ok_or_else(|| ApiError::no_article(id.as_str()))?;
            value(&Listed::similar(&found))
        })
        .await
    }

    #[tool(
        description = "Answer a question out of the articles that a search for it finds: spans \
                       with article, offsets and confidence, for questions of yes and no a \
                       verdict; or that no answer was found.",
        annotations(
            title = "Answer a question",
            read_only_hint = true,
            open_world_hint = false
        )
    )]
    async fn answer(&self, Parameters(asked): Parameters<AnswerArguments>) -> Called {
        self.call(move |_, searcher| {
            let request = QueryRequest {
                query: asked.question,
                limit: limit(asked.limit)?,
                ..QueryRequest::default()
            };
            value(&answer::read(searcher, request)?)
        })
        .await
    }

    #[tool(
        description = "Named entities of a text (diseases, chemicals, genes, species, anatomy, \
                       cells) with character offsets and, where known, MeSH identifiers.",
        annotations(
            title = "Annotate a text",
            read_only_hint = true,
            open_world_hint = false
        )
    )]
    async fn annotate(&self, Parameters(asked): Parameters<AnnotateArguments>) -> Called {
        self.call(move |_, searcher| {
            let texts = [asked.text];
            annotate::check(&texts)?;
            value(&annotate::annotate(searcher, &texts)?)
        })
        .await
    }

    /// Runs a call on the pool, as every request of the API is.
    async fn call<F>(&self, job: F) -> Called
    where
        F: FnOnce(&AppState, &Searcher) -> Result<Value, ApiError> + Send + 'static,
    {
        Ok(match self.state.with_searcher(job).await {
            Ok(done) => CallToolResult::structured(done.value),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.message)]),
        })
    }
}

impl SearchArguments {
    fn request(self) -> Result<QueryRequest, ApiError> {
        let year = YearRange {
            from: self.year_from,
            to: self.year_to,
        };
        Ok(QueryRequest {
            query: self.query,
            // An assistant's slip is better told as a warning than refused.
            lenient: true,
            mode: read(self.mode.as_deref())?,
            limit: limit(self.limit)?,
            cursor: read(self.cursor.as_deref())?,
            filter: Filter {
                year: (year != YearRange::default()).then_some(year),
                publication_type: self.publication_types,
                mesh: self.mesh,
                retracted: self.not_retracted.then_some(false),
                ..Filter::default()
            },
            ..QueryRequest::default()
        })
    }
}

fn read<T: FromStr<Err = medsift::Error>>(text: Option<&str>) -> Result<Option<T>, ApiError> {
    Ok(text.map(str::parse).transpose()?)
}

fn limit(asked: Option<usize>) -> Result<Option<usize>, ApiError> {
    match asked {
        Some(limit) if limit == 0 || limit > MOST => Err(ApiError::parameter(
            "limit",
            format!("limit is {limit}: use 1 to {MOST}"),
        )),
        asked => Ok(asked),
    }
}

fn article_id(text: &str) -> Result<ArticleId, ApiError> {
    let text = text.trim();
    let number = text.strip_prefix("PMID:").unwrap_or(text);
    ArticleId::new(number.trim()).map_err(|error| ApiError::parameter("id", error.to_string()))
}

fn value(of: &impl Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(of).map_err(|error| {
        ApiError::from(medsift::Error::new(
            medsift::ErrorKind::Internal,
            format!("cannot write the result as JSON: {error}"),
        ))
    })
}
