use super::super::html::Html;
use super::super::running::Running;
use super::super::{badges, language, rich};
use super::entities::Marked;
use medsift::AbstractOrigin;
use medsift::article::{Article, OtherAbstract};

/// The abstract, further abstracts, and the full text where there is one.
pub(super) fn write(html: &mut Html, article: &Article, marked: &Marked) {
    let running = Running::of(article);
    let marks = marked.in_text(&running.text);
    let (_, origin) = article.display_abstract();
    if running.abstract_sections > 0 {
        let (heading, tag) = match &origin {
            AbstractOrigin::Other { kind, language } => (
                badges::other_abstract(kind.as_deref(), language.as_deref()),
                language.as_deref().and_then(language::tag),
            ),
            _ => ("Abstract".to_owned(), None),
        };
        let attributes = [("class", "reading-text"), ("lang", tag.unwrap_or("en"))];
        html.element("section", &attributes, |html| {
            html.leaf("h2", &[], heading);
            running.write_sections(html, 0..running.abstract_sections, &marks);
            copyright(html, article, &origin);
        });
    } else {
        html.raw("<p class=\"hint\">This record has no abstract.</p>");
    }
    // The first one is shown above when the record has no main abstract.
    let shown = usize::from(matches!(origin, AbstractOrigin::Other { .. }));
    for other in article.other_abstracts.iter().skip(shown) {
        other_abstract(html, other);
    }
    if running.len() > running.abstract_sections {
        html.element("section", &[("class", "reading-text")], |html| {
            html.raw("<h2>Full text</h2>");
            running.write_sections(html, running.abstract_sections..running.len(), &marks);
        });
    }
}

fn copyright(html: &mut Html, article: &Article, origin: &AbstractOrigin) {
    let line = match origin {
        AbstractOrigin::Main => article.copyright.as_ref(),
        _ => article
            .other_abstracts
            .first()
            .and_then(|other| other.copyright.as_ref()),
    };
    if let Some(line) = line {
        html.leaf("p", &[("class", "copyright")], line);
    }
}

fn other_abstract(html: &mut Html, other: &OtherAbstract) {
    let tag = other
        .language
        .as_deref()
        .and_then(language::tag)
        .unwrap_or("und");
    html.element("details", &[("class", "abstract")], |html| {
        let heading = badges::other_abstract(other.kind.as_deref(), other.language.as_deref());
        html.leaf("summary", &[], heading);
        html.element("div", &[("class", "reading-text"), ("lang", tag)], |html| {
            for section in &other.sections {
                html.element("p", &[], |html| {
                    if let Some(label) = &section.label {
                        html.leaf("b", &[("class", "label")], label).raw(" ");
                    }
                    rich::write(html, &section.text);
                });
            }
            if let Some(line) = &other.copyright {
                html.leaf("p", &[("class", "copyright")], line);
            }
        });
    });
}
