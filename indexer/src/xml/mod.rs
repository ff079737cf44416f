//! Pulling elements and text out of one XML record.

mod cursor;
mod entity;
mod text;

pub(crate) use cursor::{Cursor, Element, Flaw, Style};
pub(crate) use text::{TextBuilder, normalise};
