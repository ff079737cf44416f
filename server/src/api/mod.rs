//! The JSON API: one file per address, and how a body is read.

pub(crate) mod answer;
pub(crate) mod articles;
mod body;
pub(crate) mod health;
mod json;
mod request;
pub(crate) mod search;
pub(crate) mod stats;
mod tree;
