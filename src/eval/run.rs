use crate::error::{Error, Result};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Ranked lists of a system: query → (document, score), best first.
#[derive(Debug, Clone, Default)]
pub struct Run {
    by_query: BTreeMap<String, Vec<(String, f64)>>,
}

impl Run {
    /// Takes the list of one query. It is kept in trec_eval's order: by score,
    /// and among equal scores by document id, larger first.
    ///
    /// Scores are compared in single precision, as trec_eval does.
    pub fn insert(&mut self, query: &str, mut documents: Vec<(String, f64)>) {
        documents.sort_by(|a, b| {
            (b.1 as f32)
                .partial_cmp(&(a.1 as f32))
                .unwrap_or(Ordering::Equal)
                .then_with(|| b.0.cmp(&a.0))
        });
        self.by_query.insert(query.to_owned(), documents);
    }

    /// The list of one query; empty when the run holds none.
    pub fn documents(&self, query: &str) -> &[(String, f64)] {
        self.by_query.get(query).map_or(&[], Vec::as_slice)
    }

    /// Writes `query Q0 document rank score tag`, one line a document.
    pub fn write_trec(&self, path: &Path, tag: &str) -> Result<()> {
        let write = || -> std::io::Result<()> {
            let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
            for (query, documents) in &self.by_query {
                for (rank, (document, score)) in (1..).zip(documents) {
                    writeln!(file, "{query} Q0 {document} {rank} {score} {tag}")?;
                }
            }
            file.flush()
        };
        write().map_err(|e| Error::io("write the run to", path, e))
    }
}
