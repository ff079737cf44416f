//! A MeSH heading.

use super::text::{clean, wrap};
use crate::commands::mesh::Shown;
use crate::output::Style;

/// Headings below that are named before the rest is counted.
const NAMED: usize = 40;

/// Heading, places, names, and what lies below.
pub(crate) fn page(shown: &Shown<'_>, width: usize, style: Style) -> String {
    let mut page = format!(
        "{}  {}\n",
        style.bold(&clean(shown.heading)),
        clean(shown.ui)
    );
    let mut line = |name: &str, text: String| {
        let indent = 10;
        let text = clean(&text);
        for (number, part) in wrap(&text, width.saturating_sub(indent).max(16))
            .into_iter()
            .enumerate()
        {
            let name = if number == 0 { name } else { "" };
            page.push_str(&format!(
                "{}{}\n",
                style.dim(&format!("{name:<10}")),
                &text[part]
            ));
        }
    };
    line("places", shown.tree_numbers.join(", "));
    line("also", shown.entry_terms.join("; "));
    let more = shown.below.len().saturating_sub(NAMED);
    let mut below = shown.below[..shown.below.len() - more].join("; ");
    if more > 0 {
        below.push_str(&format!(" and {more} more"));
    }
    line("below", below);
    line("from", shown.source.to_owned());
    page
}
