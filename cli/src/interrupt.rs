//! Ctrl-C: the first press asks a long job to finish what it holds, the
//! second ends the process at once. Both are safe: an index is what its last
//! commit says.

use crate::error::{CliError, Exit, Result};
use crate::progress::suspended;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a long job whether to stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    pressed: Arc<AtomicBool>,
    released: Arc<AtomicBool>,
}

impl Interrupt {
    /// Starts listening for Ctrl-C (and SIGTERM); `on_first` runs at the first.
    pub(crate) fn listen(on_first: impl Fn() + Send + 'static) -> Result<Self> {
        let interrupt = Self::default();
        let theirs = interrupt.clone();
        let failed =
            |error: io::Error| CliError::Failure(format!("cannot watch for Ctrl-C: {error}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        std::thread::Builder::new()
            .name("interrupt".to_owned())
            .spawn(move || runtime.block_on(theirs.watch(on_first)))
            .map_err(failed)?;
        Ok(interrupt)
    }

    /// Starts listening; the first press says what is done before the end, such
    /// as `saving a checkpoint`, unless nothing is to be said.
    pub(crate) fn announced(quiet: bool, before: &'static str) -> Result<Self> {
        Self::listen(move || {
            if !quiet {
                suspended(|| {
                    let _ = writeln!(
                        io::stderr(),
                        "{before}, then stopping; Ctrl-C again ends at once"
                    );
                });
            }
        })
    }

    async fn watch(self, on_first: impl Fn()) {
        if signal().await.is_err() || self.released.load(Ordering::Relaxed) {
            return;
        }
        self.pressed.store(true, Ordering::Relaxed);
        on_first();
        end_at_next().await;
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_pressed(&self) -> bool {
        self.pressed.load(Ordering::Relaxed)
    }

    /// The job is over: from now on Ctrl-C is somebody else's matter.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Relaxed);
    }
}

/// Ends the process when the next signal comes.
pub(crate) async fn end_at_next() {
    if signal().await.is_ok() {
        std::process::exit(i32::from(Exit::Interrupted as u8));
    }
}

/// Waits for SIGINT or, where it exists, SIGTERM.
#[cfg(unix)]
pub(crate) async fn signal() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        _ = terminate.recv() => Ok(()),
    }
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub(crate) async fn signal() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}
