use crate::commands::index::{Build, Passages};
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::evaluation::{Half, Measured, Plan};
use crate::model;
use crate::open::LoadedModel;
use crate::{evaluation, render};
use clap::Args;
use medsift::eval::beir::BeirFolder;
use medsift::index::Index;
use medsift::query::Mode;
use std::path::{Path, PathBuf};

/// Arguments of `medsift eval retrieval`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval retrieval ./nfcorpus
  medsift eval retrieval ./scifact --mode semantic --exact --passages off --json
  medsift eval retrieval ./nfcorpus --mode hybrid --run hybrid.trec

The corpus is indexed once and kept in the cache. Scores are trec_eval's, over
the first 1000 articles of each query; the run file can be checked with it.")]
pub(crate) struct RetrievalArgs {
    /// Folder with corpus.jsonl, queries.jsonl and qrels/
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Which sides answer: hybrid, keyword or semantic
    #[arg(long, value_name = "MODE")]
    mode: Option<Mode>,
    /// Judgements to score against: test, dev or train
    #[arg(long, default_value = "test", value_name = "SPLIT")]
    split: String,
    /// Only every other query, to choose settings on one half and check on the other
    #[arg(long, value_name = "A|B")]
    query_half: Option<Half>,
    /// on: long articles become several passages; off: one vector an article
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    passages: Passages,
    /// Compare every vector instead of walking the graph
    #[arg(long)]
    exact: bool,
    /// Model: a known name, a directory, or the hub's org/name
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Where to keep the corpus's index [default: in the cache]
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// Write the ranked lists to a TREC run file
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Searches every judged query and scores the lists.
pub(crate) fn run(context: &mut Context, args: &RetrievalArgs) -> Result<Exit> {
    let folder = BeirFolder::open(&args.dir)?;
    let (queries, qrels) = folder.split(&args.split)?;
    let Some(index) = corpus_index(context, args, &folder)? else {
        return Ok(Exit::Interrupted);
    };
    let plan = Plan {
        dataset: folder.name(),
        split: args.split.clone(),
        half: args.query_half,
        mode: args.mode.unwrap_or(context.settings.search.query.mode),
        exact: args.exact,
        passages: args.passages.into(),
    };
    let searcher = index.searcher()?;
    let Measured { report, run } = evaluation::measure(context, &plan, &searcher, queries, qrels)?;
    if let Some(path) = &args.run {
        run.write_trec(path, "medsift")?;
    }
    if args.json {
        context.out.json(&report)?;
    } else {
        let text = render::evaluation::page(&report, context.out.style());
        context.out.text(&text)?;
    }
    Ok(Exit::Ok)
}

/// The corpus, indexed now or by an earlier evaluation; nothing where Ctrl-C
/// stopped it.
fn corpus_index(
    context: &Context,
    args: &RetrievalArgs,
    folder: &BeirFolder,
) -> Result<Option<Index>> {
    let corpus = folder.corpus()?;
    let model = LoadedModel::load(context, &args.model)?;
    let dir = match &args.index {
        Some(dir) => dir.clone(),
        None => cached_index(args, &model, &folder.name(), &corpus)?,
    };
    let build = Build {
        dir: &dir,
        inputs: &[corpus],
        model: &model,
        passages: args.passages.into(),
        replace: false,
        reencode: false,
    };
    super::indexed_whole(context, &build, "corpus")
}

/// A folder for exactly this corpus, model and way of cutting passages.
fn cached_index(
    args: &RetrievalArgs,
    model: &LoadedModel,
    name: &str,
    corpus: &Path,
) -> Result<PathBuf> {
    let content = model::digest(corpus)?;
    let passages = match args.passages {
        Passages::On => "passages",
        Passages::Off => "whole",
    };
    let folder = format!(
        "{name}-{}-{}-{passages}",
        short(&content),
        short(&model.encoder.fingerprint().vectors_sha256())
    );
    Ok(model::cache_root()?.join("eval").join(folder))
}

fn short(digest: &str) -> &str {
    digest.get(..8).unwrap_or(digest)
}
