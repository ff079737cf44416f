//! Pairs of a title and its abstract.

use super::{ArticleText, Collection};
use crate::example::{Example, Label};

/// A pair for each article that has both: its title, and its abstract.
pub fn title_abstract(collection: &Collection) -> Vec<Example> {
    collection
        .entries
        .iter()
        .filter_map(|entry| {
            Some(Example {
                texts: vec![
                    ArticleText::Title.of(entry)?,
                    ArticleText::Abstract.of(entry)?,
                ],
                label: Label::None,
            })
        })
        .collect()
}
