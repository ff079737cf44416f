//! Text with its markup, the words that the search found, and its entities, as
//! HTML.

use super::html::Html;
use super::marks::Marks;
use super::{entities, kinds};
use medsift::article::{Markup, MarkupSpan, RichText};
use medsift::enrich::Entity;
use std::collections::HashSet;
use std::ops::Range;

/// What a stretch of text is wrapped in. An entity is always the outermost, so
/// that it stays one element whatever crosses its ends.
#[derive(Debug, Clone, Copy)]
enum Style<'a> {
    /// An entity, and whether the keyboard stops at it.
    Entity(&'a Entity, bool),
    Found,
    Markup(Markup),
}

impl Style<'_> {
    fn open(self, html: &mut Html) {
        html.raw(match self {
            Self::Entity(entity, stops) => {
                open_entity(html, entity, stops);
                return;
            }
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
            Self::Entity(..) => "</abbr>",
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

/// What an entity is stands in its title, which the style sheet also shows
/// where the keyboard has come to it.
fn open_entity(html: &mut Html, entity: &Entity, stops: bool) {
    let says = entities::in_words(&entity.kind, entity.concept.as_ref());
    let class = kinds::class(&entity.kind);
    let mut attributes = vec![("class", class), ("title", says.as_str())];
    if stops {
        attributes.push(("tabindex", "0"));
    }
    html.open("abbr", &attributes);
}

/// A stretch of text with its style, and its place among the spans: the order
/// from the outside in, by which two neighbours of one style are told apart.
struct Styled<'a> {
    range: Range<usize>,
    style: Style<'a>,
    place: usize,
}

/// Writes a text with its markup.
pub(crate) fn write(html: &mut Html, text: &RichText) {
    write_marked(html, text, &Marks::default());
}

/// Writes a text with its markup and what is marked in it.
pub(crate) fn write_marked(html: &mut Html, text: &RichText, marks: &Marks<'_>) {
    write_part(html, &text.plain, 0..text.plain.len(), &text.markup, marks);
}

/// Writes the part of a text that lies in `window`.
///
/// `markup` and `marks` count in bytes of the whole text. They may overlap in
/// any way: elements are closed and opened again so that they always nest.
/// Spans that do not fit the text are left out.
pub(crate) fn write_part(
    html: &mut Html,
    text: &str,
    window: Range<usize>,
    markup: &[MarkupSpan],
    marks: &Marks<'_>,
) {
    if text.get(window.clone()).is_none() {
        return;
    }
    let spans = styled(text, &window, markup, marks);
    let mut cuts: Vec<usize> = spans
        .iter()
        .flat_map(|span| [span.range.start, span.range.end])
        .chain([window.start, window.end])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();

    let mut coming = spans.iter().peekable();
    let mut active: Vec<&Styled<'_>> = Vec::new();
    let mut open: Vec<&Styled<'_>> = Vec::new();
    for pair in cuts.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        active.retain(|span| span.range.end > start);
        while let Some(span) = coming.next_if(|span| span.range.start <= start) {
            active.push(span);
        }
        active.sort_by_key(|span| span.place);
        let both = open.iter().zip(&active);
        let kept = both.take_while(|(a, b)| a.place == b.place).count();
        for span in open.drain(kept..).rev() {
            span.style.close(html);
        }
        for span in &active[kept..] {
            span.style.open(html);
            open.push(span);
        }
        html.text(&text[start..end]);
    }
    for span in open.into_iter().rev() {
        span.style.close(html);
    }
}

/// The spans that show in the window, cut to it, by their start.
fn styled<'a>(
    text: &str,
    window: &Range<usize>,
    markup: &[MarkupSpan],
    marks: &Marks<'a>,
) -> Vec<Styled<'a>> {
    let entities = marks.entities.iter();
    let entities = entities.map(|(range, entity)| (range.clone(), Style::Entity(entity, false)));
    let found = marks.found.iter();
    let found = found.map(|range| (range.clone(), Style::Found));
    let markup = markup.iter().map(|span| {
        let range = span.start as usize..span.end as usize;
        (range, Style::Markup(span.kind))
    });
    let mut spans: Vec<Styled<'a>> = entities
        .chain(found)
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
    if !marks.in_link {
        let mut met = HashSet::new();
        for span in &mut spans {
            if let Style::Entity(entity, stops) = &mut span.style {
                *stops = first_of_its_concept(entity, &mut met);
            }
        }
    }
    spans
}

