//! Memory of a process, as Linux tells it.

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks.
const PAUSE: Duration = Duration::from_secs(5);

/// Memory in MiB.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Memory {
    /// All that is resident, mapped files among it.
    resident: u64,
    /// What is the process's own: pages of mapped files are the system's to
    /// take back.
    own: u64,
}

/// Memory in each minute, from the first: the mean of all looks.
pub(crate) fn watch(pid: u32, over: &AtomicBool) -> BTreeMap<u64, Memory> {
    let start = Instant::now();
    let mut minutes: BTreeMap<u64, Vec<Memory>> = BTreeMap::new();
    let mut looked = None;
    while !over.load(Ordering::Relaxed) {
        if looked.is_none_or(|looked: Instant| looked.elapsed() >= PAUSE) {
            looked = Some(Instant::now());
            if let Some(memory) = memory_of(pid) {
                let minute = start.elapsed().as_secs() / 60 + 1;
                minutes.entry(minute).or_default().push(memory);
            }
        }
        thread::sleep(Duration::from_millis(100));
    }
    minutes
        .iter()
        .map(|(minute, looks)| (*minute, mean(looks)))
        .collect()
}

fn mean(looks: &[Memory]) -> Memory {
    let of =
        |part: fn(&Memory) -> u64| looks.iter().map(part).sum::<u64>() / looks.len().max(1) as u64;
    Memory {
        resident: of(|memory| memory.resident),
        own: of(|memory| memory.own),
    }
}

fn memory_of(pid: u32) -> Option<Memory> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let mebibytes = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes / 1024)
    };
    Some(Memory {
        resident: mebibytes("VmRSS:")?,
        own: mebibytes("RssAnon:")?,
    })
}
