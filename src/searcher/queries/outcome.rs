//! What became of the texts of a batch.

use super::Vector;
use crate::error::{Error, ErrorKind, Result};
use std::any::Any;
use std::sync::Arc;
use std::thread;

/// A vector, or why there is none.
pub(super) type Outcome = std::result::Result<Vector, Failure>;

/// An error that several get.
#[derive(Clone)]
pub(super) struct Failure {
    kind: ErrorKind,
    message: String,
}

impl Failure {
    fn internal(message: String) -> Self {
        Self {
            kind: ErrorKind::Internal,
            message,
        }
    }

    /// As callers get it.
    pub(super) fn error(self) -> Error {
        Error::new(self.kind, self.message)
    }
}

/// Encodes texts together or, where that fails, each alone, so that nobody
/// fails for another's text; how many runs that took, and what became of each.
pub(super) fn outcomes<F>(batch: &[Arc<str>], encode: &F) -> (u64, Vec<Outcome>)
where
    F: Fn(&[Arc<str>]) -> Result<Vec<Vector>> + Sync,
{
    match apart(batch, encode) {
        Ok(vectors) => (1, vectors.into_iter().map(Ok).collect()),
        Err(failure) if batch.len() == 1 => (1, vec![Err(failure)]),
        Err(_) => {
            let alone = batch.chunks(1).map(|text| {
                let vectors = apart(text, encode)?;
                let none = || Failure::internal("a query has no vector".to_owned());
                vectors.into_iter().next().ok_or_else(none)
            });
            (1 + batch.len() as u64, alone.collect())
        }
    }
}

/// Runs the encoder on a thread of its own and waits for it.
fn apart<F>(batch: &[Arc<str>], encode: &F) -> std::result::Result<Vec<Vector>, Failure>
where
    F: Fn(&[Arc<str>]) -> Result<Vec<Vector>> + Sync,
{
    let outcome = thread::scope(|scope| {
        thread::Builder::new()
            .name("encode-queries".to_owned())
            .spawn_scoped(scope, || encode(batch))
            .map(|running| running.join())
    });
    let vectors = match outcome {
        Ok(Ok(Ok(vectors))) => vectors,
        Ok(Ok(Err(error))) => {
            return Err(Failure {
                kind: error.kind(),
                message: error.to_string(),
            });
        }
        Ok(Err(panic)) => return Err(Failure::internal(panicked(panic.as_ref()))),
        Err(error) => {
            let what = format!("cannot start a thread to encode queries: {error}");
            return Err(Failure::internal(what));
        }
    };
    if vectors.len() != batch.len() {
        let (made, wanted) = (vectors.len(), batch.len());
        let what = format!("the encoder gave {made} vectors for {wanted} queries");
        return Err(Failure::internal(what));
    }
    Ok(vectors)
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    let said = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!(
        "encoding a query panicked: {}",
        said.unwrap_or("without a message")
    )
}
