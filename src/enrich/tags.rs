//! The tags of a tagger: `O`, and `B-TYPE` and `I-TYPE` for each type.

use crate::error::{Error, Result};

/// Types of entities, and the numbers of their tags: 0 is `O`, `1 + 2·t` is
/// `B-` and `2 + 2·t` is `I-` of type number `t`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagSet {
    types: Vec<String>,
}

impl TagSet {
    /// The tag of a word in no entity.
    pub const OUTSIDE: usize = 0;

    /// The tags of types.
    ///
    /// # Errors
    /// When there is no type, one comes twice, or one has a name that a tag
    /// cannot carry.
    pub fn new<T: Into<String>>(types: impl IntoIterator<Item = T>) -> Result<Self> {
        let types: Vec<String> = types.into_iter().map(Into::into).collect();
        if types.is_empty() {
            return Err(Error::invalid("types", "`types` names no type of entity"));
        }
        for (place, name) in types.iter().enumerate() {
            let odd = |c: char| c.is_whitespace() || c.is_control();
            if name.is_empty() || name.contains(odd) {
                return Err(Error::invalid(
                    "types",
                    format!("{name:?} is no name for a type: it is empty or has blanks in it"),
                ));
            }
            if types[..place].contains(name) {
                return Err(Error::invalid(
                    "types",
                    format!("the type {name} is named twice"),
                ));
            }
        }
        Ok(Self { types })
    }

    /// The types, in the order of their numbers.
    pub fn types(&self) -> &[String] {
        &self.types
    }

    /// The number of a type.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.types.iter().position(|known| known == name)
    }

    /// Number of tags.
    #[expect(clippy::len_without_is_empty, reason = "there is always `O`")]
    pub fn len(&self) -> usize {
        1 + 2 * self.types.len()
    }

    /// The first tag of a type.
    pub fn begin(kind: usize) -> usize {
        1 + 2 * kind
    }

    /// The later tag of a type.
    pub fn inside(kind: usize) -> usize {
        2 + 2 * kind
    }

    /// The type of a tag; nothing for `O`.
    pub fn kind(tag: usize) -> Option<usize> {
        (tag != Self::OUTSIDE).then(|| (tag - 1) / 2)
    }

    /// Whether a tag is the first of an entity.
    pub fn is_begin(tag: usize) -> bool {
        tag % 2 == 1
    }

    /// The name of a tag.
    ///
    /// # Panics
    /// When there is no such tag.
    pub fn name(&self, tag: usize) -> String {
        match Self::kind(tag) {
            None => "O".to_owned(),
            Some(kind) if Self::is_begin(tag) => format!("B-{}", self.types[kind]),
            Some(kind) => format!("I-{}", self.types[kind]),
        }
    }

    /// Whether a tag may follow another, or begin a sequence: `I-X` only
    /// follows `B-X` and `I-X`.
    pub fn follows(before: Option<usize>, tag: usize) -> bool {
        let Some(kind) = Self::kind(tag) else {
            return true;
        };
        Self::is_begin(tag) || before.and_then(Self::kind) == Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_numbers_and_names() {
        let tags = TagSet::new(["Disease", "Cell-line"]).unwrap();
        let names: Vec<String> = (0..tags.len()).map(|tag| tags.name(tag)).collect();
        assert_eq!(
            names,
            ["O", "B-Disease", "I-Disease", "B-Cell-line", "I-Cell-line"]
        );
        assert_eq!(tags.number("Cell-line"), Some(1));
        assert_eq!((TagSet::begin(1), TagSet::inside(1)), (3, 4));
        assert_eq!((TagSet::kind(0), TagSet::kind(4)), (None, Some(1)));
    }

    #[test]
    fn an_inner_tag_follows_its_own_kind_only() {
        for (before, tag, expected) in [
            (None, 2, false),
            (None, 1, true),
            (Some(0), 2, false),
            (Some(1), 2, true),
            (Some(2), 2, true),
            (Some(3), 2, false),
            (Some(4), 0, true),
            (Some(2), 3, true),
        ] {
            assert_eq!(TagSet::follows(before, tag), expected, "{before:?} {tag}");
        }
    }

    #[test]
    fn names_that_do_not_do_are_refused() {
        for types in [&[][..], &["A", "A"], &[""], &["two words"]] {
            assert!(TagSet::new(types.iter().copied()).is_err(), "{types:?}");
        }
    }
}
