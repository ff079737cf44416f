use serde::{Deserialize, Serialize};

/// An author: a person or a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The person's name; absent for a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonName>,
    /// The group's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collective: Option<String>,
    /// ORCID and other identifiers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<Identifier>,
    /// Where they work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affiliations: Vec<Affiliation>,
    /// Whether the source marks the author as contributing equally.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub equal_contribution: bool,
    /// `false` for a name that the source lists as misspelt (`ValidYN="N"`).
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub valid: bool,
    /// Role in a book, such as `editors`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// Parts of a person's name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonName {
    /// Family name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub last: String,
    /// Given names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fore: Option<String>,
    /// Initials without points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initials: Option<String>,
    /// `Jr`, `3rd`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suffix: Option<String>,
}

/// A person who is not an author: an investigator, or whom the article is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedPerson {
    /// The name.
    pub name: PersonName,
    /// ORCID and other identifiers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<Identifier>,
    /// Where they work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affiliations: Vec<Affiliation>,
    /// `false` for a name that the source lists as misspelt (`ValidYN="N"`).
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub valid: bool,
}

/// An identifier with the system that gave it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identifier {
    /// `ORCID`, `ISNI`, `ROR`, …
    pub source: String,
    /// The value as written.
    pub value: String,
}

/// An institution.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Affiliation {
    /// The text.
    pub name: String,
    /// Identifiers of the institution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<Identifier>,
}

// By hand, since a name is valid unless its source says otherwise.
impl Default for Author {
    fn default() -> Self {
        Self {
            name: None,
            collective: None,
            identifiers: Vec::new(),
            affiliations: Vec::new(),
            equal_contribution: false,
            valid: true,
            role: None,
        }
    }
}

impl Default for NamedPerson {
    fn default() -> Self {
        Self {
            name: PersonName::default(),
            identifiers: Vec::new(),
            affiliations: Vec::new(),
            valid: true,
        }
    }
}

impl PersonName {
    /// `Smith JA Jr`, the form that PubMed cites and searches.
    pub fn short(&self) -> String {
        let mut short = self.last.clone();
        for part in [&self.initials, &self.suffix].into_iter().flatten() {
            if !short.is_empty() {
                short.push(' ');
            }
            short.push_str(part);
        }
        short
    }
}

impl Author {
    /// The name to show: `Smith JA`, or the group's.
    pub fn display(&self) -> String {
        match (&self.name, &self.collective) {
            (Some(name), _) => name.short(),
            (None, Some(group)) => group.clone(),
            (None, None) => String::new(),
        }
    }
}
