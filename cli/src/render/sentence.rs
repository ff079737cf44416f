//! Scores of a model's embeddings: a row for each file.

use super::text::{clean, columns};
use crate::commands::eval::SentenceReport;
use medsift::eval::{NLI_CLASSES, NliScores, StsScores, TripletScores};
use medsift_training::trainer::MaskedScores;

/// Correlations.
pub(crate) fn sts(report: &SentenceReport<StsScores>) -> String {
    let row = |scores: &StsScores| {
        vec![
            format!("{:.4}", scores.spearman),
            format!("{:.4}", scores.pearson),
            scores.pairs.to_string(),
        ]
    };
    page(report, &["Spearman", "Pearson", "pairs"], row)
}

/// Accuracies over all, and by class.
pub(crate) fn nli(report: &SentenceReport<NliScores>) -> String {
    let mut header = vec!["accuracy"];
    header.extend(NLI_CLASSES);
    header.extend(["majority", "pairs"]);
    let row = |scores: &NliScores| {
        let mut row = vec![format!("{:.4}", scores.accuracy)];
        row.extend(scores.class_accuracy.iter().map(|share| match share {
            Some(share) => format!("{share:.4}"),
            None => "-".to_owned(),
        }));
        row.push(format!("{:.4}", scores.majority));
        row.push(scores.pairs.to_string());
        row
    };
    page(report, &header, row)
}

/// Accuracies by distance and by cosine.
pub(crate) fn triplet(report: &SentenceReport<TripletScores>) -> String {
    let row = |scores: &TripletScores| {
        vec![
            format!("{:.4}", scores.euclidean_accuracy),
            format!("{:.4}", scores.cosine_accuracy),
            scores.triplets.to_string(),
        ]
    };
    page(report, &["Euclidean", "cosine", "triplets"], row)
}

/// Losses and accuracies of masked tokens, and of the segments' relation where
/// the model tells it.
pub(crate) fn mlm(report: &SentenceReport<MaskedScores>) -> String {
    let header = [
        "loss",
        "perplexity",
        "accuracy",
        "relation",
        "tokens",
        "sequences",
    ];
    let row = |scores: &MaskedScores| {
        let relation = scores.relation_accuracy;
        vec![
            format!("{:.4}", scores.loss),
            format!("{:.2}", scores.perplexity),
            format!("{:.4}", scores.accuracy),
            relation.map_or_else(|| "-".to_owned(), |share| format!("{share:.4}")),
            scores.masked.to_string(),
            scores.sequences.to_string(),
        ]
    };
    page(report, &header, row)
}

/// The model, then numbers in columns with the file behind them.
fn page<S>(report: &SentenceReport<S>, header: &[&str], row: impl Fn(&S) -> Vec<String>) -> String {
    let mut rows = vec![header.iter().map(|&name| name.to_owned()).collect()];
    rows.extend(report.results.iter().map(|result| row(&result.scores)));
    let files = report.results.iter().map(|result| clean(&result.file));
    let names: Vec<String> = std::iter::once("file".to_owned()).chain(files).collect();
    let widths: Vec<usize> = (0..header.len())
        .map(|at| rows.iter().map(|row| columns(&row[at])).max().unwrap_or(0))
        .collect();
    let mut text = format!("model  {}\n\n", clean(&report.model));
    for (row, name) in rows.iter().zip(names) {
        for (cell, &width) in row.iter().zip(&widths) {
            text.push_str(&format!("{cell:>width$}  "));
        }
        text.push_str(&name);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::eval::FileScores;

    #[test]
    fn numbers_stand_in_columns() {
        let result = |file: &str, pairs| FileScores {
            file: file.to_owned(),
            scores: StsScores {
                spearman: 0.5,
                pearson: -0.25,
                pairs,
            },
        };
        let report = SentenceReport {
            model: "tiny".to_owned(),
            results: vec![result("a.tsv", 7), result("b.tsv", 100_000)],
        };
        let expected = "model  tiny\n\n\
                        Spearman  Pearson   pairs  file\n\
                        \u{20} 0.5000  -0.2500       7  a.tsv\n\
                        \u{20} 0.5000  -0.2500  100000  b.tsv\n";
        assert_eq!(sts(&report), expected);
    }
}
