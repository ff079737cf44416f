//! `medsift eval passages`: is what answers a question among its passages?

use crate::commands::index::{Build, Passages};
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::{model, progress, render};
use clap::Args;
use medsift::digest::sha256;
use medsift::eval::passages::{
    GoldDocument, GoldQuestion, PassageCounter, PassageScores, PassageSet,
};
use medsift::index::Index;
use medsift::query::{Mode, QueryRequest, Syntax};
use medsift::searcher::{AnswerField, PassageQuery, PassageRequest, PassagesResponse, Searcher};
use serde::Serialize;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// Arguments of `medsift eval passages`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval passages pubmedqa/ori_pqal.json.gz bioasq/bioasq-7b-11b-golden.jsonl.gz
  medsift eval passages bioasq-7b-11b-golden.jsonl.gz --batch 11 --mode hybrid,keyword
  medsift eval passages ori_pqal.json.gz --also pubmed25n0001.xml.gz --budget 500 --json

All documents of all files, and what --also names, go into one index, which is
kept in the cache; each question is asked of all of them. PubMedQA's questions are
asked of whole abstracts without titles (the questions are the titles). BioASQ's
golden sets have no abstracts: a document is all snippets that are marked in it.
A document counts as found when one of its passages is there, a snippet when all
of it is.")]
pub(crate) struct PassagesArgs {
    /// PubMedQA's JSON or golden sets of BioASQ as lines of JSON, plain or gzip
    #[arg(value_name = "DATA", required = true)]
    files: Vec<PathBuf>,
    /// Tokens of the passages
    #[arg(long, value_name = "TOKENS", value_delimiter = ',', default_values_t = [500, 1000, 2000])]
    budget: Vec<usize>,
    /// Which sides find articles (with commas between)
    #[arg(long, value_name = "MODE", value_delimiter = ',',
          default_values_t = ["hybrid", "keyword", "semantic"].map(str::to_owned))]
    mode: Vec<String>,
    /// Weight of being different, 0 to 1 [default: search.passages.diversity]
    #[arg(long, value_name = "WEIGHT")]
    diversity: Option<f32>,
    /// So many questions of each file, spread evenly over it; all documents stay
    #[arg(long, value_name = "COUNT")]
    questions: Option<usize>,
    /// Of BioASQ only batches that begin with this, and their documents
    #[arg(long, value_name = "BATCH", default_value = "")]
    batch: String,
    /// More documents among which to find: anything that `medsift index` reads
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
    /// Model: a known name, a directory, or the hub's org/name
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// What came out.
#[derive(Debug, Serialize)]
pub(crate) struct PassageReport {
    /// The model, as its fingerprint has it.
    pub(crate) model: String,
    /// Documents in the index.
    pub(crate) documents: u64,
    /// Weight of being different.
    pub(crate) diversity: f32,
    /// In the order of the files.
    pub(crate) sets: Vec<SetReport>,
}

/// The scores of a file.
#[derive(Debug, Serialize)]
pub(crate) struct SetReport {
    /// `pubmedqa` or `bioasq`.
    pub(crate) name: &'static str,
    /// The file.
    pub(crate) file: String,
    /// Questions that were asked.
    pub(crate) questions: usize,
    /// By mode, then by budget.
    pub(crate) rows: Vec<Row>,
}

/// The scores of a mode within a budget.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) mode: Mode,
    pub(crate) budget: usize,
    #[serde(flatten)]
    pub(crate) scores: PassageScores,
}

/// Measures passages.
pub(crate) fn passages(context: &mut Context, args: &PassagesArgs) -> Result<Exit> {
    let modes = args.mode.iter().map(|mode| mode.parse());
    let modes = modes.collect::<medsift::Result<Vec<Mode>>>()?;
    let mut sets = Vec::with_capacity(args.files.len());
    for path in &args.files {
        let mut set = PassageSet::read(path, &args.batch)?;
        set.thin(args.questions.unwrap_or(usize::MAX));
        sets.push(set);
    }
    let plans = plans(context, args, &modes, &sets)?;
    let Some(index) = corpus_index(context, args, &sets)? else {
        return Ok(Exit::Interrupted);
    };
    let searcher = index.searcher()?;
    let stats = searcher.stats()?;
    let asked: usize = plans.iter().flatten().map(|plan| plan.queries.len()).sum();
    let bar = progress::count_bar(context.quiet, asked as u64);
    bar.set_prefix("questions");
    let mut reports = Vec::with_capacity(sets.len());
    for ((set, path), plans) in sets.iter().zip(&args.files).zip(&plans) {
        let mut rows = Vec::with_capacity(plans.len());
        for plan in plans {
            let scores = measure(&searcher, set, plan, || bar.inc(1))?;
            rows.push(Row {
                mode: plan.mode,
                budget: plan.budget,
                scores,
            });
        }
        reports.push(SetReport {
            name: set.name,
            file: path.display().to_string(),
            questions: set.questions.len(),
            rows,
        });
    }
    bar.finish_and_clear();
    let diversity = args.diversity;
    let report = PassageReport {
        model: stats.model.to_string(),
        documents: stats.articles,
        diversity: diversity.unwrap_or(context.settings.search.passages.diversity),
        sets: reports,
    };
    if args.json {
        context.out.json(&report)?;
    } else {
        context.out.text(&render::passages::scores(&report))?;
    }
    Ok(Exit::Ok)
}

