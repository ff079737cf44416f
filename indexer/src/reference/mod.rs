//! Second stage for what reference managers write: RIS, BibTeX, CSL-JSON.
//!
//! These formats hold what a list of references needs. What they have and an
//! article has no place for is kept as metadata under its name.

mod bibtex;
mod csl;
mod latex;
mod names;
mod parts;
mod ris;
#[cfg(test)]
mod tests;

pub(crate) use bibtex::article as bibtex;
pub(crate) use csl::item;
pub(crate) use names::name;
pub(crate) use ris::{article as ris, tag as ris_tag};
