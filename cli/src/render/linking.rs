//! How well mentions are linked to concepts.

use super::text::clean;
use crate::commands::eval::LinkingReport;
use medsift::eval::{LinkCount, LinkingScores};

/// For each file its figures, and a row for each method.
pub(crate) fn scores(report: &LinkingReport) -> String {
    let near = report
        .model
        .as_deref()
        .unwrap_or("none: rules of names alone");
    let mut page = clean(&format!("table  {}", report.table));
    page.push('\n');
    page.push_str(&clean(&format!("model  {near}")));
    page.push('\n');
    for result in &report.results {
        page.push_str(&file(&result.file, &result.scores));
    }
    page
}

fn file(name: &str, scores: &LinkingScores) -> String {
    let mut page = format!(
        "\n{}: {} documents\n\
         accuracy@1        {:.4}  {} of {} mentions with an identifier\n\
         in the table      {:.4}  {} of {} whose identifiers the table has\n\
         precision         {:.4}\n\
         recall of ids     {:.4}  of {}\n\
         unlinked          {:.4}\n\
         outside the table {:>6}  of which {} were linked\n\
         no identifier     {:>6}  of which {} were linked\n",
        clean(name),
        scores.documents,
        scores.accuracy,
        scores.right,
        scores.mentions,
        scores.accuracy_known,
        scores.right,
        scores.known,
        scores.precision,
        scores.recall,
        scores.ids,
        scores.unlinked,
        scores.foreign,
        scores.foreign_linked,
        scores.without_id,
        scores.without_id_linked,
    );
    for (count, what) in [
        (scores.other_types, "of types that MeSH does not cover"),
        (scores.misplaced, "whose words the document does not have"),
    ] {
        if count > 0 {
            page.push_str(&format!("left out          {count:>6}  {what}\n"));
        }
    }
    page.push_str("  linked   right  method\n");
    for (method, LinkCount { linked, right }) in &scores.methods {
        page.push_str(&format!("{linked:>8}  {right:>6}  {method:?}\n"));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::eval::FileScores;
    use medsift::enrich::link::Method;

    #[test]
    fn figures_stand_below_each_other() {
        let mut scores = LinkingScores {
            documents: 1,
            mentions: 8,
            right: 4,
            accuracy: 0.5,
            known: 5,
            accuracy_known: 0.8,
            other_types: 2,
            ..LinkingScores::default()
        };
        let count = LinkCount {
            linked: 5,
            right: 4,
        };
        scores.methods.insert(Method::Exact, count);
        let report = LinkingReport {
            table: "desc\u{1b}2024".to_owned(),
            model: None,
            results: vec![FileScores {
                file: "a.pubtator".to_owned(),
                scores,
            }],
        };
        let page = super::scores(&report);
        for part in [
            "\na.pubtator: 1 documents\naccuracy@1        0.5000  4 of 8 mentions",
            "in the table      0.8000  4 of 5 ",
            "left out               2  of types",
            "\n       5       4  Exact\n",
            "rules of names alone",
        ] {
            assert!(page.contains(part), "{page}");
        }
        assert!(!page.contains('\u{1b}'), "no escape reaches a terminal");
    }
}
