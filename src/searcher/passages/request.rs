//! What may be asked of passages, checked.

use crate::error::{Error, Result};
use crate::query::{Query, QueryRequest, Sort, Syntax};
use crate::searcher::SearchSettings;
use serde::{Deserialize, Serialize};

/// How passages are chosen where a request does not say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PassageSettings {
    /// Articles whose passages compete, the best of the search.
    pub articles: usize,
    /// Tokens of a request that names no budget.
    pub budget: usize,
    /// Most tokens of a request.
    pub max_budget: usize,
    /// Weight of being different from what was taken before, 0 to 1: the
    /// `1 − λ` of maximal marginal relevance. 0 takes by relevance alone.
    pub diversity: f32,
}

impl Default for PassageSettings {
    fn default() -> Self {
        Self {
            articles: 100,
            budget: 2000,
            max_budget: 32_000,
            diversity: 0.2,
        }
    }
}

impl PassageSettings {
    /// Refuses settings with which nothing would be given.
    ///
    /// # Errors
    /// When a number is out of bounds.
    pub fn check(&self) -> Result<()> {
        let positive = [
            ("search.passages.articles", self.articles),
            ("search.passages.budget", self.budget),
        ];
        for (field, value) in positive {
            if value == 0 {
                let what = format!("{field} is 0: use at least 1");
                return Err(Error::invalid(field, what));
            }
        }
        if self.budget > self.max_budget {
            let what = format!(
                "search.passages.budget is {}, above search.passages.max_budget ({}): lower the \
                 one or raise the other",
                self.budget, self.max_budget
            );
            return Err(Error::invalid("search.passages.budget", what));
        }
        check_diversity("search.passages.diversity", self.diversity)
    }
}

fn check_diversity(field: &'static str, diversity: f32) -> Result<()> {
    if (0.0..=1.0).contains(&diversity) {
        return Ok(());
    }
    let what = format!(
        "{field} is {diversity}: use 0 (relevance alone) to 1 (only being different counts)"
    );
    Err(Error::invalid(field, what))
}

/// A request for passages as it arrives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PassageRequest {
    /// The question, the filters, the mode; its limit is the most passages.
    pub search: QueryRequest,
    /// Tokens that all passages together may take; the configured default when
    /// absent.
    pub budget: Option<usize>,
    /// Weight of being different, 0 to 1; the configured default when absent.
    pub diversity: Option<f32>,
    /// Whether the citation of each article takes of the budget too.
    pub count_citations: bool,
}

/// A checked request for passages.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageQuery {
    pub(super) query: Query,
    pub(super) budget: usize,
    pub(super) diversity: f32,
    pub(super) count_citations: bool,
}

impl PassageQuery {
    /// Checks a request. The question is read as plain words unless the request
    /// names a syntax; without a limit there are as many passages as the budget
    /// holds, and at most as many as a page may have hits.
    ///
    /// # Errors
    /// As [`Query::new`]; for a budget or diversity out of bounds, and for what
    /// belongs to lists of hits alone.
    pub fn new(request: PassageRequest, settings: &SearchSettings) -> Result<Self> {
        let PassageRequest {
            mut search,
            budget,
            diversity,
            count_citations,
        } = request;
        for (field, given) in [
            ("offset", search.offset > 0),
            ("sort", search.sort != Sort::default()),
            ("enrich", !search.enrich.is_empty()),
            ("explain", search.explain),
            ("facets", !search.facets.is_empty()),
            ("facet_limit", search.facet_limit.is_some()),
            ("cursor", search.cursor.is_some()),
        ] {
            if given {
                let what = format!("{field} is for searches: passages are the best for a question");
                return Err(Error::invalid(field, what));
            }
        }
        let budget = budget.unwrap_or(settings.passages.budget);
        if budget == 0 || budget > settings.passages.max_budget {
            let most = settings.passages.max_budget;
            let what = format!("budget is {budget} tokens: use 1 to {most}");
            return Err(Error::invalid("budget", what));
        }
        let diversity = diversity.unwrap_or(settings.passages.diversity);
        check_diversity("diversity", diversity)?;
        if search.syntax == Syntax::default() {
            search.syntax = Syntax::Plain;
        }
        search.limit.get_or_insert(settings.query.max_limit);
        Ok(Self {
            query: Query::new(search, &settings.query)?,
            budget,
            diversity,
            count_citations,
        })
    }

    /// The search that finds articles.
    pub fn query(&self) -> &Query {
        &self.query
    }
}
