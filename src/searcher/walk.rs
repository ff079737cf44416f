//! The way through everything that a search finds, in bounded memory.

use super::list::{is_whole, scope};
use super::retrieve::Candidates;
use super::{Searcher, rank};
use crate::error::Result;
use crate::index::StoredArticle;
use crate::key::ArticleKey;
use crate::keyword::ResultSet;
use crate::query::{Query, Sort};
use crate::trace::stage;
use std::collections::VecDeque;

/// Keys that are looked up at a time: each look goes through all that match.
const KEYS: usize = 50_000;

/// How far somebody has come who goes through everything that a search finds.
///
/// It holds the set that is found as bitmaps, and at most some ten thousand
/// keys; never the articles.
pub struct Walk {
    query: Query,
    candidates: Candidates,
    way: Way,
    keys: VecDeque<ArticleKey>,
    total: u64,
    warnings: Vec<String>,
}

/// Where the next keys come from.
enum Way {
    /// From all that match, behind a place.
    Score(Option<(ArticleKey, f32)>),
    /// From a set, behind a place.
    Day(ResultSet, Option<(ArticleKey, i64)>),
    /// There are no more than those at hand.
    End,
}

impl Walk {
    /// How many articles there are in all.
    pub fn articles(&self) -> u64 {
        self.total
    }

    /// What the user should know, as a search for the same tells it.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl Searcher {
    /// Begins a walk through all that a query finds: in mode keyword and for a
    /// query of PubMed's language everything, else the candidates. Offset,
    /// limit and cursor of the query do not matter.
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search).
    pub fn walk(&self, asked: &Query) -> Result<Walk> {
        let query = self.answerable(asked)?.into_owned();
        let vector = self.embed(&query)?;
        let mut candidates = self.retrieve(&query, vector.as_deref())?;
        let selected = candidates.selection.is_some();
        let mut keys = VecDeque::new();
        let (way, total) = if query.sort() == Sort::Relevance && is_whole(&query, &candidates) {
            let total = candidates.keyword.as_ref().map_or(0, |found| found.total);
            (Way::Score(None), total)
        } else if selected || is_whole(&query, &candidates) {
            // By meaning only the best have a place; the set is listed whole,
            // newest first.
            let set = self
                .keyword
                .results(query.words(), &scope(&query, &candidates))?;
            let total = set.articles();
            (Way::Day(set, None), total)
        } else if query.sort() == Sort::Date {
            let mut set = ResultSet::default();
            let ranked = rank(&query, &candidates).into_iter();
            self.keyword
                .add_keys(&mut set, ranked.map(|fused| fused.key))?;
            let total = set.articles();
            (Way::Day(set, None), total)
        } else {
            keys.extend(rank(&query, &candidates).iter().map(|fused| fused.key));
            (Way::End, keys.len() as u64)
        };
        let warnings = self.warnings(asked, &query, &candidates)?;
        // The best of them are not needed any more.
        candidates.keyword = None;
        Ok(Walk {
            query,
            candidates,
            way,
            keys,
            total,
            warnings,
        })
    }

    /// The next articles of a walk that this searcher began; none at its end.
    pub fn advance(&self, walk: &mut Walk, most: usize) -> Result<Vec<StoredArticle>> {
        let _stage = stage!("fetch");
        let keys = self.next_keys(walk, most)?;
        keys.into_iter().map(|key| self.stored(key)).collect()
    }

    /// The keys of the next articles of a walk; none at its end.
    pub(super) fn next_keys(&self, walk: &mut Walk, most: usize) -> Result<Vec<ArticleKey>> {
        if walk.keys.is_empty() {
            self.refill(walk)?;
        }
        let count = most.min(walk.keys.len());
        Ok(walk.keys.drain(..count).collect())
    }

    fn refill(&self, walk: &mut Walk) -> Result<()> {
        match &mut walk.way {
            Way::End => {}
            Way::Score(place) => {
                let scope = scope(&walk.query, &walk.candidates);
                let words = walk.query.words();
                let found = self.keyword.search_after(words, &scope, KEYS, *place)?;
                *place = found.hits.last().copied().or(*place);
                walk.keys.extend(found.hits.iter().map(|&(key, _)| key));
            }
            Way::Day(set, place) => {
                let found = self.keyword.by_date(set, KEYS, *place)?;
                *place = found.last().copied().or(*place);
                walk.keys.extend(found.iter().map(|&(key, _)| key));
            }
        }
        Ok(())
    }
}
