//! How far an index holds what a query asks of findings.

use super::Searcher;
use crate::error::Result;
use crate::query::pubmed::{Field, Leaf, Node};
use crate::query::{FacetField, Filter, Query};

/// What of the findings of articles somebody asks for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked {
    entities: bool,
    relations: bool,
}

impl Asked {
    /// By a query, its filter or what it counts.
    pub(super) fn of(query: &Query) -> Self {
        let mut asked = Self::by(query.filter());
        if let Some(tree) = query.tree() {
            asked.add(tree);
        }
        asked.entities |= query.facets().contains(&FacetField::Entity);
        asked
    }

    /// By a filter.
    pub(super) fn by(filter: &Filter) -> Self {
        Self {
            entities: !filter.entity.is_empty(),
            relations: !filter.relation.is_empty(),
        }
    }

    /// By a query of PubMed's language.
    pub(super) fn in_tree(tree: &Node) -> Self {
        let mut asked = Self::default();
        asked.add(tree);
        asked
    }

    fn add(&mut self, tree: &Node) {
        for (leaf, _) in tree.leaves() {
            if let Leaf::Term { field, .. } = leaf {
                self.entities |= *field == Some(Field::Entity);
                self.relations |= *field == Some(Field::Relation);
            }
        }
    }
}

impl Searcher {
    /// That a search for what was found in articles does not see all of them, or
    /// sees what another model, head or table of names has found.
    pub(super) fn not_enriched(&self, asked: Asked) -> Result<Option<String>> {
        if !asked.entities && !asked.relations {
            return Ok(None);
        }
        let (mut held, mut other) = (0, 0);
        let now = self.extras.enricher.as_ref().map(|one| one.recipe_digest());
        let newest = self.commit.recipes.last().map(|recipe| recipe.digest());
        let current = now.or(newest.as_deref());
        for (digest, articles) in self.enriched()? {
            let recipe = self.commit.recipe(digest);
            let relates = recipe.is_some_and(|recipe| !recipe.relations.is_empty());
            if asked.relations && !relates {
                continue;
            }
            held += articles;
            if current != Some(digest) {
                other += articles;
            }
        }
        let (what, articles) = (
            if asked.relations {
                "relations"
            } else {
                "entities"
            },
            self.keyword.articles(),
        );
        Ok(if held < articles {
            Some(format!(
                "{what} can be searched in {held} of the {articles} articles: `medsift enrich` \
                 finds those of the others"
            ))
        } else if other > 0 {
            Some(format!(
                "{other} of the {articles} articles were read by another model, head or MeSH table \
                 than would read them now: `medsift enrich` reads them again"
            ))
        } else {
            None
        })
    }
}
