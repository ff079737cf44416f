//! What the tools give: less than the API, since an assistant pays for every
//! word that it reads.

use medsift::article::ArticleId;
use medsift::query::Cursor;
use medsift::searcher::{Hit, SearchResponse, SimilarResponse};
use serde::Serialize;

/// Characters of an abstract in a list; `get_article` has all of it.
const SHOWN: usize = 1200;

/// A page of hits.
#[derive(Debug, Serialize)]
pub(crate) struct Listed<'a> {
    /// How a query of PubMed's language was understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    translation: Option<&'a str>,
    hits: Vec<ListedHit<'a>>,
    /// Whether more articles match.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<&'a Cursor>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
}

#[derive(Debug, Serialize)]
struct ListedHit<'a> {
    id: &'a ArticleId,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    year: Option<i32>,
    /// At most three, then `et al.`
    authors: Vec<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    publication_types: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    doi: Option<&'a str>,
    retracted: bool,
    text: &'a str,
    /// Whether `text` is only the beginning.
    text_continues: bool,
    score: f32,
}

impl<'a> Listed<'a> {
    /// Of a search.
    pub(crate) fn found(response: &'a SearchResponse) -> Self {
        let translation = response.translation.as_ref();
        let selecting = translation.filter(|translation| translation.selects());
        Self {
            translation: selecting.map(|translation| translation.query.as_str()),
            hits: response.hits.iter().map(ListedHit::of).collect(),
            next_cursor: response.next_cursor.as_ref(),
            warnings: &response.warnings,
        }
    }

    /// Of the articles nearest to one.
    pub(crate) fn similar(response: &'a SimilarResponse) -> Self {
        Self {
            translation: None,
            hits: response.hits.iter().map(ListedHit::of).collect(),
            next_cursor: None,
            warnings: &response.warnings,
        }
    }
}

impl<'a> ListedHit<'a> {
    fn of(hit: &'a Hit) -> Self {
        let mut authors: Vec<&str> = hit.authors.iter().take(3).map(String::as_str).collect();
        if hit.authors.len() > authors.len() {
            authors.push("et al.");
        }
        let text = beginning(&hit.text);
        Self {
            id: &hit.id,
            title: &hit.title,
            journal: hit.journal.as_deref(),
            year: hit.year,
            authors,
            publication_types: &hit.publication_types,
            doi: hit.doi.as_deref(),
            retracted: hit.retracted,
            text,
            text_continues: text.len() < hit.text.len(),
            score: hit.score,
        }
    }
}

/// As many whole words as [`SHOWN`] characters hold.
fn beginning(text: &str) -> &str {
    let Some((end, _)) = text.char_indices().nth(SHOWN) else {
        return text;
    };
    let cut = &text[..end];
    cut.rfind(char::is_whitespace)
        .map_or(cut, |space| cut[..space].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_behind_a_word() {
        assert_eq!(beginning("short"), "short");
        let long = "naïve patients ".repeat(200);
        let shown = beginning(&long);
        assert!(shown.chars().count() <= SHOWN);
        assert!(shown.ends_with("patients") || shown.ends_with("naïve"));
        assert!(long.starts_with(shown));
        let unbroken = "x".repeat(SHOWN + 5);
        assert_eq!(beginning(&unbroken).len(), SHOWN);
    }
}
