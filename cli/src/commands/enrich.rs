//! `medsift enrich`: entities and relations of the articles of an index.

use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::interrupt::Interrupt;
use crate::open::{self, LoadedModel};
use crate::progress::EnrichBar;
use crate::render;
use clap::Args;
use medsift_indexer::enrichment::{EnrichJob, enrich};

/// Arguments of `medsift enrich`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift enrich
  medsift enrich --index ./idx --limit 1000
  medsift search 'entity:MESH:D008687 AND lactic acidosis' --facets entity
  medsift search 'relation:induces|metformin|*' --enrich relations

Finds diseases, chemicals, genes, species, anatomy and cells in every article of
the index, the MeSH descriptors that they stand for, and what they have to do with
each other where the model has heads for that, and keeps it in the index: searches
can then ask for them, count them and show them without reading the articles again.

Running it again reads only what is new: articles that were added or replaced, or
that another model, head or MeSH table has read. A run that was interrupted goes on
where it stopped. Searches see what is done at every commit; vectors stay as they
are. `medsift mesh import` first gives entities the identifiers of all of MeSH.")]
pub(crate) struct EnrichArgs {
    #[command(flatten)]
    dir: IndexDir,
    /// Model whose heads read the articles [default: the index's own]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Read at most so many articles now
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Articles that are read together: a batch is sorted by length, and Ctrl-C
/// waits for its end.
const BATCH: usize = 32;

/// Reads the articles that were not read yet.
pub(crate) fn run(context: &mut Context, args: &EnrichArgs) -> Result<Exit> {
    medsift::index::require(&args.dir.index)?;
    let location = match &args.model {
        Some(model) => model.clone(),
        None => open::recorded(&args.dir.index)?,
    };
    let model = LoadedModel::load(context, &location)?;
    let Some(enricher) = open::enricher(context, &model)? else {
        return Err(CliError::Failure(format!(
            "{} has no head for entities called `{}`: train one (medsift train run \
             config/train/ner.toml), or name another model (--model) or head \
             (search.enrich.head)",
            location, context.settings.search.enrich.head
        )));
    };
    let settings = context.settings.index.clone();
    let job = EnrichJob {
        index_dir: args.dir.index.clone(),
        enricher,
        batch_articles: settings.batch_articles.min(BATCH),
        commit_articles: settings.commit_articles,
        commit_seconds: settings.commit_seconds,
        limit: args.limit,
        writer: settings.writer,
    };
    let interrupt = Interrupt::announced(context.quiet, "finishing what has been read")?;
    let bar = EnrichBar::new(context.quiet, interrupt.clone());
    let report = enrich(&job, &bar);
    interrupt.release();
    let report = report?;
    if args.json {
        context.out.json(&report)?;
    } else if !context.quiet {
        context.out.text(&render::enrichment::report(&report))?;
    }
    if report.cancelled {
        context.note("stopped; run the same command again to go on");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Ok)
}