/// Whoever goes through the text by keyboard stops once at each concept, not at
/// every mention.
fn first_of_its_concept<'a>(entity: &'a Entity, met: &mut HashSet<&'a str>) -> bool {
    let concept = entity.concept.as_ref();
    concept.is_some_and(|concept| met.insert(&concept.id))
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
    use medsift::enrich::link::{Evidence, Link, Method};
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
        with_entities(text, window, markup, found, &[])
    }

    fn with_entities(
        text: &str,
        window: Range<usize>,
        markup: &[MarkupSpan],
        found: &[(usize, usize)],
        entities: &[(usize, usize, Entity)],
    ) -> String {
        let marks = Marks {
            found: found.iter().map(|&(a, b)| a..b).collect(),
            entities: entities.iter().map(|(a, b, one)| (*a..*b, one)).collect(),
            in_link: false,
        };
        let mut html = Html::default();
        write_part(&mut html, text, window, markup, &marks);
        html.finish()
    }

    fn entity(kind: &str, id: Option<&str>) -> Entity {
        Entity {
            kind: kind.to_owned(),
            start: 0,
            end: 0,
            text: String::new(),
            score: 1.0,
            concept: id.map(|id| Link {
                id: id.to_owned(),
                name: "Pain <\"".to_owned(),
                evidence: Evidence {
                    method: Method::Exact,
                    score: 1.0,
                },
            }),
        }
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

    #[test]
    fn an_entity_is_one_element_around_found_words_and_markup() {
        let pain = (2, 6, entity("Disease", None));
        let html = with_entities(
            "abcdefgh",
            0..8,
            &[span(5, 7, Markup::I)],
            &[(0, 4)],
            &[pain],
        );
        let opened = "<abbr class=\"entity k0\" title=\"Disease\">";
        let expected = format!("<mark>ab</mark>{opened}<mark>cd</mark>e<i>f</i></abbr><i>g</i>h");
        assert_eq!(html, expected);
    }

    #[test]
    fn the_keyboard_stops_once_at_each_concept_and_markup_in_a_name_is_text() {
        let all = [
            (0, 1, entity("<b>", Some("MESH:D1"))),
            (2, 3, entity("Gene", None)),
            (4, 5, entity("Disease", Some("MESH:D1"))),
            (6, 7, entity("Disease", Some("MESH:D2"))),
        ];
        let html = with_entities("a b c d", 0..7, &[], &[], &all);
        assert_eq!(html.matches("tabindex=\"0\"").count(), 2, "{html}");
        assert!(
            html.contains("title=\"&lt;b&gt; · MESH:D1 Pain &lt;&quot;\" tabindex=\"0\">a<"),
            "{html}"
        );
        assert!(html.contains("title=\"Gene\">b</abbr>"), "{html}");
        assert!(
            html.contains("MESH:D2 Pain &lt;&quot;\" tabindex"),
            "{html}"
        );
    }

    proptest! {
        /// Whatever the spans: the text is all there, once, and tags balance.
        #[test]
        fn any_spans_give_whole_text_and_balanced_tags(
            text in "[aβ<&c ]{0,12}",
            spans in proptest::collection::vec((0u32..16, 0u32..16, 0usize..6), 0..6),
            found in proptest::collection::vec((0usize..16, 0usize..16), 0..4),
            named in proptest::collection::vec((0usize..16, 0usize..16), 0..4),
        ) {
            let kinds = [Markup::I, Markup::B, Markup::U, Markup::Sup, Markup::Sub, Markup::Math];
            let markup: Vec<_> = spans.iter().map(|&(a, b, k)| span(a, b, kinds[k])).collect();
            let named: Vec<_> = named
                .iter()
                .map(|&(a, b)| (a, b, entity("Disease", Some("MESH:D1"))))
                .collect();
            let html = with_entities(&text, 0..text.len(), &markup, &found, &named);
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
