//! Answers to questions: exact match and F1 as SQuAD has them, accuracy and
//! reciprocal rank as BioASQ has them.
//!
//! SQuAD's numbers are those of its official scorers (Rajpurkar et al. 2016 and
//! 2018): answers are compared without articles, punctuation, case and white
//! space, and of several right answers the best counts. BioASQ looks at up to
//! five answers in their order (Tsatsaronis et al. 2015).

mod bioasq;
mod normalise;
mod scores;
mod squad;

pub use bioasq::{RankCounter, RankScores};
pub use normalise::{answer_f1, exact_match, normalise_answer};
pub use scores::{AnswerCounter, AnswerScores, Threshold};
pub use squad::{GoldAnswer, SquadArticle, SquadFile, SquadPassage, SquadQuestion};
