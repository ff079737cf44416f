//! PubTator's lines: `PMID|t|title`, `PMID|a|abstract`, a line for each mention
//! and each relation with tabs in between, and an empty line behind each
//! document (Wei, Kao and Lu 2013).
//!
//! A mention is `PMID start end words type identifier`; without a concept the
//! last column may be missing. BC5CDR has a seventh for the parts of a composite
//! mention. A relation is `PMID type identifier identifier`, in BioRED with a
//! fifth column that says whether it is new. Further columns are kept.
//!
//! The form has no place for scores, for the pieces of a mention, and for
//! relations of mentions without concept.

use super::document::{Document, Mention, Notes, Relation, TextPart};
use crate::error::{Error, ErrorKind, Result};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The note that BioRED's fifth column of a relation becomes.
const NOVEL: &str = "novel";

/// Columns of a mention and of a relation that have names.
const OF_MENTION: usize = 6;
const OF_RELATION: usize = 5;

/// Reads a text in this form. Lines may end in `\r\n`, and any number of empty
/// ones may stand anywhere.
///
/// # Errors
/// With the line, when a line has another form or belongs to another document,
/// or there is no document.
pub fn read(text: &str) -> Result<Vec<Document>> {
    let mut documents: Vec<Document> = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if !line.trim().is_empty() {
            take(&mut documents, line).map_err(|what| fault(number, &what))?;
        }
    }
    if documents.is_empty() {
        return Err(fault(1, "there is no document: PMID|t|title begins one"));
    }
    Ok(documents)
}

fn fault(line: usize, what: &str) -> Error {
    Error::new(ErrorKind::InvalidInput, format!("line {line}: {what}"))
}

fn take(documents: &mut Vec<Document>, line: &str) -> std::result::Result<(), String> {
    match text_line(line) {
        Some((id, 't', text)) => {
            documents.push(Document {
                id: id.to_owned(),
                passages: vec![part("title", 0, text)],
                ..Document::default()
            });
            return Ok(());
        }
        Some((id, _, text)) => {
            let document = of(documents, id, "an abstract")?;
            let [title] = &document.passages[..] else {
                return Err(format!("a second abstract of {id}"));
            };
            let offset = title.text.chars().count() + 1;
            document.passages.push(part("abstract", offset, text));
            return Ok(());
        }
        None => {}
    }
    let columns: Vec<&str> = line.split('\t').collect();
    match &columns[..] {
        [id, start, end, text, kind, more @ ..] if is_number(start) && is_number(end) => {
            let mention = mention(start, end, text, kind, more)?;
            of(documents, id, "a mention")?.mentions.push(mention);
        }
        [id, kind, first, second, more @ ..] if !is_number(kind) => {
            let mut notes = notes(more.get(1..).unwrap_or_default(), OF_RELATION);
            if let Some(novel) = more.first() {
                notes.insert(NOVEL.to_owned(), (*novel).to_owned());
            }
            let relation = Relation {
                kind: (*kind).to_owned(),
                arguments: vec![(*first).to_owned(), (*second).to_owned()],
                mentions: Vec::new(),
                notes,
            };
            of(documents, id, "a relation")?.relations.push(relation);
        }
        _ => return Err("neither title, abstract, mention nor relation".to_owned()),
    }
    Ok(())
}

fn part(kind: &str, offset: usize, text: &str) -> TextPart {
    TextPart {
        kind: kind.to_owned(),
        offset,
        text: text.to_owned(),
    }
}

/// `PMID|t|…` or `PMID|a|…`.
fn text_line(line: &str) -> Option<(&str, char, &str)> {
    let (id, rest) = line.split_once('|')?;
    let tag = rest.chars().next().filter(|tag| matches!(tag, 't' | 'a'))?;
    let text = rest[1..].strip_prefix('|')?;
    (!id.contains('\t')).then_some((id, tag, text))
}

/// The document that a line belongs to: the last.
fn of<'d>(
    documents: &'d mut [Document],
    id: &str,
    what: &str,
) -> std::result::Result<&'d mut Document, String> {
    let Some(last) = documents.last_mut() else {
        return Err(format!("{what} before the first title"));
    };
    match last.id == id {
        true => Ok(last),
        false => Err(format!("{what} of {id} within document {}", last.id)),
    }
}

fn is_number(column: &str) -> bool {
    !column.is_empty() && column.bytes().all(|byte| byte.is_ascii_digit())
}

fn mention(
    start: &str,
    end: &str,
    text: &str,
    kind: &str,
    more: &[&str],
) -> std::result::Result<Mention, String> {
    let number = |column: &str| {
        let read = column.parse::<usize>();
        read.map_err(|error| format!("the offset {column}: {error}"))
    };
    let characters = number(start)?..number(end)?;
    if characters.end < characters.start {
        return Err(format!(
            "a mention from {start} to {end} ends before it begins"
        ));
    }
    Ok(Mention {
        characters,
        pieces: Vec::new(),
        text: text.to_owned(),
        kind: kind.to_owned(),
        identifier: more.first().map(|&id| id.to_owned()),
        notes: notes(more.get(1..).unwrap_or_default(), OF_MENTION),
    })
}

