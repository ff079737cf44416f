//! `medsift eval sts|nli|triplet`: tables of texts through a model.

use crate::context::Context;
use crate::error::{Exit, Result};
use crate::model;
use crate::open::LoadedModel;
use crate::{progress, render};
use clap::Args;
use medsift::encoder::Encoder;
use medsift::eval::{
    NliPair, NliScores, PairClassifier, ScoredPair, StsScores, Triplet, TripletScores,
};
use medsift::{Error, ErrorKind};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Texts that are encoded between two movements of the bar.
const CHUNK: usize = 256;

/// Arguments of `medsift eval sts`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval sts stsb/test.tsv
  medsift eval sts stsb/test.tsv biosses.tsv --model ./my-model --json

A file is a table of tab-separated columns under a header, plain or gzip, with
the columns sentence1, sentence2 and score; the scale of the scores does not
matter. Both sentences are encoded as passages, and their cosines correlated
with the scores.")]
pub(crate) struct StsArgs {
    #[command(flatten)]
    measured: MeasuredArgs,
}

/// Arguments of `medsift eval nli`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  medsift eval nli snli/dev.tsv.gz --model ./my-model

A file is a table of tab-separated columns under a header, plain or gzip, with
the columns premise, hypothesis and label: entailment, neutral or contradiction.
The model directory needs the classifier that NLI training leaves there
(2_Classifier); an encoder alone names no classes.")]
pub(crate) struct NliArgs {
    #[command(flatten)]
    measured: MeasuredArgs,
}

/// Arguments of `medsift eval triplet`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  medsift eval triplet triplets.test.tsv.gz --model ./my-model

A file is a table of tab-separated columns under a header, plain or gzip, with
the columns anchor, positive and negative. A triplet counts as right when the
positive is nearer to the anchor than the negative.")]
pub(crate) struct TripletArgs {
    #[command(flatten)]
    measured: MeasuredArgs,
}

