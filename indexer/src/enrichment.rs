//! Finds entities and relations in the articles of an index, and keeps them
//! there: what the index does not hold yet of what would be found now.
//!
//! Every article that is done is marked with the recipe that it was done by
//! ([`medsift::enrich::Recipe`]), so that a job that was stopped goes on where
//! it stopped, an article that was replaced is read again, and another model or
//! another head reads all of them again.

use medsift::enrich::{Enricher, Recipe, texts_of};
use medsift::index::{IndexWriter, WriterSettings};
use medsift::{ArticleKey, Error, Result};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to enrich, and with what.
pub struct EnrichJob {
    /// The index directory.
    pub index_dir: PathBuf,
    /// Finds entities and relations.
    pub enricher: Arc<Enricher>,
    /// Articles that are read together.
    pub batch_articles: usize,
    /// Articles after which the work so far is committed.
    pub commit_articles: usize,
    /// Seconds after which the work so far is committed.
    pub commit_seconds: u64,
    /// At most so many articles now.
    pub limit: Option<usize>,
    /// Keyword side.
    pub writer: WriterSettings,
}

/// Who watches an enrichment, and may end it.
///
/// Every method does nothing unless it is implemented.
pub trait EnrichProgress: Sync {
    /// So many articles are to be read.
    fn started(&self, _articles: u64) {}

    /// So many of them are read.
    fn read(&self, _articles: u64) {}

    /// Everything so far is durable and visible as this generation.
    fn committed(&self, _generation: u64) {}

    /// Whether to stop: what is read is committed first.
    fn cancelled(&self) -> bool {
        false
    }
}

/// What became of every article: `articles = enriched + already + failed + left`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct EnrichReport {
    /// Articles in the index.
    pub articles: u64,
    /// Articles that were read now.
    pub enriched: u64,
    /// Articles that had been read by the same model and heads before.
    pub already: u64,
    /// Articles that could not be read; the log says why. They are tried again
    /// the next time.
    pub failed: u64,
    /// Articles that are still to be read: the job was stopped or limited.
    pub left: u64,
    /// Entities that were found now.
    pub entities: u64,
    /// Of them, those with a concept.
    pub linked: u64,
    /// Relations that were found now.
    pub relations: u64,
    /// Whether somebody stopped it.
    pub cancelled: bool,
    /// Which committed state holds all of it.
    pub generation: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What read them.
    pub recipe: Option<Recipe>,
}

impl EnrichReport {
    /// Whether every article is accounted for.
    pub fn balances(&self) -> bool {
        self.articles == self.enriched + self.already + self.failed + self.left
    }
}

/// Reads the articles that were not read yet by the same model and heads.
///
/// # Errors
///
/// What makes going on pointless: an index that cannot be opened or written, a
/// model that fails. What was committed before stays.
pub fn enrich(job: &EnrichJob, progress: &dyn EnrichProgress) -> Result<EnrichReport> {
    for (field, value) in [
        ("batch_articles", job.batch_articles),
        ("commit_articles", job.commit_articles),
    ] {
        if value == 0 {
            return Err(Error::invalid(
                field,
                format!("{field} is 0: use 1 or more"),
            ));
        }
    }
    let start = Instant::now();
    let recipe = job.enricher.recipe();
    let mut writer = IndexWriter::open_existing(&job.index_dir, job.writer.clone())?;
    let keys = writer.not_enriched_by(recipe)?;
    let articles = writer.committed().articles;
    let wanted = keys.len().min(job.limit.unwrap_or(usize::MAX));
    if wanted > 0 {
        for head in missing_heads(&writer.committed().recipes, recipe) {
            tracing::warn!(
                "`{head}` read the index before and takes no part now: what it found goes from the \
                 articles that are read again (search.enrich.relations, search.enrich.head and \
                 --model say what takes part)"
            );
        }
    }
    progress.started(wanted as u64);
    let mut report = EnrichReport {
        articles,
        already: articles.saturating_sub(keys.len() as u64),
        recipe: Some(recipe.clone()),
        ..EnrichReport::default()
    };
    let (mut waiting, mut last_commit) = (0, Instant::now());
    for batch in keys[..wanted].chunks(job.batch_articles) {
        if progress.cancelled() {
            report.cancelled = true;
            break;
        }
        let read = read_batch(&mut writer, job, batch, &mut report);
        if let Err(error) = read {
            // What was read before must not be read again.
            progress.committed(writer.commit()?);
            return Err(error);
        }
        waiting += batch.len();
        progress.read(report.enriched + report.failed);
        let late = last_commit.elapsed() >= Duration::from_secs(job.commit_seconds);
        if late || waiting >= job.commit_articles {
            progress.committed(writer.commit()?);
            (waiting, last_commit) = (0, Instant::now());
        }
    }
    report.generation = writer.commit()?;
    progress.committed(report.generation);
    writer.close()?;
    report.left = keys.len() as u64 - report.enriched - report.failed;
    report.seconds = start.elapsed().as_secs_f64();
    Ok(report)
}

