//! Examples as a file that a training reads.

use crate::example::{Example, Label};
use crate::files::write_file;
use medsift::{Error, ErrorKind, Result};
use serde::Serialize;
use std::path::Path;

/// One line of [`Format::Pairs`](super::Format::Pairs).
#[derive(Serialize)]
struct Line<'a> {
    texts: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<&'a [f32]>,
}

/// Writes examples as JSON lines, whole or not at all. The format `pairs`
/// reads them, however many texts they have.
///
/// # Errors
/// When writing fails.
pub fn write_examples(path: &Path, examples: &[Example]) -> Result<()> {
    let mut bytes = Vec::new();
    for example in examples {
        let mut line = Line {
            texts: example.texts.iter().map(AsRef::as_ref).collect(),
            label: None,
            score: None,
            scores: None,
        };
        match &example.label {
            Label::None => {}
            Label::Class(class) => line.label = Some(*class),
            Label::Score(score) => line.score = Some(*score),
            Label::Scores(scores) => line.scores = Some(scores),
        }
        serde_json::to_writer(&mut bytes, &line).map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                format!("cannot describe an example: {error}"),
            )
        })?;
        bytes.push(b'\n');
    }
    write_file(path, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DataSpec, Format, load};

    #[test]
    fn what_was_written_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("examples.jsonl");
        for (label, texts) in [
            (Label::None, vec!["a \"b\"", "c\nd", "é"]),
            (Label::Score(2.625), vec!["a", "b"]),
            (Label::Class(2), vec!["a", "b"]),
            (Label::Scores(vec![0.5, -1.25]), vec!["a", "b", "c"]),
        ] {
            let example = Example {
                texts: texts.into_iter().map(Into::into).collect(),
                label,
            };
            write_examples(&path, &[example.clone(), example.clone()]).unwrap();
            let spec = DataSpec::new(Format::Pairs, [path.to_string_lossy()]);
            let read = load(&spec).unwrap();
            assert_eq!(read.examples, [example.clone(), example]);
        }
    }
}
