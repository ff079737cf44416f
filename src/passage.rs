//! Passages: windows of an article's text that fit the encoder.

use std::ops::Range;

/// What is embedded as one vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Place among the article's passages, from 0.
    pub ordinal: u32,
    /// Byte range in the article's running text
    /// ([`crate::article::RunningText`]); empty when only the title is there.
    pub range: Range<u32>,
    /// The title, a space, and the text of the range.
    pub text: String,
}
