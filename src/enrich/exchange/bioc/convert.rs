//! BioC's parts as documents with mentions and relations, and back.
//!
//! Of a mention, `type` and `identifier` are said as PubTator's services say
//! them; corpora name the vocabulary instead (`MESH`), which is read too. A
//! relation of concepts has `entity1`, `entity2` as in BioRED; BC5CDR names the
//! types of its arguments instead.

use super::{Annotation, BiocDocument, BiocRelation, Infons, Location, Node, Passage, Sentence};
use crate::enrich::exchange::document::{Document, Mention, Notes, Relation, TextPart};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Infons that hold the identifier of an annotation, the first that is there.
const IDENTIFIER: [&str; 8] = [
    "identifier",
    "MESH",
    "OMIM",
    "CHEBI",
    "NCBI Gene",
    "NCBI Taxonomy",
    "NCBI Gene identifier",
    "entrez_id",
];

const TYPE: &str = "type";

impl BiocDocument {
    /// The document with its mentions and relations. Annotations that are
    /// numbered come in the order of their numbers, others as the file has them.
    pub fn to_document(&self) -> Document {
        let mut annotations = self.all_annotations();
        let numbers = |of: &&Annotation| of.id.parse::<usize>().ok();
        let numbered: HashSet<usize> = annotations.iter().filter_map(numbers).collect();
        if numbered.len() == annotations.len() {
            annotations.sort_by_key(numbers);
        }
        let places: HashMap<&str, usize> = annotations
            .iter()
            .enumerate()
            .map(|(place, one)| (one.id.as_str(), place))
            .collect();
        let mentions: Vec<Mention> = annotations.iter().map(|one| one.to_mention()).collect();
        let relations = self.all_relations();
        let relations = relations.map(|one| one.to_relation(&mentions, &places));
        Document {
            id: self.id.clone(),
            passages: self.passages.iter().map(Passage::to_part).collect(),
            relations: relations.collect(),
            mentions,
        }
    }

    fn all_annotations(&self) -> Vec<&Annotation> {
        let of_passages = self.passages.iter().flat_map(|passage| {
            let of_sentences = passage.sentences.iter().flat_map(|one| &one.annotations);
            passage.annotations.iter().chain(of_sentences)
        });
        of_passages.chain(&self.annotations).collect()
    }

    fn all_relations(&self) -> impl Iterator<Item = &BiocRelation> {
        let of_passages = self.passages.iter().flat_map(|passage| {
            let of_sentences = passage.sentences.iter().flat_map(|one| &one.relations);
            passage.relations.iter().chain(of_sentences)
        });
        of_passages.chain(&self.relations)
    }

    /// A document in BioC's parts: its mentions, numbered, in the passage in
    /// which they begin.
    pub fn of(document: &Document) -> Self {
        let mut made = Self {
            id: document.id.clone(),
            passages: document.passages.iter().map(Passage::of).collect(),
            ..Self::default()
        };
        for (number, mention) in document.mentions.iter().enumerate() {
            let annotation = Annotation::of(number, mention);
            let start = mention.characters.start;
            let place = document
                .passages
                .partition_point(|part| part.offset <= start);
            match made.passages.get_mut(place.saturating_sub(1)) {
                Some(passage) => passage.annotations.push(annotation),
                None => made.annotations.push(annotation),
            }
        }
        let relations = document.relations.iter().enumerate();
        let relations = relations.map(|(number, one)| BiocRelation::of(number, one, document));
        made.relations = relations.collect();
        made
    }
}

impl Passage {
    fn to_part(&self) -> TextPart {
        TextPart {
            kind: self.infons.get(TYPE).map(said).unwrap_or_default(),
            offset: self.offset,
            text: match &self.text {
                Some(text) => text.clone(),
                None => of_sentences(self.offset, &self.sentences),
            },
        }
    }

    fn of(part: &TextPart) -> Self {
        let kind = (!part.kind.is_empty()).then(|| (TYPE.to_owned(), part.kind.clone().into()));
        Self {
            offset: part.offset,
            infons: kind.into_iter().collect(),
            text: Some(part.text.clone()),
            ..Self::default()
        }
    }
}

/// Sentences at their offsets, with spaces between.
fn of_sentences(offset: usize, sentences: &[Sentence]) -> String {
    let parts = sentences.iter().map(|sentence| TextPart {
        kind: String::new(),
        offset: sentence.offset.saturating_sub(offset),
        text: sentence.text.clone().unwrap_or_default(),
    });
    let whole = Document {
        passages: parts.collect(),
        ..Document::default()
    };
    whole.text()
}

