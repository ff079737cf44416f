//! PubMed's query language: read into a typed tree, written back, translated.
//!
//! [`parse`] reads a query strictly, [`parse_lenient`] forgives; a [`Node`]
//! prints as a query that is read as the same tree. [`translate`] turns it into
//! the query that is searched, in which every term has its field; the keyword
//! side evaluates that. [`uses_syntax`] tells the language from plain words.
//!
//! The language is that of PubMed's help
//! (<https://pubmed.ncbi.nlm.nih.gov/help/>). No user text reaches the query
//! syntax of a library.

mod date;
mod detect;
mod fault;
mod field;
mod filter;
mod headings;
mod language;
mod lexer;
mod map;
mod operand;
mod parser;
mod piece;
mod print;
mod read;
mod reference;
#[cfg(test)]
mod tests;
mod translate;
mod tree;

pub use date::{Date, Span, Unit};
pub use detect::{is_question, uses_syntax};
pub(super) use detect::{misspelt_tag, only_opens_phrase, operator_as_word};
pub use fault::Fault;
pub use field::{Field, Kind};
pub use language::language_name;
pub(super) use lexer::is_quote;
pub(super) use read::parse_line;
pub use read::{Lenient, Limits, parse, parse_lenient, parse_lenient_line};
pub use translate::{Known, Look, Translation, plain_words, translate};
pub use tree::{Leaf, Node, Op};
