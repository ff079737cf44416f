//! Examples built from PubMed articles themselves.
//!
//! A [`Collection`] holds what is needed of the articles that the caller
//! reads; each builder makes examples of one kind from it, the same ones for
//! the same seed.

mod article_text;
mod citations;
mod collection;
mod draw;
mod lists;
mod mesh_graded;
mod mesh_labels;
mod mesh_tree;
mod queries;
mod sections;
mod spec;
#[cfg(test)]
mod tests;
mod title_abstract;

pub use article_text::ArticleText;
pub use citations::{CitationSettings, citations};
pub use collection::{Collection, Entry, Intake};
pub use draw::draw;
pub use lists::{ListSettings, list};
pub use mesh_graded::{MeshGradedSettings, mesh_graded};
pub use mesh_labels::{MeshLabels, MeshWeights};
pub use mesh_tree::MeshTree;
pub use queries::{PseudoQuery, QueryKind, QuerySettings, pseudo_queries, query_pairs};
pub use sections::{SectionSettings, sections};
pub use spec::{BuildSpec, Builder, BuiltFrom, BuiltSet};
pub use title_abstract::title_abstract;
