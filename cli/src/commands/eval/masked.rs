//! `medsift eval mlm`: masked tokens of held-out text.

use super::sentence::{FileScores, SentenceReport};
use crate::articles;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::{model, progress, render};
use clap::Args;
use medsift_training::trainer::{MaskedModel, MaskedModelOptions};
use std::path::PathBuf;

/// Arguments of `medsift eval mlm`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval mlm held-out.xml.gz --model runs/pubmed/model
  medsift eval mlm held-out.txt --model ./my-bert --sequences 5000 --json

A file is PubMed XML or another format that medsift indexes, JSON lines with
title and text, or plain text with a blank line between documents, each perhaps
with gzip. Its text is cut into sequences as in training, 15 % of the tokens are
masked as the seed says, and the model is asked for them. Two models can be
compared where they share a vocabulary and the numbers below.

The model directory needs the heads of its pre-training, as a stage of kind mlm
leaves them; an encoder alone predicts no tokens.")]
pub(crate) struct MlmArgs {
    /// Files of held-out text
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Model: a known name, a directory, or the hub's org/name
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
    /// Sequences of each file, the first ones
    #[arg(long, value_name = "N", default_value_t = MaskedModelOptions::default().sequences)]
    sequences: usize,
    /// Most tokens of a sequence; the model's limit when not given
    #[arg(long, value_name = "N")]
    max_tokens: Option<usize>,
    /// Mask all pieces of a word together
    #[arg(long)]
    whole_word: bool,
    /// Decides the segments and the masks
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Measures masked tokens.
pub(crate) fn mlm(context: &mut Context, args: &MlmArgs) -> Result<Exit> {
    let resolved = model::resolve(&args.model, context.quiet)?;
    let mut model = MaskedModel::open(&resolved.dir)?;
    let options = MaskedModelOptions {
        sequences: args.sequences,
        seed: args.seed,
        max_tokens: args.max_tokens,
        whole_word: args.whole_word,
    };
    let source = articles::source();
    let mut results = Vec::with_capacity(args.files.len());
    for file in &args.files {
        let name = file.display().to_string();
        let spinner = progress::spinner(context.quiet, "measuring");
        let scores = model.measure(file, &options, Some(&source));
        spinner.finish_and_clear();
        results.push(FileScores {
            file: name,
            scores: scores?,
        });
    }
    let report = SentenceReport {
        model: resolved.location,
        results,
    };
    if args.json {
        context.out.json(&report)?;
    } else {
        context.out.text(&render::sentence::mlm(&report))?;
    }
    Ok(Exit::Ok)
}
