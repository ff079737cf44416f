//! What a stage's `objective` says of answers in passages.

use crate::config::StageConfig;
use crate::trainer::sentence::table;
use medsift::enrich::answer::SpanLengths;
use medsift::enrich::{SpanHeadConfig, check_head_name};
use medsift::{Error, Result};
use serde::Deserialize;

/// The table `objective` of a stage of kind `span`: for each window of a passage
/// behind its question, the cross-entropies of the answer's first and last token
/// (Devlin et al. 2019, section 4.2).
///
/// - **What it optimises.** With scores `s` for starts and `e` for ends over the
///   first token and the passage's pieces, and the answer from `i` to `j`:
///   `½ (−log softmax(s)_i − log softmax(e)_j)`. Where the answer is not wholly
///   in the window, or there is none, both are the first token (section 4.3,
///   SQuAD 2.0).
/// - **Inputs.** Questions with passages, in SQuAD's form
///   ([`crate::data::questions`]).
/// - **Requirements.** Room for the question and some of the passage in
///   `max_tokens`. To learn when to be silent it needs questions without an
///   answer: of the set, by its `negatives`, or windows of long passages.
/// - **Weights.** The loss is averaged over the windows of a batch by their
///   weights. A window with the answer weighs 1; those without, of one question,
///   weigh 1 together, so that a long passage is not mostly silence.
/// - **Related.** A stage of kind `text` with `text_pair` judges whole passages
///   by a question: yes, no or maybe.
///
/// ```toml
/// kind = "span"
/// objective = { name = "answers", max_question = 48 }
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpanObjective {
    /// Always `answers`.
    #[serde(default)]
    kind: Kind,
    /// What the head's folder is called.
    #[serde(default = "default_name")]
    pub(super) name: String,
    /// Tokens at which a question is cut.
    #[serde(default = "default_max_question")]
    max_question: usize,
    /// Most tokens of an answer that is found.
    #[serde(default = "default_max_answer")]
    pub(super) max_answer: usize,
    /// Tokens from the beginning of a window of a long passage to the next.
    #[serde(default = "default_stride")]
    doc_stride: usize,
}

/// The only kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Spans of passages.
    #[default]
    Answers,
}

fn default_name() -> String {
    "answers".to_owned()
}

fn default_max_question() -> usize {
    SpanHeadConfig::new(0, 0, String::new()).max_question
}

fn default_max_answer() -> usize {
    SpanHeadConfig::new(0, 0, String::new()).max_answer
}

fn default_stride() -> usize {
    SpanHeadConfig::new(0, 0, String::new()).stride
}

impl SpanObjective {
    /// Reads and checks the objective of a stage.
    ///
    /// # Errors
    /// When a key or a value does not fit.
    pub(super) fn of(stage: &StageConfig) -> Result<Self> {
        let objective: Self = table(stage, "objective", &stage.objective)?;
        // Not at the end of the run, when the head is written.
        check_head_name(&objective.name)?;
        let head = objective.head(0, 0, String::new());
        head.check().map_err(|error| {
            Error::invalid("objective", format!("stage `{}`: {error}", stage.name))
        })?;
        Ok(objective)
    }

    /// What is stored of it with the head.
    pub(super) fn head(&self, hidden: usize, max_tokens: usize, encoder: String) -> SpanHeadConfig {
        SpanHeadConfig {
            max_question: self.max_question,
            max_answer: self.max_answer,
            stride: self.doc_stride,
            ..SpanHeadConfig::new(hidden, max_tokens, encoder)
        }
    }

    /// By what questions and passages are cut.
    pub(super) fn lengths(&self, max_tokens: usize) -> SpanLengths {
        SpanLengths {
            max_tokens,
            max_question: self.max_question,
            stride: self.doc_stride,
        }
    }
}
