//! Measuring: retrieval, and the embeddings of sentences.
//!
//! Retrieval has judgements, runs, metrics and BEIR folders. The metrics follow
//! trec_eval's definitions, ties included, so that a run written by
//! [`Run::write_trec`] scores the same there.
//!
//! Embeddings are measured on pairs that people scored ([`StsScores`]), on
//! pairs with classes ([`NliScores`]) and on triplets ([`TripletScores`]).

pub mod beir;
pub mod correlation;
mod metrics;
mod qrels;
mod run;
pub mod sentence;

pub use sentence::{
    NLI_CLASSES, NliPair, NliScores, PairClassifier, ScoredPair, StsScores, Triplet, TripletScores,
};

pub use metrics::{RetrievalScores, score_query};
pub use qrels::Qrels;
pub use run::Run;
