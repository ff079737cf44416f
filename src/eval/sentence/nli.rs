use super::{PairClassifier, Rows, table};
use crate::error::{Error, ErrorKind, Result};
use serde::Serialize;
use std::path::Path;

/// The classes of natural language inference, in the order of their numbers
/// (that of sentence-transformers).
pub const NLI_CLASSES: [&str; 3] = ["contradiction", "entailment", "neutral"];

/// A premise, a hypothesis, and how they stand to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NliPair {
    /// What is given.
    pub premise: String,
    /// What may follow from it.
    pub hypothesis: String,
    /// Place in [`NLI_CLASSES`].
    pub class: usize,
}

impl NliPair {
    /// Reads the columns `premise`, `hypothesis` and `label` (or `sentence1`,
    /// `sentence2` and `entailment`, as SICK has them), the label in any case.
    ///
    /// # Errors
    /// With file and line, when a column is missing, a text is empty or a
    /// label unknown.
    pub fn read(path: &Path) -> Result<Vec<Self>> {
        let columns: [&[&str]; 3] = [
            &["premise", "sentence1"],
            &["hypothesis", "sentence2"],
            &["label", "entailment"],
        ];
        let records = table::read(path, columns)?;
        let pairs = records.into_iter().map(|record| {
            let [premise, hypothesis, label] = record.cells;
            let known = |class: &&str| class.eq_ignore_ascii_case(&label);
            let class = NLI_CLASSES.iter().position(known);
            let class = class.ok_or_else(|| {
                let known = NLI_CLASSES.join(", ");
                let what = format!("the label {label:?} is none of {known}");
                table::fault(path, record.line, what)
            })?;
            Ok(Self {
                premise,
                hypothesis,
                class,
            })
        });
        pairs.collect()
    }
}

/// How often a classifier over embeddings is right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NliScores {
    /// Share of the pairs that are classed rightly.
    pub accuracy: f64,
    /// The same within each class of [`NLI_CLASSES`]; nothing for a class
    /// that does not occur.
    pub class_accuracy: [Option<f64>; NLI_CLASSES.len()],
    /// Share of the most frequent class: what guessing would reach.
    pub majority: f64,
    /// Pairs measured.
    pub pairs: usize,
}

impl NliScores {
    /// Of the embeddings of premises and hypotheses, each with the
    /// classifier's dimension.
    ///
    /// # Errors
    /// When there are no pairs, or the classifier has other classes.
    pub fn of(
        classifier: &PairClassifier,
        pairs: &[NliPair],
        premises: &[f32],
        hypotheses: &[f32],
    ) -> Result<Self> {
        if pairs.is_empty() || classifier.classes() != NLI_CLASSES.len() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "{} pair(s) of {} classes cannot be measured with a classifier of {}",
                    pairs.len(),
                    NLI_CLASSES.len(),
                    classifier.classes()
                ),
            ));
        }
        let rows = Rows::new(&[premises, hypotheses], pairs.len(), classifier.dimension())?;
        let (mut right, mut all) = ([0usize; 3], [0usize; 3]);
        for (pair, sides) in pairs.iter().zip(rows) {
            all[pair.class] += 1;
            right[pair.class] += usize::from(classifier.classify(sides[0], sides[1]) == pair.class);
        }
        let share = |part: usize, whole: usize| part as f64 / whole as f64;
        Ok(Self {
            accuracy: share(right.iter().sum(), pairs.len()),
            class_accuracy: std::array::from_fn(|class| {
                (all[class] > 0).then(|| share(right[class], all[class]))
            }),
            majority: share(all.into_iter().max().unwrap_or(0), pairs.len()),
            pairs: pairs.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &str) -> Result<Vec<NliPair>> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        NliPair::read(file.path())
    }

    #[test]
    fn both_layouts_are_read_and_classes_numbered() {
        let plain = read("premise\thypothesis\tlabel\na\tb\tneutral\nc\td\tentailment\n").unwrap();
        assert_eq!((plain[0].class, plain[1].class), (2, 1));
        let sick =
            read("sentence1\tsentence2\tscore\tentailment\na\tb\t3\tCONTRADICTION\n").unwrap();
        assert_eq!((sick[0].class, &sick[0].hypothesis[..]), (0, "b"));
    }

    #[test]
    fn an_unknown_label_is_named_with_its_line() {
        let error = read("premise\thypothesis\tlabel\na\tb\tnot_entailment\n").unwrap_err();
        let message = error.to_string();
        for part in [
            "line 2",
            "not_entailment",
            "contradiction, entailment, neutral",
        ] {
            assert!(message.contains(part), "{message}");
        }
    }
}
