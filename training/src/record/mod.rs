//! What a run leaves behind for people: `run.json` says what was done, on what
//! and with which outcome; `metrics.jsonl` has the numbers on the way;
//! `plot.svg` shows them.

mod environment;
mod folder;
mod metrics;
mod plot;
mod run;
mod summary;
#[cfg(test)]
pub(crate) mod tests;

pub use environment::Environment;
pub use folder::RunFolder;
pub use metrics::{Measurement, MetricsWriter, read_metrics};
pub use plot::{PlotOptions, plot};
pub use run::{BaseRecord, DataRecord, OutputFile, RunRecord, Score, Status, now};
pub use summary::summary;
