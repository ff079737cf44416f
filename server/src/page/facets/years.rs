//! Articles by year, as bars that lead to their years.

use super::super::html::Html;
use super::super::number::counted;
use super::narrowed;
use medsift::keyword::YearCount;
use medsift::query::{QueryRequest, YearRange};

/// Bars that have room side by side on a phone, each wide enough for a finger.
const BARS: i64 = 12;

/// Height of the tallest bar.
const HEIGHT: u64 = 40;

/// Years of a bar; numbers that people count in.
const WIDTHS: [i64; 9] = [1, 2, 5, 10, 20, 25, 50, 100, 1000];

#[derive(Debug, PartialEq, Eq)]
struct Bar {
    from: i32,
    to: i32,
    articles: u64,
}

pub(super) fn write(html: &mut Html, request: &QueryRequest, years: &[YearCount]) {
    let bars = bars(years);
    let most = bars.iter().map(|bar| bar.articles).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let attributes = [("class", "histogram"), ("aria-label", "Articles by year")];
    html.element("ol", &attributes, |html| {
        for bar in &bars {
            html.element("li", &[], |html| write_bar(html, request, bar, most));
        }
    });
}

fn write_bar(html: &mut Html, request: &QueryRequest, bar: &Bar, most: u64) {
    let name = if bar.from == bar.to {
        bar.from.to_string()
    } else {
        format!("{}–{}", bar.from, bar.to)
    };
    let title = format!("{name}: {}", counted(bar.articles, "article"));
    // A year with anything has something to see.
    let height = match bar.articles {
        0 => 0,
        articles => (articles * HEIGHT / most).max(2),
    };
    let (top, height) = ((HEIGHT - height).to_string(), height.to_string());
    let inside = |html: &mut Html| {
        let picture = [
            ("viewBox", "0 0 10 40"),
            ("preserveAspectRatio", "none"),
            ("aria-hidden", "true"),
        ];
        html.element("svg", &picture, |html| {
            let bar = [("width", "10"), ("y", &*top), ("height", &*height)];
            html.element("rect", &bar, |_| ());
        });
        html.leaf("span", &[("aria-hidden", "true")], bar.from);
        html.leaf("span", &[("class", "hidden")], &title);
    };
    if bar.articles == 0 {
        html.element("div", &[("title", &title)], inside);
        return;
    }
    let address = narrowed(request, |filter| {
        filter.year = Some(YearRange {
            from: Some(bar.from),
            to: Some(bar.to),
        });
    });
    let attributes = [("href", &*address), ("title", &*title), ("rel", "nofollow")];
    html.element("a", &attributes, inside);
}

/// One bar a year, or one for several where they are too many; empty years
/// have their place.
fn bars(years: &[YearCount]) -> Vec<Bar> {
    let (Some(first), Some(last)) = (years.first(), years.last()) else {
        return Vec::new();
    };
    let (first, last) = (i64::from(first.year), i64::from(last.year));
    let count = |width: i64| last.div_euclid(width) - first.div_euclid(width) + 1;
    let fitting = WIDTHS.into_iter().find(|&width| count(width) <= BARS);
    // Years that far apart are slips of a source: one bar for all.
    let width = fitting.unwrap_or(i64::from(i32::MAX));
    let begin = first.div_euclid(width);
    let mut bars: Vec<Bar> = (begin..begin + count(width))
        .map(|bin| Bar {
            from: (bin * width).clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            to: ((bin + 1) * width - 1).clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            articles: 0,
        })
        .collect();
    for year in years {
        let at = i64::from(year.year).div_euclid(width) - begin;
        if let Some(bar) = bars.get_mut(at as usize) {
            bar.articles += year.articles;
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(years: &[(i32, u64)]) -> Vec<YearCount> {
        let count = |&(year, articles)| YearCount { year, articles };
        years.iter().map(count).collect()
    }

    #[test]
    fn few_years_have_a_bar_each_and_many_share_one() {
        let few = bars(&counts(&[(2018, 2), (2020, 4)]));
        let plain: Vec<_> = few
            .iter()
            .map(|bar| (bar.from, bar.to, bar.articles))
            .collect();
        assert_eq!(plain, [(2018, 2018, 2), (2019, 2019, 0), (2020, 2020, 4)]);
        let many = bars(&counts(&[(1951, 1), (1989, 2), (1990, 3), (2024, 4)]));
        assert_eq!(many.len(), 8, "{many:?}");
        let last = Bar {
            from: 2020,
            to: 2029,
            articles: 4,
        };
        assert_eq!(many.last(), Some(&last));
        assert!(bars(&[]).is_empty());
    }

    #[test]
    fn a_bar_leads_to_its_years() {
        let request = QueryRequest {
            query: "gout".into(),
            ..QueryRequest::default()
        };
        let mut html = Html::default();
        write(&mut html, &request, &counts(&[(2018, 2), (2020, 4)]));
        let html = html.finish();
        for part in [
            "href=\"/?q=gout&amp;year_from=2020&amp;year_to=2020\" title=\"2020: 4 articles\"",
            "y=\"20\" height=\"20\"",
            "<div title=\"2019: 0 articles\">",
        ] {
            assert!(html.contains(part), "{part} is not in\n{html}");
        }
        assert!(!html.contains("style="));
    }

    proptest! {
        #[test]
        fn no_article_is_lost_and_no_bar_too_many(
            years in prop::collection::btree_map(any::<i32>(), 1_u64..9, 0..20),
        ) {
            let counts: Vec<YearCount> = years
                .iter()
                .map(|(&year, &articles)| YearCount { year, articles })
                .collect();
            let bars = bars(&counts);
            prop_assert!(bars.len() <= BARS as usize);
            let total: u64 = bars.iter().map(|bar| bar.articles).sum();
            prop_assert_eq!(total, years.values().sum::<u64>());
        }
    }
}
