//! `medsift classify`: labels of texts.

use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::render;
use clap::Args;
use medsift::enrich::{Classified, TextClassifier};
use serde::Serialize;
use std::io::BufRead;

/// Arguments of `medsift classify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift classify \"We measured glucose in 40 mice.\" --model runs/sections/model
  medsift classify \"@GENE$ is associated with @DISEASE$.\" --model runs/gad/model --json
  medsift classify - --model runs/sections/model < sentences.txt

The model directory needs a head for texts, as a stage of kind text leaves it
(medsift train run config/train/gad.toml). A score is the probability of the
label. A head for relations wants both entities masked as in training;
medsift annotate --relations does that by itself. Of standard input each line is
a text; empty ones are passed over.")]
pub(crate) struct ClassifyArgs {
    /// Texts; - for the lines of standard input
    #[arg(value_name = "TEXT", required = true)]
    texts: Vec<String>,
    /// Model directory with a head for texts
    #[arg(long, value_name = "MODEL")]
    model: String,
    /// Head, where the model has several
    #[arg(long, value_name = "NAME")]
    head: Option<String>,
    /// Print as JSON, with the probabilities of all labels
    #[arg(long)]
    json: bool,
}

/// Labels of texts, and what gave them.
#[derive(Debug, Serialize)]
pub(crate) struct Labelled {
    /// The model, as its fingerprint has it.
    pub(crate) model: String,
    /// The head's name.
    pub(crate) head: String,
    /// The labels, in the order of the probabilities.
    pub(crate) labels: Vec<String>,
    /// In the order of the texts.
    pub(crate) results: Vec<LabelledText>,
}

/// A text and its label.
#[derive(Debug, Serialize)]
pub(crate) struct LabelledText {
    /// The text as it was given.
    pub(crate) text: String,
    /// What it is.
    #[serde(flatten)]
    pub(crate) classified: Classified,
}

/// Labels texts.
pub(crate) fn run(context: &mut Context, args: &ClassifyArgs) -> Result<Exit> {
    let mut texts = Vec::with_capacity(args.texts.len());
    for text in &args.texts {
        match text.as_str() {
            "-" => lines(&mut texts)?,
            text => texts.push(text.to_owned()),
        }
    }
    let model = LoadedModel::load(context, &args.model)?;
    let classifier = TextClassifier::open(model.encoder.clone(), &model.dir, args.head.as_deref())?;
    let found = classifier.classify(&texts)?;
    let results = texts.into_iter().zip(found);
    let labelled = Labelled {
        model: model.encoder.fingerprint().to_string(),
        head: classifier.head().name().to_owned(),
        labels: classifier.head().labels().to_vec(),
        results: results
            .map(|(text, classified)| LabelledText { text, classified })
            .collect(),
    };
    if args.json {
        context.out.json(&labelled)?;
    } else {
        let page = render::labels::labelled(&labelled, context.out.style());
        context.out.text(&page)?;
    }
    Ok(Exit::Ok)
}

fn lines(texts: &mut Vec<String>) -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line
            .map_err(|error| CliError::Failure(format!("cannot read standard input: {error}")))?;
        if !line.trim().is_empty() {
            texts.push(line);
        }
    }
    Ok(())
}