/// Columns without a name, by their number.
fn notes(columns: &[&str], before: usize) -> Notes {
    let numbered = columns.iter().zip(before + 1..);
    numbered
        .map(|(column, number)| (name(number), (*column).to_owned()))
        .collect()
}

fn name(column: usize) -> String {
    format!("column{column}")
}

/// Documents in this form. What would break a line becomes a space, character
/// for character, so that offsets stay. A document's parts behind the first
/// are its abstract.
///
/// # Errors
/// When an id has a sign of the form's own, when parts of the text overlap or
/// no place for a space is between them, or when a relation is not of two.
pub fn write(documents: &[Document]) -> Result<String> {
    let mut out = String::new();
    for document in documents {
        one(document, &mut out).map_err(|what| {
            let id = &document.id;
            let what = format!("document {id:?} cannot be written as PubTator: {what}");
            Error::new(ErrorKind::InvalidInput, what)
        })?;
    }
    Ok(out)
}

fn one(document: &Document, out: &mut String) -> std::result::Result<(), String> {
    let id = &document.id;
    if id.contains('|') || *id != flat(id) || id.trim().is_empty() {
        return Err("its id is empty, or has a |, a tab or a line end".to_owned());
    }
    let [title, text] = texts(document)?;
    let _ = writeln!(out, "{id}|t|{}", flat(&title.unwrap_or_default()));
    if let Some(text) = text {
        let _ = writeln!(out, "{id}|a|{}", flat(&text));
    }
    for mention in &document.mentions {
        out.push_str(&mention_line(id, mention));
        out.push('\n');
    }
    let mut said: HashSet<String> = HashSet::new();
    for relation in &document.relations {
        let line = relation_line(id, relation)?;
        // Several mentions may say one thing of the same two concepts.
        let is_new = said.insert(line.clone()) || relation.mentions.is_empty();
        if is_new && relation.has_concepts() {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out.push('\n');
    Ok(())
}

/// Title and abstract, the second one character behind the first.
fn texts(document: &Document) -> std::result::Result<[Option<String>; 2], String> {
    let Some((first, others)) = document.passages.split_first() else {
        return Ok([None, None]);
    };
    let mut title = " ".repeat(first.offset) + &first.text;
    let Some((second, _)) = others.split_first() else {
        return Ok([Some(title), None]);
    };
    let mut count = title.chars().count();
    while count + 1 < second.offset {
        title.push(' ');
        count += 1;
    }
    let mut text = String::new();
    count += 1;
    for part in others {
        if part.offset < count {
            let what = format!("the text at {} begins before {count}", part.offset);
            return Err(what);
        }
        while count < part.offset {
            text.push(' ');
            count += 1;
        }
        text.push_str(&part.text);
        count += part.text.chars().count();
    }
    Ok([Some(title), Some(text)])
}

fn mention_line(id: &str, mention: &Mention) -> String {
    let (start, end) = (mention.characters.start, mention.characters.end);
    let mut columns = vec![
        id.to_owned(),
        start.to_string(),
        end.to_string(),
        flat(&mention.text),
        flat(&mention.kind),
    ];
    let more = numbered(&mention.notes, OF_MENTION);
    let identifier = mention.identifier.as_deref().map(flat);
    columns.extend(identifier.or_else(|| (!more.is_empty()).then(|| "-".to_owned())));
    columns.extend(more);
    columns.join("\t")
}

fn relation_line(id: &str, relation: &Relation) -> std::result::Result<String, String> {
    let [first, second] = &relation.arguments[..] else {
        let count = relation.arguments.len();
        return Err(format!(
            "a relation {} of {count} concepts, not 2",
            relation.kind
        ));
    };
    let mut columns = vec![
        id.to_owned(),
        flat(&relation.kind),
        flat(first),
        flat(second),
    ];
    let more = numbered(&relation.notes, OF_RELATION);
    let novel = relation.notes.get(NOVEL).map(|note| flat(note));
    columns.extend(novel.or_else(|| (!more.is_empty()).then(|| "-".to_owned())));
    columns.extend(more);
    Ok(columns.join("\t"))
}

/// The notes that are columns behind so many, without a gap.
fn numbered(notes: &Notes, before: usize) -> Vec<String> {
    (before + 1..)
        .map_while(|number| notes.get(&name(number)))
        .map(|note| flat(note))
        .collect()
}

/// One line without tabs, with as many characters.
fn flat(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

#[cfg(test)]
pub(super) mod tests;
