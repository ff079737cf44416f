//! Semantic textual similarity: two sentences and a score.

use super::Reading;
use crate::data::record::Record;
use crate::data::spec::DataSpec;
use crate::example::Label;

/// The range that objectives expect, that of STS Benchmark.
const HIGHEST: f32 = 5.0;

pub(super) fn read(record: &Record<'_>, spec: &DataSpec) -> Result<Reading, String> {
    let column = spec.label_column().unwrap_or("score");
    let [low, high] = spec.score_range.unwrap_or([0.0, HIGHEST]);
    let score = record.number(column)?;
    if !(low..=high).contains(&score) {
        return Err(format!(
            "`{column}` {score} is outside `score_range` [{low}, {high}]"
        ));
    }
    let texts = spec
        .text_columns()
        .into_iter()
        .map(|column| record.text(column).map(str::to_owned))
        .collect::<Result<_, _>>()?;
    let scaled = (score - low) / (high - low) * HIGHEST;
    Ok(Reading::Examples(vec![(texts, Label::Score(scaled))]))
}
