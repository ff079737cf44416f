//! `medsift eval answers`: answers to questions about passages.

use super::sentence::FileScores;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::LoadedModel;
use crate::{model, progress, render};
use clap::Args;
use medsift::enrich::{Answer, AnswerReader};
use medsift::eval::answers::SquadArticle;
use medsift::eval::{AnswerCounter, AnswerScores, RankCounter, RankScores, SquadFile, Threshold};
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Questions that are asked between two movements of the bar.
const CHUNK: usize = 64;

/// Answers of a passage that count where those of several are ranked.
const RANKED: usize = 5;

/// Arguments of `medsift eval answers`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval answers squad/dev-v2.0.json.gz --model runs/answers/model
  medsift eval answers bioasq-factoid-squad-test.json --bioasq --model runs/answers/model
  medsift eval answers dev.json --model runs/answers/model --set-threshold
  medsift eval answers squad/dev-v1.1.json.gz --predictions predictions.json

A file is in SQuAD's form, plain or gzip. Exact match and F1 are those of its
official scorer. Where some questions have no answer, a span counts from the
head's threshold on; where all have one, each gets its best span, as in SQuAD 1.1.
With --bioasq the passages of an article are the snippets of one question, whose
answers are ranked together: strict and lenient accuracy, and MRR.")]
pub(crate) struct AnswersArgs {
    /// Files of questions
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Model directory with a head for answers
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Head, where the model has several
    #[arg(long, value_name = "NAME")]
    head: Option<String>,
    /// Rank the answers of all snippets of a question, as BioASQ does
    #[arg(long)]
    bioasq: bool,
    /// Choose the threshold with the largest F1 on the first file, which has to
    /// be held out, and write it into the head's config.json
    #[arg(long, conflicts_with = "bioasq")]
    set_threshold: bool,
    /// Score these answers, JSON with a text for each id, in place of a model's
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bioasq", "set_threshold", "head"])]
    predictions: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// The scores of each file.
#[derive(Debug, Serialize)]
pub(crate) struct AnswerReport {
    /// The model, as its fingerprint has it, or the file of answers.
    pub(crate) model: String,
    /// The head's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) head: Option<String>,
    /// Least margin of an answer, where some questions have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) threshold: Option<f32>,
    /// In the order of the files.
    pub(crate) results: Vec<FileScores<Measured>>,
}

/// The scores of a file.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Measured {
    /// SQuAD's.
    Squad {
        /// With the head's threshold.
        #[serde(flatten)]
        scores: AnswerScores,
        /// The threshold that would be best here, where some questions have no
        /// answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<Threshold>,
    },
    /// BioASQ's.
    Ranked(RankScores),
}

/// Measures answers.
pub(crate) fn answers(context: &mut Context, args: &AnswersArgs) -> Result<Exit> {
    // Every file before a model is loaded, so that faults show at once.
    let files = args.files.iter().map(|file| SquadFile::read(file));
    let files = files.collect::<medsift::Result<Vec<_>>>()?;
    let report = match &args.predictions {
        Some(path) => given(args, path, &files)?,
        None => by_model(context, args, &files)?,
    };
    if args.json {
        context.out.json(&report)?;
    } else {
        context.out.text(&render::answers::scores(&report))?;
    }
    Ok(Exit::Ok)
}

fn by_model(context: &Context, args: &AnswersArgs, files: &[SquadFile]) -> Result<AnswerReport> {
    let model = LoadedModel::load(context, &args.model)?;
    let encoder = model.encoder.clone();
    let mut reader = AnswerReader::open(encoder, &model.dir, args.head.as_deref())?;
    let mut results = Vec::with_capacity(files.len());
    for (path, file) in args.files.iter().zip(files) {
        let measured = match args.bioasq {
            true => Measured::Ranked(ranked(context, &reader, &file.articles)?),
            false => {
                let counter = count(context, &reader, file)?;
                if args.set_threshold && results.is_empty() {
                    set_threshold(&mut reader, &model.dir, path, &counter)?;
                }
                squad(&counter, reader.head().config().threshold)
            }
        };
        results.push(FileScores {
            file: path.display().to_string(),
            scores: measured,
        });
    }
    Ok(AnswerReport {
        model: model.encoder.fingerprint().to_string(),
        head: Some(reader.head().name().to_owned()),
        threshold: (!args.bioasq).then(|| reader.head().config().threshold),
        results,
    })
}

