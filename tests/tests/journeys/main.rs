//! Journeys of users through the real binary, on the made-up sample and a
//! model with random weights. What needs a model that understands something
//! is in the real-data suites.

mod answers;
mod checkout;
mod configuration;
mod crash;
mod enrichment;
mod entities;
mod errors;
mod evaluation;
mod exchange;
mod faults;
mod filters;
mod flips;
mod interrupt;
mod json;
mod labels;
mod linking;
mod lists;
mod mesh;
mod models;
mod order;
mod output;
mod passages;
mod pretraining;
mod progress;
mod pubmed;
mod sample;
mod sentence;
mod serve;
mod strategy;
mod training;
mod training_data;
