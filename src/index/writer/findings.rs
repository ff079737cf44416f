//! What was found in articles that are there already.

use super::IndexWriter;
use crate::enrich::{ArticleFindings, Recipe};
use crate::error::{Error, ErrorKind, Result};
use crate::index::enrichment::StoredFindings;
use crate::index::stored::StoredArticle;
use crate::key::ArticleKey;
use crate::keyword::Findings;

impl IndexWriter {
    /// Keys of the committed articles whose findings were not made by a recipe,
    /// in rising order.
    pub fn not_enriched_by(&self, recipe: &Recipe) -> Result<Vec<ArticleKey>> {
        self.snapshot.not_enriched_by(&recipe.digest())
    }

    /// A committed article.
    ///
    /// # Errors
    /// `Corrupt` where there is none with this key.
    pub fn article(&self, key: ArticleKey) -> Result<StoredArticle> {
        let bytes = self.snapshot.stored_by_key(key)?.ok_or_else(|| {
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

    /// Keeps what was found in a committed article, in place of what was found
    /// before. Its key and its vectors stay.
    ///
    /// # Errors
    /// `Internal` for an article that waits for a commit: it may give way.
    pub fn enrich(
        &mut self,
        key: ArticleKey,
        stored: &StoredArticle,
        found: ArticleFindings,
        recipe: &Recipe,
    ) -> Result<()> {
        let id = &stored.article.id;
        if self.pending.state_of(id).is_some() {
            return Err(Error::new(
                ErrorKind::Internal,
                format!("article {id} is enriched before it is committed"),
            ));
        }
        let findings = StoredFindings {
            recipe: recipe.digest(),
            found,
        };
        let findings = findings.to_keyword()?;
        self.keyword.delete(id)?;
        self.keyword
            .add_with(key, &stored.article, &stored.to_bytes()?, Some(&findings))?;
        self.pending.enriched += 1;
        if self.pending.recipe.is_none() {
            self.pending.recipe = Some(recipe.clone());
        }
        Ok(())
    }

    /// Recipes of the next commit: the one that was used since the last, and
    /// those before it. When one is new, those go of which no article has
    /// findings any more.
    pub(super) fn recipes(&self) -> Result<Vec<Recipe>> {
        let mut recipes = self.committed.recipes.clone();
        let Some(recipe) = &self.pending.recipe else {
            return Ok(recipes);
        };
        // Counting reads every article's mark: not at each commit of a run.
        if self.committed.recipe(&recipe.digest()).is_none() {
            let used = self.snapshot.enriched()?;
            recipes.retain(|one| used.contains_key(&one.digest()));
            recipes.push(recipe.clone());
        }
        Ok(recipes)
    }

    /// What the last commit says was found in an article, to be kept.
    pub(super) fn findings_of(&self, key: ArticleKey) -> Result<Option<Findings>> {
        let Some(bytes) = self.snapshot.findings_by_key(key)? else {
            return Ok(None);
        };
        match StoredFindings::parse(&bytes) {
            Ok(stored) => stored.to_keyword().map(Some),
            Err(error) => {
                // They can be made again; the article must not be lost for them.
                tracing::warn!(key = key.0, %error, "findings are dropped");
                Ok(None)
            }
        }
    }
}
