use crate::context::Context;
use crate::error::{Exit, Result};
use crate::model::registry::{self, Origin};
use crate::model::{self, inspect};
use crate::render;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `medsift model`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift model list
  medsift model get minilm
  medsift model inspect ./my-model")]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    command: ModelCommand,
}

#[derive(Debug, Subcommand)]
enum ModelCommand {
    /// List the known models and where they lie
    #[command(after_help = "Example:\n  medsift model list --json")]
    List {
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Fetch a model into the per-user cache and print its directory
    #[command(after_help = "\
Examples:
  medsift model get minilm
  medsift model get sentence-transformers/all-mpnet-base-v2

Models are kept in $MEDSIFT_CACHE, else $XDG_CACHE_HOME/medsift, else ~/.cache/medsift.")]
    Get {
        /// A known name, or the hub's org/name
        #[arg(value_name = "MODEL", default_value = model::DEFAULT)]
        model: String,
    },
    /// Describe a model: architecture, pooling, sizes, fingerprint
    #[command(after_help = "\
Examples:
  medsift model inspect ./my-model
  medsift model inspect medsift-mini --json")]
    Inspect {
        /// A directory, a known name, or the hub's org/name
        #[arg(value_name = "MODEL")]
        model: String,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
}

/// A known model as `model list --json` prints it.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    /// What `--model` takes.
    pub(crate) name: &'static str,
    /// In a few words.
    pub(crate) description: &'static str,
    /// Length of a vector.
    pub(crate) dimension: usize,
    /// Word pieces that are read of a text.
    pub(crate) max_tokens: usize,
    /// SPDX identifier.
    pub(crate) licence: &'static str,
    /// Bytes of its files.
    pub(crate) bytes: u64,
    /// Whether it is part of this program.
    pub(crate) shipped: bool,
    /// Name on the hub, for one that is fetched.
    pub(crate) hub: Option<&'static str>,
    /// Python package that carries it.
    pub(crate) package: Option<&'static str>,
    /// Where it lies, once fetched or unpacked.
    pub(crate) directory: Option<PathBuf>,
}

/// Runs a model command.
pub(crate) fn run(context: &mut Context, args: &ModelArgs) -> Result<Exit> {
    match &args.command {
        ModelCommand::List { json } => list(context, *json)?,
        ModelCommand::Get { model } => {
            let resolved = model::resolve(model, context.quiet)?;
            let dir = resolved.dir.display();
            context.out.text(&format!("{dir}\n"))?;
        }
        ModelCommand::Inspect { model, json } => {
            let dir = model::resolve(model, context.quiet)?.dir;
            let inspection = inspect::inspect(&dir, context.settings.encoder.options())?;
            if *json {
                context.out.json(&inspection)?;
            } else {
                let text = render::model::inspection(&inspection, context.out.style());
                context.out.text(&text)?;
            }
        }
    }
    Ok(Exit::Ok)
}

fn list(context: &mut Context, json: bool) -> Result<()> {
    let mut models = Vec::new();
    for known in registry::ALL {
        let from = match &known.origin {
            Origin::Shipped(_) => None,
            Origin::Fetched(from) => Some(from),
        };
        models.push(Listed {
            name: known.name,
            description: known.description,
            dimension: known.dimension,
            max_tokens: known.max_tokens,
            licence: known.licence,
            bytes: known.bytes(),
            shipped: from.is_none(),
            hub: from.map(|from| from.hub),
            package: from.map(|from| from.package),
            directory: model::installed(known)?,
        });
    }
    if json {
        return context.out.json(&models);
    }
    let root = model::cache_root()?;
    let text = render::model::list(&models, &root, context.out.style());
    context.out.text(&text)
}
