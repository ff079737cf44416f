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
        if let Some(reason) = &file.skipped_reason {
            text.push_str(&format!("  {}\n", style.dim(&clean(reason))));
        }
        for fault in file.faults.iter().take(FAULTS) {
            let line = format!("at byte {}: {}", fault.offset, clean(&fault.reason));
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
