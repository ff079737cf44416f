//! Scores of an evaluation.

use super::sheet::Sheet;
use crate::evaluation::{Half, Report};
use crate::output::Style;
use medsift::Fusion;
use medsift::index::PassageMode;

/// Lines are short; nothing is wrapped.
const WIDTH: usize = 100;

/// Scores first, then what they were measured on.
pub(crate) fn page(report: &Report, style: Style) -> String {
    let mut sheet = Sheet::new(WIDTH, style);
    let scores = &report.scores;
    sheet.field("nDCG@10", format!("{:.4}", scores.ndcg_at_10));
    sheet.field("Recall@100", format!("{:.4}", scores.recall_at_100));
    sheet.field("MRR@10", format!("{:.4}", scores.mrr_at_10));
    sheet.field("MAP", format!("{:.4}", scores.map));
    let times = &report.latency_ms;
    sheet.field(
        "speed",
        format!(
            "{:.1} queries/s; p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms",
            report.queries_per_second, times.p50, times.p95, times.p99
        ),
    );
    let plan = &report.plan;
    sheet.heading(&plan.dataset);
    let half = match plan.half {
        None => "",
        Some(Half::A) => ", half A",
        Some(Half::B) => ", half B",
    };
    sheet.field(
        "queries",
        format!("{} ({}{half})", scores.queries, plan.split),
    );
    sheet.field("articles", report.articles);
    let exact = if plan.exact { ", exact" } else { "" };
    sheet.field("mode", format!("{}{exact}", plan.mode.as_str()));
    sheet.optional("fusion", report.fusion.as_ref().map(fusion));
    sheet.field("model", &report.model);
    let passages = match plan.passages {
        PassageMode::On => "on",
        PassageMode::Off => "off: one vector an article",
    };
    sheet.field("passages", passages);
    sheet.finish()
}

fn fusion(fusion: &Fusion) -> String {
    match fusion {
        Fusion::Rrf { k, semantic_weight } => {
            format!("rrf, k {k}, semantic weight {semantic_weight}")
        }
        Fusion::Weighted { semantic_weight } => {
            format!("weighted, semantic weight {semantic_weight}")
        }
    }
}
