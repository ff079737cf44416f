//! What is found in an article.

use super::entity::Entity;
use super::link::Link;
use super::relation::Relation;
use crate::article::Article;
use serde::{Deserialize, Serialize};

/// What was found in an article.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArticleFindings {
    /// Named entities.
    pub entities: ArticleEntities,
    /// What they have to do with each other; none where that was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relations: Option<ArticleRelations>,
}

/// Relations of an article. `first` and `second` of each are places in the
/// entities of the same part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArticleRelations {
    /// In its title.
    pub title: Vec<Relation>,
    /// In its running text.
    pub text: Vec<Relation>,
}

/// The two texts of an article that are read: its title and its running text,
/// as hits show them.
pub fn texts_of(article: &Article) -> [String; 2] {
    [
        article.display_title().plain.clone(),
        article.running_text().text,
    ]
}

/// Entities of an article.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArticleEntities {
    /// In its title.
    pub title: Vec<Entity>,
    /// In its running text.
    pub text: Vec<Entity>,
}

impl ArticleEntities {
    /// What is mentioned, each once however it is capitalised, in the order of
    /// first mention and by type: the type, and each name with its mentions.
    pub fn by_type(&self) -> Vec<(&str, Vec<(&str, usize)>)> {
        let mut types: Vec<(&str, Vec<(&str, usize)>)> = Vec::new();
        for entity in self.title.iter().chain(&self.text) {
            let place = types.iter().position(|(kind, _)| *kind == entity.kind);
            let place = place.unwrap_or_else(|| {
                types.push((&entity.kind, Vec::new()));
                types.len() - 1
            });
            let names = &mut types[place].1;
            let lower = entity.text.to_lowercase();
            match names.iter_mut().find(|one| one.0.to_lowercase() == lower) {
                Some((_, mentions)) => *mentions += 1,
                None => names.push((&entity.text, 1)),
            }
        }
        types
    }

    /// The concept of what is mentioned by a name, however it is capitalised.
    pub fn concept(&self, kind: &str, name: &str) -> Option<&Link> {
        let name = name.to_lowercase();
        let mut entities = self.title.iter().chain(&self.text);
        entities.find_map(|entity| {
            let same = entity.kind == kind && entity.text.to_lowercase() == name;
            entity.concept.as_ref().filter(|_| same)
        })
    }
}

/// What an article says of two entities.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The surest of the relations that say so.
    pub relation: &'a Relation,
    /// Its first entity.
    pub first: &'a Entity,
    /// Its second.
    pub second: &'a Entity,
}

impl ArticleFindings {
    /// Each relation with its two entities.
    pub fn related(&self) -> impl Iterator<Item = Told<'_>> {
        let relations = self.relations.iter();
        relations.flat_map(|relations| relations.between(&self.entities))
    }
}

impl ArticleRelations {
    /// Each relation with its two entities, which are those of the same article.
    pub fn between<'a>(&'a self, entities: &'a ArticleEntities) -> impl Iterator<Item = Told<'a>> {
        let parts = [(&self.title, &entities.title), (&self.text, &entities.text)];
        parts.into_iter().flat_map(|(relations, entities)| {
            relations.iter().filter_map(|relation| {
                Some(Told {
                    relation,
                    first: entities.get(relation.first)?,
                    second: entities.get(relation.second)?,
                })
            })
        })
    }

    /// The same, each type between two names once, the surest first.
    pub fn told<'a>(&'a self, entities: &'a ArticleEntities) -> Vec<Told<'a>> {
        let mut told: Vec<Told<'a>> = Vec::new();
        for one in self.between(entities) {
            match told.iter_mut().find(|known| known.says_the_same_as(&one)) {
                Some(known) if known.relation.score < one.relation.score => *known = one,
                Some(_) => {}
                None => told.push(one),
            }
        }
        told.sort_by(|a, b| b.relation.score.total_cmp(&a.relation.score));
        told
    }
}

impl Told<'_> {
    fn says_the_same_as(&self, other: &Self) -> bool {
        let names = |one: &Self| [one.first, one.second].map(|one| one.name().to_lowercase());
        self.relation.kind == other.relation.kind && names(self) == names(other)
    }
}
