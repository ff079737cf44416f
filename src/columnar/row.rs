//! An article as the values of its columns. Pure: knows no Arrow.

use super::parts::{self, KeywordCell, MeshCell, PersonCell, SectionCell, SubstanceCell};
use crate::article::{ArticleKind, Journal, MeshTerm, OtherId, Pages, PubDate};
use crate::{Article, ArticleId};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The values of an article's columns, by the names of the columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) id: ArticleId,
    #[serde(default, deserialize_with = "nullable")]
    version: Option<u32>,
    #[serde(default, deserialize_with = "nullable")]
    kind: ArticleKind,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    vernacular_title: Option<String>,
    #[serde(rename = "abstract", default, deserialize_with = "nullable")]
    sections: Vec<SectionCell>,
    #[serde(default, deserialize_with = "nullable")]
    body: Vec<SectionCell>,
    #[serde(default, deserialize_with = "nullable")]
    authors: Vec<PersonCell>,
    #[serde(default)]
    journal: Option<String>,
    #[serde(default)]
    journal_abbreviation: Option<String>,
    #[serde(default)]
    issn: Option<String>,
    #[serde(default)]
    volume: Option<String>,
    #[serde(default)]
    issue: Option<String>,
    #[serde(default)]
    pages: Option<String>,
    #[serde(default)]
    published: Option<String>,
    #[serde(default)]
    year: Option<i32>,
    #[serde(default)]
    month: Option<u8>,
    #[serde(default)]
    day: Option<u8>,
    #[serde(default, deserialize_with = "nullable")]
    languages: Vec<String>,
    #[serde(default, deserialize_with = "nullable")]
    publication_types: Vec<MeshTerm>,
    #[serde(default, deserialize_with = "nullable")]
    mesh: Vec<MeshCell>,
    #[serde(default, deserialize_with = "nullable")]
    chemicals: Vec<SubstanceCell>,
    #[serde(default, deserialize_with = "nullable")]
    keywords: Vec<KeywordCell>,
    #[serde(default)]
    doi: Option<String>,
    #[serde(default)]
    pmc: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    retracted: bool,
}

/// A value, or its default where there is a null.
pub(super) fn nullable<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

impl Row {
    /// What the columns say of an article.
    pub(super) fn of(article: &Article) -> Self {
        let journal = article.journal.as_ref();
        let of_journal =
            |value: fn(&Journal) -> &Option<String>| journal.and_then(|j| value(j).clone());
        let (month, day) = match &article.published {
            Some(PubDate::Calendar { month, day, .. }) => (*month, *day),
            _ => (None, None),
        };
        Self {
            id: article.id.clone(),
            version: Some(article.version),
            kind: article.kind,
            title: some(&article.title.plain),
            vernacular_title: some(&article.vernacular_title.plain),
            sections: article
                .abstract_sections
                .iter()
                .map(SectionCell::of)
                .collect(),
            body: article.body.iter().map(SectionCell::of).collect(),
            authors: article.authors.iter().map(PersonCell::of).collect(),
            journal: journal.and_then(|journal| some(&journal.title)),
            journal_abbreviation: of_journal(|journal| &journal.medline_abbreviation),
            issn: of_journal(|journal| &journal.issn),
            volume: of_journal(|journal| &journal.volume),
            issue: of_journal(|journal| &journal.issue),
            pages: article
                .pages
                .as_ref()
                .and_then(|pages| pages.medline.clone()),
            published: article.published.as_ref().map(ToString::to_string),
            year: article.year(),
            month,
            day,
            languages: article.languages.clone(),
            publication_types: article.publication_types.clone(),
            mesh: article.mesh.iter().map(MeshCell::of).collect(),
            chemicals: article.chemicals.iter().map(SubstanceCell::of).collect(),
            keywords: parts::keywords_of(&article.keywords),
            doi: article.other_id("doi").map(str::to_owned),
            pmc: article.other_id("pmc").map(str::to_owned),
            retracted: article.is_retracted(),
        }
    }

    /// The article that says what the columns say, and nothing else.
    pub(super) fn article(&self) -> Article {
        let mut article = Article::new(self.id.clone());
        article.version = self.version.unwrap_or(1);
        article.kind = self.kind;
        article.title = self.title.clone().unwrap_or_default().into();
        article.vernacular_title = self.vernacular_title.clone().unwrap_or_default().into();
        article.abstract_sections = self.sections.iter().map(SectionCell::section).collect();
        article.body = self.body.iter().map(SectionCell::section).collect();
        article.authors = self.authors.iter().map(PersonCell::author).collect();
        article.journal = self.journal();
        article.pages = self.pages.clone().map(|pages| Pages {
            medline: Some(pages),
            ..Pages::default()
        });
        article.published = self.date();
        article.languages = self.languages.clone();
        article.publication_types = self.publication_types.clone();
        article.mesh = self.mesh.iter().map(MeshCell::heading).collect();
        article.chemicals = self.chemicals.iter().map(SubstanceCell::chemical).collect();
        article.keywords = parts::keyword_lists(&self.keywords);
        for (kind, value) in [("doi", &self.doi), ("pmc", &self.pmc)] {
            article.other_ids.extend(value.iter().map(|value| OtherId {
                kind: kind.to_owned(),
                value: value.clone(),
                valid: true,
            }));
        }
        if self.retracted && !article.is_retracted() {
            article.publication_types.push(MeshTerm {
                name: "Retracted Publication".to_owned(),
                ui: None,
            });
        }
        article
    }

    fn journal(&self) -> Option<Journal> {
        let journal = Journal {
            title: self.journal.clone().unwrap_or_default(),
            medline_abbreviation: self.journal_abbreviation.clone(),
            issn: self.issn.clone(),
            volume: self.volume.clone(),
            issue: self.issue.clone(),
            ..Journal::default()
        };
        (journal != Journal::default()).then_some(journal)
    }

    /// Year, month and day where they make a date, else the text.
    fn date(&self) -> Option<PubDate> {
        let calendar = self
            .year
            .and_then(|year| PubDate::calendar(year, self.month, self.day).ok());
        match (&self.published, calendar) {
            (Some(text), Some(date)) if *text == date.to_string() => Some(date),
            (Some(text), _) => Some(PubDate::medline(text)),
            (None, date) => date,
        }
    }

    /// The columns in which an article says something else than this row. What
    /// follows from other columns need not be given.
    pub(super) fn disagreements(&self, article: &Article) -> BTreeSet<String> {
        let said = columns(&Self::of(article));
        let mut differing = BTreeSet::new();
        for (name, value) in columns(self) {
            let follows = matches!(name.as_str(), "published" | "year" | "version");
            if !(follows && value.is_null()) && said.get(&name) != Some(&value) {
                differing.insert(name);
            }
        }
        differing
    }
}

fn columns(row: &Row) -> Map<String, Value> {
    // Names and plain values can always be written.
    match serde_json::to_value(row) {
        Ok(Value::Object(columns)) => columns,
        _ => Map::new(),
    }
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}
