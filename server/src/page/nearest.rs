//! The nearest articles where nothing matches.

use medsift::query::{Filter, Mode, Query, QueryRequest, Syntax};
use medsift::searcher::{Hit, SearchResponse, Searcher};

/// Articles that are shown.
const SHOWN: usize = 5;

/// What comes nearest to a query by meaning.
#[derive(Debug)]
pub(crate) struct Nearest {
    /// Nearest first; never none.
    pub(crate) hits: Vec<Hit>,
    /// Whether the filters had to be lifted to find any.
    pub(crate) without_filter: bool,
}

impl Nearest {
    /// Looks for them where a search by words found nothing. There are none
    /// where the model is not open or nothing is in the index; a page about no
    /// hits is not to fail for that.
    pub(crate) fn find(searcher: &Searcher, response: &SearchResponse) -> Option<Self> {
        let first_page = response.offset == 0 && response.found.candidates == 0;
        if !response.hits.is_empty() || !first_page || response.mode == Mode::Semantic {
            return None;
        }
        let words = match &response.translation {
            Some(translation) => &translation.words,
            None => &response.query,
        };
        let filtered = !response.filter.is_empty();
        let hits = near(searcher, words, &response.filter);
        let without_filter = hits.is_empty() && filtered;
        let hits = match without_filter {
            true => near(searcher, words, &Filter::default()),
            false => hits,
        };
        (!hits.is_empty()).then_some(Self {
            hits,
            without_filter,
        })
    }
}

fn near(searcher: &Searcher, words: &str, filter: &Filter) -> Vec<Hit> {
    let limits = &searcher.settings().query;
    let request = QueryRequest {
        query: words.to_owned(),
        syntax: Syntax::Plain,
        mode: Some(Mode::Semantic),
        filter: filter.clone(),
        limit: Some(SHOWN.min(limits.max_limit)),
        ..QueryRequest::default()
    };
    let found = Query::new(request, limits).and_then(|query| searcher.search(&query));
    found.map(|found| found.hits).unwrap_or_else(|error| {
        tracing::debug!(%error, "nothing is shown as nearest");
        Vec::new()
    })
}
