use super::Searcher;
use crate::error::Result;
use crate::fusion::{Fused, SideRank};
use crate::key::ArticleKey;
use crate::keyword::{KeywordMatches, Scope, Selection, Setting};
use crate::query::{Mode, Query};
use crate::trace::stage;
use crate::vector::{Strategy, VectorHit};

/// What each side found, best first.
#[derive(Default)]
pub(super) struct Candidates {
    pub(super) keyword: Option<KeywordMatches>,
    pub(super) semantic: Option<Vec<VectorHit>>,
    /// What a query of PubMed's language selects.
    pub(super) selection: Option<Selection>,
}

impl Candidates {
    pub(super) fn semantic_scores(&self) -> Vec<(ArticleKey, f32)> {
        self.semantic
            .iter()
            .flatten()
            .map(|hit| (hit.key, hit.score))
            .collect()
    }

    pub(super) fn semantic_hit(&self, key: ArticleKey) -> Option<&VectorHit> {
        self.semantic.iter().flatten().find(|hit| hit.key == key)
    }
}

impl Searcher {
    /// Asks the sides that the mode names, at the same time.
    pub(super) fn retrieve(&self, query: &Query, vector: Option<&[f32]>) -> Result<Candidates> {
        let _stage = stage!("retrieve");
        let setting = Setting::new(self.extras.mesh.as_deref(), query.day());
        let selection = query
            .tree()
            .map(|tree| self.keyword.select(tree, setting))
            .transpose()?;
        let scope = Scope {
            filter: query.filter(),
            selection: selection.as_ref(),
            // Beside a list by meaning, articles without the words are no
            // candidates of the words.
            unscored: selection.is_some() && vector.is_none(),
        };
        let keyword = || {
            let wanted = query.mode() != Mode::Semantic;
            wanted
                .then(|| {
                    let depth = self.settings.candidates;
                    self.keyword.search_in(query.words(), &scope, depth)
                })
                .transpose()
        };
        let semantic = || {
            vector
                .map(|vector| self.nearest(query, &scope, vector))
                .transpose()
        };
        let (keyword, semantic) = rayon::join(keyword, semantic);
        Ok(Candidates {
            keyword: keyword?,
            semantic: semantic?,
            selection,
        })
    }

    fn nearest(&self, query: &Query, scope: &Scope<'_>, vector: &[f32]) -> Result<Vec<VectorHit>> {
        let is_narrow = !scope.filter.is_empty() || scope.selection.is_some();
        let allowed = is_narrow
            .then(|| self.keyword.matching_in(scope))
            .transpose()?;
        let strategy = if query.exact() {
            Strategy::Exact
        } else {
            Strategy::Auto
        };
        let depth = self.settings.candidates;
        let ef = self.settings.ef_search.max(depth);
        self.vectors
            .search(vector, depth, ef, strategy, allowed.as_ref())
    }
}

/// A list of one side as it stands, ties by key.
pub(super) fn one_sided(
    list: &[(ArticleKey, f32)],
    place: impl Fn(&mut Fused, SideRank),
) -> Vec<Fused> {
    (1..)
        .zip(list)
        .map(|(rank, &(key, score))| {
            let mut fused = Fused {
                key,
                score,
                keyword: None,
                semantic: None,
            };
            place(&mut fused, SideRank { rank, score });
            fused
        })
        .collect()
}
