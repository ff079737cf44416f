//! `medsift train lists`.

use super::pairs::{PairsReport, read_collection};
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::{open, progress};
use clap::Args;
use medsift::query::{Mode, Query, QueryRequest, Syntax};
use medsift::searcher::Searcher;
use medsift_training::data::build::{
    Collection, ListSettings, PseudoQuery, QueryKind, QuerySettings, draw, list, pseudo_queries,
};
use medsift_training::data::{DataSpec, Format, load, write_examples};
use medsift_training::example::Example;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Arguments of `medsift train lists`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift index baseline/ --index ./pool
  medsift train lists baseline/ --index ./pool --output lists.jsonl
  medsift train lists baseline/ --index ./pool --questions questions.jsonl \\
      --exclude data/retrieval/scifact --limit 20000 --output lists.jsonl

Pseudo-queries are made of the articles in FILE; the index ranks its articles
for each; the first of the ranking and some from further down make a list. A
training reads the file with format = \"pairs\" and learns with the objective
`listwise`. Articles that are not in FILE, or held out, come into no list.")]
pub(super) struct ListsArgs {
    /// Files that the index was made of
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// The index that ranks
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// Where the lists go, as JSON lines
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// JSON lines with questions in `text`, beside the pseudo-queries
    #[arg(long, value_name = "FILE")]
    questions: Vec<String>,
    /// Only questions that have this column with this value
    #[arg(long, value_name = "COLUMN=VALUE")]
    only: Option<String>,
    /// Who ranks
    #[arg(long, default_value = "hybrid")]
    mode: Mode,
    /// Passages of a list
    #[arg(long, value_name = "N", default_value_t = ListSettings::default().passages)]
    passages: usize,
    /// Of these, the first of the ranking
    #[arg(long, value_name = "N", default_value_t = ListSettings::default().top)]
    top: usize,
    /// Deepest place that a passage is drawn from
    #[arg(long, value_name = "N", default_value_t = ListSettings::default().depth)]
    depth: usize,
    /// Most pseudo-queries of one article
    #[arg(long, value_name = "N", default_value_t = QuerySettings::default().per_article)]
    per_article: usize,
    /// Held-out files or BEIR folders whose articles are left out; may be repeated
    #[arg(long, value_name = "FILE")]
    exclude: Vec<String>,
    /// Most lists, their queries drawn with the seed
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Makes lists.
pub(super) fn run(context: &mut Context, args: &ListsArgs) -> Result<Exit> {
    let index = open::with_model(context, &args.index, None, Default::default())?;
    let searcher = index.searcher()?;
    let (records, collection) =
        read_collection(context, &args.inputs, &args.output, &args.exclude)?;
    let queries = queries(args, &collection)?;
    let examples = rank_all(context, args, &searcher, &collection, &queries)?;
    let report = PairsReport {
        output: args.output.clone(),
        records,
        articles: collection.intake,
        made: queries.len(),
        written: examples.len(),
    };
    if examples.is_empty() {
        return Err(CliError::Failure(format!(
            "no query of {} found {} passages; {} is not written",
            queries.len(),
            args.passages,
            args.output.display()
        )));
    }
    write_examples(&args.output, &examples)?;
    report.print(context, args.json)
}

/// Questions and pseudo-queries, as many as are wanted.
fn queries(args: &ListsArgs, collection: &Collection) -> Result<Vec<PseudoQuery>> {
    let settings = QuerySettings {
        per_article: args.per_article,
        seed: args.seed,
        ..QuerySettings::default()
    };
    let mut queries = pseudo_queries(collection, &settings);
    if !args.questions.is_empty() {
        let mut spec = DataSpec::new(Format::Pairs, args.questions.clone());
        spec.columns = Some(vec!["text".to_owned()]);
        if let Some(only) = &args.only {
            let (column, value) = only
                .split_once('=')
                .ok_or_else(|| CliError::Usage(format!("--only {only}: give COLUMN=VALUE")))?;
            spec.only = BTreeMap::from([(column.to_owned(), value.to_owned())]);
        }
        let asked = load(&spec)?.examples.into_iter();
        queries.extend(asked.filter_map(|example| {
            Some(PseudoQuery {
                kind: QueryKind::Asked,
                text: example.texts.into_iter().next()?,
                article: None,
            })
        }));
    }
    Ok(match args.limit {
        Some(limit) => draw(queries, limit, args.seed),
        None => queries,
    })
}

fn rank_all(
    context: &Context,
    args: &ListsArgs,
    searcher: &Searcher,
    collection: &Collection,
    queries: &[PseudoQuery],
) -> Result<Vec<Example>> {
    let settings = ListSettings {
        passages: args.passages,
        top: args.top,
        depth: args.depth,
        seed: args.seed,
    };
    let bar = progress::count_bar(context.quiet, queries.len() as u64);
    bar.set_prefix("ranking");
    let next = AtomicUsize::new(0);
    let one = |number: usize| -> Result<Option<Example>> {
        let query = &queries[number];
        let request = QueryRequest {
            query: query.text.to_string(),
            syntax: Syntax::Plain,
            mode: Some(args.mode),
            ..QueryRequest::default()
        };
        let ranking: Vec<(usize, f32)> = searcher
            .rank(&Query::new(request, &searcher.settings().query)?)?
            .iter()
            .filter_map(|(id, score)| Some((collection.number_of(id.as_str())?, *score)))
            .collect();
        bar.inc(1);
        Ok(list(collection, query, number, &ranking, &settings))
    };
    let work = || -> Result<Vec<(usize, Example)>> {
        let mut made = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= queries.len() {
                return Ok(made);
            }
            made.extend(one(number)?.map(|example| (number, example)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|fault| resume_unwind(fault)))
            .collect::<Result<Vec<_>>>()
    })?;
    bar.finish_and_clear();
    let mut all: Vec<(usize, Example)> = parts.into_iter().flatten().collect();
    all.sort_by_key(|(number, _)| *number);
    Ok(all.into_iter().map(|(_, example)| example).collect())
}
