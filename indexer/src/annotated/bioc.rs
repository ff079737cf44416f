//! The XML form of BioC (Comeau et al. 2013, `BioC.dtd`).

use crate::xml::{Cursor, Element, Flaw};
use medsift::enrich::exchange::bioc::{
    Annotation, BiocDocument, BiocRelation, Collection, Infons, Location, Node, Passage, Sentence,
};
use medsift::{Error, ErrorKind, Result};

/// Name under which a collection keeps the text of elements that BioC does not
/// have.
const LEFTOVER: &str = "leftover";

/// Reads a collection.
///
/// Texts stand as they are, since offsets count their characters. Where one has
/// line ends, which BioC's texts have not, it was printed for people: each run
/// of white space around a line end is one space then, and none is kept at its
/// ends.
///
/// # Errors
/// `InvalidInput` when it is no such XML, with the place.
pub fn read_bioc_xml(text: &str) -> Result<Collection> {
    let mut cursor = Cursor::new(text);
    let read = collection(&mut cursor).map_err(|flaw| {
        let what = format!("no BioC XML: {flaw}");
        Error::new(ErrorKind::InvalidInput, what)
    })?;
    let mut collection = read;
    let leftover = cursor.into_leftover();
    if !leftover.is_empty() {
        let leftover = leftover.into_iter().collect();
        let name = LEFTOVER.to_owned();
        collection
            .more
            .insert(name, serde_json::Value::Object(leftover));
    }
    Ok(collection)
}

fn collection(cursor: &mut Cursor<'_>) -> std::result::Result<Collection, Flaw> {
    match cursor.child()? {
        Some(root) if root.name() == "collection" => {}
        Some(root) => {
            let what = format!("it begins with <{}>, not <collection>", root.name());
            return Err(Flaw::new(what));
        }
        None => return Err(Flaw::new("it has no element")),
    }
    let mut found = Collection::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "source" => found.source = text(cursor)?,
            "date" => found.date = text(cursor)?,
            "key" => found.key = text(cursor)?,
            "infon" => infon(cursor, &element, &mut found.infons)?,
            "document" => {
                let place = found.documents.len() + 1;
                let read = document(cursor);
                let read = read.map_err(|flaw| Flaw::new(format!("document {place}: {flaw}")))?;
                found.documents.push(read);
            }
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(found)
}

fn document(cursor: &mut Cursor<'_>) -> std::result::Result<BiocDocument, Flaw> {
    let mut found = BiocDocument::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "id" => found.id = text(cursor)?,
            "infon" => infon(cursor, &element, &mut found.infons)?,
            "passage" => found.passages.push(passage(cursor)?),
            "annotation" => found.annotations.push(annotation(cursor, &element)?),
            "relation" => found.relations.push(relation(cursor, &element)?),
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(found)
}

fn passage(cursor: &mut Cursor<'_>) -> std::result::Result<Passage, Flaw> {
    let mut found = Passage::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "offset" => found.offset = number("offset", &text(cursor)?)?,
            "infon" => infon(cursor, &element, &mut found.infons)?,
            "text" => found.text = Some(text(cursor)?),
            "sentence" => found.sentences.push(sentence(cursor)?),
            "annotation" => found.annotations.push(annotation(cursor, &element)?),
            "relation" => found.relations.push(relation(cursor, &element)?),
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(found)
}

fn sentence(cursor: &mut Cursor<'_>) -> std::result::Result<Sentence, Flaw> {
    let mut found = Sentence::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "offset" => found.offset = number("offset", &text(cursor)?)?,
            "infon" => infon(cursor, &element, &mut found.infons)?,
            "text" => found.text = Some(text(cursor)?),
            "annotation" => found.annotations.push(annotation(cursor, &element)?),
            "relation" => found.relations.push(relation(cursor, &element)?),
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(found)
}

fn annotation<'a>(
    cursor: &mut Cursor<'a>,
    start: &Element<'a>,
) -> std::result::Result<Annotation, Flaw> {
    let mut found = Annotation {
        id: start.attribute("id")?.unwrap_or_default(),
        ..Annotation::default()
    };
    while let Some(element) = cursor.child()? {
        match element.name() {
            "infon" => infon(cursor, &element, &mut found.infons)?,
            "text" => found.text = Some(text(cursor)?),
            "location" => {
                let of = |name| number(name, &element.attribute(name)?.unwrap_or_default());
                found.locations.push(Location {
                    offset: of("offset")?,
                    length: of("length")?,
                });
                cursor.skip()?;
            }
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(found)
}

fn relation<'a>(
    cursor: &mut Cursor<'a>,
    start: &Element<'a>,
) -> std::result::Result<BiocRelation, Flaw> {
    let mut found = BiocRelation {
        id: start.attribute("id")?.unwrap_or_default(),
        ..BiocRelation::default()
    };
    while let Some(element) = cursor.child()? {
        match element.name() {
            "infon" => infon(cursor, &element, &mut found.infons)?,
            "node" => {
                found.nodes.push(Node {
                    refid: element.attribute("refid")?.unwrap_or_default(),
                    role: element.attribute("role")?.unwrap_or_default(),
                });
                cursor.skip()?;
            }
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(found)
}

/// An infon; of several with one key all, as a list.
fn infon<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
    infons: &mut Infons,
) -> std::result::Result<(), Flaw> {
    let key = element.attribute("key")?.unwrap_or_default();
    let value = serde_json::Value::String(text(cursor)?);
    match infons.remove(&key) {
        None => infons.insert(key, value),
        Some(serde_json::Value::Array(mut all)) => {
            all.push(value);
            infons.insert(key, all.into())
        }
        Some(first) => infons.insert(key, vec![first, value].into()),
    };
    Ok(())
}

/// The text of an element, see [`read_bioc_xml`].
fn text(cursor: &mut Cursor<'_>) -> std::result::Result<String, Flaw> {
    let text = cursor.verbatim()?;
    if !text.contains(['\n', '\r']) {
        return Ok(text);
    }
    let mut out = String::with_capacity(text.len());
    let lines = text.split(['\n', '\r']).map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(line);
    }
    Ok(out)
}

fn number(name: &str, text: &str) -> std::result::Result<usize, Flaw> {
    let read = text.trim().parse();
    read.map_err(|error| Flaw::new(format!("{name} {text:?}: {error}")))
}
