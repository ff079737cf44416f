//! Sections of abstracts and of the body.

use crate::xml::{Cursor, Flaw, Style, TextBuilder};
use medsift::article::{Markup, Section};

/// What elements are inside a text.
pub(super) fn style(name: &str) -> Style {
    match name {
        "italic" => Style::Span(Markup::I),
        "bold" => Style::Span(Markup::B),
        "underline" => Style::Span(Markup::U),
        "sup" => Style::Span(Markup::Sup),
        "sub" => Style::Span(Markup::Sub),
        "math" => Style::Span(Markup::Math),
        "p"
        | "title"
        | "label"
        | "caption"
        | "fig"
        | "table-wrap"
        | "table-wrap-foot"
        | "fn"
        | "list"
        | "list-item"
        | "def-item"
        | "term"
        | "def"
        | "disp-formula"
        | "disp-quote"
        | "boxed-text"
        | "break"
        | "sec"
        | "media"
        | "supplementary-material"
        | "verse-line"
        | "speech"
        | "statement"
        | "caption-title"
        | "fig-group"
        | "preformat" => Style::Block,
        // A formula is there as MathML as well, or as a picture.
        "tex-math" | "table" | "graphic" | "inline-graphic" | "object-id" | "alt-text"
        | "long-desc" => Style::Skip,
        _ => Style::Inline,
    }
}

/// A section that is being read.
#[derive(Default)]
struct Draft {
    label: Option<String>,
    category: Option<String>,
    text: TextBuilder,
}

impl Draft {
    /// Gives the section, if it says anything.
    fn finish(self) -> Option<Section> {
        if self.text.is_empty() && self.label.is_none() {
            return None;
        }
        Some(Section {
            label: self.label,
            category: self.category,
            text: self.text.finish(),
        })
    }
}

/// Reads the current element's paragraphs and sections, in reading order.
///
/// What stands directly below the element is a section without heading; each
/// `sec`, however deep, is a section under its own title.
pub(super) fn all(cursor: &mut Cursor<'_>, sections: &mut Vec<Section>) -> Result<(), Flaw> {
    read(cursor, Draft::default(), sections)
}

/// As [`all`], under a heading unless the element brings its own.
pub(super) fn under(
    cursor: &mut Cursor<'_>,
    heading: &str,
    sections: &mut Vec<Section>,
) -> Result<(), Flaw> {
    let draft = Draft {
        label: Some(heading.to_owned()),
        ..Draft::default()
    };
    let before = sections.len();
    read(cursor, draft, sections)?;
    // A heading of ours over nothing says nothing.
    if sections.len() == before + 1 && sections[before].text.is_empty() {
        sections.pop();
    }
    Ok(())
}

fn read(
    cursor: &mut Cursor<'_>,
    mut draft: Draft,
    sections: &mut Vec<Section>,
) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        match element.name() {
            "title" => draft.label = super::text(cursor)?.or(draft.label),
            "sec" | "app" | "ack" | "glossary" | "ref-list" | "notes" => {
                // What came before the inner section is a section by itself.
                sections.extend(std::mem::take(&mut draft).finish());
                let inner = Draft {
                    category: element.attribute("sec-type")?,
                    ..Draft::default()
                };
                read(cursor, inner, sections)?;
            }
            // Number and administration of the section.
            "label" | "sec-meta" => cursor.skip()?,
            name if matches!(style(name), Style::Skip) => cursor.skip()?,
            _ => {
                draft.text.space();
                cursor.read_into(&mut draft.text, style)?;
                draft.text.space();
            }
        }
    }
    sections.extend(draft.finish());
    Ok(())
}

/// Figures and tables that stand behind the text: each a section of its own.
pub(super) fn floats(cursor: &mut Cursor<'_>, sections: &mut Vec<Section>) -> Result<(), Flaw> {
    while cursor.child()?.is_some() {
        let text = super::rich(cursor)?;
        if !text.is_empty() {
            sections.push(Section {
                text,
                ..Section::default()
            });
        }
    }
    Ok(())
}
