//! How often mentions are linked to the concept that people gave them.

use crate::enrich::exchange;
use crate::enrich::link::{ConceptKind, Document, Link, Linker, Mention, Method};
use crate::error::Result;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// Links that were made, and those of them that are right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LinkCount {
    /// Links.
    pub linked: usize,
    /// Right ones.
    pub right: usize,
}

/// Accuracy at the first place, with the mentions of people.
///
/// A link is right when its identifier is one of the mention's. Mentions whose
/// identifiers are none of the table's (OMIM, supplementary records) cannot be
/// linked rightly: `accuracy` counts them as wrong, `accuracy_known` leaves
/// them out. Mentions that people gave no identifier are in neither.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LinkingScores {
    /// Documents.
    pub documents: usize,
    /// Mentions with an identifier, of types that MeSH covers.
    pub mentions: usize,
    /// Of these the rightly linked.
    pub right: usize,
    /// Right of all with an identifier.
    pub accuracy: f64,
    /// Mentions with an identifier of the table.
    pub known: usize,
    /// Right of these.
    pub accuracy_known: f64,
    /// Share of the links that are right, among mentions with an identifier.
    pub precision: f64,
    /// Share of the mentions with an identifier that got no link.
    pub unlinked: f64,
    /// Identifiers of all mentions.
    pub ids: usize,
    /// Share of them that was found: of a mention with several at most one is.
    pub recall: f64,
    /// Mentions whose identifiers are none of the table's.
    pub foreign: usize,
    /// Of these the linked, all wrongly.
    pub foreign_linked: usize,
    /// Mentions without identifier.
    pub without_id: usize,
    /// Of these the linked.
    pub without_id_linked: usize,
    /// Mentions of types that MeSH's descriptors do not cover.
    pub other_types: usize,
    /// Mentions whose words the document does not have; counted as unlinked.
    pub misplaced: usize,
    /// By the method of the link, among mentions with an identifier.
    pub methods: BTreeMap<Method, LinkCount>,
}

impl LinkingScores {
    /// Links the mentions of documents and counts.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn measure(
        linker: &Linker,
        documents: &[exchange::Document],
        mut progress: impl FnMut(usize),
    ) -> Result<Self> {
        const TOGETHER: usize = 50;
        let table = linker.lexicon().table();
        let known: HashSet<&str> = table
            .descriptors()
            .iter()
            .map(|one| one.ui.as_str())
            .collect();
        let mut scores = Self::default();
        for documents in documents.chunks(TOGETHER) {
            let texts: Vec<String> = documents.iter().map(exchange::Document::text).collect();
            let (parts, places): (Vec<Document<'_>>, Vec<Vec<Option<usize>>>) = documents
                .iter()
                .zip(&texts)
                .map(|(document, text)| placed(document, text))
                .unzip();
            let links = linker.link(&parts)?;
            for ((document, places), links) in documents.iter().zip(places).zip(links) {
                scores.documents += 1;
                for (gold, place) in document.mentions.iter().zip(places) {
                    if ConceptKind::of_type(&gold.kind).is_none() {
                        scores.other_types += 1;
                        continue;
                    }
                    scores.misplaced += usize::from(place.is_none());
                    let link = place.and_then(|place| links[place].as_ref());
                    scores.add(&gold.identifiers(), &known, link);
                }
            }
            progress(documents.len());
        }
        scores.finish();
        Ok(scores)
    }

    fn add(&mut self, ids: &[&str], known: &HashSet<&str>, link: Option<&Link>) {
        if ids.is_empty() {
            self.without_id += 1;
            self.without_id_linked += usize::from(link.is_some());
            return;
        }
        self.mentions += 1;
        self.ids += ids.len();
        if ids.iter().any(|id| known.contains(id)) {
            self.known += 1;
        } else {
            self.foreign += 1;
            self.foreign_linked += usize::from(link.is_some());
        }
        let Some(link) = link else { return };
        let found = link.id.strip_prefix("MESH:").unwrap_or(&link.id);
        let right = usize::from(ids.contains(&found));
        self.right += right;
        let count = self.methods.entry(link.evidence.method).or_default();
        count.linked += 1;
        count.right += right;
    }

    fn finish(&mut self) {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let linked = self.methods.values().map(|count| count.linked).sum();
        self.accuracy = share(self.right, self.mentions);
        self.accuracy_known = share(self.right, self.known);
        self.precision = share(self.right, linked);
        self.unlinked = share(self.mentions - linked, self.mentions);
        self.recall = share(self.right, self.ids);
    }
}

/// A document with its mentions, and for each mention of the file its place
/// among them. Where other words stand at a mention's offsets, the first place
/// of its own words counts.
fn placed<'t>(document: &exchange::Document, text: &'t str) -> (Document<'t>, Vec<Option<usize>>) {
    let mut mentions = Vec::new();
    let places = document.mentions.iter().map(|gold| {
        let kind = ConceptKind::of_type(&gold.kind)?;
        let range = gold.bytes(text).or_else(|| {
            let start = text.find(&gold.text)?;
            Some(start..start + gold.text.len())
        })?;
        mentions.push(Mention { kind, range });
        Some(mentions.len() - 1)
    });
    let places = places.collect();
    (Document { text, mentions }, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enrich::link::Lexicon;
    use crate::mesh::tests::small;
    use std::sync::Arc;

    #[test]
    fn right_and_wrong_known_and_foreign_add_up() {
        let text = "Asthma, aspirin, heart attack and a cold with status asthmaticus";
        let gold = |text: &str, kind: &str, ids: &[&str]| exchange::Mention {
            // Wrong offsets: the words' first place counts.
            characters: 0..1,
            text: text.to_owned(),
            kind: kind.to_owned(),
            identifier: Some(ids.join("|")),
            ..exchange::Mention::default()
        };
        let mentions = vec![
            gold("Asthma", "Disease", &["D001249"]),
            gold("aspirin", "Chemical", &["D001241", "C1"]),
            gold("heart attack", "Disease", &["OMIM:1"]),
            gold("cold", "Disease", &["D001982"]),
            gold("status asthmaticus", "Disease", &["D001249"]),
            gold("Asthma", "Disease", &[]),
            gold("aspirin", "Gene", &["5"]),
            gold("not there", "Disease", &["D001249"]),
        ];
        let document = exchange::Document {
            passages: vec![exchange::TextPart {
                text: text.to_owned(),
                ..exchange::TextPart::default()
            }],
            mentions,
            ..exchange::Document::default()
        };
        let linker = Linker::new(Lexicon::new(Arc::new(small())));
        let scores = LinkingScores::measure(&linker, &[document], |_| ()).unwrap();
        assert_eq!((scores.documents, scores.mentions, scores.right), (1, 6, 2));
        assert_eq!(
            (scores.known, scores.foreign, scores.foreign_linked),
            (5, 1, 1)
        );
        assert_eq!((scores.without_id, scores.without_id_linked), (1, 1));
        assert_eq!(
            (scores.other_types, scores.misplaced, scores.ids),
            (1, 1, 7)
        );
        let exact = scores.methods[&Method::Exact];
        assert_eq!((exact.linked, exact.right), (4, 2));
        assert_eq!([scores.accuracy, scores.accuracy_known], [2.0 / 6.0, 0.4]);
        assert_eq!([scores.precision, scores.recall], [0.5, 2.0 / 7.0]);
        assert_eq!(scores.unlinked, 2.0 / 6.0);
    }
}
