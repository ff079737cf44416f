//! Which items of PRISMA-S a report covers.
//!
//! PRISMA-S: Rethlefsen ML, Kirtley S, Waffenschmidt S, et al. An extension to
//! the PRISMA Statement for reporting literature searches in systematic
//! reviews. Syst Rev 2021;10:39 (<https://doi.org/10.1186/s13643-020-01542-z>).
//! Its checklist has 16 items; the others are about what is done outside of
//! this search, and are left to the reviewer.

use super::record::Since;
use crate::render::strategy::counted;
use medsift::query::pubmed::{Field, Kind, Leaf};
use medsift::query::strategy::Strategy;
use medsift::searcher::StrategyRun;
use serde::Serialize;

/// An item of the checklist that the report covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Item {
    /// Its number in the checklist.
    pub(crate) number: u8,
    /// Its name there.
    pub(crate) name: &'static str,
    /// What the report says to it.
    pub(crate) report: String,
}

/// Items that only the reviewer can report.
pub(crate) const OPEN: &str = "2 Multi-database searching, 3 Study registries, 4 Online resources \
    and browsing, 5 Citation searching, 6 Contacts, 7 Other methods, 11 Prior work, 14 Peer review";

/// The items that are covered.
pub(crate) fn items(
    strategy: &Strategy,
    run: &StrategyRun,
    index: &str,
    since: Option<&Since>,
) -> Vec<Item> {
    let item = |number, name, report: String| Item {
        number,
        name,
        report,
    };
    let state = &run.index;
    let newest = state.last_update_file.as_ref();
    let database = format!(
        "medsift index {index} of {}, made from {} with the checksums listed{}",
        counted(state.articles, "record"),
        counted(state.sources.len() as u64, "file"),
        newest.map_or_else(String::new, |name| format!(", newest NLM file {name}")),
    );
    let updates = match since {
        Some(since) => format!(
            "run again after {}: {} records are new, {} are no longer found",
            since.day,
            since.added.len(),
            since.gone.len()
        ),
        None => "no earlier run is kept".to_owned(),
    };
    vec![
        item(1, "Database name", database),
        item(
            8,
            "Full search strategies",
            "every line as it was written and as it was searched".to_owned(),
        ),
        item(9, "Limits and restrictions", named(strategy, is_limit)),
        item(10, "Search filters", named(strategy, is_filter)),
        item(12, "Updates", updates),
        item(
            13,
            "Dates of searches",
            format!(
                "searched on {}; index committed {} (commit {})",
                run.day, state.committed_at, state.generation
            ),
        ),
        item(
            15,
            "Total records",
            format!("{} in #{}, and of each line", run.ids.len(), run.result),
        ),
        item(
            16,
            "Deduplication",
            "by identifier (PMID) when records were indexed: of each, the newest version is \
             searched; between databases it is up to the reviewer"
                .to_owned(),
        ),
    ]
}

/// Terms of a kind with their lines.
fn named(strategy: &Strategy, is_one: fn(&Leaf) -> bool) -> String {
    let mut found: Vec<String> = Vec::new();
    for line in strategy.lines() {
        for (leaf, wanted) in line.tree.leaves() {
            if is_one(leaf) {
                let without = if wanted { "" } else { "without " };
                found.push(format!("{without}{leaf} in #{}", line.number));
            }
        }
    }
    found.dedup();
    if found.is_empty() {
        return "none".to_owned();
    }
    found.join("; ")
}

/// Dates, languages, publication types.
fn is_limit(leaf: &Leaf) -> bool {
    match leaf {
        Leaf::Range { .. } | Leaf::Recent { .. } => true,
        Leaf::Term { field, .. } => field.is_some_and(|field| {
            matches!(field, Field::Language | Field::PublicationType) || field.kind() == Kind::Dates
        }),
        _ => false,
    }
}

fn is_filter(leaf: &Leaf) -> bool {
    matches!(leaf, Leaf::Filter { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_filters_are_found_in_their_lines() {
        let text = "gout[ti] AND \"last 5 years\"[dp]\n#1 AND humans[sb] NOT letter[pt]\n2 NOT 1";
        let strategy = Strategy::parse(text).unwrap();
        assert_eq!(
            named(&strategy, is_limit),
            "\"last 5 years\"[Date - Publication] in #1; without letter[Publication Type] in #2"
        );
        assert_eq!(named(&strategy, is_filter), "\"humans\"[Filter] in #2");
        let plain = Strategy::parse("gout").unwrap();
        assert_eq!(named(&plain, is_filter), "none");
    }
}
