//! What is found in a text.

use super::link::Link;
use serde::{Deserialize, Serialize};

/// A named entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its first character in the text, counted from 0. Characters are Unicode
    /// scalar values, as Python's strings count them.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
    /// The text between the two.
    pub text: String,
    /// How sure the model is, from 0 to 1: the geometric mean of the
    /// probabilities of its words' tags.
    pub score: f32,
    /// The concept that it stands for, where one was found: `id`, `concept` and
    /// `link` beside the other fields.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub concept: Option<Link>,
}

impl Entity {
    /// What it is called: by its concept, else as it is written.
    pub fn name(&self) -> &str {
        self.concept
            .as_ref()
            .map_or(&self.text, |concept| &concept.name)
    }

    /// Whether its mention stands in a text where it says.
    pub fn stands_in(&self, text: &str) -> bool {
        let mut between = text.chars().skip(self.start);
        self.start < self.end
            && self.text.chars().count() == self.end - self.start
            && self.text.chars().all(|c| between.next() == Some(c))
    }
}

/// Counts the characters before places of a text, which are asked for in
/// rising order.
#[derive(Debug)]
pub(super) struct Characters<'a> {
    text: &'a str,
    byte: usize,
    characters: usize,
}

impl<'a> Characters<'a> {
    /// At the beginning of a text.
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            text,
            byte: 0,
            characters: 0,
        }
    }

    /// Characters before a byte at which a character begins; no byte may lie
    /// before an earlier one.
    pub(super) fn before(&mut self, byte: usize) -> usize {
        self.characters += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.characters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_characters() {
        let text = "aα𝛼 e\u{301}";
        let mut characters = Characters::of(text);
        let counted: Vec<usize> = text
            .char_indices()
            .map(|(byte, _)| characters.before(byte))
            .collect();
        assert_eq!(counted, [0, 1, 2, 3, 4, 5]);
        assert_eq!(characters.before(text.len()), 6);
    }
}
