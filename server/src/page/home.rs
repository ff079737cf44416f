//! The first page: the form, and what there is to search.

use super::form;
use super::html::Html;
use super::layout::Layout;
use super::number::counted;
use medsift::index::IndexStats;
use medsift::query::{Mode, QueryRequest};
use medsift::searcher::SearchSettings;

/// Renders the page for a request without words.
pub(crate) fn page(
    request: &QueryRequest,
    stats: &IndexStats,
    settings: &SearchSettings,
) -> String {
    let layout = Layout {
        title: "",
        class: "home",
        skip: "Skip to the search",
    };
    layout.page(
        |_| (),
        |html| {
            html.raw("<h1>Search biomedical literature</h1>")
                .raw("<p class=\"lead\">By its words, by its meaning, or both.</p>");
            form::write_focused(html, request, settings.query.mode);
            if *request != QueryRequest::default() {
                html.raw("<p class=\"hint\" role=\"status\">Type some words to look for.</p>");
            }
            if stats.articles == 0 {
                empty_index(html);
            } else {
                holdings(html, stats);
                explain_modes(html);
            }
        },
    )
}

fn empty_index(html: &mut Html) {
    html.raw(
        "<section class=\"nothing\"><h2>This index is empty</h2>\
         <p>Add articles with <code>medsift index FILE… --index DIR</code>; \
         they can be found here as soon as they are committed.</p></section>",
    );
}

fn holdings(html: &mut Html, stats: &IndexStats) {
    html.element("p", &[("class", "holdings")], |html| {
        html.leaf("b", &[], counted(stats.articles, "article"))
            .text(format_args!(
                " in {} · embedded by {} · ",
                counted(stats.passages, "passage"),
                stats.model.name
            ))
            .raw("updated ");
        // The date is enough for people; the whole time is there on hover.
        let day = stats.committed_at.split('T').next().unwrap_or_default();
        html.leaf("time", &[("datetime", &stats.committed_at)], day);
    });
}

fn explain_modes(html: &mut Html) {
    html.element("dl", &[("class", "explained")], |html| {
        for mode in Mode::ALL {
            let (name, text) = match mode {
                Mode::Hybrid => (
                    "Hybrid",
                    "Words and meaning together: the best start for most questions.",
                ),
                Mode::Keyword => (
                    "Keyword",
                    "Articles that hold your words: names, genes, drugs, authors, identifiers.",
                ),
                Mode::Semantic => (
                    "Semantic",
                    "Articles that say the same in other words: describe what you look for.",
                ),
            };
            html.raw("<div><dt>")
                .raw(name)
                .raw("</dt><dd>")
                .raw(text)
                .raw("</dd></div>");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;

    #[test]
    fn the_first_page_says_what_there_is() {
        let show = |request: &QueryRequest, articles| {
            let stats = IndexStats {
                articles,
                ..samples::stats()
            };
            page(request, &stats, &SearchSettings::default())
        };
        let plain = show(&QueryRequest::default(), 1234);
        assert!(plain.contains("<b>1,234 articles</b>"), "{plain}");
        assert!(
            plain.contains("name=\"mode\" value checked><span>Hybrid"),
            "{plain}"
        );
        assert!(!plain.contains("Type some words"));
        let mut filtered = QueryRequest::default();
        filtered.filter.has_abstract = Some(true);
        assert!(show(&filtered, 1).contains("Type some words"));
        assert!(show(&QueryRequest::default(), 0).contains("This index is empty"));
    }
}
