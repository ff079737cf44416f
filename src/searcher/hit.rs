use super::{Facets, SearchTranslation};
use crate::article::{Article, ArticleId};
use crate::enrich::{ArticleEntities, ArticleRelations, EnrichmentReport};
use crate::fusion::SideRank;
use crate::query::{Cursor, Filter, Mode, Sort};
use crate::{AbstractOrigin, Fusion};
use serde::Serialize;
use std::sync::Arc;

/// Answer to one search.
#[derive(Debug, Clone, Serialize)]
pub struct SearchResponse {
    /// The text that was searched.
    pub query: String,
    /// How the query was understood; absent where it has nothing to search by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<SearchTranslation>,
    /// Which sides answered.
    pub mode: Mode,
    /// In which order they are listed.
    pub sort: Sort,
    /// The filter that every hit passes.
    #[serde(skip_serializing_if = "Filter::is_empty")]
    pub filter: Filter,
    /// How the sides were fused, in hybrid mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fusion: Option<Fusion>,
    /// How many articles were candidates.
    pub found: Found,
    /// Hits passed over before this page.
    pub offset: usize,
    /// Most hits on this page.
    pub limit: usize,
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// Offset of the next page, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Where the list goes on, to any depth: `cursor` of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// Counts over everything that was found, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
    /// What the user should know: words that were left out, and the like.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// By what the hits were enriched, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enrichment: Option<EnrichmentReport>,
    /// Which model embedded the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Which committed state answered.
    pub generation: u64,
    /// Where the time went.
    pub took: Took,
}

/// How many articles each side found.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Found {
    /// Articles in the joined list, which is as deep as the candidate depth.
    pub candidates: usize,
    /// Articles that match the words, of the whole index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyword_matches: Option<u64>,
    /// Articles that the vector side gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_candidates: Option<usize>,
    /// Whether articles beyond the candidate depth may exist.
    pub more: bool,
}

/// Milliseconds spent on the stages of a search.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Took {
    /// All of it.
    pub total_ms: f64,
    /// Embedding the query.
    pub encode_ms: f64,
    /// Keyword and vector retrieval, side by side.
    pub retrieve_ms: f64,
    /// Fusing, and fetching the page's articles.
    pub fetch_ms: f64,
    /// Finding entities in them.
    pub enrich_ms: f64,
}

/// One article of a page.
#[derive(Debug, Clone, Serialize)]
pub struct Hit {
    /// The article's key in its source.
    pub id: ArticleId,
    /// Place in the whole list, from 1.
    pub rank: usize,
    /// The score that the list is sorted by; comparable within one response.
    /// In a list by date it is 0 where all matching articles are listed.
    pub score: f32,
    /// Title without markup.
    pub title: String,
    /// The running text: labelled sections of the abstract, then the body.
    pub text: String,
    /// Where the abstract came from.
    pub abstract_origin: AbstractOrigin,
    /// Short names: `Smith JA`.
    pub authors: Vec<String>,
    /// Abbreviated title of the journal, or the book's title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// Date as printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    /// Publication types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub publication_types: Vec<String>,
    /// Languages, ISO 639-2.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// DOI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doi: Option<String>,
    /// PMC id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pmc: Option<String>,
    /// Whether the article is retracted.
    pub retracted: bool,
    /// Whether the model saw only the beginning of the text: never with
    /// passages, which hold all of it.
    pub truncated: bool,
    /// The passage that answers best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage: Option<HitPassage>,
    /// Words of the query in title and text.
    pub highlights: Highlights,
    /// Named entities in title and text, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<ArticleEntities>,
    /// What they have to do with each other, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relations: Option<ArticleRelations>,
    /// Rank and score on each side, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explanation>,
    /// The whole article, for pages that show more than the fields above.
    #[serde(skip)]
    pub article: Arc<Article>,
}

/// The passage of a hit that is nearest to the query.
#[derive(Debug, Clone, Serialize)]
pub struct HitPassage {
    /// Place among the article's passages, from 0.
    pub ordinal: u32,
    /// First character in [`Hit::text`].
    pub start: usize,
    /// Character after the last.
    pub end: usize,
    /// Cosine similarity with the query.
    pub score: f32,
}

/// Matching words, as half-open ranges in characters (not bytes).
#[derive(Debug, Clone, Default, Serialize)]
pub struct Highlights {
    /// In [`Hit::title`].
    pub title: Vec<[usize; 2]>,
    /// In [`Hit::text`].
    pub text: Vec<[usize; 2]>,
}

/// An article's place on each side; absent where the side did not find it
/// within the candidate depth.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Explanation {
    /// Rank and BM25 score.
    pub keyword: Option<SideRank>,
    /// Rank and cosine similarity.
    pub semantic: Option<SideRank>,
}
