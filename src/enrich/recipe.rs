//! By what findings were made, so that it can be told whether they are still
//! what would be found today.

use crate::digest::Digest;
use serde::{Deserialize, Serialize};

/// A head that took part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipeHead {
    /// Its name.
    pub name: String,
    /// SHA-256 over its files.
    pub sha256: String,
}

/// Everything that decides what is found in an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The encoder, as its fingerprint is shown.
    pub model: String,
    /// SHA-256 of the encoder.
    pub encoder: String,
    /// What finds entities.
    pub head: RecipeHead,
    /// What tells relations, in the order in which they are asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<RecipeHead>,
    /// Digest of the names that entities are linked by, where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
    /// Whether what no rule links is linked to the nearest name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nearest: bool,
}

impl Recipe {
    /// A short name for it: equal for recipes that find the same, whatever
    /// models and heads are called.
    pub fn digest(&self) -> String {
        let mut digest = Digest::default();
        let mut part = |text: &str| {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        };
        part(&self.encoder);
        part(&self.head.sha256);
        for head in &self.relations {
            part(&head.sha256);
        }
        part(self.names.as_deref().unwrap_or("no names"));
        part(if self.nearest { "nearest" } else { "rules" });
        digest.finish()[..16].to_owned()
    }

    /// It in words: heads, model, and by which names entities are linked. Two
    /// recipes that differ only in their MeSH tables differ in the words, too.
    pub fn in_words(&self) -> String {
        let heads: Vec<&str> = self.heads().collect();
        let mut words = format!("{} over {}", heads.join(", "), self.model);
        if let Some(names) = &self.names {
            let short = names.get(..8).unwrap_or(names);
            let nearest = if self.nearest { " and the nearest" } else { "" };
            words.push_str(&format!(", linked by names {short}{nearest}"));
        }
        words
    }

    /// The names of the heads, that for entities first.
    pub fn heads(&self) -> impl Iterator<Item = &str> {
        let relations = self.relations.iter();
        std::iter::once(&self.head)
            .chain(relations)
            .map(|head| head.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_count_and_content_does() {
        let head = |name: &str, sha256: &str| RecipeHead {
            name: name.to_owned(),
            sha256: sha256.to_owned(),
        };
        let recipe = Recipe {
            model: "mini (12 34)".to_owned(),
            encoder: "ab".to_owned(),
            head: head("entities", "cd"),
            relations: vec![head("induces", "ef")],
            names: Some("01".to_owned()),
            nearest: false,
        };
        let renamed = Recipe {
            model: "other".to_owned(),
            head: head("ner", "cd"),
            ..recipe.clone()
        };
        assert_eq!(recipe.digest(), renamed.digest());
        assert_eq!(
            recipe.in_words(),
            "entities, induces over mini (12 34), linked by names 01"
        );
        let others = [
            Recipe {
                encoder: "abc".to_owned(),
                head: head("entities", "d"),
                ..recipe.clone()
            },
            Recipe {
                relations: Vec::new(),
                ..recipe.clone()
            },
            Recipe {
                names: None,
                ..recipe.clone()
            },
            Recipe {
                nearest: true,
                ..recipe.clone()
            },
        ];
        for other in others {
            assert_ne!(recipe.digest(), other.digest(), "{other:?}");
        }
    }
}
