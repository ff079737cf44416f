//! Writing a model directory.

use super::configuration::configuration;
use super::dense::write_dense;
use super::weights::{WeightFormat, write_weights};
use crate::files::{beside, fresh_folder, replace_folder, write_file, write_json};
use crate::vocabulary::write_tokenizer;
use candle_core::Tensor;
use medsift::encoder::Pooling;
use medsift::encoder::parts::{Architecture, Dense, Family, Layout};
use medsift::{Error, ErrorKind, Result};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Files that belong to a tokenizer, as far as a directory has them.
const TOKENIZER_FILES: [&str; 6] = [
    "tokenizer.json",
    "vocab.txt",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "merges.txt",
    "vocab.json",
];

/// Where a model's tokenizer comes from.
#[derive(Debug, Clone, Copy)]
pub enum TokenizerSource<'a> {
    /// The files of a directory, as they are.
    Copy(&'a Path),
    /// A vocabulary of the model's own; `cased` when it keeps capitals.
    New {
        /// With its normaliser and special tokens.
        tokenizer: &'a tokenizers::Tokenizer,
        /// Whether capitals are kept.
        cased: bool,
    },
}

/// Everything that a model directory says.
#[derive(Debug, Clone)]
pub struct SavedModel<'a> {
    /// Sizes of the network.
    pub architecture: &'a Architecture,
    /// Parameters under the names of the [`Layout`].
    pub weights: &'a HashMap<String, Tensor>,
    /// Parameters beside the encoder (`cls.predictions.…`), stored as they
    /// are named. The encoder passes over them.
    pub heads: Option<&'a HashMap<String, Tensor>>,
    /// Folder of the start model's `config.json`, whose other entries are
    /// kept.
    pub start: Option<&'a Path>,
    /// Where the tokenizer comes from.
    pub tokenizer: TokenizerSource<'a>,
    /// How states become a vector.
    pub pooling: Pooling,
    /// Linear layers behind the pooling.
    pub dense: &'a [Dense],
    /// Whether vectors are scaled to length 1.
    pub normalise: bool,
    /// Tokens at which a text is cut.
    pub max_tokens: usize,
    /// Lower-casing before the tokenizer.
    pub lower_case: bool,
    /// What stands before every query.
    pub query_prompt: &'a str,
    /// What stands before every passage.
    pub passage_prompt: &'a str,
    /// Precision of the stored weights.
    pub format: WeightFormat,
    /// What stands before the names of the encoder's parameters: nothing, or
    /// `bert.` as in checkpoints with heads.
    pub prefix: &'a str,
    /// `README.md`.
    pub card: Option<&'a str>,
    /// Other files to lie beside it (`run.json`): name and content.
    pub files: Vec<(&'a str, Vec<u8>)>,
}

