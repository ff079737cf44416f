//! Encoding what waits together, once.
//!
//! Whoever needs a vector that nobody has takes what waits with it, encodes it
//! in one go, and hands it out (the leader of a group commit, as in databases).
//! Whoever comes meanwhile waits for that and leads the next batch, which so
//! holds all who came. Nobody waits for others to come: a lone text is encoded
//! at once.
//!
//! Waiting here blocks the thread without taking up other work, on purpose: a
//! thread of a work-stealing pool that took up another search while it leads
//! would wait for itself. For the same reason the encoding, which waits for the
//! encoder's pool, runs on a thread of its own.

use super::Vector;
use super::cache::Cache;
use super::outcome::{Failure, Outcome, outcomes};
use crate::error::Result;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Most texts of a batch.
const MOST_TEXTS: usize = 32;

/// Most bytes of the texts of a batch, unless one alone has more: so long a
/// search may be delayed by those that it takes along.
const MOST_BYTES: usize = 4096;

/// Vectors that are kept, waited for and made.
pub(super) struct Batches {
    state: Mutex<State>,
    settled: Condvar,
}

struct State {
    cache: Cache,
    entries: HashMap<Arc<str>, Entry>,
    /// Texts that were asked for so far: their order.
    arrivals: u64,
    /// Whether somebody leads a batch.
    encoding: bool,
    counts: QueryCounts,
}

/// A text that somebody wants.
struct Entry {
    /// How many want it.
    interest: usize,
    arrival: u64,
    /// Whether it was counted as not kept; whoever comes next is served by the
    /// same encoding.
    counted: bool,
    stage: Stage,
}

enum Stage {
    Waiting,
    /// In the batch that is encoded now.
    Taken,
    Done(Outcome),
}

/// How often vectors of queries were at hand, and how the others were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueryCounts {
    /// Queries whose vector was kept, or was being made for another.
    pub hits: u64,
    /// Queries whose vector had to be made.
    pub misses: u64,
    /// Runs of the encoder for queries.
    pub batches: u64,
    /// Queries that these runs encoded.
    pub encoded: u64,
    /// Vectors that are kept now.
    pub kept: usize,
    /// Bytes that they take.
    pub kept_bytes: usize,
}

/// Somebody who wants the vector of a text; once nobody does it is not made.
pub(super) struct Interest {
    batches: Arc<Batches>,
    text: Arc<str>,
}

