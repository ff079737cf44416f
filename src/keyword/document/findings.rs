//! What was found in an article, as it is looked up and counted.

use super::{Filler, fits};
use crate::keyword::analysis::exact_value;

/// What was found in an article.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// The findings themselves: come back as they are.
    pub stored: Vec<u8>,
    /// By what they were made.
    pub by: String,
    /// Every way to ask for its entities.
    pub entities: Vec<String>,
    /// Every way to ask for its relations.
    pub relations: Vec<String>,
    /// Its entities, each once: value, type and name.
    pub counted: Vec<[String; 3]>,
}

/// What stands between the parts of a value that is counted.
pub(in crate::keyword) const BETWEEN: char = '\t';

impl Filler<'_> {
    /// Adds what was found in the article.
    pub(super) fn findings(&mut self, findings: &Findings) {
        let fields = self.fields.findings;
        self.document.add_bytes(fields.stored, &findings.stored);
        self.document.add_text(fields.by, &findings.by);
        self.add_exact(fields.entity, findings.entities.iter().map(String::as_str));
        self.add_exact(
            fields.relation,
            findings.relations.iter().map(String::as_str),
        );
        for parts in &findings.counted {
            let [value, kind, name] = parts;
            // What is written is compared as the filter compares it.
            let value = match value.strip_prefix(&format!("{kind}:")) {
                Some(written) => format!("{kind}:{}", exact_value(written)),
                None => value.clone(),
            };
            let value = [&value, kind, name].map(|part| part.replace(BETWEEN, " "));
            let value = value.join(&BETWEEN.to_string());
            if fits(&value) {
                self.document.add_text(fields.counted, &value);
            }
        }
    }
}
