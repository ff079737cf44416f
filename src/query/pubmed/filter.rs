//! Filters and subsets by name: what each of them means.
//!
//! The definitions follow PubMed's help
//! (<https://pubmed.ncbi.nlm.nih.gov/help/#using-filters>); that of
//! `systematic` is made after the strategy that NLM publishes, by title and
//! publication type.

/// The filter that PubMed knows without a tag.
pub(super) const HAS_ABSTRACT: &str = "hasabstract";

/// What a filter means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A fact that the index knows by this name.
    Fact(&'static str),
    /// Another query.
    Query(&'static str),
    /// A fact that stands for something that no record says.
    Instead(&'static str, &'static str),
    /// A language or a publication type, by its name.
    Named,
}

/// Facts: names of filters, and what the index calls them.
const FACTS: [(&str, &str); 15] = [
    (HAS_ABSTRACT, HAS_ABSTRACT),
    ("has abstract", HAS_ABSTRACT),
    ("all", "all"),
    ("medline", "medline"),
    ("inprocess", "in-process"),
    ("in process", "in-process"),
    ("publisher", "publisher"),
    ("pubmednotmedline", "pubmed-not-medline"),
    ("pubmed pmc", "pmc"),
    ("pmc", "pmc"),
    ("aim", "aim"),
    ("jsubsetaim", "aim"),
    ("core clinical journals", "aim"),
    ("jsubsetd", "dental"),
    ("jsubsetn", "nursing"),
];

/// Filters that are queries.
const QUERIES: [(&str, &str); 30] = [
    ("humans", "\"Humans\"[mh:noexp]"),
    ("human", "\"Humans\"[mh:noexp]"),
    ("animals", "\"Animals\"[mh:noexp]"),
    (
        "other animals",
        "\"Animals\"[mh:noexp] NOT \"Humans\"[mh:noexp]",
    ),
    ("male", "\"Male\"[mh:noexp]"),
    ("female", "\"Female\"[mh:noexp]"),
    ("newborn", "\"Infant, Newborn\"[mh]"),
    ("infant", "\"Infant\"[mh:noexp]"),
    ("allinfant", "\"Infant\"[mh] OR \"Infant, Newborn\"[mh]"),
    ("preschoolchild", "\"Child, Preschool\"[mh]"),
    ("child", "\"Child\"[mh:noexp]"),
    ("adolescent", "\"Adolescent\"[mh]"),
    (
        "allchild",
        "\"Infant\"[mh] OR \"Infant, Newborn\"[mh] OR \"Child\"[mh] OR \"Child, Preschool\"[mh] OR \"Adolescent\"[mh]",
    ),
    ("youngadult", "\"Young Adult\"[mh]"),
    ("adult", "\"Adult\"[mh:noexp]"),
    (
        "alladult",
        "\"Adult\"[mh] OR \"Young Adult\"[mh] OR \"Middle Aged\"[mh] OR \"Aged\"[mh] OR \"Aged, 80 and over\"[mh]",
    ),
    ("middleaged", "\"Middle Aged\"[mh]"),
    (
        "middleagedaged",
        "\"Middle Aged\"[mh] OR \"Aged\"[mh] OR \"Aged, 80 and over\"[mh]",
    ),
    ("aged", "\"Aged\"[mh] OR \"Aged, 80 and over\"[mh]"),
    ("80andover", "\"Aged, 80 and over\"[mh]"),
    ("clinicaltrial", "\"Clinical Trial\"[pt]"),
    (
        "randomizedcontrolledtrial",
        "\"Randomized Controlled Trial\"[pt]",
    ),
    ("meta-analysis", "\"Meta-Analysis\"[pt]"),
    ("casereports", "\"Case Reports\"[pt]"),
    ("preprint", "\"Preprint\"[pt]"),
    ("excludepreprints", "\"all\"[sb] NOT \"Preprint\"[pt]"),
    ("retractedpublication", "\"Retracted Publication\"[pt]"),
    ("systematicreview", SYSTEMATIC),
    ("systematic review", SYSTEMATIC),
    ("systematic", SYSTEMATIC),
];

const SYSTEMATIC: &str = "\
    \"Systematic Review\"[pt] OR (\"Cochrane Database Syst Rev\"[ta] AND \"Review\"[pt]) OR \
    ((\"systematic review\"[ti] OR \"systematic literature review\"[ti] OR \
    \"systematic scoping review\"[ti] OR \"systematic narrative review\"[ti] OR \
    \"systematic qualitative review\"[ti] OR \"systematic evidence review\"[ti] OR \
    \"systematic quantitative review\"[ti] OR \"systematic meta-review\"[ti] OR \
    \"systematic critical review\"[ti] OR \"systematic mixed studies review\"[ti] OR \
    \"systematic mapping review\"[ti] OR \"systematic cochrane review\"[ti] OR \
    \"systematic search and review\"[ti] OR \"systematic integrative review\"[ti]) \
    NOT \"Comment\"[pt] NOT (protocol[ti] OR protocols[ti]) NOT \"medline\"[sb])";

const FREE: &str = "no record says whether the full text is free; articles in PubMed Central are \
                    searched instead";

/// Names of the filter for free full text.
const FREE_NAMES: [&str; 5] = [
    "free full text",
    "ffrft",
    "fft",
    "loattrfree full text",
    "pubmed free full text",
];

/// What a filter means, if it is known by its own name.
pub(super) fn meaning(name: &str) -> Meaning {
    let name = name.trim().to_lowercase();
    let name = name.strip_suffix("[filter]").unwrap_or(&name);
    if FREE_NAMES.contains(&name) {
        return Meaning::Instead("pmc", FREE);
    }
    let fact = FACTS.iter().find(|(known, _)| *known == name);
    if let Some((_, fact)) = fact {
        return Meaning::Fact(fact);
    }
    let query = QUERIES.iter().find(|(known, _)| *known == name);
    query.map_or(Meaning::Named, |(_, query)| Meaning::Query(query))
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, parse};
    use super::*;

    #[test]
    fn every_query_of_a_filter_can_be_read_and_every_fact_stands_for_itself() {
        for (name, query) in QUERIES {
            let read = parse(query, Limits::default());
            assert!(read.is_ok(), "{name}: {read:?}");
        }
        for (name, fact) in FACTS {
            assert_eq!(meaning(name), Meaning::Fact(fact));
            // A translation is a query again, with the same meaning.
            let again = meaning(fact);
            assert!(
                again == Meaning::Fact(fact) || again == Meaning::Named,
                "{name}"
            );
        }
    }
}
