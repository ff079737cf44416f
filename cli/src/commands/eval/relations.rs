//! `medsift eval relations`: relations of annotated documents.

use super::sentence::FileScores;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::{model, progress, render};
use clap::Args;
use medsift::enrich::{PairRule, RelationFinder, TextClassifier};
use medsift::eval::{RelatedDocument, RelationCounter, RelationScores};
use medsift_indexer::annotated::read_documents;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments of `medsift eval relations`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval relations re/bc5cdr-cid/test.pubtator.gz --head induces --map CID=induces
  medsift eval relations devel.bioc.json --model runs/induces/model --json

The mentions and identifiers are those of the file (PubTator or BioC). Every pair
of the head's types that stands in a sentence is judged; what is told of any of
them is told of its document. Precision, recall and F1 are over the relations of
documents, each once, as published for BC5CDR. Relations whose concepts never
stand in one sentence cannot be found and are counted as missed; how many there
are is printed.")]
pub(crate) struct RelationsArgs {
    /// Annotated documents with relations
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Model directory with a head for relations
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Head, where the model has several
    #[arg(long, value_name = "NAME")]
    head: Option<String>,
    /// Type of the file and the head's label that it stands for; may be repeated.
    /// Types that stand for none are not counted
    #[arg(long = "map", value_name = "OF_FILE=OF_HEAD", value_parser = super::pair)]
    maps: Vec<(String, String)>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// The scores of each file.
#[derive(Debug, Serialize)]
pub(crate) struct RelationReport {
    /// The model, as its fingerprint has it.
    pub(crate) model: String,
    /// The head's name.
    pub(crate) head: String,
    /// In the order of the files.
    pub(crate) results: Vec<FileScores<RelationScores>>,
}

/// Measures relations.
pub(crate) fn relations(context: &mut Context, args: &RelationsArgs) -> Result<Exit> {
    // Every file before a model is loaded, so that faults show at once.
    let files = args.files.iter().map(|file| read_documents(file));
    let files = files.collect::<medsift::Result<Vec<_>>>()?;
    let model = LoadedModel::load(context, &args.model)?;
    let classifier = TextClassifier::open(model.encoder.clone(), &model.dir, args.head.as_deref())?;
    let labels = classifier.head().labels().to_vec();
    let mut known: BTreeMap<&str, &str> = labels.iter().map(|one| (&one[..], &one[..])).collect();
    for (of_file, of_head) in &args.maps {
        if !labels.contains(of_head) {
            let what = format!(
                "the head has no label {of_head}; it has: {}",
                labels.join(", ")
            );
            return Err(CliError::Usage(what));
        }
        known.insert(of_file, of_head);
    }
    let finder = RelationFinder::new(classifier.clone())?;
    let mut results = Vec::with_capacity(files.len());
    for (file, documents) in args.files.iter().zip(files) {
        let documents: Vec<RelatedDocument> = documents
            .iter()
            .map(|document| RelatedDocument::new(document, finder.rule()))
            .collect();
        results.push(FileScores {
            file: file.display().to_string(),
            scores: measure(context, &classifier, finder.rule(), &documents, &known)?,
        });
    }
    let report = RelationReport {
        model: model.encoder.fingerprint().to_string(),
        head: classifier.head().name().to_owned(),
        results,
    };
    if args.json {
        context.out.json(&report)?;
    } else {
        context.out.text(&render::labels::relations(&report))?;
    }
    Ok(Exit::Ok)
}

fn measure(
    context: &Context,
    classifier: &TextClassifier,
    rule: &PairRule,
    documents: &[RelatedDocument],
    known: &BTreeMap<&str, &str>,
) -> Result<RelationScores> {
    if documents.iter().all(|document| document.pairs.is_empty()) {
        return Err(CliError::Failure(format!(
            "no sentence has a {} and a {}: the head tells relations of these",
            rule.types[0], rule.types[1]
        )));
    }
    let bar = progress::count_bar(context.quiet, documents.len() as u64);
    bar.set_prefix("documents");
    let negative = classifier.head().config().negative.as_deref();
    let mut counter = RelationCounter::default();
    for document in documents {
        let masked: Vec<&str> = document.pairs.iter().map(|pair| &pair.masked[..]).collect();
        let labels = classifier.classify(&masked)?;
        let told: Vec<Option<&str>> = labels
            .iter()
            .map(|one| Some(&one.label[..]).filter(|label| Some(*label) != negative))
            .collect();
        counter.add(document, &told, |kind| {
            known.get(kind).map(|&label| label.to_owned())
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(counter.scores())
}
