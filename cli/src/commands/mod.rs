//! One file per subcommand: its arguments, and what it does with them.

pub(crate) mod annotate;
pub(crate) mod answer;
pub(crate) mod classify;
pub(crate) mod demo;
pub(crate) mod enrich;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod filter_args;
pub(crate) mod index;
pub(crate) mod key;
pub(crate) mod mcp;
pub(crate) mod mesh;
pub(crate) mod model;
pub(crate) mod passages;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod similar;
pub(crate) mod stats;
pub(crate) mod strategy;
pub(crate) mod train;
pub(crate) mod verify;

use crate::args::{Cli, Command};
use crate::context::Context;
use crate::error::{Exit, Result};

/// Runs what was asked for.
pub(crate) fn run(cli: Cli) -> Result<Exit> {
    let mut context = Context::new(&cli.globals)?;
    let context = &mut context;
    match cli.command {
        Command::Demo(args) => demo::run(context, args),
        Command::Index(args) => index::run(context, &args),
        Command::Enrich(args) => enrich::run(context, &args),
        Command::Search(args) => search::run(context, &args),
        Command::Answer(args) => answer::run(context, &args),
        Command::Passages(args) => passages::run(context, &args),
        Command::Serve(args) => serve::run(context, &args),
        Command::Mcp(args) => mcp::run(context, &args),
        Command::Show(args) => show::run(context, &args),
        Command::Similar(args) => similar::run(context, &args),
        Command::Export(args) => export::run(context, &args),
        Command::Stats(args) => stats::run(context, &args),
        Command::Verify(args) => verify::run(context, &args),
        Command::Eval(args) => eval::run(context, &args),
        Command::Annotate(args) => annotate::run(context, &args),
        Command::Classify(args) => classify::run(context, &args),
        Command::Key(args) => key::run(context, &args),
        Command::Strategy(args) => strategy::run(context, &args),
        Command::Mesh(args) => mesh::run(context, &args),
        Command::Model(args) => model::run(context, &args),
        Command::Train(args) => train::run(context, &args),
    }
}