impl Batches {
    /// Nothing made yet; at most so many bytes are kept.
    pub(super) fn new(cache_bytes: usize) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                cache: Cache::new(cache_bytes),
                entries: HashMap::new(),
                arrivals: 0,
                encoding: false,
                counts: QueryCounts::default(),
            }),
            settled: Condvar::new(),
        })
    }

    /// Says that the vector of a text will be asked for, so that it is made
    /// along with those that are asked for before; nothing where it is kept.
    pub(super) fn announce(self: &Arc<Self>, text: &str) -> Option<Interest> {
        let mut state = self.lock();
        match state.cache.get(text) {
            Some(_) if !state.entries.contains_key(text) => None,
            _ => Some(self.enter(&mut state, text)),
        }
    }

    /// The vector of a text: as it is kept, or made by `encode`, which gets
    /// different texts and gives a vector for each in their order.
    ///
    /// # Errors
    /// As `encode` fails on this very text; a panic there is an error.
    pub(super) fn get<F>(self: &Arc<Self>, text: &str, encode: &F) -> Result<Vector>
    where
        F: Fn(&[Arc<str>]) -> Result<Vec<Vector>> + Sync,
    {
        let mut state = self.lock();
        if !state.entries.contains_key(text)
            && let Some(vector) = state.cache.get(text)
        {
            state.counts.hits += 1;
            return Ok(vector);
        }
        let interest = self.enter(&mut state, text);
        state.count(&interest.text);
        loop {
            match state.entries.get(&interest.text).map(|entry| &entry.stage) {
                Some(Stage::Done(outcome)) => {
                    let outcome = outcome.clone();
                    // Giving up the interest takes the lock.
                    drop(state);
                    return outcome.map_err(Failure::error);
                }
                Some(Stage::Waiting) if !state.encoding => {
                    state = self.lead(state, &interest.text, encode);
                }
                _ => {
                    state = self
                        .settled
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// What happened so far.
    pub(super) fn counts(&self) -> QueryCounts {
        let state = self.lock();
        QueryCounts {
            kept: state.cache.len(),
            kept_bytes: state.cache.bytes(),
            ..state.counts
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Self>, state: &mut State, text: &str) -> Interest {
        let text = match state.entries.get_key_value(text) {
            Some((known, _)) => Arc::clone(known),
            None => text.into(),
        };
        state.arrivals += 1;
        let arrival = state.arrivals;
        let entry = state
            .entries
            .entry(Arc::clone(&text))
            .or_insert_with(|| Entry {
                interest: 0,
                arrival,
                counted: false,
                stage: Stage::Waiting,
            });
        entry.interest += 1;
        Interest {
            batches: Arc::clone(self),
            text,
        }
    }

    /// Encodes a text and those that wait with it, and hands out the vectors.
    fn lead<'s, F>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        text: &Arc<str>,
        encode: &F,
    ) -> MutexGuard<'s, State>
    where
        F: Fn(&[Arc<str>]) -> Result<Vec<Vector>> + Sync,
    {
        state.encoding = true;
        let batch = state.take(text);
        drop(state);
        let (runs, outcomes) = outcomes(&batch, encode);
        let mut state = self.lock();
        state.counts.batches += runs;
        state.counts.encoded += batch.len() as u64;
        for (text, outcome) in batch.into_iter().zip(outcomes) {
            state.settle(text, outcome);
        }
        state.encoding = false;
        self.settled.notify_all();
        state
    }
}

impl State {
    fn count(&mut self, text: &str) {
        if let Some(entry) = self.entries.get_mut(text) {
            match entry.counted {
                true => self.counts.hits += 1,
                false => self.counts.misses += 1,
            }
            entry.counted = true;
        }
    }

    /// The next batch: a text and what waits for longest.
    fn take(&mut self, first: &Arc<str>) -> Vec<Arc<str>> {
        let mut waiting: Vec<(u64, Arc<str>)> = self
            .entries
            .iter()
            .filter(|(text, entry)| matches!(entry.stage, Stage::Waiting) && *text != first)
            .map(|(text, entry)| (entry.arrival, Arc::clone(text)))
            .collect();
        waiting.sort_unstable_by_key(|(arrival, _)| *arrival);
        let mut bytes = first.len();
        let mut batch = vec![Arc::clone(first)];
        for (_, text) in waiting {
            if batch.len() < MOST_TEXTS && bytes + text.len() <= MOST_BYTES {
                bytes += text.len();
                batch.push(text);
            }
        }
        for text in &batch {
            if let Some(entry) = self.entries.get_mut(text) {
                entry.stage = Stage::Taken;
            }
        }
        batch
    }

    fn settle(&mut self, text: Arc<str>, outcome: Outcome) {
        if let Ok(vector) = &outcome {
            self.cache.put(Arc::clone(&text), Arc::clone(vector));
        }
        match self.entries.get_mut(&text) {
            Some(entry) if entry.interest > 0 => entry.stage = Stage::Done(outcome),
            _ => {
                self.entries.remove(&text);
            }
        }
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        let mut state = self.batches.lock();
        if let Some(entry) = state.entries.get_mut(&self.text) {
            entry.interest -= 1;
            // What is being encoded goes when it is done.
            if entry.interest == 0 && !matches!(entry.stage, Stage::Taken) {
                state.entries.remove(&self.text);
            }
        }
    }
}

#[cfg(test)]
mod tests;
