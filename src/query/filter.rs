use super::YearRange;
use crate::enrich::relation_fault;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Conditions that an article must meet: all of them, and within one list any
/// of its values. Values are compared without regard to case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// Year of publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<YearRange>,
    /// Journal: full title, either abbreviation, ISSN or NLM id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub journal: Vec<String>,
    /// Publication type, such as `Review`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub publication_type: Vec<String>,
    /// MeSH descriptor, by heading or identifier; every one must be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mesh: Vec<String>,
    /// Language, as ISO 639-2 code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub language: Vec<String>,
    /// Entity that was found in the article: an identifier (`MESH:D003924`), a
    /// name, or type and mention (`Gene:BRCA1`); every one must be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entity: Vec<String>,
    /// Relation that was found in the article: `type|first|second`, each
    /// entity as above, with a star for anything; every one must be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub relation: Vec<String>,
    /// Only articles that have (`true`) or lack (`false`) an abstract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_abstract: Option<bool>,
    /// Only articles that are (`true`) or are not (`false`) retracted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retracted: Option<bool>,
}

impl Filter {
    /// Whether every article passes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses ranges that hold nothing and empty values.
    pub fn check(&self) -> Result<()> {
        if let Some(YearRange {
            from: Some(from),
            to: Some(to),
        }) = self.year
            && from > to
        {
            return Err(Error::invalid(
                "filter.year",
                format!("the years run from {from} to {to}: swap them"),
            ));
        }
        let lists = [
            ("filter.journal", &self.journal),
            ("filter.publication_type", &self.publication_type),
            ("filter.mesh", &self.mesh),
            ("filter.language", &self.language),
            ("filter.entity", &self.entity),
            ("filter.relation", &self.relation),
        ];
        for (field, values) in lists {
            if values.iter().any(|value| value.trim().is_empty()) {
                return Err(Error::invalid(
                    field,
                    format!("{field} holds an empty value"),
                ));
            }
        }
        match self.relation.iter().find_map(|value| relation_fault(value)) {
            Some(fault) => Err(Error::invalid("filter.relation", fault)),
            None => Ok(()),
        }
    }
}
