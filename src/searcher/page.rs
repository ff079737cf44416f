use super::list::Listing;
use super::retrieve::Candidates;
use super::{
    Explanation, Found, Highlights, Hit, HitPassage, SearchResponse, SearchTranslation, Searcher,
    Took,
};
use crate::article::{Article, ArticleId, Author};
use crate::enrich::texts_of;
use crate::error::{Error, ErrorKind, Result};
use crate::fusion::Fused;
use crate::index::{PassageMode, StoredArticle};
use crate::key::ArticleKey;
use crate::keyword::Highlighter;
use crate::passage::whole_article;
use crate::query::{Mode, Query, Sort};
use crate::trace::stage;
use crate::vector::VectorHit;
use std::ops::Range;
use std::sync::Arc;

/// What a hit shows beside the article.
pub(super) struct Marks {
    highlighter: Option<Highlighter>,
    explain: bool,
}

impl Marks {
    /// The words of a query, where words count, and places where asked for.
    fn of(query: &Query) -> Self {
        let words = query.mode() != Mode::Semantic;
        Self {
            highlighter: words.then(|| Highlighter::new(query.words())),
            explain: query.explain(),
        }
    }

    /// Nothing.
    pub(super) fn none() -> Self {
        Self {
            highlighter: None,
            explain: false,
        }
    }
}

impl Searcher {
    /// Fetches the articles of the page and describes them.
    pub(super) fn page(
        &self,
        query: &Query,
        candidates: &Candidates,
        listing: Listing,
    ) -> Result<SearchResponse> {
        let _stage = stage!("fetch");
        let mut marks = Marks::of(query);
        let hits = (listing.passed + 1..)
            .zip(&listing.shown)
            .map(|(rank, fused)| {
                let nearest = candidates.semantic_hit(fused.key);
                self.hit(fused, rank, nearest, &mut marks)
            })
            .collect::<Result<Vec<_>>>()?;
        let end = listing.passed + hits.len();
        // The next page by offset has to lie in the window as a whole.
        let within = end + query.limit() <= self.settings.query.max_window;
        let goes_on = (end as u64) < listing.total && !hits.is_empty();
        let by_offset = query.cursor().is_none() && within && goes_on;
        let semantic = query.mode() != Mode::Keyword;
        Ok(SearchResponse {
            query: query.text().to_owned(),
            translation: SearchTranslation::of(query, candidates),
            mode: query.mode(),
            sort: query.sort(),
            filter: query.filter().clone(),
            fusion: (query.mode() == Mode::Hybrid).then(|| query.fusion().clone()),
            found: self.found(query, candidates, &listing),
            offset: listing.passed,
            limit: query.limit(),
            next_offset: by_offset.then_some(end),
            next_cursor: listing.next,
            hits,
            facets: self.facets(query, candidates)?,
            warnings: listing.warnings,
            enrichment: None,
            model: semantic.then(|| self.commit.model.name.clone()),
            generation: self.commit.generation,
            took: Took::default(),
        })
    }

    /// Whether the model saw only the beginning of an article: where every
    /// article has one vector, the text beyond the model's limit has none.
    fn is_truncated(&self, article: &Article) -> Result<bool> {
        match (self.encoder(), self.commit.passages) {
            (Some(encoder), PassageMode::Off) => {
                whole_article(article).first().map_or(Ok(false), |whole| {
                    Ok(encoder.token_count(&whole.text)? > encoder.max_tokens())
                })
            }
            _ => Ok(false),
        }
    }

    fn found(&self, query: &Query, candidates: &Candidates, listing: &Listing) -> Found {
        let depth = self.settings.candidates;
        let keyword_matches = candidates.keyword.as_ref().map(|matches| matches.total);
        let semantic_candidates = candidates.semantic.as_ref().map(Vec::len);
        let by_words = candidates.keyword.as_ref().map(|found| found.hits.len());
        let listed = match (query.sort(), listing.whole) {
            (Sort::Relevance, true) => by_words.unwrap_or_default(),
            _ => listing.total as usize,
        };
        let more = query.sort() == Sort::Relevance || !listing.whole;
        Found {
            candidates: listed,
            keyword_matches,
            semantic_candidates,
            more: more
                && (keyword_matches.is_some_and(|matches| matches > depth as u64)
                    || semantic_candidates.is_some_and(|given| given >= depth)),
        }
    }

