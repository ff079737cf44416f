//! Relations of annotated documents: the pairs of their sentences with what
//! people say of them, and how many of a document's relations are found.

use super::LabelledText;
use super::labels::{Counts, LabelScore, share};
use crate::enrich::exchange::Document;
use crate::enrich::{Candidate, Entity, PairRule, candidates};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The label of a pair of which a document says nothing.
pub const UNRELATED: &str = "none";

/// What is related in a document: type, and the identifiers of both.
type Said = (String, String, String);

/// A document with its pairs, ready to be judged.
#[derive(Debug, Clone)]
pub struct RelatedDocument {
    /// Its pairs, sentence by sentence.
    pub pairs: Vec<RelatedPair>,
    /// The relations that people found in it, of the rule's types.
    relations: BTreeSet<Said>,
    /// Whether both types are one, so that order says nothing.
    either: bool,
}

/// Two mentions of a sentence.
#[derive(Debug, Clone)]
pub struct RelatedPair {
    /// The sentence with both of them masked.
    pub masked: String,
    /// The relation of their concepts as the document has it, or [`UNRELATED`].
    pub label: String,
    /// Identifiers of the first.
    first: Vec<String>,
    /// Of the second.
    second: Vec<String>,
}

impl RelatedDocument {
    /// The pairs of a document that a rule asks for. A pair is related where
    /// the document says so of any of the two mentions' identifiers, in either
    /// order, whatever the sentence itself says: such corpora are annotated by
    /// document. Mentions that do not stand where they say are left out.
    pub fn new(document: &Document, rule: &PairRule) -> Self {
        let text = document.text();
        let entities: Vec<Entity> = document
            .mentions
            .iter()
            .map(|mention| Entity {
                kind: mention.kind.clone(),
                start: mention.characters.start,
                end: mention.characters.end,
                text: mention.text.clone(),
                score: 1.0,
                concept: None,
            })
            .collect();
        let ids = |number: usize| -> Vec<String> {
            let ids = document.mentions[number].identifiers().into_iter();
            ids.map(str::to_owned).collect()
        };
        let of_type = |place: usize| -> HashSet<String> {
            let wanted = |one: &Entity| one.kind.eq_ignore_ascii_case(&rule.types[place]);
            let numbers = (0..entities.len()).filter(|&number| wanted(&entities[number]));
            numbers.flat_map(ids).collect()
        };
        let (firsts, seconds) = (of_type(0), of_type(1));
        let mut relations = BTreeSet::new();
        for relation in &document.relations {
            let [a, b] = &relation.arguments[..] else {
                continue;
            };
            let bare = |id: &String| id.strip_prefix("MESH:").unwrap_or(id).to_owned();
            let (a, b) = (bare(a), bare(b));
            if firsts.contains(&a) && seconds.contains(&b) {
                relations.insert((relation.kind.clone(), a, b));
            } else if firsts.contains(&b) && seconds.contains(&a) {
                relations.insert((relation.kind.clone(), b, a));
            }
        }
        let pairs = candidates(&text, &entities, rule).into_iter();
        let pairs = pairs
            .map(|pair: Candidate| {
                let (first, second) = (ids(pair.first), ids(pair.second));
                let either = rule.types[0].eq_ignore_ascii_case(&rule.types[1]);
                let said = relations.iter().find(|(_, a, b)| {
                    (first.contains(a) && second.contains(b))
                        || (either && first.contains(b) && second.contains(a))
                });
                RelatedPair {
                    label: said.map_or(UNRELATED, |(kind, _, _)| kind).to_owned(),
                    masked: pair.masked,
                    first,
                    second,
                }
            })
            .collect();
        Self {
            pairs,
            relations,
            either: rule.types[0].eq_ignore_ascii_case(&rule.types[1]),
        }
    }
}

impl RelatedDocument {
    /// A relation as it is compared: in the order of the types, or where both are
    /// one in that of the identifiers.
    fn said(&self, kind: &str, a: &str, b: &str) -> Said {
        let (a, b) = if self.either && b < a { (b, a) } else { (a, b) };
        (kind.to_owned(), a.to_owned(), b.to_owned())
    }
}

/// The pairs of documents as labelled texts.
pub fn labelled_pairs(documents: &[Document], rule: &PairRule) -> Vec<LabelledText> {
    let mut texts = Vec::new();
    for (number, document) in (1..).zip(documents) {
        for pair in RelatedDocument::new(document, rule).pairs {
            texts.push(LabelledText {
                text: pair.masked,
                pair: None,
                label: pair.label,
                line: number,
            });
        }
    }
    texts
}

/// Counts relations of documents: each once, however often it is said.
#[derive(Debug, Clone, Default)]
pub struct RelationCounter {
    kinds: BTreeMap<String, Counts>,
    reachable: usize,
}

