//! One hit of a result list.

use super::html::Html;
use super::running::Running;
use super::{badges, citation, entities, rich, snippet};
use medsift::fusion::SideRank;
use medsift::searcher::{Explanation, Hit};

/// Authors that are named before the rest is counted.
const AUTHORS_NAMED: usize = 6;

/// Writes a hit. `query` is the query string that leads back to this list.
pub(crate) fn write(html: &mut Html, hit: &Hit, query: &str) {
    let heading = format!("hit-{}", hit.rank);
    html.element("li", &[("class", "hit")], |html| {
        html.element("article", &[("aria-labelledby", &heading)], |html| {
            title(html, hit, &heading, query);
            authors(html, &hit.authors);
            citation::write(html, &hit.article);
            badges::write(html, &hit.article, &hit.abstract_origin);
            text(html, hit);
            if let Some(found) = &hit.entities {
                entities::write(html, found);
            }
            if let Some(explain) = &hit.explain {
                scores(html, hit.score, explain);
            }
            citation::write_ids(html, &hit.article);
        });
    });
}

fn title(html: &mut Html, hit: &Hit, heading: &str, query: &str) {
    let address = citation::article_address(hit.id.as_str(), query);
    let title = hit.article.display_title();
    html.element("h2", &[("id", heading)], |html| {
        html.element("a", &[("href", &address)], |html| {
            if title.is_empty() {
                html.raw("<i>Without a title</i>");
            } else {
                let found = rich::in_bytes(&title.plain, &hit.highlights.title);
                let whole = 0..title.plain.len();
                rich::write_part(html, &title.plain, whole, &title.markup, &found);
            }
        });
    });
}

fn authors(html: &mut Html, authors: &[String]) {
    if authors.is_empty() {
        return;
    }
    let named = authors.len().min(AUTHORS_NAMED);
    html.element("p", &[("class", "authors")], |html| {
        html.text(authors[..named].join(", "));
        match authors.len() - named {
            0 => {}
            more => {
                html.text(format_args!(" and {more} more"));
            }
        }
    });
}

/// The best part of the best passage, and the whole text to unfold.
fn text(html: &mut Html, hit: &Hit) {
    let running = Running::of(&hit.article);
    if running.text.is_empty() {
        return;
    }
    let found = rich::in_bytes(&running.text, &hit.highlights.text);
    let passage = hit
        .passage
        .as_ref()
        .and_then(|passage| rich::in_bytes(&running.text, &[[passage.start, passage.end]]).pop())
        .unwrap_or(0..running.text.len());
    let part = snippet::choose(&running.text, passage, &found);
    let (before, after) = (part.start > 0, part.end < running.text.len());
    html.element("p", &[("class", "snippet")], |html| {
        if before {
            html.raw("<span class=\"cut\">… </span>");
        }
        running.write_part(html, part, &found);
        if after {
            html.raw("<span class=\"cut\"> …</span>");
        }
    });
    if before || after {
        html.element("details", &[("class", "abstract")], |html| {
            html.raw("<summary>Whole abstract</summary>");
            html.element("div", &[("class", "reading-text")], |html| {
                running.write_sections(html, 0..running.abstract_sections, &found);
            });
        });
    }
}

fn scores(html: &mut Html, score: f32, explain: &Explanation) {
    html.element("dl", &[("class", "scores")], |html| {
        html.raw("<div><dt>Score</dt><dd>")
            .text(format_args!("{score:.4}"))
            .raw("</dd></div>");
        side(html, "Keyword", "BM25", explain.keyword, 2);
        side(html, "Semantic", "cosine", explain.semantic, 3);
    });
}

fn side(
    html: &mut Html,
    name: &'static str,
    measure: &'static str,
    place: Option<SideRank>,
    digits: usize,
) {
    html.raw("<div><dt>").raw(name).raw("</dt><dd>");
    match place {
        Some(SideRank { rank, score }) => {
            html.text(format_args!("#{rank} · {measure} {score:.digits$}"));
        }
        None => {
            html.raw("not found");
        }
    }
    html.raw("</dd></div>");
}
