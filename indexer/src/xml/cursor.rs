//! A place in one XML record, and the elements read from there.

use super::entity;
use super::text::{TextBuilder, normalise};
use medsift::article::{Markup, RichText};
use quick_xml::escape::unescape_with;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Deepest nesting that is read; real records stay far below.
const MAX_DEPTH: usize = 200;

/// Why a record cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flaw(String);

impl Flaw {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A start tag. Its content is what the cursor reads next.
pub(crate) struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    /// Name without a namespace prefix.
    pub(crate) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// Value of an attribute, with entities resolved and white space normalised;
    /// `None` where there is none or it is empty.
    pub(crate) fn attribute(&self, name: &str) -> Result<Option<String>, Flaw> {
        let Some(value) = self.raw_attribute(name)? else {
            return Ok(None);
        };
        let value = if value.contains('&') {
            let value = unescape_with(&value, entity::named).map_err(|error| {
                Flaw::new(format!(
                    "bad attribute {name} of <{}>: {error}",
                    self.name()
                ))
            })?;
            normalise(&value)
        } else {
            normalise(&value)
        };
        Ok(Some(value).filter(|value| !value.is_empty()))
    }

    /// Whether a `…YN` attribute is `Y`; `absent` where it is not there.
    pub(crate) fn is_yes(&self, name: &str, absent: bool) -> Result<bool, Flaw> {
        let value = self.raw_attribute(name)?;
        Ok(value.map_or(absent, |value| value.trim() == "Y"))
    }

    fn raw_attribute(&self, name: &str) -> Result<Option<Cow<'_, str>>, Flaw> {
        match self.0.try_get_attribute(name) {
            Ok(found) => Ok(found.map(|attribute| attribute.value)),
            Err(error) => Err(Flaw::new(format!(
                "bad attributes of <{}>: {error}",
                self.name()
            ))),
        }
    }
}

