//! `medsift train pairs`.

use crate::articles::{ArticleCounts, Articles};
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::{progress, render};
use clap::{Args, ValueEnum};
use medsift_training::data::build::{
    CitationSettings, Collection, Intake, MeshGradedSettings, MeshTree, QuerySettings,
    SectionSettings, citations, draw, mesh_graded, pseudo_queries, query_pairs, sections,
    title_abstract,
};
use medsift_training::data::{Exclusions, write_examples};
use medsift_training::example::Example;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `medsift train pairs`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift train pairs 'pubmed25n00*.xml.gz' --kind title-abstract --output pairs.jsonl
  medsift train pairs baseline/ --kind mesh --mesh descriptors.tsv --limit 100000 \\
      --output graded.jsonl
  medsift train pairs baseline/ --kind queries --exclude data/retrieval/scifact \\
      --output queries.jsonl

The file has a JSON object with `texts`, and for mesh with `score`, on each
line; a training reads it with format = \"pairs\". The table of --mesh has the
columns ui, name and tree_numbers. Retracted, withdrawn and held-out articles
are left out and counted. An existing file is replaced.")]
pub(super) struct PairsArgs {
    /// Files, folders or patterns, as `medsift index` reads them
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// What the examples are made of
    #[arg(long)]
    kind: Kind,
    /// Where the examples go, as JSON lines
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Table of the MeSH trees; for `mesh`
    #[arg(long, value_name = "FILE", required_if_eq("kind", "mesh"))]
    mesh: Option<PathBuf>,
    /// Held-out files or BEIR folders whose articles are left out; may be repeated
    #[arg(long, value_name = "FILE")]
    exclude: Vec<String>,
    /// Most examples of one article
    #[arg(long, value_name = "N")]
    per_article: Option<usize>,
    /// Most examples in all, drawn with the seed
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// What examples are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A title and its abstract
    TitleAbstract,
    /// Two sentences of one section and one of another (triplets)
    Sections,
    /// A cited article's title and the article that cites it
    Citations,
    /// Two articles, graded by the MeSH headings that they share
    Mesh,
    /// A pseudo-query and its article
    Queries,
}

/// What was made, and of what.
#[derive(Debug, Serialize)]
pub(crate) struct PairsReport {
    /// The file.
    pub(crate) output: PathBuf,
    /// What became of the records.
    pub(crate) records: ArticleCounts,
    /// What became of the articles.
    pub(crate) articles: Intake,
    /// Examples that could be made.
    pub(crate) made: usize,
    /// Examples written.
    pub(crate) written: usize,
}

/// Makes examples of articles.
pub(super) fn run(context: &mut Context, args: &PairsArgs) -> Result<Exit> {
    let tree = args.mesh.as_deref().map(MeshTree::read).transpose()?;
    let (records, collection) =
        read_collection(context, &args.inputs, &args.output, &args.exclude)?;
    let spinner = progress::spinner(context.quiet, "making examples");
    let examples = examples(args, &collection, tree.as_ref());
    spinner.finish_and_clear();
    let examples = examples?;
    let made = examples.len();
    let written = match args.limit {
        Some(limit) => draw(examples, limit, args.seed),
        None => examples,
    };
    let report = PairsReport {
        output: args.output.clone(),
        records,
        articles: collection.intake,
        made,
        written: written.len(),
    };
    if written.is_empty() {
        return Err(CliError::Failure(format!(
            "no example could be made of {} articles; {} is not written",
            report.articles.held,
            args.output.display()
        )));
    }
    write_examples(&args.output, &written)?;
    report.print(context, args.json)
}

/// Reads the articles that examples are made of, and tells what was faulty.
pub(super) fn read_collection(
    context: &mut Context,
    inputs: &[PathBuf],
    output: &Path,
    exclude: &[String],
) -> Result<(ArticleCounts, Collection)> {
    let exclusions = Exclusions::read(exclude)?;
    let bar = progress::byte_bar(context.quiet, 0);
    bar.set_prefix("reading");
    let mut articles = Articles::open(inputs, bar.clone())?;
    articles.refuse_as_output(output)?;
    let mut collection = Collection::read(&mut articles, &exclusions)?;
    for id in articles.deleted() {
        collection.withdraw(id);
    }
    bar.finish_and_clear();
    articles.counts().tell_faults(context);
    Ok((articles.counts().clone(), collection))
}

impl PairsReport {
    /// Prints what was made, as a table or as JSON.
    pub(super) fn print(&self, context: &mut Context, json: bool) -> Result<Exit> {
        if json {
            context.out.json(self)?;
        } else if !context.quiet {
            let text = render::training::pairs(self, context.out.width(), context.out.style());
            context.out.text(&text)?;
        }
        Ok(Exit::Ok)
    }
}

fn examples(
    args: &PairsArgs,
    collection: &Collection,
    tree: Option<&MeshTree>,
) -> Result<Vec<Example>> {
    let per_article = |default: usize| args.per_article.unwrap_or(default);
    let seed = args.seed;
    Ok(match args.kind {
        Kind::TitleAbstract => title_abstract(collection),
        Kind::Sections => {
            let default = SectionSettings::default();
            let settings = SectionSettings {
                per_article: per_article(default.per_article),
                seed,
                ..default
            };
            sections(collection, &settings)
        }
        Kind::Citations => {
            let default = CitationSettings::default();
            let settings = CitationSettings {
                per_article: per_article(default.per_article),
                seed,
                ..default
            };
            citations(collection, &settings)
        }
        Kind::Mesh => {
            let tree = tree.ok_or_else(|| {
                CliError::Usage("--kind mesh needs the table of the MeSH trees: --mesh".to_owned())
            })?;
            let default = MeshGradedSettings::default();
            let settings = MeshGradedSettings {
                per_article: per_article(default.per_article),
                seed,
                ..default
            };
            mesh_graded(collection, tree, &settings)?
        }
        Kind::Queries => {
            let default = QuerySettings::default();
            let settings = QuerySettings {
                per_article: per_article(default.per_article),
                seed,
                ..default
            };
            query_pairs(collection, &pseudo_queries(collection, &settings))
        }
    })
}
