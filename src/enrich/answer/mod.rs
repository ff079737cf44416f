//! Answers to questions, out of passages.
//!
//! A [`SpanHead`](super::SpanHead) gives each token of a passage, read behind
//! the question, a score as the first and one as the last of the answer, and
//! the first token of all those of no answer (Devlin et al. 2019, sections 4.2
//! and 4.3). [`AnswerReader`] runs it; its parts are functions of their own, and
//! training uses the same ones: [`PairReader`] puts question and passage into
//! windows, [`best_spans`] finds the spans.
//!
//! [`VerdictReader`] says whether a text supports a question of yes and no.
//! [`Answerer`] reads the articles of a search with both.

mod answerer;
mod decode;
mod reader;
mod verdict;
mod windows;

pub use answerer::{AnswerSettings, Answerer, Judged, ReadTexts};
pub use decode::{Borders, PieceSpan, WindowScores, best_spans};
pub use reader::{Answer, AnswerReader};
pub use verdict::{Stance, VerdictReader, is_yes_no_question};
pub use windows::{PairReader, ReadPassage, SpanLengths, SpanWindow};
