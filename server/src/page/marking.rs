//! The switch that marks entities, and what their colours stand for.

use super::html::Html;
use super::kinds;
use crate::params;
use medsift::enrich::{ArticleEntities, EnrichmentReport};
use medsift::query::{Enrichment, QueryRequest};
use medsift::searcher::SearchResponse;

/// What the switch leads to: the same page with and without marks.
pub(crate) struct Switch<'a> {
    /// Whether they were asked for.
    pub(crate) asked: bool,
    /// The address of the other state.
    pub(crate) other: &'a str,
    /// What is spoken of: `these articles`, `this article`.
    pub(crate) texts: &'static str,
}

/// Whether a request asks for marks.
pub(crate) fn asked(request: &QueryRequest) -> bool {
    !request.enrich.is_empty()
}

/// The request with entities, or without where they are asked for.
pub(crate) fn switched(request: &QueryRequest) -> QueryRequest {
    let mut other = request.clone();
    if asked(request) {
        other.enrich.clear();
    } else {
        other.enrich.push(Enrichment::Entities);
    }
    other
}

/// Above the hits of a page. Entities take their time on articles that are new,
/// so that they are found when they are asked for.
pub(super) fn of_results(
    html: &mut Html,
    request: &QueryRequest,
    response: &SearchResponse,
    can_enrich: bool,
) {
    let other = format!("/?{}", params::query_string(&switched(request)));
    let switch = Switch {
        asked: asked(request),
        other: &other,
        texts: "these articles",
    };
    let found = response.hits.iter().filter_map(|hit| hit.entities.as_ref());
    let report = response.enrichment.as_ref();
    write(html, &switch, can_enrich, report, found);
}

/// Writes the switch and, where entities were found, the legend; nothing where
/// there is no head for them and nobody asked.
pub(super) fn write<'a>(
    html: &mut Html,
    switch: &Switch<'_>,
    can_enrich: bool,
    report: Option<&EnrichmentReport>,
    found: impl Iterator<Item = &'a ArticleEntities>,
) {
    if !switch.asked {
        if can_enrich {
            offer(html, switch);
        }
        return;
    }
    let all = found.flat_map(|one| one.title.iter().chain(&one.text));
    let kinds = kinds::sorted(all.map(|entity| entity.kind.as_str()));
    let attributes = [("class", "marking"), ("aria-label", "Marked entities")];
    html.element("section", &attributes, |html| {
        if let Some(report) = report {
            legend(html, &kinds, switch.texts);
            let by = format!("by {} over {}", report.head, report.model);
            html.leaf("span", &[("class", "by")], by);
        }
        turn(html, switch, "Do not mark entities");
    });
}

fn offer(html: &mut Html, switch: &Switch<'_>) {
    html.element("p", &[("class", "marking")], |html| {
        turn(html, switch, "Mark entities");
        html.raw(" <span class=\"by\">diseases, chemicals, genes … named in ")
            .text(switch.texts)
            .raw("</span>");
    });
}

fn turn(html: &mut Html, switch: &Switch<'_>, text: &'static str) {
    let attributes = [
        ("class", "turn"),
        ("href", switch.other),
        ("rel", "nofollow"),
    ];
    html.leaf("a", &attributes, text);
}

fn legend(html: &mut Html, kinds: &[&str], texts: &'static str) {
    if kinds.is_empty() {
        html.raw("<span>No entity was found in ")
            .text(texts)
            .raw(".</span>");
        return;
    }
    let attributes = [("class", "legend"), ("aria-label", "Types of entities")];
    html.element("ul", &attributes, |html| {
        for kind in kinds {
            html.element("li", &[], |html| {
                html.leaf("span", &[("class", kinds::class(kind))], kind);
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;

    fn shown(request: &QueryRequest, response: &SearchResponse, can: bool) -> String {
        let mut html = Html::default();
        of_results(&mut html, request, response, can);
        html.finish()
    }

    fn marked() -> QueryRequest {
        QueryRequest {
            query: "pain".into(),
            enrich: vec![Enrichment::Entities],
            ..QueryRequest::default()
        }
    }

    #[test]
    fn the_switch_turns_marks_on_and_off() {
        let off = QueryRequest {
            query: "pain".into(),
            ..QueryRequest::default()
        };
        let response = samples::response();
        let html = shown(&off, &response, true);
        assert!(
            html.contains("href=\"/?q=pain&amp;enrich=entities\""),
            "{html}"
        );
        assert_eq!(shown(&off, &response, false), "");
        // Without a head there is nothing to show but the way back.
        let html = shown(&marked(), &response, false);
        assert!(html.contains("href=\"/?q=pain\"") && !html.contains("legend"));
        assert_eq!(switched(&switched(&off)), off);
    }

    #[test]
    fn the_legend_names_the_types_that_are_there() {
        let response = samples::enriched();
        let html = shown(&marked(), &response, true);
        for part in [
            "<span class=\"entity k0\">Disease</span>",
            "<span class=\"entity k1\">Chemical</span>",
            "by entities over sample",
            "href=\"/?q=pain\"",
        ] {
            assert!(html.contains(part), "{part} is not in\n{html}");
        }
        let mut none = samples::enriched();
        none.hits.iter_mut().for_each(|hit| hit.entities = None);
        let html = shown(&marked(), &none, true);
        assert!(
            html.contains("No entity was found in these articles"),
            "{html}"
        );
    }
}
