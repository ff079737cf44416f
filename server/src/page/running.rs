use super::html::Html;
use super::marks::Marks;
use super::rich;
use medsift::article::{Article, MarkupSpan, Section};
use std::ops::Range;

/// An article's running text with its markup in the text's own coordinates,
/// and where each section's label and words lie in it.
pub(crate) struct Running<'a> {
    pub(crate) text: String,
    markup: Vec<MarkupSpan>,
    sections: Vec<(Option<&'a str>, Range<usize>)>,
    /// How many of the sections make up the abstract; the others are the body.
    pub(crate) abstract_sections: usize,
}

impl<'a> Running<'a> {
    /// Lays out the text of an article.
    pub(crate) fn of(article: &'a Article) -> Self {
        let running = article.running_text();
        let (abstract_sections, _) = article.display_abstract();
        let shown = |section: &&Section| !section.text.is_empty();
        let sections = abstract_sections.iter().chain(&article.body).filter(shown);
        let mut laid_out = Self {
            text: running.text,
            markup: Vec::new(),
            sections: Vec::new(),
            abstract_sections: abstract_sections.iter().filter(shown).count(),
        };
        for (section, range) in sections.zip(running.sections) {
            laid_out.place(section, range);
        }
        laid_out
    }

    /// A section's words end where its range ends; its label is before them.
    fn place(&mut self, section: &'a Section, range: Range<usize>) {
        let start = range.end.saturating_sub(section.text.plain.len());
        let shift = u32::try_from(start).unwrap_or(u32::MAX);
        let shifted = section.text.markup.iter().map(|span| MarkupSpan {
            start: span.start.saturating_add(shift),
            end: span.end.saturating_add(shift),
            kind: span.kind,
        });
        self.markup.extend(shifted);
        let label = section.label.as_deref().filter(|label| !label.is_empty());
        self.sections.push((label, start..range.end));
    }

    /// Writes a part of the text.
    pub(crate) fn write_part(&self, html: &mut Html, part: Range<usize>, marks: &Marks<'_>) {
        rich::write_part(html, &self.text, part, &self.markup, marks);
    }

    /// Writes sections, each a paragraph behind its label.
    pub(crate) fn write_sections(&self, html: &mut Html, which: Range<usize>, marks: &Marks<'_>) {
        for (label, range) in self.sections.get(which).unwrap_or_default() {
            html.element("p", &[], |html| {
                if let Some(label) = label {
                    html.leaf("b", &[("class", "label")], label).raw(" ");
                }
                self.write_part(html, range.clone(), marks);
            });
        }
    }

    /// How many sections there are.
    pub(crate) fn len(&self) -> usize {
        self.sections.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;

    #[test]
    fn labels_and_markup_stand_where_they_belong() {
        let article = samples::trial();
        let running = Running::of(&article);
        let at = running.text.find("H2O2").unwrap();
        let mut html = Html::default();
        let marks = Marks::found(&running.text, &[[at, at + 4]]);
        running.write_sections(&mut html, 0..running.len(), &marks);
        let html = html.finish();
        assert!(
            html.starts_with("<p><b class=\"label\">BACKGROUND</b> "),
            "{html}"
        );
        assert!(
            html.contains("<mark>H<sub>2</sub>O<sub>2</sub></mark>"),
            "{html}"
        );
        assert_eq!(html.matches("<p>").count(), running.abstract_sections);
    }
}
