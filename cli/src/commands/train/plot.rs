//! `medsift train plot`.

use crate::context::Context;
use crate::error::{Exit, Result};
use clap::Args;
use medsift::{Error, ErrorKind};
use medsift_training::record::{PlotOptions, RunFolder, plot, read_metrics};
use std::path::PathBuf;

/// Arguments of `medsift train plot`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift train plot runs/mini
  medsift train plot runs/mini --log --output mini.svg

A run draws its plot when it ends; this draws one of a run that still goes on,
or another one. The SVG needs nothing beside it.")]
pub(super) struct PlotArgs {
    /// Folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Where the SVG goes [default: plot.svg in the run's folder]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw losses on a logarithmic axis
    #[arg(long)]
    log: bool,
}

/// Draws and prints where the picture is.
pub(super) fn run(context: &mut Context, args: &PlotArgs) -> Result<Exit> {
    let folder = RunFolder::new(&args.run);
    if !folder.metrics().is_file() {
        return Err(Error::new(
            ErrorKind::NotFound,
            format!(
                "{} holds no run ({} is not there); name the `output` folder of a training",
                args.run.display(),
                folder.metrics().display()
            ),
        )
        .into());
    }
    let options = PlotOptions {
        title: args.run.display().to_string(),
        log_loss: args.log,
    };
    let drawing = plot(&read_metrics(&folder.metrics())?, &options);
    let path = args.output.clone().unwrap_or_else(|| folder.plot());
    std::fs::write(&path, drawing).map_err(|error| Error::io("write", &path, error))?;
    context.out.text(&format!("{}\n", path.display()))?;
    Ok(Exit::Ok)
}
