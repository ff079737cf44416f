//! `medsift annotate`: named entities of a text, and their relations.

use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::{linking, model, render};
use clap::Args;
use medsift::enrich::exchange::{Document, ExchangeFormat, Provenance};
use medsift::enrich::link::Part;
use medsift::enrich::{Entity, Relation, RelationFinder, Tagger, TextClassifier};
use serde::Serialize;
use std::io::Read;
use std::str::FromStr;

/// Arguments of `medsift annotate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift annotate \"Statins may cause myopathy.\"
  medsift annotate - --json < abstract.txt
  medsift annotate - --format pubtator --id 12345 < title-and-abstract.txt
  medsift annotate \"Metformin may cause lactic acidosis.\" --relations induces
  medsift annotate - --model ./both --relations gad < abstract.txt

The default model has a head for entities. Another needs one, as a stage of kind
token leaves it (medsift train run config/train/ner.toml). Offsets are characters of the
text as it was given, counted from 0; the end is the character after the last.
A score is the geometric mean of the probabilities of the words' tags.

--format pubtator and bioc write what other tools of the field read: PubTator's lines,
or a BioC collection as JSON. Where the text has several lines, the first is the title.

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
    /// Print as JSON: --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// How to print: text, json, pubtator or bioc
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Form,
    /// Id of the document in the formats pubtator and bioc, such as its PMID
    #[arg(long, value_name = "ID", default_value = "1")]
    id: String,
}

/// How to print.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// For people.
    Text,
    /// All that is known.
    Json,
    /// For other tools.
    Exchange(ExchangeFormat),
}

impl FromStr for Form {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            other => other
                .parse()
                .map(Self::Exchange)
                .map_err(|_| format!("unknown format {other:?}: use text, json, pubtator or bioc")),
        }
    }
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
    match args.format {
        _ if args.json => context.out.json(&annotated)?,
        Form::Json => context.out.json(&annotated)?,
        Form::Exchange(format) => exchange(context, &annotated, format, &args.id)?,
        Form::Text => {
            let page = render::entities::annotated(&annotated, context.out.style());
            context.out.text(&page)?;
        }
    }
    Ok(Exit::Ok)
}

fn exchange(
    context: &mut Context,
    annotated: &Annotated,
    format: ExchangeFormat,
    id: &str,
) -> Result<()> {
    let relations = annotated.relations.as_ref();
    let relations = relations.map_or(&[][..], |related| &related.found);
    let document = Document::of_text(id, &annotated.text, &annotated.entities, relations);
    let by = Provenance {
        model: &annotated.model,
        head: &annotated.head,
    };
    let left_out = document.relations_without_concepts();
    if format == ExchangeFormat::Pubtator && left_out > 0 {
        context.note(&format!(
            "note: {left_out} relations have no line, since PubTator names concepts and not \
             every entity has one; --format bioc and json have them"
        ));
    }
    let text = format.write(&[document], by)?;
    context.out.text(&text)
}

fn standard_input() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| CliError::Failure(format!("cannot read standard input: {error}")))?;
    Ok(text)
}
