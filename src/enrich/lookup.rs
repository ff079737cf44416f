//! Under which values findings are looked up and counted.
//!
//! An entity that stands for a concept is looked up by its identifier
//! (`MESH:D003924`, or `D003924`) and by its name; every entity also by its
//! type and what is written (`Gene:BRCA1`), and by what is written alone. A
//! relation is looked up as `type|first|second`, where either entity is given
//! in any of these ways, and a star stands for anything. Case does not count.

use super::article::{ArticleFindings, Told};
use super::entity::Entity;
use std::collections::{BTreeMap, BTreeSet};

/// What stands for anything in a relation that is looked up.
const ANY: &str = "*";

/// What stands between the parts of a relation that is looked up.
const BETWEEN: char = '|';

/// An entity as it is counted over articles.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CountedEntity {
    /// What it is looked up by: `MESH:D003924`, else `Gene:brca1`.
    pub value: String,
    /// Its type.
    pub kind: String,
    /// The concept's name, else what is written.
    pub name: String,
}

/// What an article's findings are looked up by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookupValues {
    /// Of its entities.
    pub entities: BTreeSet<String>,
    /// Of its relations.
    pub relations: BTreeSet<String>,
    /// Its entities, each value once.
    pub counted: Vec<CountedEntity>,
}

impl LookupValues {
    /// Those of an article.
    pub fn of(findings: &ArticleFindings) -> Self {
        let mut values = Self::default();
        let mut counted: BTreeMap<String, CountedEntity> = BTreeMap::new();
        let entities = &findings.entities;
        for entity in entities.title.iter().chain(&entities.text) {
            values.entities.extend(ways(entity));
            let one = counted_as(entity);
            counted.entry(one.value.clone()).or_insert(one);
        }
        values.counted = counted.into_values().collect();
        for Told {
            relation,
            first,
            second,
        } in findings.related()
        {
            let any = || std::iter::once(ANY.to_owned());
            for first in ways(first).chain(any()) {
                for second in ways(second).chain(any()) {
                    for kind in [relation.kind.as_str(), ANY] {
                        if [kind, &first, &second].iter().any(|part| *part != ANY) {
                            let value = format!("{kind}{BETWEEN}{first}{BETWEEN}{second}");
                            values.relations.insert(value.to_lowercase());
                        }
                    }
                }
            }
        }
        values
    }
}

/// Every way to ask for an entity, in small letters.
fn ways(entity: &Entity) -> impl Iterator<Item = String> {
    let written = one_line(&entity.text);
    let mut ways = vec![
        format!("{}:{written}", entity.kind),
        format!("{}:{ANY}", entity.kind),
        written,
    ];
    if let Some(concept) = &entity.concept {
        let number = concept.id.split_once(':').map(|(_, number)| number);
        ways.extend(number.map(str::to_owned));
        ways.push(concept.id.clone());
        ways.push(concept.name.clone());
    }
    // The bar stands between the parts of a relation.
    ways.into_iter()
        .map(|way| way.to_lowercase().replace(BETWEEN, " "))
}

fn counted_as(entity: &Entity) -> CountedEntity {
    let written = one_line(&entity.text);
    match &entity.concept {
        Some(concept) => CountedEntity {
            value: concept.id.clone(),
            kind: entity.kind.clone(),
            name: concept.name.clone(),
        },
        None => CountedEntity {
            value: format!(
                "{}:{}",
                entity.kind,
                written.to_lowercase().replace(BETWEEN, " ")
            ),
            kind: entity.kind.clone(),
            name: written,
        },
    }
}

/// White space is one space, as in what users write.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Says what is wrong with a relation that is to be looked up; nothing where
/// it has its three parts.
pub fn relation_fault(value: &str) -> Option<String> {
    let parts: Vec<&str> = value.split(BETWEEN).map(str::trim).collect();
    let whole = parts.len() == 3 && parts.iter().all(|part| !part.is_empty());
    let fault = if !whole {
        "has not three parts"
    } else if parts.iter().all(|part| *part == ANY) {
        "asks for nothing"
    } else {
        return None;
    };
    Some(format!(
        "the relation `{value}` {fault}: write it as type|first|second, such as \
         induces|D008687|*, where * is anything; with spaces in it, in quotation marks"
    ))
}

/// A relation as it is looked up: without white space around its parts.
pub fn relation_value(value: &str) -> String {
    let parts: Vec<&str> = value.split(BETWEEN).map(str::trim).collect();
    parts.join("|")
}

#[cfg(test)]
mod tests;
