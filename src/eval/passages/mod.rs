//! Questions whose passages are known: is what answers them among the passages
//! that are retrieved within a budget?
//!
//! PubMedQA (Jin et al. 2019) has the abstract of each question; BioASQ's golden
//! sets (Krithara et al. 2023) have the snippets that people marked in abstracts.

mod bioasq;
mod pubmedqa;
mod scores;

pub use scores::{PassageCounter, PassageScores};

use crate::error::{Error, ErrorKind, Result};
use crate::eval::sentence::content;
use std::path::Path;

/// Questions with the documents that they are asked of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageSet {
    /// `pubmedqa` or `bioasq`.
    pub name: &'static str,
    /// In the order of the file, each once.
    pub documents: Vec<GoldDocument>,
    /// In the order of the file.
    pub questions: Vec<GoldQuestion>,
}

/// A document of such a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldDocument {
    /// The set's name, a hyphen and the PMID: a set holds parts of articles.
    pub id: String,
    /// The title; empty where it is not known or would give the answer away.
    pub title: String,
    /// The abstract, or what is known of it.
    pub text: String,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldQuestion {
    /// The set's own key of it.
    pub id: String,
    /// The question.
    pub text: String,
    /// What answers it; at least one.
    pub gold: Vec<Gold>,
}

/// What answers a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    /// Id of the document.
    pub document: String,
    /// Where the answer is in it.
    pub place: GoldPlace,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoldPlace {
    /// Any part of it.
    Document,
    /// Its title, which comes with each of its passages.
    Title,
    /// These characters of its text.
    Text(std::ops::Range<usize>),
}

impl PassageSet {
    /// Reads a file, plain or gzip: PubMedQA's (a JSON object of questions by
    /// PMID) or a golden set of BioASQ (a JSON object a line). Of the latter only
    /// questions are taken whose batch begins with `batch`, and their documents.
    ///
    /// # Errors
    /// When it cannot be read or is in neither form, with the line.
    pub fn read(path: &Path, batch: &str) -> Result<Self> {
        let text = content(path)?;
        let first = text.lines().next().unwrap_or_default();
        let set = if bioasq::is_line(first) {
            bioasq::read(path, &text, batch)?
        } else {
            pubmedqa::read(path, &text)?
        };
        if set.questions.is_empty() {
            let what = format!("{}: there is no question in it", path.display());
            return Err(Error::new(ErrorKind::InvalidInput, what));
        }
        Ok(set)
    }

    /// Keeps so many questions, spread evenly over the set; the documents all
    /// stay.
    pub fn thin(&mut self, most: usize) {
        let count = self.questions.len();
        if most >= count {
            return;
        }
        let mut kept = Vec::with_capacity(most);
        for place in 0..most {
            kept.push(self.questions[place * count / most].clone());
        }
        self.questions = kept;
    }

    /// The documents as lines of JSON that are indexed as BEIR's.
    pub fn json_lines(&self) -> String {
        let one = |document: &GoldDocument| {
            let line = serde_json::json!({
                "_id": document.id, "title": document.title, "text": document.text,
            });
            format!("{line}\n")
        };
        self.documents.iter().map(one).collect()
    }
}

/// One space between words, none around them: as documents are indexed.
fn settled(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_spreads_over_the_set() {
        let question = |id: usize| GoldQuestion {
            id: id.to_string(),
            text: String::new(),
            gold: Vec::new(),
        };
        let mut set = PassageSet {
            name: "pubmedqa",
            documents: Vec::new(),
            questions: (0..10).map(question).collect(),
        };
        set.thin(3);
        let ids: Vec<&str> = set.questions.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["0", "3", "6"]);
        set.thin(5);
        assert_eq!(set.questions.len(), 3);
    }

    #[test]
    fn what_is_in_neither_form_is_refused_with_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.json");
        for text in ["", "[1]", "{}", "{\"1\": {\"QUESTION\": 5}}"] {
            std::fs::write(&path, text).unwrap();
            let error = PassageSet::read(&path, "").unwrap_err().to_string();
            assert!(error.contains("x.json"), "{error}");
        }
    }
}
