use crate::error::{Error, Result};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::{self, Write};
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
    ///
    /// # Errors
    /// Where it cannot be written, and where an id or the tag has white space in
    /// it, which would be a column too many.
    pub fn write(&self, out: &mut impl Write, tag: &str) -> io::Result<()> {
        column(tag)?;
        for (query, documents) in &self.by_query {
            column(query)?;
            for (rank, (document, score)) in (1..).zip(documents) {
                let document = column(document)?;
                writeln!(out, "{query} Q0 {document} {rank} {score} {tag}")?;
            }
        }
        Ok(())
    }

    /// Writes the same to a file.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_trec(&self, path: &Path, tag: &str) -> Result<()> {
        let write = || -> io::Result<()> {
            let mut file = io::BufWriter::new(std::fs::File::create(path)?);
            self.write(&mut file, tag)?;
            file.flush()
        };
        write().map_err(|e| Error::io("write the run to", path, e))
    }
}

fn column(text: &str) -> io::Result<&str> {
    match text.is_empty() || text.contains(char::is_whitespace) {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{text:?} cannot be a column of a run: it is empty or has white space in it"),
        )),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_six_columns_or_is_refused() {
        let mut run = Run::default();
        run.insert("q", vec![("a".to_owned(), 0.5), ("b".to_owned(), 1.5)]);
        let mut out = Vec::new();
        run.write(&mut out, "t").unwrap();
        assert_eq!(out, b"q Q0 b 1 1.5 t\nq Q0 a 2 0.5 t\n");
        assert!(run.write(&mut Vec::new(), "two words").is_err());
        run.insert("q", vec![("a b".to_owned(), 0.5)]);
        let error = run.write(&mut Vec::new(), "t").unwrap_err().to_string();
        assert!(error.contains("\"a b\""), "{error}");
    }
}
