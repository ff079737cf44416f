//! Where the time of a search goes, as spans of `tracing`.
//!
//! Spans of the target [`TARGET`] are what a trace of a request consists of:
//! the server's own, and within it the stages of its search. They are cheap
//! where nobody listens. In the log they are the context of what is said within
//! them, from `debug` on.
//!
//! The same stages are timed, for whoever runs a job by [`timed`].

use std::cell::RefCell;
use std::time::{Duration, Instant};
use tracing::span::{EnteredSpan, Span};

/// Target of the spans that belong to a trace.
pub const TARGET: &str = "medsift::trace";

/// The stages of a job, each once, with the time that it took in all.
pub type Stages = Vec<(&'static str, Duration)>;

thread_local! {
    /// Stages of the job that is timed on this thread, as far as they are over.
    static OF_JOB: RefCell<Option<Stages>> = const { RefCell::new(None) };
}

/// Runs a job, and tells how long each of its stages took on this thread.
///
/// A thread that waits for a part of its job may take up another job
/// meanwhile: the stages of that one are its own.
pub fn timed<T>(job: impl FnOnce() -> T) -> (T, Stages) {
    let outer = Outer(OF_JOB.replace(Some(Stages::new())));
    let value = job();
    let stages = OF_JOB.take().unwrap_or_default();
    drop(outer);
    (value, stages)
}

/// The stages of the job around this one; they come back when it ends, be it by
/// a panic.
struct Outer(Option<Stages>);

impl Drop for Outer {
    fn drop(&mut self) {
        OF_JOB.set(self.0.take());
    }
}

/// Times a stage, or a part of one, from here until it goes out of scope.
#[must_use = "it measures for as long as it is held"]
pub struct Clock {
    stage: &'static str,
    began: Instant,
}

impl Clock {
    /// Begins.
    pub fn of(stage: &'static str) -> Self {
        Self {
            stage,
            began: Instant::now(),
        }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        OF_JOB.with_borrow_mut(|stages| {
            let Some(stages) = stages else { return };
            match stages.iter_mut().find(|(stage, _)| *stage == self.stage) {
                Some((_, sum)) => *sum += took,
                None => stages.push((self.stage, took)),
            }
        });
    }
}

/// A stage that is under way: what `stage!` gives.
pub(crate) struct Stage {
    _clock: Clock,
    _span: EnteredSpan,
}

impl Stage {
    pub(crate) fn new(name: &'static str, span: Span) -> Self {
        Self {
            _clock: Clock::of(name),
            _span: span.entered(),
        }
    }
}

/// Enters the span of a stage and times it; it ends when the value goes out of scope.
macro_rules! stage {
    ($name:literal) => {
        $crate::trace::Stage::new(
            $name,
            tracing::debug_span!(target: $crate::trace::TARGET, $name),
        )
    };
}
pub(crate) use stage;

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn names(stages: &Stages) -> Vec<&'static str> {
        stages.iter().map(|(name, _)| *name).collect()
    }

    #[test]
    fn stages_of_a_job_are_summed_by_name() {
        let pause = || std::thread::sleep(Duration::from_millis(2));
        let (value, stages) = timed(|| {
            for _ in 0..2 {
                let _stage = stage!("retrieve");
                pause();
            }
            let _clock = Clock::of("fetch");
            7
        });
        assert_eq!((value, names(&stages)), (7, vec!["retrieve", "fetch"]));
        assert!(stages[0].1 >= Duration::from_millis(4), "{stages:?}");
        // Nobody listens.
        drop(Clock::of("fetch"));
    }

    #[test]
    fn a_job_within_a_job_keeps_its_stages_for_itself() {
        let (inner, outer) = timed(|| {
            drop(Clock::of("encode"));
            let broken = || timed::<()>(|| panic!("on purpose"));
            assert!(catch_unwind(AssertUnwindSafe(broken)).is_err());
            let ((), inner) = timed(|| drop(Clock::of("read")));
            drop(Clock::of("fetch"));
            inner
        });
        assert_eq!(names(&inner), ["read"]);
        assert_eq!(names(&outer), ["encode", "fetch"]);
    }
}
