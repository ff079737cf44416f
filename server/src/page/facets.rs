//! Counts over everything that was found, each of them a way to narrow it.

mod years;

use super::html::Html;
use super::number::{Grouped, counted};
use crate::params;
use medsift::keyword::{ValueCount, ValueCounts};
use medsift::query::{Filter, QueryRequest};
use medsift::searcher::{FacetScope, Facets, SearchResponse};

/// Values of each list.
pub(crate) const VALUES: usize = 8;

/// Writes the histogram of years and the lists; nothing where nothing was
/// counted.
pub(crate) fn write(html: &mut Html, request: &QueryRequest, response: &SearchResponse) {
    let Some(facets) = response
        .facets
        .as_ref()
        .filter(|facets| facets.articles > 0)
    else {
        return;
    };
    let attributes = [("class", "facets"), ("aria-label", "Narrow the search")];
    html.element("section", &attributes, |html| {
        if let Some(years) = &facets.year {
            years::write(html, request, years);
        }
        html.element("details", &[("class", "values")], |html| {
            html.leaf("summary", &[], headline(facets));
            html.leaf("p", &[("class", "counted")], over(facets));
            html.element("div", &[("class", "panel")], |html| {
                for list in lists(request, facets) {
                    write_list(html, &list);
                }
            });
        });
    });
}

/// What can be counted: entities where an index was enriched.
fn headline(facets: &Facets) -> &'static str {
    match &facets.entity {
        Some(counts) if !counts.values.is_empty() => "Journals, types, subjects and entities",
        _ => "Journals, types and subjects",
    }
}

/// Which articles the counts are of.
fn over(facets: &Facets) -> String {
    let articles = counted(facets.articles, "article");
    match facets.over {
        FacetScope::Selection => format!("Counted over all {articles} that the query selects."),
        FacetScope::Matches => format!("Counted over all {articles} that hold your words."),
        FacetScope::Nearest => format!("Counted over the {articles} nearest by meaning."),
        FacetScope::MatchesAndNearest => {
            format!(
                "Counted over {articles}: all that hold your words, and the nearest by meaning."
            )
        }
    }
}

/// A request at its first page, with another filter.
fn narrowed(request: &QueryRequest, change: impl FnOnce(&mut Filter)) -> String {
    let mut other = QueryRequest {
        offset: 0,
        cursor: None,
        ..request.clone()
    };
    change(&mut other.filter);
    format!("/?{}", params::query_string(&other))
}

struct List<'a> {
    name: &'static str,
    values: &'a ValueCounts,
    in_force: &'a [String],
    /// The address with a value put in force, or lifted where it is.
    address: Address<'a>,
}

type Address<'a> = Box<dyn Fn(&str, bool) -> String + 'a>;

fn lists<'a>(request: &'a QueryRequest, facets: &'a Facets) -> Vec<List<'a>> {
    let filter = &request.filter;
    let mut lists = Vec::new();
    if let Some(values) = &facets.publication_type {
        lists.push(List {
            name: "Publication type",
            values,
            in_force: &filter.publication_type,
            // Any of several would do: one more would find more.
            address: Box::new(|value, lift| {
                narrowed(request, |filter| {
                    filter.publication_type = one_or_none(value, lift);
                })
            }),
        });
    }
    if let Some(values) = &facets.journal {
        lists.push(List {
            name: "Journal",
            values,
            in_force: &filter.journal,
            address: Box::new(|value, lift| {
                narrowed(request, |filter| {
                    filter.journal = one_or_none(value, lift);
                })
            }),
        });
    }
    if let Some(values) = &facets.mesh {
        lists.push(List {
            name: "MeSH heading",
            values,
            in_force: &filter.mesh,
            address: Box::new(|value, lift| {
                narrowed(request, |filter| {
                    filter.mesh.retain(|known| !same(known, value));
                    if !lift {
                        filter.mesh.push(value.to_owned());
                    }
                })
            }),
        });
    }
    if let Some(values) = &facets.entity {
        lists.push(List {
            name: "Named in the text",
            values,
            in_force: &filter.entity,
            address: Box::new(|value, lift| {
                narrowed(request, |filter| {
                    filter.entity.retain(|known| !same(known, value));
                    if !lift {
                        filter.entity.push(value.to_owned());
                    }
                })
            }),
        });
    }
    lists.retain(|list| !list.values.values.is_empty());
    lists
}

