//! What a hit says of the entities that it names, below them.

use super::html::Html;
use medsift::enrich::{ArticleEntities, ArticleRelations, Told};

/// Relations that are shown before the rest is counted.
const SHOWN: usize = 6;

/// Writes the relations, the surest first, each as a search for it; the sentence
/// that says so and how sure the model is stand in its title.
pub(crate) fn write(html: &mut Html, relations: &ArticleRelations, entities: &ArticleEntities) {
    let told = relations.told(entities);
    if told.is_empty() {
        return;
    }
    let attributes = [
        ("class", "entities relations"),
        ("aria-label", "Said of them, as a model reads it"),
    ];
    html.element("dl", &attributes, |html| {
        html.raw("<div><dt>Said, as a model reads it</dt>");
        for told in told.iter().take(SHOWN) {
            html.element("dd", &[], |html| one(html, told));
        }
        if let Some(more) = told.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            html.leaf("dd", &[("class", "more")], format_args!("and {more} more"));
        }
        html.raw("</div>");
    });
}

fn one(html: &mut Html, told: &Told<'_>) {
    let Told {
        relation,
        first,
        second,
    } = told;
    let href = search_for(&relation.kind, first.name(), second.name());
    let says = format!("{:.2} · {}", relation.score, relation.evidence.text);
    let text = format!("{} {} {}", first.name(), relation.kind, second.name());
    html.leaf("a", &[("href", &href), ("title", &says)], text);
}

/// The address of a search for all articles that say so.
fn search_for(kind: &str, first: &str, second: &str) -> String {
    let [kind, first, second] = [kind, first, second].map(|part| part.replace(['|', '"'], " "));
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("q", &format!("relation:\"{kind}|{first}|{second}\""))
        .append_pair("enrich", "entities")
        .finish();
    format!("/?{query}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::enrich::{Entity, Evidence, Relation};

    fn entity(text: &str) -> Entity {
        Entity {
            kind: "Chemical".to_owned(),
            start: 0,
            end: text.chars().count(),
            text: text.to_owned(),
            score: 0.9,
            concept: None,
        }
    }

    fn relation(second: usize, score: f32) -> Relation {
        Relation {
            kind: "induces".to_owned(),
            head: "induces".to_owned(),
            score,
            first: 0,
            second,
            evidence: Evidence {
                start: 0,
                end: 1,
                text: "A <b> sentence.".to_owned(),
            },
        }
    }

    #[test]
    fn each_is_said_once_the_surest_first() {
        let entities = ArticleEntities {
            title: vec![
                entity("Drug|\""),
                entity("pain"),
                entity("Pain"),
                entity("rash"),
            ],
            text: Vec::new(),
        };
        let relations = ArticleRelations {
            title: vec![
                relation(1, 0.6),
                relation(2, 0.7),
                relation(3, 0.9),
                relation(9, 0.9),
            ],
            text: Vec::new(),
        };
        let mut html = Html::default();
        write(&mut html, &relations, &entities);
        let html = html.finish();
        assert_eq!(html.matches("<dd").count(), 2, "{html}");
        let (rash, pain) = (html.find("rash").unwrap(), html.find("Pain</a>").unwrap());
        assert!(rash < pain, "{html}");
        for part in [
            "title=\"0.70 · A &lt;b&gt; sentence.\"",
            "q=relation%3A%22induces%7CDrug++%7CPain%22",
            "Drug|&quot; induces Pain</a>",
        ] {
            assert!(html.contains(part), "{part} is not in\n{html}");
        }
    }

    #[test]
    fn nothing_is_shown_of_nothing() {
        let mut html = Html::default();
        write(
            &mut html,
            &ArticleRelations::default(),
            &ArticleEntities::default(),
        );
        assert_eq!(html.finish(), "");
    }
}