/// Scores over documents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelationScores {
    /// Over all types, each relation counted alike.
    pub micro: LabelScore,
    /// By type.
    pub types: BTreeMap<String, LabelScore>,
    /// Share of the relations whose two concepts stand in one sentence
    /// somewhere: what looks at sentences can find no more.
    pub reachable: f64,
}

impl RelationCounter {
    /// Adds a document: for each of its pairs the type that was told, or none.
    /// `known` says for types of the file which of those that are told they
    /// stand for; others are not counted.
    pub fn add(
        &mut self,
        document: &RelatedDocument,
        told: &[Option<&str>],
        known: impl Fn(&str) -> Option<String>,
    ) {
        let gold: BTreeSet<Said> = document
            .relations
            .iter()
            .filter_map(|(kind, a, b)| Some(document.said(&known(kind)?, a, b)))
            .collect();
        let mut found: BTreeSet<Said> = BTreeSet::new();
        let mut together: HashSet<(String, String)> = HashSet::new();
        for (pair, told) in document.pairs.iter().zip(told) {
            for a in &pair.first {
                for b in &pair.second {
                    let (_, first, second) = document.said("", a, b);
                    together.insert((first, second));
                    if let Some(kind) = told {
                        found.insert(document.said(kind, a, b));
                    }
                }
            }
        }
        for (kind, a, b) in &gold {
            self.kinds.entry(kind.clone()).or_default().gold += 1;
            self.reachable += usize::from(together.contains(&(a.clone(), b.clone())));
        }
        for said in &found {
            let counts = self.kinds.entry(said.0.clone()).or_default();
            counts.predicted += 1;
            counts.correct += usize::from(gold.contains(said));
        }
    }

    /// What was counted so far.
    pub fn scores(&self) -> RelationScores {
        let mut all = Counts::default();
        for counts in self.kinds.values() {
            all.gold += counts.gold;
            all.predicted += counts.predicted;
            all.correct += counts.correct;
        }
        let types = self.kinds.iter();
        RelationScores {
            reachable: share(self.reachable, all.gold),
            micro: all.score(),
            types: types
                .map(|(kind, counts)| (kind.clone(), counts.score()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enrich::exchange;

    const TEXT: &str = "\
1|t|Lithium and tremor.
1|a|Lithium gave tremor and ataxia. Aspirin helped. Ataxia went.
1\t0\t7\tLithium\tChemical\tD1
1\t12\t18\ttremor\tDisease\tD2
1\t20\t27\tLithium\tChemical\tMESH:D1
1\t33\t39\ttremor\tDisease\tD2|D9
1\t44\t50\tataxia\tDisease\tD3
1\t52\t59\tAspirin\tChemical\tD4
1\t68\t74\tAtaxia\tDisease\tD3
1\t68\t70\tXY\tDisease\tD2
1\tCID\tD1\tD2
1\tCID\tD3\tD4

";

    fn rule() -> PairRule {
        PairRule {
            types: ["Chemical".to_owned(), "Disease".to_owned()],
            others: None,
        }
    }

    fn document() -> Document {
        exchange::read(TEXT).unwrap().remove(0)
    }

    #[test]
    fn a_pair_is_what_its_document_says_of_it() {
        let texts = labelled_pairs(&[document()], &rule());
        let shown: Vec<(&str, &str)> = texts
            .iter()
            .map(|one| (&one.text[..], &one.label[..]))
            .collect();
        assert_eq!(
            shown,
            [
                ("@CHEMICAL$ and @DISEASE$.", "CID"),
                ("@CHEMICAL$ gave @DISEASE$ and ataxia.", "CID"),
                ("@CHEMICAL$ gave tremor and @DISEASE$.", "none"),
            ]
        );
    }

    #[test]
    fn relations_are_counted_by_document_and_those_out_of_reach_are_missed() {
        let document = RelatedDocument::new(&document(), &rule());
        assert_eq!(document.relations.len(), 2);
        let known = |kind: &str| (kind == "CID").then(|| "induces".to_owned());
        let mut counter = RelationCounter::default();
        counter.add(&document, &[Some("induces"), None, Some("induces")], known);
        let scores = counter.scores();
        // D1 with D2 is right and with D3 wrong; D4 with D3 is in no sentence.
        assert_eq!(scores.reachable, 0.5);
        assert_eq!(
            (
                scores.micro.gold,
                scores.micro.predicted,
                scores.micro.correct
            ),
            (2, 2, 1)
        );
        assert_eq!(
            (scores.micro.precision, scores.micro.recall, scores.micro.f1),
            (0.5, 0.5, 0.5)
        );
        assert_eq!(scores.types["induces"], scores.micro);
        // A mention with two concepts says it of both.
        let mut counter = RelationCounter::default();
        counter.add(&document, &[None, Some("induces"), None], known);
        assert_eq!(counter.scores().micro.predicted, 2);
    }

    #[test]
    fn nothing_is_nothing() {
        let scores = RelationCounter::default().scores();
        assert_eq!((scores.micro.f1, scores.reachable), (0.0, 0.0));
    }
}
