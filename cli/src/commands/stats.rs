use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::{open, render};
use clap::Args;

/// Arguments of `medsift stats`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift stats
  medsift stats --index /data/pubmed --json")]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    dir: IndexDir,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Prints what an index holds and costs.
pub(crate) fn run(context: &mut Context, args: &StatsArgs) -> Result<Exit> {
    let index = open::without_model(context, &args.dir.index, Default::default())?;
    let stats = index.searcher()?.stats()?;
    if args.json {
        context.out.json(&stats)?;
    } else {
        let text = render::stats::page(&stats, context.out.style());
        context.out.text(&text)?;
    }
    Ok(Exit::Ok)
}
