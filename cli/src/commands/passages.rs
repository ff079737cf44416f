//! `medsift passages`: what a language model should read for a question.

use super::filter_args::FilterArgs;
use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::open::Uses;
use crate::{open, render};
use clap::Args;
use medsift::query::{Mode, QueryRequest};
use medsift::searcher::{PassageQuery, PassageRequest};

/// Arguments of `medsift passages`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift passages \"Do statins cause muscle pain?\"
  medsift passages \"Do statins cause muscle pain?\" --budget 800 --count-citations > prompt.txt
  medsift passages \"half-life of digoxin\" --mode keyword --year 2015- --not-retracted --json
  medsift passages \"sleep and memory\" --diversity 0.5 --limit 5

Numbered passages, ready to be put before a question, and the references that
the numbers stand for. Tokens are counted by the tokenizer of the index's model;
the numbers themselves are not counted, the references with --count-citations.")]
pub(crate) struct PassagesArgs {
    /// The question
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
    #[command(flatten)]
    dir: IndexDir,
    /// Tokens that all passages together may take [default: search.passages.budget]
    #[arg(long, short, value_name = "TOKENS")]
    budget: Option<usize>,
    /// Most passages [default: as many as the budget holds]
    #[arg(long, short = 'n', value_name = "COUNT")]
    limit: Option<usize>,
    /// Weight of being different, 0 to 1 [default: search.passages.diversity]
    #[arg(long, value_name = "WEIGHT")]
    diversity: Option<f32>,
    /// Let the references take of the budget, too
    #[arg(long)]
    count_citations: bool,
    /// Which sides find articles: hybrid, keyword or semantic
    #[arg(long, value_name = "MODE")]
    mode: Option<Mode>,
    /// Model directory, where it has moved since the index was made
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Prints the passages for a question.
pub(crate) fn run(context: &mut Context, args: &PassagesArgs) -> Result<Exit> {
    let request = PassageRequest {
        search: QueryRequest {
            query: args.question.join(" "),
            mode: args.mode,
            filter: args.filters.filter(),
            limit: args.limit,
            ..QueryRequest::default()
        },
        budget: args.budget,
        diversity: args.diversity,
        count_citations: args.count_citations,
    };
    // A question that cannot be asked is refused before anything is loaded.
    let query = PassageQuery::new(request, &context.settings.search)?;
    let model = args.model.as_deref();
    let index = open::with_model(context, &args.dir.index, model, Uses::default())?;
    let response = index.searcher()?.passages(&query)?;
    if args.json {
        context.out.json(&response)?;
        return Ok(Exit::Ok);
    }
    for warning in &response.warnings {
        context.note(&format!("note: {}", render::text::clean(warning)));
    }
    context.note(&render::passages::summary(&response));
    context.out.text(&render::passages::page(&response))?;
    Ok(Exit::Ok)
}
