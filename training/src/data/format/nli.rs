//! Natural language inference: premise, hypothesis, and what follows.

use super::Reading;
use crate::data::record::Record;
use crate::data::spec::DataSpec;
use crate::example::Label;

/// In the order of sentence-transformers, alphabetical.
const CLASSES: [&str; 3] = ["contradiction", "entailment", "neutral"];

pub(super) fn read(record: &Record<'_>, spec: &DataSpec) -> Result<Reading, String> {
    let column = spec.label_column().unwrap_or("label");
    let label = record.value(column);
    let label = label.as_deref().map(str::trim);
    // SNLI and MultiNLI write `-` where the annotators did not agree.
    if matches!(label, Some("-" | "null")) {
        return Ok(Reading::Unlabelled);
    }
    let class = class(record.text(column)?, column, spec)?;
    let texts = spec
        .text_columns()
        .into_iter()
        .map(|column| record.text(column).map(str::to_owned))
        .collect::<Result<_, _>>()?;
    Ok(Reading::Examples(vec![(texts, Label::Class(class))]))
}

fn class(label: &str, column: &str, spec: &DataSpec) -> Result<u32, String> {
    if let Some(labels) = &spec.labels {
        return labels.get(label).copied().ok_or_else(|| {
            let known: Vec<&str> = labels.keys().map(String::as_str).collect();
            format!(
                "`{column}` is `{label}`: `labels` knows {}",
                known.join(", ")
            )
        });
    }
    CLASSES
        .iter()
        .position(|name| name.eq_ignore_ascii_case(label))
        .map(|class| class as u32)
        .ok_or_else(|| {
            format!(
                "`{column}` is `{label}`, not {}; set `labels` for other names",
                CLASSES.join(", ")
            )
        })
}
