//! PubMedQA's file of questions by PMID.

use super::{Gold, GoldDocument, GoldPlace, GoldQuestion, PassageSet, settled};
use crate::error::{Error, ErrorKind, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

const NAME: &str = "pubmedqa";

#[derive(Deserialize)]
struct Record {
    #[serde(rename = "QUESTION")]
    question: String,
    #[serde(rename = "CONTEXTS")]
    contexts: Vec<String>,
    #[serde(rename = "LONG_ANSWER", default)]
    conclusion: String,
}

/// Each question is asked of its own abstract, conclusion included. The
/// documents have no titles, since the questions are the titles.
pub(super) fn read(path: &Path, text: &str) -> Result<PassageSet> {
    let records: BTreeMap<String, Record> = serde_json::from_str(text).map_err(|error| {
        let what = format!(
            "{}: neither PubMedQA's object of questions by PMID nor BioASQ's lines: {error}",
            path.display()
        );
        Error::new(ErrorKind::InvalidInput, what)
    })?;
    let mut set = PassageSet {
        name: NAME,
        documents: Vec::with_capacity(records.len()),
        questions: Vec::with_capacity(records.len()),
    };
    for (pmid, record) in records {
        let document = format!("{NAME}-{pmid}");
        let sections = record.contexts.iter().chain([&record.conclusion]);
        let text: Vec<&str> = sections.map(String::as_str).collect();
        set.documents.push(GoldDocument {
            id: document.clone(),
            title: String::new(),
            text: settled(&text.join(" ")),
        });
        set.questions.push(GoldQuestion {
            id: pmid,
            text: settled(&record.question),
            gold: vec![Gold {
                document,
                place: GoldPlace::Document,
            }],
        });
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_asked_of_its_whole_abstract_without_the_title() {
        let text = r#"{"21": {"QUESTION": "Do statins\n help?", "CONTEXTS": ["A  b.", "C."],
                       "LONG_ANSWER": "They do.", "final_decision": "yes"}}"#;
        let set = read(Path::new("x"), text).unwrap();
        assert_eq!(set.documents[0].id, "pubmedqa-21");
        assert_eq!(set.documents[0].text, "A b. C. They do.");
        assert_eq!(set.documents[0].title, "");
        assert_eq!(set.questions[0].text, "Do statins help?");
        assert_eq!(set.questions[0].gold[0].place, GoldPlace::Document);
    }
}
