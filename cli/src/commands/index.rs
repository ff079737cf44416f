use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::interrupt::Interrupt;
use crate::open::LoadedModel;
use crate::progress::IndexBars;
use crate::{model, render};
use clap::{Args, ValueEnum};
use medsift::index::{Index, PassageMode};
use medsift_indexer::pipeline::{self, FileReport, IndexJob, IndexReport};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments of `medsift index`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift index pubmed25n0001.xml.gz
  medsift index 'updatefiles/*.xml.gz' --index ./idx
  medsift index corpus.jsonl --index ./nfcorpus --model sentence-transformers/all-mpnet-base-v2

  medsift import everything.parquet --index ./copy

PubMed XML, NBIB, JATS, JSON lines (medsift's own and BEIR's), RIS, BibTeX and
CSL-JSON are read, plain or gzip, and Parquet and Arrow files, whose vectors are
taken as they are where they are of the index's model. What a file is shows its
content. Running the same command again reads only what is new; a run that was
interrupted goes on where it stopped. Every record is accounted for in the table
at the end. `import` is another name for `index`.")]
pub(crate) struct IndexArgs {
    /// Files, folders or patterns
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    dir: IndexDir,
    /// Model: a known name, a directory, or the hub's org/name [default: the
    /// one that the index was made with, else medsift-mini]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// on: long articles become several passages; off: one vector an article,
    /// its text cut at the model's maximum
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    passages: Passages,
    /// Let records of RIS, BibTeX, CSL-JSON and NBIB take the place of articles
    /// that say more than these formats can
    #[arg(long)]
    replace: bool,
    /// Pass over the vectors in files, and make them anew
    #[arg(long)]
    reencode: bool,
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
    let model = LoadedModel::load(context, &model)?;
    let build = Build {
        dir: &args.dir.index,
        inputs: &args.inputs,
        model: &model,
        passages: args.passages.into(),
        replace: args.replace,
        reencode: args.reencode,
    };
    let report = build.run(context)?;
    if args.json {
        context.out.json(&report)?;
    } else if !context.quiet {
        let text = render::ledger::report(&report, context.out.style());
        context.out.text(&text)?;
    }
    Ok(exit_of(context, &report))
}

/// A file that could not be read, or of which no record could be, is a failure;
/// a quarantined record is not: it is kept, counted and named.
fn exit_of(context: &Context, report: &IndexReport) -> Exit {
    if report.total.quarantined > 0 {
        context.note(&format!(
            "{} records could not be read and are in the quarantine",
            report.total.quarantined
        ));
    }
    if report.cancelled {
        context.note("stopped; run the same command again to go on");
        return Exit::Interrupted;
    }
    let broken = |file: &FileReport| {
        let ledger = &file.ledger;
        let of_no_use = ledger.read > 0 && ledger.read == ledger.quarantined;
        file.refused.is_some() || file.damaged.is_some() || of_no_use
    };
    if report.files.iter().any(broken) {
        return Exit::Failure;
    }
    Exit::Ok
}

/// How `--passages` is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Passages {
    /// Several passages an article.
    On,
    /// One vector an article.
    Off,
}

impl From<Passages> for PassageMode {
    fn from(passages: Passages) -> Self {
        match passages {
            Passages::On => Self::On,
            Passages::Off => Self::Off,
        }
    }
}

/// What to index, where, and with which model.
pub(crate) struct Build<'a> {
    /// The index directory.
    pub(crate) dir: &'a Path,
    /// Files, folders and patterns.
    pub(crate) inputs: &'a [PathBuf],
    /// Embeds the passages.
    pub(crate) model: &'a LoadedModel,
    /// How articles become passages.
    pub(crate) passages: PassageMode,
    /// Whether records take the place of articles that say more.
    pub(crate) replace: bool,
    /// Whether vectors in files are passed over.
    pub(crate) reencode: bool,
}

impl Build<'_> {
    /// Indexes with bars; Ctrl-C stops after the batch at hand.
    pub(crate) fn run(&self, context: &Context) -> Result<IndexReport> {
        let job = IndexJob {
            index_dir: self.dir.to_owned(),
            inputs: self.inputs.to_vec(),
            encoder: Arc::clone(&self.model.encoder),
            model_location: self.model.location.clone(),
            passages: self.passages,
            replace: self.replace,
            reencode: self.reencode,
            settings: context.settings.index.clone(),
        };
        let interrupt = Interrupt::announced(context.quiet, "finishing what has been read")?;
        let bars = IndexBars::new(context.quiet, interrupt.clone());
        let report = pipeline::run(&job, &bars);
        interrupt.release();
        Ok(report?)
    }
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
