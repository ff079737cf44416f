use super::{Qrels, Run};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::AddAssign;

/// Means over queries (or the values of one query).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RetrievalScores {
    /// Normalised discounted cumulative gain of the first ten, with linear
    /// gain (Järvelin and Kekäläinen 2002, as in trec_eval's `ndcg_cut_10`).
    pub ndcg_at_10: f64,
    /// Share of the relevant documents among the first hundred.
    pub recall_at_100: f64,
    /// One over the rank of the first relevant document among the first ten.
    pub mrr_at_10: f64,
    /// Mean average precision over the whole list.
    pub map: f64,
    /// Number of queries averaged over.
    pub queries: usize,
}

impl RetrievalScores {
    /// Means over every judged query; one that the run lacks counts as zero.
    pub fn of(run: &Run, qrels: &Qrels) -> Self {
        let mut sum = Self::default();
        for query in qrels.queries() {
            if let Some(judgements) = qrels.judgements(query) {
                sum += score_query(run.documents(query), judgements);
            }
        }
        let mean = |total: f64| total / sum.queries.max(1) as f64;
        Self {
            ndcg_at_10: mean(sum.ndcg_at_10),
            recall_at_100: mean(sum.recall_at_100),
            mrr_at_10: mean(sum.mrr_at_10),
            map: mean(sum.map),
            queries: sum.queries,
        }
    }
}

impl AddAssign for RetrievalScores {
    fn add_assign(&mut self, other: Self) {
        self.ndcg_at_10 += other.ndcg_at_10;
        self.recall_at_100 += other.recall_at_100;
        self.mrr_at_10 += other.mrr_at_10;
        self.map += other.map;
        self.queries += other.queries;
    }
}

/// Scores of one ranked list against the query's judgements.
pub fn score_query(
    documents: &[(String, f64)],
    judgements: &HashMap<String, i32>,
) -> RetrievalScores {
    let grade = |document: &str| judgements.get(document).copied().unwrap_or(0).max(0);
    let relevant = judgements.values().filter(|&&grade| grade > 0).count();
    let mut scores = RetrievalScores {
        queries: 1,
        ..RetrievalScores::default()
    };
    if relevant == 0 {
        return scores;
    }
    let mut gain = 0.0;
    let mut found = 0usize;
    let mut precisions = 0.0;
    for (rank, (document, _)) in (1usize..).zip(documents) {
        let grade = grade(document);
        if grade == 0 {
            continue;
        }
        found += 1;
        precisions += found as f64 / rank as f64;
        if rank <= 10 {
            gain += discounted(grade, rank);
            if scores.mrr_at_10 == 0.0 {
                scores.mrr_at_10 = 1.0 / rank as f64;
            }
        }
        if rank <= 100 {
            scores.recall_at_100 = found as f64 / relevant as f64;
        }
    }
    scores.ndcg_at_10 = gain / ideal_gain(judgements, 10);
    scores.map = precisions / relevant as f64;
    scores
}

fn discounted(grade: i32, rank: usize) -> f64 {
    f64::from(grade) / (rank as f64 + 1.0).log2()
}

fn ideal_gain(judgements: &HashMap<String, i32>, depth: usize) -> f64 {
    let mut grades: Vec<i32> = judgements.values().copied().filter(|&g| g > 0).collect();
    grades.sort_unstable_by(|a, b| b.cmp(a));
    (1..)
        .zip(grades.into_iter().take(depth))
        .map(|(rank, grade)| discounted(grade, rank))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(ranked: &[&str], judged: &[(&str, i32)]) -> RetrievalScores {
        let documents: Vec<(String, f64)> = ranked
            .iter()
            .enumerate()
            .map(|(i, d)| ((*d).to_owned(), -(i as f64)))
            .collect();
        let judgements = judged.iter().map(|(d, g)| ((*d).to_owned(), *g)).collect();
        score_query(&documents, &judgements)
    }

    #[test]
    fn a_perfect_list_scores_one() {
        let s = scores(&["a", "b", "c"], &[("a", 2), ("b", 1)]);
        assert!((s.ndcg_at_10 - 1.0).abs() < 1e-12);
        assert!((s.map - 1.0).abs() < 1e-12);
        assert_eq!((s.recall_at_100, s.mrr_at_10), (1.0, 1.0));
    }

    #[test]
    fn the_second_place_is_discounted_by_log2_of_three() {
        let s = scores(&["x", "a"], &[("a", 1)]);
        assert!((s.ndcg_at_10 - 1.0 / 3f64.log2()).abs() < 1e-12);
        assert_eq!((s.mrr_at_10, s.map), (0.5, 0.5));
    }

    #[test]
    fn nothing_relevant_found_scores_zero() {
        let s = scores(&["x"], &[("a", 1)]);
        assert_eq!(s.ndcg_at_10 + s.map + s.mrr_at_10 + s.recall_at_100, 0.0);
    }

    /// Values from pytrec_eval-terrier 0.5.11 on the lists of
    /// `tests/reference/make_retrieval_reference.py`.
    #[test]
    fn agrees_with_pytrec_eval() {
        #[derive(serde::Deserialize)]
        struct Reference {
            qrels: HashMap<String, HashMap<String, i32>>,
            run: HashMap<String, HashMap<String, f64>>,
            ndcg_cut_10: f64,
            recall_100: f64,
            map: f64,
            recip_rank_10: f64,
        }
        let text = include_str!("../../tests/reference/retrieval.json");
        let reference: Reference = serde_json::from_str(text).unwrap();
        let mut qrels = Qrels::default();
        for (query, documents) in &reference.qrels {
            for (document, grade) in documents {
                qrels.insert(query, document, *grade);
            }
        }
        let mut run = Run::default();
        for (query, documents) in reference.run {
            run.insert(&query, documents.into_iter().collect());
        }
        let ours = RetrievalScores::of(&run, &qrels);
        assert!((ours.ndcg_at_10 - reference.ndcg_cut_10).abs() < 1e-6);
        assert!((ours.recall_at_100 - reference.recall_100).abs() < 1e-6);
        assert!((ours.map - reference.map).abs() < 1e-6);
        assert!((ours.mrr_at_10 - reference.recip_rank_10).abs() < 1e-6);
    }
}
