//! What trainings did, and would do.

use super::sheet::Sheet;
use super::text::clean;
use crate::commands::train::{Checked, PairsReport};
use crate::output::Style;
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use medsift_training::config::StageKind;
use medsift_training::record::{RunFolder, RunRecord, Status, summary};
use medsift_training::trainer::StagePlan;
use std::time::Duration;

/// Scores of a run as a table, and where its model is.
pub(crate) fn run(record: &RunRecord, folder: &RunFolder) -> String {
    let mut text = summary(record);
    if !text.is_empty() {
        text.push('\n');
    }
    let time = HumanDuration(Duration::from_secs_f64(record.seconds.max(0.0)));
    text.push_str(&format!("trained  {time}\n"));
    if record.status == Status::Finished {
        let model = folder.model().display().to_string();
        text.push_str(&format!("model    {}\n", clean(&model)));
    }
    let run = folder.root().display().to_string();
    text.push_str(&format!("record   {}\n", clean(&run)));
    text
}

/// A sheet for each stage.
pub(crate) fn check(checked: &Checked, width: usize, style: Style) -> String {
    let plan = &checked.plan;
    let mut sheet = Sheet::new(width, style);
    sheet.field("start", &plan.base);
    sheet.field("parameters", count(plan.parameters as u64));
    sheet.field("output", checked.output.display());
    for (number, stage) in plan.stages.iter().enumerate() {
        sheet.heading(&format!("Stage {}: {}", number + 1, stage.name));
        fields(&mut sheet, stage);
    }
    sheet.finish()
}

fn fields(sheet: &mut Sheet, stage: &StagePlan) {
    let kind = match stage.kind {
        StageKind::Mlm => "tokens",
        StageKind::Sentence => "sentences",
        StageKind::Token => "tags of words",
        StageKind::Text => "labels of texts",
        StageKind::Span => "answers in passages",
    };
    sheet.field("learns", format!("{kind} {}", stage.objective).trim());
    sheet.list(
        "data",
        stage.data.iter().map(|source| {
            let left_out = match source.skipped {
                0 => String::new(),
                skipped => format!(", {} left out", count(skipped)),
            };
            if stage.examples.is_none() {
                // Of text that is streamed nothing is counted beforehand.
                return format!("{}: {}", source.path, HumanBytes(source.bytes));
            }
            format!(
                "{}: {} examples{left_out}",
                source.path,
                count(source.examples)
            )
        }),
    );
    sheet.optional("examples", stage.examples.map(count));
    let steps = stage
        .steps
        .map_or("known when the text is read".into(), count);
    let each = format!("{steps}, {} examples each", stage.batch);
    sheet.field("steps", each);
    sheet.field("texts", format!("up to {} tokens", stage.max_tokens));
    sheet.field(
        "trained",
        format!("{} numbers", count(stage.trained as u64)),
    );
    sheet.list(
        "measured on",
        stage
            .evaluation
            .iter()
            .map(|(name, examples)| format!("{name}: {} examples", count(*examples as u64))),
    );
    sheet.field("memory", format!("about {}", HumanBytes(stage.memory)));
}

/// What examples were made of.
pub(crate) fn pairs(report: &PairsReport, width: usize, style: Style) -> String {
    let mut sheet = Sheet::new(width, style);
    let records = &report.records;
    sheet.field(
        "records",
        format!(
            "{} in {} files: {} articles, {} withdrawals, {} faulty",
            count(records.records),
            records.files,
            count(records.articles),
            count(records.deletions),
            count(records.faulty)
        ),
    );
    let articles = &report.articles;
    let number = |value: usize| count(value as u64);
    sheet.field(
        "articles",
        format!(
            "{} taken; left out: {} replaced, {} withdrawn, {} retracted, {} held out, {} without \
             text",
            number(articles.held),
            number(articles.replaced),
            number(articles.withdrawn),
            number(articles.retracted),
            number(articles.excluded),
            number(articles.without_text)
        ),
    );
    sheet.field(
        "examples",
        format!(
            "{} made, {} written",
            number(report.made),
            number(report.written)
        ),
    );
    sheet.field("file", report.output.display());
    sheet.finish()
}

fn count(value: u64) -> String {
    HumanCount(value).to_string()
}
