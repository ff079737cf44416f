//! Exact match and F1 over questions, some of which may have no answer.

use super::normalise::{answer_f1, exact_match};
use serde::Serialize;

/// Counts answers.
#[derive(Debug, Clone, Default)]
pub struct AnswerCounter {
    questions: Vec<Counted>,
}

/// A question, and what its best span is worth.
#[derive(Debug, Clone, Copy)]
struct Counted {
    /// How far the span's score is above that of no answer.
    margin: f32,
    exact: f64,
    f1: f64,
    /// Whether there is an answer.
    answerable: bool,
}

/// Exact match and F1, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct AnswerScores {
    /// Share of the questions whose answer is a right one, word for word.
    pub exact: f64,
    /// Mean F1 of the words.
    pub f1: f64,
    /// Questions.
    pub questions: usize,
    /// Those that have no answer.
    pub unanswerable: usize,
    /// Those that got one.
    pub answered: usize,
    /// Exact match of the questions that have an answer.
    pub answerable_exact: f64,
    /// Their F1.
    pub answerable_f1: f64,
    /// Share of the questions without an answer that got none; 0 where there
    /// are none.
    pub unanswerable_right: f64,
}

/// A threshold, and what is reached with it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Threshold {
    /// Least margin of an answer.
    pub margin: f32,
    /// F1 over all questions with it.
    pub f1: f64,
}

impl AnswerCounter {
    /// Adds a question: its right answers, of which one is enough, none where
    /// there is none; and the best span with its margin over no answer.
    pub fn add<S: AsRef<str>>(&mut self, gold: &[S], found: Option<(&str, f32)>) {
        // As the official scorer: what is nothing once normalised is no answer.
        let text = found.map_or("", |(text, _)| text);
        let whole = |answer: &&str| !super::normalise_answer(answer).is_empty();
        let gold: Vec<&str> = gold.iter().map(AsRef::as_ref).filter(whole).collect();
        let best =
            |score: &dyn Fn(&str) -> f64| gold.iter().map(|one| score(one)).fold(0.0, f64::max);
        self.questions.push(Counted {
            margin: found.map_or(f32::NEG_INFINITY, |(_, margin)| margin),
            exact: best(&|one| f64::from(u8::from(exact_match(text, one)))),
            f1: best(&|one| answer_f1(text, one)),
            answerable: !gold.is_empty(),
        });
    }

    /// Whether any question has no answer.
    pub fn has_unanswerable(&self) -> bool {
        self.questions.iter().any(|one| !one.answerable)
    }

    /// Scores where a span counts as an answer from this margin on; with
    /// negative infinity every span does, as in SQuAD 1.1.
    pub fn scores(&self, threshold: f32) -> AnswerScores {
        let mut scores = AnswerScores {
            questions: self.questions.len(),
            ..AnswerScores::default()
        };
        let mut answerable = [0.0; 2];
        let mut right = 0usize;
        for one in &self.questions {
            let answered = one.margin > f32::NEG_INFINITY && one.margin >= threshold;
            scores.answered += usize::from(answered);
            if !one.answerable {
                scores.unanswerable += 1;
                right += usize::from(!answered);
            } else if answered {
                answerable[0] += one.exact;
                answerable[1] += one.f1;
            }
        }
        let share = |sum: f64, of: usize| if of == 0 { 0.0 } else { sum / of as f64 };
        let with = scores.questions - scores.unanswerable;
        scores.exact = share(answerable[0] + right as f64, scores.questions);
        scores.f1 = share(answerable[1] + right as f64, scores.questions);
        scores.answerable_exact = share(answerable[0], with);
        scores.answerable_f1 = share(answerable[1], with);
        scores.unanswerable_right = share(right as f64, scores.unanswerable);
        scores
    }

    /// The threshold with the largest F1, as SQuAD 2.0's scorer looks for it;
    /// of equals the largest. Nothing where all or no questions have an answer:
    /// they say nothing about when to be silent.
    pub fn best_threshold(&self) -> Option<Threshold> {
        if !self.has_unanswerable() || self.questions.iter().all(|one| !one.answerable) {
            return None;
        }
        let mut order: Vec<&Counted> = self.questions.iter().collect();
        order.sort_by(|a, b| b.margin.total_cmp(&a.margin));
        let count = order.len() as f64;
        // Nothing is answered.
        let mut sum = order.iter().filter(|one| !one.answerable).count() as f64;
        let mut best = Threshold {
            margin: order.first().map_or(0.0, |one| one.margin.next_up()),
            f1: sum / count,
        };
        for (place, one) in order.iter().enumerate() {
            if one.margin == f32::NEG_INFINITY {
                break;
            }
            sum += if one.answerable { one.f1 } else { -1.0 };
            let last_of_equals = order
                .get(place + 1)
                .is_none_or(|next| next.margin < one.margin);
            if last_of_equals && sum / count > best.f1 {
                best = Threshold {
                    margin: one.margin,
                    f1: sum / count,
                };
            }
        }
        best.margin.is_finite().then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NONE: [&str; 0] = [];

    fn counter() -> AnswerCounter {
        let mut counter = AnswerCounter::default();
        counter.add(&["a red dog", "dog"], Some(("the dog", 3.0)));
        counter.add(&["red dog"], Some(("dog", 1.0)));
        counter.add(&NONE, Some(("cat", 2.0)));
        counter.add(&NONE, Some(("cat", -2.0)));
        counter.add(&["dog"], None);
        counter
    }

    #[test]
    fn silence_is_right_where_there_is_no_answer() {
        let scores = counter().scores(1.5);
        assert_eq!(
            (scores.questions, scores.unanswerable, scores.answered),
            (5, 2, 2)
        );
        assert_eq!((scores.exact, scores.f1), (0.4, 0.4));
        assert_eq!(scores.unanswerable_right, 0.5);
        let all = counter().scores(f32::NEG_INFINITY);
        assert_eq!((all.exact, all.answered), (0.2, 4));
        assert!((all.f1 - (1.0 + 2.0 / 3.0) / 5.0).abs() < 1e-12);
        assert_eq!(AnswerCounter::default().scores(0.0).f1, 0.0);
    }

    #[test]
    fn the_best_threshold_is_one_at_which_its_score_is_reached() {
        let best = counter().best_threshold().unwrap();
        assert_eq!((best.margin, best.f1), (3.0, 0.6));
        let mut answerable = AnswerCounter::default();
        answerable.add(&["dog"], Some(("dog", 1.0)));
        assert_eq!(answerable.best_threshold(), None);
    }

    proptest! {
        #[test]
        fn no_threshold_is_better_than_the_best(
            questions in prop::collection::vec((-4i8..4, 0usize..3, any::<bool>()), 1..30),
            other in -5f32..5.0,
        ) {
            let mut counter = AnswerCounter::default();
            for (margin, answer, answerable) in questions {
                let gold = if answerable { vec!["red dog"] } else { vec![] };
                let text = ["red dog", "dog", "cat"][answer];
                counter.add(&gold, Some((text, f32::from(margin))));
            }
            if let Some(best) = counter.best_threshold() {
                let reached = counter.scores(best.margin).f1;
                prop_assert!((reached - best.f1).abs() < 1e-12);
                prop_assert!(counter.scores(other).f1 <= best.f1 + 1e-12);
            }
        }
    }
}