fn set_threshold(
    reader: &mut AnswerReader,
    dir: &Path,
    path: &Path,
    counter: &AnswerCounter,
) -> Result<()> {
    let best = counter.best_threshold().ok_or_else(|| {
        CliError::Usage(format!(
            "{}: all questions have an answer, or none has; a threshold needs both kinds",
            path.display()
        ))
    })?;
    Ok(reader.set_threshold(dir, best.margin)?)
}

fn squad(counter: &AnswerCounter, threshold: f32) -> Measured {
    let threshold = match counter.has_unanswerable() {
        true => threshold,
        false => f32::NEG_INFINITY,
    };
    Measured::Squad {
        scores: counter.scores(threshold),
        best: counter.best_threshold(),
    }
}

fn count(context: &Context, reader: &AnswerReader, file: &SquadFile) -> Result<AnswerCounter> {
    let questions: Vec<_> = file.questions().collect();
    let bar = progress::count_bar(context.quiet, questions.len() as u64);
    bar.set_prefix("questions");
    let mut counter = AnswerCounter::default();
    for chunk in questions.chunks(CHUNK) {
        let pairs: Vec<(&str, &str)> = chunk
            .iter()
            .map(|(passage, one)| (one.question.as_str(), passage.context.as_str()))
            .collect();
        for ((_, question), found) in chunk.iter().zip(reader.answers(&pairs, 1)?) {
            let best = found.first().map(|one| (one.text.as_str(), one.margin));
            counter.add(&question.gold(), best);
        }
        bar.inc(chunk.len() as u64);
    }
    bar.finish_and_clear();
    Ok(counter)
}

/// Each article is one question with its snippets.
fn ranked(
    context: &Context,
    reader: &AnswerReader,
    articles: &[SquadArticle],
) -> Result<RankScores> {
    let bar = progress::count_bar(context.quiet, articles.len() as u64);
    bar.set_prefix("questions");
    let mut counter = RankCounter::default();
    for article in articles {
        let passages = article.passages.iter();
        let pairs: Vec<(&str, &str)> = passages
            .flat_map(|passage| {
                let asked = passage.questions.iter();
                asked.map(|one| (one.question.as_str(), passage.context.as_str()))
            })
            .collect();
        let mut found: Vec<Answer> = reader
            .answers(&pairs, RANKED)?
            .into_iter()
            .flatten()
            .collect();
        found.sort_by(|a, b| b.margin.total_cmp(&a.margin));
        let found: Vec<String> = found.into_iter().map(|one| one.text).collect();
        counter.add(&gold(article), &found);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(counter.scores())
}

/// All right answers, those of the snippets where the file has no list.
fn gold(article: &SquadArticle) -> Vec<String> {
    if !article.gold_answers.is_empty() {
        return article.gold_answers.clone();
    }
    let questions = article.passages.iter().flat_map(|one| &one.questions);
    questions
        .flat_map(|one| one.gold())
        .map(str::to_owned)
        .collect()
}

/// Scores of answers that another program gave; a question without one is wrong.
fn given(args: &AnswersArgs, path: &Path, files: &[SquadFile]) -> Result<AnswerReport> {
    let found: HashMap<String, String> = SquadFile::read_predictions(path)?;
    let measure = |file: &SquadFile| {
        let mut counter = AnswerCounter::default();
        for (_, question) in file.questions() {
            // What is empty says that there is none.
            let answer = found.get(&question.id).filter(|text| !text.is_empty());
            counter.add(&question.gold(), answer.map(|text| (text.as_str(), 0.0)));
        }
        Measured::Squad {
            scores: counter.scores(0.0),
            best: None,
        }
    };
    let results = args.files.iter().zip(files);
    Ok(AnswerReport {
        model: path.display().to_string(),
        head: None,
        threshold: None,
        results: results
            .map(|(path, file)| FileScores {
                file: path.display().to_string(),
                scores: measure(file),
            })
            .collect(),
    })
}
