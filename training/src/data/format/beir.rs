//! A BEIR folder: queries with the documents that were judged relevant.

use super::Draft;
use crate::data::record::Records;
use crate::example::Label;
use medsift::eval::beir::BeirFolder;
use medsift::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The examples of a split, in the order of query and document ids, and the
/// corpus file. A document is its title, a space, and its text.
///
/// # Errors
/// When a part is missing or damaged, or a judged document is not there.
pub(crate) fn read_folder(root: &Path, split: &str) -> Result<(Vec<Draft>, PathBuf)> {
    let folder = BeirFolder::open(root)?;
    let corpus = folder.corpus()?;
    let (queries, judged) = folder.split(split)?;
    let documents = documents(&corpus)?;
    let mut drafts = Vec::new();
    for (id, query) in &queries {
        let Some(judgements) = judged.judgements(id) else {
            continue;
        };
        let mut relevant: Vec<&str> = judgements
            .iter()
            .filter(|(_, grade)| **grade > 0)
            .map(|(document, _)| document.as_ref())
            .collect();
        relevant.sort_unstable();
        for document in relevant {
            let text = documents.get(document).ok_or_else(|| {
                Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "query {id} of split {split} judges document {document}, which {} lacks",
                        corpus.display()
                    ),
                )
            })?;
            drafts.push((vec![query.trim().to_owned(), text.clone()], Label::None));
        }
    }
    Ok((drafts, corpus))
}

fn documents(corpus: &Path) -> Result<HashMap<String, String>> {
    let mut records = Records::open(corpus)?;
    let mut documents = HashMap::new();
    let mut fault = None;
    while let Some((line, record)) = records.next_record()? {
        match record.and_then(|record| {
            let id = record.value("_id").ok_or("`_id` is missing")?;
            let title = record.value("title").unwrap_or_default();
            let text = record.value("text").unwrap_or_default();
            Ok((
                id,
                format!("{} {}", title.trim(), text.trim())
                    .trim()
                    .to_owned(),
            ))
        }) {
            Ok((id, text)) => {
                documents.insert(id, text);
            }
            Err(what) => {
                fault = Some((line, what));
                break;
            }
        }
    }
    match fault {
        Some((line, what)) => Err(records.fault(line, &what)),
        None => Ok(documents),
    }
}
