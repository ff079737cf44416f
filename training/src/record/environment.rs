//! The machine that a run ran on.

use medsift::encoder::parts::kernel::InstructionSet;
use serde::{Deserialize, Serialize};

/// The machine and program of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Version of medsift.
    pub version: String,
    /// Operating system and processor family.
    pub platform: String,
    /// What the processor calls itself.
    pub processor: String,
    /// Vector instructions in use.
    pub instruction_set: String,
    /// Cores that the process may use.
    pub cores: usize,
    /// Threads in use.
    pub threads: usize,
    /// Where the computation runs: `cpu`, or a device's name.
    pub device: String,
}

impl Environment {
    /// The present machine.
    pub fn detect(threads: usize, device: &str) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor().unwrap_or_else(|| "unknown".to_owned()),
            instruction_set: InstructionSet::detect().name().to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads,
            device: device.to_owned(),
        }
    }
}

/// Linux says it in a file; elsewhere it stays unknown.
fn processor() -> Option<String> {
    let about = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = about.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}
