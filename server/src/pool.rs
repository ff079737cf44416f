//! The pool that all computing runs on, with a bounded queue before it.
//!
//! Two semaphores stand in front of a rayon pool. The first counts everything
//! that runs or waits and is never waited for: without a permit the queue is
//! full. The second lets as many jobs run as there are threads; waiting for it
//! is fair.
//!
//! A request is abandoned when its client hangs up, at which the HTTP library
//! drops the handler's future, or when its time is up. If its job still waits
//! for the second semaphore, it leaves the line there and then. A job that has
//! its permit can still wait inside the rayon pool, since a thread that waits
//! for the other half of a job that split itself takes up whatever else there
//! is; it looks once more, when its turn comes, whether anybody listens, and
//! does not run otherwise. A job that runs is never broken off from outside: a
//! search is given the deadline of its request, and ends by itself.

use medsift::trace::TARGET;
use medsift::{Error, ErrorKind};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout_at;
use tracing::Instrument;

/// Threads for jobs that compute, and the line before them.
pub(crate) struct CpuPool {
    workers: ThreadPool,
    threads: usize,
    capacity: usize,
    admitted: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

/// Why a job gave no value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PoolError {
    /// As many jobs wait as may.
    Full,
    /// The time was up; a job that had begun goes on, unheard, and keeps its
    /// place until it ends, as a search does soon.
    TimedOut,
    /// The job panicked, with this message. Its thread lives on.
    Panicked(String),
}

/// What a job returned and how long it had to wait for its turn.
#[derive(Debug)]
pub(crate) struct Done<T> {
    pub(crate) value: T,
    pub(crate) waited: Duration,
}

/// How busy the pool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Load {
    /// Jobs that may run at once.
    pub(crate) threads: usize,
    /// Jobs that run.
    pub(crate) running: usize,
    /// Jobs that wait.
    pub(crate) waiting: usize,
}

impl CpuPool {
    /// A pool of `threads` workers, with room for `queue` jobs to wait.
    pub(crate) fn new(threads: usize, queue: usize) -> medsift::Result<Self> {
        let workers = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|number| format!("search-{number}"))
            .build()
            .map_err(|error| {
                Error::new(
                    ErrorKind::Internal,
                    format!("cannot start {threads} threads for searching: {error}"),
                )
                .with_source(error)
            })?;
        let capacity = threads.saturating_add(queue).min(Semaphore::MAX_PERMITS);
        Ok(Self {
            workers,
            threads,
            capacity,
            admitted: Arc::new(Semaphore::new(capacity)),
            running: Arc::new(Semaphore::new(threads)),
        })
    }

    /// Runs a job when its turn comes; waiting and running together may take
    /// as long as `limit`.
    pub(crate) async fn run<T, F>(&self, limit: Duration, job: F) -> Result<Done<T>, PoolError>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let arrived = Instant::now();
        let deadline = tokio::time::Instant::now() + limit;
        let place = Arc::clone(&self.admitted)
            .try_acquire_owned()
            .map_err(|_| PoolError::Full)?;
        let turn = timeout_at(deadline, Arc::clone(&self.running).acquire_owned())
            .instrument(tracing::debug_span!(target: TARGET, "queue"))
            .await
            .map_err(|_| PoolError::TimedOut)?
            .map_err(|_| PoolError::Panicked("the pool is closed".to_owned()))?;
        let waited = arrived.elapsed();
        let (send, receive) = oneshot::channel();
        self.workers.spawn(move || {
            if send.is_closed() {
                return;
            }
            let result = catch_unwind(AssertUnwindSafe(job));
            // Free the places before the answer is known, so that whoever has
            // the answer finds them free.
            drop((turn, place));
            // The receiver is gone when the request timed out or its client left.
            let _ = send.send(result);
        });
        let result = timeout_at(deadline, receive)
            .await
            .map_err(|_| PoolError::TimedOut)?
            .map_err(|_| PoolError::Panicked("the job was dropped".to_owned()))?;
        match result {
            Ok(value) => Ok(Done { value, waited }),
            Err(panic) => Err(PoolError::Panicked(panic_message(panic.as_ref()))),
        }
    }

    /// Whether a job that came now would be refused.
    pub(crate) fn is_full(&self) -> bool {
        self.admitted.available_permits() == 0
    }

    /// How busy the pool is at this moment.
    pub(crate) fn load(&self) -> Load {
        let running = self.threads - self.running.available_permits();
        let admitted = self.capacity - self.admitted.available_permits();
        Load {
            threads: self.threads,
            running,
            waiting: admitted.saturating_sub(running),
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without a message".to_owned())
}

#[cfg(test)]
mod tests;
