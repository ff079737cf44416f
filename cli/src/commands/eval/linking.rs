//! `medsift eval linking`: concepts of mentions that people marked.

use super::sentence::FileScores;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::{linking, mesh, model, progress, render};
use clap::Args;
use medsift::enrich::link::{Lexicon, Linker, NEAREST};
use medsift::eval::LinkingScores;
use medsift_indexer::annotated::read_documents;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `medsift eval linking`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval linking bc5cdr/test.pubtator.gz
  medsift eval linking ncbi-disease/test.pubtator --rules --json

Files are PubTator, BioC JSON or BioC XML, plain or gzip. The mentions are those of the file;
one is right when its link is one of its identifiers. Identifiers that are no
descriptors of the table (OMIM, supplementary records) count as wrong in the
first figure and are left out of the second.")]
pub(crate) struct LinkingArgs {
    /// Files with mentions and their MeSH identifiers
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Model whose vectors of the names are used
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Link by the rules of names alone: no model is loaded
    #[arg(long, conflicts_with_all = ["model", "threshold"])]
    rules: bool,
    /// Cosine below which the nearest name is none
    #[arg(long, value_name = "COSINE", default_value_t = NEAREST, allow_negative_numbers = true)]
    threshold: f32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// The scores of each file.
#[derive(Debug, Serialize)]
pub(crate) struct LinkingReport {
    /// Where the table is from.
    pub(crate) table: String,
    /// The model of the names' vectors, where they were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// In the order of the files.
    pub(crate) results: Vec<FileScores<LinkingScores>>,
}

/// Measures linking.
pub(crate) fn linking(context: &mut Context, args: &LinkingArgs) -> Result<Exit> {
    if !(-1.0..=1.0).contains(&args.threshold) {
        let what = format!(
            "--threshold {}: a cosine lies between -1 and 1",
            args.threshold
        );
        return Err(CliError::Usage(what));
    }
    let files = args.files.iter().map(|file| read_documents(file));
    let files = files.collect::<medsift::Result<Vec<_>>>()?;
    let (linker, model) = linker(context, args)?;
    let mut results = Vec::with_capacity(files.len());
    for (file, documents) in args.files.iter().zip(&files) {
        let bar = progress::count_bar(context.quiet, documents.len() as u64);
        bar.set_prefix("documents");
        let scores = LinkingScores::measure(&linker, documents, |done| bar.inc(done as u64))?;
        bar.finish_and_clear();
        results.push(FileScores {
            file: file.display().to_string(),
            scores,
        });
    }
    let report = LinkingReport {
        table: linker.lexicon().table().source().to_owned(),
        model,
        results,
    };
    if args.json {
        context.out.json(&report)?;
    } else {
        context.out.text(&render::linking::scores(&report))?;
    }
    Ok(Exit::Ok)
}

/// The linker, and the model whose vectors it has.
fn linker(context: &Context, args: &LinkingArgs) -> Result<(Linker, Option<String>)> {
    if args.rules {
        let (table, _) = mesh::table()?;
        return Ok((Linker::new(Lexicon::new(table)), None));
    }
    let model = LoadedModel::load(context, &args.model)?;
    let linker = linking::linker(context, &model)?.with_threshold(args.threshold);
    let name = linker
        .has_vectors()
        .then(|| model.encoder.fingerprint().to_string());
    Ok((linker, name))
}
