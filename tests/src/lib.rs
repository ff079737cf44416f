//! What the journeys and the real-data suites share: the real binary, run in
//! folders of its own, and the fixtures.

mod binary;
mod command;
pub mod fake_hub;
mod fixtures;
mod node;
mod python;
mod workspace;

pub use binary::binary;
pub use command::{Finished, Medsift, Running};
pub use fixtures::{fixture, real_data, sample, tiny_model};
pub use node::node;
pub use python::python;
pub use workspace::Workspace;
