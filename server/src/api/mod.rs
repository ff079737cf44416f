//! The JSON API: one file per address, and how a body is read.

pub(crate) mod annotate;
pub(crate) mod answer;
pub(crate) mod article_list;
pub(crate) mod articles;
mod asked;
pub(crate) mod batch;
pub(crate) mod body;
pub(crate) mod embed;
pub(crate) mod export;
mod exported;
pub(crate) mod health;
mod json;
pub(crate) mod metrics;
pub(crate) mod passages;
pub(crate) mod request;
pub(crate) mod search;
pub(crate) mod similar;
pub(crate) mod stats;
pub(crate) mod suggest;
mod tree;
