//! Training an encoder: from a configuration to a model directory, and what
//! is needed before and afterwards.

mod check;
mod lists;
mod overrides;
mod pairs;
mod plot;
mod recipe;
mod run;
mod vocab;

pub(crate) use check::Checked;
pub(crate) use pairs::PairsReport;

use crate::context::Context;
use crate::error::{Exit, Result};
use clap::{Args, Subcommand};

/// Arguments of `medsift train`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift train check config/train/mini.toml --data ./data
  medsift train run config/train/mini.toml --data ./data
  medsift index pubmed25n0001.xml.gz --model runs/mini/model")]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    command: TrainCommand,
}

#[derive(Debug, Subcommand)]
enum TrainCommand {
    /// Train a model as a configuration says
    Run(run::RunArgs),
    /// Read a configuration and its data, and say what would run
    Check(check::CheckArgs),
    /// Make a vocabulary of the texts at hand
    Vocab(vocab::VocabArgs),
    /// Make training examples of PubMed records
    Pairs(pairs::PairsArgs),
    /// Rank the articles of an index for many queries, as a teacher's lists
    Lists(lists::ListsArgs),
    /// Draw the losses and scores of a run
    Plot(plot::PlotArgs),
}

/// Runs a training command.
pub(crate) fn run(context: &mut Context, args: &TrainArgs) -> Result<Exit> {
    match &args.command {
        TrainCommand::Run(args) => run::run(context, args),
        TrainCommand::Check(args) => check::run(context, args),
        TrainCommand::Vocab(args) => vocab::run(context, args),
        TrainCommand::Pairs(args) => pairs::run(context, args),
        TrainCommand::Lists(args) => lists::run(context, args),
        TrainCommand::Plot(args) => plot::run(context, args),
    }
}
