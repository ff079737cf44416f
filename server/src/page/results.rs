//! The page of results.

mod ways;

use super::html::Html;
use super::layout::Layout;
use super::number::{Grouped, counted, milliseconds};
use super::{chips, facets, form, hit};
use crate::params;
use medsift::query::{Enrichment, Mode, QueryRequest, Sort};
use medsift::searcher::{SearchResponse, SearchSettings};

/// Renders a response to a request. Entities take their time on articles that
/// are new, so that they are found when they are asked for: where the model
/// can, a link does.
pub(crate) fn page(
    request: &QueryRequest,
    response: &SearchResponse,
    settings: &SearchSettings,
    can_enrich: bool,
) -> String {
    let layout = Layout {
        title: &response.query,
        class: "results",
        skip: "Skip to the results",
    };
    let query = params::query_string(request);
    layout.page(
        |html| form::write(html, request, settings.query.mode),
        |html| {
            html.leaf("h1", &[("class", "hidden")], "Results");
            chips::write(html, request);
            summary(html, response);
            if can_enrich && response.enrichment.is_none() && !response.hits.is_empty() {
                offer_entities(html, request);
            }
            warnings(html, &response.warnings);
            translation(html, response);
            facets::write(html, request, response);
            ways::write(html, request, response);
            if response.hits.is_empty() {
                nothing(html, request, response);
            } else {
                html.element("ol", &[("class", "hits")], |html| {
                    for found in &response.hits {
                        hit::write(html, found, &query);
                    }
                });
            }
            ways::pages(html, request, response, settings.query.max_window);
        },
    )
}

fn summary(html: &mut Html, response: &SearchResponse) {
    html.element("p", &[("class", "summary"), ("role", "status")], |html| {
        if let (Some(first), Some(last)) = (response.hits.first(), response.hits.last()) {
            html.leaf(
                "span",
                &[("class", "range")],
                format_args!("{}–{} of {}", first.rank, last.rank, in_all(response)),
            );
        } else {
            html.raw("<span class=\"range\">No hits</span>");
        }
        html.leaf("span", &[("class", "timing")], timing(response));
    });
}

fn offer_entities(html: &mut Html, request: &QueryRequest) {
    let with = QueryRequest {
        enrich: vec![Enrichment::Entities],
        ..request.clone()
    };
    let address = format!("/?{}", params::query_string(&with));
    html.element("p", &[("class", "offer")], |html| {
        let text = "Show the diseases, chemicals, genes … in these articles";
        html.leaf("a", &[("href", &address), ("rel", "nofollow")], text);
    });
}

/// What the list is made of. By words, articles match or do not; by meaning,
/// every article is somewhere in the order, and the list is as deep as the
/// candidates: its length says nothing about how many answer the question.
fn in_all(response: &SearchResponse) -> String {
    let found = &response.found;
    let listed = found.candidates as u64;
    let matches = Grouped(found.keyword_matches.unwrap_or_default());
    let best = if found.more { "the best " } else { "" };
    if response.sort == Sort::Date {
        return format!("{best}{}, newest first", counted(listed, "article"));
    }
    match response.mode {
        Mode::Keyword if found.more => {
            format!(
                "the best {} of {matches} that hold your words",
                Grouped(listed)
            )
        }
        Mode::Keyword => format!("{} that hold your words", counted(listed, "article")),
        Mode::Semantic => format!("{best}{} in order of meaning", counted(listed, "article")),
        Mode::Hybrid => format!(
            "{best}{} in order of words and meaning · {matches} hold your words",
            counted(listed, "article")
        ),
    }
}

fn timing(response: &SearchResponse) -> String {
    let took = &response.took;
    let mut line = milliseconds(took.total_ms);
    if took.encode_ms > 0.0 {
        line.push_str(&format!(" · encoding {}", milliseconds(took.encode_ms)));
    }
    line.push_str(&format!(" · retrieval {}", milliseconds(took.retrieve_ms)));
    if response.enrichment.is_some() {
        line.push_str(&format!(" · entities {}", milliseconds(took.enrich_ms)));
    }
    line
}

fn warnings(html: &mut Html, warnings: &[String]) {
    if warnings.is_empty() {
        return;
    }
    html.element(
        "ul",
        &[
            ("class", "warnings"),
            ("aria-label", "Notes on this search"),
        ],
        |html| {
            for warning in warnings {
                html.leaf("li", &[], warning);
            }
        },
    );
}

/// How a query of PubMed's language was understood.
fn translation(html: &mut Html, response: &SearchResponse) {
    let Some(translation) = &response.translation else {
        return;
    };
    html.element("details", &[("class", "translation")], |html| {
        html.leaf("summary", &[], "How the query was understood");
        html.element("p", &[], |html| {
            html.leaf("code", &[], &translation.query);
        });
        html.element("ul", &[], |html| {
            for term in &translation.terms {
                html.element("li", &[], |html| {
                    html.leaf("code", &[], &term.term)
                        .text(": ")
                        .text(counted(term.articles, "article"));
                });
            }
        });
    });
}

/// What to try when there are no hits, as links that try it.
fn nothing(html: &mut Html, request: &QueryRequest, response: &SearchResponse) {
    html.element("section", &[("class", "nothing")], |html| {
        if request.offset > 0 || request.cursor.is_some() {
            html.raw("<h2>The list ends before this page</h2>");
            let first = QueryRequest {
                offset: 0,
                cursor: None,
                ..request.clone()
            };
            html.element("ul", &[], |html| {
                way_out(html, &first, "Go to the first page")
            });
            return;
        }
        html.raw("<h2>Nothing matches ")
            .leaf("q", &[], &response.query)
            .raw("</h2>");
        html.element("ul", &[], |html| {
            if chips::count(&request.filter) > 0 {
                let all = QueryRequest {
                    filter: Default::default(),
                    ..request.clone()
                };
                way_out(html, &all, "Search without filters");
            }
            if response.mode == Mode::Keyword {
                let hybrid = QueryRequest {
                    mode: Some(Mode::Hybrid),
                    ..request.clone()
                };
                way_out(html, &hybrid, "Search by meaning as well");
            }
            html.raw("<li>Look for a slip of the keys, or use fewer or more general words</li>");
        });
    });
}

fn way_out(html: &mut Html, request: &QueryRequest, text: &'static str) {
    let address = format!("/?{}", params::query_string(request));
    html.element("li", &[], |html| {
        html.leaf("a", &[("href", &address)], text);
    });
}

#[cfg(test)]
mod tests;
