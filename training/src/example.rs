//! What a sentence objective learns from.

use std::sync::Arc;

/// One training example: its texts in the order of the objective's columns
/// (anchor, positive, negative …), and what is known about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// One text for each column.
    pub texts: Vec<Arc<str>>,
    /// The supervision.
    pub label: Label,
}

/// The supervision of one example.
#[derive(Debug, Clone, PartialEq)]
pub enum Label {
    /// The order of the columns says everything.
    None,
    /// A class, counted from 0.
    Class(u32),
    /// A number for the pair; its range is the objective's.
    Score(f32),
    /// A number for each column behind the first.
    Scores(Vec<f32>),
}
