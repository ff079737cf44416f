//! Folders in the layout of BEIR (Thakur et al. 2021): `corpus.jsonl`,
//! `queries.jsonl` and `qrels/<split>.tsv`, each also with `.gz` behind it.

use super::Qrels;
use crate::error::{Error, ErrorKind, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A BEIR folder: where its parts are.
#[derive(Debug, Clone)]
pub struct BeirFolder {
    root: PathBuf,
}

#[derive(Deserialize)]
struct QueryLine {
    #[serde(rename = "_id")]
    id: String,
    text: String,
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
        let path = self.root.join("qrels").join(format!("{split}.tsv"));
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
        let mut texts = self.queries()?;
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

    fn queries(&self) -> Result<BTreeMap<String, String>> {
        let path = self.queries_path();
        let text = fs::read_to_string(&path).map_err(|e| Error::io("read", &path, e))?;
        let mut queries = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let line: QueryLine = serde_json::from_str(line).map_err(|e| {
                Error::new(
                    ErrorKind::InvalidInput,
                    format!("{}, line {number}: {e}", path.display()),
                )
            })?;
            queries.insert(line.id, line.text);
        }
        Ok(queries)
    }
}

fn missing(root: &Path, what: &str) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format!("{} is no BEIR folder: it has no {what}", root.display()),
    )
}
