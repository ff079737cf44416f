use super::commit::{AppliedFile, Commit};
use super::completeness::Completeness;
use super::order::{Claim, Day, nlm_number};
use super::quarantine::QuarantinedRecord;
use super::stored::StoredArticle;
use crate::article::ArticleId;
use crate::encoder::normalise;
use crate::enrich::Recipe;
use crate::error::{Error, ErrorKind, Result};
use crate::key::ArticleKey;
use crate::passage::Passage;
use crate::vector::PassageRow;
use roaring::RoaringBitmap;
use std::collections::HashMap;
use std::ops::Range;

/// What decides whether an incoming record changes an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ArticleState {
    pub(super) key: ArticleKey,
    pub(super) version: u32,
    pub(super) content: String,
    pub(super) source: String,
    pub(super) completeness: Completeness,
    pub(super) revised: Option<Day>,
}

impl ArticleState {
    pub(super) fn claim(&self) -> Claim<'_> {
        Claim {
            version: self.version,
            content: &self.content,
            file: nlm_number(&self.source),
            completeness: self.completeness,
            revised: self.revised,
        }
    }

    pub(super) fn of(key: ArticleKey, stored: &StoredArticle) -> Self {
        Self {
            key,
            version: stored.article.version,
            content: stored.content.clone(),
            source: stored.source.clone(),
            completeness: stored.completeness,
            revised: stored.revised(),
        }
    }
}

/// What becomes of the lengths of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// They are brought to 1.
    ToUnit,
    /// They are 1 already, and not a bit changes.
    Keep,
}

/// Changes that wait for a commit.
pub(super) struct Pending {
    pub(super) next_key: u32,
    /// Live articles once these changes are in.
    pub(super) articles: u64,
    sources: Vec<AppliedFile>,
    pub(super) quarantine: Vec<QuarantinedRecord>,
    /// `None` for an article that was deleted.
    states: HashMap<ArticleId, Option<ArticleState>>,
    places: Vec<(ArticleKey, u32, Range<u32>)>,
    vectors: Vec<f32>,
    sources_noted: bool,
    /// Articles that got findings.
    pub(super) enriched: usize,
    /// By what.
    pub(super) recipe: Option<Recipe>,
}

impl Pending {
    pub(super) fn after(commit: &Commit) -> Self {
        Self {
            next_key: commit.next_key,
            articles: commit.articles,
            sources: commit.sources.clone(),
            quarantine: Vec::new(),
            states: HashMap::new(),
            places: Vec::new(),
            vectors: Vec::new(),
            sources_noted: false,
            enriched: 0,
            recipe: None,
        }
    }

    pub(super) fn is_dirty(&self) -> bool {
        self.sources_noted
            || self.enriched > 0
            || !self.states.is_empty()
            || !self.quarantine.is_empty()
    }

    pub(super) fn sources(&self) -> &[AppliedFile] {
        &self.sources
    }

    pub(super) fn articles_waiting(&self) -> usize {
        self.states.len()
    }

    /// The outer `None` says that no pending change concerns the article.
    pub(super) fn state_of(&self, id: &ArticleId) -> Option<Option<&ArticleState>> {
        self.states.get(id).map(Option::as_ref)
    }

    pub(super) fn take_key(&mut self) -> Result<ArticleKey> {
        let key = ArticleKey(self.next_key);
        self.next_key = self.next_key.checked_add(1).ok_or_else(|| {
            Error::new(
                ErrorKind::Internal,
                "the index has used up its article keys: make the index again",
            )
        })?;
        Ok(key)
    }

    pub(super) fn add(
        &mut self,
        key: ArticleKey,
        stored: StoredArticle,
        passages: &[Passage],
        vectors: &[f32],
        scale: Scale,
    ) {
        for passage in passages {
            self.places
                .push((key, passage.ordinal, passage.range.clone()));
        }
        let start = self.vectors.len();
        self.vectors.extend_from_slice(vectors);
        if scale == Scale::ToUnit && !passages.is_empty() {
            let dimension = vectors.len() / passages.len();
            // Scores are cosines, also for models that leave lengths as they are.
            self.vectors[start..]
                .chunks_exact_mut(dimension)
                .for_each(normalise);
        }
        let state = ArticleState::of(key, &stored);
        self.states.insert(stored.article.id, Some(state));
        self.articles += 1;
    }

    /// The article stays as it is and dates from another file.
    pub(super) fn confirm(&mut self, key: ArticleKey, stored: &StoredArticle) {
        let state = ArticleState::of(key, stored);
        self.states.insert(stored.article.id.clone(), Some(state));
    }

    pub(super) fn remove(&mut self, id: ArticleId) {
        self.states.insert(id, None);
    }

    /// An article's state gave way.
    pub(super) fn forget(&mut self) {
        self.articles -= 1;
    }

    /// Replaces what was known of the same file, by name and content.
    pub(super) fn note_source(&mut self, file: AppliedFile) {
        self.sources_noted = true;
        let known = self
            .sources
            .iter_mut()
            .find(|known| known.name == file.name && known.sha256 == file.sha256);
        match known {
            Some(known) => *known = file,
            None => self.sources.push(file),
        }
    }

    /// Rows for a new segment, in rising key order, without those that were
    /// deleted again before they were ever committed.
    pub(super) fn rows(&self, deleted: &RoaringBitmap, dimension: usize) -> Vec<PassageRow<'_>> {
        self.places
            .iter()
            .zip(self.vectors.chunks_exact(dimension))
            .filter(|((key, _, _), _)| !deleted.contains(key.0))
            .map(|((key, ordinal, range), vector)| PassageRow {
                key: *key,
                ordinal: *ordinal,
                range: range.clone(),
                vector,
            })
            .collect()
    }
}
