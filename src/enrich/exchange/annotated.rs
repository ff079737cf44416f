//! Documents of what this program finds.

use super::document::{Document, Mention, Notes, Relation, TextPart};
use crate::enrich::{ArticleFindings, Entity, Relation as Found};
use std::collections::BTreeMap;

impl Document {
    /// An article, by title and abstract, with its entities, which lie in the
    /// one and in the other, and their relations.
    pub fn of_article(id: &str, title: &str, text: &str, found: &ArticleFindings) -> Self {
        let offset = title.chars().count() + 1;
        let entities = &found.entities;
        let of_title: Vec<Mention> = entities.title.iter().map(|one| mention(one, 0)).collect();
        let of_text = entities.text.iter().map(|one| mention(one, offset));
        let before = of_title.len();
        let mentions: Vec<Mention> = of_title.into_iter().chain(of_text).collect();
        let mut relations = Vec::new();
        if let Some(told) = &found.relations {
            for (list, before) in [(&told.title, 0), (&told.text, before)] {
                for one in list {
                    // Places are among the mentions of both.
                    let placed = Found {
                        first: one.first + before,
                        second: one.second + before,
                        ..one.clone()
                    };
                    relations.push(relation(&placed, &mentions));
                }
            }
        }
        Self {
            id: id.to_owned(),
            passages: vec![part("title", 0, title), part("abstract", offset, text)],
            relations,
            mentions,
        }
    }

    /// A text with its entities and their relations. Where the text has several
    /// lines, the first is the title; offsets are those of the text as it is.
    pub fn of_text(id: &str, text: &str, entities: &[Entity], relations: &[Found]) -> Self {
        let passages = match text.trim_end().split_once('\n') {
            Some((title, _)) => {
                let below = &text[title.len() + 1..];
                let offset = title.chars().count() + 1;
                vec![part("title", 0, title), part("abstract", offset, below)]
            }
            None => vec![part("text", 0, text)],
        };
        let mentions: Vec<Mention> = entities.iter().map(|one| mention(one, 0)).collect();
        let relations = relations.iter().map(|one| relation(one, &mentions));
        Self {
            id: id.to_owned(),
            passages,
            relations: relations.collect(),
            mentions,
        }
    }
}

fn part(kind: &str, offset: usize, text: &str) -> TextPart {
    TextPart {
        kind: kind.to_owned(),
        offset,
        text: text.to_owned(),
    }
}

fn mention(entity: &Entity, offset: usize) -> Mention {
    let mut notes: Notes = BTreeMap::from([score(entity.score)]);
    if let Some(concept) = &entity.concept {
        notes.insert("name".to_owned(), concept.name.clone());
    }
    Mention {
        characters: entity.start + offset..entity.end + offset,
        pieces: Vec::new(),
        text: entity.text.clone(),
        kind: entity.kind.clone(),
        identifier: entity.concept.as_ref().map(|concept| concept.id.clone()),
        notes,
    }
}

fn relation(found: &Found, mentions: &[Mention]) -> Relation {
    let places = [found.first, found.second];
    let identifier = |place: usize| {
        let known = mentions.get(place).and_then(|one| one.identifier.clone());
        known.unwrap_or_else(|| "-".to_owned())
    };
    let sentence = ("sentence".to_owned(), found.evidence.text.clone());
    Relation {
        kind: found.kind.clone(),
        arguments: places.map(identifier).into(),
        mentions: places.into(),
        notes: BTreeMap::from([score(found.score), sentence]),
    }
}

fn score(score: f32) -> (String, String) {
    ("score".to_owned(), score.to_string())
}

#[cfg(test)]
mod tests;
