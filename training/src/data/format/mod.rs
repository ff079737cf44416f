//! From records to examples, one file per shape.

mod beir;
mod columns;
mod nli;
mod scored;
mod sts;

pub(super) use beir::read_folder;

use super::record::Record;
use super::spec::{DataSpec, Format};
use crate::example::Label;

/// The texts of an example and their label.
pub(super) type Draft = (Vec<String>, Label);

/// What a record gives.
pub(super) enum Reading {
    /// Examples; several where a column is a list.
    Examples(Vec<Draft>),
    /// Nobody agreed on a label, which the record says itself.
    Unlabelled,
    /// A list that is shorter than asked for.
    Short,
}

/// Reads a record as the specification says.
///
/// # Errors
/// Says which column is wrong and how.
pub(super) fn read(record: &Record<'_>, spec: &DataSpec) -> Result<Reading, String> {
    match spec.format {
        Format::Nli => nli::read(record, spec),
        Format::Sts => sts::read(record, spec),
        Format::Triplets | Format::Pairs => columns::read(record, spec),
        Format::Scored => scored::read(record, spec),
        Format::Beir => Err("a BEIR folder is not read record by record".to_owned()),
    }
}
