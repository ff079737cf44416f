//! Short forms that a text explains, for looking up its mentions.

use crate::enrich::abbreviation::abbreviations;
use std::collections::HashMap;

/// The short forms of a text, each with the words that it stands for where it
/// is first explained.
#[derive(Debug, Clone, Default)]
pub(super) struct ShortForms<'a> {
    long: HashMap<&'a str, &'a str>,
}

impl<'a> ShortForms<'a> {
    /// Finds them.
    pub(super) fn of(text: &'a str) -> Self {
        let mut long = HashMap::new();
        for found in abbreviations(text) {
            long.entry(&text[found.short]).or_insert(&text[found.long]);
        }
        Self { long }
    }

    /// What a mention stands for, where it is a short form: as it is written,
    /// or with the `s` of a plural.
    pub(super) fn long_form(&self, mention: &str) -> Option<&'a str> {
        let singular = mention.strip_suffix('s');
        let plural = || {
            self.long
                .iter()
                .find(|(short, _)| short.strip_suffix('s') == Some(mention))
        };
        self.long
            .get(mention)
            .or_else(|| self.long.get(singular?))
            .copied()
            .or_else(|| plural().map(|(_, long)| *long))
    }

    /// A mention with the short forms among its words written out; none where
    /// it has none.
    pub(super) fn expanded(&self, mention: &str) -> Option<String> {
        let mut any = false;
        let words = mention.split_inclusive(|c: char| !c.is_alphanumeric());
        let words = words.map(|word| {
            let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            match self.long.get(bare) {
                Some(long) => {
                    any = true;
                    format!("{long}{}", &word[bare.len()..])
                }
                None => word.to_owned(),
            }
        });
        let text: String = words.collect();
        any.then_some(text)
    }
}
