use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::fmt::{self, Display, Write};

/// HTML under construction.
///
/// Names of elements and attributes and raw markup are literals of this
/// program; whatever comes from requests or articles passes through
/// [`text`](Self::text) or an attribute's value, and is escaped there. There is
/// no way around it.
#[derive(Debug, Default)]
pub(crate) struct Html {
    out: String,
}

/// Attributes of an element; an empty value stands for a flag.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Html {
    /// Markup that is part of the program.
    pub(crate) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Text from anywhere.
    pub(crate) fn text(&mut self, text: impl Display) -> &mut Self {
        // The escaper never fails; a `Display` that does loses its own rest.
        let _ = write!(Escaper(&mut self.out), "{text}");
        self
    }

    /// A start tag alone: void elements, and those that are closed elsewhere.
    pub(crate) fn open(&mut self, name: &'static str, attributes: Attributes<'_>) -> &mut Self {
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in attributes {
            self.out.push(' ');
            self.out.push_str(attribute);
            if !value.is_empty() {
                self.out.push_str("=\"");
                self.text(value);
                self.out.push('"');
            }
        }
        self.out.push('>');
        self
    }

    /// An end tag.
    pub(crate) fn close(&mut self, name: &'static str) -> &mut Self {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
        self
    }

    /// An element with what `inside` writes within it.
    pub(crate) fn element(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) -> &mut Self {
        self.open(name, attributes);
        inside(self);
        self.close(name)
    }

    /// An element that holds a text.
    pub(crate) fn leaf(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        text: impl Display,
    ) -> &mut Self {
        self.open(name, attributes).text(text).close(name)
    }

    /// The markup.
    pub(crate) fn finish(self) -> String {
        self.out
    }
}

struct Escaper<'a>(&'a mut String);

impl Write for Escaper<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // Not allowed in HTML, not even as a reference.
                '\0' => self.0.push('\u{fffd}'),
                other => self.0.push(other),
            }
        }
        Ok(())
    }
}

/// Answers with a page. What it says holds for one state of the index.
pub(crate) fn respond(status: StatusCode, page: String) -> Response {
    (
        status,
        [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CACHE_CONTROL, "no-store"),
        ],
        page,
    )
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_values_are_escaped() {
        let mut html = Html::default();
        html.leaf(
            "a",
            &[("href", "/?q=\"><script>"), ("hidden", "")],
            "<b> & 'c'",
        );
        assert_eq!(
            html.finish(),
            "<a href=\"/?q=&quot;&gt;&lt;script&gt;\" hidden>&lt;b&gt; &amp; &#39;c&#39;</a>"
        );
    }
}