impl Annotation {
    fn to_mention(&self) -> Mention {
        let pieces: Vec<Range<usize>> = self
            .locations
            .iter()
            .map(|one| one.offset..one.offset.saturating_add(one.length))
            .collect();
        let start = pieces.iter().map(|piece| piece.start).min();
        let end = pieces.iter().map(|piece| piece.end).max();
        let identifier = IDENTIFIER.iter().find_map(|name| self.infons.get(*name));
        Mention {
            characters: start.unwrap_or_default()..end.unwrap_or_default(),
            pieces: if pieces.len() > 1 { pieces } else { Vec::new() },
            text: self.text.clone().unwrap_or_default(),
            kind: self.infons.get(TYPE).map(said).unwrap_or_default(),
            identifier: identifier.map(said),
            notes: notes(&self.infons, |name| name != TYPE && name != IDENTIFIER[0]),
        }
    }

    fn of(number: usize, mention: &Mention) -> Self {
        let mut infons = infons(&mention.notes);
        infons.insert(TYPE.to_owned(), mention.kind.clone().into());
        if let Some(identifier) = &mention.identifier {
            infons.insert(IDENTIFIER[0].to_owned(), identifier.clone().into());
        }
        let location = |range: &Range<usize>| Location {
            offset: range.start,
            length: range.len(),
        };
        Self {
            id: number.to_string(),
            infons,
            text: Some(mention.text.clone()),
            locations: match &mention.pieces[..] {
                [] => vec![location(&mention.characters)],
                pieces => pieces.iter().map(location).collect(),
            },
            ..Self::default()
        }
    }
}

impl BiocRelation {
    fn to_relation(&self, mentions: &[Mention], places: &HashMap<&str, usize>) -> Relation {
        let types: HashSet<&str> = mentions.iter().map(|one| one.kind.as_str()).collect();
        let named = (1..).map_while(|number| self.infons.get(&entity(number)));
        let mut arguments: Vec<String> = named.map(said).collect();
        let by_type = arguments.is_empty();
        if by_type {
            let of_type = self
                .infons
                .iter()
                .filter(|(name, _)| types.contains(&name[..]));
            arguments = of_type.map(|(_, value)| said(value)).collect();
        }
        let found: Vec<usize> = self
            .nodes
            .iter()
            .filter_map(|node| places.get(node.refid.as_str()).copied())
            .collect();
        if arguments.is_empty() {
            let identifier = |place: &usize| mentions[*place].identifier.clone();
            let each = found.iter().map(identifier);
            arguments = each
                .map(|id| id.unwrap_or_else(|| "-".to_owned()))
                .collect();
        }
        let of = ["type", "relation"];
        let kind = of.iter().find_map(|name| self.infons.get(*name));
        let mut notes = notes(&self.infons, |name| {
            let is_argument = match by_type {
                true => types.contains(name),
                false => name.starts_with("entity") && name != "entity",
            };
            !is_argument && Some(name) != of.into_iter().find(|one| self.infons.contains_key(*one))
        });
        // What names no annotation is kept by its name.
        let strange = |node: &&Node| !places.contains_key(node.refid.as_str());
        for (number, node) in self.nodes.iter().filter(strange).enumerate() {
            notes.insert(format!("node{}", number + 1), node.refid.clone());
        }
        Relation {
            kind: kind.map(said).unwrap_or_default(),
            arguments,
            mentions: found,
            notes,
        }
    }

    fn of(number: usize, relation: &Relation, document: &Document) -> Self {
        let mut infons = infons(&relation.notes);
        infons.insert(TYPE.to_owned(), relation.kind.clone().into());
        for (place, id) in (1..).zip(&relation.arguments) {
            infons.insert(entity(place), id.clone().into());
        }
        let node = |&place: &usize| Node {
            refid: place.to_string(),
            role: document
                .mentions
                .get(place)
                .map(|one| one.kind.clone())
                .unwrap_or_default(),
        };
        Self {
            id: format!("R{number}"),
            infons,
            nodes: relation.mentions.iter().map(node).collect(),
            ..Self::default()
        }
    }
}

fn entity(number: usize) -> String {
    format!("entity{number}")
}

/// An infon as text; what is none, as JSON.
fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn notes(infons: &Infons, keep: impl Fn(&str) -> bool) -> Notes {
    let kept = infons.iter().filter(|(name, _)| keep(name));
    kept.map(|(name, value)| (name.clone(), said(value)))
        .collect()
}

fn infons(notes: &Notes) -> Infons {
    let texts = notes.iter();
    texts
        .map(|(name, value)| (name.clone(), value.clone().into()))
        .collect()
}