/// The questions of a set in a mode, within a budget.
struct Plan {
    mode: Mode,
    budget: usize,
    queries: Vec<PassageQuery>,
}

/// Every question is checked before anything is indexed.
fn plans(
    context: &Context,
    args: &PassagesArgs,
    modes: &[Mode],
    sets: &[PassageSet],
) -> Result<Vec<Vec<Plan>>> {
    let query = |question: &GoldQuestion, mode: Mode, budget: usize| {
        let request = PassageRequest {
            search: QueryRequest {
                query: question.text.clone(),
                syntax: Syntax::Plain,
                mode: Some(mode),
                ..QueryRequest::default()
            },
            budget: Some(budget),
            diversity: args.diversity,
            count_citations: false,
        };
        PassageQuery::new(request, &context.settings.search)
    };
    let of_set = |set: &PassageSet| {
        let pairs = modes
            .iter()
            .flat_map(|&mode| args.budget.iter().map(move |&budget| (mode, budget)));
        pairs
            .map(|(mode, budget)| {
                let questions = set.questions.iter();
                let queries = questions.map(|question| query(question, mode, budget));
                Ok(Plan {
                    mode,
                    budget,
                    queries: queries.collect::<medsift::Result<_>>()?,
                })
            })
            .collect::<Result<Vec<Plan>>>()
    };
    sets.iter().map(of_set).collect()
}

fn measure(
    searcher: &Searcher,
    set: &PassageSet,
    plan: &Plan,
    mut done: impl FnMut(),
) -> Result<PassageScores> {
    let documents: HashMap<&str, &GoldDocument> = set
        .documents
        .iter()
        .map(|document| (document.id.as_str(), document))
        .collect();
    let mut counter = PassageCounter::default();
    for (question, query) in set.questions.iter().zip(&plan.queries) {
        let response = searcher.passages(query)?;
        check(&documents, &response)?;
        counter.add(question, &response.passages);
        done();
    }
    Ok(counter.scores())
}

/// Places of snippets are those of the documents as they were written: a
/// passage that lies elsewhere would be counted wrongly.
fn check(documents: &HashMap<&str, &GoldDocument>, response: &PassagesResponse) -> Result<()> {
    for passage in &response.passages {
        let Some(document) = documents.get(passage.id.as_str()) else {
            continue;
        };
        let characters = document.text.chars();
        let between = characters
            .skip(passage.start)
            .take(passage.end - passage.start);
        if passage.field == AnswerField::Text && !between.eq(passage.text.chars()) {
            return Err(CliError::Failure(format!(
                "characters {} to {} of {} are not the passage: its scores would be wrong",
                passage.start, passage.end, passage.id
            )));
        }
    }
    Ok(())
}

/// All documents in one index, made now or by an earlier evaluation; nothing
/// where Ctrl-C stopped it.
fn corpus_index(
    context: &Context,
    args: &PassagesArgs,
    sets: &[PassageSet],
) -> Result<Option<Index>> {
    let lines: String = sets.iter().map(PassageSet::json_lines).collect();
    let model = LoadedModel::load(context, &args.model)?;
    let mut content = sha256(lines.as_bytes());
    for file in &args.also {
        content.push_str(&model::digest(file)?);
    }
    let name = format!(
        "passages-{}-{}",
        &sha256(content.as_bytes())[..8],
        &model.encoder.fingerprint().vectors_sha256()[..8]
    );
    let dir = model::cache_root()?.join("eval").join(name);
    fs::create_dir_all(&dir).map_err(|error| medsift::Error::io("create", &dir, error))?;
    let corpus = dir.join("documents.jsonl");
    fs::write(&corpus, lines).map_err(|error| medsift::Error::io("write", &corpus, error))?;
    let mut inputs = vec![corpus];
    inputs.extend_from_slice(&args.also);
    let dir = dir.join("idx");
    let build = Build {
        dir: &dir,
        inputs: &inputs,
        model: &model,
        passages: Passages::On.into(),
        replace: false,
        reencode: false,
    };
    super::indexed_whole(context, &build, "documents")
}
