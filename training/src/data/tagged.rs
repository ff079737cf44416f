//! Sentences with a tag for each word, for training and measuring.

use super::files::expand;
use super::guard::refuse_evaluation_set;
use super::lines::Lines;
use super::load::Purpose;
use super::random::draw;
use super::report::SourceFile;
use super::text_key::text_key;
use medsift::enrich::{TagSet, TypeMap};
use medsift::eval::TaggedSentence;
use medsift::{Error, ErrorKind, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};

/// One set of tagged sentences, as a configuration describes it. Keys that are
/// not known are refused.
///
/// ```toml
/// files = ["data/ner/jnlpba/train.tsv.gz"]
/// types = { protein = "Gene", DNA = "Gene", RNA = "Gene", cell_type = "Cell", cell_line = "Cell" }
/// exclude = ["data/ner/jnlpba/test.tsv.gz"]
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaggedSpec {
    /// Files of two columns ([`TaggedSentence::read`]), plain or gzip; `*` and
    /// `?` stand for any characters and for one in a file's name.
    pub files: Vec<String>,
    /// For each type of the files the type, or types, of the tagger that it
    /// stands for; where empty, the types that occur stand for those of the
    /// same name. See [`TypeMap`].
    #[serde(default)]
    pub types: BTreeMap<String, Targets>,
    /// Types of the files that are taken for `O`.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Held-out files of two columns; a sentence with the same letters and
    /// digits as one of theirs is left out.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// At most so many sentences, drawn with the seed.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Seed of the draw.
    #[serde(default)]
    pub seed: u64,
}

/// The types that a type stands for.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Targets {
    /// One.
    One(String),
    /// Any of several: the data make no difference between them.
    Several(Vec<String>),
}

/// A loaded set.
#[derive(Debug, Clone)]
pub struct TaggedSet {
    /// The sentences, in the order of the files.
    pub sentences: Vec<TaggedSentence>,
    /// What their types are to those of the tagger.
    pub types: TypeMap,
    /// The files that they came from.
    pub sources: Vec<SourceFile>,
}

