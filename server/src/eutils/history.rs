//! Lists of PMIDs that calls keep for later calls, in memory.
//!
//! They are gone when the server ends, when nobody has asked for them for
//! hours, and the least recently used ones when there are too many: whoever
//! needs them longer keeps the PMIDs.

use super::answer::Failure;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What bounds the memory.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Environments.
    environments: usize,
    /// Sets in each.
    sets: usize,
    /// PMIDs of all sets together; each takes four bytes.
    pmids: usize,
    /// Time since an environment was last asked for.
    idle: Duration,
}

const LIMITS: Limits = Limits {
    environments: 1000,
    sets: 500,
    pmids: 16_000_000,
    idle: Duration::from_secs(8 * 3600),
};

/// Bytes of randomness in the name of an environment.
const BYTES: usize = 16;

/// A list of PMIDs in an order.
pub(super) type Set = Arc<[u32]>;

/// The sets that clients have asked to be kept.
#[derive(Debug)]
pub(crate) struct History {
    limits: Limits,
    environments: Mutex<HashMap<String, Environment>>,
}

#[derive(Debug)]
struct Environment {
    sets: Vec<Set>,
    used: Instant,
}

impl Environment {
    fn pmids(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }
}

impl Default for History {
    fn default() -> Self {
        Self {
            limits: LIMITS,
            environments: Mutex::default(),
        }
    }
}

impl History {
    /// Longest list that is kept.
    pub(super) fn longest(&self) -> usize {
        self.limits.pmids / 4
    }

    /// Keeps a list in an environment, or in a new one; gives the name of the
    /// environment and the number of the set.
    pub(super) fn keep(
        &self,
        environment: Option<&str>,
        set: Set,
    ) -> Result<(String, usize), Failure> {
        if set.len() > self.longest() {
            return Err(Failure::new(format!(
                "the list has {} PMIDs, more than the {} that the history keeps: narrow the \
                 search, or use the export of this server",
                set.len(),
                self.longest()
            )));
        }
        let name = match environment {
            Some(name) => name.to_owned(),
            None => new_name()?,
        };
        let mut environments = self.lock();
        let now = Instant::now();
        let found = match environment {
            Some(name) => environments.get_mut(name).ok_or_else(gone)?,
            None => environments.entry(name.clone()).or_insert(Environment {
                sets: Vec::new(),
                used: now,
            }),
        };
        if found.sets.len() >= self.limits.sets {
            return Err(Failure::new(format!(
                "this WebEnv has {} sets already: begin a new one by leaving WebEnv away",
                found.sets.len()
            )));
        }
        found.sets.push(set);
        found.used = now;
        let number = found.sets.len();
        make_room(&mut environments, self.limits, &name);
        Ok((name, number))
    }

    /// The sets of an environment by their number.
    pub(super) fn sets(&self, environment: &str) -> Result<BTreeMap<u32, Set>, Failure> {
        let mut environments = self.lock();
        let found = environments.get_mut(environment).ok_or_else(gone)?;
        found.used = Instant::now();
        Ok((1..).zip(found.sets.iter().cloned()).collect())
    }

    /// One set.
    pub(super) fn set(&self, environment: &str, key: &str) -> Result<Set, Failure> {
        let mut sets = self.sets(environment)?;
        let number = key.trim_start_matches('#').parse().ok();
        number
            .and_then(|number: u32| sets.remove(&number))
            .ok_or_else(|| {
                Failure::new(format!(
                    "there is no query_key {key:?} in this WebEnv, which has {} sets",
                    sets.len()
                ))
            })
    }

    /// The environments that are not forgotten yet.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Environment>> {
        let lock = self.environments.lock();
        let mut environments = lock.unwrap_or_else(PoisonError::into_inner);
        let idle = self.limits.idle;
        environments.retain(|_, environment| environment.used.elapsed() < idle);
        environments
    }
}

