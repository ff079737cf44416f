use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::{progress, render};
use clap::Args;

/// Arguments of `medsift verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift verify
  medsift verify --index /data/pubmed --json || echo damaged

Exit code 0: sound; 1: faults were found, one line each.")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    dir: IndexDir,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Checks an index.
pub(crate) fn run(context: &mut Context, args: &VerifyArgs) -> Result<Exit> {
    medsift::index::require(&args.dir.index)?;
    let spinner = progress::spinner(context.quiet, "reading every file of the index");
    let report = medsift::index::verify(&args.dir.index);
    spinner.finish_and_clear();
    let report = report?;
    if args.json {
        context.out.json(&report)?;
    } else if !context.quiet || !report.faults.is_empty() {
        let text = render::verify::page(&report, context.out.style());
        context.out.text(&text)?;
    }
    Ok(if report.faults.is_empty() {
        Exit::Ok
    } else {
        Exit::Failure
    })
}