fn one_or_none(value: &str, lift: bool) -> Vec<String> {
    if lift {
        Vec::new()
    } else {
        vec![value.to_owned()]
    }
}

/// Filters compare without regard to case.
fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn write_list(html: &mut Html, list: &List<'_>) {
    html.element("div", &[("class", "facet")], |html| {
        html.leaf("h2", &[], list.name);
        html.element("ul", &[], |html| {
            for count in &list.values.values {
                let ValueCount {
                    value, articles, ..
                } = count;
                let lift = list.in_force.iter().any(|known| same(known, value));
                let address = (list.address)(value, lift);
                let mut attributes = vec![("href", address.as_str()), ("rel", "nofollow")];
                if lift {
                    attributes.push(("aria-current", "true"));
                }
                // What an entity is, and by which identifier it is filtered.
                let says = count.kind.as_ref().map(|kind| format!("{kind} · {value}"));
                if let Some(says) = &says {
                    attributes.push(("title", says));
                }
                html.element("li", &[], |html| {
                    html.element("a", &attributes, |html| {
                        if lift {
                            html.raw("<span class=\"hidden\">Remove filter: </span>");
                        }
                        html.text(count.name.as_ref().unwrap_or(value));
                    });
                    html.raw(" ")
                        .leaf("span", &[("class", "n")], Grouped(*articles));
                });
            }
        });
        if list.values.more > 0 {
            let more = format!("and {} more", Grouped(list.values.more as u64));
            html.leaf("p", &[("class", "more")], more);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;
    use medsift::keyword::YearCount;

    fn show(request: &QueryRequest) -> String {
        let value = |value: &str, articles| ValueCount {
            value: value.to_owned(),
            name: None,
            kind: None,
            articles,
        };
        let mut response = samples::response();
        response.facets = Some(Facets {
            over: FacetScope::Matches,
            articles: 1234,
            year: Some(vec![YearCount {
                year: 2019,
                articles: 5,
            }]),
            journal: Some(ValueCounts {
                values: vec![value("BMJ & <b>", 12)],
                more: 3,
            }),
            publication_type: Some(ValueCounts {
                values: vec![value("Review", 1000)],
                more: 0,
            }),
            mesh: Some(ValueCounts::default()),
            entity: Some(ValueCounts {
                values: vec![ValueCount {
                    name: Some("Metformin".to_owned()),
                    kind: Some("Chemical".to_owned()),
                    ..value("MESH:D008687", 7)
                }],
                more: 0,
            }),
        });
        let mut html = Html::default();
        write(&mut html, request, &response);
        html.finish()
    }

    #[test]
    fn a_value_narrows_and_one_in_force_is_lifted() {
        let mut request = QueryRequest {
            query: "asthma".into(),
            offset: 20,
            ..QueryRequest::default()
        };
        let html = show(&request);
        for part in [
            "Counted over all 1,234 articles that hold your words.",
            "href=\"/?q=asthma&amp;publication_type=Review\" rel=\"nofollow\">Review</a>",
            "<span class=\"n\">1,000</span>",
            "journal=BMJ+%26+%3Cb%3E",
            ">BMJ &amp; &lt;b&gt;</a>",
            "and 3 more",
            "entity=MESH%3AD008687\" rel=\"nofollow\" title=\"Chemical · MESH:D008687\">Metformin</a>",
        ] {
            assert!(html.contains(part), "{part} is not in\n{html}");
        }
        assert!(
            !html.contains("MeSH heading") && !html.contains("offset"),
            "{html}"
        );
        request.filter.publication_type = vec!["review".into(), "Letter".into()];
        let html = show(&request);
        let lifted = "href=\"/?q=asthma\" rel=\"nofollow\" aria-current=\"true\"";
        assert!(html.contains(lifted), "{html}");
    }

    #[test]
    fn nothing_is_shown_of_nothing() {
        let mut html = Html::default();
        let response = samples::response();
        write(&mut html, &QueryRequest::default(), &response);
        assert_eq!(html.finish(), "");
    }
}