/// Heads of earlier recipes that this one does without.
fn missing_heads<'a>(before: &'a [Recipe], now: &Recipe) -> BTreeSet<&'a str> {
    let heads = before.iter().flat_map(Recipe::heads);
    heads
        .filter(|name| now.heads().all(|head| head != *name))
        .collect()
}

/// Reads some articles together; where that fails, one by one, so that one that
/// cannot be read does not stand in the way of the others.
fn read_batch(
    writer: &mut IndexWriter,
    job: &EnrichJob,
    batch: &[ArticleKey],
    report: &mut EnrichReport,
) -> Result<()> {
    let Err(error) = read_together(writer, job, batch, report) else {
        return Ok(());
    };
    let mut failed = 0;
    for one in batch {
        if let Err(error) = read_together(writer, job, &[*one], report) {
            tracing::warn!(key = one.0, %error, "an article is not read");
            failed += 1;
        }
    }
    // Where nothing can be read, it is not the articles.
    if failed == batch.len() {
        return Err(error);
    }
    report.failed += failed as u64;
    Ok(())
}

fn read_together(
    writer: &mut IndexWriter,
    job: &EnrichJob,
    keys: &[ArticleKey],
    report: &mut EnrichReport,
) -> Result<()> {
    let read = keys.iter().map(|&key| Ok((key, writer.article(key)?)));
    let read = read.collect::<Result<Vec<_>>>()?;
    let texts: Vec<[String; 2]> = read.iter().map(|(_, one)| texts_of(&one.article)).collect();
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|[title, text]| (&title[..], &text[..]))
        .collect();
    let found = job.enricher.find(&texts)?;
    for ((key, stored), found) in read.iter().zip(found) {
        let (mut entities, mut linked) = (0, 0);
        for entity in found.entities.title.iter().chain(&found.entities.text) {
            entities += 1;
            linked += u64::from(entity.concept.is_some());
        }
        let relations = found.related().count() as u64;
        writer.enrich(*key, stored, found, job.enricher.recipe())?;
        report.enriched += 1;
        report.entities += entities;
        report.linked += linked;
        report.relations += relations;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::enrich::RecipeHead;

    #[test]
    fn heads_that_no_longer_take_part_are_named_once() {
        let head = |name: &str| RecipeHead {
            name: name.to_owned(),
            sha256: String::new(),
        };
        let recipe = |relations: &[&str]| Recipe {
            model: "mini".to_owned(),
            encoder: String::new(),
            head: head("entities"),
            relations: relations.iter().map(|name| head(name)).collect(),
            names: None,
            nearest: false,
        };
        let before = [recipe(&["induces", "associated"]), recipe(&["induces"])];
        let missing: Vec<&str> = missing_heads(&before, &recipe(&["associated"]))
            .into_iter()
            .collect();
        assert_eq!(missing, ["induces"]);
        assert!(missing_heads(&before, &before[0]).is_empty());
    }
}
