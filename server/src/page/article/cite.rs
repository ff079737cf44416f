//! Ways to take the citation along.

use super::super::citation::in_path;
use super::super::html::Html;
use medsift::article::Article;
use medsift::article::citation::{CitationFormat, plain};

/// A reference to paste, and files for reference managers.
pub(super) fn write(html: &mut Html, article: &Article) {
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
                let address = format!("/v1/articles/{id}?format={}", format.as_str());
                html.leaf("a", &[("href", &address), ("download", "")], name);
            }
        });
    });
}
