//! `medsift eval labels`: labels of texts.

use super::pair;
use super::sentence::FileScores;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::{model, progress, render};
use clap::Args;
use medsift::enrich::{PairRule, TextClassifier};
use medsift::eval::{Cell, Column, LabelCounter, LabelMap, LabelScores, LabelledTable, read_ids};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Texts that are labelled between two movements of the bar.
const CHUNK: usize = 256;

/// Arguments of `medsift eval labels`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval labels sections.tsv --model runs/sections/model
  medsift eval labels re/gad/folds.tsv.gz --model runs/gad/model --text sentence \\
      --only fold=1 --map 0=none --map 1=association
  medsift eval labels bioasq.jsonl.gz --model runs/verdict/model --text question \\
      --text-pair snippets --label exact_answer --only type=yesno --map Yes=yes
  medsift eval labels chemprot/test.tsv.gz --model runs/chemprot/model --head chemprot \\
      --text sentence --map False=none --json

A file is a table of tab-separated columns or has records in JSON, an object of
them by their ids or one a line; plain or gzip. F1 is that over all
labels but the head's negative one: with one positive label its own, with
several their micro average. The macro average is over all labels; AUC is the
area under the ROC curve, with two labels. The numbers are scikit-learn's.")]
pub(crate) struct LabelsArgs {
    /// Tables of texts
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Model directory with a head for texts
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Head, where the model has several
    #[arg(long, value_name = "NAME")]
    head: Option<String>,
    #[command(flatten)]
    columns: ColumnArgs,
    /// Label of the file and the head's label that it stands for; may be repeated
    #[arg(long = "map", value_name = "OF_FILE=OF_HEAD", value_parser = pair)]
    maps: Vec<(String, String)>,
    /// Label of the file whose rows are left out; may be repeated
    #[arg(long, value_name = "OF_FILE")]
    ignore: Vec<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Where texts and labels stand.
#[derive(Debug, Args)]
struct ColumnArgs {
    /// Column of the text: its name, its number from 1, or a sentence with names
    /// of columns in braces
    #[arg(long, value_name = "COLUMN", default_value = "text")]
    text: String,
    /// Column of the text that is read behind it, for a head that reads pairs
    #[arg(long, value_name = "COLUMN")]
    text_pair: Option<String>,
    /// Column of the label
    #[arg(long, value_name = "COLUMN", default_value = "label")]
    label: String,
    /// The first line is a row like the others; give columns by number
    #[arg(long)]
    no_header: bool,
    /// Only rows whose column holds this value; may be repeated, and one column's
    /// values stand for each other
    #[arg(long, value_name = "COLUMN=VALUE", value_parser = pair)]
    only: Vec<(String, String)>,
    /// Files are annotated documents (PubTator, BioC): each pair of entities of
    /// these types in a sentence is a text, as TYPE,TYPE
    #[arg(long, value_name = "TYPES", value_parser = types)]
    pairs: Option<PairRule>,
    /// Only rows whose id is in this JSON file, an object's keys or an array
    #[arg(long, value_name = "FILE")]
    only_ids: Option<PathBuf>,
}

/// The scores of each file.
#[derive(Debug, Serialize)]
pub(crate) struct LabelReport {
    /// The model, as its fingerprint has it.
    pub(crate) model: String,
    /// The head's name.
    pub(crate) head: String,
    /// In the order of the files.
    pub(crate) results: Vec<FileScores<LabelScores>>,
}

/// A file as it was read: the places of its labels, and its texts.
struct Labelled {
    classes: Vec<usize>,
    texts: Vec<(String, String)>,
}

fn types(text: &str) -> std::result::Result<PairRule, String> {
    let types: Vec<String> = text.split(',').map(|one| one.trim().to_owned()).collect();
    match <[String; 2]>::try_from(types) {
        Ok(types) if types.iter().all(|one| !one.is_empty()) => Ok(PairRule {
            types,
            others: None,
        }),
        _ => Err("write two types with a comma between, as in Chemical,Disease".to_owned()),
    }
}

impl ColumnArgs {
    fn table(&self) -> medsift::Result<LabelledTable> {
        let mut only: BTreeMap<String, Vec<Cell>> = BTreeMap::new();
        for (name, value) in &self.only {
            let cells = only.entry(name.clone()).or_default();
            cells.push(Cell::Text(value.clone()));
        }
        let ids = self.only_ids.as_deref().map(read_ids).transpose()?;
        Ok(LabelledTable {
            text: Column::parse(&self.text),
            text_pair: self.text_pair.as_deref().map(Column::parse),
            label: Column::parse(&self.label),
            header: !self.no_header,
            only: only
                .into_iter()
                .map(|(name, values)| (name, Cell::OneOf(values)))
                .collect(),
            only_ids: ids.unwrap_or_default(),
            pairs: self.pairs.clone(),
            ..LabelledTable::default()
        })
    }
}

/// Measures labels of texts.
pub(crate) fn labels(context: &mut Context, args: &LabelsArgs) -> Result<Exit> {
    // Every file before a model is loaded, so that faults show at once.
    let table = args.columns.table()?;
    let files = args.files.iter().map(|file| table.read(file));
    let files = files.collect::<medsift::Result<Vec<_>>>()?;
    let model = LoadedModel::load(context, &args.model)?;
    let classifier = TextClassifier::open(model.encoder.clone(), &model.dir, args.head.as_deref())?;
    if classifier.head().config().text_pair != args.columns.text_pair.is_some() {
        let what = match args.columns.text_pair {
            Some(_) => "reads single texts; leave --text-pair out",
            None => "reads pairs of texts; name the column of the second with --text-pair",
        };
        let name = classifier.head().name();
        return Err(CliError::Usage(format!("the head {name} {what}")));
    }
    let targets: BTreeMap<String, String> = args.maps.iter().cloned().collect();
    let usage = |error: medsift::Error| CliError::Usage(format!("{error}; use --map or --ignore"));
    let map = LabelMap::new(classifier.head().labels(), &targets, &args.ignore).map_err(usage)?;
    let mut results = Vec::with_capacity(files.len());
    for (file, texts) in args.files.iter().zip(files) {
        let labelled = Labelled::new(file, texts.rows, &map)?;
        results.push(FileScores {
            file: file.display().to_string(),
            scores: measure(context, &classifier, &labelled)?,
        });
    }
    let report = LabelReport {
        model: model.encoder.fingerprint().to_string(),
        head: classifier.head().name().to_owned(),
        results,
    };
    if args.json {
        context.out.json(&report)?;
    } else {
        context.out.text(&render::labels::scores(&report))?;
    }
    Ok(Exit::Ok)
}

impl Labelled {
    fn new(file: &Path, rows: Vec<medsift::eval::LabelledText>, map: &LabelMap) -> Result<Self> {
        let (mut classes, mut texts) = (Vec::new(), Vec::new());
        for row in rows {
            let place = map.place(&row.label).map_err(|error| {
                let place = format!("{}, line {}", file.display(), row.line);
                CliError::Usage(format!("{place}: {error}; use --map or --ignore"))
            })?;
            if let Some(place) = place {
                classes.push(place);
                // A head of single texts is never asked for the second.
                texts.push((row.text, row.pair.unwrap_or_default()));
            }
        }
        if texts.is_empty() {
            let what = format!("{}: every row is ignored", file.display());
            return Err(CliError::Usage(what));
        }
        Ok(Self { classes, texts })
    }
}

fn measure(
    context: &Context,
    classifier: &TextClassifier,
    labelled: &Labelled,
) -> Result<LabelScores> {
    let bar = progress::count_bar(context.quiet, labelled.texts.len() as u64);
    bar.set_prefix("texts");
    let head = classifier.head();
    let pairs = head.config().text_pair;
    let mut counter = LabelCounter::new(head.labels(), head.negative());
    let classes = labelled.classes.chunks(CHUNK);
    for (texts, classes) in labelled.texts.chunks(CHUNK).zip(classes) {
        let found = if pairs {
            classifier.probabilities_of_pairs(texts)?
        } else {
            let single: Vec<&str> = texts.iter().map(|(text, _)| text.as_str()).collect();
            classifier.probabilities(&single)?
        };
        for (class, probabilities) in classes.iter().zip(&found) {
            counter.add(*class, probabilities)?;
        }
        bar.inc(texts.len() as u64);
    }
    bar.finish_and_clear();
    Ok(counter.scores())
}
