//! The JSON API: one file per address.

pub(crate) mod articles;
pub(crate) mod body;
pub(crate) mod health;
pub(crate) mod json;
pub(crate) mod search;
pub(crate) mod stats;
