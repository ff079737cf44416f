//! From the query as it was read to the query as it is searched.
//!
//! Untagged words are mapped (automatic term mapping), filters are replaced by
//! what they mean, and MeSH headings are written as the table has them. What
//! comes out is a query again, in which every term has its field.

use super::date::Date;
use super::field::{Field, Kind};
use super::filter::{self, Meaning};
use super::language;
use super::map::map_words;
use super::read::{Limits, parse};
use super::tree::{Leaf, Node, Op};
use crate::error::{Error, Result};
use crate::mesh::MeshTable;

/// Looks something up in the index.
pub type Look<'a, T> = &'a dyn Fn(&str) -> Result<T>;

/// What translation asks of an index and of MeSH.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// MeSH, where a table is at hand.
    pub mesh: Option<&'a MeshTable>,
    /// The forms of a word that articles hold, such as its plural; none for a
    /// function word.
    pub forms: Look<'a, Vec<String>>,
    /// Whether a text is the name of a journal.
    pub is_journal: Look<'a, bool>,
    /// Whether a text, such as `smith ja`, is the name of an author.
    pub is_author: Look<'a, bool>,
    /// Whether a text is a publication type.
    pub is_publication_type: Look<'a, bool>,
    /// The day of the search, from which spans are counted back.
    pub today: Date,
}

/// A query as it is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// Every term with its field.
    pub tree: Node,
    /// What the user should know of how the query was understood.
    pub warnings: Vec<String>,
}

/// Fields that no record is indexed by.
const UNKNOWN_FIELDS: [Field; 2] = [Field::CommentCorrection, Field::PharmacologicalAction];

/// Translates a query. What cannot be searched is left out, and told.
///
/// # Errors
///
/// `InvalidInput` where nothing is left; errors of the index.
pub fn translate(tree: &Node, known: &Known<'_>) -> Result<Translation> {
    let mut translator = Translator {
        known,
        warnings: Vec::new(),
    };
    let translated = translator.node(tree)?;
    let warnings = translator.warnings;
    match translated {
        Some(tree) => Ok(Translation { tree, warnings }),
        None => Err(Error::invalid(
            "query",
            format!(
                "nothing of the query can be searched: {}",
                warnings.join("; ")
            ),
        )),
    }
}

pub(super) struct Translator<'a> {
    pub(super) known: &'a Known<'a>,
    warnings: Vec<String>,
}

