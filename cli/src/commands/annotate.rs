//! `medsift annotate`: named entities of a text.

use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::render;
use clap::Args;
use medsift::enrich::{Entity, Tagger};
use serde::Serialize;
use std::io::Read;

/// Arguments of `medsift annotate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift annotate \"Statins may cause myopathy.\" --model runs/ner/model
  medsift annotate - --model runs/ner/model --json < abstract.txt

The model directory needs a head for entities, as a stage of kind token leaves
it (medsift train run config/train/ner.toml). Offsets are characters of the
text as it was given, counted from 0; the end is the character after the last.
A score is the geometric mean of the probabilities of the words' tags.")]
pub(crate) struct AnnotateArgs {
    /// The text; - for standard input
    #[arg(value_name = "TEXT")]
    text: String,
    /// Model directory with a head for entities
    #[arg(long, value_name = "MODEL")]
    model: String,
    /// Head, where the model has several
    #[arg(long, value_name = "NAME")]
    head: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// What was found, and by what.
#[derive(Debug, Serialize)]
pub(crate) struct Annotated {
    /// The model, as its fingerprint has it.
    pub(crate) model: String,
    /// The head's name.
    pub(crate) head: String,
    /// The text as it was given.
    pub(crate) text: String,
    /// In the order of the text.
    pub(crate) entities: Vec<Entity>,
}

/// Finds the entities of a text.
pub(crate) fn run(context: &mut Context, args: &AnnotateArgs) -> Result<Exit> {
    let text = match args.text.as_str() {
        "-" => standard_input()?,
        text => text.to_owned(),
    };
    let model = LoadedModel::load(context, &args.model)?;
    let tagger = Tagger::open(model.encoder.clone(), &model.dir, args.head.as_deref())?;
    let entities = tagger.annotate(&[&text])?.into_iter().flatten().collect();
    let annotated = Annotated {
        model: model.encoder.fingerprint().to_string(),
        head: tagger.head().name().to_owned(),
        text,
        entities,
    };
    if args.json {
        context.out.json(&annotated)?;
    } else {
        let page = render::entities::annotated(&annotated, context.out.style());
        context.out.text(&page)?;
    }
    Ok(Exit::Ok)
}

fn standard_input() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| CliError::Failure(format!("cannot read standard input: {error}")))?;
    Ok(text)
}
