//! Programs of others, as they come from their makers, against a real server
//! and the files that medsift writes. A script under `tests/clients` or
//! `docs/examples` asserts what it sees and ends with 0.

mod biopython;
mod columns;
mod documents;
mod examples;
mod mcp;
mod openai;
mod opentelemetry;
mod schemathesis;
mod update;

use medsift_tests::{Running, Workspace, sample};

/// A server over the sample with the tiny model: its folder, its process and
/// its address.
fn served() -> (Workspace, Running, String) {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let address = format!("http://{}", running.address());
    (work, running, address)
}
