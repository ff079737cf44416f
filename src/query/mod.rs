//! What a user asks: text, mode, filter, page. Checked when built, so that
//! everything behind it can rely on it.

mod cursor;
mod defaults;
mod enrichment;
mod facet;
mod filter;
mod identifier;
pub mod pubmed;
mod reading;
mod sort;
pub mod strategy;
mod year;

pub use cursor::Cursor;
pub(crate) use cursor::{Place, short_digest};
pub use defaults::QueryDefaults;
pub use enrichment::Enrichment;
pub use facet::FacetField;
pub use filter::Filter;
pub use reading::Syntax;
pub use sort::Sort;
pub use year::YearRange;

use crate::error::{Error, ErrorKind, Result};
use crate::fusion::Fusion;
use reading::Reading;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Which sides of the index answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Both, fused.
    #[default]
    Hybrid,
    /// BM25 over the words.
    Keyword,
    /// Nearest passages in embedding space.
    Semantic,
}

impl Mode {
    /// Every mode, in the order in which help texts name them.
    pub const ALL: [Self; 3] = [Self::Hybrid, Self::Keyword, Self::Semantic];

    /// The name in requests and responses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Keyword => "keyword",
            Self::Semantic => "semantic",
        }
    }
}

impl FromStr for Mode {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.as_str() == text)
            .ok_or_else(|| {
                Error::invalid(
                    "mode",
                    format!("unknown mode {text:?}: use hybrid, keyword or semantic"),
                )
            })
    }
}

/// A request as it arrives, every part of it optional but the text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QueryRequest {
    /// What is looked for: plain words, or a query of PubMed's language.
    #[serde(alias = "q")]
    pub query: String,
    /// Which of the two it is.
    pub syntax: Syntax,
    /// Whether faults of the syntax are passed over, with a warning each,
    /// rather than refused.
    pub lenient: bool,
    /// Which sides answer; the configured default when absent.
    pub mode: Option<Mode>,
    /// Which articles may answer.
    pub filter: Filter,
    /// How many hits to pass over.
    pub offset: usize,
    /// How many hits to return; the configured default when absent.
    pub limit: Option<usize>,
    /// How the sides are fused; the configured default when absent.
    pub fusion: Option<Fusion>,
    /// Search vectors exactly rather than through the graph.
    pub exact: bool,
    /// Report rank and score on each side.
    pub explain: bool,
    /// What else is found in the hits.
    pub enrich: Vec<Enrichment>,
    /// In which order hits are listed.
    pub sort: Sort,
    /// Where the list goes on: what the page before gave. Instead of `offset`.
    pub cursor: Option<Cursor>,
    /// What is counted over everything that is found.
    pub facets: Vec<FacetField>,
    /// Most values of each facet; the years are always all given.
    pub facet_limit: Option<usize>,
}

/// Values of a facet where a request names no number, and the most.
const FACET_LIMIT: usize = 10;
const MAX_FACET_LIMIT: usize = 1000;

/// A checked request.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    text: String,
    reading: Reading,
    mode: Mode,
    mode_is_asked: bool,
    filter: Filter,
    offset: usize,
    limit: usize,
    fusion: Fusion,
    exact: bool,
    explain: bool,
    enrich: Vec<Enrichment>,
    day: pubmed::Date,
    sort: Sort,
    cursor: Option<Cursor>,
    facets: Vec<FacetField>,
    facet_limit: usize,
    digest: u64,
}

