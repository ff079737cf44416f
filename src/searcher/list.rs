//! Which articles a page shows: the list by relevance or by date, from the
//! beginning or from where a cursor stands.

use super::retrieve::Candidates;
use super::{Searcher, rank, retrieve};
use crate::error::{Error, ErrorKind, Result};
use crate::fusion::Fused;
use crate::key::ArticleKey;
use crate::keyword::{ResultSet, Scope};
use crate::query::{Cursor, Mode, Place, Query, Sort, short_digest};
use crate::trace::Clock;

/// The part of a list that a page shows.
pub(super) struct Listing {
    /// The articles, in order.
    pub(super) shown: Vec<Fused>,
    /// How many come before them.
    pub(super) passed: usize,
    /// How many there are in all.
    pub(super) total: u64,
    /// Whether that is everything that the search finds, rather than the best.
    pub(super) whole: bool,
    /// Whether there are articles behind them.
    more: bool,
    /// Where the list goes on, where it does.
    pub(super) next: Option<Cursor>,
    /// What the user should know of it.
    pub(super) warnings: Vec<String>,
}

impl Searcher {
    /// Lists the page that a query asks for.
    ///
    /// # Errors
    ///
    /// `InvalidInput` for a cursor of another search; `Outdated` for one of
    /// another state of the index, where the order has changed since.
    pub(super) fn list(&self, query: &Query, candidates: &Candidates) -> Result<Listing> {
        // Going through all that matches is a part of finding it.
        let _clock = Clock::of("retrieve");
        let mut warnings = Vec::new();
        if let Some(cursor) = query.cursor() {
            warnings.extend(self.check_cursor(query, cursor)?);
        }
        let mut listing = match (query.sort(), is_whole(query, candidates)) {
            (Sort::Relevance, true) => self.by_score(query, candidates)?,
            (Sort::Date, true) => self.all_by_day(query, candidates)?,
            (Sort::Relevance, false) => best(query, candidates)?,
            (Sort::Date, false) => self.best_by_day(query, candidates)?,
        };
        let end = (listing.passed + listing.shown.len()) as u64;
        if let Some(last) = listing.shown.last().filter(|_| listing.more) {
            listing.next = Some(Cursor {
                search: query.digest(),
                state: self.state_digest(),
                passed: end,
                place: self.place(query, candidates, last)?,
            });
        }
        warnings.extend(cut_off(&listing, candidates, end));
        listing.warnings = warnings;
        Ok(listing)
    }

    /// A number that tells committed states apart.
    fn state_digest(&self) -> u64 {
        let commit = &self.commit;
        short_digest(&format!("{} {}", commit.generation, commit.committed_at))
    }

    /// A warning where the list goes on in a newer state.
    fn check_cursor(&self, query: &Query, cursor: Cursor) -> Result<Option<String>> {
        if cursor.search != query.digest() {
            return Err(Error::invalid(
                "cursor",
                "the cursor belongs to another search: send it with the query, filters, mode and \
                 sort that it came from",
            ));
        }
        if cursor.state == self.state_digest() {
            return Ok(None);
        }
        match cursor.place {
            Place::Day(..) => Ok(Some(
                "the index has changed since the page before: the list goes on behind its last \
                 article; what is new and stands before that is not shown"
                    .to_owned(),
            )),
            Place::Rank | Place::Score(..) => Err(Error::new(
                ErrorKind::Outdated,
                "the index has changed since the page before, and scores with it: begin again \
                 without cursor, or use sort=date, of which the cursors go on",
            )),
        }
    }

    /// Where an article stands in the list.
    fn place(&self, query: &Query, candidates: &Candidates, last: &Fused) -> Result<Place> {
        Ok(match (query.sort(), is_whole(query, candidates)) {
            (Sort::Relevance, true) => Place::Score(last.score.to_bits(), last.key),
            (Sort::Relevance, false) => Place::Rank,
            (Sort::Date, _) => {
                let days = self.days_of([last.key])?;
                Place::Day(days.first().map_or(0, |&(_, day)| day), last.key)
            }
        })
    }

    /// All that match, best first.
    fn by_score(&self, query: &Query, candidates: &Candidates) -> Result<Listing> {
        let total = candidates.keyword.as_ref().map_or(0, |found| found.total);
        let Some(cursor) = query.cursor() else {
            return Ok(Listing {
                total,
                whole: true,
                ..best(query, candidates)?
            });
        };
        let Place::Score(bits, key) = cursor.place else {
            return Err(of_another_list());
        };
        let place = Some((key, f32::from_bits(bits)));
        let scope = scope(query, candidates);
        let (words, limit) = (query.words(), query.limit());
        let found = self.keyword.search_after(words, &scope, limit, place)?;
        let passed = cursor.passed as usize;
        let shown = retrieve::one_sided(&found.hits, |fused, mut place| {
            place.rank = place.rank.saturating_add(passed as u32);
            fused.keyword = Some(place);
        });
        Ok(Listing::new(shown, passed, total, true))
    }