/// Reads one record from front to back.
///
/// [`Cursor::child`] gives the next element inside the current one; that
/// element's content must then be read to its end by one of [`Cursor::text`],
/// [`Cursor::rich`], [`Cursor::skip`], [`Cursor::leftover`], or by a loop over
/// [`Cursor::child`].
pub(crate) struct Cursor<'a> {
    reader: Reader<&'a [u8]>,
    depth: usize,
    /// Text of elements that have no place in an article, by element name.
    leftover: BTreeMap<String, Vec<Value>>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(record: &'a str) -> Self {
        let mut reader = Reader::from_str(record);
        reader.config_mut().expand_empty_elements = true;
        Self {
            reader,
            depth: 0,
            leftover: BTreeMap::new(),
        }
    }

    fn event(&mut self) -> Result<Event<'a>, Flaw> {
        let event = self.reader.read_event().map_err(|error| {
            let place = self.reader.error_position();
            Flaw::new(format!("{error}, {place} bytes into the record"))
        })?;
        match &event {
            Event::Start(_) => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(Flaw::new(format!(
                        "elements are nested more than {MAX_DEPTH} deep"
                    )));
                }
            }
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            Event::Eof if self.depth > 0 => {
                return Err(Flaw::new("the record ends inside an element"));
            }
            _ => {}
        }
        Ok(event)
    }

    /// The next element inside the current one; `None` at its end.
    ///
    /// Text that stands between elements is kept as a leftover.
    pub(crate) fn child(&mut self) -> Result<Option<Element<'a>>, Flaw> {
        loop {
            match self.event()? {
                Event::Start(start) => return Ok(Some(Element(start))),
                Event::End(_) | Event::Eof => return Ok(None),
                Event::Text(text) => self.keep("#text", &text),
                Event::CData(text) => self.keep("#text", &text),
                Event::GeneralRef(reference) => {
                    let text = resolve(&reference)?;
                    self.keep("#text", &text);
                }
                _ => {}
            }
        }
    }

    /// As [`Cursor::child`], for mixed content: text before the next element is
    /// added to `builder`.
    pub(crate) fn child_or_text(
        &mut self,
        builder: &mut TextBuilder,
    ) -> Result<Option<Element<'a>>, Flaw> {
        loop {
            match self.event()? {
                Event::Start(start) => return Ok(Some(Element(start))),
                Event::End(_) | Event::Eof => return Ok(None),
                Event::Text(text) => builder.push(&text),
                Event::CData(text) => builder.push(&text),
                Event::GeneralRef(reference) => builder.push(&resolve(&reference)?),
                _ => {}
            }
        }
    }

    /// All text inside the current element, markup dropped.
    pub(crate) fn text(&mut self) -> Result<String, Flaw> {
        let mut builder = TextBuilder::default();
        self.read_into(&mut builder, |_| Style::Inline)?;
        Ok(builder.finish().plain)
    }

    /// As [`Cursor::text`], `None` where there is none.
    pub(crate) fn some_text(&mut self) -> Result<Option<String>, Flaw> {
        Ok(Some(self.text()?).filter(|text| !text.is_empty()))
    }

    /// All text inside the current element as it is, white space included.
    pub(crate) fn verbatim(&mut self) -> Result<String, Flaw> {
        let mut text = String::new();
        let mut depth = 0usize;
        loop {
            match self.event()? {
                Event::Start(_) => depth += 1,
                Event::End(_) if depth == 0 => return Ok(text),
                Event::End(_) => depth -= 1,
                Event::Text(part) => text.push_str(&part),
                Event::CData(part) => text.push_str(&part),
                Event::GeneralRef(reference) => text.push_str(&resolve(&reference)?),
                Event::Eof => return Err(Flaw::new("the record ends inside a text")),
                _ => {}
            }
        }
    }

    /// All text inside the current element with PubMed's inline markup.
    pub(crate) fn rich(&mut self) -> Result<RichText, Flaw> {
        let mut builder = TextBuilder::default();
        self.read_into(&mut builder, pubmed_style)?;
        Ok(builder.finish())
    }

    /// Reads to the end of the current element, adding its text.
    pub(crate) fn read_into(
        &mut self,
        builder: &mut TextBuilder,
        style: impl Fn(&str) -> Style,
    ) -> Result<(), Flaw> {
        // The elements that are open below the current one.
        let mut inside: Vec<Style> = Vec::new();
        loop {
            match self.event()? {
                Event::Start(start) => {
                    let style = style(start.local_name().into_inner());
                    match style {
                        Style::Inline => {}
                        Style::Span(kind) => builder.open(kind),
                        Style::Block => builder.space(),
                        Style::Skip => {
                            self.skip()?;
                            continue;
                        }
                    }
                    inside.push(style);
                }
                Event::End(_) => match inside.pop() {
                    Some(Style::Span(_)) => builder.close(),
                    Some(Style::Block) => builder.space(),
                    Some(Style::Inline | Style::Skip) => {}
                    None => return Ok(()),
                },
                Event::Text(text) => builder.push(&text),
                Event::CData(text) => builder.push(&text),
                Event::GeneralRef(reference) => builder.push(&resolve(&reference)?),
                Event::Eof => return Err(Flaw::new("the record ends inside a text")),
                _ => {}
            }
        }
    }

    /// Reads to the end of the current element and drops it.
    pub(crate) fn skip(&mut self) -> Result<(), Flaw> {
        let mut depth = 0usize;
        loop {
            match self.event()? {
                Event::Start(_) => depth += 1,
                Event::End(_) if depth == 0 => return Ok(()),
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(Flaw::new("the record ends inside an element")),
                _ => {}
            }
        }
    }

    /// Reads an element that has no place in an article and keeps its text.
    pub(crate) fn leftover(&mut self, element: &Element<'a>) -> Result<(), Flaw> {
        let text = self.text()?;
        self.keep(element.name(), &text);
        Ok(())
    }

    fn keep(&mut self, name: &str, text: &str) {
        // Indentation, which is a good part of all text events.
        if text.trim_ascii_start().is_empty() {
            return;
        }
        let text = normalise(text);
        if !text.is_empty() {
            let texts = self.leftover.entry(name.to_owned()).or_default();
            texts.push(Value::String(text));
        }
    }

    /// What was kept because it has no place, by element name.
    pub(crate) fn into_leftover(self) -> BTreeMap<String, Value> {
        let texts = self.leftover.into_iter();
        texts
            .map(|(name, texts)| (name, Value::Array(texts)))
            .collect()
    }
}

/// What an element inside a text is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Style {
    /// Its text belongs to the text around it.
    Inline,
    /// A stretch that is shown in another style.
    Span(Markup),
    /// Parted from the text around it by a space.
    Block,
    /// Not text for reading.
    Skip,
}

fn pubmed_style(name: &str) -> Style {
    Style::Span(match name {
        "i" => Markup::I,
        "b" => Markup::B,
        "u" => Markup::U,
        "sup" => Markup::Sup,
        "sub" => Markup::Sub,
        "math" => Markup::Math,
        _ => return Style::Inline,
    })
}

/// The text that a reference stands for.
fn resolve(reference: &BytesRef<'_>) -> Result<Cow<'static, str>, Flaw> {
    let bad = |error| {
        Flaw::new(format!(
            "bad character reference &{};: {error}",
            &**reference
        ))
    };
    if let Some(character) = reference.resolve_char_ref().map_err(bad)? {
        return Ok(Cow::Owned(character.to_string()));
    }
    match entity::named(reference) {
        Some(text) => Ok(Cow::Borrowed(text)),
        None => Err(Flaw::new(format!("unknown entity &{};", &**reference))),
    }
}
