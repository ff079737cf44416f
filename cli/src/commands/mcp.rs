use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open;
use clap::Args;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// Arguments of `medsift mcp`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift mcp --index /data/pubmed

Speaks the Model Context Protocol on standard input and output: an assistant
starts it and calls its tools (search, get_article, similar, answer, annotate).
Messages go to standard error. `medsift serve` answers the same at /mcp.")]
pub(crate) struct McpArgs {
    #[command(flatten)]
    dir: IndexDir,
    /// Model directory, where it has moved since the index was made
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
}

/// Answers an assistant until it goes.
pub(crate) fn run(context: &mut Context, args: &McpArgs) -> Result<Exit> {
    let index = open::to_serve(context, &args.dir.index, args.model.as_deref())?;
    let config = context.settings.server.clone();
    let runtime = Runtime::new()
        .map_err(|error| CliError::failure(format!("cannot start the server: {error}")))?;
    runtime.block_on(medsift_server::serve_stdio(Arc::new(index), config))?;
    // Reading standard input, which the client may hold open, must not keep
    // the process.
    runtime.shutdown_background();
    Ok(Exit::Ok)
}
