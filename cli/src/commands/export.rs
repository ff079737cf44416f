use super::filter_args::FilterArgs;
use super::search;
use crate::args::IndexDir;
use crate::beir::{self, CollectionArgs};
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::export::Sink;
use crate::interrupt::Interrupt;
use crate::render;
use clap::Args;
use medsift::query::{Mode, Query, QueryRequest, Sort, Syntax};
use medsift::searcher::{ExportFormat, ListFormat, Searcher, Walk};
use std::collections::HashSet;
use std::path::PathBuf;

/// Articles that are in memory at a time.
const BATCH: usize = 200;

/// Arguments of `medsift export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift export 'asthma[mh] AND 2020:2024[dp]' --format ris > asthma.ris
  medsift export --all > everything.jsonl
  medsift export --all --vectors --format parquet --output everything.parquet
  medsift export 'asthma[mh]' --format beir --output ./asthma
  medsift export --all --format beir --queries q.jsonl --qrels q.tsv --output ./mine
  medsift export \"statins and muscle pain\" --mode keyword --format csv --sort date

In mode keyword and for a query in PubMed's language that is everything that
matches; by meaning, the best candidates. A file named by --output is there
whole or not at all. What is exported is read again by `medsift index`.")]
pub(crate) struct ExportArgs {
    /// What to look for: plain words, or a query in PubMed's language
    #[arg(required_unless_present = "all", value_name = "WORDS")]
    query: Vec<String>,
    /// Everything that the index holds
    #[arg(long, conflicts_with_all = ["query", "mode", "syntax"])]
    all: bool,
    /// Format: jsonl, csv, nbib, ris, xml, bibtex, csl, beir; parquet, arrow or
    /// arrow-stream
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: ListFormat,
    /// With the vectors of the articles' passages (parquet, arrow, arrow-stream)
    #[arg(long)]
    vectors: bool,
    /// File to write, for beir a folder [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
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
    #[command(flatten)]
    along: CollectionArgs,
}

impl ExportArgs {
    fn request(&self) -> QueryRequest {
        let (query, syntax, mode) = match self.all {
            true => ("all[sb]".to_owned(), Syntax::Pubmed, Some(Mode::Keyword)),
            false => (self.query.join(" "), self.syntax, self.mode),
        };
        QueryRequest {
            query,
            syntax,
            lenient: self.lenient,
            mode,
            filter: self.filters.filter(),
            sort: self.sort,
            ..QueryRequest::default()
        }
    }

    fn is_beir(&self) -> bool {
        self.format == ListFormat::Text(ExportFormat::Beir)
    }

    /// Refuses what does not go together, before anything is opened.
    fn check(&self) -> Result<()> {
        if self.along.is_given() && (!self.is_beir() || self.output.is_none()) {
            return Err(CliError::Usage(
                "--queries, --qrels and --collection go with --format beir and a folder that \
                 --output names"
                    .to_owned(),
            ));
        }
        let ListFormat::Columns(format) = self.format else {
            return match self.vectors {
                true => Err(CliError::Usage(
                    "--vectors goes with --format parquet, arrow and arrow-stream".to_owned(),
                )),
                false => Ok(()),
            };
        };
        if self.output.is_none() {
            return Err(CliError::Usage(format!(
                "--format {} is no text: name a file with --output",
                format.as_str()
            )));
        }
        Ok(())
    }
}

/// Writes the whole list, batch by batch.
pub(crate) fn run(context: &mut Context, args: &ExportArgs) -> Result<Exit> {
    args.check()?;
    let along = args.along.read()?;
    let query = Query::new(args.request(), &context.settings.search.query)?;
    let index = search::index_for(context, &args.dir.index, args.model.as_deref(), &query)?;
    let searcher = index.searcher()?;
    let mut walk = searcher.walk(&query)?;
    for warning in walk.warnings() {
        context.note(&format!("note: {}", render::text::clean(warning)));
    }
    let mut sink = Sink::open(
        args.format,
        args.output.as_deref(),
        args.vectors,
        searcher.commit(),
    )?;
    if along.is_some() {
        sink.remember_ids();
    }
    // What goes to a file can be taken back; what went to a pipe cannot.
    let interrupt = args.output.is_some().then(|| Interrupt::listen(|| {}));
    let interrupt = interrupt.transpose()?;
    let written = write(context, sink, &searcher, &mut walk, interrupt.as_ref());
    if let Some(interrupt) = &interrupt {
        interrupt.release();
    }
    match written? {
        Some((count, ids)) => {
            context.note(&format!("{count} articles"));
            let folder = args.output.as_deref().filter(|_| args.is_beir());
            match (along, folder) {
                (Some(along), Some(folder)) => {
                    along.write(folder)?;
                    context.note(&along.summary(&ids));
                }
                (None, Some(folder)) if beir::holds_queries(folder) => {
                    context.note(&format!(
                        "note: the queries and judgements that were in {} before stay: they may be \
                         of other articles",
                        folder.display()
                    ));
                }
                _ => {}
            }
            Ok(Exit::Ok)
        }
        None => {
            context.note("stopped; nothing was written");
            Ok(Exit::Interrupted)
        }
    }
}

/// How many articles were written, and their ids where they are remembered;
/// nothing where it was stopped.
fn write(
    context: &mut Context,
    mut sink: Sink,
    searcher: &Searcher,
    walk: &mut Walk,
    interrupt: Option<&Interrupt>,
) -> Result<Option<(u64, HashSet<String>)>> {
    let mut written = 0_u64;
    sink.begin(&mut context.out)?;
    loop {
        if interrupt.is_some_and(Interrupt::is_pressed) {
            return Ok(None);
        }
        let count = sink.write(&mut context.out, searcher, walk, BATCH)?;
        if count == 0 {
            break;
        }
        written += count as u64;
    }
    let ids = sink.take_ids();
    sink.finish(&mut context.out)?;
    Ok(Some((written, ids)))
}