impl Translator<'_> {
    fn node(&mut self, node: &Node) -> Result<Option<Node>> {
        let (op, operands) = match node {
            Node::Leaf(leaf) => return self.leaf(leaf),
            Node::Group { op, operands } => (*op, operands),
        };
        let mut translated = Vec::with_capacity(operands.len());
        for (at, operand) in operands.iter().enumerate() {
            match self.node(operand)? {
                // Nothing is left to take away from.
                None if at == 0 && op == Op::Not => return Ok(None),
                other => translated.extend(other),
            }
        }
        Ok(Node::join_all(op, translated))
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<Option<Node>> {
        match leaf {
            Leaf::Term {
                text,
                quoted,
                field: None,
                ..
            } => self.untagged(text, *quoted),
            Leaf::Term {
                field: Some(field), ..
            } if UNKNOWN_FIELDS.contains(field) => {
                self.warn(format!(
                    "{leaf} is left out: records are not indexed by [{}]",
                    field.tag()
                ));
                Ok(None)
            }
            Leaf::Term {
                text,
                quoted,
                field: Some(Field::Language),
                ..
            } => Ok(Some(language_node(text, *quoted))),
            Leaf::Term {
                text,
                quoted,
                field: Some(Field::MeshSubheading),
                noexp,
            } if !text.ends_with('*') => {
                let name = self.qualifier(text);
                Ok(Some(
                    Leaf::Term {
                        quoted: *quoted || name != *text,
                        text: name,
                        field: Some(Field::MeshSubheading),
                        noexp: *noexp,
                    }
                    .into(),
                ))
            }
            Leaf::Recent { field, span } => Ok(Some(
                Leaf::Range {
                    field: *field,
                    from: self.known.today.before(*span),
                    to: Date::OPEN,
                }
                .into(),
            )),
            Leaf::Mesh { .. } => Ok(Some(self.mesh(leaf))),
            Leaf::Filter { name } => self.filter(name),
            Leaf::Term { .. } | Leaf::Near { .. } | Leaf::Range { .. } | Leaf::Line { .. } => {
                Ok(Some(leaf.clone().into()))
            }
        }
    }

    fn untagged(&mut self, text: &str, quoted: bool) -> Result<Option<Node>> {
        if quoted {
            return Ok(Some(Leaf::term(text, true, Some(Field::All)).into()));
        }
        for operator in ["or", "not"] {
            if text.split(' ').any(|word| word == operator) {
                let capitals = operator.to_uppercase();
                self.warn(format!(
                    "`{operator}` in small letters is a word: write {capitals} for the operator"
                ));
            }
        }
        let mapped = map_words(self.known, text)?;
        if mapped.is_none() {
            self.warn(format!("`{text}` has no words to search"));
        }
        Ok(mapped)
    }

    fn filter(&mut self, name: &str) -> Result<Option<Node>> {
        let fact = |name: &str| -> Node {
            Leaf::Filter {
                name: name.to_owned(),
            }
            .into()
        };
        match filter::meaning(name) {
            Meaning::Fact(known) => Ok(Some(fact(known))),
            Meaning::Instead(known, why) => {
                self.warn(format!("\"{name}\"[Filter]: {why}"));
                Ok(Some(fact(known)))
            }
            Meaning::Query(query) => {
                let tree = parse(query, Limits::default());
                let tree = tree.map_err(|fault| Error::invalid("query", fault.to_string()))?;
                self.node(&tree)
            }
            Meaning::Named => self.named_filter(name, fact),
        }
    }

    fn named_filter(&mut self, name: &str, fact: impl Fn(&str) -> Node) -> Result<Option<Node>> {
        // What a translation itself calls a status or subset.
        if matches!(
            name,
            "in-process" | "pubmed-not-medline" | "dental" | "nursing"
        ) {
            return Ok(Some(fact(name)));
        }
        if language::code(name).is_some() {
            return Ok(Some(language_node(name, true)));
        }
        if (self.known.is_publication_type)(name)? {
            return Ok(Some(
                Leaf::term(name, true, Some(Field::PublicationType)).into(),
            ));
        }
        self.warn(format!(
            "the filter \"{name}\" is left out: this index knows no such filter"
        ));
        Ok(None)
    }

    pub(super) fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// Records have languages as codes.
fn language_node(text: &str, quoted: bool) -> Node {
    let code = language::code(text);
    let text = code.unwrap_or(text);
    Leaf::term(text, quoted && code.is_none(), Some(Field::Language)).into()
}

/// The words of a query that say what is looked for: those of the operands
/// that are wanted, in order, each once; without dates, names, filters and
/// truncated words.
pub fn plain_words(tree: &Node) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut truncated: Vec<&str> = Vec::new();
    for (leaf, wanted) in tree.leaves() {
        let text = match leaf {
            Leaf::Term { text, field, .. } if field.is_none_or(says_what) => text,
            Leaf::Near { text, field, .. } if says_what(*field) => text,
            Leaf::Mesh { heading, .. } => heading,
            _ => continue,
        };
        if !wanted {
            continue;
        }
        for word in text.split(' ') {
            match word.strip_suffix('*') {
                Some(stem) => truncated.push(stem),
                None if !words.contains(&word) => words.push(word),
                None => {}
            }
        }
    }
    // Half a word says more than nothing.
    if words.is_empty() {
        words = truncated;
    }
    words.join(" ")
}

/// Whether the words of a field say what an article is about.
fn says_what(field: Field) -> bool {
    match field {
        Field::Affiliation
        | Field::Book
        | Field::ConflictOfInterest
        | Field::CorporateAuthor
        | Field::Grant
        | Field::Publisher => false,
        Field::Supplementary | Field::MeshSubheading => true,
        other => matches!(other.kind(), Kind::Words | Kind::Mesh),
    }
}
