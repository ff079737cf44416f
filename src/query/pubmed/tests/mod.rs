//! Tests of the language as a whole.

mod faults;
mod help;
mod properties;
mod reading;
mod translation;

use super::{Limits, Node, parse, parse_lenient};

fn read(query: &str) -> Node {
    parse(query, Limits::default()).unwrap_or_else(|fault| panic!("{query}: {fault}"))
}

/// A query as it is read, written out.
fn written(query: &str) -> String {
    read(query).to_string()
}
