//! The `medsift` command: thin subcommands over the libraries.
#![deny(unsafe_code)]

mod args;
mod articles;
mod beir;
mod commands;
mod context;
mod error;
mod evaluation;
mod export;
mod interrupt;
mod linking;
mod logging;
mod mesh;
mod model;
mod open;
mod output;
mod progress;
mod render;
mod settings;
mod strategies;
#[cfg(feature = "otel")]
mod telemetry;
mod trec;
mod whole_file;

use crate::args::Cli;
use crate::error::{CliError, Exit};
use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

// The encoder allocates and frees large blocks at a high rate; this allocator
// keeps its pages where the system's gives them back to the kernel each time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(news) => {
            // Help and version too come this way; nobody may be reading them.
            let code = u8::try_from(news.exit_code()).unwrap_or(Exit::Usage as u8);
            return match news.print() {
                Ok(()) => ExitCode::from(code),
                Err(error) => finish(Err(error.into())),
            };
        }
    };
    let _logging = logging::start(&cli.globals, cli.command.answers_requests());
    finish(commands::run(cli))
}

/// Tells the user what went wrong and the shell how it ended.
fn finish(outcome: error::Result<Exit>) -> ExitCode {
    let exit = match outcome {
        Ok(exit) => exit,
        Err(error) => {
            tell(&error);
            error.exit()
        }
    };
    ExitCode::from(exit as u8)
}

fn tell(error: &CliError) {
    if let Some(text) = error.report() {
        // Where standard error is closed as well, the exit code has to do.
        let _ = writeln!(io::stderr(), "error: {text}");
    }
}
