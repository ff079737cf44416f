use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::interrupt::Interrupt;
use crate::open::load_model;
use crate::progress::{IndexBars, suspended};
use crate::{model, render};
use clap::Args;
use medsift::index::Index;
use medsift_indexer::pipeline::{self, IndexJob, IndexReport};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments of `medsift index`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift index pubmed25n0001.xml.gz
  medsift index 'updatefiles/*.xml.gz' --index ./idx
  medsift index corpus.jsonl --index ./nfcorpus --model sentence-transformers/all-mpnet-base-v2

PubMed XML, NBIB, JATS and BEIR JSONL are read, plain or gzip. Running the same
command again reads only what is new; a run that was interrupted goes on where
it stopped. Every record is accounted for in the table at the end.")]
pub(crate) struct IndexArgs {
    /// Files, folders or patterns
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    dir: IndexDir,
    /// Model: a known name, a directory, or the hub's org/name [default: the
    /// one that the index was made with, else minilm]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Reads files into an index.
pub(crate) fn run(context: &mut Context, args: &IndexArgs) -> Result<Exit> {
    let model = args
        .model
        .clone()
        .unwrap_or_else(|| recorded_or_default(&args.dir.index));
    let (report, interrupted) = build(context, &args.dir.index, &args.inputs, &model)?;
    if args.json {
        context.out.json(&report)?;
    } else if !context.quiet {
        let text = render::ledger::report(&report, context.out.style());
        context.out.text(&text)?;
    }
    if interrupted {
        context.note("stopped; run the same command again to go on");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Ok)
}

/// Indexes with bars and with Ctrl-C stopping after the current batch. The
/// flag says whether it was stopped.
pub(crate) fn build(
    context: &Context,
    dir: &Path,
    inputs: &[PathBuf],
    model: &str,
) -> Result<(IndexReport, bool)> {
    let location = model::resolve(model, context.quiet)?.location;
    let job = IndexJob {
        index_dir: dir.to_owned(),
        inputs: inputs.to_vec(),
        encoder: Arc::new(load_model(context, &location)?),
        model_location: location,
        settings: context.settings.index.clone(),
    };
    let quiet = context.quiet;
    let interrupt = Interrupt::listen(move || {
        if !quiet {
            suspended(|| {
                let _ = writeln!(
                    io::stderr(),
                    "finishing what has been read, then stopping; Ctrl-C again ends at once"
                );
            });
        }
    })?;
    let bars = IndexBars::new(quiet, interrupt.clone());
    let report = pipeline::run(&job, &bars);
    interrupt.release();
    let report = report?;
    Ok((report, interrupt.is_pressed()))
}

/// An index keeps the model that it was made with.
fn recorded_or_default(dir: &Path) -> String {
    match Index::recorded_model(dir) {
        Ok(recorded) => recorded.location,
        Err(error) => {
            tracing::debug!(%error, "no model recorded, taking the default");
            model::DEFAULT.to_owned()
        }
    }
}
