//! Writes XML: escaping, elements, attributes. What is read as XML is read
//! elsewhere.

use crate::article::{Markup, RichText};

/// What stands before the root element.
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// An attribute; without a value it is left out.
pub type Attribute<'a> = (&'a str, Option<&'a str>);

/// A document under construction. Names of elements and attributes are taken as
/// they are; texts are escaped.
#[derive(Debug, Clone, Default)]
pub struct XmlWriter {
    text: String,
}

impl XmlWriter {
    /// A part of a document.
    pub fn new() -> Self {
        Self::default()
    }

    /// A document with a declaration of its type.
    pub fn document(root: &str, public: &str, system: &str) -> Self {
        Self {
            text: format!("{DECLARATION}<!DOCTYPE {root} PUBLIC \"{public}\" \"{system}\">\n"),
        }
    }

    /// The start tag of an element, without attributes.
    pub fn open(&mut self, name: &str) {
        self.open_with(name, &[]);
    }

    /// The start tag of an element.
    pub fn open_with(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            if let Some(value) = value {
                self.text.push(' ');
                self.text.push_str(name);
                self.text.push_str("=\"");
                self.text(value);
                self.text.push('"');
            }
        }
        self.text.push('>');
    }

    /// The end tag of an element.
    pub fn close(&mut self, name: &str) {
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    /// An element, and what is in it.
    pub fn inside(
        &mut self,
        name: &str,
        attributes: &[Attribute<'_>],
        content: impl FnOnce(&mut Self),
    ) {
        self.open_with(name, attributes);
        content(self);
        self.close(name);
    }

    /// An element that holds a text.
    pub fn leaf(&mut self, name: &str, text: &str) {
        self.leaf_with(name, &[], text);
    }

    /// The same with attributes.
    pub fn leaf_with(&mut self, name: &str, attributes: &[Attribute<'_>], text: &str) {
        self.inside(name, attributes, |xml| xml.text(text));
    }

    /// An element that holds a text, where there is one.
    pub fn optional(&mut self, name: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.leaf(name, text);
        }
    }

    /// An element that holds a text with inline styles.
    pub fn rich(&mut self, name: &str, attributes: &[Attribute<'_>], text: &RichText) {
        self.inside(name, attributes, |xml| xml.styled(text));
    }

    /// Text, escaped for elements and attributes alike. XML has no control
    /// characters, not even escaped: each becomes a space.
    pub fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\0'..='\u{1f}' | '\u{7f}' => self.text.push(' '),
                '\u{fffe}' | '\u{ffff}' => self.text.push('\u{fffd}'),
                other => self.text.push(other),
            }
        }
    }

    /// XML as it is.
    pub fn raw(&mut self, xml: &str) {
        self.text.push_str(xml);
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.text
    }

    /// Spans that do not lie within each other, or not on characters, are left
    /// out: as elements they could not be written.
    fn styled(&mut self, rich: &RichText) {
        let plain = rich.plain.as_str();
        let mut at = 0;
        let mut open: Vec<(usize, Markup)> = Vec::new();
        for span in &rich.markup {
            let (start, end) = (span.start as usize, span.end as usize);
            if start >= end || start < at || plain.get(start..end).is_none() {
                continue;
            }
            at = self.close_until(plain, at, start, &mut open);
            if open.last().is_some_and(|&(stop, _)| end > stop) {
                continue;
            }
            self.text(&plain[at..start]);
            at = start;
            self.raw(tags(span.kind).0);
            open.push((end, span.kind));
        }
        at = self.close_until(plain, at, plain.len(), &mut open);
        self.text(&plain[at..]);
    }

    /// Writes on to the end of each span that ends before a place.
    fn close_until(
        &mut self,
        plain: &str,
        mut at: usize,
        place: usize,
        open: &mut Vec<(usize, Markup)>,
    ) -> usize {
        while let Some(&(stop, kind)) = open.last()
            && stop <= place
        {
            self.text(&plain[at..stop]);
            at = stop;
            self.raw(tags(kind).1);
            open.pop();
        }
        at
    }
}

/// Start and end of a style.
fn tags(kind: Markup) -> (&'static str, &'static str) {
    match kind {
        Markup::I => ("<i>", "</i>"),
        Markup::B => ("<b>", "</b>"),
        Markup::U => ("<u>", "</u>"),
        Markup::Sup => ("<sup>", "</sup>"),
        Markup::Sub => ("<sub>", "</sub>"),
        Markup::Math => (
            "<mml:math xmlns:mml=\"http://www.w3.org/1998/Math/MathML\"><mml:mtext>",
            "</mml:mtext></mml:math>",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::article::MarkupSpan;

    fn styled(plain: &str, spans: &[(u32, u32, Markup)]) -> String {
        let markup = spans
            .iter()
            .map(|&(start, end, kind)| MarkupSpan { start, end, kind });
        let text = RichText {
            plain: plain.to_owned(),
            markup: markup.collect(),
        };
        let mut xml = XmlWriter::new();
        xml.styled(&text);
        xml.finish()
    }

    #[test]
    fn what_xml_reserves_is_escaped_and_what_it_forbids_is_replaced() {
        let mut xml = XmlWriter::new();
        xml.leaf_with(
            "a",
            &[("b", Some("\"<&\n")), ("c", None)],
            "x<\u{1}&>\u{ffff}",
        );
        assert_eq!(
            xml.finish(),
            "<a b=\"&quot;&lt;&amp; \">x&lt; &amp;&gt;\u{fffd}</a>\n"
        );
    }

    #[test]
    fn spans_are_elements() {
        let spans = [(0, 2, Markup::B), (2, 3, Markup::Sub), (2, 3, Markup::I)];
        assert_eq!(styled("CO2 <", &spans), "<b>CO</b><sub><i>2</i></sub> &lt;");
        let nested = [(0, 5, Markup::I), (1, 2, Markup::Sup)];
        assert_eq!(styled("abcde", &nested), "<i>a<sup>b</sup>cde</i>");
    }

    #[test]
    fn spans_that_cross_or_lie_outside_are_left_out() {
        let crossing = [(0, 3, Markup::I), (2, 5, Markup::B), (9, 12, Markup::U)];
        assert_eq!(styled("abcde", &crossing), "<i>abc</i>de");
        assert_eq!(
            styled("aéb", &[(2, 3, Markup::I), (1, 0, Markup::B)]),
            "aéb"
        );
    }
}
