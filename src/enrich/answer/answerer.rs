//! Reading the articles that a search found: within a time.

use super::reader::{Answer, AnswerReader};
use super::verdict::{Stance, VerdictReader};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Texts that go through the encoder together; between two such groups it is
/// seen whether time is left.
const TOGETHER: usize = 4;

/// How questions are answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AnswerSettings {
    /// The head that finds answers, where the model has one of this name.
    pub head: String,
    /// The head that judges questions of yes and no, where the model has one of
    /// this name.
    pub verdict_head: String,
    /// Milliseconds that the reading for one question may take. What is not read
    /// by then is left out, and the response says so.
    pub budget_ms: u64,
    /// Articles that are read for a question, the best of the search.
    pub articles: usize,
    /// Most answers in a response.
    pub answers: usize,
}

impl Default for AnswerSettings {
    fn default() -> Self {
        Self {
            head: "answers".to_owned(),
            verdict_head: "verdict".to_owned(),
            budget_ms: 4000,
            articles: 10,
            answers: 5,
        }
    }
}

impl AnswerSettings {
    /// Refuses settings with which nothing would be answered.
    ///
    /// # Errors
    /// When a value is 0.
    pub fn check(&self) -> Result<()> {
        for (field, value) in [
            ("search.answer.budget_ms", self.budget_ms),
            ("search.answer.articles", self.articles as u64),
            ("search.answer.answers", self.answers as u64),
        ] {
            if value == 0 {
                return Err(Error::invalid(
                    field,
                    format!("{field} is 0: use at least 1"),
                ));
            }
        }
        Ok(())
    }
}

/// Reads texts for questions.
pub struct Answerer {
    reader: AnswerReader,
    verdict: Option<VerdictReader>,
    settings: AnswerSettings,
    model: String,
}

/// What a text says to a question, with the head's probability of that; nothing
/// where it was not asked.
pub type Judged = Option<(Stance, f32)>;

/// What reading gave.
#[derive(Debug, Default)]
pub struct ReadTexts {
    /// For each text its answers above the threshold, best first; nothing where
    /// it was not read.
    pub answers: Vec<Option<Vec<Answer>>>,
    /// For each text what it says to the question, where that was asked.
    pub stances: Vec<Judged>,
    /// Why some texts were not read, where some were not.
    pub incomplete: Option<String>,
}

impl Answerer {
    /// Answers by a head for answers, and perhaps one for verdicts.
    pub fn new(
        reader: AnswerReader,
        verdict: Option<VerdictReader>,
        settings: &AnswerSettings,
    ) -> Self {
        Self {
            model: reader.encoder().fingerprint().to_string(),
            reader,
            verdict,
            settings: settings.clone(),
        }
    }

    /// How questions are answered.
    pub fn settings(&self) -> &AnswerSettings {
        &self.settings
    }

    /// The encoder, as its fingerprint has it.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Name of the head that finds answers.
    pub fn head(&self) -> &str {
        self.reader.head().name()
    }

    /// Name of the head for verdicts.
    pub fn verdict_head(&self) -> Option<&str> {
        self.verdict.as_ref().map(VerdictReader::head)
    }

    /// Reads texts for a question, each with up to `n` answers; with `judge`
    /// also what each says to it, where there is a head for that. Where time runs
    /// out or the model fails, the remaining texts are not read.
    pub fn read(&self, question: &str, texts: &[&str], n: usize, judge: bool) -> ReadTexts {
        let start = Instant::now();
        let budget = Duration::from_millis(self.settings.budget_ms);
        let mut found = ReadTexts::default();
        for group in texts.chunks(TOGETHER) {
            let done = found.answers.len();
            if start.elapsed() >= budget {
                found.incomplete = Some(format!(
                    "the time for reading, {} ms, was over before {} of {} articles",
                    self.settings.budget_ms,
                    texts.len() - done,
                    texts.len()
                ));
                break;
            }
            match self.read_group(question, group, n, judge) {
                Ok((answers, stances)) => {
                    found.answers.extend(answers.into_iter().map(Some));
                    found.stances.extend(stances);
                }
                Err(error) => {
                    tracing::warn!(%error, "articles are not read for an answer");
                    found.incomplete = Some(error.to_string());
                    break;
                }
            }
        }
        found.answers.resize(texts.len(), None);
        found.stances.resize(texts.len(), None);
        found
    }

    fn read_group(
        &self,
        question: &str,
        texts: &[&str],
        n: usize,
        judge: bool,
    ) -> Result<(Vec<Vec<Answer>>, Vec<Judged>)> {
        let pairs: Vec<(&str, &str)> = texts.iter().map(|text| (question, *text)).collect();
        let mut answers = self.reader.answers(&pairs, n)?;
        for own in &mut answers {
            own.retain(|answer| self.reader.is_answer(answer));
        }
        let stances = match &self.verdict {
            Some(verdict) if judge => {
                let judged = verdict.judge(question, texts)?.into_iter();
                judged.map(Some).collect()
            }
            _ => vec![None; texts.len()],
        };
        Ok((answers, stances))
    }
}
