//! Ways through the list: its order, its pages, and all of it as a file.

use super::super::html::Html;
use crate::params;
use medsift::columnar::ColumnFormat;
use medsift::query::{QueryRequest, Sort};
use medsift::searcher::{ExportFormat, SearchResponse};

/// The order, with a link to the other one, and files of the whole list.
pub(super) fn write(html: &mut Html, request: &QueryRequest, response: &SearchResponse) {
    if response.hits.is_empty() {
        return;
    }
    html.element("div", &[("class", "ways")], |html| {
        html.element("p", &[("class", "order")], |html| {
            html.raw("Sorted by");
            for sort in Sort::ALL {
                html.raw(" ");
                if sort == response.sort {
                    html.leaf("b", &[], sort.as_str());
                    continue;
                }
                let other = QueryRequest {
                    sort,
                    offset: 0,
                    cursor: None,
                    ..request.clone()
                };
                let address = format!("/?{}", params::query_string(&other));
                html.leaf("a", &[("href", &address)], sort.as_str());
            }
        });
        html.element("p", &[("class", "export")], |html| {
            html.raw("Export the whole list:");
            for format in ExportFormat::ALL {
                let name = match format {
                    ExportFormat::Jsonl => "JSON lines",
                    ExportFormat::Csv => "CSV",
                    ExportFormat::Nbib => "NBIB",
                    ExportFormat::Ris => "RIS",
                    ExportFormat::Xml => "PubMed XML",
                    ExportFormat::Bibtex => "BibTeX",
                    ExportFormat::Csl => "CSL-JSON",
                    ExportFormat::Beir => "BEIR",
                };
                export(html, request, format.as_str(), name);
            }
            export(html, request, ColumnFormat::Parquet.as_str(), "Parquet");
        });
    });
}

/// What the page reads leniently, the export does too.
fn export(html: &mut Html, request: &QueryRequest, format: &str, name: &'static str) {
    let whole = QueryRequest {
        lenient: true,
        offset: 0,
        limit: None,
        cursor: None,
        explain: false,
        enrich: Vec::new(),
        facets: Vec::new(),
        facet_limit: None,
        ..request.clone()
    };
    let query = params::query_string(&whole);
    let address = format!("/v1/export?{query}&format={format}");
    html.raw(" ")
        .leaf("a", &[("href", &address), ("download", "")], name);
}

/// The pages before and behind this one. Deep in a list the way on is a
/// cursor, and the way back the browser's own.
pub(super) fn pages(
    html: &mut Html,
    request: &QueryRequest,
    response: &SearchResponse,
    max_window: usize,
) {
    let at = |offset: usize| {
        let request = QueryRequest {
            offset,
            cursor: None,
            ..request.clone()
        };
        format!("/?{}", params::query_string(&request))
    };
    let before = response.offset.saturating_sub(response.limit);
    let can_go_back = response.offset > 0 && before + response.limit <= max_window;
    let back = (can_go_back && !response.hits.is_empty()).then(|| at(before));
    let behind = || {
        let request = QueryRequest {
            offset: 0,
            cursor: Some(response.next_cursor?),
            ..request.clone()
        };
        Some(format!("/?{}", params::query_string(&request)))
    };
    let on = response.next_offset.map(at).or_else(behind);
    if back.is_none() && on.is_none() {
        return;
    }
    html.element(
        "nav",
        &[("class", "pages"), ("aria-label", "Pages of results")],
        |html| {
            match &back {
                Some(address) => {
                    html.leaf("a", &[("rel", "prev"), ("href", address)], "← Previous")
                }
                None => html.raw("<span></span>"),
            };
            html.leaf(
                "span",
                &[],
                format_args!("Page {}", response.offset / response.limit.max(1) + 1),
            );
            match &on {
                Some(address) => html.leaf("a", &[("rel", "next"), ("href", address)], "Next →"),
                None => html.raw("<span></span>"),
            };
        },
    );
}
