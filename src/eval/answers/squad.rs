//! Questions in SQuAD's form.

use crate::error::{Error, ErrorKind, Result};
use crate::eval::sentence::content;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// A file of questions about passages, in the form of SQuAD 1.1 or 2.0. Keys
/// that it has beside these are passed over.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SquadFile {
    /// Its articles.
    #[serde(rename = "data")]
    pub articles: Vec<SquadArticle>,
}

/// An article.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SquadArticle {
    /// Its title, where it has one.
    #[serde(default)]
    pub title: Option<String>,
    /// All right answers to the one question of its passages, where it is a
    /// question of BioASQ with several snippets.
    #[serde(default)]
    pub gold_answers: Vec<String>,
    /// Its passages.
    #[serde(rename = "paragraphs")]
    pub passages: Vec<SquadPassage>,
}

/// A passage and the questions about it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SquadPassage {
    /// The text.
    pub context: String,
    /// Questions.
    #[serde(rename = "qas")]
    pub questions: Vec<SquadQuestion>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SquadQuestion {
    /// Its id.
    #[serde(deserialize_with = "text_or_number")]
    pub id: String,
    /// The question.
    pub question: String,
    /// Right answers, the same one perhaps several times; none where the
    /// passage has none.
    #[serde(default)]
    pub answers: Vec<GoldAnswer>,
    /// Whether the passage has no answer, in the form of SQuAD 2.0.
    #[serde(default)]
    pub is_impossible: bool,
}

/// A right answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct GoldAnswer {
    /// Its text.
    pub text: String,
    /// Its first character in the passage, counted from 0.
    pub answer_start: usize,
}

fn text_or_number<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<String, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    })
}

impl SquadFile {
    /// Reads a file, plain or gzip.
    ///
    /// # Errors
    /// When it cannot be read, is not of this form (with line and column), has
    /// no question, or an answer is not in the passage where it should be.
    pub fn read(path: &Path) -> Result<Self> {
        let text = content(path)?;
        let file: Self = serde_json::from_str(&text).map_err(|error| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("{}: not in SQuAD's form: {error}", path.display()),
            )
        })?;
        if file.questions().next().is_none() {
            let what = format!("{}: there is no question in it", path.display());
            return Err(Error::new(ErrorKind::InvalidInput, what));
        }
        for (passage, question) in file.questions() {
            question
                .check(&passage.context)
                .map_err(|what| Error::corrupt(path, what))?;
        }
        Ok(file)
    }

    /// Reads answers as SQuAD's scorer takes them: JSON with a text for each id of
    /// a question, plain or gzip.
    ///
    /// # Errors
    /// When it cannot be read or is not of this form.
    pub fn read_predictions(path: &Path) -> Result<HashMap<String, String>> {
        serde_json::from_str(&content(path)?).map_err(|error| {
            Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "{}: not an object with a text for each id: {error}",
                    path.display()
                ),
            )
        })
    }

    /// All questions with their passages, in order.
    pub fn questions(&self) -> impl Iterator<Item = (&SquadPassage, &SquadQuestion)> {
        let passages = self.articles.iter().flat_map(|article| &article.passages);
        passages.flat_map(|passage| passage.questions.iter().map(move |one| (passage, one)))
    }
}

impl SquadQuestion {
    /// The texts of the right answers; none where the passage has none.
    pub fn gold(&self) -> Vec<&str> {
        let answers = self.answers.iter().filter(|_| !self.is_impossible);
        answers.map(|answer| answer.text.as_str()).collect()
    }

    fn check(&self, context: &str) -> std::result::Result<(), String> {
        for answer in self.answers.iter().filter(|_| !self.is_impossible) {
            let rest = context.char_indices().nth(answer.answer_start);
            let rest = rest.map_or("", |(byte, _)| &context[byte..]);
            if answer.text.is_empty() || !rest.starts_with(&answer.text) {
                return Err(format!(
                    "question {}: the answer {:?} does not stand at character {} of its passage",
                    self.id, answer.text, answer.answer_start
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SquadFile> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("dev.json");
        std::fs::write(&path, text).unwrap();
        SquadFile::read(&path)
    }

    fn file(question: &str) -> String {
        format!(
            r#"{{"version":"1.1","data":[{{"title":"T","paragraphs":[{{"context":"Naïve T cells.",
                "qas":[{question}]}}]}}]}}"#
        )
    }

    #[test]
    fn both_forms_are_read() {
        let one = r#"{"id":7,"question":"Which?","answers":[{"text":"T cells","answer_start":6}]}"#;
        let two = r#"{"id":"b","question":"Who?","answers":[],"is_impossible":true,
                      "plausible_answers":[]}"#;
        let read = read(&file(&format!("{one},{two}"))).unwrap();
        let questions: Vec<_> = read.questions().map(|(_, one)| one).collect();
        assert_eq!((&questions[0].id[..], &questions[1].id[..]), ("7", "b"));
        assert_eq!(questions[0].gold(), ["T cells"]);
        assert!(questions[1].gold().is_empty());
        assert_eq!(read.articles[0].title.as_deref(), Some("T"));
    }

    #[test]
    fn faults_are_named() {
        let shifted =
            r#"{"id":"q7","question":"?","answers":[{"text":"T cells","answer_start":7}]}"#;
        for (text, part) in [
            (file(shifted), "question q7"),
            (file(""), "no question"),
            (file("{\"id\":1}"), "question"),
            ("{}".to_owned(), "line 1"),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(
                error.contains("dev.json") && error.contains(part),
                "{error}"
            );
        }
    }
}
