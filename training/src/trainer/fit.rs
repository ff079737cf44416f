//! Whether examples fit their objective, and their labels as a batch.

use crate::example::{Example, Label};
use crate::objective::{Labels, ObjectiveConfig};
use candle_core::{Device, Tensor};
use medsift::{Error, ErrorKind, Result};

/// Scores of [`ObjectiveConfig::Cosine`].
const SCORES: std::ops::RangeInclusive<f32> = 0.0..=5.0;

/// Checks that every example has as many texts as the objective takes.
///
/// # Errors
/// Names the files and the first example that has not.
pub(super) fn check_columns(
    config: &ObjectiveConfig,
    columns: usize,
    examples: &[Example],
    data: &toml::Table,
) -> Result<()> {
    let other = examples.iter().find(|e| e.texts.len() != columns);
    other.map_or(Ok(()), |example| {
        let texts = example.texts.len();
        let what = format!("takes {columns} text(s) an example, but one has {texts}");
        Err(refused(config, &what, example, data))
    })
}

/// Checks that every example has a label that the objective can learn from.
///
/// # Errors
/// Names the files and the first example that has not.
pub(super) fn check_labels(
    config: &ObjectiveConfig,
    examples: &[Example],
    data: &toml::Table,
) -> Result<()> {
    for example in examples {
        if let Err(what) = fits(config, &example.label) {
            return Err(refused(config, &what, example, data));
        }
    }
    Ok(())
}

fn fits(config: &ObjectiveConfig, label: &Label) -> std::result::Result<(), String> {
    let needs = |what: &str| Err(format!("needs {what}, but {}", found(label)));
    match (config, label) {
        (ObjectiveConfig::Matryoshka(outer), _) => fits(&outer.inner, label),
        (ObjectiveConfig::Triplet(_) | ObjectiveConfig::Ranking(_), _) => Ok(()),
        (ObjectiveConfig::Softmax(softmax), Label::Class(class)) => {
            if *class < softmax.classes {
                return Ok(());
            }
            Err(format!(
                "has {} classes, counted from 0, but an example has the class {class}; raise \
                 `classes` or mend `labels`",
                softmax.classes
            ))
        }
        (ObjectiveConfig::Cosine(_), Label::Score(score)) if SCORES.contains(score) => Ok(()),
        (ObjectiveConfig::Cosine(_), Label::Score(score)) => Err(format!(
            "takes scores from 0 to 5, but an example has {score}; give the set's `score_range`"
        )),
        (ObjectiveConfig::Graded(_), Label::Score(_))
        | (ObjectiveConfig::BatchTriplet(_), Label::Class(_))
        | (ObjectiveConfig::MarginMse(_) | ObjectiveConfig::Listwise(_), Label::Scores(_)) => {
            Ok(())
        }
        (ObjectiveConfig::MarginMse(margin), Label::Score(_)) if margin.negatives == 1 => Ok(()),
        (ObjectiveConfig::Softmax(_) | ObjectiveConfig::BatchTriplet(_), _) => {
            needs("a class for each example")
        }
        (ObjectiveConfig::Cosine(_) | ObjectiveConfig::Graded(_), _) => {
            needs("a score for each example")
        }
        (ObjectiveConfig::MarginMse(_) | ObjectiveConfig::Listwise(_), _) => {
            needs("a list of `scores` for each example")
        }
        (ObjectiveConfig::Distillation(_) | ObjectiveConfig::Relational(_), _) => {
            Err("needs a teacher: name one in `[[stage.teacher]]`".to_owned())
        }
    }
}

fn found(label: &Label) -> &'static str {
    match label {
        Label::None => "an example has none",
        Label::Class(_) => "an example has a class",
        Label::Score(_) => "an example has one score",
        Label::Scores(_) => "an example has a list of scores",
    }
}

fn refused(config: &ObjectiveConfig, what: &str, example: &Example, data: &toml::Table) -> Error {
    let files = data
        .get("files")
        .map_or_else(String::new, ToString::to_string);
    let text = example.texts.first().map_or("", |text| text);
    Error::new(
        ErrorKind::InvalidInput,
        format!(
            "the objective `{}` {what}: \"{text}\" in {files}",
            config.kind()
        ),
    )
}

/// The labels of a batch; all of its set are of one kind.
pub(super) fn labels(examples: &[&Example], on: &Device) -> candle_core::Result<Labels> {
    let mut classes = Vec::new();
    let mut scores = Vec::new();
    let mut lists: Vec<f32> = Vec::new();
    let mut width = 0;
    for example in examples {
        match &example.label {
            Label::None => {}
            Label::Class(class) => classes.push(*class),
            Label::Score(score) => scores.push(*score),
            Label::Scores(list) => {
                width = list.len();
                lists.extend(list);
            }
        }
    }
    let count = examples.len();
    if classes.len() == count {
        Ok(Labels::Classes(classes))
    } else if scores.len() == count {
        Ok(Labels::Scores(scores))
    } else if width > 0 && lists.len() == count * width {
        Ok(Labels::Lists(Tensor::from_vec(lists, (count, width), on)?))
    } else if classes.is_empty() && scores.is_empty() && lists.is_empty() {
        Ok(Labels::None)
    } else {
        candle_core::bail!("the examples of a batch have labels of different kinds")
    }
}
