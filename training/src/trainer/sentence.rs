//! Lessons on sentence embeddings.

use super::epochs::Epochs;
use super::fit::{check_columns, check_labels, labels};
use super::learner::Learner;
use super::lesson::{Lesson, Outcome};
use super::siamese::Siamese;
use super::teacher::{Taught, Teaching};
use crate::config::StageConfig;
use crate::data::build::BuildSpec;
use crate::data::corpus::ArticleSource;
use crate::data::{DataSet, DataSpec, Sampler, SamplerSettings, SourceFile, load};
use crate::error::device;
use crate::example::Example;
use crate::network::{Backbone, Parameters};
use crate::objective::{Labels, ObjectiveConfig, build, save_classifier};
use crate::record::BaseRecord;
use candle_core::Device;
use medsift::encoder::Adapter;
use medsift::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// Batches of examples under one objective.
pub(super) struct SentenceLesson {
    siamese: Siamese,
    sets: Vec<DataSet>,
    epochs: Epochs,
    /// Whether the first text of an example is a query.
    asks: bool,
    /// What the teachers say of all texts, once they were asked.
    taught: Option<Taught>,
}

/// Reads a table of a configuration as what it is to be.
pub(super) fn table<T: serde::de::DeserializeOwned>(
    stage: &StageConfig,
    key: &'static str,
    table: &toml::Table,
) -> Result<T> {
    table.clone().try_into().map_err(|error: toml::de::Error| {
        Error::invalid(
            key,
            format!("stage `{}`, `{key}`: {}", stage.name, error.message()),
        )
    })
}

/// A set of examples, or one that is built from articles.
fn read_set(
    stage: &StageConfig,
    data: &toml::Table,
    articles: Option<&ArticleSource>,
) -> Result<DataSet> {
    if !data.contains_key("build") {
        return load(&table::<DataSpec>(stage, "data", data)?);
    }
    let spec = table::<BuildSpec>(stage, "data", data)?;
    let articles = articles.ok_or_else(|| {
        Error::invalid(
            "data",
            format!(
                "stage `{}`: `build` needs a reader of articles, and there is none here",
                stage.name
            ),
        )
    })?;
    Ok(spec.build(|path| articles.open(path))?.into())
}

impl SentenceLesson {
    /// Loads the data and builds the objective. `articles` opens the files of
    /// sets that are built from articles.
    pub(super) fn new(
        stage: &StageConfig,
        dimension: usize,
        seed: u64,
        on: &Device,
        articles: Option<&ArticleSource>,
    ) -> Result<Self> {
        let config: ObjectiveConfig = table(stage, "objective", &stage.objective)?;
        check_teacher(stage, &config)?;
        let siamese = Siamese::new(build(&config, dimension, seed)?, on)?;
        let sets = stage
            .data
            .iter()
            .map(|data| read_set(stage, data, articles))
            .collect::<Result<Vec<_>>>()?;
        for (set, data) in sets.iter().zip(&stage.data) {
            check_columns(&config, siamese.columns(), &set.examples, data)?;
            if stage.teachers.is_empty() {
                check_labels(&config, &set.examples, data)?;
            }
        }
        let examples: Vec<&[Example]> = sets.iter().map(|set| &set.examples[..]).collect();
        let settings = SamplerSettings {
            batch_size: stage.batch,
            seed,
            no_duplicates: takes_negatives_from_the_batch(&config),
            drop_last: false,
            mix: stage.mix,
        };
        let sampler = Sampler::new(&examples, settings)?;
        Ok(Self {
            siamese,
            sets,
            epochs: Epochs::new(sampler),
            asks: config.asks(),
            taught: None,
        })
    }

    /// Examples of all sets.
    pub(super) fn examples(&self) -> u64 {
        self.sets.iter().map(|set| set.examples.len() as u64).sum()
    }

    /// Steps of one pass.
    pub(super) fn batches(&self) -> u64 {
        self.epochs.per_epoch()
    }

    /// Texts of an example.
    pub(super) fn columns(&self) -> usize {
        self.siamese.columns()
    }

    /// Numbers of the parameters beside the encoder.
    pub(super) fn head_numbers(&self) -> usize {
        let heads = self.siamese.heads.iter();
        heads.map(|head| head.value.elem_count()).sum()
    }

