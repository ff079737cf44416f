//! Values of the columns that hold lists.

use super::row::nullable;
use crate::article::{
    Affiliation, Author, Chemical, Identifier, Keyword, KeywordList, MeshHeading, MeshTerm,
    PersonName, Section,
};
use serde::{Deserialize, Serialize};

const ORCID: &str = "ORCID";

/// A section of an abstract or a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SectionCell {
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    category: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    text: String,
}

impl SectionCell {
    pub(super) fn of(section: &Section) -> Self {
        Self {
            label: section.label.clone(),
            category: section.category.clone(),
            text: section.text.plain.clone(),
        }
    }

    pub(super) fn section(&self) -> Section {
        Section {
            label: self.label.clone(),
            category: self.category.clone(),
            text: self.text.clone().into(),
        }
    }
}

/// An author: a person or a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PersonCell {
    #[serde(default)]
    last: Option<String>,
    #[serde(default)]
    fore: Option<String>,
    #[serde(default)]
    initials: Option<String>,
    #[serde(default)]
    suffix: Option<String>,
    #[serde(default)]
    collective: Option<String>,
    #[serde(default)]
    orcid: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    affiliations: Vec<String>,
}

impl PersonCell {
    pub(super) fn of(author: &Author) -> Self {
        let name = author.name.clone();
        let orcid = author.identifiers.iter().find(|id| id.source == ORCID);
        Self {
            last: name.as_ref().map(|name| name.last.clone()),
            fore: name.as_ref().and_then(|name| name.fore.clone()),
            initials: name.as_ref().and_then(|name| name.initials.clone()),
            suffix: name.and_then(|name| name.suffix),
            collective: author.collective.clone(),
            orcid: orcid.map(|id| id.value.clone()),
            affiliations: author
                .affiliations
                .iter()
                .map(|at| at.name.clone())
                .collect(),
        }
    }

    pub(super) fn author(&self) -> Author {
        let name = PersonName {
            last: self.last.clone().unwrap_or_default(),
            fore: self.fore.clone(),
            initials: self.initials.clone(),
            suffix: self.suffix.clone(),
        };
        let identifiers = self.orcid.iter().map(|orcid| Identifier {
            source: ORCID.to_owned(),
            value: orcid.clone(),
        });
        let affiliations = self.affiliations.iter().map(|name| Affiliation {
            name: name.clone(),
            identifiers: Vec::new(),
        });
        Author {
            name: (name != PersonName::default()).then_some(name),
            collective: self.collective.clone(),
            identifiers: identifiers.collect(),
            affiliations: affiliations.collect(),
            ..Author::default()
        }
    }
}

/// A qualifier of a MeSH heading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct QualifierCell {
    name: String,
    #[serde(default)]
    ui: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    major: bool,
}

/// A MeSH heading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct MeshCell {
    name: String,
    #[serde(default)]
    ui: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    major: bool,
    #[serde(default, deserialize_with = "nullable")]
    qualifiers: Vec<QualifierCell>,
}

impl MeshCell {
    pub(super) fn of(heading: &MeshHeading) -> Self {
        let qualifiers = heading
            .qualifiers
            .iter()
            .map(|(term, major)| QualifierCell {
                name: term.name.clone(),
                ui: term.ui.clone(),
                major: *major,
            });
        Self {
            name: heading.descriptor.name.clone(),
            ui: heading.descriptor.ui.clone(),
            major: heading.major,
            qualifiers: qualifiers.collect(),
        }
    }

    pub(super) fn heading(&self) -> MeshHeading {
        let qualifiers = self.qualifiers.iter();
        MeshHeading {
            descriptor: term(&self.name, &self.ui),
            major: self.major,
            kind: None,
            qualifiers: qualifiers
                .map(|found| (term(&found.name, &found.ui), found.major))
                .collect(),
        }
    }
}

fn term(name: &str, ui: &Option<String>) -> MeshTerm {
    MeshTerm {
        name: name.to_owned(),
        ui: ui.clone(),
    }
}

/// A substance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SubstanceCell {
    name: String,
    #[serde(default)]
    ui: Option<String>,
    #[serde(default)]
    registry_number: Option<String>,
}

impl SubstanceCell {
    pub(super) fn of(chemical: &Chemical) -> Self {
        Self {
            name: chemical.substance.name.clone(),
            ui: chemical.substance.ui.clone(),
            registry_number: chemical.registry_number.clone(),
        }
    }

    pub(super) fn chemical(&self) -> Chemical {
        Chemical {
            substance: term(&self.name, &self.ui),
            registry_number: self.registry_number.clone(),
        }
    }
}

/// A keyword with the owner of its list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct KeywordCell {
    #[serde(default)]
    owner: Option<String>,
    text: String,
    #[serde(default, deserialize_with = "nullable")]
    major: bool,
}

/// Lists of keywords, one behind the other.
pub(super) fn keywords_of(lists: &[KeywordList]) -> Vec<KeywordCell> {
    let of_list = |list: &KeywordList| -> Vec<KeywordCell> {
        let cell = |keyword: &Keyword| KeywordCell {
            owner: list.owner.clone(),
            text: keyword.text.clone(),
            major: keyword.major,
        };
        list.keywords.iter().map(cell).collect()
    };
    lists.iter().flat_map(of_list).collect()
}

/// Keywords of one owner that follow each other are a list.
pub(super) fn keyword_lists(keywords: &[KeywordCell]) -> Vec<KeywordList> {
    let of_one = keywords.chunk_by(|one, next| one.owner == next.owner);
    let list = |cells: &[KeywordCell]| KeywordList {
        owner: cells[0].owner.clone(),
        keywords: cells
            .iter()
            .map(|cell| Keyword {
                text: cell.text.clone(),
                major: cell.major,
            })
            .collect(),
    };
    of_one.map(list).collect()
}
