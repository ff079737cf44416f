//! Queries and judgements that go along with a corpus.

use crate::error::{CliError, Result};
use crate::whole_file::WholeFile;
use clap::Args;
use medsift::Error;
use medsift::eval::beir::BeirFolder;
use medsift::eval::{CollectionQuery, Qrels, read_queries};
use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The split of judgements that come without a name, as BEIR calls it.
const SPLIT: &str = "test";

/// What goes along.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --format beir")]
pub(crate) struct CollectionArgs {
    /// Queries: BEIR's queries.jsonl, or lines of an id, a tab and a text
    #[arg(long, value_name = "FILE", conflicts_with = "collection")]
    queries: Option<PathBuf>,
    /// Judgements of these queries, of BEIR or TREC: become qrels/test.tsv
    #[arg(long, value_name = "FILE", requires = "queries")]
    qrels: Option<PathBuf>,
    /// Folder of BEIR whose queries and judgements are taken
    #[arg(long, value_name = "DIR")]
    collection: Option<PathBuf>,
}

/// Queries, and judgements by the names of their splits.
pub(crate) struct Collection {
    queries: Vec<CollectionQuery>,
    splits: Vec<(String, Qrels)>,
}

impl CollectionArgs {
    /// Whether anything goes along.
    pub(crate) fn is_given(&self) -> bool {
        self.queries.is_some() || self.collection.is_some()
    }

    /// Reads what goes along.
    ///
    /// # Errors
    /// Where a file cannot be read, or a judgement is of a query that is not
    /// there.
    pub(crate) fn read(&self) -> Result<Option<Collection>> {
        let collection = match (&self.queries, &self.collection) {
            (Some(path), _) => {
                let qrels = self.qrels.as_deref().map(Qrels::read).transpose()?;
                let splits = qrels.map(|qrels| (SPLIT.to_owned(), qrels));
                Collection {
                    queries: read_queries(path)?,
                    splits: splits.into_iter().collect(),
                }
            }
            (None, Some(root)) => {
                let folder = BeirFolder::open(root)?;
                let read = |split: String| {
                    let qrels = Qrels::read(&folder.qrels_path(&split))?;
                    Ok((split, qrels))
                };
                let splits = folder.splits().into_iter().map(read);
                Collection {
                    queries: folder.queries()?,
                    splits: splits.collect::<medsift::Result<_>>()?,
                }
            }
            (None, None) => return Ok(None),
        };
        collection.check()?;
        Ok(Some(collection))
    }
}

impl Collection {
    fn check(&self) -> Result<()> {
        let ids: HashSet<&str> = self.queries.iter().map(|query| &query.id[..]).collect();
        for (split, qrels) in &self.splits {
            if let Some(id) = qrels.queries().find(|id| !ids.contains(id)) {
                let what = format!("the judgements of {split} name query {id}, which is not there");
                return Err(CliError::Failure(what));
            }
        }
        Ok(())
    }

    /// Writes them into a folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let mut lines = String::new();
        for query in &self.queries {
            let line = serde_json::to_string(query).map_err(CliError::failure)?;
            lines.push_str(&line);
            lines.push('\n');
        }
        whole(&folder.join("queries.jsonl"), &lines)?;
        let qrels = folder.join("qrels");
        let own: HashSet<String> = self
            .splits
            .iter()
            .map(|(split, _)| format!("{split}.tsv"))
            .collect();
        refuse_others(&qrels, &own)?;
        if !self.splits.is_empty() {
            std::fs::create_dir_all(&qrels).map_err(|error| Error::io("make", &qrels, error))?;
        }
        for (split, judged) in &self.splits {
            whole(&qrels.join(format!("{split}.tsv")), &judged.to_tsv())?;
        }
        Ok(())
    }

    /// How many queries and judgements there are, and how many judged articles
    /// are not among those that were written.
    pub(crate) fn summary(&self, written: &HashSet<String>) -> String {
        let mut judgements = 0;
        let mut missing = BTreeSet::new();
        for (_, qrels) in &self.splits {
            let of_query = qrels.queries().filter_map(|id| qrels.judgements(id));
            for articles in of_query {
                judgements += articles.len();
                missing.extend(articles.keys().filter(|id| !written.contains(*id)));
            }
        }
        let said = format!("{} queries, {judgements} judgements", self.queries.len());
        match missing.len() {
            0 => said,
            count => format!(
                "{said}; {count} of the judged articles are not among those that were written"
            ),
        }
    }
}

/// Whether a folder holds queries or judgements.
pub(crate) fn holds_queries(folder: &Path) -> bool {
    folder.join("queries.jsonl").exists() || folder.join("qrels").exists()
}

fn whole(path: &Path, text: &str) -> Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(text.as_bytes())
        .map_err(|error| Error::io("write", path, error))?;
    file.finish()
}

/// Refuses a folder with judgements of another collection: they would be taken
/// for some of this one.
fn refuse_others(qrels: &Path, own: &HashSet<String>) -> Result<()> {
    let Ok(entries) = std::fs::read_dir(qrels) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".tsv") && !own.contains(&name) {
            return Err(CliError::Failure(format!(
                "{} is of another collection, whose queries are not written now: remove the \
                 folder, or write to another",
                entry.path().display()
            )));
        }
    }
    Ok(())
}