impl TaggedSpec {
    /// Reads the set, for a tagger with these tags.
    ///
    /// # Errors
    /// When a file cannot be read or has a fault (file and line are named), is
    /// refused for training ([`refuse_evaluation_set`]), a type stands for
    /// nothing, or no sentence is left.
    pub fn load(&self, tags: &TagSet, purpose: Purpose) -> Result<TaggedSet> {
        if self.files.is_empty() {
            return Err(Error::invalid("files", "`files` names no file"));
        }
        if self.limit == Some(0) {
            return Err(Error::invalid("limit", "`limit` must be at least 1"));
        }
        let held_out = self.held_out()?;
        let mut sentences: Vec<TaggedSentence> = Vec::new();
        // For each sentence the number of its file.
        let mut origins: Vec<usize> = Vec::new();
        let mut sources: Vec<SourceFile> = Vec::new();
        for path in expand(&self.files)? {
            if purpose == Purpose::Training {
                refuse_evaluation_set(&path)?;
            }
            let mut source = SourceFile::new(&path);
            for sentence in TaggedSentence::read(&path)? {
                if text_key(&sentence.text()).is_some_and(|key| held_out.contains(&key)) {
                    source.skipped.excluded += 1;
                } else {
                    origins.push(sources.len());
                    sentences.push(sentence);
                }
            }
            (source.sha256, source.bytes) = Lines::checksum(&path)?;
            sources.push(source);
        }
        if let Some(limit) = self.limit {
            let keep = draw(sentences.len(), limit, self.seed);
            for (&origin, _) in origins.iter().zip(&keep).filter(|(_, keep)| !**keep) {
                sources[origin].skipped.over_limit += 1;
            }
            let mut kept = keep.iter();
            sentences.retain(|_| kept.next() == Some(&true));
            let mut kept = keep.iter();
            origins.retain(|_| kept.next() == Some(&true));
        }
        for &origin in &origins {
            sources[origin].examples += 1;
        }
        if sentences.is_empty() {
            let files = self.files.join(", ");
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!("no sentence of {files} is left; look at `exclude`"),
            ));
        }
        let types = self.types(tags, &sentences)?;
        Ok(TaggedSet {
            sentences,
            types,
            sources,
        })
    }

    fn types(&self, tags: &TagSet, sentences: &[TaggedSentence]) -> Result<TypeMap> {
        let occurring = TaggedSentence::types(sentences);
        let targets = self.types.iter().map(|(name, targets)| {
            let targets = match targets {
                Targets::One(one) => vec![one.clone()],
                Targets::Several(several) => several.clone(),
            };
            (name.clone(), targets)
        });
        TypeMap::new(tags, &targets.collect(), &self.ignore, &occurring).map_err(|error| {
            let files = self.files.join(", ");
            Error::new(error.kind(), format!("{files}: {error}"))
        })
    }

    /// Fingerprints of the sentences that must not be learnt.
    fn held_out(&self) -> Result<HashSet<u128>> {
        let mut keys = HashSet::new();
        for path in expand(&self.exclude)? {
            let sentences = TaggedSentence::read(&path)?;
            keys.extend(sentences.iter().filter_map(|one| text_key(&one.text())));
        }
        Ok(keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    fn tags() -> TagSet {
        TagSet::new(["Disease", "Gene"]).unwrap()
    }

    fn spec(dir: &Path, rest: &str) -> TaggedSpec {
        let file = dir.join("train.tsv").display().to_string();
        let text = format!("files = [{file:?}]\n{rest}");
        toml::from_str(&text).unwrap()
    }

    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let train = "p53\tB-protein\nrose\tO\n\nThe\tO\nMYC\tB-DNA\ngene\tI-DNA\n\n\
                     METHODS\tO\n:\tO\n\nNo\tO\ntumour\tB-Cancer\n";
        fs::write(dir.path().join("train.tsv"), train).unwrap();
        let held_out = "the\tO\nmyc\tO\nGENE\tO\n.\tO\n";
        fs::write(dir.path().join("held-out.tsv"), held_out).unwrap();
        dir
    }

    const TYPES: &str = "types = { protein = \"Gene\", DNA = [\"Gene\"] }\nignore = [\"Cancer\"]\n";

    #[test]
    fn sentences_are_read_and_those_held_out_are_counted() {
        let dir = folder();
        let held_out = dir.path().join("held-out.tsv").display().to_string();
        let spec = spec(dir.path(), &format!("{TYPES}exclude = [{held_out:?}]"));
        let set = spec.load(&tags(), Purpose::Training).unwrap();
        assert_eq!(set.sentences.len(), 3);
        assert_eq!(set.sources[0].skipped.excluded, 1);
        assert_eq!(set.sources[0].read(), 4);
        assert_eq!(set.sources[0].sha256.len(), 64);
        assert_eq!(set.types.gold("I-DNA").unwrap(), "I-Gene");
        assert!(set.types.knows(1) && !set.types.knows(0));
    }

    #[test]
    fn a_limit_draws_and_counts() {
        let dir = folder();
        let load = |seed: u64| {
            let spec = spec(dir.path(), &format!("{TYPES}limit = 2\nseed = {seed}"));
            spec.load(&tags(), Purpose::Training).unwrap()
        };
        let set = load(1);
        assert_eq!((set.sentences.len(), set.sources[0].examples), (2, 2));
        assert_eq!(set.sources[0].skipped.over_limit, 2);
        assert_eq!(set.sentences, load(1).sentences);
        let other = (2..20).any(|seed| load(seed).sentences != set.sentences);
        assert!(other, "every seed draws the same");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let dir = folder();
        let refused = |spec: &TaggedSpec, part: &str| {
            let error = spec
                .load(&tags(), Purpose::Training)
                .unwrap_err()
                .to_string();
            assert!(error.contains(part), "{error}");
        };
        refused(&spec(dir.path(), ""), "Cancer");
        refused(
            &spec(dir.path(), "types = { protein = \"Genes\" }"),
            "Genes",
        );
        refused(&spec(dir.path(), "limit = 0"), "limit");
        let mut all = spec(dir.path(), TYPES);
        all.exclude.clone_from(&all.files);
        refused(&all, "no sentence");
        let test = dir.path().join("test.tsv");
        fs::copy(dir.path().join("train.tsv"), &test).unwrap();
        let mut test_split = spec(dir.path(), TYPES);
        test_split.files = vec![test.display().to_string()];
        refused(&test_split, "test split");
        assert!(test_split.load(&tags(), Purpose::Evaluation).is_ok());
        let unknown = toml::from_str::<TaggedSpec>("files = []\nfile = 1").unwrap_err();
        assert!(unknown.to_string().contains("file"), "{unknown}");
    }
}
