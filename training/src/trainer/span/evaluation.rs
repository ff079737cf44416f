//! Exact match and F1 of answers in training.

use super::head::logits;
use super::objective::SpanObjective;
use super::rows;
use crate::config::StageConfig;
use crate::data::Purpose;
use crate::data::questions::{QuestionSet, QuestionSpec};
use crate::network::{Backbone, Parameters};
use crate::trainer::headed::{self, Text};
use crate::trainer::learner::Learner;
use medsift::Result;
use medsift::encoder::parts::Tokenizer;
use medsift::enrich::answer::{
    Borders, PairReader, ReadPassage, SpanWindow, WindowScores, best_spans,
};
use medsift::eval::AnswerCounter;

/// Questions with the answers that are to be found.
pub(in crate::trainer) struct AnswerEvaluation {
    set: QuestionSet,
    read: Vec<ReadPassage>,
    max_answer: usize,
}

impl AnswerEvaluation {
    /// Reads the set that a stage describes, `name` and `kind` apart.
    ///
    /// # Errors
    /// When a file cannot be read or a key does not fit.
    pub(in crate::trainer) fn load(
        stage: &StageConfig,
        spec: &QuestionSpec,
        max_tokens: usize,
        tokenizer: &Tokenizer,
    ) -> Result<Self> {
        let objective = SpanObjective::of(stage)?;
        let set = spec.load(Purpose::Evaluation)?;
        let reader = PairReader::new(tokenizer, objective.lengths(max_tokens))?;
        let read = set
            .questions
            .iter()
            .map(|one| reader.read(&one.question, &one.passage))
            .collect::<Result<_>>()?;
        Ok(Self {
            set,
            read,
            max_answer: objective.max_answer,
        })
    }

    /// Its questions.
    pub(in crate::trainer) fn len(&self) -> usize {
        self.read.len()
    }

    /// Scores by name: exact match and F1. Where some questions have no answer,
    /// with the threshold at which F1 is largest, which stands beside them; else
    /// every question gets its best span, as in SQuAD 1.1.
    pub(in crate::trainer) fn measure<B: Backbone>(
        &self,
        learner: &mut Learner<B>,
        heads: &Parameters,
    ) -> Result<Vec<(String, f64)>> {
        let counter = self.count(learner, heads)?;
        let threshold = counter.best_threshold().map(|best| best.margin);
        let scores = counter.scores(threshold.unwrap_or(f32::NEG_INFINITY));
        let mut named = vec![("exact", scores.exact), ("f1", scores.f1)];
        if let Some(threshold) = threshold {
            named.push(("threshold", f64::from(threshold)));
            let all = counter.scores(f32::NEG_INFINITY);
            named.push(("answerable_f1", all.answerable_f1));
        }
        let named = named.into_iter();
        Ok(named
            .map(|(name, value)| (name.to_owned(), value))
            .collect())
    }

    fn count<B: Backbone>(
        &self,
        learner: &mut Learner<B>,
        heads: &Parameters,
    ) -> Result<AnswerCounter> {
        let windows: Vec<&SpanWindow> = self.read.iter().flat_map(|one| &one.windows).collect();
        let texts: Vec<Text<'_>> = windows.iter().map(|one| (&one.pair).into()).collect();
        let mut scored: Vec<Option<WindowScores>> = vec![None; windows.len()];
        headed::evaluate(learner, &texts, |states, tokens, places| {
            let starts = places.iter().zip(tokens.bounds());
            let all: Vec<u32> = starts
                .flat_map(|(&at, &start)| rows(windows[at], start as u32))
                .collect();
            let values = logits(heads, states, &all)?;
            let mut values = &values[..];
            for &at in places {
                let (own, rest) = values.split_at(1 + windows[at].pieces.len());
                values = rest;
                scored[at] = Some(WindowScores {
                    none: own[0][0] + own[0][1],
                    pieces: own[1..].to_vec(),
                    first: windows[at].pieces.start,
                });
            }
            Ok(())
        })?;
        let mut counter = AnswerCounter::default();
        let mut scored = scored.into_iter();
        for (question, read) in self.set.questions.iter().zip(&self.read) {
            let own = scored.by_ref().take(read.windows.len()).flatten();
            let own: Vec<WindowScores> = own.collect();
            let borders = Borders::of(&question.passage, &read.pieces);
            let best = best_spans(&own, &borders, self.max_answer, 1)
                .into_iter()
                .next();
            let found = best.and_then(|span| {
                let start = read.pieces[span.pieces.start].start;
                let end = read.pieces[span.pieces.end - 1].end;
                Some((question.passage.get(start..end)?, span.margin))
            });
            counter.add(&question.gold, found);
        }
        Ok(counter)
    }
}
