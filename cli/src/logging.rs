//! Log lines on standard error, drawn around the progress bars.

use crate::args::{Globals, LogFormat};
use crate::output::colours_wanted;
use crate::progress;
#[cfg(feature = "otel")]
use crate::telemetry::{self, Telemetry};
use std::io::{self, IsTerminal, Write};
use tracing::Subscriber;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
#[cfg(feature = "otel")]
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{EnvFilter, Layer};

/// Environment variable with a filter such as `medsift=debug`.
pub(crate) const VARIABLE: &str = "MEDSIFT_LOG";

/// Sends log lines to standard error: warnings by default, more with `-v`,
/// errors alone with `--quiet`; `MEDSIFT_LOG` overrides all of it. What is
/// `traced` may also send spans to a collector.
pub(crate) fn start(globals: &Globals, traced: bool) -> Logging {
    let level = match (globals.quiet, globals.verbose) {
        (true, _) => "error",
        (false, 0) => "warn",
        (false, 1) => "warn,medsift=info,medsift_indexer=info,medsift_server=info",
        (false, 2) => "info,medsift=debug,medsift_indexer=debug,medsift_server=debug",
        (false, _) => "trace",
    };
    let wanted = std::env::var(VARIABLE).unwrap_or_default();
    let filter = if wanted.is_empty() {
        EnvFilter::new(level)
    } else {
        EnvFilter::new(wanted)
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(AroundBars);
    let lines = match globals.log_format {
        LogFormat::Text => lines
            .with_target(globals.verbose > 1)
            .with_ansi(io::stderr().is_terminal() && colours_wanted())
            .boxed(),
        // With the spans around a line: what happens to a request has its id.
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter));
    begin(subscriber, traced)
}

/// What has to live as long as things are logged.
pub(crate) struct Logging {
    #[cfg(feature = "otel")]
    _telemetry: Option<Telemetry>,
}

#[cfg(not(feature = "otel"))]
fn begin(subscriber: impl Subscriber + Send + Sync, _traced: bool) -> Logging {
    install(subscriber);
    Logging {}
}

#[cfg(feature = "otel")]
fn begin<S>(subscriber: S, traced: bool) -> Logging
where
    S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
{
    let started = match traced {
        true => telemetry::start::<S>(),
        false => Ok(None),
    };
    let (layer, telemetry, refused) = match started {
        Ok(Some((layer, telemetry))) => (Some(layer), Some(telemetry), None),
        Ok(None) => (None, None, None),
        Err(why) => (None, None, Some(why)),
    };
    install(subscriber.with(layer));
    if let Some(why) = refused {
        tracing::warn!("{why}");
    }
    Logging {
        _telemetry: telemetry,
    }
}

fn install(subscriber: impl Subscriber + Send + Sync) {
    // A second subscriber cannot happen: this is called once, by `main`.
    if tracing::subscriber::set_global_default(subscriber).is_err() {
        tracing::debug!("logging was already started");
    }
}

/// Writes whole lines while the bars are lifted, so that neither is torn.
struct AroundBars;

impl MakeWriter<'_> for AroundBars {
    type Writer = LineWriter;
    fn make_writer(&self) -> LineWriter {
        LineWriter
    }
}

/// Standard error below the bars.
struct LineWriter;

impl Write for LineWriter {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        progress::suspended(|| io::stderr().lock().write_all(buffer))?;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
