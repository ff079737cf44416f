//! One hit of a result list.

use super::html::Html;
use super::marks::Marks;
use super::running::Running;
use super::{badges, citation, entities, relations, rich, snippet};
use medsift::fusion::SideRank;
use medsift::searcher::{Explanation, Hit};

/// Authors that are named before the rest is counted.
const AUTHORS_NAMED: usize = 6;

/// Writes a hit. `query` is the query string that leads back to this list;
/// `enriched` says whether entities were looked for in its hits.
pub(crate) fn write(html: &mut Html, hit: &Hit, query: &str, enriched: bool) {
    let heading = format!("hit-{}", hit.rank);
    html.element("li", &[("class", "hit")], |html| {
        html.element("article", &[("aria-labelledby", &heading)], |html| {
            title(html, hit, &heading, query);
            authors(html, &hit.authors);
            citation::write(html, &hit.article);
            badges::write(html, &hit.article, &hit.abstract_origin);
            text(html, hit);
            notes(html, hit, enriched);
            if let Some(found) = &hit.entities {
                entities::write(html, found);
                if let Some(told) = &hit.relations {
                    relations::write(html, told, found);
                }
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
                let entities = hit.entities.as_ref().map_or(&[][..], |found| &found.title);
                let marks = Marks::found(&title.plain, &hit.highlights.title)
                    .with_entities(&title.plain, entities)
                    .in_link();
                rich::write_marked(html, title, &marks);
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
    let entities = hit.entities.as_ref().map_or(&[][..], |found| &found.text);
    let marks =
        Marks::found(&running.text, &hit.highlights.text).with_entities(&running.text, entities);
    let passage = hit
        .passage
        .as_ref()
        .and_then(|passage| rich::in_bytes(&running.text, &[[passage.start, passage.end]]).pop())
        .unwrap_or(0..running.text.len());
    let part = snippet::choose(&running.text, passage, &marks.found);
    let (before, after) = (part.start > 0, part.end < running.text.len());
    html.element("p", &[("class", "snippet")], |html| {
        if before {
            html.raw("<span class=\"cut\">… </span>");
        }
        running.write_part(html, part, &marks);
        if after {
            html.raw("<span class=\"cut\"> …</span>");
        }
    });
    if before || after {
        html.element("details", &[("class", "abstract")], |html| {
            html.raw("<summary>Whole abstract</summary>");
            html.element("div", &[("class", "reading-text")], |html| {
                running.write_sections(html, 0..running.abstract_sections, &marks);
            });
        });
    }
}

/// What the text does not show of itself.
fn notes(html: &mut Html, hit: &Hit, enriched: bool) {
    if hit.truncated {
        let note = "The model read only the beginning of this text.";
        html.leaf("p", &[("class", "note")], note);
    }
    if enriched && hit.entities.is_none() {
        let note = "Not read for entities: the time was over before.";
        html.leaf("p", &[("class", "note")], note);
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