impl Query {
    /// Checks a request.
    pub fn new(request: QueryRequest, defaults: &QueryDefaults) -> Result<Self> {
        let text = request.query.trim();
        if text.is_empty() {
            return Err(Error::invalid(
                "query",
                "the query is empty: give some words to look for",
            ));
        }
        let characters = text.chars().count();
        if characters > defaults.max_query_chars {
            return Err(Error::invalid(
                "query",
                format!(
                    "the query has {characters} characters, more than {}",
                    defaults.max_query_chars
                ),
            ));
        }
        let limit = request.limit.unwrap_or(defaults.limit);
        if limit == 0 || limit > defaults.max_limit {
            return Err(Error::invalid(
                "limit",
                format!("limit is {limit}: use 1 to {}", defaults.max_limit),
            ));
        }
        if request.offset.saturating_add(limit) > defaults.max_window {
            return Err(Error::invalid(
                "offset",
                format!(
                    "offset {} with limit {limit} goes past hit {}: go on from page to page with \
                     next_cursor, export the whole list, or narrow the search",
                    request.offset, defaults.max_window
                ),
            ));
        }
        if request.cursor.is_some() && request.offset > 0 {
            return Err(Error::invalid(
                "offset",
                "offset is given beside cursor: a cursor says itself where the list goes on",
            ));
        }
        let facet_limit = request.facet_limit.unwrap_or(FACET_LIMIT);
        if facet_limit == 0 || facet_limit > MAX_FACET_LIMIT {
            return Err(Error::invalid(
                "facet_limit",
                format!("facet_limit is {facet_limit}: use 1 to {MAX_FACET_LIMIT}"),
            ));
        }
        request.filter.check()?;
        // Untrimmed, so that positions are those of what was sent.
        let reading = reading::read(&request.query, request.syntax, request.lenient)?;
        let fusion = request.fusion.unwrap_or_else(|| defaults.fusion.clone());
        fusion.check()?;
        let mode = request.mode.unwrap_or(defaults.mode);
        // What decides which articles are listed, and in which order.
        let list = (&request.syntax, request.lenient, mode, &request.filter);
        let order = (request.sort, &fusion, request.exact);
        let digest = serde_json::to_string(&(text, list, order));
        let digest = digest.map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                format!("cannot write a query: {error}"),
            )
        })?;
        Ok(Self {
            digest: short_digest(&digest),
            text: text.to_owned(),
            reading,
            mode,
            mode_is_asked: request.mode.is_some(),
            filter: request.filter,
            offset: request.offset,
            limit,
            fusion,
            exact: request.exact,
            explain: request.explain,
            enrich: request.enrich,
            day: pubmed::Date::today(),
            sort: request.sort,
            cursor: request.cursor,
            facets: request.facets,
            facet_limit,
        })
    }

    /// The text as it was sent, trimmed, never empty.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The query that the text is, where it is one of PubMed's language.
    pub fn tree(&self) -> Option<&pubmed::Node> {
        self.reading.tree.as_ref()
    }

    /// What both sides rank by: the whole text, or the words of a query of
    /// PubMed's language, of which there may be none.
    pub fn words(&self) -> &str {
        if self.reading.tree.is_some() {
            &self.reading.words
        } else {
            &self.text
        }
    }

    /// What was noticed while the text was read.
    pub fn warnings(&self) -> &[String] {
        &self.reading.warnings
    }

    /// Which sides answer.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether the request named the mode; otherwise it is the default.
    pub fn mode_is_asked(&self) -> bool {
        self.mode_is_asked
    }

    /// The same query in another mode.
    #[must_use]
    pub fn in_mode(&self, mode: Mode) -> Self {
        Self {
            mode,
            ..self.clone()
        }
    }

    /// The day on which it is asked: `last 5 years` counts back from it.
    pub fn day(&self) -> pubmed::Date {
        self.day
    }

    /// The same query, asked on another day.
    #[must_use]
    pub fn on(self, day: pubmed::Date) -> Self {
        Self { day, ..self }
    }

    /// Which articles may answer.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Whether something is to be found in the hits.
    pub fn enriches(&self, with: Enrichment) -> bool {
        self.enrich.contains(&with)
    }

    /// The same query, in whose hits this is to be found as well.
    #[must_use]
    pub fn enriching(mut self, with: Enrichment) -> Self {
        if !self.enriches(with) {
            self.enrich.push(with);
        }
        self
    }

    /// Hits passed over.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Hits on the page.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// In which order hits are listed.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// Where the list goes on.
    pub fn cursor(&self) -> Option<Cursor> {
        self.cursor
    }

    /// What is counted over everything that is found.
    pub fn facets(&self) -> &[FacetField] {
        &self.facets
    }

    /// The same query, without counting this.
    #[must_use]
    pub fn without_facet(mut self, field: FacetField) -> Self {
        self.facets.retain(|one| *one != field);
        self
    }

    /// Most values of each facet.
    pub fn facet_limit(&self) -> usize {
        self.facet_limit
    }

    /// A number that searches of the same list, in the same order, share.
    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    /// How the sides are fused.
    pub fn fusion(&self) -> &Fusion {
        &self.fusion
    }

    /// Whether the vector side scans exactly.
    pub fn exact(&self) -> bool {
        self.exact
    }

    /// Whether hits report rank and score on each side.
    pub fn explain(&self) -> bool {
        self.explain
    }
}
