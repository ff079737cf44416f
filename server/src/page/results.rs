//! The page of results.

mod nothing;
mod ways;

use super::html::Html;
use super::layout::Layout;
use super::nearest::Nearest;
use super::number::{Grouped, counted, milliseconds};
use super::{answer, chips, facets, form, hit, marking, translation};
use crate::params;
use medsift::query::{Mode, QueryRequest, Sort};
use medsift::searcher::{SearchResponse, SearchSettings, Searcher};

/// What stands beside the hits.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    /// Whether entities can be marked.
    pub(crate) can_enrich: bool,
    /// Whether questions can be answered.
    pub(crate) can_answer: bool,
    /// What comes nearest, where nothing matches.
    pub(crate) nearest: Option<Nearest>,
}

impl Beside {
    /// What there is for a response.
    pub(crate) fn of(searcher: &Searcher, response: &SearchResponse) -> Self {
        Self {
            can_enrich: searcher.can_enrich(),
            can_answer: searcher.can_answer(),
            nearest: Nearest::find(searcher, response),
        }
    }
}

/// Renders a response to a request.
pub(crate) fn page(
    request: &QueryRequest,
    response: &SearchResponse,
    settings: &SearchSettings,
    beside: &Beside,
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
            chips::write(html, request, response.facets.as_ref());
            summary(html, response);
            warnings(html, &response.warnings);
            if beside.can_answer {
                answer::write(html, request, response);
            }
            translation::write(html, response);
            facets::write(html, request, response);
            ways::write(html, request, response);
            if response.hits.is_empty() {
                nothing::write(html, request, response, beside.nearest.as_ref());
            } else {
                marking::of_results(html, request, response, beside.can_enrich);
                html.element("ol", &[("class", "hits")], |html| {
                    for found in &response.hits {
                        hit::write(html, found, &query, response.enrichment.is_some());
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

#[cfg(test)]
mod tests;