/// What all of them take.
#[derive(Debug, Args)]
struct MeasuredArgs {
    /// Tables of texts
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Model: a known name, a directory, or the hub's org/name
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// The scores of each file under one model.
#[derive(Debug, Serialize)]
pub(crate) struct SentenceReport<S> {
    /// The model, as its fingerprint has it.
    pub(crate) model: String,
    /// In the order of the files.
    pub(crate) results: Vec<FileScores<S>>,
}

/// The scores of one file.
#[derive(Debug, Serialize)]
pub(crate) struct FileScores<S> {
    /// As it was named.
    pub(crate) file: String,
    /// What was measured.
    #[serde(flatten)]
    pub(crate) scores: S,
}

/// Measures similarity.
pub(crate) fn sts(context: &mut Context, args: &StsArgs) -> Result<Exit> {
    let tables = read(&args.measured, ScoredPair::read)?;
    let model = LoadedModel::load(context, &args.measured.model)?;
    let dimension = model.encoder.dimension();
    let report = measure(context, &model, &args.measured, tables, |encode, pairs| {
        let first = encode(&mut pairs.iter().map(|pair| &pair.first[..]))?;
        let second = encode(&mut pairs.iter().map(|pair| &pair.second[..]))?;
        Ok(StsScores::of(pairs, &first, &second, dimension)?)
    })?;
    print(context, &args.measured, &report, render::sentence::sts)
}

/// Measures inference.
pub(crate) fn nli(context: &mut Context, args: &NliArgs) -> Result<Exit> {
    let tables = read(&args.measured, NliPair::read)?;
    let model = LoadedModel::load(context, &args.measured.model)?;
    let classifier = classifier(&model)?;
    let report = measure(context, &model, &args.measured, tables, |encode, pairs| {
        let premises = encode(&mut pairs.iter().map(|pair| &pair.premise[..]))?;
        let hypotheses = encode(&mut pairs.iter().map(|pair| &pair.hypothesis[..]))?;
        Ok(NliScores::of(&classifier, pairs, &premises, &hypotheses)?)
    })?;
    print(context, &args.measured, &report, render::sentence::nli)
}

/// Measures triplets.
pub(crate) fn triplet(context: &mut Context, args: &TripletArgs) -> Result<Exit> {
    let tables = read(&args.measured, Triplet::read)?;
    let model = LoadedModel::load(context, &args.measured.model)?;
    let dimension = model.encoder.dimension();
    let report = measure(context, &model, &args.measured, tables, |encode, all| {
        let anchors = encode(&mut all.iter().map(|triplet| &triplet.anchor[..]))?;
        let positives = encode(&mut all.iter().map(|triplet| &triplet.positive[..]))?;
        let negatives = encode(&mut all.iter().map(|triplet| &triplet.negative[..]))?;
        Ok(TripletScores::of(
            &anchors, &positives, &negatives, dimension,
        )?)
    })?;
    print(context, &args.measured, &report, render::sentence::triplet)
}

/// Reads every file before a model is loaded, so that faults show at once.
fn read<T>(
    args: &MeasuredArgs,
    read: impl Fn(&Path) -> medsift::Result<Vec<T>>,
) -> Result<Vec<Vec<T>>> {
    let tables = args.files.iter().map(|file| read(file));
    Ok(tables.collect::<medsift::Result<_>>()?)
}

/// Embeds texts, and gives the numbers row after row.
type Encode<'a> = dyn FnMut(&mut dyn Iterator<Item = &str>) -> Result<Vec<f32>> + 'a;

fn measure<T, S>(
    context: &Context,
    model: &LoadedModel,
    args: &MeasuredArgs,
    tables: Vec<Vec<T>>,
    score: impl Fn(&mut Encode<'_>, &[T]) -> Result<S>,
) -> Result<SentenceReport<S>> {
    let mut results = Vec::with_capacity(tables.len());
    for (file, table) in args.files.iter().zip(tables) {
        let mut encode =
            |texts: &mut dyn Iterator<Item = &str>| embed(context, &model.encoder, texts);
        results.push(FileScores {
            file: file.display().to_string(),
            scores: score(&mut encode, &table)?,
        });
    }
    Ok(SentenceReport {
        model: model.encoder.fingerprint().to_string(),
        results,
    })
}

fn embed(
    context: &Context,
    encoder: &Encoder,
    texts: &mut dyn Iterator<Item = &str>,
) -> Result<Vec<f32>> {
    let texts: Vec<&str> = texts.collect();
    let bar = progress::count_bar(context.quiet, texts.len() as u64);
    bar.set_prefix("texts");
    let mut values = Vec::with_capacity(texts.len() * encoder.dimension());
    for chunk in texts.chunks(CHUNK) {
        values.extend(encoder.encode_passages(chunk)?.into_values());
        bar.inc(chunk.len() as u64);
    }
    bar.finish_and_clear();
    Ok(values)
}

/// The model's classifier, or how to come by one.
fn classifier(model: &LoadedModel) -> Result<PairClassifier> {
    let dir = &model.dir;
    let found = PairClassifier::open(dir, model.encoder.dimension())?;
    Ok(found.ok_or_else(|| {
        Error::new(
            ErrorKind::NotFound,
            format!(
                "the model {} has no classifier ({}/{}), so that its accuracy cannot be measured: \
                 train it with the objective softmax and keep the classifier, or measure \
                 similarity with `medsift eval sts`",
                dir.display(),
                PairClassifier::FOLDER,
                PairClassifier::FILE
            ),
        )
    })?)
}

fn print<S: Serialize>(
    context: &mut Context,
    args: &MeasuredArgs,
    report: &SentenceReport<S>,
    page: impl Fn(&SentenceReport<S>) -> String,
) -> Result<Exit> {
    if args.json {
        context.out.json(report)?;
    } else {
        let text = page(report);
        context.out.text(&text)?;
    }
    Ok(Exit::Ok)
}
