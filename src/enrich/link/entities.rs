//! Concepts for the entities of articles.

use super::in_text::Mention;
use super::kind::ConceptKind;
use super::linker::{Document, Linker};
use crate::enrich::Entity;
use crate::error::Result;
use std::ops::Range;

/// A part of an article, such as its title, with its entities.
#[derive(Debug)]
pub struct Part<'a> {
    /// Its text.
    pub text: &'a str,
    /// What was found in it.
    pub entities: &'a mut [Entity],
}

impl Linker {
    /// Gives the entities of articles their concepts. What one part of an
    /// article explains holds in the others. Entities of types that MeSH does
    /// not cover stay as they are.
    ///
    /// # Errors
    /// When an entity lies outside its text, or the tokenizer fails.
    pub fn link_entities(&self, articles: &mut [Vec<Part<'_>>]) -> Result<()> {
        let texts: Vec<String> = articles.iter().map(|parts| joined(parts)).collect();
        let documents: Vec<Document<'_>> = articles
            .iter()
            .zip(&texts)
            .map(|(parts, text)| Document {
                text,
                mentions: mentions(parts),
            })
            .collect();
        let links = self.link(&documents)?;
        for (parts, links) in articles.iter_mut().zip(links) {
            let entities = parts.iter_mut().flat_map(|part| part.entities.iter_mut());
            let entities = entities.filter(|entity| ConceptKind::of_type(&entity.kind).is_some());
            for (entity, link) in entities.zip(links) {
                entity.concept = link;
            }
        }
        Ok(())
    }
}

/// The parts below each other.
fn joined(parts: &[Part<'_>]) -> String {
    let texts: Vec<&str> = parts.iter().map(|part| part.text).collect();
    texts.join("\n")
}

/// The entities that can be linked, as bytes of the joined text.
fn mentions(parts: &[Part<'_>]) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut before = 0;
    for part in parts {
        let bytes: Vec<usize> = part.text.char_indices().map(|(byte, _)| byte).collect();
        let byte =
            |character: usize| before + bytes.get(character).copied().unwrap_or(part.text.len());
        for entity in part.entities.iter() {
            if let Some(kind) = ConceptKind::of_type(&entity.kind) {
                let range: Range<usize> = byte(entity.start)..byte(entity.end);
                mentions.push(Mention { kind, range });
            }
        }
        before += part.text.len() + 1;
    }
    mentions
}
