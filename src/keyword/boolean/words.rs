//! Words and phrases.

use super::field::{WordFields, word_fields};
use super::positions::{self, Slot, Slots};
use super::{Documents, Evaluator};
use crate::keyword::analysis::{Analyzer, Written, name_words};
use crate::query::pubmed::Field;
use tantivy::schema::Field as IndexField;

/// Compounds of a phrase that are tried in one word as well: each doubles the
/// ways to find it.
const MAX_WHOLES: usize = 3;

impl Evaluator<'_> {
    /// Documents that hold a word or phrase. Words without quotation marks
    /// that stand nowhere side by side are looked up one by one.
    pub(super) fn words(
        &mut self,
        places: &WordFields,
        text: &str,
        quoted: bool,
    ) -> tantivy::Result<Documents> {
        let found = self.phrase(places, text)?;
        let words: Vec<&str> = text.split(' ').filter(|word| has_word(word)).collect();
        if !(&found & &self.alive).is_empty() || quoted || words.len() < 2 {
            return Ok(found);
        }
        let mut all: Option<Documents> = None;
        for word in words {
            let documents = self.phrase(places, word)?;
            all = Some(match all {
                None => documents,
                Some(all) => all & documents,
            });
        }
        let all = all.unwrap_or_default();
        if !(&all & &self.alive).is_empty() {
            self.warn(format!(
                "no article has the words `{text}` side by side: each of them was searched; put \
                 quotation marks around a phrase that must stand as it is"
            ));
        }
        Ok(all)
    }

    fn phrase(&mut self, places: &WordFields, text: &str) -> tantivy::Result<Documents> {
        let mut found = Documents::new();
        for ways in [
            (&places.texts, text_ways(text)),
            (&places.names, vec![name_slots(text)]),
        ] {
            let (fields, ways) = ways;
            for field in fields {
                for slots in &ways {
                    found |= self.side_by_side(*field, slots)?;
                }
            }
        }
        Ok(found)
    }

    fn side_by_side(&mut self, field: IndexField, slots: &Slots) -> tantivy::Result<Documents> {
        match slots.as_slice() {
            [] => Ok(Documents::new()),
            [Slot::Term(term)] => self.term(&tantivy::Term::from_field_text(field, term)),
            [Slot::Prefix(prefix)] => self.prefix(field, prefix),
            slots => self.positioned(field, slots, positions::side_by_side),
        }
    }

    /// Documents in which words stand near each other.
    pub(super) fn near(
        &mut self,
        text: &str,
        field: Field,
        distance: u32,
    ) -> tantivy::Result<Documents> {
        let Some(places) = word_fields(self.fields(), field) else {
            return Ok(Documents::new());
        };
        let mut text_slots: Slots = written(text).into_iter().flat_map(parts).collect();
        let mut names = name_slots(text);
        let mut found = Documents::new();
        for (fields, slots) in [
            (&places.texts, &mut text_slots),
            (&places.names, &mut names),
        ] {
            slots.sort();
            slots.dedup();
            for field in fields {
                found |= match slots.as_slice() {
                    [_] => self.side_by_side(*field, slots)?,
                    slots => self.positioned(*field, slots, |positions| {
                        positions::near(positions, distance)
                    })?,
                };
            }
        }
        Ok(found)
    }
}

fn has_word(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
}

/// Words with whether each is truncated after it.
fn written(text: &str) -> Vec<(Written, bool)> {
    let mut analyzer = Analyzer::new();
    let mut all = Vec::new();
    // Words are taken apart together, as a text is, but for the truncated ones.
    let mut run: Vec<&str> = Vec::new();
    for word in text.split(' ').map(Some).chain([None]) {
        let stem = word.and_then(|word| word.strip_suffix('*'));
        if let (Some(word), None) = (word, stem) {
            run.push(word);
            continue;
        }
        let plain = analyzer.written(&std::mem::take(&mut run).join(" "));
        all.extend(plain.into_iter().map(|written| (written, false)));
        let mut truncated = analyzer.written(stem.unwrap_or_default());
        let last = truncated.pop();
        all.extend(truncated.into_iter().map(|written| (written, false)));
        all.extend(last.map(|written| (written, true)));
    }
    all
}

/// The places of a word's parts.
fn parts((written, truncated): (Written, bool)) -> Slots {
    let last = written.parts.len().saturating_sub(1);
    let slot = |(at, part): (usize, String)| {
        if truncated && at == last {
            Slot::Prefix(part)
        } else {
            Slot::Term(part)
        }
    };
    written.parts.into_iter().enumerate().map(slot).collect()
}

/// Every way to find a phrase: its compounds in parts, and in one word.
fn text_ways(text: &str) -> Vec<Slots> {
    let mut ways: Vec<Slots> = vec![Vec::new()];
    let mut wholes = 0;
    for (written, truncated) in written(text) {
        let whole = written.whole.clone().filter(|_| wholes < MAX_WHOLES);
        let mut with_whole = Vec::new();
        if let Some(whole) = whole {
            wholes += 1;
            let slot = if truncated {
                Slot::Prefix(whole)
            } else {
                Slot::Term(whole)
            };
            with_whole = ways.clone();
            for way in &mut with_whole {
                way.push(slot.clone());
            }
        }
        let parts = parts((written, truncated));
        for way in &mut ways {
            way.extend(parts.iter().cloned());
        }
        ways.extend(with_whole);
    }
    ways
}

fn name_slots(text: &str) -> Slots {
    let mut slots = Slots::new();
    for word in text.split(' ') {
        let mut words = name_words(word);
        let last = if word.ends_with('*') {
            words.pop()
        } else {
            None
        };
        slots.extend(words.into_iter().map(Slot::Term));
        slots.extend(last.map(Slot::Prefix));
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(text: &str) -> Vec<String> {
        let print = |slots: &Slots| -> String {
            let words = slots.iter().map(|slot| match slot {
                Slot::Term(term) => term.clone(),
                Slot::Prefix(prefix) => format!("{prefix}*"),
            });
            words.collect::<Vec<_>>().join(" ")
        };
        text_ways(text).iter().map(print).collect()
    }

    #[test]
    fn compounds_are_found_in_parts_and_whole() {
        assert_eq!(ways("hip pain"), ["hip pain"]);
        assert_eq!(ways("IL-2 receptors"), ["il 2 receptors", "il2 receptors"]);
        assert_eq!(ways("il2"), ["il 2"]);
        assert_eq!(ways("breast feed*"), ["breast feed*"]);
        assert_eq!(ways("breast-feed*"), ["breast feed*", "breastfeed*"]);
        assert_eq!(ways("immun* cells"), ["immun* cells"]);
        assert_eq!(ways("a-b c-d e-f g-h").len(), 8);
        assert_eq!(ways("-"), [""]);
    }
}
