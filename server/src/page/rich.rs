//! Text with its markup and the words that the search found, as HTML.

use super::html::Html;
use medsift::article::{Markup, MarkupSpan, RichText};
use std::ops::Range;

/// What a stretch of text is wrapped in; the order is from the outside in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Found,
    Markup(Markup),
}

impl Style {
    fn open(self, html: &mut Html) {
        html.raw(match self {
            Self::Found => "<mark>",
            Self::Markup(Markup::I) => "<i>",
            Self::Markup(Markup::B) => "<b>",
            Self::Markup(Markup::U) => "<u>",
            Self::Markup(Markup::Sup) => "<sup>",
            Self::Markup(Markup::Sub) => "<sub>",
            Self::Markup(Markup::Math) => "<span class=\"math\">",
        });
    }

    fn close(self, html: &mut Html) {
        html.raw(match self {
            Self::Found => "</mark>",
            Self::Markup(Markup::I) => "</i>",
            Self::Markup(Markup::B) => "</b>",
            Self::Markup(Markup::U) => "</u>",
            Self::Markup(Markup::Sup) => "</sup>",
            Self::Markup(Markup::Sub) => "</sub>",
            Self::Markup(Markup::Math) => "</span>",
        });
    }
}

/// A stretch of text with its style, and its place among the spans, by which
/// two neighbours of one style are told apart.
struct Styled {
    range: Range<usize>,
    style: Style,
    place: usize,
}

/// Writes a text with its markup.
pub(crate) fn write(html: &mut Html, text: &RichText) {
    write_part(html, &text.plain, 0..text.plain.len(), &text.markup, &[]);
}

/// Writes the part of a text that lies in `window`.
///
/// `markup` and `found` count in bytes of the whole text. They may overlap in
/// any way: elements are closed and opened again so that they always nest.
/// Spans that do not fit the text are left out.
pub(crate) fn write_part(
    html: &mut Html,
    text: &str,
    window: Range<usize>,
    markup: &[MarkupSpan],
    found: &[Range<usize>],
) {
    if text.get(window.clone()).is_none() {
        return;
    }
    let spans = styled(text, &window, markup, found);
    let mut cuts: Vec<usize> = spans
        .iter()
        .flat_map(|span| [span.range.start, span.range.end])
        .chain([window.start, window.end])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();

    let mut coming = spans.iter().peekable();
    let mut active: Vec<&Styled> = Vec::new();
    let mut open: Vec<(usize, Style)> = Vec::new();
    for pair in cuts.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        active.retain(|span| span.range.end > start);
        while let Some(span) = coming.next_if(|span| span.range.start <= start) {
            active.push(span);
        }
        active.sort_by_key(|span| span.place);
        let wanted = || active.iter().map(|span| (span.place, span.style));
        let kept = open
            .iter()
            .zip(wanted())
            .take_while(|(a, b)| **a == *b)
            .count();
        for (_, style) in open.drain(kept..).rev() {
            style.close(html);
        }
        for (place, style) in wanted().skip(kept) {
            style.open(html);
            open.push((place, style));
        }
        html.text(&text[start..end]);
    }
    for (_, style) in open.into_iter().rev() {
        style.close(html);
    }
}

/// The spans that show in the window, cut to it, by their start.
fn styled(
    text: &str,
    window: &Range<usize>,
    markup: &[MarkupSpan],
    found: &[Range<usize>],
) -> Vec<Styled> {
    let found = found.iter().map(|range| (range.clone(), Style::Found));
    let markup = markup.iter().map(|span| {
        (
            span.start as usize..span.end as usize,
            Style::Markup(span.kind),
        )
    });
    let mut spans: Vec<Styled> = found
        .chain(markup)
        .enumerate()
        .filter(|(_, (range, _))| text.get(range.clone()).is_some())
        .map(|(place, (range, style))| Styled {
            range: range.start.max(window.start)..range.end.min(window.end),
            style,
            place,
        })
        .filter(|span| span.range.start < span.range.end)
        .collect();
    spans.sort_by_key(|span| span.range.start);
    spans
}

