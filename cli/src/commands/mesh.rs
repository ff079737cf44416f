//! `medsift mesh`: the headings by which queries explode and map words.

use crate::context::Context;
use crate::error::{Exit, Result};
use crate::open::LoadedModel;
use crate::{linking, mesh, model, progress, render};
use clap::{Args, Subcommand};
use medsift::enrich::link::{Lexicon, NameVectors};
use medsift::mesh::MeshTable;
use medsift::{Error, ErrorKind};
use medsift_indexer::mesh::read_descriptors;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `medsift mesh`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift mesh import desc2025.xml
  medsift mesh show asthma
  medsift mesh embed

Until a file is imported, a small table of the demo's headings serves.")]
pub(crate) struct MeshArgs {
    #[command(subcommand)]
    command: MeshCommand,
}

#[derive(Debug, Subcommand)]
enum MeshCommand {
    /// Take up NLM's descriptors for all searches of this user
    #[command(after_help = "\
Examples:
  medsift mesh import desc2025.xml.gz
  medsift mesh import d2025.bin

NLM offers the files at https://www.nlm.nih.gov/databases/download/mesh.html.
The table is kept in $MEDSIFT_CACHE, else $XDG_CACHE_HOME/medsift, else
~/.cache/medsift. A server reads it when it starts.")]
    Import {
        /// descYYYY.xml or dYYYY.bin, plain or gzip
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Embed the names that mentions of entities are linked to
    #[command(after_help = "\
Examples:
  medsift mesh embed
  medsift mesh embed --model runs/linker/model

A mention that is no name of a heading, however it is spelt, is linked to the
heading with the nearest name. For that the names are embedded once for each
model and table; the vectors are kept beside the table.")]
    Embed {
        /// Model that embeds them: the one of the index or of annotate
        #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
        model: String,
    },
    /// Describe a heading: its names, places, and what lies below it
    #[command(after_help = "\
Examples:
  medsift mesh show asthma
  medsift mesh show \"heart attack\" --json
  medsift mesh show D001249")]
    Show {
        /// Heading, entry term or identifier
        #[arg(value_name = "NAME")]
        name: String,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
}

/// A descriptor as `mesh show` prints it.
#[derive(Debug, Serialize)]
pub(crate) struct Shown<'t> {
    /// Identifier.
    pub(crate) ui: &'t str,
    /// Heading.
    pub(crate) heading: &'t str,
    /// Places in the trees.
    pub(crate) tree_numbers: &'t [String],
    /// Other names.
    pub(crate) entry_terms: &'t [String],
    /// Headings below it, without itself.
    pub(crate) below: Vec<&'t str>,
    /// Where the table is from.
    pub(crate) source: &'t str,
}

/// Runs a MeSH command.
pub(crate) fn run(context: &mut Context, args: &MeshArgs) -> Result<Exit> {
    match &args.command {
        MeshCommand::Import { file } => import(context, file)?,
        MeshCommand::Embed { model } => embed(context, model)?,
        MeshCommand::Show { name, json } => {
            let (table, imported) = mesh::table()?;
            let shown = show(&table, imported, name)?;
            if *json {
                context.out.json(&shown)?;
            } else {
                let page = render::mesh::page(&shown, context.out.width(), context.out.style());
                context.out.text(&page)?;
            }
        }
    }
    Ok(Exit::Ok)
}

fn import(context: &mut Context, file: &Path) -> Result<()> {
    let spinner = progress::spinner(context.quiet, "reading MeSH");
    let read = read_descriptors(file);
    spinner.finish_and_clear();
    let table = MeshTable::new(read?);
    let path = mesh::path()?;
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).map_err(|error| Error::io("create", dir, error))?;
    }
    let source = file.file_name().unwrap_or_default().to_string_lossy();
    table.write(&path, &source)?;
    context.note(&format!(
        "{} headings of {source} are in {}",
        table.len(),
        path.display()
    ));
    Ok(())
}

fn embed(context: &mut Context, model: &str) -> Result<()> {
    let model = LoadedModel::load(context, model)?;
    let (table, _) = mesh::table()?;
    let lexicon = Lexicon::new(table);
    let names = lexicon.distinct_names().len();
    let bar = progress::count_bar(context.quiet, names as u64);
    bar.set_prefix("names");
    let vectors = NameVectors::embed(&lexicon, &model.encoder, |done| bar.inc(done as u64))?;
    bar.finish_and_clear();
    let dir = linking::dir()?;
    std::fs::create_dir_all(&dir).map_err(|error| Error::io("create", &dir, error))?;
    vectors.write(&dir)?;
    context.note(&format!(
        "{} names of {} are embedded by {}",
        vectors.len(),
        lexicon.table().source(),
        model.encoder.fingerprint()
    ));
    Ok(())
}

fn show<'t>(table: &'t MeshTable, imported: bool, name: &str) -> Result<Shown<'t>> {
    let Some(descriptor) = table.find(name) else {
        let remedy = if imported {
            "look for another name"
        } else {
            "only the demo's headings are there until a file is taken up with `medsift mesh import`"
        };
        return Err(Error::new(
            ErrorKind::NotFound,
            format!("no MeSH heading is called {name:?}: {remedy}"),
        )
        .into());
    };
    let below = table.explode(descriptor).into_iter();
    let below = below.filter(|one| one.ui != descriptor.ui);
    Ok(Shown {
        ui: &descriptor.ui,
        heading: &descriptor.heading,
        tree_numbers: &descriptor.tree_numbers,
        entry_terms: &descriptor.entry_terms,
        below: below.map(|one| one.heading.as_str()).collect(),
        source: table.source(),
    })
}
