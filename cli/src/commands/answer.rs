//! `medsift answer`: a question, answered out of an index.

use super::filter_args::FilterArgs;
use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::open::Uses;
use crate::{open, render};
use clap::Args;
use medsift::query::{Mode, QueryRequest};
use medsift::searcher::question;

/// Arguments of `medsift answer`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift answer \"Which gene is mutated in cystic fibrosis?\"
  medsift answer \"Does metformin cause lactic acidosis?\" --year 2015- --json
  medsift answer \"What is the half-life of digoxin?\" --articles 20

The index's model needs a head for answers beside it (search.answer.head), and
for questions of yes and no one for verdicts (search.answer.verdict_head); stages
of kind span and text make them (config/train/answers.toml, verdict.toml). An
answer is a span of an article, with its characters; below the head's threshold
there is none.")]
pub(crate) struct AnswerArgs {
    /// The question
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
    #[command(flatten)]
    dir: IndexDir,
    /// Which sides find articles: hybrid, keyword or semantic
    #[arg(long, value_name = "MODE")]
    mode: Option<Mode>,
    /// Articles to read [default: search.answer.articles]
    #[arg(long, value_name = "COUNT")]
    articles: Option<usize>,
    /// Model directory, where it has moved since the index was made
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Answers a question.
pub(crate) fn run(context: &mut Context, args: &AnswerArgs) -> Result<Exit> {
    let request = QueryRequest {
        query: args.question.join(" "),
        mode: args.mode,
        filter: args.filters.filter(),
        limit: args.articles,
        ..QueryRequest::default()
    };
    // A question that cannot be asked is refused before anything is loaded.
    let query = question(request, &context.settings.search)?;
    let uses = Uses {
        answers: true,
        ..Uses::default()
    };
    let index = open::with_model(context, &args.dir.index, args.model.as_deref(), uses)?;
    let response = index.searcher()?.answer(&query)?;
    if args.json {
        context.out.json(&response)?;
        return Ok(Exit::Ok);
    }
    for warning in &response.warnings {
        context.note(&format!("note: {}", render::text::clean(warning)));
    }
    let page = render::answers::page(&response, context.out.style());
    context.out.text(&page)?;
    Ok(Exit::Ok)
}
