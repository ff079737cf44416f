//! What a stage's `objective` says of tags of words.

use crate::config::StageConfig;
use crate::trainer::classifier::loss::ClassLabel;
use crate::trainer::sentence::table;
use medsift::enrich::{TagSet, TypeMap, check_head_name};
use medsift::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The table `objective` of a stage of kind `token`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TokenObjective {
    /// Always `entities`.
    #[serde(default)]
    kind: Kind,
    /// What the head's folder is called.
    #[serde(default = "default_name")]
    pub(super) name: String,
    /// Types of entities, in the order of their tags.
    types: Vec<String>,
    /// What a word weighs in the loss, by its tag (`O`, `B-Gene`) or its type;
    /// 1 where nothing is said.
    #[serde(default)]
    weights: BTreeMap<String, f64>,
}

/// The only kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Named entities.
    #[default]
    Entities,
}

fn default_name() -> String {
    "entities".to_owned()
}

impl TokenObjective {
    /// Reads and checks the objective of a stage.
    ///
    /// # Errors
    /// When a key, a type or a weight does not fit.
    pub(super) fn of(stage: &StageConfig) -> Result<(Self, TagSet)> {
        let objective: Self = table(stage, "objective", &stage.objective)?;
        let tags = TagSet::new(objective.types.iter().cloned())
            .map_err(|error| Error::invalid("types", format!("stage `{}`: {error}", stage.name)))?;
        // Not at the end of the run, when it is written.
        check_head_name(&objective.name)?;
        for (name, weight) in &objective.weights {
            let known = tags.number(name).is_some() || tag(&tags, name).is_some();
            if !known || !(0.0..=1e3).contains(weight) {
                return Err(Error::invalid(
                    "weights",
                    format!(
                        "stage `{}`: the weight {weight} of `{name}`: weights are from 0 to 1000, \
                         for O, a type ({}) or a tag such as B-{}",
                        stage.name,
                        tags.types().join(", "),
                        tags.types()[0]
                    ),
                ));
            }
        }
        Ok((objective, tags))
    }

    /// What a tag of a data set means for the loss.
    ///
    /// # Errors
    /// When the tag stands for nothing.
    pub(super) fn label(&self, tags: &TagSet, types: &TypeMap, name: &str) -> Result<ClassLabel> {
        let allowed = types.allowed(name)?;
        // The first allowed tag is `O` itself, or the first of the types that
        // the tag may stand for.
        let tag = allowed.iter().position(|&allowed| allowed).unwrap_or(0);
        let own = self.weights.get(&tags.name(tag));
        let of_type = || self.weights.get(&tags.types()[TagSet::kind(tag)?]);
        let weight = own.or_else(of_type).copied().unwrap_or(1.0);
        Ok(ClassLabel { allowed, weight })
    }
}

fn tag(tags: &TagSet, name: &str) -> Option<usize> {
    (0..tags.len()).find(|&tag| tags.name(tag) == name)
}
