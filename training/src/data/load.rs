//! Loading a training set.

use super::exclude::Exclusions;
use super::files::expand;
use super::format::{self, Draft, Reading};
use super::guard::{refuse_evaluation_id, refuse_evaluation_set};
use super::lines::Lines;
use super::random::draw;
use super::record::Records;
use super::report::SourceFile;
use super::spec::{DataSpec, Faults, Format};
use crate::example::{Example, Label};
use medsift::{Error, ErrorKind, Result};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// What a set is loaded for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Sets for measuring and test splits are refused.
    Training,
    /// Every set may be read.
    Evaluation,
}

/// A loaded set.
#[derive(Debug, Clone, Default)]
pub struct DataSet {
    /// The examples, in the order of the files.
    pub examples: Vec<Example>,
    /// The files that they came from.
    pub sources: Vec<SourceFile>,
}

/// Loads a set for training.
///
/// # Errors
/// When the specification does not hold together; a file cannot be read, is
/// refused ([`refuse_evaluation_set`]) or has a faulty record (file, line and
/// column are named); or no example is left.
pub fn load(spec: &DataSpec) -> Result<DataSet> {
    load_for(spec, Purpose::Training)
}

/// Loads a set.
///
/// # Errors
/// As [`load`]; nothing is refused for [`Purpose::Evaluation`].
pub fn load_for(spec: &DataSpec, purpose: Purpose) -> Result<DataSet> {
    spec.check()?;
    let mut loader = Loader {
        spec,
        purpose,
        exclusions: Exclusions::read(&spec.exclude)?,
        texts: HashSet::new(),
        set: DataSet::default(),
        origins: Vec::new(),
        columns: None,
    };
    for path in expand(&spec.files)? {
        if purpose == Purpose::Training {
            refuse_evaluation_set(&path)?;
        }
        match spec.format {
            Format::Beir => loader.folder(&path)?,
            _ => loader.file(&path)?,
        }
    }
    loader.finish()
}

struct Loader<'a> {
    spec: &'a DataSpec,
    purpose: Purpose,
    exclusions: Exclusions,
    /// Texts that occur more than once are held once.
    texts: HashSet<Arc<str>>,
    set: DataSet,
    /// For each example the number of its file.
    origins: Vec<usize>,
    /// Texts of the first example, to which the others must be equal in
    /// number, and where it stands.
    columns: Option<usize>,
}

