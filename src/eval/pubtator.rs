//! PubTator files: titles, abstracts, and mentions with identifiers.

use super::sentence::{content, fault};
use crate::error::Result;
use std::path::Path;

/// A mention with the identifiers that people gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldMention {
    /// First character and the one after the last, of the document's text.
    pub characters: (usize, usize),
    /// Its words.
    pub text: String,
    /// Its type, as the file has it.
    pub kind: String,
    /// Identifiers without the vocabulary's name: several where it stands for
    /// several concepts, none where people found none.
    pub ids: Vec<String>,
}

/// A title and abstract with mentions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PubTatorDocument {
    /// PMID.
    pub id: String,
    /// Title and abstract with a space in between, which offsets count.
    pub text: String,
    /// In the order of the file.
    pub mentions: Vec<GoldMention>,
}

impl PubTatorDocument {
    /// Reads a file, plain or gzip: `PMID|t|title`, `PMID|a|abstract`, lines of
    /// `PMID start end mention type ids` with tabs in between, and an empty line
    /// behind each document. Lines of relations are passed over.
    ///
    /// # Errors
    /// With file and line, when a line has another form, or there is no
    /// document.
    pub fn read(path: &Path) -> Result<Vec<Self>> {
        let mut documents = Vec::new();
        for (line, text) in (1..).zip(content(path)?.lines()) {
            take(&mut documents, text).map_err(|what| fault(path, line, what))?;
        }
        if documents.is_empty() {
            let what = "there is no document: PMID|t|title begins one";
            return Err(fault(path, 1, what));
        }
        Ok(documents)
    }

    /// The bytes of the text that hold a mention; where the words there are
    /// others, those of the mention's first place, and none where it has none.
    pub fn bytes(&self, mention: &GoldMention) -> Option<std::ops::Range<usize>> {
        let (start, end) = mention.characters;
        let byte = |character: usize| {
            let mut bytes = self.text.char_indices().map(|(byte, _)| byte);
            bytes
                .nth(character)
                .or_else(|| (self.text.chars().count() == character).then_some(self.text.len()))
        };
        let range = byte(start).zip(byte(end)).map(|(start, end)| start..end);
        range
            .filter(|range| self.text.get(range.clone()) == Some(&mention.text))
            .or_else(|| {
                let start = self.text.find(&mention.text)?;
                Some(start..start + mention.text.len())
            })
    }
}

fn take(documents: &mut Vec<PubTatorDocument>, line: &str) -> std::result::Result<(), String> {
    if line.trim().is_empty() {
        return Ok(());
    }
    let columns: Vec<&str> = line.split('\t').collect();
    if let [_, start, end, text, kind, ids @ ..] = &columns[..]
        && let (Ok(start), Ok(end)) = (start.parse(), end.parse())
    {
        let document = documents
            .last_mut()
            .ok_or("a mention before the first title")?;
        document.mentions.push(GoldMention {
            characters: (start, end),
            text: (*text).to_owned(),
            kind: (*kind).to_owned(),
            ids: identifiers(ids.first().copied().unwrap_or_default()),
        });
        return Ok(());
    }
    let mut parts = line.splitn(3, '|');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(id), Some("t"), Some(title)) => {
            documents.push(PubTatorDocument {
                id: id.to_owned(),
                text: title.to_owned(),
                mentions: Vec::new(),
            });
            Ok(())
        }
        (_, Some("a"), Some(text)) => {
            let document = documents
                .last_mut()
                .ok_or("an abstract before the first title")?;
            document.text.push(' ');
            document.text.push_str(text);
            Ok(())
        }
        // A relation: PMID, type, identifiers.
        _ if columns.len() >= 4 => Ok(()),
        _ => Err("neither title, abstract, mention nor relation".to_owned()),
    }
}

/// `D003110|D009369`, `MESH:D001943`, `OMIM:176300`; `-1` and `-` are none.
fn identifiers(column: &str) -> Vec<String> {
    let ids = column.split(['|', ',', '+', ';']).map(str::trim);
    let ids = ids.map(|id| id.strip_prefix("MESH:").unwrap_or(id));
    ids.filter(|id| !matches!(*id, "" | "-" | "-1"))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "1|t|TNF-α in asthma.\n1|a|Asthma (AS).\n\
        1\t9\t15\tasthma\tDisease\tD001249\n\
        1\t17\t23\tAsthma\tDisease\tMESH:D001249|OMIM:1\n\
        1\t0\t2\tAS\tDisease\t-1\n1\tCID\tD1\tD2\n\n2|t|\n2|a|\n";

    fn read(text: &str) -> Result<Vec<PubTatorDocument>> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pubtator");
        std::fs::write(&path, text).unwrap();
        PubTatorDocument::read(&path)
    }

    #[test]
    fn documents_have_their_mentions() {
        let documents = read(FILE).unwrap();
        assert_eq!(documents.len(), 2);
        let first = &documents[0];
        let ids: Vec<&[String]> = first.mentions.iter().map(|one| &one.ids[..]).collect();
        assert_eq!(ids[1], ["D001249", "OMIM:1"]);
        assert!(ids[2].is_empty());
        let places: Vec<&str> = first
            .mentions
            .iter()
            .map(|mention| &first.text[first.bytes(mention).unwrap()])
            .collect();
        // The last has offsets of other words.
        assert_eq!(places, ["asthma", "Asthma", "AS"]);
    }

    #[test]
    fn what_is_no_such_file_is_refused_with_its_line() {
        for (text, part) in [
            ("", "no document"),
            ("1\t0\t2\tAS\tDisease\t-1\n", "before the first title"),
            ("1|t|a\nword\n", "2"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
