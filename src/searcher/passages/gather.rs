//! The passages that compete: those of the best articles, with their vectors.

use super::diversity::dot;
use crate::article::{Article, RunningText, citation};
use crate::error::Result;
use crate::fusion::Fused;
use crate::keyword::Highlighter;
use crate::query::{Mode, Query};
use crate::searcher::{AnswerField, Searcher};
use std::collections::HashSet;
use std::ops::Range;

/// An article of which passages compete.
pub(super) struct Source {
    /// Its place in the list.
    pub(super) fused: Fused,
    /// Its relevance in the list, 0 to 1.
    pub(super) relevance: f32,
    pub(super) article: Article,
    pub(super) title: String,
    pub(super) running: RunningText,
    pub(super) citation: String,
}

/// A passage that competes.
pub(super) struct Row<'a> {
    /// Its article, among the sources.
    pub(super) source: usize,
    pub(super) field: AnswerField,
    /// Bytes of that field.
    pub(super) range: Range<usize>,
    pub(super) vector: &'a [f32],
    /// Cosine with the question, where the question has a vector.
    pub(super) similarity: Option<f32>,
    /// 0 to 1: that of its article, less what better passages of it have more.
    pub(super) relevance: f32,
}

impl Source {
    /// The text that a passage lies in.
    pub(super) fn text(&self, field: AnswerField) -> &str {
        match field {
            AnswerField::Title => &self.title,
            AnswerField::Text => &self.running.text,
        }
    }
}

impl Searcher {
    /// Fetches articles of a list, best first.
    pub(super) fn sources(&self, ranked: &[Fused]) -> Result<Vec<Source>> {
        let lowest = ranked.last().map_or(0.0, |last| last.score);
        let width = ranked.first().map_or(0.0, |first| first.score) - lowest;
        let fetch = |fused: &Fused| {
            let article = self.stored(fused.key)?.article;
            Ok(Source {
                fused: *fused,
                // Scores of different modes have different scales.
                relevance: match width > 0.0 {
                    true => (fused.score - lowest) / width,
                    false => 1.0,
                },
                title: article.display_title().plain.clone(),
                running: article.running_text(),
                citation: citation::plain(&article),
                article,
            })
        };
        ranked.iter().map(fetch).collect()
    }

    /// Their passages, in the order of the list, each article's in its own.
    pub(super) fn gather(
        &self,
        query: &Query,
        sources: &[Source],
        question: Option<&[f32]>,
    ) -> Vec<Row<'_>> {
        let mut words = match query.mode() {
            Mode::Semantic => None,
            Mode::Keyword | Mode::Hybrid => Some(Highlighter::new(query.words())),
        };
        let mut rows = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            let mut own = self.rows_of(number, source, question);
            weigh(&mut own, source, words.as_mut());
            rows.append(&mut own);
        }
        rows
    }

    fn rows_of(&self, number: usize, source: &Source, question: Option<&[f32]>) -> Vec<Row<'_>> {
        let text = &source.running.text;
        let only_title = text.trim().is_empty();
        let mut rows: Vec<Row<'_>> = Vec::new();
        for segment in self.vectors().segments() {
            for row in segment.article_passages(source.fused.key) {
                let passage = segment.passage(row);
                let similarity = question.map(|question| dot(question, passage.vector));
                let (field, range) = if only_title {
                    (AnswerField::Title, 0..source.title.len())
                } else {
                    let start = text.floor_char_boundary(passage.range.start as usize);
                    let end = text.floor_char_boundary(passage.range.end as usize);
                    (AnswerField::Text, start..end)
                };
                // A passage of a title beside a text: the title is given anyhow.
                if range.is_empty() {
                    continue;
                }
                rows.push(Row {
                    source: number,
                    field,
                    range,
                    vector: passage.vector,
                    similarity,
                    relevance: source.relevance,
                });
            }
        }
        if only_title {
            // Windows of a long title: the title counts once.
            rows.sort_by(|a, b| {
                b.similarity
                    .unwrap_or(0.0)
                    .total_cmp(&a.similarity.unwrap_or(0.0))
            });
            rows.truncate(1);
        }
        rows
    }
}

/// Lessens the relevance of passages by how far they are behind the best of
/// their article: in cosine, in words of the question, or the mean of the two.
fn weigh(rows: &mut [Row<'_>], source: &Source, words: Option<&mut Highlighter>) {
    if rows.len() < 2 {
        return;
    }
    let cosines: Vec<f32> = rows.iter().filter_map(|row| row.similarity).collect();
    let nearest = cosines.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let held = words.map(|words| words_of(rows, source, words));
    let most = held.iter().flatten().copied().max().unwrap_or(0);
    for (at, row) in rows.iter_mut().enumerate() {
        let by_meaning = row
            .similarity
            .map(|own| (1.0 - (nearest - own)).clamp(0.0, 1.0));
        let by_words = match &held {
            Some(held) if most > 0 => Some(held[at] as f32 / most as f32),
            _ => None,
        };
        row.relevance *= match (by_meaning, by_words) {
            (Some(meaning), Some(words)) => f32::midpoint(meaning, words),
            (one, other) => one.or(other).unwrap_or(1.0),
        };
    }
}

/// How many different words of the question stand in each passage.
fn words_of(rows: &[Row<'_>], source: &Source, words: &mut Highlighter) -> Vec<usize> {
    let text = &source.running.text;
    let marks = words.ranges(text);
    let one = |row: &Row<'_>| {
        let inside =
            |mark: &&Range<usize>| row.range.start <= mark.start && mark.end <= row.range.end;
        let different: HashSet<String> = marks
            .iter()
            .filter(inside)
            .map(|mark| text[mark.clone()].to_lowercase())
            .collect();
        different.len()
    };
    rows.iter().map(one).collect()
}
