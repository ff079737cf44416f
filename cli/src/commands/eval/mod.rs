//! Measuring: search quality, and the quality of a model's embeddings.

mod answers;
mod entities;
mod labels;
mod linking;
mod masked;
mod passages;
mod relations;
mod retrieval;
mod sentence;

pub(crate) use answers::{AnswerReport, Measured};
pub(crate) use entities::EntityReport;
pub(crate) use labels::LabelReport;
pub(crate) use linking::LinkingReport;
pub(crate) use passages::PassageReport;
pub(crate) use relations::RelationReport;
#[cfg(test)]
pub(crate) use sentence::FileScores;
pub(crate) use sentence::SentenceReport;

use crate::commands::index::Build;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::{open, render};
use clap::{Args, Subcommand};
use medsift::index::Index;

/// Arguments of `medsift eval`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift eval retrieval ./nfcorpus --mode keyword
  medsift eval sts stsb/test.tsv --model ./my-model")]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    command: EvalCommand,
}

#[derive(Debug, Subcommand)]
enum EvalCommand {
    /// Search quality on a folder in BEIR layout
    Retrieval(retrieval::RetrievalArgs),
    /// Similarity of sentences: correlation of cosines with people's scores
    Sts(sentence::StsArgs),
    /// Inference: accuracy of the classifier that training left with a model
    Nli(sentence::NliArgs),
    /// Masked tokens of held-out text: loss, perplexity and accuracy
    Mlm(masked::MlmArgs),
    /// Named entities: precision, recall and F1 of a model's head
    Ner(entities::NerArgs),
    /// Labels of texts: accuracy, F1 and AUC of a model's head
    Labels(labels::LabelsArgs),
    /// Relations of annotated documents: precision, recall and F1 of a model's head
    Relations(relations::RelationsArgs),
    /// Concepts of mentions: how often the first is right
    Linking(linking::LinkingArgs),
    /// Answers to questions about passages: exact match and F1, or BioASQ's ranks
    Answers(answers::AnswersArgs),
    /// Passages for questions: is what answers among them within a budget?
    Passages(passages::PassagesArgs),
    /// Triplets: how often the positive is nearer than the negative
    Triplet(sentence::TripletArgs),
}

/// Runs an evaluation.
pub(crate) fn run(context: &mut Context, args: &EvalArgs) -> Result<Exit> {
    match &args.command {
        EvalCommand::Retrieval(args) => retrieval::run(context, args),
        EvalCommand::Sts(args) => sentence::sts(context, args),
        EvalCommand::Nli(args) => sentence::nli(context, args),
        EvalCommand::Mlm(args) => masked::mlm(context, args),
        EvalCommand::Ner(args) => entities::ner(context, args),
        EvalCommand::Labels(args) => labels::labels(context, args),
        EvalCommand::Relations(args) => relations::relations(context, args),
        EvalCommand::Linking(args) => linking::linking(context, args),
        EvalCommand::Answers(args) => answers::answers(context, args),
        EvalCommand::Passages(args) => passages::passages(context, args),
        EvalCommand::Triplet(args) => sentence::triplet(context, args),
    }
}

/// `NAME=VALUE` of an argument.
fn pair(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((from, to)) if !from.is_empty() && !to.is_empty() => {
            Ok((from.to_owned(), to.to_owned()))
        }
        _ => Err("write a name, = and a value".to_owned()),
    }
}

/// Indexes what is measured on, and opens it; nothing where Ctrl-C stopped it.
/// `what` names it in messages.
///
/// # Errors
/// When a part of it cannot be read: scores would be wrong.
fn indexed_whole(context: &Context, build: &Build<'_>, what: &str) -> Result<Option<Index>> {
    let report = build.run(context)?;
    if report.cancelled {
        return Ok(None);
    }
    if report.total.quarantined > 0 || report.files.iter().any(|file| file.refused.is_some()) {
        context.note(&render::ledger::report(&report, context.out.style()));
        return Err(CliError::Failure(format!(
            "the {what} could not be read whole: scores would be wrong"
        )));
    }
    open::with_loaded(context, build.dir, build.model, Default::default()).map(Some)
}
