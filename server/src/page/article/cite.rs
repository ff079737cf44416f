//! Ways to take the citation along, and the text with its entities.

use super::super::citation::in_path;
use super::super::html::Html;
use medsift::article::Article;
use medsift::article::citation::{CitationFormat, plain};
use medsift::enrich::exchange::ExchangeFormat;

/// A reference to paste, and files for reference managers; `annotated` offers
/// those with entities as well.
pub(super) fn write(html: &mut Html, article: &Article, annotated: bool) {
    let id = in_path(article.id.as_str()).replace('/', "%2F");
    html.element("section", &[("class", "cite")], |html| {
        html.raw("<h2>Cite</h2>");
        html.leaf(
            "p",
            &[("id", "citation-text"), ("class", "reference")],
            plain(article),
        );
        html.element("p", &[("class", "downloads")], |html| {
            // Shown by the script, without which it could do nothing.
            html.raw(
                "<button type=\"button\" id=\"copy-citation\" hidden>Copy citation</button>\
                 <span id=\"copied\" role=\"status\"></span>",
            );
            for format in CitationFormat::ALL {
                let name = match format {
                    CitationFormat::Nbib => "NBIB",
                    CitationFormat::Ris => "RIS",
                    CitationFormat::Bibtex => "BibTeX",
                    CitationFormat::Csl => "CSL-JSON",
                    CitationFormat::Xml => "PubMed XML",
                };
                file(html, &id, format.as_str(), name);
            }
        });
        if annotated {
            with_entities(html, &id);
        }
    });
}

fn with_entities(html: &mut Html, id: &str) {
    html.element("p", &[("class", "downloads")], |html| {
        html.raw("Title and abstract with the entities in them:");
        for format in ExchangeFormat::ALL {
            let name = match format {
                ExchangeFormat::Pubtator => "PubTator",
                ExchangeFormat::Bioc => "BioC",
            };
            file(html, id, format.as_str(), name);
        }
    });
}

fn file(html: &mut Html, id: &str, format: &str, name: &'static str) {
    let address = format!("/v1/articles/{id}?format={format}");
    html.leaf("a", &[("href", &address), ("download", "")], name);
}
