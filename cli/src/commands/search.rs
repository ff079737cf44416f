use super::filter_args::FilterArgs;
use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::Uses;
use crate::trec::{self, RunArgs};
use crate::{open, render};
use clap::Args;
use medsift::index::Index;
use medsift::query::{Cursor, Enrichment, FacetField, Mode, Query, QueryRequest, Sort, Syntax};
use std::path::Path;

/// Arguments of `medsift search`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift search \"statins and muscle pain\"
  medsift search \"IL-2 receptor\" --mode keyword --year 2015- --type Review
  medsift search \"sleep and memory\" --has-abstract --not-retracted --limit 20 --json
  medsift search 'asthma[mh] AND (child* OR infant*) NOT review[pt] AND 2015:2024[dp]'
  medsift search \"tau protein\" --explain            ranks and scores of both sides
  medsift search 'asthma[mh]' --sort date --facets year,journal,type,mesh
  medsift search \"tau protein\" --enrich entities    diseases, chemicals, genes … in the hits
  medsift search --queries queries.jsonl --trec --tag mine > mine.run   for trec_eval")]
pub(crate) struct SearchArgs {
    /// What to look for: plain words, or a query in PubMed's language
    #[arg(required_unless_present = "queries", value_name = "WORDS")]
    query: Vec<String>,
    /// How to read it: auto, plain or pubmed [default: auto]
    #[arg(long, value_name = "SYNTAX")]
    syntax: Option<Syntax>,
    /// Pass over faults of the syntax, with a note on each
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    dir: IndexDir,
    /// Which sides answer: hybrid, keyword or semantic
    #[arg(long, value_name = "MODE")]
    mode: Option<Mode>,
    /// Hits to show
    #[arg(long, short = 'n', value_name = "COUNT")]
    limit: Option<usize>,
    /// Hits to pass over
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    offset: usize,
    /// Show rank and score on each side
    #[arg(long)]
    explain: bool,
    /// Find something in the hits: entities
    #[arg(long, value_name = "WHAT")]
    enrich: Vec<Enrichment>,
    /// In which order: relevance, or date with the newest first
    #[arg(long, value_name = "ORDER", default_value = "relevance")]
    sort: Sort,
    /// Go on where a page ended: the cursor that it gave
    #[arg(long, value_name = "CURSOR", conflicts_with = "offset")]
    cursor: Option<Cursor>,
    /// Count over everything found: year, journal, type, mesh, entity (with commas between)
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    facets: Vec<FacetField>,
    /// Values of each facet to show [default: 10]
    #[arg(long, value_name = "COUNT")]
    facet_limit: Option<usize>,
    /// Compare every vector instead of walking the graph
    #[arg(long)]
    exact: bool,
    /// Model directory, where it has moved since the index was made
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    run: RunArgs,
}

impl SearchArgs {
    /// The request that these arguments are.
    fn request(&self) -> QueryRequest {
        QueryRequest {
            query: self.query.join(" "),
            syntax: self.syntax.unwrap_or_else(|| self.run.syntax()),
            lenient: self.lenient,
            mode: self.mode,
            filter: self.filters.filter(),
            offset: self.offset,
            // A run is no page of hits.
            limit: self.limit.filter(|_| !self.run.trec),
            fusion: None,
            exact: self.exact,
            explain: self.explain,
            enrich: self.enrich.clone(),
            sort: self.sort,
            cursor: self.cursor,
            facets: self.facets.clone(),
            facet_limit: self.facet_limit,
        }
    }
}

/// Searches and prints the hits, or the ranked lists of a run.
pub(crate) fn run(context: &mut Context, args: &SearchArgs) -> Result<Exit> {
    if args.run.trec {
        return rank(context, args);
    }
    // A query that cannot be asked is refused before anything is loaded.
    let query = Query::new(args.request(), &context.settings.search.query)?;
    let index = index_for(context, &args.dir.index, args.model.as_deref(), &query)?;
    let response = index.searcher()?.search(&query)?;
    if args.json {
        context.out.json(&response)?;
        return Ok(Exit::Ok);
    }
    for warning in &response.warnings {
        context.note(&format!("note: {}", render::text::clean(warning)));
    }
    if let Some(translation) = &response.translation {
        for line in render::translation::lines(translation, args.explain) {
            context.note(&line);
        }
    }
    let (width, style) = (context.out.width(), context.out.style());
    let mut text = render::hits::page(&response, width, style);
    if let Some(facets) = &response.facets {
        text.push_str(&render::facets::lists(facets, width, style));
    }
    context.out.text(&text)?;
    Ok(Exit::Ok)
}

fn rank(context: &mut Context, args: &SearchArgs) -> Result<Exit> {
    let depth = args.limit.unwrap_or(trec::DEPTH);
    if depth == 0 {
        return Err(CliError::Usage("--limit 0: use at least 1".to_owned()));
    }
    let queries = args.run.read(context, &args.request())?;
    // Of a list of queries, the one that needs most.
    let needy = queries.iter().find(|(_, query)| query.tree().is_some());
    let Some((_, query)) = needy.or(queries.first()) else {
        return Ok(Exit::Ok);
    };
    let index = index_for(context, &args.dir.index, args.model.as_deref(), query)?;
    let searcher = index.searcher()?;
    args.run.print(context, &searcher, &queries, depth)?;
    Ok(Exit::Ok)
}

/// The index with as much of a model as the query needs. Nobody who named
/// neither a mode nor a model insists on one.
pub(crate) fn index_for(
    context: &Context,
    dir: &Path,
    model: Option<&str>,
    query: &Query,
) -> Result<Index> {
    // What enriches is a head over the model.
    let uses = Uses {
        mesh: query.tree().is_some(),
        entities: query.enriches(Enrichment::Entities) || query.enriches(Enrichment::Relations),
        answers: false,
    };
    if query.mode() == Mode::Keyword && !uses.entities {
        return open::without_model(context, dir, uses);
    }
    if query.mode_is_asked() || model.is_some() {
        return open::with_model(context, dir, model, uses);
    }
    let (index, missing) = open::with_model_or_words(context, dir, uses)?;
    if let Some(why) = missing.and_then(|error| error.report()) {
        context.note(&format!("note: {why}"));
    }
    Ok(index)
}
