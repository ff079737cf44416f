//! Folders in the layout of BEIR (Thakur et al. 2021): `corpus.jsonl`,
//! `queries.jsonl` and `qrels/<split>.tsv`, each also with `.gz` behind it.

use super::{CollectionQuery, Qrels, read_queries};
use crate::error::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A BEIR folder: where its parts are.
#[derive(Debug, Clone)]
pub struct BeirFolder {
    root: PathBuf,
}

impl BeirFolder {
    /// Checks that the folder holds a corpus and queries.
    pub fn open(root: &Path) -> Result<Self> {
        let folder = Self {
            root: root.to_owned(),
        };
        folder.corpus()?;
        if !folder.queries_path().is_file() {
            return Err(missing(root, "queries.jsonl"));
        }
        Ok(folder)
    }

    /// The folder's own name, which names the data set.
    pub fn name(&self) -> String {
        self.root.file_name().map_or_else(
            || "corpus".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// The corpus file.
    pub fn corpus(&self) -> Result<PathBuf> {
        ["corpus.jsonl", "corpus.jsonl.gz"]
            .iter()
            .map(|name| self.root.join(name))
            .find(|path| path.is_file())
            .ok_or_else(|| missing(&self.root, "corpus.jsonl or corpus.jsonl.gz"))
    }

    /// Judgements of a split (`test`, `dev`, `train`), and the text of each
    /// query that they judge, by id.
    pub fn split(&self, split: &str) -> Result<(BTreeMap<String, String>, Qrels)> {
        let path = self.qrels_path(split);
        if !path.is_file() {
            return Err(Error::invalid(
                "split",
                format!(
                    "no split {split:?} in {}: there are {}",
                    self.root.display(),
                    self.splits().join(", ")
                ),
            ));
        }
        let qrels = Qrels::read(&path)?;
        let queries = self.queries()?.into_iter();
        let mut texts: BTreeMap<String, String> =
            queries.map(|query| (query.id, query.text)).collect();
        texts.retain(|id, _| qrels.judgements(id).is_some());
        if let Some(id) = qrels.queries().find(|id| !texts.contains_key(*id)) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "{} judges query {id}, which {} lacks",
                    path.display(),
                    self.queries_path().display()
                ),
            ));
        }
        Ok((texts, qrels))
    }

    /// Names of the splits, sorted.
    pub fn splits(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.root.join("qrels"))
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                name.strip_suffix(".tsv").map(str::to_owned)
            })
            .collect();
        names.sort();
        names
    }

    fn queries_path(&self) -> PathBuf {
        self.root.join("queries.jsonl")
    }

    /// The queries in the order of their file, judged or not.
    ///
    /// # Errors
    /// As [`read_queries`].
    pub fn queries(&self) -> Result<Vec<CollectionQuery>> {
        read_queries(&self.queries_path())
    }

    /// The judgements of a split.
    pub fn qrels_path(&self, split: &str) -> PathBuf {
        self.root.join("qrels").join(format!("{split}.tsv"))
    }
}

fn missing(root: &Path, what: &str) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format!("{} is no BEIR folder: it has no {what}", root.display()),
    )
}
