//! Sentences with a BIO tag for each word: files of two columns.

use super::entities::BioTag;
use super::sentence::{content, fault};
use crate::error::Result;
use std::collections::BTreeSet;
use std::path::Path;

/// A line with this word alone, its tag aside, begins a document.
const DOCUMENT: &str = "-DOCSTART-";

/// A sentence of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedSentence {
    /// Its words.
    pub words: Vec<String>,
    /// A tag for each word, which follow the rules of IOB2.
    pub tags: Vec<String>,
    /// Number of its document, counted from 0; 0 for all where the file marks
    /// no documents.
    pub document: usize,
    /// Line of its first word, counted from 1.
    pub line: usize,
}

impl TaggedSentence {
    /// Reads a file, plain or gzip: `word<TAB>tag` in each line, an empty line
    /// between sentences, and perhaps a line `-DOCSTART-` before each document.
    ///
    /// # Errors
    /// With file and line, when a line has another form, a tag is none of `O`,
    /// `B-TYPE` and `I-TYPE`, an `I-TYPE` does not go on with an entity of its
    /// type, or there is no sentence.
    pub fn read(path: &Path) -> Result<Vec<Self>> {
        let text = content(path)?;
        let mut reader = Reader::default();
        for (line, text) in (1..).zip(text.lines()) {
            reader
                .take(line, text)
                .map_err(|what| fault(path, line, what))?;
        }
        reader.end_sentence();
        if reader.sentences.is_empty() {
            return Err(fault(
                path,
                1,
                "there is no sentence: a word and its tag, \
                 with a tab in between, make a line",
            ));
        }
        Ok(reader.sentences)
    }

    /// The words with spaces in between.
    pub fn text(&self) -> String {
        self.words.join(" ")
    }

    /// The types that occur in sentences, in alphabetical order.
    pub fn types(sentences: &[Self]) -> BTreeSet<String> {
        let tags = sentences.iter().flat_map(|sentence| &sentence.tags);
        let kinds = tags.filter_map(|tag| BioTag::parse(tag)?.kind());
        kinds.map(str::to_owned).collect()
    }
}

#[derive(Default)]
struct Reader {
    sentences: Vec<TaggedSentence>,
    words: Vec<String>,
    tags: Vec<String>,
    /// Line of the sentence's first word.
    line: usize,
    /// Marks seen.
    documents: usize,
}

impl Reader {
    fn take(&mut self, line: usize, text: &str) -> std::result::Result<(), String> {
        if text.trim().is_empty() {
            self.end_sentence();
            return Ok(());
        }
        if text.split_whitespace().next() == Some(DOCUMENT) {
            self.end_sentence();
            self.documents += 1;
            return Ok(());
        }
        let cells: Vec<&str> = text.split('\t').collect();
        let [word, tag] = cells[..] else {
            return Err(format!(
                "{} column(s), where a word and its tag with a tab in between are expected",
                cells.len()
            ));
        };
        let (word, tag) = (word.trim(), tag.trim());
        if word.is_empty() {
            return Err("the word is empty".to_owned());
        }
        let Some(parsed) = BioTag::parse(tag) else {
            return Err(format!("the tag {tag:?} is none of O, B-TYPE and I-TYPE"));
        };
        if let BioTag::Inside(kind) = parsed {
            let before = self.tags.last().and_then(|tag| BioTag::parse(tag)?.kind());
            if before != Some(kind) {
                return Err(format!(
                    "{tag} does not go on with an entity: in IOB2 each entity begins with \
                     B-{kind}; files in IOB1 have to be converted"
                ));
            }
        }
        if self.words.is_empty() {
            self.line = line;
        }
        self.words.push(word.to_owned());
        self.tags.push(tag.to_owned());
        Ok(())
    }

    fn end_sentence(&mut self) {
        if self.words.is_empty() {
            return;
        }
        self.sentences.push(TaggedSentence {
            words: std::mem::take(&mut self.words),
            tags: std::mem::take(&mut self.tags),
            document: self.documents.saturating_sub(1),
            line: self.line,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn read(bytes: &[u8]) -> Result<Vec<TaggedSentence>> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("dev.tsv");
        std::fs::write(&path, bytes).unwrap();
        TaggedSentence::read(&path)
    }

    const FILE: &str = "-DOCSTART-\tO\n\nTay\tB-Disease\n-\tI-Disease\nSachs\tI-Disease\n.\tO\r\n\
                        \n\n-DOCSTART-\tO\n\nIL\tB-Gene\nIL\tB-Gene\n";

    #[test]
    fn sentences_documents_and_types_are_read() {
        let sentences = read(FILE.as_bytes()).unwrap();
        assert_eq!(sentences.len(), 2);
        assert_eq!(sentences[0].text(), "Tay - Sachs .");
        assert_eq!(sentences[0].tags[3], "O");
        let places: Vec<_> = sentences.iter().map(|s| (s.document, s.line)).collect();
        assert_eq!(places, [(0, 3), (1, 11)]);
        let types: Vec<String> = TaggedSentence::types(&sentences).into_iter().collect();
        assert_eq!(types, ["Disease", "Gene"]);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(FILE.as_bytes()).unwrap();
        assert_eq!(read(&gzip.finish().unwrap()).unwrap(), sentences);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, parts) in [
            ("a\tO\nb O\n", ["line 2", "1 column"]),
            ("a\tB-X\nb\tI-Y\n", ["line 2", "B-Y"]),
            ("a\tB-X\n\nb\tI-X\n", ["line 3", "IOB2"]),
            ("a\tX\n", ["line 1", "\"X\""]),
            (" \tO\n", ["line 1", "empty"]),
            ("\n\n", ["line 1", "no sentence"]),
        ] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            for part in parts {
                assert!(error.contains(part), "{text:?}: {error}");
            }
        }
    }
}