    /// All that match or are selected, newest first.
    fn all_by_day(&self, query: &Query, candidates: &Candidates) -> Result<Listing> {
        let set = self
            .keyword
            .results(query.words(), &scope(query, candidates))?;
        self.days(query, &set, true, |key| Fused {
            key,
            score: 0.0,
            keyword: None,
            semantic: None,
        })
    }

    /// The candidates, newest first.
    fn best_by_day(&self, query: &Query, candidates: &Candidates) -> Result<Listing> {
        let ranked = rank(query, candidates);
        let mut set = ResultSet::default();
        let keys = ranked.iter().map(|fused| fused.key);
        self.keyword.add_keys(&mut set, keys)?;
        let places: std::collections::HashMap<ArticleKey, Fused> =
            ranked.iter().map(|fused| (fused.key, *fused)).collect();
        let listing = self.days(query, &set, false, |key| {
            places.get(&key).copied().unwrap_or(Fused {
                key,
                score: 0.0,
                keyword: None,
                semantic: None,
            })
        })?;
        Ok(listing)
    }

    fn days(
        &self,
        query: &Query,
        set: &ResultSet,
        whole: bool,
        fused: impl Fn(ArticleKey) -> Fused,
    ) -> Result<Listing> {
        let (after, passed) = match query.cursor().map(|cursor| (cursor.place, cursor.passed)) {
            None => (None, query.offset()),
            Some((Place::Day(day, key), passed)) => (Some((key, day)), passed as usize),
            Some(_) => return Err(of_another_list()),
        };
        let skipped = query.offset();
        // One more than is shown, to see whether there is one: what was passed
        // may have been counted in another state of the index.
        let most = skipped + query.limit();
        let days = self.keyword.by_date(set, most + 1, after)?;
        let more = days.len() > most;
        let shown = days.into_iter().take(most).skip(skipped);
        let shown = shown.map(|(key, _)| fused(key)).collect();
        Ok(Listing {
            more,
            ..Listing::new(shown, passed, set.articles(), whole)
        })
    }

    /// Articles with their days.
    fn days_of(
        &self,
        keys: impl IntoIterator<Item = ArticleKey>,
    ) -> Result<Vec<(ArticleKey, i64)>> {
        let mut set = ResultSet::default();
        self.keyword.add_keys(&mut set, keys)?;
        self.keyword.by_date(&set, set.articles() as usize, None)
    }
}

impl Listing {
    fn new(shown: Vec<Fused>, passed: usize, total: u64, whole: bool) -> Self {
        Self {
            more: ((passed + shown.len()) as u64) < total,
            shown,
            passed,
            total,
            whole,
            next: None,
            warnings: Vec::new(),
        }
    }
}

/// Whether every article that the search finds can be listed: words and
/// queries of PubMed's language find a set, meaning an order of everything.
pub(super) fn is_whole(query: &Query, candidates: &Candidates) -> bool {
    query.mode() == Mode::Keyword
        || (candidates.selection.is_some()
            && (query.sort() == Sort::Date || candidates.semantic.is_none()))
}

/// The scope that the candidates were taken from.
pub(super) fn scope<'a>(query: &'a Query, candidates: &'a Candidates) -> Scope<'a> {
    Scope {
        filter: query.filter(),
        selection: candidates.selection.as_ref(),
        unscored: candidates.selection.is_some() && candidates.semantic.is_none(),
    }
}

/// The candidates, best first.
fn best(query: &Query, candidates: &Candidates) -> Result<Listing> {
    let ranked = rank(query, candidates);
    let passed = match query.cursor() {
        None => query.offset(),
        Some(cursor) if cursor.place == Place::Rank => cursor.passed as usize,
        Some(_) => return Err(of_another_list()),
    };
    let shown = ranked.iter().skip(passed).take(query.limit());
    let shown = shown.copied().collect();
    Ok(Listing::new(shown, passed, ranked.len() as u64, false))
}

/// The list of a query of PubMed's language that is ranked by meaning as well
/// ends with the candidates.
fn cut_off(listing: &Listing, candidates: &Candidates, end: u64) -> Option<String> {
    let selected = candidates.selection.as_ref()?.articles();
    let ends = !listing.whole && end == listing.total && end > 0 && listing.total < selected;
    ends.then(|| {
        format!(
            "the list ends after the best {end} of the {selected} articles that the query selects: \
             mode keyword, sort date and an export list all that pass the filters"
        )
    })
}

/// The model was open for the one page and not for the other.
fn of_another_list() -> Error {
    Error::invalid(
        "cursor",
        "the cursor belongs to a list in another mode: begin again without cursor",
    )
}
