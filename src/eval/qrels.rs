use crate::error::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Relevance judgements: query → document → grade (0 is not relevant).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qrels {
    by_query: BTreeMap<String, HashMap<String, i32>>,
}

impl Qrels {
    /// Reads BEIR's `query-id<TAB>corpus-id<TAB>score` (with a header) or
    /// TREC's `query 0 document grade`.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|e| Error::io("read", path, e))?;
        let mut qrels = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (query, document, grade) = match fields[..] {
                [] => continue,
                [query, document, grade] => (query, document, grade),
                [query, _, document, grade] => (query, document, grade),
                _ => return Err(bad_line(path, number, "3 or 4 columns are needed")),
            };
            match grade.parse() {
                Ok(grade) => qrels.insert(query, document, grade),
                Err(_) if number == 1 => {}
                Err(_) => return Err(bad_line(path, number, "the grade is not a whole number")),
            }
        }
        Ok(qrels)
    }

    /// Adds or replaces one judgement.
    pub fn insert(&mut self, query: &str, document: &str, grade: i32) {
        self.by_query
            .entry(query.to_owned())
            .or_default()
            .insert(document.to_owned(), grade);
    }

    /// The judgements in BEIR's form, by query and document.
    pub fn to_tsv(&self) -> String {
        let mut out = "query-id\tcorpus-id\tscore\n".to_owned();
        for (query, documents) in &self.by_query {
            let mut documents: Vec<_> = documents.iter().collect();
            documents.sort();
            for (document, grade) in documents {
                let _ = writeln!(out, "{query}\t{document}\t{grade}");
            }
        }
        out
    }

    /// The queries, in order of their ids.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.by_query.keys().map(String::as_str)
    }

    /// Judgements of one query.
    pub fn judgements(&self, query: &str) -> Option<&HashMap<String, i32>> {
        self.by_query.get(query)
    }

    /// Keeps the judgements of the queries that pass.
    pub fn retain_queries(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.by_query.retain(|query, _| keep(query));
    }
}

fn bad_line(path: &Path, number: usize, what: &str) -> Error {
    Error::new(
        ErrorKind::InvalidInput,
        format!("{}, line {number}: {what}", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &str) -> Result<Qrels> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Qrels::read(file.path())
    }

    #[test]
    fn reads_both_layouts() {
        let beir = read("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n").unwrap();
        let trec = read("q1 0 d1 2\nq1 0 d2 0\n").unwrap();
        assert_eq!(beir, trec);
        assert_eq!(beir.judgements("q1").unwrap()["d1"], 2);
        assert_eq!(read(&beir.to_tsv()).unwrap(), beir);
    }

    #[test]
    fn names_the_line_of_a_fault() {
        let error = read("q\td\t1\nq\td\tx\n").unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
