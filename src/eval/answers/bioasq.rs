//! Accuracy and reciprocal rank of ranked answers.

use serde::Serialize;
use std::collections::HashSet;

/// Answers that BioASQ looks at.
const DEEPEST: usize = 5;

/// Counts ranked answers to factoid questions.
#[derive(Debug, Clone, Default)]
pub struct RankCounter {
    questions: usize,
    first: usize,
    found: usize,
    reciprocal: f64,
}

/// BioASQ's measures of factoid questions, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RankScores {
    /// Strict accuracy: share of the questions whose first answer is right.
    pub strict: f64,
    /// Lenient accuracy: share of those with a right one among the first five.
    pub lenient: f64,
    /// Mean of 1 / rank of the first right one among the first five, 0 where
    /// there is none.
    pub mrr: f64,
    /// Questions.
    pub questions: usize,
}

impl RankCounter {
    /// Adds a question: its right answers, and those that were found, best
    /// first. Answers are compared without regard to case and white space; one
    /// that comes again further down is passed over.
    pub fn add<G: AsRef<str>, F: AsRef<str>>(&mut self, gold: &[G], found: &[F]) {
        let gold: HashSet<String> = gold.iter().map(|one| folded(one.as_ref())).collect();
        let mut seen = HashSet::new();
        let ranked = found.iter().map(|one| folded(one.as_ref()));
        let mut ranked = ranked.filter(|one| seen.insert(one.clone())).take(DEEPEST);
        self.questions += 1;
        if let Some(place) = ranked.position(|one| gold.contains(&one)) {
            self.first += usize::from(place == 0);
            self.found += 1;
            self.reciprocal += 1.0 / (place + 1) as f64;
        }
    }

    /// The scores so far.
    pub fn scores(&self) -> RankScores {
        let share = |sum: f64| match self.questions {
            0 => 0.0,
            count => sum / count as f64,
        };
        RankScores {
            strict: share(self.first as f64),
            lenient: share(self.found as f64),
            mrr: share(self.reciprocal),
            questions: self.questions,
        }
    }
}

fn folded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_right_answer_of_five_counts() {
        let mut counter = RankCounter::default();
        counter.add(&["PD-L1 status"], &["pd-l1  Status", "x"]);
        counter.add(&["a", "B"], &["x", "X", "b"]);
        counter.add(&["a"], &["1", "2", "3", "4", "5", "a"]);
        counter.add::<_, &str>(&["a"], &[]);
        let scores = counter.scores();
        assert_eq!(
            (scores.strict, scores.lenient, scores.questions),
            (0.25, 0.5, 4)
        );
        // The second question's `X` is its first answer again.
        assert_eq!(scores.mrr, (1.0 + 0.5) / 4.0);
        assert_eq!(RankCounter::default().scores(), RankScores::default());
    }
}
