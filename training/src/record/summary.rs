//! Scores as a table.

use super::RunRecord;
use std::fmt::Write;

/// The scores of a run as a Markdown table: a row for each stage, a column for
/// each score. Empty when nothing was measured.
pub fn summary(record: &RunRecord) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut stages: Vec<&str> = Vec::new();
    for score in &record.scores {
        if !names.contains(&score.name.as_str()) {
            names.push(&score.name);
        }
        if !stages.contains(&score.stage.as_str()) {
            stages.push(&score.stage);
        }
    }
    let mut table = String::new();
    if names.is_empty() {
        return table;
    }
    let _ = writeln!(table, "| stage | {} |", names.join(" | "));
    let _ = writeln!(table, "|---{}|", "|---:".repeat(names.len()));
    for stage in stages {
        let _ = write!(table, "| {stage} |");
        for name in &names {
            let value = record
                .scores
                .iter()
                .rfind(|score| score.stage == stage && score.name == *name);
            let _ = match value {
                Some(score) => write!(table, " {:.4} |", score.value),
                None => write!(table, " |"),
            };
        }
        table.push('\n');
    }
    table
}
