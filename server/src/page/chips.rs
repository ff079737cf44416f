//! The filters in force, each with a way to lift it.

use super::html::Html;
use super::language;
use crate::params;
use medsift::keyword::ValueCounts;
use medsift::query::{Filter, QueryRequest, YearRange};
use medsift::searcher::Facets;

/// A filter in words, and the request without it.
struct Chip {
    text: String,
    without: QueryRequest,
}

/// How many filters are in force.
pub(crate) fn count(filter: &Filter) -> usize {
    let lists = [
        &filter.journal,
        &filter.publication_type,
        &filter.mesh,
        &filter.language,
        &filter.entity,
        &filter.relation,
    ];
    let singles = [
        filter.year.is_some(),
        filter.has_abstract.is_some(),
        filter.retracted.is_some(),
    ];
    lists.iter().map(|list| list.len()).sum::<usize>()
        + singles.iter().filter(|&&given| given).count()
}

/// Writes the filters of a request; nothing where there are none. Entities are
/// called by their names where the response has counted them.
pub(crate) fn write(html: &mut Html, request: &QueryRequest, facets: Option<&Facets>) {
    let chips = chips(request, facets.and_then(|facets| facets.entity.as_ref()));
    if chips.is_empty() {
        return;
    }
    html.element(
        "ul",
        &[("class", "chips"), ("aria-label", "Filters in force")],
        |html| {
            for chip in &chips {
                let address = format!("/?{}", params::query_string(&chip.without));
                html.element("li", &[], |html| {
                    html.element("a", &[("href", &address)], |html| {
                        html.raw("<span class=\"hidden\">Remove filter: </span>")
                            .text(&chip.text)
                            .raw("<span aria-hidden=\"true\"> ×</span>");
                    });
                });
            }
        },
    );
}

/// What an entity is called, else the value by which it is filtered.
fn name_of<'a>(value: &'a str, counted: Option<&'a ValueCounts>) -> &'a str {
    counted
        .into_iter()
        .flat_map(|counts| &counts.values)
        .find(|count| count.value.eq_ignore_ascii_case(value))
        .and_then(|count| count.name.as_deref())
        .unwrap_or(value)
}

fn chips(request: &QueryRequest, entities: Option<&ValueCounts>) -> Vec<Chip> {
    let mut chips = Vec::new();
    let mut add = |text: String, lift: &dyn Fn(&mut Filter)| {
        // Fewer filters, other hits: begin at the first page.
        let mut without = QueryRequest {
            offset: 0,
            cursor: None,
            ..request.clone()
        };
        lift(&mut without.filter);
        chips.push(Chip { text, without });
    };
    let filter = &request.filter;
    if let Some(years) = filter.year {
        add(in_words(years), &|filter| filter.year = None);
    }
    for (place, value) in filter.publication_type.iter().enumerate() {
        add(value.clone(), &|filter| {
            filter.publication_type.remove(place);
        });
    }
    for (place, value) in filter.journal.iter().enumerate() {
        add(format!("Journal: {value}"), &|filter| {
            filter.journal.remove(place);
        });
    }
    for (place, value) in filter.mesh.iter().enumerate() {
        add(format!("MeSH: {value}"), &|filter| {
            filter.mesh.remove(place);
        });
    }
    for (place, value) in filter.language.iter().enumerate() {
        add(language::label(value), &|filter| {
            filter.language.remove(place);
        });
    }
    for (place, value) in filter.entity.iter().enumerate() {
        add(format!("Names {}", name_of(value, entities)), &|filter| {
            filter.entity.remove(place);
        });
    }
    for (place, value) in filter.relation.iter().enumerate() {
        add(format!("Says {value}"), &|filter| {
            filter.relation.remove(place);
        });
    }
    if let Some(has) = filter.has_abstract {
        let text = if has {
            "With abstract"
        } else {
            "Without abstract"
        };
        add(text.to_owned(), &|filter| filter.has_abstract = None);
    }
    if let Some(retracted) = filter.retracted {
        let text = if retracted {
            "Only retracted"
        } else {
            "Not retracted"
        };
        add(text.to_owned(), &|filter| filter.retracted = None);
    }
    chips
}

fn in_words(years: YearRange) -> String {
    match (years.from, years.to) {
        (Some(from), Some(to)) if from == to => from.to_string(),
        (Some(from), Some(to)) => format!("{from}–{to}"),
        (Some(from), None) => format!("From {from}"),
        (None, Some(to)) => format!("Up to {to}"),
        (None, None) => "Any year".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::keyword::ValueCount;

    #[test]
    fn an_entity_is_called_by_its_name_where_it_was_counted() {
        let mut request = QueryRequest::default();
        request.filter.entity = vec!["mesh:d008687".into(), "Gene:BRCA1".into()];
        let counted = ValueCounts {
            values: vec![ValueCount {
                value: "MESH:D008687".into(),
                name: Some("Metformin".into()),
                kind: Some("Chemical".into()),
                articles: 7,
            }],
            more: 0,
        };
        let words = |entities| -> Vec<String> {
            let chips = chips(&request, entities);
            chips.into_iter().map(|chip| chip.text).collect()
        };
        assert_eq!(
            words(Some(&counted)),
            ["Names Metformin", "Names Gene:BRCA1"]
        );
        assert_eq!(words(None), ["Names mesh:d008687", "Names Gene:BRCA1"]);
    }

    #[test]
    fn every_filter_can_be_lifted_alone() {
        let request = QueryRequest {
            query: "asthma".into(),
            offset: 20,
            filter: Filter {
                year: Some(YearRange {
                    from: Some(2019),
                    to: None,
                }),
                journal: vec!["Lancet".into(), "BMJ".into()],
                publication_type: vec!["Review".into()],
                mesh: vec!["Humans".into()],
                language: vec!["ger".into()],
                entity: vec!["MESH:D008687".into()],
                relation: vec!["induces|D008687|*".into()],
                has_abstract: Some(true),
                retracted: Some(false),
            },
            ..QueryRequest::default()
        };
        let chips = chips(&request, None);
        assert_eq!(chips.len(), count(&request.filter));
        for chip in &chips {
            assert_eq!(
                count(&chip.without.filter),
                chips.len() - 1,
                "{}",
                chip.text
            );
            assert_eq!(chip.without.offset, 0);
        }
        let bmj = chips
            .iter()
            .find(|chip| chip.text == "Journal: BMJ")
            .unwrap();
        assert_eq!(bmj.without.filter.journal, ["Lancet"]);
        assert!(chips.iter().any(|chip| chip.text == "German"));
    }
}
