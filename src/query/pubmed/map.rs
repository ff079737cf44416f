//! Automatic term mapping: what untagged words mean.
//!
//! From the left, the longest run of words that is a name of a MeSH heading
//! becomes that heading or the words themselves; a name with initials that is
//! an author's becomes that author; a run that is a journal's title may be that
//! journal. Every other word is looked up in all fields, in each form of it
//! that articles hold.

use super::field::Field;
use super::translate::Known;
use super::tree::{Leaf, Node, Op};
use crate::error::Result;

/// Most words of a name.
const LONGEST: usize = 8;

/// The query that untagged words stand for; `None` for words that say nothing.
pub(super) fn map_words(known: &Known<'_>, text: &str) -> Result<Option<Node>> {
    let words: Vec<&str> = text
        .split(' ')
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .collect();
    if words.len() > 1 && !text.contains('*') && (known.is_journal)(&words.join(" "))? {
        let journal = Leaf::term(words.join(" "), true, Some(Field::Journal)).into();
        let others = map_runs(known, &words)?;
        return Ok(Node::join_all(
            Op::Or,
            std::iter::once(journal).chain(others),
        ));
    }
    map_runs(known, &words)
}

fn map_runs(known: &Known<'_>, words: &[&str]) -> Result<Option<Node>> {
    let mut operands = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = LONGEST.min(words.len() - at);
        let mut mapped = None;
        for length in (1..=longest).rev() {
            let is_end = at + length == words.len();
            mapped = map_run(known, &words[at..at + length], is_end)?.map(|node| (node, length));
            if mapped.is_some() {
                break;
            }
        }
        match mapped {
            Some((node, length)) => {
                operands.push(node);
                at += length;
            }
            None => {
                operands.extend(word(known, words[at])?);
                at += 1;
            }
        }
    }
    if operands.is_empty() {
        // Function words are looked up where there is nothing else.
        operands.extend(words.iter().map(|word| in_all_fields(word, false)));
    }
    Ok(Node::join_all(Op::And, operands))
}

/// A run of words that has a meaning as a whole. `is_end` says whether nothing
/// follows it.
fn map_run(known: &Known<'_>, run: &[&str], is_end: bool) -> Result<Option<Node>> {
    if run.iter().any(|word| word.ends_with('*')) {
        return Ok(None);
    }
    let text = run.join(" ");
    if let Some(found) = known.mesh.and_then(|mesh| mesh.find(&text)) {
        let heading = Leaf::Mesh {
            heading: found.heading.clone(),
            qualifier: None,
            major: false,
            explode: true,
        };
        let mut ways: Vec<Node> = vec![heading.into()];
        let mut all = Vec::new();
        for each in run {
            all.extend(word(known, each)?);
        }
        ways.extend(Node::join_all(Op::And, all));
        if !found.heading.eq_ignore_ascii_case(&text) {
            ways.push(in_all_fields(&found.heading, true));
        }
        return Ok(Node::join_all(Op::Or, ways));
    }
    if is_like_an_author(run) && has_initials(known, run, is_end)? && (known.is_author)(&text)? {
        return Ok(Some(Leaf::term(text, false, Some(Field::Author)).into()));
    }
    Ok(None)
}

/// A family name followed by one or two initials.
fn is_like_an_author(run: &[&str]) -> bool {
    let Some((initials, family)) = run.split_last() else {
        return false;
    };
    let letters = |word: &str| {
        word.chars()
            .all(|c| c.is_alphabetic() || c == '-' || c == '\'')
    };
    let short = (1..=2).contains(&initials.chars().count());
    short && letters(initials) && !family.is_empty() && family.iter().all(|word| letters(word))
}

/// Whether the last word is initials rather than a function word: `Li in China`
/// names no `Li IN`, unless the capitals or the end of the words say so.
fn has_initials(known: &Known<'_>, run: &[&str], is_end: bool) -> Result<bool> {
    let Some((initials, family)) = run.split_last() else {
        return Ok(false);
    };
    let small = |word: &&str| word.chars().any(char::is_lowercase);
    let capitals = !small(initials) && family.iter().any(small);
    Ok(is_end || capitals || !(known.forms)(&initials.to_lowercase())?.is_empty())
}

/// A word in each of its forms; `None` for a function word.
fn word(known: &Known<'_>, word: &str) -> Result<Option<Node>> {
    if word.ends_with('*') {
        return Ok(Some(in_all_fields(word, false)));
    }
    let forms = (known.forms)(word)?;
    let forms = forms.iter().map(|form| in_all_fields(form, false));
    Ok(Node::join_all(Op::Or, forms))
}

fn in_all_fields(text: &str, quoted: bool) -> Node {
    Leaf::term(text, quoted, Some(Field::All)).into()
}
