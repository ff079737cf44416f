//! Plain text: documents with blank lines between them.

use super::Document;
use crate::data::lines::Lines;
use medsift::Result;
use std::path::Path;

/// Reads documents from plain text.
pub(super) struct PlainDocuments {
    lines: Lines,
    name: String,
    number: u64,
}

impl PlainDocuments {
    pub(super) fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            lines: Lines::open(path)?,
            name: path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            number: 0,
        })
    }

    pub(super) fn next_document(&mut self) -> Result<Option<Document>> {
        let mut text = String::new();
        while let Some(line) = self.lines.next_line()? {
            if !line.trim().is_empty() {
                text.push_str(line.trim());
                text.push('\n');
            } else if !text.is_empty() {
                break;
            }
        }
        if text.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(Document::new(
            format!("{}:{}", self.name, self.number),
            "",
            &text,
        )))
    }
}