    /// Fetches and describes an article of a list.
    pub(super) fn hit(
        &self,
        fused: &Fused,
        rank: usize,
        nearest: Option<&VectorHit>,
        marks: &mut Marks,
    ) -> Result<Hit> {
        let StoredArticle { article, .. } = self.stored(fused.key)?;
        let [title, text] = texts_of(&article);
        let (_, abstract_origin) = article.display_abstract();
        let highlights = match &mut marks.highlighter {
            None => Highlights::default(),
            Some(highlighter) => Highlights {
                title: in_characters(&title, &highlighter.ranges(&title)),
                text: in_characters(&text, &highlighter.ranges(&text)),
            },
        };
        let explain = marks.explain.then_some(Explanation {
            keyword: fused.keyword,
            semantic: fused.semantic,
        });
        let passage = nearest.map(|nearest| {
            let range = nearest.range.start as usize..nearest.range.end as usize;
            let [start, end] = in_characters(&text, &[range])
                .first()
                .copied()
                .unwrap_or_default();
            HitPassage {
                ordinal: nearest.ordinal,
                start,
                end,
                score: nearest.score,
            }
        });
        Ok(Hit {
            id: article.id.clone(),
            rank,
            score: fused.score,
            title,
            text,
            abstract_origin,
            authors: article.authors.iter().map(Author::display).collect(),
            journal: container_title(&article),
            published: article.published.as_ref().map(ToString::to_string),
            year: article.year(),
            publication_types: article
                .publication_types
                .iter()
                .map(|kind| kind.name.clone())
                .collect(),
            languages: article.languages.clone(),
            doi: article.other_id("doi").map(str::to_owned),
            pmc: article.other_id("pmc").map(str::to_owned),
            retracted: article.is_retracted(),
            truncated: self.is_truncated(&article)?,
            passage,
            highlights,
            entities: None,
            relations: None,
            explain,
            article: Arc::new(article),
        })
    }

    pub(super) fn stored(&self, key: ArticleKey) -> Result<StoredArticle> {
        let bytes = self.keyword.stored_by_key(key)?.ok_or_else(|| {
            Error::new(
                ErrorKind::Corrupt,
                format!(
                    "the article with key {} has no content: run `medsift verify`",
                    key.0
                ),
            )
        })?;
        StoredArticle::parse(&bytes)
    }

    pub(super) fn id_of(&self, key: ArticleKey) -> Result<ArticleId> {
        let ids = match self.gathered.ids.get() {
            Some(ids) => ids,
            None => {
                let ids = self.unhurried().keys_and_ids()?.into_iter().collect();
                self.gathered.ids.get_or_init(|| ids)
            }
        };
        ids.get(&key).cloned().ok_or_else(|| {
            Error::new(
                ErrorKind::Corrupt,
                format!(
                    "the vector side holds key {}, the keyword side does not",
                    key.0
                ),
            )
        })
    }
}

/// The journal's short title, or the book's title.
pub(super) fn container_title(article: &Article) -> Option<String> {
    let journal = article.journal.as_ref().map(|journal| {
        journal
            .iso_abbreviation
            .as_ref()
            .or(journal.medline_abbreviation.as_ref())
            .unwrap_or(&journal.title)
            .clone()
    });
    let book = article.book.as_ref().map(|book| book.title.plain.clone());
    journal.or(book).filter(|title| !title.is_empty())
}

/// Turns byte ranges in rising order into character ranges.
fn in_characters(text: &str, ranges: &[Range<usize>]) -> Vec<[usize; 2]> {
    let mut counted = (0, 0);
    let mut characters_before = |byte: usize| {
        let byte = text.floor_char_boundary(byte);
        if byte < counted.0 {
            counted = (0, 0);
        }
        counted = (byte, counted.1 + text[counted.0..byte].chars().count());
        counted.1
    };
    ranges
        .iter()
        .map(|range| [characters_before(range.start), characters_before(range.end)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_characters() {
        let text = "α-synuclein and β";
        let ranges = [0..2, 3..12, 17..19];
        assert_eq!(in_characters(text, &ranges), [[0, 1], [2, 11], [16, 17]]);
    }
}
