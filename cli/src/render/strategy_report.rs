//! The report of a search as Markdown.

use super::strategy::counted;
use crate::strategies::{Report, Since};
use std::fmt::Write;

/// Ids that are named one by one.
const NAMED: usize = 200;

/// The whole report.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    let name = report.name.as_deref().unwrap_or("search strategy");
    // A string takes whatever is written.
    let _ = writeln!(text, "# {}\n", plain(name));
    for comment in &report.comments {
        let _ = writeln!(text, "{}\n", plain(comment));
    }
    facts(report, &mut text);
    lines(report, &mut text);
    translations(report, &mut text);
    if let Some(since) = &report.since {
        changes(since, &mut text);
    }
    sources(report, &mut text);
    checklist(report, &mut text);
    text
}

fn facts(report: &Report, text: &mut String) {
    let (run, index) = (&report.run, &report.run.index);
    text.push_str("| | |\n|---|---|\n");
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(text, "| {name} | {} |", plain(value));
    };
    row("Searched", &format!("{} with {}", run.day, report.program));
    row("Index", &report.index_dir);
    row(
        "State of the index",
        &format!(
            "commit {} of {}, {}",
            index.generation,
            index.committed_at,
            counted(index.articles, "article")
        ),
    );
    if let Some(file) = &index.last_update_file {
        row("Newest NLM file", file);
    }
    row("MeSH", index.mesh.as_deref().unwrap_or("none"));
    row(
        "Result",
        &format!(
            "line #{}: {}",
            run.result,
            counted(run.ids.len() as u64, "record")
        ),
    );
    text.push('\n');
}

fn lines(report: &Report, text: &mut String) {
    text.push_str("## Lines\n\n| Line | Query | Records | Comment |\n|---:|---|---:|---|\n");
    for line in &report.run.lines {
        let _ = writeln!(
            text,
            "| #{} | {} | {} | {} |",
            line.number,
            code(&line.query),
            line.articles,
            plain(line.comment.as_deref().unwrap_or_default())
        );
    }
    text.push('\n');
}

fn translations(report: &Report, text: &mut String) {
    text.push_str("## As it was searched\n\n| Line | Translation | Notes |\n|---:|---|---|\n");
    for line in &report.run.lines {
        let notes: Vec<String> = line.warnings.iter().map(|note| plain(note)).collect();
        let _ = writeln!(
            text,
            "| #{} | {} | {} |",
            line.number,
            code(&line.translation),
            notes.join("<br>")
        );
    }
    text.push('\n');
}

fn changes(since: &Since, text: &mut String) {
    let _ = writeln!(
        text,
        "## Since the last search\n\nThe search of {} in {} (commit {} of {}) found {} records.{}\n",
        since.day,
        plain(&since.index),
        since.generation,
        since.committed_at,
        since.articles,
        if since.strategy_changed {
            " The strategy, or the line of its result, was another one then."
        } else {
            ""
        }
    );
    for (what, ids) in [("New", &since.added), ("No longer found", &since.gone)] {
        let named: Vec<String> = ids.iter().take(NAMED).map(|id| plain(id)).collect();
        let more = ids.len().saturating_sub(NAMED);
        let more = if more > 0 {
            format!(" and {more} more, in strategy.json")
        } else {
            String::new()
        };
        let colon = if ids.is_empty() { "" } else { ": " };
        let _ = writeln!(
            text,
            "- {what}, {}{colon}{}{more}",
            ids.len(),
            named.join(", ")
        );
    }
    text.push('\n');
}

fn sources(report: &Report, text: &mut String) {
    text.push_str("## Source files of the index\n\n| File | Records | SHA-256 |\n|---|---:|---|\n");
    for source in &report.run.index.sources {
        let part = if source.complete { "" } else { " (in part)" };
        let _ = writeln!(
            text,
            "| {}{part} | {} | {} |",
            plain(&source.name),
            source.records,
            source.sha256
        );
    }
    text.push('\n');
}

fn checklist(report: &Report, text: &mut String) {
    text.push_str(
        "## PRISMA-S\n\nItems of the checklist (Rethlefsen et al., Syst Rev 2021;10:39) that this \
         report covers:\n\n| Item | | |\n|---:|---|---|\n",
    );
    for item in &report.prisma_s {
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            item.number,
            item.name,
            plain(&item.report)
        );
    }
    let _ = writeln!(text, "\nLeft to the reviewer: {}.", report.prisma_s_open);
}

/// Text in which no character is Markdown or HTML.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                plain.push('\\');
                plain.push(c);
            }
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}

/// A query as it is, in a cell of a table.
fn code(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let text = text.replace('|', "\\|");
    let mut fence = "`".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    if fence.len() == 1 {
        return format!("`{text}`");
    }
    format!("{fence} {text} {fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_out_of_its_place() {
        assert_eq!(code("a|b*"), "`a\\|b*`");
        assert_eq!(code("a`b\n"), "`` a`b  ``");
        assert_eq!(plain("<b>*a*|[x](y)"), "&lt;b&gt;\\*a\\*\\|\\[x\\](y)");
    }
}
