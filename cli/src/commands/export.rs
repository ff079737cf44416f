use super::filter_args::FilterArgs;
use super::search;
use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::render;
use clap::Args;
use medsift::query::{Mode, Query, QueryRequest, Sort, Syntax};
use medsift::searcher::ExportFormat;

/// Articles that are in memory at a time.
const BATCH: usize = 200;

/// Arguments of `medsift export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift export 'asthma[mh] AND 2020:2024[dp]' --format ris > asthma.ris
  medsift export 'all[sb]' > everything.jsonl
  medsift export \"statins and muscle pain\" --mode keyword --format csv --sort date

In mode keyword and for a query in PubMed's language that is everything that
matches; by meaning, the best candidates.")]
pub(crate) struct ExportArgs {
    /// What to look for: plain words, or a query in PubMed's language
    #[arg(required = true, value_name = "WORDS")]
    query: Vec<String>,
    /// Format: jsonl, csv, nbib, ris or xml
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: ExportFormat,
    /// How to read the query: auto, plain or pubmed
    #[arg(long, value_name = "SYNTAX", default_value = "auto")]
    syntax: Syntax,
    /// Pass over faults of a query in PubMed's language, with a warning each
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    dir: IndexDir,
    /// Which sides answer: hybrid, keyword or semantic
    #[arg(long, value_name = "MODE")]
    mode: Option<Mode>,
    /// In which order: relevance, or date with the newest first
    #[arg(long, value_name = "ORDER", default_value = "relevance")]
    sort: Sort,
    /// Model directory, where it has moved since the index was made
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Writes the whole list, article by article.
pub(crate) fn run(context: &mut Context, args: &ExportArgs) -> Result<Exit> {
    let request = QueryRequest {
        query: args.query.join(" "),
        syntax: args.syntax,
        lenient: args.lenient,
        mode: args.mode,
        filter: args.filters.filter(),
        sort: args.sort,
        ..QueryRequest::default()
    };
    let query = Query::new(request, &context.settings.search.query)?;
    let index = search::index_for(context, &args.dir.index, args.model.as_deref(), &query)?;
    let searcher = index.searcher()?;
    let mut walk = searcher.walk(&query)?;
    for warning in walk.warnings() {
        context.note(&format!("note: {}", render::text::clean(warning)));
    }
    context.out.text(&args.format.head())?;
    let mut written = 0_u64;
    loop {
        let articles = searcher.advance(&mut walk, BATCH)?;
        if articles.is_empty() {
            break;
        }
        let mut text = String::new();
        for stored in &articles {
            args.format.write(&stored.article, &mut text)?;
        }
        context.out.text(&text)?;
        written += articles.len() as u64;
    }
    context.out.text(&args.format.tail())?;
    context.note(&format!("{written} articles"));
    Ok(Exit::Ok)
}
