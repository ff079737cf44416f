//! When a search has to be over.
//!
//! A thread cannot be stopped from outside. So a search that somebody waits for
//! only so long carries a [`Deadline`] and looks at the clock by itself: at each
//! term, at each segment, and now and then within every loop that can be long.
//! What it then gives is an error of the kind [`ErrorKind::TimedOut`]. A search
//! without one goes on to its end, and finds the same.

use crate::error::{Error, ErrorKind, Result};
use std::cell::Cell;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

/// Steps between two looks at the clock. A step is about as much as a document
/// of a list: some nanoseconds, at most a microsecond.
const STEPS: u32 = 4096;

/// Steps that looking a term up in the files of an index takes.
pub(crate) const LOOKUP: usize = 64;

/// The moment by which a search has to be over, or that there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// There is none.
    pub const NEVER: Self = Self(None);

    /// So long from now; never, where that is later than the clock can tell.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// Looks at the clock.
    ///
    /// # Errors
    /// `TimedOut` from that moment on.
    pub fn check(self) -> Result<()> {
        self.watch().look().map_err(Expired::error)
    }

    /// For a loop that may be long.
    pub(crate) fn watch(self) -> Watch {
        Watch {
            deadline: self,
            steps: Cell::new(0),
        }
    }
}

/// A deadline that is looked at every so many steps: looking at the clock at
/// each would take longer than many a step.
pub(crate) struct Watch {
    deadline: Deadline,
    /// Since the last look.
    steps: Cell<u32>,
}

impl Watch {
    /// Looks at the clock now.
    pub(crate) fn look(&self) -> std::result::Result<(), Expired> {
        self.steps.set(0);
        match self.deadline.0 {
            Some(moment) if Instant::now() >= moment => Err(Expired),
            _ => Ok(()),
        }
    }

    /// Counts a step.
    #[inline]
    pub(crate) fn step(&self) -> std::result::Result<(), Expired> {
        self.steps(1)
    }

    /// Counts what takes as long as so many steps.
    #[inline]
    pub(crate) fn steps(&self, count: usize) -> std::result::Result<(), Expired> {
        let count = u32::try_from(count).unwrap_or(STEPS);
        let steps = self.steps.get().saturating_add(count);
        if steps < STEPS {
            self.steps.set(steps);
            return Ok(());
        }
        self.look()
    }

    /// Counts a step for each item. The items end early where the time is over:
    /// [`look`](Self::look) behind them tells.
    pub(crate) fn over<I: Iterator>(&self, items: I) -> impl Iterator<Item = I::Item> {
        items.take_while(|_| self.step().is_ok())
    }
}

/// A search was not over at its deadline: as it is handed up from the inside of
/// a loop, through errors of libraries as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expired;

impl Expired {
    /// As the error of this library.
    pub(crate) fn error(self) -> Error {
        Error::new(ErrorKind::TimedOut, self.to_string())
    }

    /// Whether an error of input and output stands for this: libraries hand
    /// such errors on as they are.
    pub(crate) fn is_in(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Self>())
    }
}

impl fmt::Display for Expired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the search was broken off, since its time was over: use fewer or rarer words, no \
             phrase of frequent words, or a filter, or allow it more time",
        )
    }
}

impl std::error::Error for Expired {}

impl From<Expired> for io::Error {
    fn from(expired: Expired) -> Self {
        Self::new(io::ErrorKind::TimedOut, expired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_over_from_its_moment_on() {
        assert!(Deadline::NEVER.check().is_ok());
        assert_eq!(Deadline::default(), Deadline::NEVER);
        assert_eq!(Deadline::after(Duration::MAX), Deadline::NEVER);
        assert!(Deadline::after(Duration::from_secs(3600)).check().is_ok());
        let short = Deadline::after(Duration::from_millis(1));
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(short.check().unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn the_clock_is_looked_at_every_so_many_steps() {
        let watch = Deadline::after(Duration::ZERO).watch();
        for _ in 1..STEPS {
            assert_eq!(watch.step(), Ok(()));
        }
        assert_eq!(watch.step(), Err(Expired));
        assert_eq!(watch.steps(STEPS as usize - 1), Ok(()));
        assert_eq!(watch.steps(usize::MAX), Err(Expired));
        assert_eq!(watch.look(), Err(Expired));
        assert_eq!(watch.over(0..).count(), STEPS as usize - 1);
        let patient = Deadline::NEVER.watch();
        assert_eq!(patient.over(0..STEPS * 3).count(), STEPS as usize * 3);
        assert_eq!(patient.steps(usize::MAX), Ok(()));
        assert_eq!(patient.look(), Ok(()));
    }

    #[test]
    fn the_error_says_what_to_do_and_is_known_again() {
        let error = Expired.error();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        for part in ["its time was over", "rarer words", "phrase", "filter"] {
            assert!(error.to_string().contains(part), "{error}");
        }
        assert!(Expired::is_in(&Expired.into()));
        assert!(!Expired::is_in(&io::ErrorKind::TimedOut.into()));
    }
}
