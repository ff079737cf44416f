//! Text as it is kept: one way of handling white space for every format.

use medsift::article::{Markup, MarkupSpan, RichText};

/// Collects text with its inline markup.
///
/// Every run of white space (Unicode `White_Space`) and ASCII control
/// characters, which XML does not allow, becomes one space, and none is kept
/// at either end; that is so across markup as well, so that `a <i> b</i>` is `a b` with the span over `b`. Spans
/// without text are dropped.
#[derive(Default)]
pub(crate) struct TextBuilder {
    plain: String,
    /// White space was met that is to be written before the next character.
    gap: bool,
    spans: Vec<Open>,
    /// Indices in `spans` of those not yet closed, outermost first.
    open: Vec<usize>,
}

struct Open {
    /// Where its first character stands, once there is one.
    start: Option<usize>,
    end: usize,
    kind: Markup,
}

impl TextBuilder {
    /// Adds text.
    pub(crate) fn push(&mut self, mut text: &str) {
        while !text.is_empty() {
            let rest = text.trim_start_matches(is_gap);
            self.gap |= rest.len() < text.len();
            let (words, rest) = rest.split_at(words_length(rest));
            if !words.is_empty() {
                self.words(words);
            }
            text = rest;
        }
    }

    /// Parts what follows from what came before.
    pub(crate) fn space(&mut self) {
        self.gap = true;
    }

    fn words(&mut self, words: &str) {
        if std::mem::take(&mut self.gap) && !self.plain.is_empty() {
            self.plain.push(' ');
        }
        for &span in self.open.iter().rev() {
            // Those further out have begun at the latest with these.
            if self.spans[span].start.is_some() {
                break;
            }
            self.spans[span].start = Some(self.plain.len());
        }
        self.plain.push_str(words);
    }

    /// Begins a span.
    pub(crate) fn open(&mut self, kind: Markup) {
        self.open.push(self.spans.len());
        self.spans.push(Open {
            start: None,
            end: 0,
            kind,
        });
    }

    /// Ends the innermost span.
    pub(crate) fn close(&mut self) {
        if let Some(span) = self.open.pop() {
            self.spans[span].end = self.plain.len();
        }
    }

    /// Whether no text has been added.
    pub(crate) fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }

    /// The text with its markup.
    pub(crate) fn finish(mut self) -> RichText {
        while !self.open.is_empty() {
            self.close();
        }
        let markup = self.spans.iter().filter_map(|span| {
            Some(MarkupSpan {
                start: u32::try_from(span.start?).ok()?,
                end: u32::try_from(span.end).ok()?,
                kind: span.kind,
            })
        });
        RichText {
            markup: markup.collect(),
            plain: self.plain,
        }
    }
}

/// Length of the words that a text, which begins with no white space, begins
/// with: up to the first white space that is not one space before a printable
/// ASCII character.
fn words_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_printable = |byte: &u8| (0x21..=0x7e).contains(byte);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            0x21..=0x7e => 1,
            b' ' if bytes.get(at + 1).is_some_and(is_printable) => 1,
            0x80.. => match text[at..].chars().next() {
                Some(c) if !is_gap(c) => c.len_utf8(),
                _ => break,
            },
            _ => break,
        };
    }
    at
}

fn is_gap(c: char) -> bool {
    match c {
        '\u{21}'..='\u{7e}' => false,
        '\0'..=' ' | '\u{7f}' => true,
        _ => c.is_whitespace(),
    }
}

/// Text with its white space as [`TextBuilder`] has it.
pub(crate) fn normalise(text: &str) -> String {
    let mut builder = TextBuilder::default();
    builder.push(text);
    builder.plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn white_space_is_one_space_and_markup_starts_at_its_text() {
        let mut builder = TextBuilder::default();
        builder.push(" \n CO");
        builder.open(Markup::Sub);
        builder.push(" 2\u{a0}");
        builder.close();
        builder.push("\t\u{2009}gas ");
        builder.open(Markup::I);
        builder.close();
        let text = builder.finish();
        assert_eq!(text.plain, "CO 2 gas");
        let sub = MarkupSpan {
            start: 3,
            end: 4,
            kind: Markup::Sub,
        };
        assert_eq!(text.markup, [sub]);
    }

    #[derive(Debug, Clone)]
    enum Step {
        Push(String),
        Open(Markup),
        Close,
    }

    fn step() -> impl Strategy<Value = Step> {
        let kinds = vec![Markup::I, Markup::B, Markup::Sub, Markup::Math];
        prop_oneof![
            "\\PC{0,6}|[ \n\ta\u{e9}\u{3000}\u{85}]{0,6}".prop_map(Step::Push),
            prop::sample::select(kinds).prop_map(Step::Open),
            Just(Step::Close),
        ]
    }

    proptest! {
        #[test]
        fn spans_nest_and_lie_on_characters(steps in prop::collection::vec(step(), 0..40)) {
            let mut builder = TextBuilder::default();
            let mut all = String::new();
            for step in steps {
                match step {
                    Step::Push(text) => { builder.push(&text); all.push_str(&text); }
                    Step::Open(kind) => builder.open(kind),
                    Step::Close => builder.close(),
                }
            }
            let text = builder.finish();
            let words: Vec<&str> = all.split(is_gap).filter(|w| !w.is_empty()).collect();
            prop_assert_eq!(&text.plain, &words.join(" "));
            check_spans(&text);
        }
    }

    fn check_spans(text: &RichText) {
        for (index, span) in text.markup.iter().enumerate() {
            let inside = text.plain.get(span.start as usize..span.end as usize);
            let inside = inside.expect("a span lies on character boundaries");
            assert!(!inside.is_empty() && inside.trim() == inside);
            for earlier in &text.markup[..index] {
                let nested = earlier.start <= span.start && span.end <= earlier.end;
                assert!(nested || earlier.end <= span.start, "{text:?}");
            }
        }
    }
}