/// Forgets the least recently used environments until the rest fit.
fn make_room(environments: &mut HashMap<String, Environment>, limits: Limits, newest: &str) {
    let mut pmids: usize = environments.values().map(Environment::pmids).sum();
    while environments.len() > 1
        && (environments.len() > limits.environments || pmids > limits.pmids)
    {
        let others = environments.iter().filter(|(name, _)| *name != newest);
        let oldest = others.min_by_key(|(_, environment)| environment.used);
        let Some(name) = oldest.map(|(name, _)| name.clone()) else {
            return;
        };
        let forgotten = environments.remove(&name);
        pmids -= forgotten.map_or(0, |environment| environment.pmids());
    }
    // One environment alone may have become too large: its first sets go, their
    // numbers stay.
    if let Some(own) = environments.get_mut(newest) {
        let last = own.sets.len().saturating_sub(1);
        for set in &mut own.sets[..last] {
            if pmids <= limits.pmids {
                return;
            }
            pmids -= set.len();
            *set = Arc::from([]);
        }
    }
}

/// A name that nobody can guess: whoever knows it reads the sets.
fn new_name() -> Result<String, Failure> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|_| Failure::new("no WebEnv can be made: the system has no random numbers"))?;
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    Ok(format!("MS_{}", digits.collect::<String>()))
}

fn gone() -> Failure {
    Failure::new(
        "this WebEnv is not known, or has expired: the history of this server is kept in memory, \
         for a few hours; send the search again with usehistory=y",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(environments: usize, pmids: usize) -> History {
        History {
            limits: Limits {
                environments,
                sets: 3,
                pmids,
                ..LIMITS
            },
            ..History::default()
        }
    }

    fn set(pmids: &[u32]) -> Set {
        Arc::from(pmids)
    }

    #[test]
    fn sets_are_numbered_within_their_environment() {
        let history = history(10, 100);
        let (name, first) = history.keep(None, set(&[3, 1])).unwrap();
        let (same, second) = history.keep(Some(&name), set(&[2])).unwrap();
        assert_eq!((same.as_str(), first, second), (name.as_str(), 1, 2));
        assert_eq!(*history.set(&name, "1").unwrap(), [3, 1]);
        assert_eq!(*history.set(&name, "#2").unwrap(), [2]);
        for key in ["3", "0", "x"] {
            assert!(history.set(&name, key).is_err(), "{key}");
        }
        history.keep(Some(&name), set(&[])).unwrap();
        assert!(history.keep(Some(&name), set(&[])).is_err());
        assert!(history.keep(Some("other"), set(&[])).is_err());
        let (other, number) = history.keep(None, set(&[])).unwrap();
        assert_eq!(number, 1);
        assert_ne!(other, name);
        assert_eq!(other.len(), 3 + 2 * BYTES);
    }

    #[test]
    fn what_was_used_last_is_kept() {
        let history = history(2, 100);
        let (first, _) = history.keep(None, set(&[1])).unwrap();
        let (second, _) = history.keep(None, set(&[2])).unwrap();
        history.sets(&first).unwrap();
        history.keep(None, set(&[3])).unwrap();
        assert!(history.sets(&first).is_ok());
        assert!(history.sets(&second).is_err());
    }

    #[test]
    fn memory_is_bounded() {
        let history = history(10, 8);
        assert!(history.keep(None, set(&[1, 2, 3])).is_err());
        let (first, _) = history.keep(None, set(&[1, 2])).unwrap();
        let (second, _) = history.keep(None, set(&[1, 2])).unwrap();
        for _ in 0..2 {
            history.keep(Some(&second), set(&[1, 2])).unwrap();
        }
        assert!(history.sets(&first).is_ok());
        history.keep(None, set(&[1])).unwrap();
        let known = |name: &str| history.sets(name).is_ok();
        assert!(known(&first) && !known(&second));
    }

    #[test]
    fn what_nobody_asks_for_expires() {
        let mut history = history(10, 8);
        let (name, _) = history.keep(None, set(&[1])).unwrap();
        history.limits.idle = Duration::ZERO;
        assert!(history.sets(&name).is_err());
    }
}
