//! From a sequence of BIO tags to the entities that it names.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A tag of the BIO scheme: `O`, `B-TYPE` or `I-TYPE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BioTag<'a> {
    /// In no entity.
    Outside,
    /// First word of an entity of a type.
    Begin(&'a str),
    /// Later word of an entity of a type.
    Inside(&'a str),
}

impl<'a> BioTag<'a> {
    /// Reads a tag; nothing for anything else.
    pub fn parse(tag: &'a str) -> Option<Self> {
        if tag == "O" {
            return Some(Self::Outside);
        }
        match tag.split_once('-') {
            Some(("B", kind)) if !kind.is_empty() => Some(Self::Begin(kind)),
            Some(("I", kind)) if !kind.is_empty() => Some(Self::Inside(kind)),
            _ => None,
        }
    }

    /// The type, where the word is in an entity.
    pub fn kind(self) -> Option<&'a str> {
        match self {
            Self::Outside => None,
            Self::Begin(kind) | Self::Inside(kind) => Some(kind),
        }
    }
}

/// What counts as an entity where a sequence breaks the rules of IOB2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// As the scorer of CoNLL-2000 and seqeval's default count: an `I-X`
    /// behind no word of type X begins an entity.
    #[default]
    Conll,
    /// As seqeval's strict mode with the scheme IOB2 counts: only a `B-X` with
    /// the `I-X` that follow it is an entity.
    Strict,
}

/// A type and the words of an entity.
pub type Chunk<'a> = (&'a str, Range<usize>);

impl Counting {
    /// The entities of a sequence, in order.
    pub fn chunks<'a>(self, tags: &[BioTag<'a>]) -> Vec<Chunk<'a>> {
        let mut chunks: Vec<Chunk<'a>> = Vec::new();
        // The type of the entity that the word before belongs to.
        let mut open: Option<&str> = None;
        for (place, tag) in tags.iter().enumerate() {
            let begins = match tag {
                BioTag::Outside => false,
                BioTag::Begin(_) => true,
                BioTag::Inside(kind) => self == Self::Conll && open != Some(kind),
            };
            match (tag.kind(), begins) {
                (Some(kind), true) => {
                    chunks.push((kind, place..place + 1));
                    open = Some(kind);
                }
                (Some(kind), false) if open == Some(kind) => {
                    if let Some((_, words)) = chunks.last_mut() {
                        words.end = place + 1;
                    }
                }
                _ => open = None,
            }
        }
        chunks
    }
}
