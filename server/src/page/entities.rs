//! What a hit speaks of, below its text.

use super::html::Html;
use super::kinds;
use medsift::enrich::ArticleEntities;
use medsift::enrich::link::Link;
use medsift::query::Enrichment;

/// Names of a type that are shown before the rest is counted.
const NAMED: usize = 6;

/// What an entity is: its type, and the concept that it stands for.
pub(crate) fn in_words(kind: &str, concept: Option<&Link>) -> String {
    match concept {
        Some(link) => format!("{kind} · {} {}", link.id, link.name),
        None => kind.to_owned(),
    }
}

/// Writes the entities by type, each as a search for it.
pub(crate) fn write(html: &mut Html, entities: &ArticleEntities) {
    let types = entities.by_type();
    if types.is_empty() {
        return;
    }
    html.element(
        "dl",
        &[
            ("class", "entities"),
            ("aria-label", "Named in this article"),
        ],
        |html| {
            for (kind, names) in &types {
                html.raw("<div>").leaf("dt", &[], kind);
                for (name, _) in names.iter().take(NAMED) {
                    html.element("dd", &[], |html| {
                        let href = search_for(name);
                        let concept = entities.concept(kind, name);
                        let says = in_words(kind, concept);
                        let mut attributes = vec![("class", kinds::class(kind)), ("href", &href)];
                        if concept.is_some() {
                            attributes.push(("title", &says));
                        }
                        html.leaf("a", &attributes, name);
                    });
                }
                if let Some(more) = names.len().checked_sub(NAMED).filter(|&more| more > 0) {
                    html.leaf("dd", &[("class", "more")], format_args!("and {more} more"));
                }
                html.raw("</div>");
            }
        },
    );
}

/// The address of a search for a name, as a phrase; what it finds is marked as
/// well.
fn search_for(name: &str) -> String {
    let phrase = format!("\"{}\"", name.replace('"', " "));
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("q", &phrase)
        .append_pair("enrich", Enrichment::Entities.as_str())
        .finish();
    format!("/?{query}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::enrich::Entity;
    use medsift::enrich::link::{Evidence, Link, Method};

    fn entity(kind: &str, text: &str) -> Entity {
        Entity {
            kind: kind.to_owned(),
            start: 0,
            end: text.chars().count(),
            text: text.to_owned(),
            score: 0.9,
            concept: None,
        }
    }

    fn written(entities: &ArticleEntities) -> String {
        let mut html = Html::default();
        write(&mut html, entities);
        html.finish()
    }

    #[test]
    fn names_are_links_and_markup_in_them_is_text() {
        assert_eq!(written(&ArticleEntities::default()), "");
        let shown = written(&ArticleEntities {
            title: vec![entity("Disease", "Asthma")],
            text: vec![entity("Disease", "asthma"), entity("Gene", "<b>\"IL-2\"")],
        });
        assert!(
            shown.contains(
                "class=\"entity k0\" href=\"/?q=%22Asthma%22&amp;enrich=entities\">Asthma</a>"
            ),
            "{shown}"
        );
        assert!(
            !shown.contains(">asthma<"),
            "once, however it is written: {shown}"
        );
        assert!(
            shown.contains("&lt;b&gt;") && !shown.contains("<b>"),
            "{shown}"
        );
    }

    #[test]
    fn a_name_with_a_concept_says_which() {
        let mut asthma = entity("Disease", "asthma");
        asthma.concept = Some(Link {
            id: "MESH:D001249".to_owned(),
            name: "Asthma <\"".to_owned(),
            evidence: Evidence {
                method: Method::Exact,
                score: 1.0,
            },
        });
        let shown = written(&ArticleEntities {
            title: vec![entity("Disease", "Asthma")],
            text: vec![asthma],
        });
        assert!(
            shown.contains("title=\"Disease · MESH:D001249 Asthma &lt;&quot;\">Asthma</a>"),
            "{shown}"
        );
    }

    #[test]
    fn a_long_list_is_counted() {
        let text = (0..9).map(|n| entity("Gene", &format!("TP{n}"))).collect();
        let shown = written(&ArticleEntities {
            title: Vec::new(),
            text,
        });
        assert!(shown.contains("TP5") && !shown.contains("TP6"), "{shown}");
        assert!(shown.contains("and 3 more"), "{shown}");
    }
}
