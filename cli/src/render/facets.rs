//! Counts over everything that was found.

use super::text::{clean, columns};
use crate::output::Style;
use medsift::keyword::{ValueCount, ValueCounts, YearCount};
use medsift::searcher::{FacetScope, Facets};

/// Columns of the longest bar.
const BAR: usize = 40;

/// The histogram of years and the lists of values, one below the other.
pub(crate) fn lists(facets: &Facets, width: usize, style: Style) -> String {
    let of = match facets.over {
        FacetScope::Selection => "that the query selects",
        FacetScope::Matches => "that match the words",
        FacetScope::Nearest => "nearest by meaning",
        FacetScope::MatchesAndNearest => "that match the words, and the nearest by meaning",
    };
    let mut text = format!("\ncounted over {} articles {of}\n", facets.articles);
    if let Some(counts) = &facets.year {
        heading("YEAR", style, &mut text);
        years(counts, &mut text);
    }
    let lists = [
        ("JOURNAL", &facets.journal),
        ("TYPE", &facets.publication_type),
        ("MESH", &facets.mesh),
        ("ENTITY", &facets.entity),
    ];
    for (name, counts) in lists {
        if let Some(counts) = counts {
            heading(name, style, &mut text);
            values(counts, width, &mut text);
        }
    }
    text
}

fn heading(name: &str, style: Style, text: &mut String) {
    text.push_str(&style.dim(name));
    text.push('\n');
}

fn years(counts: &[YearCount], text: &mut String) {
    let most = counts.iter().map(|count| count.articles).max().unwrap_or(1);
    let digits = most.to_string().len();
    for YearCount { year, articles } in counts {
        let length = (*articles as usize * BAR).div_ceil(most.max(1) as usize);
        let bar = "█".repeat(length);
        text.push_str(&format!("  {year:>5}  {articles:>digits$}  {bar}\n"));
    }
}

fn values(counts: &ValueCounts, width: usize, text: &mut String) {
    let most = counts.values.first().map_or(0, |first| first.articles);
    let digits = most.to_string().len();
    for count in &counts.values {
        let mut value = clean(&shown(count));
        while columns(&value) + digits + 4 > width && value.pop().is_some() {}
        text.push_str(&format!("  {:>digits$}  {value}\n", count.articles));
    }
    if counts.more > 0 {
        text.push_str(&format!("  and {} more\n", counts.more));
    }
}

/// An entity by its name, with what the filter takes behind it.
fn shown(count: &ValueCount) -> String {
    match &count.name {
        Some(name) => format!("{name}  ({})", count.value),
        None => count.value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_have_bars_and_values_their_counts() {
        let year = |year, articles| YearCount { year, articles };
        let value = |value: &str, articles| ValueCount {
            value: value.into(),
            name: None,
            kind: None,
            articles,
        };
        let facets = Facets {
            over: FacetScope::Selection,
            articles: 50,
            year: Some(vec![year(2019, 1), year(2020, 40)]),
            journal: None,
            publication_type: Some(ValueCounts {
                values: vec![value("Review", 12), value("Letter", 3)],
                more: 7,
            }),
            mesh: None,
            entity: Some(ValueCounts {
                values: vec![ValueCount {
                    name: Some("Metformin".into()),
                    kind: Some("Chemical".into()),
                    ..value("MESH:D008687", 9)
                }],
                more: 0,
            }),
        };
        let expected = format!(
            "\ncounted over 50 articles that the query selects\nYEAR\n   2019   1  █\n   \
             2020  40  {}\nTYPE\n  12  Review\n   3  Letter\n  and 7 more\n\
             ENTITY\n  9  Metformin  (MESH:D008687)\n",
            "█".repeat(40)
        );
        assert_eq!(lists(&facets, 80, Style::new(false)), expected);
    }
}
