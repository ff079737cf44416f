//! What happened to every record of every file.

use super::text::{clean, columns};
use crate::output::Style;
use medsift::index::Ledger;
use medsift_indexer::pipeline::IndexReport;

/// Faults that are told one by one for a file.
const FAULTS: usize = 5;

const COLUMNS: [&str; 6] = [
    "READ",
    "ADDED",
    "REPLACED",
    "UNCHANGED",
    "DELETED",
    "QUARANTINED",
];

/// A row a file, faults below it, and the total.
pub(crate) fn report(report: &IndexReport, style: Style) -> String {
    let names = report.files.iter().map(|file| columns(&file.name));
    let width = names.chain(["TOTAL".len()]).max().unwrap_or(5);
    let mut text = style.dim(&format!("{:<width$}", "FILE"));
    for name in COLUMNS {
        text.push_str(&style.dim(&format!("  {name:>11}")));
    }
    text.push('\n');
    for file in &report.files {
        text.push_str(&row(&clean(&file.name), width, &file.ledger));
        if file.resumed_after > 0 {
            let line = format!("went on after record {}", file.resumed_after);
            text.push_str(&format!("  {}\n", style.dim(&line)));
        }
        if file.kept > 0 {
            let line = format!(
                "{} of the unchanged say less than the index's articles and were not taken \
                 (--replace takes them)",
                file.kept
            );
            text.push_str(&format!("  {} {line}\n", style.warn("kept:")));
        }
        if let Some(reason) = &file.skipped {
            text.push_str(&format!("  {}\n", style.dim(&clean(reason))));
        }
        if let Some(reason) = &file.refused {
            let line = format!("{} {}", style.warn("refused:"), clean(reason));
            text.push_str(&format!("  {line}\n"));
        }
        if let Some(reason) = &file.damaged {
            let line = format!("{} {}", style.warn("damaged:"), clean(reason));
            text.push_str(&format!("  {line}\n"));
        }
        for fault in file.faults.iter().take(FAULTS) {
            let id = fault.id.as_ref().map(|id| format!(" ({})", clean(id)));
            let line = format!(
                "record {}{} at byte {}: {}",
                fault.ordinal + 1,
                id.unwrap_or_default(),
                fault.byte_offset,
                clean(&fault.reason)
            );
            text.push_str(&format!("  {} {line}\n", style.warn("quarantined:")));
        }
        if file.faults.len() > FAULTS {
            let more = file.faults.len() - FAULTS;
            text.push_str(&format!(
                "  and {more} more, all in the index's quarantine\n"
            ));
        }
    }
    if report.files.len() != 1 {
        text.push_str(&style.bold(row("TOTAL", width, &report.total).trim_end()));
        text.push('\n');
    }
    text.push_str(&format!(
        "the index holds {} articles (state {})\n",
        report.articles, report.generation
    ));
    if !report.total.balances() {
        text.push_str(&style.warn("the counts do not add up: this is a fault of medsift\n"));
    }
    text
}

fn row(name: &str, width: usize, ledger: &Ledger) -> String {
    let gap = " ".repeat(width.saturating_sub(columns(name)));
    let mut row = format!("{name}{gap}");
    for count in [
        ledger.read,
        ledger.added,
        ledger.replaced,
        ledger.unchanged,
        ledger.deleted,
        ledger.quarantined,
    ] {
        row.push_str(&format!("  {count:>11}"));
    }
    row.push('\n');
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::index::QuarantinedRecord;
    use medsift_indexer::pipeline::FileReport;

    fn file(name: &str) -> FileReport {
        FileReport {
            name: name.into(),
            ..FileReport::default()
        }
    }

    #[test]
    fn every_outcome_is_told() {
        let mut faulty = file("faulty.xml");
        faulty.ledger.read = 9;
        faulty.ledger.added = 2;
        faulty.ledger.quarantined = 7;
        let fault = QuarantinedRecord {
            file: "faulty.xml".into(),
            byte_offset: 4711,
            ordinal: 3,
            id: Some("990000004".into()),
            reason: "not closed".into(),
            raw: String::new(),
        };
        faulty.faults = vec![fault; 7];
        let mut skipped = file("old.xml");
        skipped.skipped = Some("already in the index".into());
        let mut refused = file("x.pdf");
        refused.refused = Some("not a format that is read".into());
        let outcome = IndexReport {
            total: faulty.ledger,
            files: vec![faulty, skipped, refused],
            articles: 2,
            ..IndexReport::default()
        };
        let text = report(&outcome, Style::new(false));
        for part in [
            "record 4 (990000004) at byte 4711: not closed",
            "and 2 more",
            "already in the index",
            "refused: not a format",
            "TOTAL",
            "the index holds 2 articles",
        ] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
        assert!(!text.contains("do not add up"), "{text}");
    }

    #[test]
    fn counts_that_do_not_add_up_are_not_hidden() {
        let mut outcome = IndexReport::default();
        outcome.total.read = 1;
        assert!(report(&outcome, Style::new(false)).contains("do not add up"));
    }
}
