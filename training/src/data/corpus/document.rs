//! A document of a pre-training corpus.

use crate::data::metadata;
use medsift::article::Article;
use medsift::passage::sentences;

/// A document: a title, sentences, and links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Its id; file and number where the source has none.
    pub id: String,
    /// Its PMID, where it has one.
    pub pmid: Option<u32>,
    /// Its title; may be empty.
    pub title: String,
    /// The sentences of its text in order; none is empty.
    pub sentences: Vec<String>,
    /// PMIDs of the articles that it cites.
    pub cites: Vec<u32>,
}

impl Document {
    /// A document of a title and a text, which is cut into sentences at
    /// sentence ends and at line ends.
    pub fn new(id: impl Into<String>, title: &str, text: &str) -> Self {
        Self {
            id: id.into(),
            title: title.trim().to_owned(),
            sentences: text
                .lines()
                .flat_map(sentences)
                .map(str::to_owned)
                .collect(),
            ..Self::default()
        }
    }

    /// The title, abstract and full text of an article. Labels of sections are
    /// not part of it, and no sentence reaches over two sections.
    pub fn of(article: &Article) -> Self {
        let (sections, _) = article.display_abstract();
        let text = sections.iter().chain(&article.body);
        Self {
            id: article.id.as_str().to_owned(),
            pmid: metadata::article_pmid(article),
            title: article.display_title().plain.trim().to_owned(),
            sentences: text
                .flat_map(|section| sentences(&section.text.plain))
                .map(str::to_owned)
                .collect(),
            cites: metadata::cited_pmids(article),
        }
    }

    /// Whether there is neither title nor text.
    pub fn is_empty(&self) -> bool {
        self.title.is_empty() && self.sentences.is_empty()
    }

    /// Title and sentences as one text.
    pub fn text(&self) -> String {
        let mut text = self.title.clone();
        for sentence in &self.sentences {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(sentence);
        }
        text
    }
}
