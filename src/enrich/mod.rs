//! Named entities in texts, labels of texts, and relations of entities.
//!
//! A [`TokenHead`] gives each word of a sentence a tag, from the state that
//! the encoder has for the word's first piece; [`Tagger`] runs both. The parts
//! are functions of their own: [`words`] cuts a text into words, [`Reader`]
//! puts them into windows that the encoder reads, [`best_tags`] finds the most
//! probable tags that follow the rules, [`spans`] the entities that they name.
//! Training uses the same ones. [`TypeMap`] says what the types of a corpus
//! are to those of a tagger. [`abbreviations`] finds short forms with their
//! long forms, [`link`] the concepts of MeSH that mentions stand for.
//! [`Enricher`] runs a tagger over the hits of a search, and [`exchange`] writes
//! what was found in the formats of the field.
//!
//! A [`TextHead`] gives a whole text a label, from the state of its first token
//! or the mean of all; [`TextClassifier`] runs it. [`RelationFinder`] asks such
//! a head about each pair of entities of a sentence, masked as in training.
//!
//! Offsets are characters of the text as it was given, and `text[start..end]`
//! is the mention, always.
//!
//! ```no_run
//! use medsift::encoder::{Encoder, EncoderOptions};
//! use medsift::enrich::Tagger;
//! use std::{path::Path, sync::Arc};
//!
//! let model = Path::new("runs/ner/model");
//! let encoder = Arc::new(Encoder::open(model, EncoderOptions::default())?);
//! let tagger = Tagger::open(encoder, model, None)?;
//! for entity in &tagger.annotate(&["Statins may cause myopathy."])?[0] {
//!     println!("{} {}..{} {}", entity.kind, entity.start, entity.end, entity.text);
//! }
//! # Ok::<(), medsift::Error>(())
//! ```

mod abbreviation;
pub mod answer;
mod article;
mod classifier;
mod counts;
mod decode;
mod enricher;
mod entity;
pub mod exchange;
mod head;
pub mod link;
mod lookup;
mod reading;
mod recipe;
mod relation;
mod tagger;
mod tags;
#[cfg(test)]
pub(crate) mod tests;
mod type_map;
mod windows;
mod words;

pub use abbreviation::{Abbreviation, abbreviations};
pub use answer::{Answer, AnswerReader};
pub use article::{ArticleEntities, ArticleFindings, ArticleRelations, Told, texts_of};
pub use classifier::{Classified, TextClassifier};
pub use counts::EnrichmentCounts;
pub use decode::{Span, best_tags, log_softmax, spans};
pub use enricher::{EnrichSettings, Enricher, EnrichmentReport};
pub use entity::Entity;
pub use head::{
    PairRule, SpanHead, SpanHeadConfig, TextHead, TextHeadConfig, TextPooling, TokenHead,
    TokenHeadConfig, check_head_name,
};
pub use lookup::{CountedEntity, LookupValues, relation_fault, relation_value};
pub use reading::{Reader, Reading};
pub use recipe::{Recipe, RecipeHead};
pub use relation::{Candidate, Evidence, Relation, RelationFinder, candidates};
pub use tagger::Tagger;
pub use tags::TagSet;
pub use type_map::TypeMap;
pub use windows::{Window, windows};
pub use words::words;
