//! How a query was understood.

use super::retrieve::Candidates;
use crate::keyword::{QueryWord, TermCount};
use crate::query::pubmed::{Node, Op};
use crate::query::{Mode, Query};
use serde::Serialize;
use std::fmt;

/// A query as it was searched.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchTranslation {
    /// Written out. Of a query of PubMed's language, one of the same meaning in
    /// which every term has its field.
    pub query: String,
    /// What both sides ranked by.
    pub words: String,
    /// How many articles a query of PubMed's language selects, before filters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub articles: Option<u64>,
    /// How many articles each of its terms finds by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<TermCount>,
    /// Function words that a plain query is not ranked by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<String>,
    /// The same as a tree.
    pub tree: TranslationTree,
}

/// A query as a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TranslationTree {
    /// A query of PubMed's language: it selects articles.
    Selects(Node),
    /// Plain words: they rank articles, none of which has to hold them all.
    Ranks(RankedNode),
}

/// What articles are ranked by.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum RankedNode {
    /// Any of some leaves; two at least.
    Group {
        /// Always `OR`.
        op: Op,
        /// The leaves.
        operands: Vec<RankedLeaf>,
    },
    /// The only one.
    Leaf(RankedLeaf),
}

/// One thing that articles are ranked by.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum RankedLeaf {
    /// A word, by BM25; without forms where no article holds it.
    Word(QueryWord),
    /// A text, by the similarity of its vector.
    Meaning {
        /// All of it; of a long one the model reads the beginning, and a
        /// warning says so.
        text: String,
    },
}

impl SearchTranslation {
    /// Of a query and what it found; none where nothing could be searched by.
    pub(super) fn of(query: &Query, candidates: &Candidates) -> Option<Self> {
        let words = query.words().to_owned();
        if let Some(selection) = &candidates.selection {
            return Some(Self {
                query: selection.tree.to_string(),
                words,
                articles: Some(selection.articles()),
                terms: selection.terms.clone(),
                passed_over: Vec::new(),
                tree: TranslationTree::Selects(selection.tree.clone()),
            });
        }
        let mut leaves = Vec::new();
        let mut passed_over = Vec::new();
        if let Some(matches) = &candidates.keyword {
            let unknown = matches.notes.unknown.iter().map(|word| QueryWord {
                text: word.clone(),
                forms: Vec::new(),
            });
            let words = matches.words.iter().cloned().chain(unknown);
            leaves.extend(words.map(RankedLeaf::Word));
            passed_over.clone_from(&matches.notes.ignored);
        }
        if query.mode() != Mode::Keyword {
            let text = words.clone();
            leaves.push(RankedLeaf::Meaning { text });
        }
        let tree = RankedNode::any_of(leaves)?;
        Some(Self {
            query: tree.to_string(),
            words,
            articles: None,
            terms: Vec::new(),
            passed_over,
            tree: TranslationTree::Ranks(tree),
        })
    }

    /// Whether the query selects articles, rather than only ranking them.
    pub fn selects(&self) -> bool {
        matches!(self.tree, TranslationTree::Selects(_))
    }
}

impl RankedNode {
    /// Any of some leaves; none of none.
    pub fn any_of(mut leaves: Vec<RankedLeaf>) -> Option<Self> {
        match leaves.len() {
            0 | 1 => leaves.pop().map(Self::Leaf),
            _ => Some(Self::Group {
                op: Op::Or,
                operands: leaves,
            }),
        }
    }

    /// Its leaves, in order.
    pub fn leaves(&self) -> &[RankedLeaf] {
        match self {
            Self::Group { operands, .. } => operands,
            Self::Leaf(leaf) => std::slice::from_ref(leaf),
        }
    }
}

impl fmt::Display for RankedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, leaf) in self.leaves().iter().enumerate() {
            if at > 0 {
                f.write_str(" OR ")?;
            }
            leaf.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for RankedLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(&word.text),
            Self::Meaning { text } => write!(f, "like \u{201c}{text}\u{201d}"),
        }
    }
}
