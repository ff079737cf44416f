//! How much of what answers is among the passages.

use super::{GoldPlace, GoldQuestion};
use crate::searcher::{AnswerField, RetrievedPassage};
use serde::Serialize;
use std::collections::BTreeSet;

/// Means over the questions of a set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct PassageScores {
    /// Questions.
    pub questions: usize,
    /// Share of the questions of which a gold document has a passage.
    pub document: f64,
    /// Mean share of a question's gold documents that have one.
    pub document_recall: f64,
    /// Share of the questions of which a gold snippet is there as a whole, where
    /// the set has snippets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<f64>,
    /// Mean share of a question's gold snippets that are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet_recall: Option<f64>,
    /// Mean number of passages.
    pub passages: f64,
    /// Mean number of tokens.
    pub tokens: f64,
}

/// Adds up what is found for each question.
#[derive(Debug, Clone, Default)]
pub struct PassageCounter {
    questions: usize,
    with_snippets: bool,
    document: usize,
    document_recall: f64,
    snippet: usize,
    snippet_recall: f64,
    passages: usize,
    tokens: usize,
}

impl PassageCounter {
    /// Counts the passages of a question. A snippet is there when passages of
    /// its document hold all of its characters; one of a title when its document
    /// has a passage, since the title comes with it.
    pub fn add(&mut self, question: &GoldQuestion, passages: &[RetrievedPassage]) {
        let has = |document: &str| passages.iter().any(|one| one.id.as_str() == document);
        let documents: BTreeSet<&str> = question
            .gold
            .iter()
            .map(|gold| gold.document.as_str())
            .collect();
        let with = documents.iter().filter(|document| has(document)).count();
        let is_there = |(document, place): (&str, &GoldPlace)| match place {
            GoldPlace::Document | GoldPlace::Title => has(document),
            GoldPlace::Text(range) => range.clone().all(|character| {
                passages.iter().any(|one| {
                    one.id.as_str() == document
                        && one.field == AnswerField::Text
                        && (one.start..one.end).contains(&character)
                })
            }),
        };
        let golds = question
            .gold
            .iter()
            .map(|gold| (gold.document.as_str(), &gold.place));
        let found = golds.filter(|gold| is_there(*gold)).count();
        self.questions += 1;
        self.with_snippets |= question
            .gold
            .iter()
            .any(|gold| gold.place != GoldPlace::Document);
        self.document += usize::from(with > 0);
        self.document_recall += with as f64 / documents.len().max(1) as f64;
        self.snippet += usize::from(found > 0);
        self.snippet_recall += found as f64 / question.gold.len().max(1) as f64;
        self.passages += passages.len();
        self.tokens += passages.iter().map(|one| one.tokens).sum::<usize>();
    }

    /// The means.
    pub fn scores(&self) -> PassageScores {
        let mean = |sum: f64| sum / self.questions.max(1) as f64;
        PassageScores {
            questions: self.questions,
            document: mean(self.document as f64),
            document_recall: mean(self.document_recall),
            snippet: self.with_snippets.then(|| mean(self.snippet as f64)),
            snippet_recall: self.with_snippets.then(|| mean(self.snippet_recall)),
            passages: mean(self.passages as f64),
            tokens: mean(self.tokens as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArticleId;
    use crate::eval::passages::Gold;

    fn passage(id: &str, start: usize, end: usize) -> RetrievedPassage {
        RetrievedPassage {
            rank: 1,
            source: 1,
            id: ArticleId::new(id).unwrap(),
            title: String::new(),
            field: AnswerField::Text,
            start,
            end,
            text: String::new(),
            sections: Vec::new(),
            year: None,
            journal: None,
            retracted: false,
            score: 0.0,
            similarity: None,
            keyword: None,
            semantic: None,
            tokens: 10,
            cut: false,
            citation: String::new(),
            citation_tokens: 0,
        }
    }

    fn gold(document: &str, place: GoldPlace) -> Gold {
        Gold {
            document: document.to_owned(),
            place,
        }
    }

    fn question(gold: Vec<Gold>) -> GoldQuestion {
        GoldQuestion {
            id: "q".to_owned(),
            text: "Which?".to_owned(),
            gold,
        }
    }

    #[test]
    fn a_snippet_has_to_be_there_as_a_whole_and_may_lie_in_two_passages() {
        let asked = question(vec![
            gold("a", GoldPlace::Text(5..15)),
            gold("a", GoldPlace::Text(25..35)),
            gold("b", GoldPlace::Title),
            gold("c", GoldPlace::Text(0..5)),
        ]);
        let mut counter = PassageCounter::default();
        counter.add(
            &asked,
            &[
                passage("a", 0, 10),
                passage("a", 10, 30),
                passage("b", 0, 9),
            ],
        );
        counter.add(&asked, &[passage("c", 1, 9)]);
        let scores = counter.scores();
        assert_eq!(
            (scores.questions, scores.document, scores.snippet),
            (2, 1.0, Some(0.5))
        );
        assert!((scores.document_recall - 0.5).abs() < 1e-12);
        assert_eq!(scores.snippet_recall, Some(0.25));
        assert_eq!((scores.passages, scores.tokens), (2.0, 20.0));
    }

    #[test]
    fn where_the_document_is_the_gold_there_are_no_snippets() {
        let asked = question(vec![gold("a", GoldPlace::Document)]);
        let mut counter = PassageCounter::default();
        counter.add(&asked, &[passage("a", 0, 1)]);
        counter.add(&asked, &[]);
        let scores = counter.scores();
        assert_eq!((scores.document, scores.snippet), (0.5, None));
        assert_eq!(PassageCounter::default().scores(), PassageScores::default());
    }
}
