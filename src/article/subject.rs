use serde::{Deserialize, Serialize};

/// A MeSH term with its identifier.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshTerm {
    /// Heading.
    pub name: String,
    /// MeSH unique identifier (`D003924`), which old records lack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ui: Option<String>,
}

/// A MeSH descriptor as assigned to an article.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshHeading {
    /// The descriptor.
    pub descriptor: MeshTerm,
    /// Whether it is a main topic of the article.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub major: bool,
    /// `Geographic`, where the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Qualifiers, each with its own major flag.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualifiers: Vec<(MeshTerm, bool)>,
}

impl MeshHeading {
    /// Whether the heading or one of its qualifiers is a main topic.
    pub fn is_major(&self) -> bool {
        self.major || self.qualifiers.iter().any(|(_, major)| *major)
    }
}

/// A MeSH supplementary concept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupplementaryConcept {
    /// The concept.
    pub concept: MeshTerm,
    /// `Disease`, `Protocol`, `Organism`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// A substance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chemical {
    /// Name of the substance.
    pub substance: MeshTerm,
    /// CAS number, EC number, UNII, or `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry_number: Option<String>,
}

/// Keywords of one owner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeywordList {
    /// `NOTNLM` for the authors' own, `NLM`, `NASA`, `KIE`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The keywords.
    pub keywords: Vec<Keyword>,
}

/// A keyword.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyword {
    /// The text.
    pub text: String,
    /// Whether it is a main topic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub major: bool,
}
