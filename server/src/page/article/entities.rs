//! Entities in the title and the text of an article.

use super::super::citation::article_address;
use super::super::html::Html;
use super::super::marking::{self, Switch};
use super::super::marks::Marks;
use crate::params;
use medsift::article::Article;
use medsift::enrich::{ArticleEntities, EnrichmentReport};
use medsift::query::QueryRequest;
use medsift::searcher::Searcher;

/// Characters of a text that are read: a long full text would keep the page
/// waiting.
const READ: usize = 20_000;

/// What is marked in an article, and what is to be said of it.
#[derive(Debug, Default)]
pub(super) struct Marked {
    can_enrich: bool,
    entities: Option<ArticleEntities>,
    report: Option<EnrichmentReport>,
    /// Whether the text goes on behind what was read.
    cut: bool,
}

impl Marked {
    /// Finds the entities where the request asks for them. A page never fails
    /// for want of them.
    pub(super) fn of(searcher: &Searcher, article: &Article, request: &QueryRequest) -> Self {
        let mut marked = Self {
            can_enrich: searcher.can_enrich(),
            ..Self::default()
        };
        if !marking::asked(request) {
            return marked;
        }
        let title = &article.display_title().plain;
        let text = article.running_text().text;
        let read = beginning(&text);
        if let Some((found, report)) = searcher.findings_of(&article.id, title, read) {
            marked.entities = found.map(|found| found.entities);
            marked.report = Some(report);
            marked.cut = read.len() < text.len();
        }
        marked
    }

    /// Whether they can be had as a file.
    pub(super) fn can_be_had(&self) -> bool {
        self.can_enrich || self.entities.is_some()
    }

    /// The marks of the title.
    pub(super) fn in_title(&self, title: &str) -> Marks<'_> {
        let found = self.entities.as_ref();
        Marks::default().with_entities(title, found.map_or(&[], |found| &found.title))
    }

    /// The marks of the running text.
    pub(super) fn in_text(&self, text: &str) -> Marks<'_> {
        let found = self.entities.as_ref();
        Marks::default().with_entities(text, found.map_or(&[], |found| &found.text))
    }

    /// Writes the switch with the legend, and what was not read.
    pub(super) fn write_switch(&self, html: &mut Html, article: &Article, request: &QueryRequest) {
        let query = params::query_string(&marking::switched(request));
        let switch = Switch {
            asked: marking::asked(request),
            other: &article_address(article.id.as_str(), &query),
            texts: "this article",
        };
        let found = self.entities.iter();
        marking::write(html, &switch, self.can_enrich, self.report.as_ref(), found);
        let incomplete = self.report.as_ref().and_then(|one| one.incomplete.as_ref());
        if let Some(why) = incomplete {
            let note = format!("Not read for entities: {why}.");
            html.leaf("p", &[("class", "note")], note);
        } else if switch.asked && !self.can_enrich {
            let note = "Entities cannot be marked: the model has no head for them.";
            html.leaf("p", &[("class", "note")], note);
        } else if self.cut {
            let note = format!("Entities are marked in the first {READ} characters of the text.");
            html.leaf("p", &[("class", "note")], note);
        }
    }

    /// As if these had been found.
    #[cfg(test)]
    pub(super) fn with(entities: ArticleEntities) -> Self {
        Self {
            can_enrich: true,
            entities: Some(entities),
            report: super::super::samples::enriched().enrichment,
            cut: false,
        }
    }

    /// As if a model had a head and nobody had asked.
    #[cfg(test)]
    pub(super) fn offered() -> Self {
        Self {
            can_enrich: true,
            ..Self::default()
        }
    }
}

/// As much of a text as is read, up to the end of a word.
fn beginning(text: &str) -> &str {
    match text.char_indices().nth(READ) {
        None => text,
        Some((end, _)) => {
            let between_words = text[..end].rfind(char::is_whitespace);
            &text[..between_words.unwrap_or(end)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_read_up_to_a_word() {
        assert_eq!(beginning("α β"), "α β");
        let long = "αβγδ ".repeat(READ);
        let read = beginning(&long);
        assert!(read.ends_with("δ") && read.chars().count() < READ);
        let endless = "ω".repeat(READ + 1);
        assert_eq!(beginning(&endless).chars().count(), READ);
    }
}
