//! `medsift eval ner`: named entities in tagged sentences.

use super::sentence::FileScores;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::{model, progress, render};
use clap::Args;
use medsift::enrich::{Tagger, TypeMap};
use medsift::eval::{Counting, EntityCounter, EntityScores, TaggedSentence};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Sentences that are tagged between two movements of the bar.
const CHUNK: usize = 256;

/// Arguments of `medsift eval ner`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval ner ncbi-disease/test.tsv --model runs/ner/model
  medsift eval ner jnlpba/test.tsv.gz --model runs/ner/model --json \\
      --type protein=Gene --type DNA=Gene --type RNA=Gene \\
      --type cell_line=Cell --type cell_type=Cell

A file has a word and its tag (O, B-TYPE, I-TYPE) in each line with a tab in
between, and an empty line between sentences; plain or gzip. An entity is right
when its type, its first and its last word are (CoNLL), as seqeval counts. Types
that the model finds and the file does not label are left out. Where no --type
is given, types of the file are those of the model with the same name.")]
pub(crate) struct NerArgs {
    /// Files of tagged sentences
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Model directory with a head for entities
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Head, where the model has several
    #[arg(long, value_name = "NAME")]
    head: Option<String>,
    /// Type of the file and the model's type that it stands for; may be repeated
    #[arg(long = "type", value_name = "OF_FILE=OF_MODEL", value_parser = pair)]
    types: Vec<(String, String)>,
    /// Type of the file that is taken for O; may be repeated
    #[arg(long, value_name = "OF_FILE")]
    ignore: Vec<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// The scores of each file.
#[derive(Debug, Serialize)]
pub(crate) struct EntityReport {
    /// The model, as its fingerprint has it.
    pub(crate) model: String,
    /// The head's name.
    pub(crate) head: String,
    /// In the order of the files.
    pub(crate) results: Vec<FileScores<EntityScores>>,
}

fn pair(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((from, to)) if !from.is_empty() && !to.is_empty() => {
            Ok((from.to_owned(), to.to_owned()))
        }
        _ => Err("write a type of the file, =, and a type of the model".to_owned()),
    }
}

/// Measures named entities.
pub(crate) fn ner(context: &mut Context, args: &NerArgs) -> Result<Exit> {
    // Every file before a model is loaded, so that faults show at once.
    let files = args.files.iter().map(|file| TaggedSentence::read(file));
    let files = files.collect::<medsift::Result<Vec<_>>>()?;
    let model = LoadedModel::load(context, &args.model)?;
    let tagger = Tagger::open(model.encoder.clone(), &model.dir, args.head.as_deref())?;
    let mut results = Vec::with_capacity(files.len());
    for (file, sentences) in args.files.iter().zip(&files) {
        let name = file.display().to_string();
        let types = types(args, &tagger, sentences)
            .map_err(|error| CliError::Usage(format!("{name}: {error}; use --type or --ignore")))?;
        results.push(FileScores {
            file: name,
            scores: measure(context, &tagger, &types, sentences)?,
        });
    }
    let report = EntityReport {
        model: model.encoder.fingerprint().to_string(),
        head: tagger.head().name().to_owned(),
        results,
    };
    if args.json {
        context.out.json(&report)?;
    } else {
        context.out.text(&render::entities::scores(&report))?;
    }
    Ok(Exit::Ok)
}

fn types(
    args: &NerArgs,
    tagger: &Tagger,
    sentences: &[TaggedSentence],
) -> medsift::Result<TypeMap> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (from, to) in &args.types {
        types.entry(from.clone()).or_default().push(to.clone());
    }
    let occurring = TaggedSentence::types(sentences);
    TypeMap::new(tagger.head().tags(), &types, &args.ignore, &occurring)
}

fn measure(
    context: &Context,
    tagger: &Tagger,
    types: &TypeMap,
    sentences: &[TaggedSentence],
) -> Result<EntityScores> {
    let bar = progress::count_bar(context.quiet, sentences.len() as u64);
    bar.set_prefix("sentences");
    let mut counter = EntityCounter::new(Counting::Conll);
    for chunk in sentences.chunks(CHUNK) {
        let words: Vec<Vec<&str>> = chunk
            .iter()
            .map(|sentence| sentence.words.iter().map(String::as_str).collect())
            .collect();
        for (sentence, found) in chunk.iter().zip(tagger.tag(&words)?) {
            let gold = sentence.tags.iter().map(|tag| types.gold(tag));
            let gold = gold.collect::<medsift::Result<Vec<_>>>()?;
            let found: Vec<String> = found.into_iter().map(|tag| types.predicted(tag)).collect();
            counter.add(&gold, &found)?;
        }
        bar.inc(chunk.len() as u64);
    }
    bar.finish_and_clear();
    Ok(counter.scores())
}
