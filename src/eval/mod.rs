//! Measuring retrieval: judgements, runs, metrics and BEIR folders.
//!
//! The metrics follow trec_eval's definitions, ties included, so that a run
//! written by [`Run::write_trec`] scores the same there.

pub mod beir;
mod metrics;
mod qrels;
mod run;

pub use metrics::{RetrievalScores, score_query};
pub use qrels::Qrels;
pub use run::Run;
