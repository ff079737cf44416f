//! The MeSH table that searches use: the one that was imported, else a small
//! one that is part of the program.

use crate::error::Result;
use crate::model;
use medsift::mesh::MeshTable;
use medsift::{Error, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

/// The headings of the demo's records and all above them;
/// tests/reference/make_mesh_table.py makes it.
const SMALL: &str = include_str!("small.tsv");

/// Where an imported table lies.
pub(crate) fn path() -> Result<PathBuf> {
    Ok(model::cache_root()?.join("mesh.tsv"))
}

/// The table, and whether it was imported.
pub(crate) fn table() -> Result<(Arc<MeshTable>, bool)> {
    let path = path()?;
    match MeshTable::read(&path) {
        Ok(table) => Ok((Arc::new(table), true)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok((Arc::new(small()?), false)),
        Err(error) => Err(error.into()),
    }
}

fn small() -> medsift::Result<MeshTable> {
    MeshTable::parse(SMALL).map_err(|what| {
        Error::new(
            ErrorKind::Internal,
            format!("the MeSH table of the program {what}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_table_explodes_what_the_sample_needs() {
        let table = small().unwrap();
        assert!(table.source().contains("MeSH 2024"));
        let asthma = table.find("bronchial asthma").unwrap();
        assert_eq!(asthma.ui, "D001249");
        let airways = table.find("Respiratory Tract Diseases").unwrap();
        assert!(table.explode(airways).contains(&asthma));
    }
}
