//! Opening what training starts from.

use super::learner::Learner;
use crate::config::{StageConfig, StageKind, TrainConfig};
use crate::error::device;
use crate::model::initialise;
use crate::network::{Parameters, PlacedBackbone};
use crate::record::BaseRecord;
use crate::vocabulary::Transfer;
use crate::{Place, Precision, files::checksum};
use candle_core::Tensor;
use medsift::encoder::Pooling;
use medsift::encoder::parts::{
    Architecture, Dense, Layout, ModelDirectory, Parameter, Tokenizer, Weights, find_checkpoint,
    read_checkpoint,
};
use medsift::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What a run starts from, opened.
pub(super) struct Start {
    pub(super) architecture: Architecture,
    /// Parameters of the network.
    pub(super) tensors: HashMap<String, Tensor>,
    /// Everything else that the start model's checkpoint holds.
    pub(super) others: HashMap<String, Tensor>,
    pub(super) tokenizer: Tokenizer,
    /// Folder that the tokenizer's files are copied from.
    pub(super) tokenizer_dir: PathBuf,
    /// Folder of the start model.
    pub(super) folder: Option<PathBuf>,
    /// Folder of the start model's `config.json`.
    pub(super) config_dir: Option<PathBuf>,
    pub(super) lower_case: bool,
    pub(super) pooling: Pooling,
    /// Linear layers behind the pooling, which stay as they are.
    pub(super) dense: Vec<Dense>,
    pub(super) normalise: bool,
    pub(super) max_tokens: usize,
    pub(super) query_prompt: String,
    pub(super) passage_prompt: String,
    /// `hidden_dropout_prob`.
    pub(super) dropout: f64,
    pub(super) record: BaseRecord,
}

impl Start {
    /// Opens the start model that a configuration names; `model` is its
    /// folder.
    pub(super) fn open(config: &TrainConfig, model: Option<&Path>) -> Result<Self> {
        let mut start = match (model, &config.base.scratch) {
            (Some(dir), _) => Self::model(config, dir)?,
            (None, Some(_)) => Self::scratch(config)?,
            (None, None) => {
                return Err(Error::invalid(
                    "base",
                    "`base` names neither a model nor `scratch`",
                ));
            }
        };
        start.refuse_dense(config)?;
        let model = &config.model;
        start.pooling = model.pooling.unwrap_or(start.pooling);
        start.normalise = model.normalise.unwrap_or(start.normalise);
        start.max_tokens = model.max_tokens.unwrap_or(start.max_tokens);
        if let Some(prompt) = &model.query_prompt {
            start.query_prompt.clone_from(prompt);
        }
        if let Some(prompt) = &model.passage_prompt {
            start.passage_prompt.clone_from(prompt);
        }
        let most = start.architecture.max_tokens();
        if start.max_tokens > most {
            return Err(Error::invalid(
                "max_tokens",
                format!(
                    "max_tokens {} is more than the network's {most} positions",
                    start.max_tokens
                ),
            ));
        }
        Ok(start)
    }

