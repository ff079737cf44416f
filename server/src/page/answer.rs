//! The box for the answer to a question. The hits never wait for it: the page's
//! script asks for the answer when the page is there, and without the script a
//! link does.

use super::html::Html;
use crate::params;
use medsift::query::pubmed::is_question;
use medsift::query::{QueryRequest, Sort};
use medsift::searcher::{SearchResponse, SearchTranslation};

/// Writes the box above the first hits of a question; nothing for other queries.
pub(super) fn write(html: &mut Html, request: &QueryRequest, response: &SearchResponse) {
    let first_page = request.offset == 0 && request.cursor.is_none();
    let selects = response
        .translation
        .as_ref()
        .is_some_and(SearchTranslation::selects);
    let asks = is_question(&response.query) && !selects;
    if !first_page || !asks || response.hits.is_empty() {
        return;
    }
    let address = format!("/v1/answer?{}", params::query_string(&question(request)));
    let search = params::query_string(request);
    let attributes = [
        ("id", "answer"),
        ("class", "answer"),
        ("aria-labelledby", "answer-title"),
        ("data-ask", address.as_str()),
        ("data-search", search.as_str()),
    ];
    html.element("section", &attributes, |html| {
        html.raw("<h2 id=\"answer-title\">Answer</h2>");
        html.element("p", &[("id", "answer-state"), ("role", "status")], |html| {
            let text = "Read the best articles for an answer (JSON)";
            html.leaf("a", &[("href", &address), ("rel", "nofollow")], text);
        });
        html.raw("<div id=\"answer-body\"></div>");
    });
}

/// The same search as one for an answer: the best articles, whatever order and
/// page are shown.
fn question(request: &QueryRequest) -> QueryRequest {
    QueryRequest {
        offset: 0,
        limit: None,
        cursor: None,
        sort: Sort::default(),
        explain: false,
        enrich: Vec::new(),
        facets: Vec::new(),
        facet_limit: None,
        ..request.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;
    use medsift::query::Enrichment;

    fn shown(request: &QueryRequest, query: &str) -> String {
        let response = SearchResponse {
            query: query.into(),
            ..samples::response()
        };
        let mut html = Html::default();
        write(&mut html, request, &response);
        html.finish()
    }

    #[test]
    fn a_question_gets_a_box_that_asks_for_the_same_search() {
        let mut request = QueryRequest {
            query: "do statins \"><script>hurt?".into(),
            enrich: vec![Enrichment::Entities],
            sort: Sort::Date,
            explain: true,
            limit: Some(25),
            ..QueryRequest::default()
        };
        request.filter.retracted = Some(false);
        let html = shown(&request, &request.query);
        let asked = "?q=do+statins+%22%3E%3Cscript%3Ehurt%3F&amp;retracted=false\"";
        assert!(
            html.contains(&format!("data-ask=\"/v1/answer{asked}")),
            "{html}"
        );
        assert!(
            html.contains(&format!("href=\"/v1/answer{asked}")),
            "{html}"
        );
        assert!(
            html.contains("enrich=entities"),
            "the way to articles: {html}"
        );
        request.offset = 10;
        assert_eq!(shown(&request, &request.query), "");
    }

    #[test]
    fn other_queries_get_none() {
        let request = QueryRequest::default();
        for query in ["muscle pain", "WHO guideline on pain", "asthma"] {
            assert_eq!(shown(&request, query), "", "{query}");
        }
    }
}
