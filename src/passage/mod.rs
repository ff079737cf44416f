//! Passages: windows of an article's text that fit the encoder.
//!
//! An article that is longer than the encoder takes becomes several passages.
//! They are cut at sentence ends, each begins with the title, and together
//! they hold the whole text.

mod sentence;
mod split;
#[cfg(test)]
mod tests;

pub(crate) use sentence::sentence_ranges;
pub use sentence::{sentence_starts, sentences};
pub use split::split_passages;

use crate::Article;
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

/// The title, a space, and the whole running text as the one passage of an
/// article, for when passages are switched off. The encoder cuts it at its
/// limit. An article without any text has none.
pub fn whole_article(article: &Article) -> Vec<Passage> {
    let running = article.running_text().text;
    let text = join(article.display_title().plain.trim(), running.trim());
    let passage = Passage {
        ordinal: 0,
        range: 0..running.len() as u32,
        text,
    };
    (!passage.text.is_empty())
        .then_some(passage)
        .into_iter()
        .collect()
}

/// Title and text with a space between them, where there are both.
fn join(title: &str, text: &str) -> String {
    match (title.is_empty(), text.is_empty()) {
        (true, _) => text.to_owned(),
        (_, true) => title.to_owned(),
        _ => format!("{title} {text}"),
    }
}