/// Ranges counted in characters as ranges in bytes; those beyond the text's
/// end are cut to it.
pub(crate) fn in_bytes(text: &str, ranges: &[[usize; 2]]) -> Vec<Range<usize>> {
    if ranges.is_empty() {
        return Vec::new();
    }
    let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
    let byte = |character: usize| starts.get(character).copied().unwrap_or(text.len());
    ranges
        .iter()
        .map(|&[start, end]| byte(start)..byte(end))
        .filter(|range| range.start < range.end)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span(start: u32, end: u32, kind: Markup) -> MarkupSpan {
        MarkupSpan { start, end, kind }
    }

    fn part(
        text: &str,
        window: Range<usize>,
        markup: &[MarkupSpan],
        found: &[(usize, usize)],
    ) -> String {
        let mut html = Html::default();
        let found: Vec<_> = found.iter().map(|&(a, b)| a..b).collect();
        write_part(&mut html, text, window, markup, &found);
        html.finish()
    }

    #[test]
    fn a_found_word_keeps_its_subscript() {
        let html = part("CO2 <5%", 0..7, &[span(2, 3, Markup::Sub)], &[(0, 3)]);
        assert_eq!(html, "<mark>CO<sub>2</sub></mark> &lt;5%");
    }

    #[test]
    fn crossing_spans_nest() {
        let html = part("abcdef", 0..6, &[span(0, 4, Markup::I)], &[(2, 6)]);
        assert_eq!(html, "<i>ab</i><mark><i>cd</i>ef</mark>");
    }

    #[test]
    fn nested_markup_keeps_its_order() {
        let markup = [span(0, 3, Markup::I), span(1, 3, Markup::Sup)];
        assert_eq!(part("x-1!", 0..4, &markup, &[]), "<i>x<sup>-1</sup></i>!");
    }

    #[test]
    fn a_window_cuts_spans() {
        let html = part("abcdef", 2..4, &[span(0, 3, Markup::B)], &[(3, 6)]);
        assert_eq!(html, "<b>c</b><mark>d</mark>");
    }

    #[test]
    fn characters_become_bytes() {
        assert_eq!(in_bytes("α-β x", &[[0, 3], [4, 9], [7, 9]]), [0..5, 6..7]);
    }

    proptest! {
        /// Whatever the spans: the text is all there, once, and tags balance.
        #[test]
        fn any_spans_give_whole_text_and_balanced_tags(
            text in "[aβ<&c ]{0,12}",
            spans in proptest::collection::vec((0u32..16, 0u32..16, 0usize..6), 0..6),
            found in proptest::collection::vec((0usize..16, 0usize..16), 0..4),
        ) {
            let kinds = [Markup::I, Markup::B, Markup::U, Markup::Sup, Markup::Sub, Markup::Math];
            let markup: Vec<_> = spans.iter().map(|&(a, b, k)| span(a, b, kinds[k])).collect();
            let html = part(&text, 0..text.len(), &markup, &found);
            let (mut plain, mut open) = (String::new(), Vec::new());
            for piece in html.split_inclusive('>').flat_map(|piece| match piece.find('<') {
                Some(at) => vec![&piece[..at], &piece[at..]],
                None => vec![piece],
            }) {
                match piece.strip_prefix("</") {
                    Some(name) => prop_assert_eq!(open.pop(), Some(name.trim_end_matches('>'))),
                    None if piece.starts_with('<') => open.push(
                        piece[1..].trim_end_matches('>').split(' ').next().unwrap_or_default()
                    ),
                    None => plain.push_str(piece),
                }
            }
            prop_assert!(open.is_empty());
            prop_assert_eq!(plain.replace("&lt;", "<").replace("&amp;", "&"), text);
        }
    }
}
