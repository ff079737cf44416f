//! What linking gives.

use serde::{Deserialize, Serialize};

/// By what a mention was linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The mention is a name, but for case and signs.
    Exact,
    /// It becomes one by rules of spelling, number, order and derivation.
    Normalised,
    /// The text explains it as short for something that is one.
    Abbreviation,
    /// No rule leads to a name; one is near in the space of the model.
    Nearest,
}

/// How a link was made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// By what.
    pub method: Method,
    /// From 0 to 1: fixed numbers for the steps of rules, the cosine for the
    /// nearest name. No probability.
    pub score: f32,
}

/// The concept that a mention stands for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Vocabulary and identifier: `MESH:D003924`.
    pub id: String,
    /// The descriptor's heading.
    #[serde(rename = "concept")]
    pub name: String,
    /// How it was found.
    #[serde(rename = "link")]
    pub evidence: Evidence,
}
