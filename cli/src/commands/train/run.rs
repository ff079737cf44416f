//! `medsift train run`.

use super::recipe::{RecipeArgs, base, teachers};
use crate::articles;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::interrupt::Interrupt;
use crate::progress::TrainBars;
use crate::render;
use clap::Args;
use medsift_training::record::{RunFolder, Status};
use medsift_training::trainer::{RunOptions, train};

/// Arguments of `medsift train run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift train run config/train/mini.toml --data ./data
  medsift train run config/train/sbert-nli.toml --model ./my-bert --output runs/mine
  medsift train run config/train/mini.toml --resume
  medsift train run config/train/mini.toml --set stage.0.steps=100 --set stage.0.epochs=

Every key of the file is described in docs/training-configuration.md. The
finished model is in the folder model of the output folder, beside run.json,
metrics.jsonl and plot.svg. Ctrl-C saves a checkpoint and says how to go on;
a second Ctrl-C ends at once.")]
pub(super) struct RunArgs {
    #[command(flatten)]
    recipe: RecipeArgs,
    /// Go on from the newest checkpoint in the output folder
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Replace the run that the output folder holds
    #[arg(long)]
    overwrite: bool,
    /// Print the run's record as JSON
    #[arg(long)]
    json: bool,
}

/// Trains, with a bar; Ctrl-C saves and stops.
pub(super) fn run(context: &mut Context, args: &RunArgs) -> Result<Exit> {
    let config = args.recipe.read()?;
    let command = args.recipe.command("run");
    let options = RunOptions {
        model: base(&config, context.quiet)?,
        command: command.clone(),
        resume: args.resume,
        overwrite: args.overwrite,
        articles: Some(articles::source()),
        teachers: teachers(&config, context.quiet)?,
    };
    let interrupt = Interrupt::announced(context.quiet, "saving a checkpoint")?;
    let bars = TrainBars::new(context.quiet, interrupt.clone());
    let ended = train(&config, &options, &bars);
    bars.clear();
    interrupt.release();
    let record = ended?;
    let folder = RunFolder::new(&config.output);
    if args.json {
        context.out.json(&record)?;
    } else if !context.quiet {
        let text = render::training::run(&record, &folder);
        context.out.text(&text)?;
    }
    if let Status::Stopped { step } = record.status {
        context.note(&format!(
            "stopped behind step {step}; go on with:\n  {command} --resume"
        ));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Ok)
}