    /// Bytes of all texts; of one that comes often, each time.
    pub(super) fn text_bytes(&self) -> u64 {
        let examples = self.sets.iter().flat_map(|set| &set.examples);
        let texts = examples.flat_map(|example| &example.texts);
        texts.map(|text| text.len() as u64).sum()
    }

    /// What the teachers, or else the examples, say of a batch.
    fn labels(&self, texts: &[Arc<str>], examples: &[&Example], on: &Device) -> Result<Labels> {
        let Some(taught) = &self.taught else {
            return labels(examples, on).map_err(device);
        };
        let columns = texts.chunks(examples.len()).enumerate();
        let columns = columns
            .map(|(column, texts)| taught.column(texts, self.asks && column == 0))
            .collect::<candle_core::Result<_>>();
        Ok(Labels::Teacher(columns.map_err(device)?))
    }

    /// Tokens of a batch whose passes are kept, for tests.
    #[cfg(test)]
    pub(super) fn keep_tokens(&mut self, tokens: usize) {
        self.siamese.kept_tokens = tokens;
    }

    /// The files that were read.
    pub(super) fn sources(&self) -> impl Iterator<Item = &SourceFile> {
        self.sets.iter().flat_map(|set| &set.sources)
    }
}

impl<B: Backbone> Lesson<B> for SentenceLesson {
    fn save_beside(&self, model: &Path, _: Option<&Adapter>) -> Result<()> {
        save_classifier(self.siamese.objective(), model).map(|_| ())
    }

    fn prepare(&mut self, teaching: &Teaching<'_>) -> Result<Option<Vec<BaseRecord>>> {
        if teaching.teachers.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let asks = self.asks;
        let examples = self.sets.iter().flat_map(|set| &set.examples);
        let texts = examples.flat_map(|example| {
            let texts = example.texts.iter().enumerate();
            texts.map(move |(column, text)| (text.clone(), asks && column == 0))
        });
        let Some((taught, records)) = teaching.read(texts)? else {
            return Ok(None);
        };
        self.taught = Some(taught);
        Ok(Some(records))
    }

    fn steps_per_epoch(&self) -> u64 {
        self.batches()
    }

    fn seek(&mut self, epoch: u64, step: u64) -> Result<()> {
        self.epochs.seek(epoch, step);
        Ok(())
    }

    fn learn(&mut self, learner: &mut Learner<B>, seed: u64) -> Result<(Outcome, u64, u64)> {
        let batch = self.epochs.next();
        let set = &self.sets[batch.set];
        let examples: Vec<&Example> = batch.examples.iter().map(|&at| &set.examples[at]).collect();
        let texts: Vec<Arc<str>> = (0..self.siamese.columns())
            .flat_map(|column| {
                examples
                    .iter()
                    .map(move |example| example.texts[column].clone())
            })
            .collect();
        let labels = self.labels(&texts, &examples, learner.network.device())?;
        let (loss, tokens) = self
            .siamese
            .learn(learner, &texts, examples.len(), &labels, seed)?;
        let outcome = Outcome {
            loss,
            tokens,
            batch: format!("set {}, examples {:?}", batch.set + 1, batch.examples),
            ..Outcome::default()
        };
        let (epoch, step) = self.epochs.place();
        Ok((outcome, epoch, step))
    }

    fn heads(&self) -> &Parameters {
        &self.siamese.heads
    }

    fn heads_mut(&mut self) -> &mut Parameters {
        &mut self.siamese.heads
    }
}

/// Checks that the objective and the teachers need each other.
fn check_teacher(stage: &StageConfig, config: &ObjectiveConfig) -> Result<()> {
    let (kind, name) = (config.kind(), &stage.name);
    if !stage.teachers.is_empty() && !config.takes_a_teacher() {
        return Err(Error::invalid(
            "teacher",
            format!(
                "stage `{name}`: the objective `{kind}` learns nothing from a teacher; \
                 `distillation`, `relational` and `ranking` with `mask_margin` do"
            ),
        ));
    }
    Ok(())
}

/// Whether other examples of a batch serve as negatives.
fn takes_negatives_from_the_batch(config: &ObjectiveConfig) -> bool {
    match config {
        ObjectiveConfig::Ranking(_) => true,
        ObjectiveConfig::Matryoshka(outer) => takes_negatives_from_the_batch(&outer.inner),
        _ => false,
    }
}
