use super::super::html::Html;
use super::super::{badges, citation, language, rich};
use super::entities::Marked;
use super::linked::Linked;
use medsift::article::{Article, Author, CorrectionKind};

/// Title, authors, citation, identifiers, and what to beware of.
pub(super) fn write(html: &mut Html, article: &Article, linked: &Linked, marked: &Marked) {
    html.element("header", &[("class", "article-head")], |html| {
        titles(html, article, marked);
        authors(html, article);
        citation::write(html, article);
        badges::write(html, article, &article.display_abstract().1);
        citation::write_ids(html, article);
    });
    if article.is_retracted() {
        retraction(html, article, linked);
    }
}

fn titles(html: &mut Html, article: &Article, marked: &Marked) {
    html.element("h1", &[("id", "title")], |html| {
        let title = article.display_title();
        if title.is_empty() {
            html.raw("<i>Without a title</i>");
        } else {
            rich::write_marked(html, title, &marked.in_title(&title.plain));
        }
    });
    let vernacular = &article.vernacular_title;
    if !vernacular.is_empty() && vernacular != article.display_title() {
        let tag = article
            .languages
            .iter()
            .find_map(|code| language::tag(code));
        html.element(
            "p",
            &[("class", "vernacular"), ("lang", tag.unwrap_or("und"))],
            |html| {
                rich::write(html, vernacular);
            },
        );
    }
    if let Some(book) = article.book.as_ref().filter(|_| article.journal.is_some()) {
        html.element("p", &[("class", "citation")], |html| {
            html.raw("In: ");
            rich::write(html, &book.title);
        });
    }
}

/// Names in full, affiliations at the foot of the article.
fn authors(html: &mut Html, article: &Article) {
    if article.authors.is_empty() {
        return;
    }
    html.element("p", &[("class", "authors")], |html| {
        // Names that the source lists as misspelt are among the people below.
        let valid = article.authors.iter().filter(|author| author.valid);
        for (place, author) in valid.enumerate() {
            if place > 0 {
                html.raw(", ");
            }
            html.text(full_name(author));
        }
        if !article.authors_complete {
            html.raw(" and others");
        }
    });
}

/// `Jane A Smith Jr`, or the group's name.
pub(super) fn full_name(author: &Author) -> String {
    let Some(name) = &author.name else {
        return author.display();
    };
    let given = name.fore.as_ref().or(name.initials.as_ref());
    let parts = [given, Some(&name.last), name.suffix.as_ref()];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.map(String::as_str).collect::<Vec<_>>().join(" ")
}

fn retraction(html: &mut Html, article: &Article, linked: &Linked) {
    html.element(
        "aside",
        &[("class", "retraction"), ("aria-label", "Retraction")],
        |html| {
            html.raw("<p><b>This article has been retracted.</b>");
            let notices = article
                .links
                .iter()
                .filter(|link| link.kind == CorrectionKind::RetractionIn);
            for notice in notices {
                html.raw(" Notice: ");
                super::links::target(html, notice, linked);
            }
            html.raw("</p>");
        },
    );
}
