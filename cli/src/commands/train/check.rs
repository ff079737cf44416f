//! `medsift train check`.

use super::recipe::{RecipeArgs, base, teachers};
use crate::articles;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::{progress, render};
use clap::Args;
use medsift_training::trainer::{Plan, plan};
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `medsift train check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift train check config/train/mini.toml --data ./data
  medsift train check config/train/mini.toml --set stage.0.batch=256 --json

The configuration is checked, the start model is opened and every data set is
read from end to end, so that what would stop a run shows before it begins.
Nothing is written.")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    recipe: RecipeArgs,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// What `medsift train check` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Checked {
    /// Folder that the run would write.
    pub(crate) output: PathBuf,
    /// What it would do.
    #[serde(flatten)]
    pub(crate) plan: Plan,
}

/// Says what would run.
pub(super) fn run(context: &mut Context, args: &CheckArgs) -> Result<Exit> {
    let config = args.recipe.read()?;
    let model = base(&config, context.quiet)?;
    teachers(&config, context.quiet)?;
    let spinner = progress::spinner(context.quiet, "reading the data");
    let plan = plan(&config, model.as_deref(), Some(&articles::source()));
    spinner.finish_and_clear();
    let checked = Checked {
        output: config.output.clone(),
        plan: plan?,
    };
    if args.json {
        context.out.json(&checked)?;
    } else {
        let text = render::training::check(&checked, context.out.width(), context.out.style());
        context.out.text(&text)?;
    }
    Ok(Exit::Ok)
}
