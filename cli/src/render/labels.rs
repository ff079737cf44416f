//! Labels of texts, and how well they are found.

use super::text::{clean, columns};
use crate::commands::classify::Labelled;
use crate::commands::eval::{LabelReport, RelationReport};
use crate::output::Style;
use medsift::eval::LabelScore;

/// A line for each text: score, label, text.
pub(crate) fn labelled(found: &Labelled, style: Style) -> String {
    let mut page = clean(&format!("model  {}, head {}", found.model, found.head));
    page.push_str("\n\n");
    if found.results.is_empty() {
        page.push_str("There was no text.\n");
    }
    let labels = found.labels.iter().map(|label| columns(label));
    let width = labels.max().unwrap_or(0);
    for result in &found.results {
        let label = clean(&result.classified.label);
        let filling = " ".repeat(width.saturating_sub(columns(&label)));
        page.push_str(&format!(
            "{:.3}  {}{filling}  {}\n",
            result.classified.score,
            style.highlight(&label),
            clean(&result.text)
        ));
    }
    page
}

/// For each file accuracy and area, a row of each label, and the averages.
pub(crate) fn scores(report: &LabelReport) -> String {
    let mut page = clean(&format!("model  {}, head {}", report.model, report.head));
    page.push('\n');
    for result in &report.results {
        let scores = &result.scores;
        let auc = scores
            .auc
            .map_or_else(String::new, |auc| format!(", AUC {auc:.4}"));
        page.push_str(&format!(
            "\n{}: {} texts, accuracy {:.4}{auc}, macro F1 {:.4}\n\
             precision  recall      F1    gold   found   right  label\n",
            clean(&result.file),
            scores.texts,
            scores.accuracy,
            scores.macro_f1
        ));
        for named in &scores.labels {
            page.push_str(&row(&named.score, &named.label));
        }
        page.push_str(&row(&scores.micro, "all but the negative (micro)"));
    }
    page
}

/// For each file a row of each type, and all together.
pub(crate) fn relations(report: &RelationReport) -> String {
    let mut page = clean(&format!("model  {}, head {}", report.model, report.head));
    page.push('\n');
    for result in &report.results {
        let scores = &result.scores;
        page.push_str(&format!(
            "\n{}: {} relations, {:.4} of them with both concepts in a sentence\n\
             precision  recall      F1    gold   found   right  type\n",
            clean(&result.file),
            scores.micro.gold,
            scores.reachable
        ));
        for (kind, score) in &scores.types {
            page.push_str(&row(score, kind));
        }
        page.push_str(&row(&scores.micro, "all (micro)"));
    }
    page
}

fn row(score: &LabelScore, name: &str) -> String {
    format!(
        "{:>9.4}  {:>6.4}  {:>6.4}  {:>6}  {:>6}  {:>6}  {}\n",
        score.precision,
        score.recall,
        score.f1,
        score.gold,
        score.predicted,
        score.correct,
        clean(name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::classify::LabelledText;
    use crate::commands::eval::FileScores;
    use medsift::enrich::Classified;
    use medsift::eval::LabelCounter;

    fn names() -> Vec<String> {
        ["none", "association"].map(str::to_owned).to_vec()
    }

    #[test]
    fn labels_stand_in_columns() {
        let text = |text: &str, label: &str| LabelledText {
            text: text.to_owned(),
            classified: Classified {
                label: label.to_owned(),
                score: 0.75,
                probabilities: vec![0.25, 0.75],
            },
        };
        let mut found = Labelled {
            model: "tiny".to_owned(),
            head: "gad".to_owned(),
            labels: names(),
            results: vec![text("One.", "none"), text("Two\u{1b}.", "association")],
        };
        let page = labelled(&found, Style::new(false));
        let expected = "model  tiny, head gad\n\n\
                        0.750  none         One.\n\
                        0.750  association  Two";
        assert!(page.starts_with(expected), "{page}");
        assert!(!page.contains('\u{1b}'), "no escape reaches a terminal");
        found.results.clear();
        assert!(labelled(&found, Style::new(false)).contains("no text"));
    }

    #[test]
    fn scores_have_a_row_for_each_label_and_for_all() {
        let mut counter = LabelCounter::new(&names(), Some(0));
        for (gold, chances) in [(0, [0.9, 0.1]), (1, [0.3, 0.7]), (1, [0.8, 0.2])] {
            counter.add(gold, &chances).unwrap();
        }
        let report = LabelReport {
            model: "tiny".to_owned(),
            head: "gad".to_owned(),
            results: vec![FileScores {
                file: "a.tsv".to_owned(),
                scores: counter.scores(),
            }],
        };
        let expected = "model  tiny, head gad\n\n\
                        a.tsv: 3 texts, accuracy 0.6667, AUC 1.0000, macro F1 0.6667\n\
                        precision  recall      F1    gold   found   right  label\n\
                        \u{20}  0.5000  1.0000  0.6667       1       2       1  none\n\
                        \u{20}  1.0000  0.5000  0.6667       2       1       1  association\n\
                        \u{20}  1.0000  0.5000  0.6667       2       1       1  all but the negative (micro)\n";
        assert_eq!(scores(&report), expected);
    }
}
