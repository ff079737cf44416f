//! What every command needs: settings, output, and whether to be quiet.

use crate::args::Globals;
use crate::error::Result;
use crate::output::Output;
use crate::settings::Settings;
use std::io::{self, Write};

/// Resolved settings and the way out.
pub(crate) struct Context {
    /// Files, environment and defaults joined.
    pub(crate) settings: Settings,
    /// Standard output.
    pub(crate) out: Output,
    /// No bars, no notes.
    pub(crate) quiet: bool,
}

impl Context {
    /// Reads the configuration.
    pub(crate) fn new(globals: &Globals) -> Result<Self> {
        Ok(Self {
            settings: Settings::resolve(&globals.config, std::env::vars_os())?,
            out: Output::stdout(),
            quiet: globals.quiet,
        })
    }

    /// A note on standard error that is not part of the result.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            crate::progress::suspended(|| {
                // Nobody reading the notes is no reason to stop.
                let _ = writeln!(io::stderr(), "{text}");
            });
        }
    }
}
