//! What an index holds and what it costs.

use super::sheet::Sheet;
use super::text::{clean, columns};
use crate::output::Style;
use indicatif::{HumanBytes, HumanCount};
use medsift::index::{AppliedFile, IndexStats};

/// Wide enough for digests and file names.
const WIDTH: usize = 120;

/// The sheet, and a row for each source file.
pub(crate) fn page(stats: &IndexStats, style: Style) -> String {
    let mut sheet = Sheet::new(WIDTH, style);
    sheet.field("articles", HumanCount(stats.articles));
    sheet.field("passages", HumanCount(stats.passages));
    if stats.deleted_passages > 0 {
        sheet.field("not compacted", HumanCount(stats.deleted_passages));
    }
    if stats.quarantined > 0 {
        sheet.field("quarantined", HumanCount(stats.quarantined));
    }
    if stats.tombstones > 0 {
        let line = format!(
            "{} articles, whatever older file is indexed",
            HumanCount(stats.tombstones)
        );
        sheet.field("deleted by NLM", line);
    }
    if stats.fallbacks > 0 {
        let line = format!(
            "{} older versions of later files",
            HumanCount(stats.fallbacks)
        );
        sheet.field("kept aside", line);
    }
    let committed = format!("{} (state {})", stats.committed_at, stats.generation);
    sheet.field("last commit", committed);
    sheet.optional("last update", stats.last_update_file.as_ref());
    sheet.field("format", stats.format_version);
    sheet.heading("Model");
    let model = &stats.model;
    sheet.field("name", &model.name);
    sheet.field(
        "vectors",
        format!("{} numbers, {} pooling", model.dimension, model.pooling),
    );
    sheet.field("reads", format!("{} word pieces", model.max_tokens));
    sheet.field("fingerprint", &model.sha256);
    if !stats.enriched.is_empty() {
        sheet.heading("Entities and relations");
    }
    for enriched in &stats.enriched {
        let line = format!(
            "{} articles by {}",
            HumanCount(enriched.articles),
            enriched.recipe.in_words()
        );
        sheet.field("found in", line);
    }
    sheet.heading("Size");
    let disk = &stats.disk;
    sheet.field("keyword side", HumanBytes(disk.keyword));
    sheet.field("vectors", HumanBytes(disk.vectors));
    sheet.field("graphs", HumanBytes(disk.graphs));
    if disk.provenance > 0 {
        sheet.field("provenance", HumanBytes(disk.provenance));
    }
    sheet.field("quarantine", HumanBytes(disk.quarantine));
    sheet.field("on disk", HumanBytes(disk.total));
    sheet.field("mapped", HumanBytes(stats.mapped_bytes));
    sheet.field(
        "segments",
        format!(
            "{}, {} of them with a graph",
            stats.vector_segments, stats.graph_segments
        ),
    );
    if !stats.sources.is_empty() {
        sheet.heading("Source files");
    }
    let mut text = sheet.finish();
    text.push_str(&sources(&stats.sources));
    text
}

fn sources(files: &[AppliedFile]) -> String {
    let names = files.iter().map(|file| columns(&file.name));
    let width = names.max().unwrap_or(0);
    let mut text = String::new();
    for file in files {
        let name = clean(&file.name);
        let gap = " ".repeat(width.saturating_sub(columns(&name)));
        let state = if file.complete {
            ""
        } else {
            "  (to be continued)"
        };
        text.push_str(&format!(
            "{name}{gap}  {:>10} records  {:>10}{state}\n",
            HumanCount(file.records).to_string(),
            HumanBytes(file.bytes).to_string(),
        ));
    }
    text
}
