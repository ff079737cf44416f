//! Colours of types of entities, as classes of the style sheet.

/// Types that have a colour of their own; those of other heads share the rest.
const KNOWN: [&str; 6] = ["Disease", "Chemical", "Gene", "Species", "Anatomy", "Cell"];

/// One class for each colour, with a line of its own: nobody depends on seeing
/// colours.
const CLASSES: [&str; 10] = [
    "entity k0",
    "entity k1",
    "entity k2",
    "entity k3",
    "entity k4",
    "entity k5",
    "entity k6",
    "entity k7",
    "entity k8",
    "entity k9",
];

/// The class of a type, the same on every page.
pub(crate) fn class(kind: &str) -> &'static str {
    let known = KNOWN.iter().position(|one| one.eq_ignore_ascii_case(kind));
    CLASSES[known.unwrap_or_else(|| {
        let sum: usize = kind.bytes().map(usize::from).sum();
        KNOWN.len() + sum % (CLASSES.len() - KNOWN.len())
    })]
}

/// Puts types in the order of a legend: the known ones first, each once.
pub(crate) fn sorted<'a>(kinds: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let place = |kind: &str| {
        let known = KNOWN.iter().position(|one| one.eq_ignore_ascii_case(kind));
        known.unwrap_or(KNOWN.len())
    };
    let mut kinds: Vec<&str> = kinds.collect();
    kinds.sort_by_key(|kind| (place(kind), *kind));
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_colour_and_known_ones_their_own() {
        let known: Vec<_> = KNOWN.iter().map(|kind| class(kind)).collect();
        assert_eq!(known, CLASSES[..6]);
        assert_eq!(class("disease"), class("Disease"));
        for other in ["protein", "cell_line", "", "<b>"] {
            assert!(CLASSES[6..].contains(&class(other)), "{other}");
        }
    }

    #[test]
    fn a_legend_begins_with_the_known_types() {
        let kinds = ["protein", "Gene", "Disease", "DNA", "Gene"];
        let sorted = sorted(kinds.into_iter());
        assert_eq!(sorted, ["Disease", "Gene", "DNA", "protein"]);
    }
}
