use super::{Article, Section};
use std::ops::Range;

/// An article's text below its title as one string, over which passages,
/// highlights and entities are counted.
///
/// The sections of the abstract follow each other separated by a space, each
/// behind its label (`METHODS: …`), as PubMed prints them; full-text sections
/// come after them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunningText {
    /// The text.
    pub text: String,
    /// Byte range of each section, label included, in reading order.
    pub sections: Vec<Range<usize>>,
}

impl RunningText {
    fn push(&mut self, section: &Section) {
        if section.text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        let start = self.text.len();
        if let Some(label) = section.label.as_deref().filter(|label| !label.is_empty()) {
            self.text.push_str(label);
            self.text.push_str(": ");
        }
        self.text.push_str(&section.text.plain);
        self.sections.push(start..self.text.len());
    }
}

impl Article {
    /// The text below the title: the abstract that is shown, then the body.
    pub fn running_text(&self) -> RunningText {
        let mut running = RunningText::default();
        let (sections, _) = self.display_abstract();
        for section in sections.iter().chain(&self.body) {
            running.push(section);
        }
        running
    }

    /// The abstract that is shown as one text, its sections behind their labels
    /// as in the running text, which begins with it.
    pub fn abstract_text(&self) -> String {
        let mut running = RunningText::default();
        for section in self.display_abstract().0 {
            running.push(section);
        }
        running.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArticleId;

    #[test]
    fn sections_keep_their_labels_and_are_kept_apart() {
        let mut article = Article::new(ArticleId::new("1").unwrap());
        for (label, text) in [(Some("AIM"), "To see."), (None, "Seen.")] {
            article.abstract_sections.push(Section {
                label: label.map(str::to_owned),
                category: None,
                text: text.into(),
            });
        }
        let running = article.running_text();
        assert_eq!(running.text, "AIM: To see. Seen.");
        assert_eq!(article.abstract_text(), running.text);
        article.body = article.abstract_sections.clone();
        assert!(article.running_text().text.len() > running.text.len());
        assert_eq!(article.abstract_text(), running.text);
        assert_eq!(running.sections, [0..12, 13..18]);
    }
}
