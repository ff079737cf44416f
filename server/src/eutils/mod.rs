//! The shape of NCBI's E-utilities
//! (<https://www.ncbi.nlm.nih.gov/books/NBK25499/>), so that programs that are
//! written for them work by changing the base address: one file for each call,
//! over the database `pubmed` alone, which is the index.
//!
//! What a request does wrong is told as Entrez tells it, as `ERROR` in a body
//! with status 200, since that is where clients look; `efetch` answers 400, as
//! its body may be text. What is wrong with the server has its own status.

pub(crate) mod efetch;
pub(crate) mod einfo;
pub(crate) mod elink;
pub(crate) mod epost;
pub(crate) mod esearch;
pub(crate) mod esummary;

mod answer;
mod call;
mod docsum;
mod history;
mod ids;
mod links;
mod linkset;
mod term;

pub(crate) use history::History;

/// The one database.
const DB: &str = "pubmed";

/// Most PMIDs in one answer of `esearch`.
const MOST_LISTED: usize = 100_000;

/// Most articles in one answer of `efetch` and `esummary`, as at NCBI.
const MOST_FETCHED: usize = 10_000;
