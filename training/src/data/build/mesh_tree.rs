//! The MeSH trees.

use crate::data::record::Records;
use medsift::article::MeshTerm;
use medsift::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::path::Path;

/// Descriptors and their places in the trees.
///
/// A descriptor stands at several places (`tree numbers`), each of which names
/// the whole way from the top: `C04.588.180` is below `C04.588`, which is below
/// `C04`.
#[derive(Debug, Clone, Default)]
pub struct MeshTree {
    names: Vec<String>,
    /// Descriptor and depth (1 at the top) of each ancestor and of the
    /// descriptor itself; the deepest place of each.
    lineage: Vec<Vec<(u32, u32)>>,
    by_ui: HashMap<String, u32>,
    by_name: HashMap<String, u32>,
}

impl MeshTree {
    /// Reads a table with the columns `ui`, `name` and `tree_numbers` (joined
    /// by `;`), plain or gzip.
    ///
    /// # Errors
    /// When it cannot be read, a column is missing, or two descriptors have
    /// the same place.
    pub fn read(path: &Path) -> Result<Self> {
        let mut records = Records::open(path)?;
        let mut tree = Self::default();
        let mut places: HashMap<String, u32> = HashMap::new();
        let mut numbers: Vec<Vec<String>> = Vec::new();
        let mut fault = None;
        while let Some((line, record)) = records.next_record()? {
            let row = record.and_then(|record| {
                let ui = record.text("ui")?.to_owned();
                let name = record.text("name")?.to_owned();
                // Female and Male stand in no tree.
                let numbers = record
                    .value("tree_numbers")
                    .ok_or("no column `tree_numbers`")?;
                Ok((ui, name, numbers))
            });
            let added = row.and_then(|(ui, name, all)| {
                let descriptor = tree.names.len() as u32;
                let own: Vec<String> = all
                    .split(';')
                    .map(str::trim)
                    .filter(|number| !number.is_empty())
                    .map(str::to_owned)
                    .collect();
                for number in &own {
                    if places.insert(number.clone(), descriptor).is_some() {
                        return Err(format!("tree number {number} has two descriptors"));
                    }
                }
                tree.by_ui.insert(ui, descriptor);
                tree.by_name.insert(name.to_lowercase(), descriptor);
                tree.names.push(name);
                numbers.push(own);
                Ok(())
            });
            if let Err(what) = added {
                fault = Some((line, what));
                break;
            }
        }
        if let Some((line, what)) = fault {
            return Err(records.fault(line, &what));
        }
        if tree.names.is_empty() {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!("{} holds no descriptor", path.display()),
            ));
        }
        tree.lineage = numbers.iter().map(|own| lineage(own, &places)).collect();
        Ok(tree)
    }

    /// The descriptor that a heading names: by its identifier, else by its
    /// name in any case.
    pub fn find(&self, term: &MeshTerm) -> Option<u32> {
        let by_ui = term.ui.as_ref().and_then(|ui| self.by_ui.get(ui));
        by_ui
            .or_else(|| self.by_name.get(&term.name.trim().to_lowercase()))
            .copied()
    }

    /// Ancestors of a descriptor and itself, each with its depth, 1 at the
    /// top. Nothing for the few that stand in no tree.
    pub fn lineage(&self, descriptor: u32) -> &[(u32, u32)] {
        self.lineage
            .get(descriptor as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// Name of a descriptor.
    pub fn name(&self, descriptor: u32) -> Option<&str> {
        self.names.get(descriptor as usize).map(String::as_str)
    }

    /// Number of descriptors.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

fn lineage(numbers: &[String], places: &HashMap<String, u32>) -> Vec<(u32, u32)> {
    let mut deepest: HashMap<u32, u32> = HashMap::new();
    for number in numbers {
        let ends = number
            .match_indices('.')
            .map(|(at, _)| at)
            .chain([number.len()]);
        for (depth, end) in (1..).zip(ends) {
            // A parent that the table lacks only leaves a gap.
            if let Some(&descriptor) = places.get(&number[..end]) {
                let known = deepest.entry(descriptor).or_insert(depth);
                *known = depth.max(*known);
            }
        }
    }
    let mut lineage: Vec<(u32, u32)> = deepest.into_iter().collect();
    lineage.sort_unstable();
    lineage
}
