//! Examples whose columns say it all: pairs, triplets, and JSON lines with
//! `texts`.

use super::{Draft, Reading};
use crate::data::record::Record;
use crate::data::spec::{DataSpec, Format};
use crate::example::Label;

pub(super) fn read(record: &Record<'_>, spec: &DataSpec) -> Result<Reading, String> {
    let drafts = if spec.format == Format::Pairs && spec.columns.is_none() && record.has("texts") {
        let texts = record.texts("texts")?;
        if texts.len() < 2 {
            return Err(format!("`texts` holds {}, two are needed", texts.len()));
        }
        vec![texts.into_iter().map(str::to_owned).collect()]
    } else {
        product(record, spec)?
    };
    let examples = drafts
        .into_iter()
        .map(|texts: Vec<String>| label(record, spec, texts.len()).map(|label| (texts, label)))
        .collect::<Result<Vec<Draft>, _>>()?;
    Ok(Reading::Examples(examples))
}

/// One text of each column; a column that holds a list gives a row for each.
fn product(record: &Record<'_>, spec: &DataSpec) -> Result<Vec<Vec<String>>, String> {
    let mut rows = vec![Vec::new()];
    for column in spec.text_columns() {
        let texts = record.texts(column)?;
        rows = rows
            .iter()
            .flat_map(|row: &Vec<String>| {
                texts.iter().map(|text| {
                    let mut row = row.clone();
                    row.push((*text).to_owned());
                    row
                })
            })
            .collect();
    }
    Ok(rows)
}

fn label(record: &Record<'_>, spec: &DataSpec, columns: usize) -> Result<Label, String> {
    if let Some(column) = spec.label_column() {
        return Ok(Label::Score(in_range(
            record.number(column)?,
            column,
            spec,
        )?));
    }
    // Without a word in the configuration only JSON lines carry labels: in a
    // table a column `score` may be anything.
    let Record::Json(_) = record else {
        return Ok(Label::None);
    };
    if spec.format == Format::Triplets {
        return Ok(Label::None);
    }
    if record.has("scores") {
        let scores = record.numbers("scores")?;
        if scores.len() + 1 != columns {
            return Err(format!(
                "`scores` holds {} numbers, but {} texts follow the first",
                scores.len(),
                columns - 1
            ));
        }
        return Ok(Label::Scores(scores));
    }
    if record.has("score") {
        return Ok(Label::Score(in_range(
            record.number("score")?,
            "score",
            spec,
        )?));
    }
    if record.has("label") {
        let class = record.number("label")?;
        if class < 0.0 || class.fract() != 0.0 || class > 65_535.0 {
            return Err(format!("`label` {class} is not a class counted from 0"));
        }
        return Ok(Label::Class(class as u32));
    }
    Ok(Label::None)
}

fn in_range(score: f32, column: &str, spec: &DataSpec) -> Result<f32, String> {
    match spec.score_range {
        Some([low, high]) if !(low..=high).contains(&score) => Err(format!(
            "`{column}` {score} is outside `score_range` [{low}, {high}]"
        )),
        _ => Ok(score),
    }
}
