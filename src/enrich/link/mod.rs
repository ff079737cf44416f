//! Linking: which concept of MeSH a mention stands for.
//!
//! A [`Lexicon`] holds the names of a MeSH table by several forms, from strict
//! to loose ([`Grade`]). A [`Linker`] looks a mention up: by its own name, by
//! what the text explains it as ([`super::abbreviations`]), by what else the
//! text says, and at last, where [`NameVectors`] are there, by the nearest name
//! in the space of the model. The type of a mention says in which trees its
//! descriptor has to stand ([`ConceptKind`]).
//!
//! ```
//! use medsift::enrich::link::{ConceptKind, Document, Lexicon, Linker, Mention};
//! use medsift::mesh::{Descriptor, MeshTable};
//! use std::sync::Arc;
//!
//! let anemia = Descriptor {
//!     ui: "D000741".to_owned(),
//!     heading: "Anemia, Aplastic".to_owned(),
//!     tree_numbers: vec!["C15.378.071.085".to_owned()],
//!     entry_terms: Vec::new(),
//! };
//! let linker = Linker::new(Lexicon::new(Arc::new(MeshTable::new(vec![anemia]))));
//! let text = "Aplastic anaemia is rare.";
//! let mention = Mention { kind: ConceptKind::Disease, range: 0..16 };
//! let links = linker.link(&[Document { text, mentions: vec![mention] }])?;
//! assert_eq!(links[0][0].as_ref().unwrap().id, "MESH:D000741");
//! # Ok::<(), medsift::Error>(())
//! ```

mod aliases;
mod concept;
mod entities;
mod in_text;
mod kind;
mod lexicon;
mod linker;
mod modifiers;
mod normal;
mod rules;
mod short_forms;
#[cfg(test)]
pub(crate) mod tests;
mod vectors;
mod words;

pub use concept::{Evidence, Link, Method};
pub use entities::Part;
pub use in_text::Mention;
pub use kind::ConceptKind;
pub use lexicon::{Found, Lexicon};
pub use linker::{Document, Linker, NEAREST};
pub use normal::{Grade, normal_form};
pub use vectors::NameVectors;
