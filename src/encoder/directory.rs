//! A model directory: which files it has and what its settings say.
//!
//! The layout is that of sentence-transformers: `modules.json` lists the
//! transformer, the pooling, linear layers behind it and the normalisation,
//! each with its folder; a
//! plain Hugging Face directory has none of these and gets mean pooling
//! without normalisation, as sentence-transformers gives it.

use super::files::{optional_json, unsupported};
use super::pooling::Pooling;
use crate::{Error, ErrorKind, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Settings around the network.
#[derive(Debug, Clone)]
pub struct ModelDirectory {
    /// Folder with weights, tokenizer and `config.json`.
    pub transformer: PathBuf,
    /// How states become a vector.
    pub pooling: Pooling,
    /// Folders of the linear layers behind the pooling, in their order.
    pub dense: Vec<PathBuf>,
    /// Whether vectors are scaled to length 1.
    pub normalise: bool,
    /// `max_seq_length`.
    pub max_tokens: Option<usize>,
    /// Lower-casing before the tokenizer.
    pub lower_case: bool,
    /// What stands before every query.
    pub query_prompt: String,
    /// What stands before every passage.
    pub passage_prompt: String,
    /// Lengths to which vectors may be cut (Matryoshka representations):
    /// `matryoshka_dimensions` of `config_sentence_transformers.json`, else of
    /// the network's `config.json`; none where neither names any.
    pub matryoshka: Vec<usize>,
    /// What the model calls itself.
    pub name: String,
}

/// What `modules.json` lists.
struct Stack {
    transformer: PathBuf,
    pooling: Pooling,
    dense: Vec<PathBuf>,
    normalise: bool,
}

#[derive(Debug, Deserialize)]
struct Module {
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

/// `config_sentence_transformers.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Prompts {
    prompts: BTreeMap<String, Option<String>>,
    default_prompt_name: Option<String>,
    matryoshka_dimensions: Option<Vec<usize>>,
}

/// What `config.json` may say of vectors.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Cuts {
    matryoshka_dimensions: Option<Vec<usize>>,
}

/// `sentence_bert_config.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Limits {
    max_seq_length: Option<usize>,
    do_lower_case: bool,
}

impl ModelDirectory {
    /// Reads the settings of a directory.
    ///
    /// # Errors
    /// When it is not there, or names modules that are not supported.
    pub fn read(dir: &Path) -> Result<Self> {
        if !dir.is_dir() {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!(
                    "there is no model directory {}; name another or fetch one with \
                     `medsift model get minilm`",
                    dir.display()
                ),
            ));
        }
        let list = dir.join("modules.json");
        let modules = optional_json::<Vec<Module>>(&list)?;
        let stack = match modules {
            Some(modules) => Stack::read(dir, &list, &modules)?,
            None => Stack::plain(dir),
        };
        let limits: Limits = optional_json(&stack.transformer.join("sentence_bert_config.json"))?
            .unwrap_or_default();
        let prompts: Prompts =
            optional_json(&dir.join("config_sentence_transformers.json"))?.unwrap_or_default();
        Ok(Self {
            name: name(dir),
            matryoshka: matryoshka(&prompts, &stack.transformer)?,
            transformer: stack.transformer,
            pooling: stack.pooling,
            dense: stack.dense,
            normalise: stack.normalise,
            max_tokens: limits.max_seq_length,
            lower_case: limits.do_lower_case,
            query_prompt: prompts.choose(&["query"]),
            passage_prompt: prompts.choose(&["document", "passage", "corpus"]),
        })
    }
}

impl Stack {
    /// Of a directory without `modules.json`.
    fn plain(dir: &Path) -> Self {
        Self {
            transformer: dir.to_owned(),
            pooling: Pooling::Mean,
            dense: Vec::new(),
            normalise: false,
        }
    }

    fn read(dir: &Path, list: &Path, modules: &[Module]) -> Result<Self> {
        let mut transformer = None;
        let mut stack = Self::plain(dir);
        for module in modules {
            let folder = dir.join(&module.path);
            // Later versions moved the classes, their last names stayed.
            match module.kind.rsplit('.').next().unwrap_or_default() {
                "Transformer" => transformer = Some(folder),
                "Pooling" => stack.pooling = Pooling::read(&folder.join("config.json"))?,
                "Dense" if stack.normalise => {
                    return Err(unsupported(
                        list,
                        "a Dense module behind Normalize is not supported",
                    ));
                }
                "Dense" => stack.dense.push(folder),
                "Normalize" => stack.normalise = true,
                _ => {
                    return Err(unsupported(
                        list,
                        format!(
                            "the module `{}` is not supported, only Transformer, Pooling, \
                             Dense and Normalize",
                            module.kind
                        ),
                    ));
                }
            }
        }
        stack.transformer =
            transformer.ok_or_else(|| unsupported(list, "no Transformer module is listed"))?;
        Ok(stack)
    }
}

fn matryoshka(prompts: &Prompts, transformer: &Path) -> Result<Vec<usize>> {
    if let Some(declared) = &prompts.matryoshka_dimensions {
        return Ok(declared.clone());
    }
    let cuts: Cuts = optional_json(&transformer.join("config.json"))?.unwrap_or_default();
    Ok(cuts.matryoshka_dimensions.unwrap_or_default())
}

impl Prompts {
    /// The prompt under the first of these names, else the default one.
    fn choose(&self, names: &[&str]) -> String {
        names
            .iter()
            .copied()
            .chain(self.default_prompt_name.as_deref())
            .find_map(|name| self.prompts.get(name).cloned().flatten())
            .unwrap_or_default()
    }
}

/// The folder's own name: what `config.json` says is often a path on its
/// author's machine.
fn name(dir: &Path) -> String {
    dir.canonicalize()
        .ok()
        .and_then(|dir| Some(dir.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_else(|| "model".to_owned())
}
