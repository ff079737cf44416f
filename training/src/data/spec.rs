//! What a configuration says about one training set.

use medsift::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// One training set, as a configuration describes it. Keys that are not known
/// are refused.
///
/// ```toml
/// format = "sts"
/// files = ["data/sts/stsb/train.tsv.gz"]
/// score_range = [0, 5]
/// exclude = ["data/sts/stsb/test.tsv", "data/sts/stsb/dev.tsv"]
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSpec {
    /// What the records are.
    pub format: Format,
    /// Files, tab-separated with a header (`.tsv`) or JSON lines (`.jsonl`),
    /// plain or gzip; `*` and `?` stand for any characters and for one in a
    /// file's name. Folders for [`Format::Beir`].
    pub files: Vec<String>,
    /// Columns that hold the texts, in the order of the objective; the
    /// format's own names where it is left out. In JSON lines a dot leads
    /// into an object or a list (`snippets.text`), and each element of a list
    /// makes an example of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// Column of the label or score; the format's own name where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Class of each label's name, in place of the three of NLI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<String, u32>>,
    /// Lowest and highest score of the set. Required for [`Format::Sts`],
    /// since sets with 0–4 and 1–5 look like sets with 0–5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_range: Option<[f32; 2]>,
    /// Only records whose columns hold these values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, String>,
    /// Split of a BEIR folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Candidates of each list of [`Format::Scored`]: longer lists keep their
    /// first ones, shorter ones are skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<usize>,
    /// Held-out files whose examples or texts must not be trained on
    /// ([`super::Exclusions`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// At most so many examples, drawn with the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Seed of the draw.
    #[serde(default)]
    pub seed: u64,
    /// Examples with a shorter text, in characters, are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_characters: Option<usize>,
    /// Examples with a longer text, in characters, are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_characters: Option<usize>,
    /// What a faulty record does.
    #[serde(default)]
    pub faults: Faults,
}

/// The kinds of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// `premise`, `hypothesis`, `label`: contradiction 0, entailment 1,
    /// neutral 2, the order of sentence-transformers.
    Nli,
    /// `sentence1`, `sentence2`, `score`, brought from its range to 0–5.
    Sts,
    /// `anchor`, `positive`, `negative`.
    Triplets,
    /// `anchor`, `positive`; or JSON lines with `texts` and perhaps `score`,
    /// `scores` or `label`.
    Pairs,
    /// JSON lines with `query`, `candidates`, `scores`: a teacher's list.
    Scored,
    /// A BEIR folder: each query with each document judged relevant.
    Beir,
}

/// What a faulty record does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Faults {
    /// It ends the reading with an error.
    #[default]
    Refuse,
    /// It is left out, counted, and the first ones are named in the report.
    Skip,
}

impl DataSpec {
    /// A set with nothing but its format and files.
    pub fn new(format: Format, files: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            format,
            files: files.into_iter().map(Into::into).collect(),
            columns: None,
            label: None,
            labels: None,
            score_range: None,
            only: BTreeMap::new(),
            split: None,
            candidates: None,
            exclude: Vec::new(),
            limit: None,
            seed: 0,
            min_characters: None,
            max_characters: None,
            faults: Faults::default(),
        }
    }

    /// Reads a table of a configuration.
    ///
    /// # Errors
    /// Names the key that is missing, not known or of another type.
    pub fn from_table(table: &toml::Table) -> Result<Self> {
        from_table(table)
    }

    /// Takes relative paths as seen from a folder.
    #[must_use]
    pub fn relative_to(mut self, folder: &Path) -> Self {
        for file in self.files.iter_mut().chain(&mut self.exclude) {
            // Joining an absolute path gives that path.
            *file = folder.join(&*file).to_string_lossy().into_owned();
        }
        self
    }

    /// Columns of the texts.
    pub fn text_columns(&self) -> Vec<&str> {
        match &self.columns {
            Some(columns) => columns.iter().map(String::as_str).collect(),
            None => match self.format {
                Format::Nli => vec!["premise", "hypothesis"],
                Format::Sts => vec!["sentence1", "sentence2"],
                Format::Triplets => vec!["anchor", "positive", "negative"],
                Format::Pairs => vec!["anchor", "positive"],
                Format::Scored => vec!["query", "candidates"],
                Format::Beir => Vec::new(),
            },
        }
    }

    /// Column of the label or score, where the format or the configuration
    /// has one.
    pub fn label_column(&self) -> Option<&str> {
        let own = match self.format {
            Format::Nli => Some("label"),
            Format::Sts => Some("score"),
            Format::Scored => Some("scores"),
            Format::Triplets | Format::Pairs | Format::Beir => None,
        };
        self.label.as_deref().or(own)
    }

    /// Checks what can be checked without the files.
    ///
    /// # Errors
    /// Names the key that does not fit and says what would.
    pub fn check(&self) -> Result<()> {
        if self.files.is_empty() {
            return Err(Error::invalid("files", "`files` names no file"));
        }
        self.check_columns()?;
        self.check_scores()?;
        if self.format == Format::Beir && self.split.is_none() {
            return Err(Error::invalid(
                "split",
                "a BEIR folder needs `split`, such as \"train\"",
            ));
        }
        for (key, value) in [("limit", self.limit), ("candidates", self.candidates)] {
            if value == Some(0) {
                return Err(Error::invalid(
                    "limit",
                    format!("`{key}` must be at least 1"),
                ));
            }
        }
        if let (Some(least), Some(most)) = (self.min_characters, self.max_characters)
            && least > most
        {
            return Err(Error::invalid(
                "min_characters",
                format!("`min_characters` {least} is above `max_characters` {most}"),
            ));
        }
        let misplaced = [
            ("labels", self.labels.is_some(), Format::Nli),
            ("candidates", self.candidates.is_some(), Format::Scored),
            ("split", self.split.is_some(), Format::Beir),
        ];
        for (key, there, format) in misplaced {
            if there && self.format != format {
                return Err(Error::invalid(
                    "format",
                    format!("`{key}` belongs to another format than {:?}", self.format),
                ));
            }
        }
        Ok(())
    }

    fn check_columns(&self) -> Result<()> {
        let count = self.text_columns().len();
        let (fits, needed) = match self.format {
            Format::Nli | Format::Sts | Format::Scored => (count == 2, "two columns"),
            Format::Triplets => (count == 3, "three columns"),
            Format::Pairs => (count >= 2, "two columns or more"),
            Format::Beir => (count == 0, "no columns"),
        };
        if fits {
            return Ok(());
        }
        Err(Error::invalid(
            "columns",
            format!(
                "`columns` has {count}, but {:?} needs {needed}",
                self.format
            ),
        ))
    }

    fn check_scores(&self) -> Result<()> {
        match self.score_range {
            Some([low, high]) if !(low.is_finite() && high.is_finite() && low < high) => {
                Err(Error::invalid(
                    "score_range",
                    format!("`score_range` [{low}, {high}] does not rise"),
                ))
            }
            None if self.format == Format::Sts => Err(Error::invalid(
                "score_range",
                "STS needs `score_range`, the lowest and highest score of the set: [0, 5] for \
                 STS Benchmark and STS 2012–2016, [1, 5] for SICK, [0, 4] for BIOSSES",
            )),
            _ => Ok(()),
        }
    }
}

/// Reads a table of a configuration as what it describes.
pub(crate) fn from_table<T: serde::de::DeserializeOwned>(table: &toml::Table) -> Result<T> {
    table.clone().try_into().map_err(|error: toml::de::Error| {
        Error::invalid("data", format!("a data set: {}", error.message()))
    })
}
