//! The nearest articles of the index.

use super::super::citation::{self, article_address};
use super::super::html::Html;
use super::super::{badges, rich};
use medsift::searcher::Hit;

/// Articles that are listed.
pub(super) const LISTED: usize = 5;

/// Titles that lead to the articles, nearest first. `query` is the query string
/// of the search that led here.
pub(super) fn write(html: &mut Html, similar: &[Hit], query: &str) {
    if similar.is_empty() {
        return;
    }
    html.element("section", &[("class", "similar")], |html| {
        html.raw("<h2>Similar articles</h2>");
        html.element("ol", &[], |html| {
            for hit in similar {
                html.element("li", &[], |html| {
                    let address = article_address(hit.id.as_str(), query);
                    let title = hit.article.display_title();
                    html.element("a", &[("href", &address)], |html| {
                        if title.is_empty() {
                            html.raw("<i>Without a title</i>");
                        } else {
                            rich::write(html, title);
                        }
                    });
                    citation::write(html, &hit.article);
                    if hit.retracted {
                        badges::write(html, &hit.article, &hit.abstract_origin);
                    }
                });
            }
        });
    });
}
