//! What `verify` found.

use super::text::clean;
use crate::output::Style;
use indicatif::{HumanBytes, HumanCount};
use medsift::index::VerifyReport;

/// One line a fault, then the verdict.
pub(crate) fn page(report: &VerifyReport, style: Style) -> String {
    let mut page = String::new();
    for fault in &report.faults {
        page.push_str(&format!("{} {}\n", style.warn("fault:"), clean(fault)));
    }
    let verdict = match report.faults.len() {
        0 => style.bold("the index is sound"),
        1 => style.warn("1 fault"),
        count => style.warn(&format!("{count} faults")),
    };
    page.push_str(&format!(
        "{verdict}: {} articles, {} passages, {} checked\n",
        HumanCount(report.articles),
        HumanCount(report.passages),
        HumanBytes(report.bytes),
    ));
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_and_told() {
        let mut report = VerifyReport {
            articles: 1200,
            passages: 3,
            bytes: 2048,
            faults: Vec::new(),
        };
        let style = Style::new(false);
        assert_eq!(
            page(&report, style),
            "the index is sound: 1,200 articles, 3 passages, 2.00 KiB checked\n"
        );
        report.faults.push("x is damaged".into());
        assert!(page(&report, style).starts_with("fault: x is damaged\n1 fault:"));
    }
}
