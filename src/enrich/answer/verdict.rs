//! What abstracts say to a question that is answered by yes or no.

use crate::encoder::Encoder;
use crate::enrich::{Classified, TextClassifier};
use crate::error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// What a text says to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stance {
    /// It supports it.
    Yes,
    /// It opposes it.
    No,
    /// It does not decide it.
    Maybe,
}

/// Judges texts by a question.
#[derive(Debug, Clone)]
pub struct VerdictReader {
    classifier: TextClassifier,
    /// What each label of the head stands for.
    stances: Vec<Stance>,
}

impl VerdictReader {
    /// Takes a head out of the directory that the encoder was opened from: one
    /// that reads pairs of texts, with the labels `yes`, `no` and perhaps
    /// `maybe`.
    ///
    /// # Errors
    /// As [`TextClassifier::open`], and when the head reads single texts or has
    /// other labels.
    pub fn open(encoder: Arc<Encoder>, model: &Path, name: Option<&str>) -> Result<Self> {
        let classifier = TextClassifier::open(encoder, model, name)?;
        let head = classifier.head();
        let unfit = |what: String| {
            let name = head.name();
            Error::new(
                ErrorKind::Incompatible,
                format!("the head {name} is for no verdicts: {what}"),
            )
        };
        if !head.config().text_pair {
            return Err(unfit(
                "it reads single texts, not a question with a text".to_owned(),
            ));
        }
        let stance = |label: &String| match label.as_str() {
            "yes" => Ok(Stance::Yes),
            "no" => Ok(Stance::No),
            "maybe" => Ok(Stance::Maybe),
            other => Err(unfit(format!(
                "its label {other} is none of yes, no and maybe"
            ))),
        };
        let stances = head
            .labels()
            .iter()
            .map(stance)
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            classifier,
            stances,
        })
    }

    /// The head's name.
    pub fn head(&self) -> &str {
        self.classifier.head().name()
    }

    /// What each text says to the question, with the probability that the head
    /// gives it; it is no calibrated probability.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn judge<S: AsRef<str> + Sync>(
        &self,
        question: &str,
        texts: &[S],
    ) -> Result<Vec<(Stance, f32)>> {
        let pairs: Vec<(&str, &str)> = texts.iter().map(|text| (question, text.as_ref())).collect();
        let judged = self.classifier.classify_pairs(&pairs)?.into_iter();
        let stance = |one: &Classified| {
            let labels = self.classifier.head().labels();
            let place = labels.iter().position(|label| *label == one.label);
            self.stances[place.unwrap_or(0)]
        };
        Ok(judged.map(|one| (stance(&one), one.score)).collect())
    }
}

/// Whether a question is answered by yes or no: it begins with an auxiliary verb
/// (`Is`, `Does`, `Can`) and offers no choice (`or`).
pub fn is_yes_no_question(question: &str) -> bool {
    const VERBS: [&str; 22] = [
        "is", "are", "was", "were", "am", "do", "does", "did", "can", "could", "will", "would",
        "shall", "should", "may", "might", "must", "has", "have", "had", "isn't", "doesn't",
    ];
    let lower = question.to_lowercase();
    let mut words = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '-')))
        .filter(|word| !word.is_empty());
    let first = words.next();
    first.is_some_and(|word| VERBS.contains(&word)) && words.all(|word| word != "or")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_of_yes_and_no_begin_with_a_verb() {
        for question in [
            "Is metformin safe in pregnancy?",
            "  do mitochondria play a role in remodelling",
            "Can vitamin D prevent falls?",
        ] {
            assert!(is_yes_no_question(question), "{question}");
        }
        for question in [
            "Which drug is it?",
            "Is it aspirin or ibuprofen?",
            "statins and muscle pain",
            "Isoniazid resistance",
            "",
        ] {
            assert!(!is_yes_no_question(question), "{question}");
        }
    }
}
