//! Which text of an article an example holds.

use super::Entry;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which text of an article stands in an example.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArticleText {
    /// The title.
    Title,
    /// The abstract.
    Abstract,
    /// The title, a space, and the abstract: what is embedded for a search.
    #[default]
    TitleAndAbstract,
}

impl ArticleText {
    /// The text; `None` where a part of it is missing.
    pub fn of(self, entry: &Entry) -> Option<Arc<str>> {
        let (title, text) = (&entry.title, &entry.abstract_text);
        match self {
            Self::Title => (!title.is_empty()).then(|| Arc::clone(title)),
            Self::Abstract => (!text.is_empty()).then(|| Arc::clone(text)),
            Self::TitleAndAbstract => {
                (!title.is_empty() && !text.is_empty()).then(|| format!("{title} {text}").into())
            }
        }
    }
}
