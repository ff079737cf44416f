//! A run of a strategy on the terminal.

use super::text::clean;
use crate::output::Style;
use crate::strategies::{Record, Report};

/// The table of lines, the result, and what is new.
pub(crate) fn page(report: &Report, style: Style) -> String {
    let run = &report.run;
    let mut page = String::new();
    for line in &run.lines {
        let mark = if line.number == run.result { "*" } else { " " };
        let comment = line.comment.as_ref();
        let comment = comment.map_or_else(String::new, |comment| {
            style.dim(&format!("  // {}", clean(comment)))
        });
        page.push_str(&format!(
            "{mark}{:>5}  {:>9}  {}{comment}\n",
            format!("#{}", line.number),
            line.articles,
            clean(&line.query)
        ));
    }
    page.push_str(&format!(
        "\n{} in #{}; searched on {}, index of {} (commit {}, {})\n",
        style.bold(&counted(run.ids.len() as u64, "article")),
        run.result,
        run.day,
        run.index.committed_at,
        run.index.generation,
        counted(run.index.articles, "article")
    ));
    if let Some(since) = &report.since {
        page.push_str(&format!(
            "since {} (commit {}): {} new, {} no longer found{}\n",
            since.day,
            since.generation,
            since.added.len(),
            since.gone.len(),
            if since.strategy_changed {
                "; the strategy was another one"
            } else {
                ""
            }
        ));
        if !since.added.is_empty() {
            page.push_str(&format!("new: {}\n", first(&since.added)));
        }
        if !since.gone.is_empty() {
            page.push_str(&format!("gone: {}\n", first(&since.gone)));
        }
    }
    page
}

/// A number of things: `1 article`, `2 articles`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// A strategy that is kept, with its runs.
pub(crate) fn kept(text: &str, records: &[Record]) -> String {
    let mut page: String = text
        .lines()
        .map(|line| format!("{}\n", clean(line)))
        .collect();
    if !records.is_empty() {
        page.push_str("\nruns\n");
    }
    for record in records {
        page.push_str(&format!(
            "{}  {:>9} articles in #{}  {} (commit {} of {})\n",
            record.day,
            record.ids.len(),
            record.result,
            clean(&record.index),
            record.generation,
            record.committed_at
        ));
    }
    page
}

/// The first ids of a list, and how many more there are.
fn first(ids: &[String]) -> String {
    const SHOWN: usize = 20;
    let mut shown: Vec<String> = ids.iter().take(SHOWN).map(|id| clean(id)).collect();
    if ids.len() > SHOWN {
        shown.push(format!("and {} more", ids.len() - SHOWN));
    }
    shown.join(" ")
}
