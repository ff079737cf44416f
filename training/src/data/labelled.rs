//! Texts with a label each, for training and measuring.

use super::files::expand;
use super::guard::refuse_evaluation_set;
use super::lines::{Lines, at_line};
use super::load::Purpose;
use super::questions::Split;
use super::random::draw;
use super::report::SourceFile;
use super::text_key::text_key;
use medsift::enrich::PairRule;
use medsift::eval::{Cell, Column, LabelMap, LabelledTable, LabelledText, read_ids};
use medsift::{Error, ErrorKind, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// One set of labelled texts, as a configuration describes it. Keys that are
/// not known are refused.
///
/// ```toml
/// files = ["data/re/gad/folds.tsv.gz"]
/// text = "sentence"
/// labels = { 0 = "none", 1 = "association" }
/// without = { fold = 1 }
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelledSpec {
    /// Tables of tab-separated columns, or records in JSON, an object of them by
    /// their ids (PubMedQA) or one a line (BioASQ), plain or gzip; `*` and `?` stand for
    /// any characters and for one in a file's name.
    pub files: Vec<String>,
    /// Column of the text: its name, its number from 1, or a sentence with names
    /// of columns in braces.
    #[serde(default = "text_column")]
    pub text: Column,
    /// Column of the text that is read behind it, for a head with `text_pair`.
    #[serde(default)]
    pub text_pair: Option<Column>,
    /// Column of the label.
    #[serde(default = "label_column")]
    pub label: Column,
    /// Whether the first line names the columns.
    #[serde(default = "yes")]
    pub header: bool,
    /// For labels of the files the label of the head that each stands for;
    /// others stand for the one of the same name.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Labels of the files whose rows are left out.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Only rows whose columns hold these values; a list stands for one of them.
    #[serde(default)]
    pub only: BTreeMap<String, Cell>,
    /// Not the rows whose columns hold all of these, nor any with the same
    /// text as one of them: a fold that is held out.
    #[serde(default)]
    pub without: BTreeMap<String, Cell>,
    /// Parts of the texts, by their letters and digits; all where nothing is said.
    #[serde(default)]
    pub split: Option<Split>,
    /// Files with the ids of the rows that are taken: JSON, an object's keys or
    /// an array of texts.
    #[serde(default)]
    pub only_ids: Vec<String>,
    /// Files with the ids of rows that are held out, with every text like theirs.
    #[serde(default)]
    pub exclude_ids: Vec<String>,
    /// Held-out files with the same columns; a text with the same letters and
    /// digits as one of theirs is left out.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Files are annotated documents (PubTator, BioC): each pair of these types
    /// in a sentence is a text, masked as the head has it, and its label is what
    /// the document says of the two, or `none`. No column is read then.
    #[serde(default)]
    pub pairs: Option<PairRule>,
    /// At most so many texts, drawn with the seed.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Seed of the draw.
    #[serde(default)]
    pub seed: u64,
}

fn text_column() -> Column {
    LabelledTable::default().text
}

fn label_column() -> Column {
    LabelledTable::default().label
}

fn yes() -> bool {
    true
}

/// A loaded set.
#[derive(Debug, Clone)]
pub struct LabelledSet {
    /// The texts, in the order of the files.
    pub texts: Vec<LabelledText>,
    /// For each the place of its label among those of the head.
    pub classes: Vec<usize>,
    /// The files that they came from.
    pub sources: Vec<SourceFile>,
}

/// A set while it is read.
struct Reading {
    map: LabelMap,
    held_out: HashSet<u128>,
    split: Option<Split>,
    set: LabelledSet,
    /// For each text the number of its file.
    origins: Vec<usize>,
}

impl LabelledSpec {
    /// Reads the set, for a head with these labels.
    ///
    /// # Errors
    /// When a file cannot be read or has a fault (file and line are named), is
    /// refused for training ([`refuse_evaluation_set`]), a label stands for
    /// nothing, or no text is left.
    pub fn load(&self, labels: &[String], purpose: Purpose) -> Result<LabelledSet> {
        if self.files.is_empty() {
            return Err(Error::invalid("files", "`files` names no file"));
        }
        if self.limit == Some(0) {
            return Err(Error::invalid("limit", "`limit` must be at least 1"));
        }
        self.split.as_ref().map_or(Ok(()), Split::check)?;
        let mut reading = Reading {
            map: LabelMap::new(labels, &self.labels, &self.ignore)?,
            held_out: self.held_out()?,
            split: self.split.clone(),
            set: LabelledSet {
                texts: Vec::new(),
                classes: Vec::new(),
                sources: Vec::new(),
            },
            origins: Vec::new(),
        };
        let mut table = self.table();
        table.only_ids = ids(&self.only_ids)?;
        table.without_ids = ids(&self.exclude_ids)?;
        let mut read = Vec::new();
        for path in expand(&self.files)? {
            if purpose == Purpose::Training {
                refuse_evaluation_set(&path)?;
            }
            let texts = table.read(&path)?;
            // A fold is held out of all files before any is taken.
            let without = texts.without.iter().filter_map(|text| text_key(text));
            reading.held_out.extend(without);
            read.push((path, texts));
        }
        for (path, texts) in read {
            let mut source = SourceFile::new(&path);
            source.skipped.filtered = texts.without.len() + texts.others;
            (source.sha256, source.bytes) = Lines::checksum(&path)?;
            for text in texts.rows {
                reading.take(&path, text, &mut source)?;
            }
            reading.set.sources.push(source);
        }
        reading.finish(self)
    }

    fn table(&self) -> LabelledTable {
        LabelledTable {
            text: self.text.clone(),
            text_pair: self.text_pair.clone(),
            label: self.label.clone(),
            header: self.header,
            only: self.only.clone(),
            without: self.without.clone(),
            pairs: self.pairs.clone(),
            ..LabelledTable::default()
        }
    }

    /// Fingerprints of the texts of other files that must not be learnt.
    fn held_out(&self) -> Result<HashSet<u128>> {
        let table = LabelledTable {
            only: BTreeMap::new(),
            without: BTreeMap::new(),
            ..self.table()
        };
        let mut keys = HashSet::new();
        for path in expand(&self.exclude)? {
            let texts = table.read(&path)?.rows;
            keys.extend(texts.iter().filter_map(|row| text_key(&row.text)));
        }
        Ok(keys)
    }
}

/// All ids of some files.
fn ids(files: &[String]) -> Result<HashSet<String>> {
    let mut all = HashSet::new();
    for path in expand(files)? {
        all.extend(read_ids(&path)?);
    }
    Ok(all)
}

impl Reading {
    fn take(&mut self, path: &Path, text: LabelledText, source: &mut SourceFile) -> Result<()> {
        let place = self
            .map
            .place(&text.label)
            .map_err(|error| at_line(error.kind(), path, text.line as u64, error))?;
        let key = text_key(&text.text);
        let split = self.split.as_ref();
        if key.is_some_and(|key| self.held_out.contains(&key)) {
            source.skipped.excluded += 1;
        } else if split.is_some_and(|split| !split.takes(key.unwrap_or_default())) {
            source.skipped.filtered += 1;
        } else if let Some(place) = place {
            self.origins.push(self.set.sources.len());
            self.set.texts.push(text);
            self.set.classes.push(place);
            source.examples += 1;
        } else {
            source.skipped.unlabelled += 1;
        }
        Ok(())
    }

    fn finish(mut self, spec: &LabelledSpec) -> Result<LabelledSet> {
        let set = &mut self.set;
        if let Some(limit) = spec.limit {
            let keep = draw(set.texts.len(), limit, spec.seed);
            for (&origin, _) in self.origins.iter().zip(&keep).filter(|(_, keep)| !**keep) {
                set.sources[origin].skipped.over_limit += 1;
                set.sources[origin].examples -= 1;
            }
            let mut kept = keep.iter();
            set.texts.retain(|_| kept.next() == Some(&true));
            let mut kept = keep.iter();
            set.classes.retain(|_| kept.next() == Some(&true));
        }
        if set.texts.is_empty() {
            let files = spec.files.join(", ");
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("no text of {files} is left; look at `exclude` and `without`"),
            ));
        }
        Ok(self.set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn labels() -> Vec<String> {
        ["none", "association"].map(str::to_owned).to_vec()
    }

    fn spec(dir: &Path, rest: &str) -> LabelledSpec {
        let file = dir.join("folds.tsv").display().to_string();
        let text = format!("files = [{file:?}]\ntext = \"sentence\"\n{rest}");
        toml::from_str(&text).unwrap()
    }

    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        // The first and the last differ in their signs alone.
        let folds = "fold\tlabel\tsentence\n1\t1\tMYC and pain.\n2\t0\tTNF and rest.\n\
                     2\t1\tTNF and fever.\n2\t?\tIL and doubt.\n2\t1\tMYC and pain\n";
        fs::write(dir.path().join("folds.tsv"), folds).unwrap();
        fs::write(
            dir.path().join("other.tsv"),
            "sentence\tlabel\ntnf and REST\t0\n",
        )
        .unwrap();
        dir
    }

    const LABELS: &str = "labels = { 0 = \"none\", 1 = \"association\" }\nignore = [\"?\"]\n";

    #[test]
    fn a_fold_is_held_out_with_all_texts_like_its_own() {
        let dir = folder();
        let train = spec(dir.path(), &format!("{LABELS}without = {{ fold = 1 }}"));
        let set = train.load(&labels(), Purpose::Training).unwrap();
        let texts: Vec<&str> = set.texts.iter().map(|row| &row.text[..]).collect();
        assert_eq!(texts, ["TNF and rest.", "TNF and fever."]);
        assert_eq!(set.classes, [0, 1]);
        let source = &set.sources[0];
        let skipped = &source.skipped;
        assert_eq!((source.read(), source.examples), (5, 2));
        assert_eq!(
            (skipped.filtered, skipped.excluded, skipped.unlabelled),
            (1, 1, 1)
        );
        assert_eq!(source.sha256.len(), 64);
        let test = spec(dir.path(), &format!("{LABELS}only = {{ fold = \"1\" }}"));
        let set = test.load(&labels(), Purpose::Evaluation).unwrap();
        assert_eq!((set.texts.len(), set.sources[0].skipped.filtered), (1, 4));
    }

    #[test]
    fn other_files_are_held_out_and_a_limit_draws() {
        let dir = folder();
        let other = dir.path().join("other.tsv").display().to_string();
        let all = spec(dir.path(), &format!("{LABELS}exclude = [{other:?}]"));
        let set = all.load(&labels(), Purpose::Training).unwrap();
        assert_eq!((set.texts.len(), set.sources[0].skipped.excluded), (3, 1));
        let load = |seed: u64| {
            let spec = spec(dir.path(), &format!("{LABELS}limit = 2\nseed = {seed}"));
            spec.load(&labels(), Purpose::Training).unwrap()
        };
        let set = load(1);
        let source = &set.sources[0];
        assert_eq!((set.texts.len(), set.classes.len()), (2, 2));
        assert_eq!((source.examples, source.skipped.over_limit), (2, 2));
        assert_eq!(source.read(), 5);
        assert_eq!(set.texts, load(1).texts);
        assert!((2..20).any(|seed| load(seed).texts != set.texts));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let dir = folder();
        let refused = |spec: &LabelledSpec, parts: &[&str]| {
            let error = spec.load(&labels(), Purpose::Training).unwrap_err();
            for part in parts {
                assert!(error.to_string().contains(part), "{error}");
            }
        };
        refused(
            &spec(dir.path(), "labels = { 1 = \"association\" }"),
            &["folds.tsv, line 3", "label 0"],
        );
        refused(&spec(dir.path(), "labels = { 1 = \"x\" }"), &["x", "none"]);
        refused(&spec(dir.path(), "limit = 0"), &["limit"]);
        let mut all = spec(dir.path(), LABELS);
        all.exclude.clone_from(&all.files);
        refused(&all, &["no text"]);
        fs::copy(dir.path().join("folds.tsv"), dir.path().join("test.tsv")).unwrap();
        let mut test = spec(dir.path(), LABELS);
        test.files = vec![dir.path().join("test.tsv").display().to_string()];
        refused(&test, &["test split"]);
        assert!(test.load(&labels(), Purpose::Evaluation).is_ok());
        let unknown = toml::from_str::<LabelledSpec>("files = []\nfile = 1").unwrap_err();
        assert!(unknown.to_string().contains("file"), "{unknown}");
    }
}