impl SavedModel<'_> {
    /// Writes the directory beside its final place and moves it there. A model
    /// directory that is there already is replaced; any other folder is left
    /// alone.
    ///
    /// # Errors
    /// When a parameter is missing, has another shape or is not a number; when
    /// something else stands at `dir`; when writing fails. What stood at `dir`
    /// is then still there.
    pub fn write(&self, dir: &Path) -> Result<()> {
        self.check()?;
        refuse_others(dir)?;
        let scratch = beside(dir, ".tmp");
        fresh_folder(&scratch)?;
        self.write_settings(&scratch)?;
        self.write_tokenizer(&scratch)?;
        self.write_checkpoint(&scratch)?;
        if let Some(card) = self.card {
            write_file(&scratch.join("README.md"), card.as_bytes())?;
        }
        for (name, content) in &self.files {
            write_file(&scratch.join(name), content)?;
        }
        replace_folder(&scratch, dir)
    }

    fn check(&self) -> Result<()> {
        for parameter in Layout::of(self.architecture).parameters(self.architecture) {
            let found = self.weights.get(&parameter.name).map(Tensor::dims);
            if found != Some(parameter.shape.as_slice()) {
                return Err(Error::new(
                    ErrorKind::Internal,
                    format!(
                        "the model is not saved: `{}` should have the shape {:?}, but has {found:?}",
                        parameter.name, parameter.shape
                    ),
                ));
            }
        }
        Ok(())
    }

    fn write_settings(&self, dir: &Path) -> Result<()> {
        write_json(&dir.join("modules.json"), &self.modules())?;
        let start = match self.start {
            Some(start) => Some(read_object(&start.join("config.json"))?),
            None => None,
        };
        let mut config = configuration(self.architecture, start.as_ref(), self.class());
        let kind = match self.format {
            WeightFormat::F16 => "float16",
            WeightFormat::F32 | WeightFormat::Int8 => "float32",
        };
        config.insert("torch_dtype".into(), kind.into());
        write_json(&dir.join("config.json"), &config)?;
        let limits = json!({
            "max_seq_length": self.max_tokens,
            "do_lower_case": self.lower_case,
        });
        write_json(&dir.join("sentence_bert_config.json"), &limits)?;
        let prompts = json!({
            "prompts": {"query": self.query_prompt, "document": self.passage_prompt},
            "default_prompt_name": null,
            "similarity_fn_name": "cosine",
        });
        write_json(&dir.join("config_sentence_transformers.json"), &prompts)?;
        for (class, path) in self.stack() {
            create(&dir.join(&path))?;
            if class == "Pooling" {
                write_json(&dir.join(path).join("config.json"), &self.pooling())?;
            }
        }
        for (index, layer) in self.dense.iter().enumerate() {
            write_dense(&dir.join(dense_folder(index)), layer)?;
        }
        Ok(())
    }

    /// The modules in their order, each with its folder.
    fn stack(&self) -> Vec<(&'static str, String)> {
        let mut stack = vec![
            ("Transformer", String::new()),
            ("Pooling", "1_Pooling".to_owned()),
        ];
        stack.extend((0..self.dense.len()).map(|index| ("Dense", dense_folder(index))));
        if self.normalise {
            stack.push(("Normalize", format!("{}_Normalize", stack.len())));
        }
        stack
    }

    fn modules(&self) -> Value {
        self.stack()
            .into_iter()
            .enumerate()
            .map(|(index, (class, path))| {
                json!({
                    "idx": index,
                    "name": index.to_string(),
                    "path": path,
                    "type": format!("sentence_transformers.models.{class}"),
                })
            })
            .collect()
    }

    fn pooling(&self) -> Value {
        json!({
            "word_embedding_dimension": self.architecture.hidden,
            "pooling_mode_cls_token": self.pooling == Pooling::Cls,
            "pooling_mode_mean_tokens": self.pooling == Pooling::Mean,
            "pooling_mode_max_tokens": self.pooling == Pooling::Max,
            "pooling_mode_mean_sqrt_len_tokens": false,
        })
    }

    /// The class of `transformers` that the checkpoint belongs to.
    fn class(&self) -> &'static str {
        match (self.architecture.family, self.heads.is_some()) {
            (Family::Bert, true) => "BertForPreTraining",
            (Family::Bert, false) => "BertModel",
            (Family::Roberta, true) => "RobertaForMaskedLM",
            (Family::Roberta, false) => "RobertaModel",
            (Family::DistilBert, true) => "DistilBertForMaskedLM",
            (Family::DistilBert, false) => "DistilBertModel",
            (Family::MpNet, true) => "MPNetForMaskedLM",
            (Family::MpNet, false) => "MPNetModel",
        }
    }

    fn write_tokenizer(&self, dir: &Path) -> Result<()> {
        match self.tokenizer {
            TokenizerSource::New { tokenizer, cased } => {
                write_tokenizer(tokenizer, cased, self.architecture.max_tokens(), dir)
            }
            TokenizerSource::Copy(from) => {
                let mut copied = 0;
                for name in TOKENIZER_FILES {
                    let path = from.join(name);
                    if path.exists() {
                        let bytes =
                            fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
                        write_file(&dir.join(name), &bytes)?;
                        copied += 1;
                    }
                }
                if copied == 0 {
                    return Err(Error::new(
                        ErrorKind::NotFound,
                        format!("{} holds no tokenizer to copy", from.display()),
                    ));
                }
                Ok(())
            }
        }
    }

    fn write_checkpoint(&self, dir: &Path) -> Result<()> {
        let own = self
            .weights
            .iter()
            .map(|(name, tensor)| (format!("{}{name}", self.prefix), tensor));
        let heads = self.heads.into_iter().flatten();
        let all = own.chain(heads.map(|(name, tensor)| (name.clone(), tensor)));
        write_weights(&dir.join(self.format.file_name()), all, self.format)
    }
}

/// The folder of a linear layer; transformer and pooling stand before it.
fn dense_folder(index: usize) -> String {
    format!("{}_Dense", index + 2)
}

fn create(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).map_err(|error| Error::io("create", dir, error))
}

/// A folder that is not a model is not ours to replace.
pub(crate) fn refuse_others(dir: &Path) -> Result<()> {
    let holds_model = dir.join("config.json").exists() && dir.join("modules.json").exists();
    let empty = fs::read_dir(dir).map_or(true, |mut entries| entries.next().is_none());
    if dir.is_file() || !(holds_model || empty) {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!(
                "{} is there already and is not a model directory; name another place for the \
                 model, or remove it",
                dir.display()
            ),
        ));
    }
    Ok(())
}

fn read_object(path: &Path) -> Result<Map<String, Value>> {
    let bytes = fs::read(path).map_err(|error| Error::io("read", path, error))?;
    serde_json::from_slice(&bytes).map_err(|error| Error::corrupt(path, error))
}
