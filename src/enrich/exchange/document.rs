//! A text with what was found in it, whatever file it is from.

use std::collections::BTreeMap;
use std::ops::Range;

/// What else a file says of a mention or a relation: names and values.
pub type Notes = BTreeMap<String, String>;

/// A title and abstract, or any other text, with mentions and relations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// PMID, or another name.
    pub id: String,
    /// Its text in parts, in rising order of their offsets.
    pub passages: Vec<TextPart>,
    /// Mentions in the order of the file.
    pub mentions: Vec<Mention>,
    /// Relations in the order of the file.
    pub relations: Vec<Relation>,
}

/// A part of a document's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextPart {
    /// What it is: `title`, `abstract`, …; empty where the file does not say.
    pub kind: String,
    /// Characters of the document before it.
    pub offset: usize,
    /// Its text.
    pub text: String,
}

/// A stretch of a document's text that names something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mention {
    /// First character and the one after the last, of the document. Of a
    /// mention in several pieces, the first of all and the last of all.
    pub characters: Range<usize>,
    /// The pieces of a mention that has several; else none.
    pub pieces: Vec<Range<usize>>,
    /// Its words.
    pub text: String,
    /// Its type, as the file has it.
    pub kind: String,
    /// The concept, as the file has it: several with a sign between, `-` or
    /// `-1` for none; nothing where the file has no place for it.
    pub identifier: Option<String>,
    /// What else the file says.
    pub notes: Notes,
}

/// What concepts or mentions of a document have to do with each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relation {
    /// Its type.
    pub kind: String,
    /// Identifiers of the concepts, in order; `-` for one without.
    pub arguments: Vec<String>,
    /// The mentions, by their place in the document's list; none where the
    /// relation is of concepts only.
    pub mentions: Vec<usize>,
    /// What else the file says.
    pub notes: Notes,
}

impl Document {
    /// The whole text: parts at their offsets, and spaces where there is none.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut count = 0;
        for part in &self.passages {
            for _ in count..part.offset {
                text.push(' ');
            }
            // What two parts claim is the first one's.
            let known = count.saturating_sub(part.offset);
            text.extend(part.text.chars().skip(known));
            count = count.max(part.offset + part.text.chars().count());
        }
        text
    }

    /// The mentions whose words do not stand where their offsets say, by their
    /// place in the list.
    pub fn misplaced(&self) -> Vec<usize> {
        let text = self.text();
        let starts: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
        let byte = |character: usize| {
            let end = (character == starts.len()).then_some(text.len());
            starts.get(character).copied().or(end)
        };
        let at = |range: &Range<usize>| text.get(byte(range.start)?..byte(range.end)?);
        let stands = |mention: &Mention| match &mention.pieces[..] {
            [] => at(&mention.characters) == Some(&mention.text),
            pieces => {
                let found: Option<Vec<&str>> = pieces.iter().map(at).collect();
                // The words of a mention in pieces are joined in one way or another.
                found.is_some_and(|found| solid(&found.concat()) == solid(&mention.text))
            }
        };
        let mentions = self.mentions.iter().enumerate();
        mentions
            .filter(|(_, mention)| !stands(mention))
            .map(|(place, _)| place)
            .collect()
    }

    /// How many relations are of mentions of which one has no identifier: what
    /// names concepts only, as PubTator's lines, has no place for them.
    pub fn relations_without_concepts(&self) -> usize {
        let each = self.relations.iter();
        each.filter(|relation| !relation.has_concepts()).count()
    }
}

impl Mention {
    /// The identifiers one by one, without the name of MeSH before them; none
    /// of `-` and `-1`.
    pub fn identifiers(&self) -> Vec<&str> {
        let all = self.identifier.as_deref().unwrap_or_default();
        let ids = all.split(['|', ',', '+', ';']).map(str::trim);
        let ids = ids.map(|id| id.strip_prefix("MESH:").unwrap_or(id));
        ids.filter(|id| !matches!(*id, "" | "-" | "-1")).collect()
    }

    /// The bytes of the document's [`text`](Document::text) between its first
    /// and last character; nothing where other words stand there.
    pub fn bytes(&self, text: &str) -> Option<Range<usize>> {
        let byte = |character: usize| {
            let mut bytes = text.char_indices().map(|(byte, _)| byte);
            bytes
                .nth(character)
                .or_else(|| (text.chars().count() == character).then_some(text.len()))
        };
        let range = byte(self.characters.start)?..byte(self.characters.end)?;
        (text.get(range.clone()) == Some(&self.text)).then_some(range)
    }
}

impl Relation {
    /// Whether it can be said without mentions.
    pub(super) fn has_concepts(&self) -> bool {
        self.mentions.is_empty() || self.arguments.iter().all(|id| !matches!(&id[..], "" | "-"))
    }
}

fn solid(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(offset: usize, text: &str) -> TextPart {
        TextPart {
            kind: String::new(),
            offset,
            text: text.to_owned(),
        }
    }

    fn mention(characters: Range<usize>, text: &str) -> Mention {
        Mention {
            characters,
            text: text.to_owned(),
            ..Mention::default()
        }
    }

    #[test]
    fn parts_stand_at_their_offsets() {
        let with = |passages| Document {
            passages,
            ..Document::default()
        };
        assert_eq!(with(vec![part(0, "α b"), part(4, "c")]).text(), "α b c");
        assert_eq!(with(vec![part(2, "a"), part(5, "c")]).text(), "  a  c");
        // An overlap keeps the later offsets right.
        assert_eq!(with(vec![part(0, "abc"), part(1, "xyz")]).text(), "abcz");
        assert_eq!(with(vec![part(0, "abc"), part(1, "x")]).text(), "abc");
    }

    #[test]
    fn mentions_that_are_elsewhere_are_named() {
        let pieces = Mention {
            pieces: vec![2..6, 11..15],
            ..mention(2..15, "left lung")
        };
        let wrong = Mention {
            pieces: vec![2..6, 11..99],
            ..mention(2..15, "left lung")
        };
        let document = Document {
            passages: vec![part(0, "α left and lung")],
            mentions: vec![
                mention(0..1, "α"),
                mention(11..15, "lung"),
                mention(11..14, "lung"),
                mention(11..16, "lung"),
                mention(6..6, "left"),
                pieces,
                wrong,
            ],
            ..Document::default()
        };
        assert_eq!(document.misplaced(), [2, 3, 4, 6]);
        let text = document.text();
        let bytes: Vec<_> = document
            .mentions
            .iter()
            .map(|one| one.bytes(&text))
            .collect();
        assert_eq!(bytes[..3], [Some(0..2), Some(12..16), None]);
    }

    #[test]
    fn identifiers_are_taken_apart() {
        for (all, ids) in [
            ("D003110|MESH:D009369", &["D003110", "D009369"][..]),
            ("D004829+D003294", &["D004829", "D003294"]),
            ("OMIM:176300", &["OMIM:176300"]),
            ("-1", &[]),
            ("-", &[]),
            ("", &[]),
        ] {
            let mention = Mention {
                identifier: Some(all.to_owned()),
                ..Mention::default()
            };
            assert_eq!(mention.identifiers(), ids, "{all}");
        }
        assert!(Mention::default().identifiers().is_empty());
    }
}
