//! Where there are no hits: what to try, and what comes nearest.

use super::super::html::Html;
use super::super::nearest::Nearest;
use super::super::{chips, hit};
use crate::params;
use medsift::query::{Mode, QueryRequest};
use medsift::searcher::SearchResponse;

/// Writes the ways out as links that try them, and the nearest articles.
pub(super) fn write(
    html: &mut Html,
    request: &QueryRequest,
    response: &SearchResponse,
    nearest: Option<&Nearest>,
) {
    html.element("section", &[("class", "nothing")], |html| {
        if request.offset > 0 || request.cursor.is_some() {
            beyond_the_end(html, request);
        } else {
            ways_out(html, request, response);
        }
    });
    if let Some(nearest) = nearest {
        write_nearest(html, request, nearest);
    }
}

fn beyond_the_end(html: &mut Html, request: &QueryRequest) {
    html.raw("<h2>The list ends before this page</h2>");
    let first = QueryRequest {
        offset: 0,
        cursor: None,
        ..request.clone()
    };
    html.element("ul", &[], |html| {
        way_out(html, &first, "Go to the first page")
    });
}

fn ways_out(html: &mut Html, request: &QueryRequest, response: &SearchResponse) {
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
}

fn way_out(html: &mut Html, request: &QueryRequest, text: &'static str) {
    let address = format!("/?{}", params::query_string(request));
    html.element("li", &[], |html| {
        html.leaf("a", &[("href", &address)], text);
    });
}

fn write_nearest(html: &mut Html, request: &QueryRequest, nearest: &Nearest) {
    let query = params::query_string(request);
    let attributes = [("class", "nearest"), ("aria-labelledby", "nearest")];
    html.element("section", &attributes, |html| {
        html.raw("<h2 id=\"nearest\">Nearest by meaning</h2>");
        html.raw(if nearest.without_filter {
            "<p class=\"hint\">None of these matches, and no filter holds for them.</p>"
        } else {
            "<p class=\"hint\">None of these matches; nothing in the index is nearer.</p>"
        });
        html.element("ol", &[("class", "hits")], |html| {
            for found in &nearest.hits {
                hit::write(html, found, &query, false);
            }
        });
    });
}
