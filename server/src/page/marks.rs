//! What is marked in a text: words that the search found, and entities.

use super::rich::in_bytes;
use medsift::enrich::Entity;
use std::ops::Range;

/// Stretches of one text, in its bytes.
#[derive(Debug, Default)]
pub(crate) struct Marks<'a> {
    /// Words that the search found.
    pub(crate) found: Vec<Range<usize>>,
    /// Named entities.
    pub(crate) entities: Vec<(Range<usize>, &'a Entity)>,
    /// Whether the text is within a link, in which the keyboard cannot stop at
    /// anything else.
    pub(crate) in_link: bool,
}

impl<'a> Marks<'a> {
    /// Found words, counted in characters of the text.
    pub(crate) fn found(text: &str, found: &[[usize; 2]]) -> Self {
        Self {
            found: in_bytes(text, found),
            ..Self::default()
        }
    }

    /// And entities of the same text. One that is not what stands at its place
    /// belongs to another text, and is left out.
    pub(crate) fn with_entities(mut self, text: &str, entities: &'a [Entity]) -> Self {
        let mut starts: Vec<usize> = Vec::new();
        if !entities.is_empty() {
            starts.extend(text.char_indices().map(|(start, _)| start));
            starts.push(text.len());
        }
        let place = |entity: &Entity| {
            let range = *starts.get(entity.start)?..*starts.get(entity.end)?;
            (text.get(range.clone())? == entity.text).then_some(range)
        };
        let entities = entities.iter();
        self.entities = entities
            .filter_map(|entity| Some((place(entity)?, entity)))
            .collect();
        self
    }

    /// For a text within a link.
    pub(crate) fn in_link(mut self) -> Self {
        self.in_link = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(start: usize, text: &str) -> Entity {
        Entity {
            kind: "Gene".to_owned(),
            start,
            end: start + text.chars().count(),
            text: text.to_owned(),
            score: 0.9,
            concept: None,
        }
    }

    #[test]
    fn characters_become_bytes_and_what_does_not_fit_is_left_out() {
        let text = "α TNF-α β";
        let entities = [
            entity(2, "TNF-α"),
            entity(8, "β"),
            entity(0, "TNF"),
            entity(8, "beyond"),
        ];
        let marks = Marks::found(text, &[[0, 1]]).with_entities(text, &entities);
        let places: Vec<_> = marks.entities.iter().map(|one| one.0.clone()).collect();
        assert_eq!(places, [3..9, 10..12]);
        assert_eq!(marks.found.len(), 1);
        assert_eq!(marks.found[0], 0..2);
        assert!(!marks.in_link && marks.in_link().in_link);
    }
}
