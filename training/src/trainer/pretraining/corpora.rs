//! The documents of several corpora as one stream.

use crate::data::corpus::{ArticleSource, CorpusSpec, Document, Documents};
use crate::data::{Exclusions, Mix, Purpose};
use crate::files::checksum;
use crate::record::DataRecord;
use medsift::{Error, Result};
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::PathBuf;
use std::sync::Arc;

/// Documents in the order in which they are read.
pub(super) type DocumentStream = Box<dyn Iterator<Item = Result<Document>> + Send>;

/// Corpora that are read side by side, anew in each pass.
#[derive(Debug)]
pub(super) struct Corpora {
    list: Vec<Corpus>,
    mix: Mix,
    purpose: Purpose,
    articles: Option<ArticleSource>,
}

#[derive(Debug)]
struct Corpus {
    patterns: Vec<String>,
    files: Vec<PathBuf>,
    bytes: u64,
    exclusions: Arc<Exclusions>,
}

impl Corpora {
    /// Finds the files and reads what is held out of them.
    ///
    /// # Errors
    /// When a file is not there or may not be trained on, or a held-out file
    /// cannot be read.
    pub(super) fn new(
        specs: &[CorpusSpec],
        mix: Mix,
        purpose: Purpose,
        articles: Option<ArticleSource>,
    ) -> Result<Self> {
        let list = specs
            .iter()
            .map(|spec| {
                let files = Documents::files(&spec.files, purpose)?;
                let mut bytes = 0;
                for file in &files {
                    let found = std::fs::metadata(file);
                    bytes += found.map_err(|error| Error::io("open", file, error))?.len();
                }
                Ok(Corpus {
                    patterns: spec.files.clone(),
                    files,
                    bytes,
                    exclusions: Arc::new(Exclusions::read(&spec.exclude)?),
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            list,
            mix,
            purpose,
            articles,
        })
    }

    /// The documents of a pass; the same seed gives the same order.
    pub(super) fn documents(&self, seed: u64) -> Result<DocumentStream> {
        let sources = self
            .list
            .iter()
            .map(|corpus| {
                Documents::open_for(
                    &corpus.patterns,
                    corpus.exclusions.clone(),
                    self.purpose,
                    self.articles.clone(),
                )
            })
            .collect::<Result<Vec<_>>>()?;
        let weights = self.list.iter().map(|corpus| corpus.bytes.max(1));
        Ok(interleave(sources, weights.collect(), self.mix, seed))
    }

    /// The files for the run's record. A stream does not know its examples
    /// beforehand: they are 0.
    pub(super) fn records(&self, stage: &str) -> Result<Vec<DataRecord>> {
        let files = self.list.iter().flat_map(|corpus| &corpus.files);
        files
            .map(|path| {
                let (sha256, bytes) = checksum(path)?;
                Ok(DataRecord {
                    stage: stage.to_owned(),
                    path: path.display().to_string(),
                    sha256,
                    bytes,
                    examples: 0,
                    skipped: 0,
                    terms: None,
                })
            })
            .collect()
    }
}

/// One source after another; or in turn, until the smallest is used up; or
/// drawn by their weights, until all are.
fn interleave<T: 'static>(
    sources: Vec<impl Iterator<Item = Result<T>> + Send + 'static>,
    mut weights: Vec<u64>,
    mix: Mix,
    seed: u64,
) -> Box<dyn Iterator<Item = Result<T>> + Send> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut sources = sources;
    match mix {
        Mix::Sequential => Box::new(sources.into_iter().flatten()),
        Mix::RoundRobin => {
            let mut turn = 0;
            Box::new(std::iter::from_fn(move || {
                let at = turn % sources.len().max(1);
                turn += 1;
                let item = sources.get_mut(at)?.next();
                if item.is_none() {
                    sources.clear();
                }
                item
            }))
        }
        Mix::Proportional => Box::new(std::iter::from_fn(move || {
            while !sources.is_empty() {
                let at = drawn(&weights, &mut random);
                if let Some(item) = sources[at].next() {
                    return Some(item);
                }
                sources.remove(at);
                weights.remove(at);
            }
            None
        })),
    }
}

/// A place, as likely as its weight is large.
fn drawn(weights: &[u64], random: &mut impl Rng) -> usize {
    match WeightedIndex::new(weights) {
        Ok(chances) => chances.sample(random),
        // All weights are 0.
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(mix: Mix, seed: u64) -> Vec<usize> {
        let source = |from: usize, count: usize| (from..from + count).map(Ok);
        let sources = vec![source(0, 30), source(100, 90)];
        let items: Result<Vec<usize>> = interleave(sources, vec![10, 30], mix, seed).collect();
        items.unwrap()
    }

    #[test]
    fn sequential_corpora_come_one_after_another() {
        let all = order(Mix::Sequential, 1);
        assert_eq!((all.len(), all[0], all[29], all[30]), (120, 0, 29, 100));
    }

    #[test]
    fn corpora_in_turn_count_the_same() {
        let all = order(Mix::RoundRobin, 1);
        assert_eq!(all[..4], [0, 100, 1, 101]);
        // The small one has 30.
        assert_eq!(all.len(), 60);
    }

    #[test]
    fn proportional_corpora_are_mixed_and_whole() {
        let all = order(Mix::Proportional, 1);
        assert_eq!(all, order(Mix::Proportional, 1));
        assert_ne!(all, order(Mix::Proportional, 2));
        let mut sorted = all.clone();
        sorted.sort_unstable();
        let expected: Vec<usize> = (0..30).chain(100..190).collect();
        assert_eq!(sorted, expected);
        let early = all[..60].iter().filter(|&&item| item < 100).count();
        assert!((8..=23).contains(&early), "{early}");
    }
}
