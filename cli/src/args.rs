//! Raw arguments. What they mean is settled in [`crate::settings`] and in the
//! commands.

use crate::commands::{
    annotate, answer, classify, demo, enrich, eval, export, index, key, mcp, mesh, model, passages,
    search, serve, show, similar, stats, strategy, train, verify,
};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Semantic and keyword search over biomedical literature.
#[derive(Debug, Parser)]
#[command(
    name = "medsift",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "\
Start here:
  medsift demo                                  try it on sample records
  medsift index pubmed25n0001.xml.gz            build ./idx from a PubMed file
  medsift search \"statins and muscle pain\"      search ./idx
  medsift serve                                 search page and HTTP API over ./idx

Exit codes: 0 done, 1 failed (verify: faults found), 2 wrong usage, 130 interrupted."
)]
pub(crate) struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub(crate) globals: Globals,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Form of the log's lines.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum LogFormat {
    /// To be read by people
    #[default]
    Text,
    /// An object a line
    Json,
}

/// A variable that is set to nothing, as container files do, is not set.
fn log_format(text: &str) -> Result<LogFormat, &'static str> {
    match text {
        "" | "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("use text or json"),
    }
}

/// Options of every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Globals {
    /// Configuration file, also from MEDSIFT_CONFIG; may be repeated, later files win
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "MEDSIFT_CONFIG",
        hide_env = true
    )]
    pub(crate) config: Vec<PathBuf>,
    /// Show errors only: no progress bars, no notes
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Log more; twice for details
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Form of the log's lines, text or json, also from MEDSIFT_LOG_FORMAT
    #[arg(
        long,
        global = true,
        value_name = "FORM",
        default_value = "text",
        value_parser = log_format,
        env = "MEDSIFT_LOG_FORMAT",
        hide_env = true
    )]
    pub(crate) log_format: LogFormat,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Try medsift: get the model, index sample records, open the search page
    Demo(demo::DemoArgs),
    /// Read citations from files, with vectors or without, and add them to an
    /// index
    #[command(visible_alias = "import")]
    Index(index::IndexArgs),
    /// Find entities and relations in the articles of an index, to search by them
    Enrich(enrich::EnrichArgs),
    /// Search an index
    Search(search::SearchArgs),
    /// Answer a question out of an index
    Answer(answer::AnswerArgs),
    /// Give the passages that a language model should read for a question
    Passages(passages::PassagesArgs),
    /// Serve the search page and the HTTP API
    Serve(serve::ServeArgs),
    /// Serve an assistant over the Model Context Protocol (standard input and output)
    Mcp(mcp::McpArgs),
    /// Show everything that is stored of an article
    Show(show::ShowArgs),
    /// Find the articles that are most like one of the index
    Similar(similar::SimilarArgs),
    /// Write everything that a search finds to a file
    Export(export::ExportArgs),
    /// Say what an index holds and what it costs
    Stats(stats::StatsArgs),
    /// Check an index: checksums, counts, agreement of both sides
    Verify(verify::VerifyArgs),
    /// Measure search quality
    Eval(eval::EvalArgs),
    /// Find the named entities of a text
    Annotate(annotate::AnnotateArgs),
    /// Give texts labels
    Classify(classify::ClassifyArgs),
    /// Make an API key for the server
    Key(key::KeyArgs),
    /// Take up and look at MeSH, by which queries explode and map words
    Mesh(mesh::MeshArgs),
    /// Search, keep and report strategies of several lines
    Strategy(strategy::StrategyArgs),
    /// List, fetch and inspect embedding models
    Model(model::ModelArgs),
    /// Train an embedding model
    Train(train::TrainArgs),
}

impl Command {
    /// Whether it runs a server, whose requests are worth a trace.
    pub(crate) fn answers_requests(&self) -> bool {
        matches!(self, Self::Demo(_) | Self::Serve(_))
    }
}

/// The index that a command works on.
#[derive(Debug, Clone, Args)]
pub(crate) struct IndexDir {
    /// Index directory
    #[arg(long, value_name = "DIR", default_value = "./idx")]
    pub(crate) index: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        fn check(command: &clap::Command) {
            for sub in command.get_subcommands() {
                if sub.get_name() == "help" {
                    continue;
                }
                let text = sub.get_after_help().map(ToString::to_string);
                let shown = text.is_some_and(|text| text.contains("medsift"));
                assert!(shown, "{} has no examples", sub.get_name());
                check(sub);
            }
        }
        check(&Cli::command());
    }
}
