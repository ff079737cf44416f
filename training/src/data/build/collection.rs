//! What the builders need of a collection of articles.

use crate::data::exclude::Exclusions;
use crate::data::guard::refuse_evaluation_id;
use crate::data::metadata;
use medsift::article::{Article, MeshHeading, Section};
use medsift::{AbstractOrigin, Error, ErrorKind, Result};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// Articles, each once, with their links.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    /// The articles in the order in which they first came.
    pub entries: Vec<Entry>,
    /// What became of the articles that were read.
    pub intake: Intake,
    by_id: HashMap<String, usize>,
    by_pmid: HashMap<u32, usize>,
}

/// One article.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    /// Its key.
    pub id: String,
    /// Its PMID: what the metadata says, else the key where that is a number.
    pub pmid: Option<u32>,
    /// Version of the record.
    pub version: u32,
    /// English title, without the brackets of a translated one.
    pub title: Arc<str>,
    /// The abstract as one text, with the labels of its sections, as it is
    /// embedded for a search.
    pub abstract_text: Arc<str>,
    /// Texts of the sections of the abstract and then of the full text, without
    /// labels.
    pub sections: Vec<Arc<str>>,
    /// PMIDs of the articles that it cites.
    pub cites: Vec<u32>,
    /// Ids of the articles that it cites, where a collection links its own.
    pub cited_ids: Vec<String>,
    /// MeSH headings.
    pub mesh: Vec<MeshHeading>,
    /// Keywords of every owner.
    pub keywords: Vec<String>,
}

/// What became of the articles that were read; the parts add up to `read`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Intake {
    /// Articles.
    pub read: usize,
    /// Of them held.
    pub held: usize,
    /// Older versions and repetitions.
    pub replaced: usize,
    /// Held out from training.
    pub excluded: usize,
    /// Retracted.
    pub retracted: usize,
    /// Withdrawn by their source.
    pub withdrawn: usize,
    /// Without an English title or abstract.
    pub without_text: usize,
}

impl Collection {
    /// Reads articles. Of articles with the same key the newest version is
    /// held, of equal versions the one that came last.
    ///
    /// # Errors
    /// Those of the iterator; and when an article is of a set for measuring.
    pub fn read(
        articles: impl IntoIterator<Item = Result<Article>>,
        exclusions: &Exclusions,
    ) -> Result<Self> {
        let mut collection = Self::default();
        collection.extend(articles, exclusions)?;
        Ok(collection)
    }

    /// Reads more articles, as [`Collection::read`] does.
    ///
    /// # Errors
    /// Those of [`Collection::read`].
    pub fn extend(
        &mut self,
        articles: impl IntoIterator<Item = Result<Article>>,
        exclusions: &Exclusions,
    ) -> Result<()> {
        for article in articles {
            let article = article?;
            refuse_evaluation_id(article.id.as_str())
                .map_err(|what| Error::new(ErrorKind::InvalidInput, what))?;
            self.take(&article, exclusions);
        }
        Ok(())
    }

    fn take(&mut self, article: &Article, exclusions: &Exclusions) {
        self.intake.read += 1;
        let entry = Entry::of(article);
        if article.is_retracted() {
            self.intake.retracted += 1;
        } else if entry.title.is_empty() && entry.abstract_text.is_empty() {
            self.intake.without_text += 1;
        } else if exclusions.holds_article(article) {
            self.intake.excluded += 1;
        } else if let Some(&at) = self.by_id.get(&entry.id) {
            self.intake.replaced += 1;
            if entry.version >= self.entries[at].version {
                self.entries[at] = entry;
            }
        } else {
            let at = self.entries.len();
            self.by_id.insert(entry.id.clone(), at);
            if let Some(pmid) = entry.pmid {
                self.by_pmid.entry(pmid).or_insert(at);
            }
            self.entries.push(entry);
            self.intake.held += 1;
        }
    }

    /// Takes the texts and links of a withdrawn article, so that no example is
    /// made of it, and says whether it was there.
    pub fn withdraw(&mut self, id: &str) -> bool {
        let Some(at) = self.by_id.remove(id) else {
            return false;
        };
        let entry = &mut self.entries[at];
        if let Some(pmid) = entry.pmid
            && self.by_pmid.get(&pmid) == Some(&at)
        {
            self.by_pmid.remove(&pmid);
        }
        *entry = Entry {
            id: std::mem::take(&mut entry.id),
            ..Entry::default()
        };
        self.intake.held -= 1;
        self.intake.withdrawn += 1;
        true
    }

    /// Number of an article by its key.
    pub fn number_of(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Numbers of the articles of the collection that an article cites,
    /// rising, itself left out.
    pub fn cited_by(&self, entry: &Entry) -> Vec<usize> {
        let own = self.by_id.get(&entry.id);
        let by_pmid = entry.cites.iter().filter_map(|pmid| self.by_pmid.get(pmid));
        let by_id = entry.cited_ids.iter().filter_map(|id| self.by_id.get(id));
        let mut cited: Vec<usize> = by_pmid
            .chain(by_id)
            .filter(|&at| Some(at) != own)
            .copied()
            .collect();
        cited.sort_unstable();
        cited.dedup();
        cited
    }
}

impl Entry {
    fn of(article: &Article) -> Self {
        let (sections, origin) = article.display_abstract();
        // Abstracts in other languages are no use to an English encoder.
        let english = match &origin {
            AbstractOrigin::Other { language, .. } => {
                language.as_deref().is_none_or(|language| language == "eng")
            }
            _ => true,
        };
        let sections = if english { sections } else { &[] };
        let texts = sections
            .iter()
            .chain(&article.body)
            .map(|section| section.text.plain.trim())
            .filter(|text| !text.is_empty())
            .map(Arc::from)
            .collect();
        let mut mesh = article.mesh.clone();
        if mesh.is_empty() {
            mesh = metadata::mesh(&article.metadata);
        }
        let keywords = article.keywords.iter().flat_map(|list| &list.keywords);
        Self {
            id: article.id.as_str().to_owned(),
            pmid: metadata::article_pmid(article),
            version: article.version,
            title: english_title(article).into(),
            abstract_text: abstract_text(article, sections).trim().into(),
            sections: texts,
            cites: metadata::cited_pmids(article),
            cited_ids: metadata::cited_ids(&article.metadata),
            mesh,
            keywords: keywords.map(|keyword| keyword.text.clone()).collect(),
        }
    }
}

/// The English title; PubMed puts a translated one into brackets.
fn english_title(article: &Article) -> &str {
    let title = article.title.plain.trim();
    title
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix("].").or(rest.strip_suffix(']')))
        .unwrap_or(title)
}

/// The part of the running text that is the abstract.
fn abstract_text(article: &Article, sections: &[Section]) -> String {
    let count = sections.iter().filter(|s| !s.text.is_empty()).count();
    let mut running = article.running_text();
    let end = match count {
        0 => 0,
        _ => running.sections.get(count - 1).map_or(0, |range| range.end),
    };
    running.text.truncate(end);
    running.text
}
