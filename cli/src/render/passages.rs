//! Passages as they are put before a language model, and how well they are
//! found.

use super::text::clean;
use crate::commands::eval::PassageReport;
use medsift::searcher::{PassagesResponse, RetrievedPassage};

/// The passages, each behind the number of its source, and the sources.
pub(crate) fn page(response: &PassagesResponse) -> String {
    let mut page = String::new();
    for passage in &response.passages {
        let retracted = if passage.retracted {
            "(retracted) "
        } else {
            ""
        };
        let cut = if passage.cut { " […]" } else { "" };
        let text = clean(&passage.text);
        page.push_str(&format!("[{}] {retracted}{text}{cut}\n\n", passage.source));
    }
    let mut sources: Vec<&RetrievedPassage> = response.passages.iter().collect();
    sources.sort_by_key(|passage| passage.source);
    sources.dedup_by_key(|passage| passage.source);
    if !sources.is_empty() {
        page.push_str("Sources:\n");
    }
    for passage in sources {
        let retracted = if passage.retracted { "RETRACTED. " } else { "" };
        let citation = clean(&passage.citation);
        page.push_str(&format!("[{}] {retracted}{citation}\n", passage.source));
    }
    page
}

/// What was counted, in a line.
pub(crate) fn summary(response: &PassagesResponse) -> String {
    if response.passages.is_empty() {
        return format!(
            "no passage: {} candidates, of which {} did not fit into {} tokens",
            response.candidates, response.passed_over, response.budget
        );
    }
    let citations = match response.citations_counted {
        true => format!(" and {} of references", response.citation_tokens),
        false => String::new(),
    };
    clean(&format!(
        "{} passages, {} tokens{citations} of {} as {} counts them",
        response.passages.len(),
        response.tokens,
        response.budget,
        response.tokenizer
    ))
}

/// A table for each set: a row for each mode, a column for each budget.
pub(crate) fn scores(report: &PassageReport) -> String {
    let mut page = clean(&format!(
        "model {}, {} documents, diversity {}",
        report.model, report.documents, report.diversity
    ));
    page.push('\n');
    for set in &report.sets {
        page.push_str(&format!(
            "\n{}: {} questions; share with a gold document / recall of them",
            set.name, set.questions
        ));
        if set.rows.iter().any(|row| row.scores.snippet.is_some()) {
            page.push_str("; share with a gold snippet / recall of them");
        }
        page.push('\n');
        for row in &set.rows {
            let scores = &row.scores;
            let mut line = format!(
                "{:<9} {:>6} tokens   {:.3} / {:.3}",
                row.mode.as_str(),
                row.budget,
                scores.document,
                scores.document_recall
            );
            if let (Some(snippet), Some(recall)) = (scores.snippet, scores.snippet_recall) {
                line.push_str(&format!("   {snippet:.3} / {recall:.3}"));
            }
            line.push_str(&format!(
                "   {:.1} passages, {:.0} tokens\n",
                scores.passages, scores.tokens
            ));
            page.push_str(&line);
        }
    }
    page
}