impl Loader<'_> {
    fn file(&mut self, path: &Path) -> Result<()> {
        let mut records = Records::open(path)?;
        let mut source = SourceFile::new(path);
        let mut fault = None;
        while let Some((line, record)) = records.next_record()? {
            let reading = record.and_then(|record| {
                if self.purpose == Purpose::Training
                    && let Some(id) = record.id()
                {
                    // Not to be skipped as a fault: the file is the wrong one.
                    if let Err(what) = refuse_evaluation_id(&id) {
                        fault = Some((line, what));
                        return Ok(None);
                    }
                }
                let wanted = |(column, value): (&String, &String)| {
                    record.value(column).as_deref() == Some(value)
                };
                if !self.spec.only.iter().all(wanted) {
                    source.skipped.filtered += 1;
                    return Ok(None);
                }
                format::read(&record, self.spec).map(Some)
            });
            let faults = match reading {
                Ok(None) => Vec::new(),
                Ok(Some(reading)) => self.take_reading(reading, &mut source),
                Err(what) => vec![what],
            };
            for what in faults {
                if self.spec.faults == Faults::Refuse {
                    fault.get_or_insert((line, what));
                } else {
                    source.skip_fault(line, &what);
                }
            }
            if fault.is_some() {
                break;
            }
        }
        if let Some((line, what)) = fault {
            return Err(records.fault(line, &what));
        }
        (source.sha256, source.bytes) = records.finish()?;
        self.set.sources.push(source);
        Ok(())
    }

    fn folder(&mut self, path: &Path) -> Result<()> {
        let split = self.spec.split.as_deref().unwrap_or_default();
        if self.purpose == Purpose::Training && split == "test" {
            return Err(Error::invalid(
                "split",
                format!("{}: a test split is not for training", path.display()),
            ));
        }
        let (drafts, corpus) = format::read_folder(path, split)?;
        if self.purpose == Purpose::Training {
            refuse_evaluation_set(&corpus)?;
        }
        let mut source = SourceFile::new(&corpus);
        for (number, draft) in (1..).zip(drafts) {
            if let Err(what) = self.take(draft, &mut source) {
                if self.spec.faults == Faults::Refuse {
                    return Err(Error::new(
                        ErrorKind::Incompatible,
                        format!("{}, judgement {number} of {split}: {what}", path.display()),
                    ));
                }
                source.skip_fault(number, &what);
            }
        }
        (source.sha256, source.bytes) = Lines::open(&corpus)?.finish()?;
        self.set.sources.push(source);
        Ok(())
    }

    /// Takes what a record gives, and says what is wrong with the rest of it.
    fn take_reading(&mut self, reading: Reading, source: &mut SourceFile) -> Vec<String> {
        match reading {
            Reading::Unlabelled => source.skipped.unlabelled += 1,
            Reading::Short => source.skipped.length += 1,
            Reading::Examples(drafts) => {
                return drafts
                    .into_iter()
                    .filter_map(|draft| self.take(draft, source).err())
                    .collect();
            }
        }
        Vec::new()
    }

    fn take(
        &mut self,
        (texts, label): Draft,
        source: &mut SourceFile,
    ) -> std::result::Result<(), String> {
        if let Some(empty) = texts.iter().position(String::is_empty) {
            return Err(format!("text {} is empty", empty + 1));
        }
        let columns = *self.columns.get_or_insert(texts.len());
        if columns != texts.len() {
            return Err(format!(
                "{} texts, but the examples before it have {columns}; all examples of a set \
                 need the same number (`candidates` evens out lists)",
                texts.len()
            ));
        }
        if !texts.iter().all(|text| self.fits(text)) {
            source.skipped.length += 1;
        } else if self.exclusions.holds_example(&texts) {
            source.skipped.excluded += 1;
        } else {
            let texts = texts.into_iter().map(|text| self.share(text)).collect();
            self.push(Example { texts, label });
            source.examples += 1;
        }
        Ok(())
    }

    fn push(&mut self, example: Example) {
        self.set.examples.push(example);
        self.origins.push(self.set.sources.len());
    }

    fn fits(&self, text: &str) -> bool {
        let count = match (self.spec.min_characters, self.spec.max_characters) {
            (None, None) => return true,
            _ => text.chars().count(),
        };
        self.spec.min_characters.is_none_or(|least| count >= least)
            && self.spec.max_characters.is_none_or(|most| count <= most)
    }

    fn share(&mut self, text: String) -> Arc<str> {
        if let Some(shared) = self.texts.get(text.as_str()) {
            return Arc::clone(shared);
        }
        let shared: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&shared));
        shared
    }

    fn finish(mut self) -> Result<DataSet> {
        if let Some(limit) = self.spec.limit
            && limit < self.set.examples.len()
        {
            self.draw(limit);
        }
        if self.set.examples.is_empty() {
            let skipped: usize = self.set.sources.iter().map(|s| s.skipped.total()).sum();
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "no example is left of {}: {skipped} were left out",
                    self.spec.files.join(", ")
                ),
            ));
        }
        check_labels(&self.set)?;
        Ok(self.set)
    }

    /// Keeps a seeded draw, in the order that there was.
    fn draw(&mut self, limit: usize) {
        let keep = draw(self.set.examples.len(), limit, self.spec.seed);
        for (&kept, &origin) in keep.iter().zip(&self.origins) {
            if !kept {
                let source = &mut self.set.sources[origin];
                source.examples -= 1;
                source.skipped.over_limit += 1;
            }
        }
        let mut kept = keep.into_iter();
        self.set.examples.retain(|_| kept.next().unwrap_or(false));
    }
}

/// All examples of a set have the same sort of label.
fn check_labels(set: &DataSet) -> Result<()> {
    let Some(first) = set.examples.first() else {
        return Ok(());
    };
    let sort = |label: &Label| std::mem::discriminant(label);
    match set
        .examples
        .iter()
        .position(|example| sort(&example.label) != sort(&first.label))
    {
        None => Ok(()),
        Some(at) => Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "example {} of the set has the label {:?}, but the first one has {:?}; all \
                 examples of a set need the same sort of label",
                at + 1,
                set.examples[at].label,
                first.label
            ),
        )),
    }
}
