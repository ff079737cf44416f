//! `medsift key`: a key for the server's API.

use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use clap::Args;
use medsift_server::KeyEntry;
use serde::Serialize;
use std::fmt::Write;

/// Random bytes of a key.
const BYTES: usize = 32;

/// Arguments of `medsift key`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift key anna
  medsift key lab-robot --json

The key is shown once and kept nowhere: give it to whoever is to ask. The entry
goes into `keys` of the table [server] of the configuration; take it out again,
and restart the server, to refuse the key. Clients send
`Authorization: Bearer KEY`; browsers ask for it.")]
pub(crate) struct KeyArgs {
    /// Whose key it is: letters, digits, `-`, `_` and `.`
    #[arg(value_name = "NAME")]
    name: String,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// What is printed.
#[derive(Debug, Serialize)]
struct Made {
    key: String,
    entry: KeyEntry,
}

/// Makes a key.
pub(crate) fn run(context: &mut Context, args: &KeyArgs) -> Result<Exit> {
    let key = random_key()?;
    let made = Made {
        entry: KeyEntry::new(&args.name, &key)?,
        key,
    };
    if args.json {
        context.out.json(&made)?;
    } else {
        let text = format!("{}\n\n[server]\nkeys = [\"{}\"]\n", made.key, made.entry);
        context.out.text(&text)?;
    }
    Ok(Exit::Ok)
}

/// A key from the system's source of randomness.
fn random_key() -> Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| CliError::failure(format!("no random numbers to be had: {error}")))?;
    let mut key = "msk_".to_owned();
    for byte in bytes {
        // A string takes whatever is written.
        let _ = write!(key, "{byte:02x}");
    }
    Ok(key)
}