    /// Sentences are trained by the pooled vectors themselves: a layer that
    /// stands behind them would be of no effect, and then of a wrong one.
    fn refuse_dense(&self, config: &TrainConfig) -> Result<()> {
        let moves =
            |stage: &StageConfig| matches!(stage.kind, StageKind::Sentence | StageKind::Mlm);
        let trains = config.stages.iter().any(moves) || config.model.whitening.is_some();
        if self.dense.is_empty() || !trains {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Incompatible,
            format!(
                "the start model {} has a linear layer behind its pooling, which belongs to its \
                 states as they are; start from the model that it was made of, and whiten the \
                 new one by `[model.whitening]`",
                self.record.name
            ),
        ))
    }

    fn model(config: &TrainConfig, dir: &Path) -> Result<Self> {
        let mut start = Self::read(dir)?;
        if let Some(name) = &config.base.model {
            start.record.name.clone_from(name);
        }
        if let Some(vocabulary) = &config.base.vocabulary {
            start.change_vocabulary(vocabulary)?;
        }
        Ok(start)
    }

    /// Opens a model directory.
    pub(super) fn read(dir: &Path) -> Result<Self> {
        let directory = ModelDirectory::read(dir)?;
        let folder = directory.transformer.clone();
        let architecture = Architecture::read(&folder.join("config.json"))?;
        if architecture.distances > 0 {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{} is an MPNet, whose relative positions are not trained here: it can be \
                     the model of an index, or a teacher (`teacher` of a stage)",
                    dir.display()
                ),
            ));
        }
        let checkpoint = find_checkpoint(&folder)?;
        let weights = Weights::read(&checkpoint, &architecture)?;
        let layout = Layout::of(&architecture);
        let mut tensors = HashMap::new();
        for Parameter { name, .. } in layout.parameters(&architecture) {
            tensors.insert(name.clone(), weights.tensor(&name)?);
        }
        let mut others = read_checkpoint(&checkpoint)?;
        others.retain(|name, _| !tensors.keys().any(|known| name.ends_with(known.as_str())));
        let tokenizer = Tokenizer::read(&directory, architecture.vocabulary)?;
        let (sha256, _) = checksum(&checkpoint)?;
        Ok(Self {
            pooling: directory.pooling,
            dense: directory
                .dense
                .iter()
                .map(|folder| Dense::read(folder))
                .collect::<Result<_>>()?,
            normalise: directory.normalise,
            max_tokens: directory.max_tokens.unwrap_or(architecture.max_tokens()),
            query_prompt: directory.query_prompt,
            passage_prompt: directory.passage_prompt,
            dropout: dropout(&folder),
            record: BaseRecord {
                name: directory.name,
                sha256: Some(sha256),
            },
            architecture,
            tensors,
            others,
            tokenizer,
            tokenizer_dir: folder.clone(),
            folder: Some(dir.to_owned()),
            config_dir: Some(folder),
            lower_case: directory.lower_case,
        })
    }

    /// Carries the table of words, and the masked head's bias, over to another
    /// vocabulary.
    fn change_vocabulary(&mut self, vocabulary: &Path) -> Result<()> {
        let directory = ModelDirectory::read(vocabulary)?;
        let new = Tokenizer::read(&directory, usize::MAX)?;
        let transfer = Transfer::plan(self.tokenizer.inner(), new.inner())?;
        let words = format!("{}.weight", Layout::of(&self.architecture).words);
        let table = transfer.table(&self.tensors[&words])?;
        self.architecture.vocabulary = table.dims()[0];
        self.tensors.insert(words, table);
        for (name, bias) in &mut self.others {
            if name.ends_with("cls.predictions.bias")
                || name.ends_with("cls.predictions.decoder.bias")
            {
                *bias = transfer.bias(bias)?;
            }
        }
        let others = &mut self.others;
        others.retain(|name, _| !name.ends_with("cls.predictions.decoder.weight"));
        self.tokenizer = new;
        self.tokenizer_dir = directory.transformer;
        self.lower_case = directory.lower_case;
        Ok(())
    }

    fn scratch(config: &TrainConfig) -> Result<Self> {
        let (Some(sizes), Some(vocabulary)) = (&config.base.scratch, &config.base.vocabulary)
        else {
            return Err(Error::invalid(
                "base.vocabulary",
                "`base.scratch` needs a `vocabulary`; `medsift train vocab` makes one",
            ));
        };
        let directory = ModelDirectory::read(vocabulary)?;
        let tokenizer = Tokenizer::read(&directory, usize::MAX)?;
        let architecture = sizes.architecture(tokenizer.inner().get_vocab_size(true));
        Ok(Self {
            tensors: initialise(&architecture, config.seed)?,
            others: HashMap::new(),
            pooling: Pooling::Mean,
            dense: Vec::new(),
            normalise: false,
            max_tokens: architecture.max_tokens(),
            query_prompt: String::new(),
            passage_prompt: String::new(),
            dropout: DROPOUT,
            record: BaseRecord {
                name: "scratch".to_owned(),
                sha256: None,
            },
            architecture,
            tokenizer,
            lower_case: directory.lower_case,
            tokenizer_dir: directory.transformer,
            folder: None,
            config_dir: None,
        })
    }

    /// The tokenizer once more, for a place of its own.
    pub(super) fn read_tokenizer(&self) -> Result<Tokenizer> {
        Tokenizer::read(&ModelDirectory::read(&self.tokenizer_dir)?, usize::MAX)
    }

    /// Takes up the heads that an earlier stage left in its model directory.
    pub(super) fn take_up_heads(&mut self, model: &Path) -> Result<()> {
        let heads = read_checkpoint(&find_checkpoint(model)?)?.into_iter();
        let kept = heads.filter(|(name, _)| is_saved_head(name));
        self.others.extend(kept);
        Ok(())
    }

    /// Keeps what a stage has made of the pre-training's heads, for a later
    /// stage to go on with.
    pub(super) fn keep_heads(&mut self, heads: &Parameters) -> Result<()> {
        let heads = heads.snapshot().map_err(device)?.into_iter();
        let kept = heads.filter(|(name, _)| is_saved_head(name));
        self.others.extend(kept);
        Ok(())
    }

    /// The model at a place.
    pub(super) fn learner(&self, place: Place) -> Result<Learner<PlacedBackbone>> {
        let on = place.device()?;
        let names = Layout::of(&self.architecture).parameters(&self.architecture);
        let tensors = names.into_iter().map(|parameter| {
            (
                parameter.name.clone(),
                self.tensors[&parameter.name].clone(),
            )
        });
        let parameters = Parameters::new(tensors, &on).map_err(device)?;
        Ok(Learner {
            network: PlacedBackbone::new(
                place,
                Precision::F32,
                self.architecture.clone(),
                parameters,
                &on,
            )?,
            tokenizer: self.read_tokenizer()?,
            pooling: self.pooling,
            normalise: self.normalise,
            max_tokens: self.max_tokens,
            micro_batch_tokens: 4096,
            dropout: 0.0,
        })
    }
}

/// Whether a head stays with the model: those of sentence objectives are
/// thrown away.
pub(super) fn is_saved_head(name: &str) -> bool {
    name.starts_with("cls.") || name.starts_with("pooler.")
}

/// BERT's own share of dropped numbers.
const DROPOUT: f64 = 0.1;

/// What `config.json` says of dropout.
fn dropout(folder: &Path) -> f64 {
    let config = std::fs::read(folder.join("config.json")).unwrap_or_default();
    let config: serde_json::Value = serde_json::from_slice(&config).unwrap_or_default();
    ["hidden_dropout_prob", "dropout"]
        .iter()
        .find_map(|key| config.get(key)?.as_f64())
        .unwrap_or(DROPOUT)
}
