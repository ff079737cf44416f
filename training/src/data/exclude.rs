//! Held-out data that training must not see.

use super::files::expand;
use super::metadata::{article_pmid, pmid_value};
use super::record::{Record, Records};
use super::text_key::{pair_key, sentence_keys, text_key};
use medsift::article::Article;
use medsift::eval::beir::BeirFolder;
use medsift::{Error, ErrorKind, Result};
use std::collections::HashSet;
use std::path::Path;

/// Names of the two texts in the headers of pair sets.
const PAIR_COLUMNS: [[&str; 2]; 5] = [
    ["premise", "hypothesis"],
    ["sentence1", "sentence2"],
    ["anchor", "positive"],
    ["question", "candidate_question"],
    ["query", "positive"],
];

/// What training must not see, by content.
///
/// From a set of pairs (a test or dev split) come its pairs, in either order:
/// single sentences are shared by many sets without harm. From a collection
/// (JSON lines with `_id`, or a BEIR folder) come all its texts, its long
/// sentences, and the PMIDs that its metadata names, so that neither a
/// document nor a piece of it can come in from another source. Texts are
/// compared by letters and digits alone.
#[derive(Debug, Clone, Default)]
pub struct Exclusions {
    pairs: HashSet<u128>,
    texts: HashSet<u128>,
    sentences: HashSet<u128>,
    pmids: HashSet<u32>,
}

impl Exclusions {
    /// Reads held-out files, patterns and BEIR folders.
    ///
    /// # Errors
    /// When one cannot be read, or is neither a set of pairs nor a collection.
    pub fn read(paths: &[String]) -> Result<Self> {
        let mut exclusions = Self::default();
        for path in expand(paths)? {
            exclusions.add(&path)?;
        }
        Ok(exclusions)
    }

    /// Whether nothing is held out.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.texts.is_empty() && self.pmids.is_empty()
    }

    /// Adds a file or a BEIR folder.
    ///
    /// # Errors
    /// As [`Exclusions::read`].
    pub fn add(&mut self, path: &Path) -> Result<()> {
        if path.is_dir() {
            let folder = BeirFolder::open(path)?;
            self.add_file(&folder.corpus()?)?;
            return self.add_file(&path.join("queries.jsonl"));
        }
        self.add_file(path)
    }

    fn add_file(&mut self, path: &Path) -> Result<()> {
        let mut records = Records::open(path)?;
        let columns = match records.header() {
            Some(header) => Some(pair_columns(header).ok_or_else(|| {
                Error::new(
                    ErrorKind::Incompatible,
                    format!(
                        "{} cannot be excluded: its header ({}) names no pair of texts such as \
                         premise and hypothesis, sentence1 and sentence2, anchor and positive",
                        path.display(),
                        header.join(", ")
                    ),
                )
            })?),
            None => None,
        };
        let mut fault = None;
        while let Some((line, record)) = records.next_record()? {
            let added = record.and_then(|record| match columns {
                Some(columns) => self.add_pair(&record, columns),
                None => self.add_json(&record),
            });
            if let Err(what) = added {
                fault = Some((line, what));
                break;
            }
        }
        match fault {
            Some((line, what)) => Err(records.fault(line, &what)),
            None => Ok(()),
        }
    }

    fn add_pair(
        &mut self,
        record: &Record<'_>,
        [first, second]: [&'static str; 2],
    ) -> std::result::Result<(), String> {
        // An empty text excludes nothing.
        let (first, second) = (record.value(first), record.value(second));
        self.pairs.extend(pair_key(
            &first.unwrap_or_default(),
            &second.unwrap_or_default(),
        ));
        Ok(())
    }

    fn add_json(&mut self, record: &Record<'_>) -> std::result::Result<(), String> {
        if record.has("_id") {
            let title = record.value("title").unwrap_or_default();
            let text = record.value("text").unwrap_or_default();
            self.add_document(&title, &text);
            if let Record::Json(object) = record
                && let Some(metadata) = object.get("metadata")
            {
                self.pmids.extend(metadata_pmid(metadata));
            }
            return Ok(());
        }
        if record.has("texts") {
            let texts = record.texts("texts")?;
            self.pairs.extend(
                texts[1..]
                    .iter()
                    .filter_map(|text| pair_key(texts[0], text)),
            );
            return Ok(());
        }
        for columns in PAIR_COLUMNS {
            if columns.iter().all(|column| record.has(column)) {
                return self.add_pair(record, columns);
            }
        }
        Err("neither `_id` (a collection) nor `texts` (examples) is there".to_owned())
    }

    /// Holds a document out.
    pub fn add_document(&mut self, title: &str, text: &str) {
        self.texts.extend(text_key(title));
        self.texts.extend(text_key(text));
        self.texts.extend(text_key(&format!("{title} {text}")));
        self.sentences.extend(sentence_keys(title));
        self.sentences.extend(sentence_keys(text));
    }

    /// Whether an example is held out: its pair, or one of its texts.
    pub fn holds_example<T: AsRef<str>>(&self, texts: &[T]) -> bool {
        let pair = |text: &T| pair_key(texts[0].as_ref(), text.as_ref());
        let mut rest = texts.iter().skip(1);
        (!self.pairs.is_empty()
            && rest.any(|text| pair(text).is_some_and(|key| self.pairs.contains(&key))))
            || texts.iter().any(|text| self.holds_text(text.as_ref()))
    }

    /// Whether a text, or a long sentence of it, is of a held-out document.
    pub fn holds_text(&self, text: &str) -> bool {
        if self.texts.is_empty() {
            return false;
        }
        text_key(text).is_some_and(|key| self.texts.contains(&key) || self.sentences.contains(&key))
            || sentence_keys(text).any(|key| self.sentences.contains(&key))
    }

    /// Whether an article with this PMID is held out.
    pub fn holds_pmid(&self, pmid: u32) -> bool {
        self.pmids.contains(&pmid)
    }

    /// Whether an article is held out: by its PMID, its title, or a long
    /// sentence of its text.
    pub fn holds_article(&self, article: &Article) -> bool {
        if self.texts.is_empty() && self.pmids.is_empty() {
            return false;
        }
        article_pmid(article).is_some_and(|pmid| self.pmids.contains(&pmid))
            || self.holds_text(&article.display_title().plain)
            || self.holds_text(&article.running_text().text)
    }
}

fn pair_columns(header: &[String]) -> Option<[&'static str; 2]> {
    PAIR_COLUMNS.into_iter().find(|columns| {
        columns
            .iter()
            .all(|column| header.iter().any(|name| name == column))
    })
}

/// The PMID that a document's metadata names: `pmid`, or the end of a PubMed
/// address in `url`. An `_id` is none: SciFact counts in another space.
fn metadata_pmid(metadata: &serde_json::Value) -> Option<u32> {
    if let Some(pmid) = metadata.get("pmid").and_then(pmid_value) {
        return Some(pmid);
    }
    let url = metadata.get("url")?.as_str()?;
    let (_, number) = url
        .split_once("/pubmed/")
        .or(url.split_once("pubmed.ncbi.nlm.nih.gov/"))?;
    number.trim_end_matches('/').parse().ok()
}
