//! From a query to the articles that it selects.

use super::{Documents, Evaluator};
use crate::deadline::Expired;
use crate::error::{Error, Result};
use crate::keyword::snapshot::KeywordSnapshot;
use crate::mesh::MeshTable;
use crate::query::pubmed::{Date, Leaf, Node, Op, translate};
use roaring::RoaringBitmap;
use serde::Serialize;
use std::collections::BTreeMap;

/// Terms without an article that are named one by one.
const NAMED: usize = 10;

/// Those of them for which a likeness is sought: each costs a look at every
/// value.
const HINTED: usize = 3;

/// What the lines of a strategy select, by their number; all in one commit.
pub type Lines = BTreeMap<u32, Selection>;

static NO_LINES: Lines = Lines::new();

/// What a query is evaluated with, beside the commit.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Explodes headings, and maps words to them.
    pub mesh: Option<&'a MeshTable>,
    /// The day of the search, from which spans are counted back.
    pub today: Date,
    /// Lines that the query may refer to.
    pub lines: &'a Lines,
}

impl<'a> Setting<'a> {
    /// For a query that stands alone.
    pub fn new(mesh: Option<&'a MeshTable>, today: Date) -> Self {
        Self {
            mesh,
            today,
            lines: &NO_LINES,
        }
    }
}

/// The articles that a query selects in one commit.
#[derive(Debug, Clone)]
pub struct Selection {
    pub(in crate::keyword) documents: Documents,
    /// First document of each segment, and one past the last.
    bounds: Vec<u32>,
    /// The query as it was searched: every term has its field.
    pub tree: Node,
    /// How many articles each of its terms finds by itself.
    pub terms: Vec<TermCount>,
    /// What the user should know of how the query was understood.
    pub warnings: Vec<String>,
}

/// A term of a query and how many articles it finds by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermCount {
    /// The term, written out.
    pub term: String,
    /// Articles.
    pub articles: u64,
}

impl Selection {
    /// Number of articles.
    pub fn articles(&self) -> u64 {
        self.documents.len()
    }

    /// First document of a segment, as the selection counts them.
    pub(in crate::keyword) fn base(&self, segment: usize) -> u32 {
        self.bounds.get(segment).copied().unwrap_or_default()
    }

    /// The selected documents of a segment, as the segment counts them.
    pub(in crate::keyword) fn of_segment(&self, segment: usize) -> RoaringBitmap {
        let bound = |at: usize| self.bounds.get(at).copied().unwrap_or_default();
        let (from, to) = (bound(segment), bound(segment + 1));
        let documents = self.documents.range(from..to);
        documents.map(|document| document - from).collect()
    }
}

impl KeywordSnapshot {
    /// Translates and evaluates a query. With a MeSH table, headings are
    /// exploded and untagged words mapped to them.
    ///
    /// # Errors
    ///
    /// `InvalidInput` where nothing of the query can be searched, or where it
    /// names a line that is not there; `Corrupt` where the index cannot be read;
    /// `TimedOut` where it was not done by its deadline.
    pub fn select(&self, query: &Node, setting: Setting<'_>) -> Result<Selection> {
        check_lines(query, setting.lines)?;
        let (translation, notes) = self.with_lexicon(setting, |known| translate(query, known))?;
        let mut evaluator = Evaluator::new(self, setting);
        let documents = evaluator.node(&translation.tree);
        let documents = documents.map_err(|error| self.failed("search", error))?;
        let bounds = self.bounds(&evaluator);
        let mut warnings = translation.warnings;
        warnings.extend(notes);
        warnings.append(&mut evaluator.warnings);
        warnings.extend(self.without_articles(&translation.tree, &evaluator.counts)?);
        Ok(Selection {
            documents,
            bounds,
            tree: translation.tree,
            terms: evaluator.counts,
            warnings,
        })
    }

    /// Every article, under the name of a query.
    pub(in crate::keyword) fn all_of(&self, tree: Node) -> Selection {
        let setting = Setting::new(None, Date::today());
        let evaluator = Evaluator::new(self, setting);
        Selection {
            bounds: self.bounds(&evaluator),
            documents: evaluator.alive,
            tree,
            terms: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// First document of each segment, and one past the last.
    fn bounds(&self, evaluator: &Evaluator<'_>) -> Vec<u32> {
        let end = evaluator.bases.last().copied().unwrap_or_default();
        let last = self.0.searcher.segment_readers().last();
        let mut bounds = evaluator.bases.clone();
        bounds.push(end + last.map_or(0, |segment| segment.max_doc()));
        bounds
    }

    /// A query as it would be searched, without searching it.
    pub fn translated(&self, query: &Node, setting: Setting<'_>) -> Result<Node> {
        let (translation, _) = self.with_lexicon(setting, |known| translate(query, known))?;
        Ok(translation.tree)
    }

    /// Names the terms that find nothing, with the likest values for a few.
    fn without_articles(&self, tree: &Node, counts: &[TermCount]) -> Result<Vec<String>> {
        let none = |leaf: &Leaf| {
            let term = leaf.to_string();
            counts
                .iter()
                .any(|count| count.term == term && count.articles == 0)
        };
        let mut empty: Vec<&Leaf> = Vec::new();
        let watch = self.watch();
        for (leaf, _) in tree.leaves() {
            watch.steps(counts.len()).map_err(Expired::error)?;
            // A line has been told of by itself.
            if !matches!(leaf, Leaf::Line { .. }) && none(leaf) && !empty.contains(&leaf) {
                empty.push(leaf);
            }
        }
        if empty.is_empty() {
            return Ok(Vec::new());
        }
        let mut named: Vec<String> = empty
            .iter()
            .take(NAMED)
            .map(|leaf| leaf.to_string())
            .collect();
        if empty.len() > NAMED {
            named.push(format!("{} other terms", empty.len() - NAMED));
        }
        let mut warnings = vec![format!("no article matches: {}", named.join(", "))];
        for leaf in empty.iter().take(HINTED) {
            warnings.extend(self.hint(leaf)?);
        }
        Ok(warnings)
    }
}

/// Every line that is named must be there.
fn check_lines(query: &Node, lines: &Lines) -> Result<()> {
    for (leaf, _) in query.leaves() {
        if let Leaf::Line { number } = leaf
            && !lines.contains_key(number)
        {
            return Err(Error::invalid(
                "query",
                format!(
                    "#{number} is no line that was searched before: only strategies have lines"
                ),
            ));
        }
    }
    Ok(())
}

impl Evaluator<'_> {
    fn node(&mut self, node: &Node) -> tantivy::Result<Documents> {
        let (op, operands) = match node {
            Node::Leaf(leaf) => return self.counted(leaf),
            Node::Group { op, operands } => (*op, operands),
        };
        let mut result: Option<Documents> = None;
        for operand in operands {
            let documents = self.node(operand)?;
            match (&mut result, op) {
                (None, _) => result = Some(documents),
                (Some(result), Op::And) => *result &= documents,
                (Some(result), Op::Or) => *result |= documents,
                (Some(result), Op::Not) => *result -= documents,
            }
        }
        Ok(result.unwrap_or_default())
    }

    fn counted(&mut self, leaf: &Leaf) -> tantivy::Result<Documents> {
        let term = leaf.to_string();
        if let Some(documents) = self.known.get(&term) {
            return Ok(documents.clone());
        }
        self.watch.look()?;
        let documents = self.leaf(leaf)? & &self.alive;
        self.counts.push(TermCount {
            term: term.clone(),
            articles: documents.len(),
        });
        self.known.insert(term, documents.clone());
        Ok(documents)
    }
}
