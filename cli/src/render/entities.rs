//! Named entities of a text, and how well they are found.

use super::text::{clean, columns};
use crate::commands::annotate::{Annotated, Related};
use crate::commands::eval::EntityReport;
use crate::output::Style;
use medsift::enrich::Entity;
use medsift::enrich::link::{Evidence, Link, Method};
use medsift::eval::EntityScore;

/// A line for each entity: characters, score, type, mention; and for each
/// relation: score, type, both entities, and the sentence below.
pub(crate) fn annotated(found: &Annotated, style: Style) -> String {
    let head = format!("model  {}, head {}\n", found.model, found.head);
    let mut page = clean(head.trim_end());
    page.push_str("\n\n");
    if found.entities.is_empty() {
        page.push_str("No entity was found.\n");
    }
    let kinds = found.entities.iter().map(|entity| columns(&entity.kind));
    let width = kinds.max().unwrap_or(0);
    for entity in &found.entities {
        let place = format!("{}..{}", entity.start, entity.end);
        page.push_str(&format!(
            "{place:>11}  {:.3}  {:width$}  {}\n",
            entity.score,
            clean(&entity.kind),
            style.highlight(&clean(&entity.text)),
        ));
        if let Some(link) = &entity.concept {
            page.pop();
            page.push_str(&format!("  {}\n", style.dim(&concept(link))));
        }
    }
    if let Some(related) = &found.relations {
        page.push_str(&relations(related, &found.entities, style));
    }
    page
}

/// `MESH:D001249 Asthma (nearest 0.71)`; what is a name itself needs no more.
fn concept(link: &Link) -> String {
    let Evidence { method, score } = link.evidence;
    let how = match method {
        Method::Exact => return clean(&format!("{} {}", link.id, link.name)),
        Method::Normalised => "normalised",
        Method::Abbreviation => "abbreviation",
        Method::Nearest => "nearest",
    };
    clean(&format!("{} {} ({how} {score:.2})", link.id, link.name))
}

fn relations(related: &Related, entities: &[Entity], style: Style) -> String {
    let mut page = clean(&format!("relations, head {}", related.head));
    page.insert(0, '\n');
    page.push_str("\n\n");
    if related.found.is_empty() {
        page.push_str("No relation was found.\n");
    }
    let name = |place: usize| {
        let entity = entities.get(place);
        entity.map_or_else(String::new, |entity| style.highlight(&clean(&entity.text)))
    };
    for relation in &related.found {
        let evidence = &relation.evidence;
        page.push_str(&format!(
            "{:.3}  {}  {} – {}\n       {}..{}  {}\n",
            relation.score,
            clean(&relation.kind),
            name(relation.first),
            name(relation.second),
            evidence.start,
            evidence.end,
            clean(&evidence.text)
        ));
    }
    page
}

/// For each file a row of all entities, and one of each type.
pub(crate) fn scores(report: &EntityReport) -> String {
    let head = format!("model  {}, head {}", report.model, report.head);
    let mut page = clean(&head);
    page.push('\n');
    for result in &report.results {
        let scores = &result.scores;
        page.push_str(&format!(
            "\n{}: {} sentences, {} words\n\
             precision  recall      F1    gold   found   right  type\n",
            clean(&result.file),
            scores.sentences,
            scores.words
        ));
        for (name, score) in &scores.types {
            page.push_str(&row(score, name));
        }
        page.push_str(&row(&scores.micro, "all (micro)"));
    }
    page
}

fn row(score: &EntityScore, name: &str) -> String {
    format!(
        "{:>9.4}  {:>6.4}  {:>6.4}  {:>6}  {:>6}  {:>6}  {}\n",
        score.precision,
        score.recall,
        score.f1,
        score.gold,
        score.predicted,
        score.correct,
        clean(name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::eval::FileScores;
    use medsift::enrich::{Evidence, Relation};
    use medsift::eval::{Counting, EntityCounter};

    #[test]
    fn entities_stand_in_columns() {
        let entity = |kind: &str, start: usize, text: &str| Entity {
            kind: kind.to_owned(),
            start,
            end: start + text.len(),
            text: text.to_owned(),
            score: 0.5,
            concept: None,
        };
        let mut found = Annotated {
            model: "tiny".to_owned(),
            head: "entities".to_owned(),
            text: String::new(),
            entities: vec![
                entity("Disease", 3, "pain"),
                entity("Gene", 110, "p53\u{1b}"),
            ],
            relations: None,
        };
        let expected = "model  tiny, head entities\n\n\
                        \u{20}      3..7  0.500  Disease  pain\n\
                        \u{20}  110..114  0.500  Gene     p53";
        let page = annotated(&found, Style::new(false));
        assert!(page.starts_with(expected), "{page}");
        assert!(!page.contains('\u{1b}'), "no escape reaches a terminal");
        let relation = Relation {
            kind: "association".to_owned(),
            head: "gad".to_owned(),
            score: 0.875,
            first: 1,
            second: 0,
            evidence: Evidence {
                start: 0,
                end: 20,
                text: "The sentence.".to_owned(),
            },
        };
        let head = "gad".to_owned();
        let related = |found| {
            Some(Related {
                head: head.clone(),
                found,
            })
        };
        found.relations = related(vec![relation]);
        let page = annotated(&found, Style::new(false));
        assert!(
            page.contains("\nrelations, head gad\n\n0.875  association  p53"),
            "{page}"
        );
        assert!(
            page.ends_with(" – pain\n       0..20  The sentence.\n"),
            "{page}"
        );
        found.relations = related(Vec::new());
        assert!(annotated(&found, Style::new(false)).contains("No relation"));
        found.entities.clear();
        assert!(annotated(&found, Style::new(false)).contains("No entity"));
    }

    #[test]
    fn scores_have_a_row_for_each_type_and_for_all() {
        let mut counter = EntityCounter::new(Counting::Conll);
        counter
            .add(&["B-Gene", "O", "B-Disease"], &["B-Gene", "B-Gene", "O"])
            .unwrap();
        let report = EntityReport {
            model: "tiny".to_owned(),
            head: "h".to_owned(),
            results: vec![FileScores {
                file: "a.tsv".to_owned(),
                scores: counter.scores(),
            }],
        };
        let expected = "model  tiny, head h\n\n\
                        a.tsv: 1 sentences, 3 words\n\
                        precision  recall      F1    gold   found   right  type\n\
                        \u{20}  0.0000  0.0000  0.0000       1       0       0  Disease\n\
                        \u{20}  0.5000  1.0000  0.6667       1       2       1  Gene\n\
                        \u{20}  0.5000  0.5000  0.5000       2       2       1  all (micro)\n";
        assert_eq!(scores(&report), expected);
    }
}
