//! Measuring: retrieval, and the embeddings of sentences.
//!
//! Retrieval has judgements, runs, metrics and BEIR folders. The metrics follow
//! trec_eval's definitions, ties included, so that a run written by
//! [`Run::write_trec`] scores the same there.
//!
//! Embeddings are measured on pairs that people scored ([`StsScores`]), on
//! pairs with classes ([`NliScores`]) and on triplets ([`TripletScores`]).
//!
//! Named entities are measured as whole entities ([`EntityScores`]), on
//! sentences with a tag for each word ([`TaggedSentence`]). Labels of texts are
//! measured by accuracy, F1 and the area under the ROC curve ([`LabelScores`]),
//! on tables of texts ([`LabelledTable`]); relations by document
//! ([`RelationScores`]). Concepts of mentions are measured on
//! annotated documents with identifiers ([`LinkingScores`]). Answers to questions are
//! measured by exact match and F1 ([`AnswerScores`]), and by rank
//! ([`RankScores`]), on files in SQuAD's form ([`SquadFile`]).

pub mod answers;
pub mod beir;
pub mod correlation;
pub mod entities;
mod keyed;
mod labelled;
pub mod labels;
pub mod linking;
mod metrics;
pub mod passages;
mod qrels;
mod queries;
pub mod relations;
mod run;
pub mod sentence;
mod tagged;

pub use sentence::{
    NLI_CLASSES, NliPair, NliScores, PairClassifier, ScoredPair, StsScores, Triplet, TripletScores,
};

pub use answers::{AnswerCounter, AnswerScores, RankCounter, RankScores, SquadFile, Threshold};
pub use entities::{Counting, EntityCounter, EntityScore, EntityScores};
pub use keyed::read_ids;
pub use labelled::{Cell, Column, LabelledTable, LabelledText, LabelledTexts};
pub use labels::{LabelCounter, LabelMap, LabelScore, LabelScores};
pub use linking::{LinkCount, LinkingScores};
pub use metrics::{RetrievalScores, score_query};
pub use qrels::Qrels;
pub use queries::{CollectionQuery, read_queries};
pub use relations::{RelatedDocument, RelationCounter, RelationScores};
pub use run::Run;
pub use tagged::TaggedSentence;
