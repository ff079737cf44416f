use serde::{Deserialize, Serialize};

/// Text with its inline markup beside it.
///
/// `plain` is what is searched, embedded and compared: `CO<sub>2</sub>` is
/// `CO2` there. `markup` says what to show differently.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
pub struct RichText {
    /// The text without markup.
    pub plain: String,
    /// Spans in order of their start, outer before inner.
    pub markup: Vec<MarkupSpan>,
}

/// A stretch of text that is shown in another style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkupSpan {
    /// First byte in [`RichText::plain`].
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// The style.
    pub kind: Markup,
}

/// Inline styles of the PubMed DTD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Markup {
    /// `<i>`
    I,
    /// `<b>`
    B,
    /// `<u>`
    U,
    /// `<sup>`
    Sup,
    /// `<sub>`
    Sub,
    /// MathML; the plain text holds its character content.
    Math,
}

/// On disk a text without markup is just a string.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Wire {
    Plain(String),
    Rich {
        plain: String,
        markup: Vec<MarkupSpan>,
    },
}

impl From<Wire> for RichText {
    fn from(wire: Wire) -> Self {
        match wire {
            Wire::Plain(plain) => plain.into(),
            Wire::Rich { plain, markup } => Self { plain, markup },
        }
    }
}

impl From<RichText> for Wire {
    fn from(text: RichText) -> Self {
        if text.markup.is_empty() {
            Self::Plain(text.plain)
        } else {
            Self::Rich {
                plain: text.plain,
                markup: text.markup,
            }
        }
    }
}

impl RichText {
    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }
}

impl From<String> for RichText {
    fn from(plain: String) -> Self {
        Self {
            plain,
            markup: Vec::new(),
        }
    }
}

impl From<&str> for RichText {
    fn from(plain: &str) -> Self {
        plain.to_owned().into()
    }
}
