//! Lists with a teacher's scores, for listwise distillation.

use super::Reading;
use crate::data::record::Record;
use crate::data::spec::DataSpec;
use crate::example::Label;

pub(super) fn read(record: &Record<'_>, spec: &DataSpec) -> Result<Reading, String> {
    let columns = spec.text_columns();
    let (query, candidates) = (columns[0], columns[1]);
    let column = spec.label_column().unwrap_or("scores");
    let mut texts = vec![record.text(query)?.to_owned()];
    texts.extend(record.texts(candidates)?.into_iter().map(str::to_owned));
    let mut scores = record.numbers(column)?;
    if scores.len() + 1 != texts.len() {
        return Err(format!(
            "`{column}` holds {} numbers, but `{candidates}` {} texts",
            scores.len(),
            texts.len() - 1
        ));
    }
    if scores.is_empty() {
        return Err(format!("`{candidates}` is empty"));
    }
    if let Some(most) = spec.candidates {
        if scores.len() < most {
            return Ok(Reading::Short);
        }
        scores.truncate(most);
        texts.truncate(most + 1);
    }
    Ok(Reading::Examples(vec![(texts, Label::Scores(scores))]))
}
