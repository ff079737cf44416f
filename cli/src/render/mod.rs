//! Results as text for people: pure functions from values to strings.

pub(crate) mod answers;
pub(crate) mod article;
pub(crate) mod enrichment;
pub(crate) mod entities;
pub(crate) mod evaluation;
pub(crate) mod facets;
pub(crate) mod hits;
pub(crate) mod labels;
pub(crate) mod ledger;
pub(crate) mod linking;
pub(crate) mod mesh;
pub(crate) mod model;
pub(crate) mod passages;
mod rich;
pub(crate) mod sentence;
mod sheet;
mod snippet;
pub(crate) mod stats;
pub(crate) mod strategy;
pub(crate) mod strategy_report;
pub(crate) mod text;
pub(crate) mod training;
pub(crate) mod translation;
pub(crate) mod verify;
