//! What is given for a question.

use super::choose::{Count, Taken};
use super::gather::Source;
use crate::article::ArticleId;
use crate::error::Result;
use crate::fusion::{Fusion, SideRank};
use crate::query::{Filter, Mode};
use crate::searcher::AnswerField;
use crate::searcher::page::container_title;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// The passages for a question.
#[derive(Debug, Clone, Serialize)]
pub struct PassagesResponse {
    /// The question.
    pub question: String,
    /// Which sides found articles.
    pub mode: Mode,
    /// The filter that every article passes.
    #[serde(skip_serializing_if = "Filter::is_empty")]
    pub filter: Filter,
    /// How the sides were fused, in hybrid mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fusion: Option<Fusion>,
    /// Tokens that there was room for.
    pub budget: usize,
    /// Tokens of all passages.
    pub tokens: usize,
    /// Tokens of the citations, that of an article once.
    pub citation_tokens: usize,
    /// Whether the citations are within the budget too.
    pub citations_counted: bool,
    /// Whose tokenizer counted: the model of the index.
    pub tokenizer: String,
    /// Weight of being different, the `1 − λ` of maximal marginal relevance.
    pub diversity: f32,
    /// In the order in which they were taken, the best first.
    pub passages: Vec<RetrievedPassage>,
    /// Passages that competed.
    pub candidates: usize,
    /// Passages that were too large for what was left of the budget.
    pub passed_over: usize,
    /// What the user should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Which model embedded question and passages.
    pub model: String,
    /// Which committed state answered.
    pub generation: u64,
    /// Where the time went.
    pub took: PassagesTook,
}

/// Milliseconds spent on passages.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct PassagesTook {
    /// All of it.
    pub total_ms: f64,
    /// Finding articles.
    pub search_ms: f64,
    /// Fetching them and choosing passages.
    pub choose_ms: f64,
}

/// A passage, and where it stands.
#[derive(Debug, Clone, Serialize)]
pub struct RetrievedPassage {
    /// Place among the passages, from 1.
    pub rank: usize,
    /// Number of the article among those cited, from 1: passages of one article
    /// share it.
    pub source: usize,
    /// The article.
    pub id: ArticleId,
    /// Its title.
    pub title: String,
    /// Which of its texts the passage stands in.
    pub field: AnswerField,
    /// First character in this text.
    pub start: usize,
    /// Character after the last.
    pub end: usize,
    /// The text between the two.
    pub text: String,
    /// Labels of the sections that the passage stands in, in reading order; none
    /// where the abstract has no labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// Year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
    /// Abbreviated title of the journal, or the book's title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    /// Whether the article is retracted.
    pub retracted: bool,
    /// The article's score in the list; comparable within one response.
    pub score: f32,
    /// Cosine of the question and the passage, where meaning was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f32>,
    /// The article's rank and BM25 score on the keyword side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyword: Option<SideRank>,
    /// The article's rank and cosine on the semantic side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic: Option<SideRank>,
    /// Tokens of the text, without special tokens.
    pub tokens: usize,
    /// Whether sentences at the end were left out to keep to the budget.
    pub cut: bool,
    /// A reference in the manner of NLM's *Citing Medicine*.
    pub citation: String,
    /// Tokens of the citation.
    pub citation_tokens: usize,
}

/// Describes what was taken.
pub(super) fn passages(
    sources: &[Source],
    taken: &[Taken],
    count: Count<'_>,
) -> Result<Vec<RetrievedPassage>> {
    let mut cited: Vec<usize> = Vec::new();
    let mut described = Vec::with_capacity(taken.len());
    for (place, one) in taken.iter().enumerate() {
        let number = cited.iter().position(|&source| source == one.source);
        let number = number.unwrap_or_else(|| {
            cited.push(one.source);
            cited.len() - 1
        });
        let source = &sources[one.source];
        let whole = source.text(one.field);
        let text = &whole[one.range.clone()];
        let start = whole[..one.range.start].chars().count();
        described.push(RetrievedPassage {
            rank: place + 1,
            source: number + 1,
            id: source.article.id.clone(),
            title: source.title.clone(),
            field: one.field,
            start,
            end: start + text.chars().count(),
            text: text.to_owned(),
            sections: match one.field {
                AnswerField::Title => Vec::new(),
                AnswerField::Text => labels(source, &one.range),
            },
            year: source.article.year(),
            journal: container_title(&source.article),
            retracted: source.article.is_retracted(),
            score: source.fused.score,
            similarity: one.similarity,
            keyword: source.fused.keyword,
            semantic: source.fused.semantic,
            tokens: one.tokens,
            cut: one.cut,
            citation: source.citation.clone(),
            citation_tokens: count(&source.citation)?,
        });
    }
    Ok(described)
}

/// Tokens of the citations, that of an article once.
pub(super) fn citation_tokens(passages: &[RetrievedPassage]) -> usize {
    let each: BTreeMap<usize, usize> = passages
        .iter()
        .map(|passage| (passage.source, passage.citation_tokens))
        .collect();
    each.values().sum()
}

/// Labels of the sections that a range lies in.
fn labels(source: &Source, range: &Range<usize>) -> Vec<String> {
    let (head, _) = source.article.display_abstract();
    // As the running text has them: sections without text have no range.
    let sections = head.iter().chain(&source.article.body);
    let sections = sections.filter(|section| !section.text.is_empty());
    let mut labels: Vec<String> = Vec::new();
    for (section, place) in sections.zip(&source.running.sections) {
        let inside = place.start < range.end && range.start < place.end;
        if let Some(label) = section
            .label
            .as_ref()
            .filter(|label| inside && !label.is_empty())
            && labels.last() != Some(label)
        {
            labels.push(label.clone());
        }
    }
    labels
}
