//! Opening a model directory.

use super::architecture::Architecture;
use super::dense::{Dense, dense_sha256};
use super::directory::ModelDirectory;
use super::files::unsupported;
use super::fingerprint::{ModelFingerprint, model_sha256};
use super::inference::Inference;
use super::kernel::InstructionSet;
use super::tokenizer::{Tokenizer, declared_limit};
use super::weights::{Weights, find_checkpoint};
use super::{Encoder, Pooling};
use crate::{Error, ErrorKind, Result};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;

/// Tokens that have to be left for a text: a title and some words.
const LEAST_ROOM: usize = 16;

/// What can be chosen when a model is opened. What is `None` is taken from
/// the model directory.
#[derive(Debug, Clone, Default)]
pub struct EncoderOptions {
    /// Threads to use; as many as the processor has when `None`.
    pub threads: Option<usize>,
    /// Tokens at which a text is cut; never more than the network has
    /// positions for.
    pub max_tokens: Option<usize>,
    /// Prompt before every query.
    pub query_prompt: Option<String>,
    /// Prompt before every passage.
    pub passage_prompt: Option<String>,
    /// How states become a vector.
    pub pooling: Option<Pooling>,
    /// Whether vectors are scaled to length 1.
    pub normalise: Option<bool>,
}

impl Encoder {
    /// Opens a model directory in the Hugging Face or sentence-transformers
    /// layout: `config.json`; `model.safetensors`, `model.int8.safetensors` or
    /// `pytorch_model.bin`; `tokenizer.json` or `vocab.txt`; and as far as they
    /// are there `modules.json`, `1_Pooling/config.json`, `2_Dense/`,
    /// `sentence_bert_config.json`, `config_sentence_transformers.json`,
    /// `tokenizer_config.json`.
    ///
    /// # Errors
    /// In words that name the file: a file is missing or damaged, the
    /// architecture or a setting is not known, shapes do not fit, weights are
    /// not numbers, the tokenizer knows more words than the network.
    pub fn open(dir: &Path, options: EncoderOptions) -> Result<Self> {
        Self::open_with(dir, options, InstructionSet::detect())
    }

    pub(super) fn open_with(
        dir: &Path,
        options: EncoderOptions,
        set: InstructionSet,
    ) -> Result<Self> {
        let directory = ModelDirectory::read(dir)?;
        let config = directory.transformer.join("config.json");
        let architecture = Architecture::read(&config)?;
        let tokenizer = Tokenizer::read(&directory, architecture.vocabulary)?;
        let checkpoint = find_checkpoint(&directory.transformer)?;
        let weights = Weights::read(&checkpoint, &architecture)?;
        let max_tokens = limit(&directory, &architecture, options.max_tokens)?;
        let dense = behind_pooling(&directory, architecture.hidden)?;
        let fingerprint = ModelFingerprint {
            sha256: model_sha256(dir)?,
            name: directory.name,
            dimension: dense
                .last()
                .map_or(architecture.hidden, |last| last.outputs),
            dense: dense_sha256(&directory.dense)?,
            pooling: options.pooling.unwrap_or(directory.pooling),
            normalise: options.normalise.unwrap_or(directory.normalise),
            max_tokens,
            query_prompt: options.query_prompt.unwrap_or(directory.query_prompt),
            passage_prompt: options.passage_prompt.unwrap_or(directory.passage_prompt),
        };
        let encoder = Self {
            matryoshka: cuts(&directory.matryoshka, fingerprint.dimension),
            fingerprint,
            tokenizer,
            inference: Inference::new(&weights, &architecture, set)?,
            dense: dense.iter().map(|layer| layer.pack(set)).collect(),
            pool: thread_pool(options.threads)?,
            scratch: Mutex::default(),
        };
        let room = encoder.room()?;
        if room < LEAST_ROOM {
            return Err(Error::invalid(
                "max_tokens",
                format!(
                    "max_tokens {max_tokens} leaves {room} tokens beside the special tokens \
                     and the passage prompt; at least {LEAST_ROOM} are needed"
                ),
            ));
        }
        Ok(encoder)
    }
}

/// Shorter lengths that the model was trained for, rising.
fn cuts(declared: &[usize], dimension: usize) -> Vec<usize> {
    let shorter = declared.iter().copied();
    let mut shorter: Vec<usize> = shorter.filter(|&cut| cut > 0 && cut < dimension).collect();
    shorter.sort_unstable();
    shorter.dedup();
    shorter
}

/// The linear layers behind the pooling, each of which takes what the one
/// before it gives.
fn behind_pooling(directory: &ModelDirectory, hidden: usize) -> Result<Vec<Dense>> {
    let mut width = hidden;
    let mut layers = Vec::new();
    for folder in &directory.dense {
        let layer = Dense::read(folder)?;
        if layer.inputs != width {
            return Err(unsupported(
                folder,
                format!(
                    "the layer takes {} numbers, but what is before it gives {width}",
                    layer.inputs
                ),
            ));
        }
        width = layer.outputs;
        layers.push(layer);
    }
    Ok(layers)
}

/// The smallest of what is asked for, what the model was made for, and what
/// it has positions for.
fn limit(
    directory: &ModelDirectory,
    architecture: &Architecture,
    asked: Option<usize>,
) -> Result<usize> {
    let usual = match directory.max_tokens {
        Some(limit) => Some(limit),
        None => declared_limit(&directory.transformer)?,
    };
    let most = architecture.max_tokens();
    Ok(asked.or(usual).unwrap_or(most).min(most))
}

fn thread_pool(threads: Option<usize>) -> Result<rayon::ThreadPool> {
    let threads = match threads {
        Some(0) => {
            return Err(Error::invalid("threads", "threads must be at least 1"));
        }
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("encoder-{index}"))
        .build()
        .map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                format!("cannot start {threads} encoder threads: {error}"),
            )
        })
}
