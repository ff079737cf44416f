//! Common names of descriptors that MeSH does not list.
//!
//! Symbols of elements, short forms that authors do not explain, and words of
//! the clinic, written down by hand for MeSH 2024. They count less than any
//! name of the table's own.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Lines of an identifier and names, parted by tabs; `#` begins a remark.
const ALIASES: &str = include_str!("aliases.tsv");

static BY_ID: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut aliases: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in ALIASES.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        if let Some(id) = columns.next() {
            aliases.entry(id).or_default().extend(columns);
        }
    }
    aliases
});

/// The names that a descriptor has beside those of the table.
pub(super) fn aliases(id: &str) -> impl Iterator<Item = &'static str> {
    BY_ID.get(id).into_iter().flatten().copied()
}
