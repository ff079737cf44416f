//! `medsift annotate`: named entities of a text, and their relations.

use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::{linking, model, render};
use clap::Args;
use medsift::enrich::link::Part;
use medsift::enrich::{Entity, Relation, RelationFinder, Tagger, TextClassifier};
use serde::Serialize;
use std::io::Read;

/// Arguments of `medsift annotate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift annotate \"Statins may cause myopathy.\"
  medsift annotate - --json < abstract.txt
  medsift annotate - --model ./both --relations gad < abstract.txt

The default model has a head for entities. Another needs one, as a stage of kind
token leaves it (medsift train run config/train/ner.toml). Offsets are characters of the
text as it was given, counted from 0; the end is the character after the last.
A score is the geometric mean of the probabilities of the words' tags.

Diseases, chemicals, species and anatomy get the MeSH descriptor that they stand
for, where one is found. Without `medsift mesh import` a small table serves.

--relations names a head of the same model that labels sentences with a pair of
entities masked (medsift train run config/train/gad.toml --set
'stage.0.adapter={ rank = 16 }' puts one beside the encoder of another). Each
pair of entities of its types in a sentence is judged.")]
pub(crate) struct AnnotateArgs {
    /// The text; - for standard input
    #[arg(value_name = "TEXT")]
    text: String,
    /// Model with a head for entities
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Head, where the model has several
    #[arg(long, value_name = "NAME")]
    head: Option<String>,
    /// Head of the same model that tells relations; prints them too
    #[arg(long, value_name = "NAME")]
    relations: Option<String>,
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
    /// What the entities have to do with each other, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relations: Option<Related>,
}

/// Relations, and what found them.
#[derive(Debug, Serialize)]
pub(crate) struct Related {
    /// The head's name.
    pub(crate) head: String,
    /// In the order of the sentences; `first` and `second` are places in the
    /// list of entities.
    pub(crate) found: Vec<Relation>,
}

/// Finds the entities of a text.
pub(crate) fn run(context: &mut Context, args: &AnnotateArgs) -> Result<Exit> {
    let text = match args.text.as_str() {
        "-" => standard_input()?,
        text => text.to_owned(),
    };
    let model = LoadedModel::load(context, &args.model)?;
    let tagger = Tagger::open(model.encoder.clone(), &model.dir, args.head.as_deref())?;
    // Before the work is done, so that a wrong name shows at once.
    let finder = args.relations.as_deref().map(|name| {
        let encoder = model.encoder.clone();
        TextClassifier::open(encoder, &model.dir, Some(name)).and_then(RelationFinder::new)
    });
    let finder = finder.transpose()?;
    let mut entities: Vec<Entity> = tagger.annotate(&[&text])?.into_iter().flatten().collect();
    let part = Part {
        text: &text,
        entities: &mut entities,
    };
    linking::linker(context, &model)?.link_entities(&mut [vec![part]])?;
    let relations = finder.map(|finder| -> Result<Related> {
        let found = finder.find(&[(&text, &entities)])?;
        Ok(Related {
            head: finder.classifier().head().name().to_owned(),
            found: found.into_iter().flatten().collect(),
        })
    });
    let relations = relations.transpose()?;
    let annotated = Annotated {
        model: model.encoder.fingerprint().to_string(),
        head: tagger.head().name().to_owned(),
        text,
        entities,
        relations,
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
