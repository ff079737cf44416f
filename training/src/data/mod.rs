//! Training data: from files and articles to examples, batches and masked
//! sequences.
//!
//! A [`DataSpec`] of a configuration becomes a [`DataSet`] of examples
//! ([`load`]); [`build`] makes examples from PubMed articles; [`Sampler`]
//! puts the examples of one or several sets into batches, the same ones
//! whenever a run is repeated or resumed; [`buckets`] cuts a batch's texts into
//! micro-batches of like lengths; [`corpus`] streams documents for masked
//! language modelling; [`tagged`] reads sentences with a tag for each word,
//! [`labelled`] texts with a label, [`questions`] questions about passages.
//!
//! Nothing of the sets for measuring comes through here
//! ([`refuse_evaluation_set`], [`Exclusions`]).

mod buckets;
pub mod build;
pub mod corpus;
mod exclude;
mod files;
mod format;
mod guard;
pub mod labelled;
mod lines;
mod load;
mod metadata;
pub mod questions;
mod random;
mod record;
mod report;
mod sampler;
mod spec;
pub mod tagged;
mod text_key;
mod write;

#[cfg(test)]
mod tests;

pub use buckets::buckets;
pub use exclude::Exclusions;
pub use guard::refuse_evaluation_set;
pub use load::{DataSet, Purpose, load, load_for};
pub use report::{Skipped, SourceFile};
pub use sampler::{Batch, Mix, Sampler, SamplerSettings};
pub use spec::{DataSpec, Faults, Format};
pub use write::write_examples;
