//! Documents out of files and articles.

use super::Document;
use super::articles::{ArticleSource, Articles};
use super::plain::PlainDocuments;
use crate::data::exclude::Exclusions;
use crate::data::files::expand;
use crate::data::guard::{refuse_evaluation_id, refuse_evaluation_set};
use crate::data::load::Purpose;
use crate::data::metadata;
use crate::data::record::{Record, Records};
use crate::data::spec::from_table;
use medsift::article::Article;
use medsift::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A corpus, as a configuration describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusSpec {
    /// Files, plain or gzip: JSON lines (`.jsonl`) with `text` or
    /// `paragraphs`, a text or a list of texts, perhaps `title`, and `_id` or
    /// `id`; plain text (`.txt`) with a blank line between documents; or
    /// whatever an [`ArticleSource`] reads.
    pub files: Vec<String>,
    /// Held-out collections whose documents must not be trained on
    /// ([`Exclusions`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

impl CorpusSpec {
    /// Reads a table of a configuration.
    ///
    /// # Errors
    /// Names the key that is missing, not known or of another type.
    pub fn from_table(table: &toml::Table) -> Result<Self> {
        from_table(table)
    }
}

/// What became of the documents that were read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CorpusCounts {
    /// Documents read; those given out, excluded and empty add up to it.
    pub read: u64,
    /// Documents given out.
    pub given: u64,
    /// Held out, and articles that were retracted.
    pub excluded: u64,
    /// Without title and text.
    pub empty: u64,
}

/// The documents of a corpus' files, one after another. It ends after an
/// error.
pub struct Documents {
    files: std::vec::IntoIter<PathBuf>,
    current: Option<Current>,
    exclusions: Arc<Exclusions>,
    purpose: Purpose,
    articles: Option<ArticleSource>,
    counts: CorpusCounts,
    ended: bool,
}

enum Current {
    Plain(PlainDocuments),
    Json(PathBuf, Records),
    Articles(PathBuf, Articles),
}

/// What came out of a file.
enum Found {
    Document(Document),
    /// A document that must not be given out, whatever the exclusions.
    Withheld,
}

impl Documents {
    /// Opens a corpus for training.
    ///
    /// # Errors
    /// When a pattern matches nothing, a file belongs to a set for measuring,
    /// or a held-out file cannot be read.
    pub fn open(spec: &CorpusSpec) -> Result<Self> {
        let exclusions = Exclusions::read(&spec.exclude)?;
        Self::with_exclusions(&spec.files, Arc::new(exclusions))
    }

    /// Opens files for training with exclusions that have been read before.
    ///
    /// # Errors
    /// As [`Documents::open`].
    pub fn with_exclusions(files: &[String], exclusions: Arc<Exclusions>) -> Result<Self> {
        Self::open_for(files, exclusions, Purpose::Training, None)
    }

    /// Opens files for a purpose. `articles` opens the files that are neither
    /// JSON lines nor plain text by their names.
    ///
    /// # Errors
    /// As [`Documents::open`]; sets for measuring may be measured on.
    pub fn open_for(
        files: &[String],
        exclusions: Arc<Exclusions>,
        purpose: Purpose,
        articles: Option<ArticleSource>,
    ) -> Result<Self> {
        let files = Self::files(files, purpose)?;
        Ok(Self {
            files: files.into_iter(),
            current: None,
            exclusions,
            purpose,
            articles,
            counts: CorpusCounts::default(),
            ended: false,
        })
    }

    /// The files that paths and patterns name, none of which may be read for
    /// training alone where that is the purpose.
    pub(crate) fn files(patterns: &[String], purpose: Purpose) -> Result<Vec<PathBuf>> {
        let files = expand(patterns)?;
        if files.is_empty() {
            return Err(Error::invalid("files", "`files` names no file"));
        }
        if purpose == Purpose::Training {
            for file in &files {
                refuse_evaluation_set(file)?;
            }
        }
        Ok(files)
    }

    /// What has been read so far.
    pub fn counts(&self) -> CorpusCounts {
        self.counts
    }

    fn next_document(&mut self) -> Result<Option<Document>> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(path) = self.files.next() else {
                    return Ok(None);
                };
                self.current = Some(Current::open(path, self.articles.as_ref())?);
                continue;
            };
            let Some(found) = current.next(self.purpose, &self.exclusions)? else {
                self.current = None;
                continue;
            };
            self.counts.read += 1;
            let Found::Document(document) = found else {
                self.counts.excluded += 1;
                continue;
            };
            if document.is_empty() {
                self.counts.empty += 1;
            } else if holds_document(&self.exclusions, &document) {
                self.counts.excluded += 1;
            } else {
                self.counts.given += 1;
                return Ok(Some(document));
            }
        }
    }
}

impl Iterator for Documents {
    type Item = Result<Document>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_document().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// The documents of articles. Those that are held out, retracted or without
/// text are left out.
pub fn documents_of(
    articles: impl IntoIterator<Item = Result<Article>>,
    exclusions: Arc<Exclusions>,
) -> impl Iterator<Item = Result<Document>> {
    articles.into_iter().filter_map(move |article| {
        let article = match article {
            Ok(article) => article,
            Err(error) => return Some(Err(error)),
        };
        if let Err(what) = refuse_evaluation_id(article.id.as_str()) {
            return Some(Err(Error::new(ErrorKind::InvalidInput, what)));
        }
        if article.is_retracted() || exclusions.holds_article(&article) {
            return None;
        }
        let document = Document::of(&article);
        (!document.is_empty()).then_some(Ok(document))
    })
}

impl Current {
    fn open(path: PathBuf, articles: Option<&ArticleSource>) -> Result<Self> {
        let name = path.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        if name.ends_with(".txt") {
            return PlainDocuments::open(&path).map(Self::Plain);
        }
        if name.ends_with(".tsv") {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{} is a table, not a corpus of .jsonl or .txt",
                    path.display()
                ),
            ));
        }
        let lines = [".jsonl", ".ndjson", ".json"];
        if lines.iter().any(|end| name.ends_with(end)) {
            let records = Records::open(&path)?;
            return Ok(Self::Json(path, records));
        }
        let Some(articles) = articles else {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "{} is neither .jsonl nor .txt by its name (perhaps with .gz), and nobody \
                     reads articles here",
                    path.display()
                ),
            ));
        };
        let articles = articles.open(&path)?;
        Ok(Self::Articles(path, articles))
    }

    fn next(&mut self, purpose: Purpose, exclusions: &Exclusions) -> Result<Option<Found>> {
        let (path, line, record) = match self {
            Self::Plain(plain) => return Ok(plain.next_document()?.map(Found::Document)),
            Self::Articles(path, articles) => {
                let Some(article) = articles.next().transpose()? else {
                    return Ok(None);
                };
                if purpose == Purpose::Training {
                    refuse_evaluation_id(article.id.as_str())
                        .map_err(|what| incompatible(path, "", &what))?;
                }
                let withheld = article.is_retracted() || exclusions.holds_article(&article);
                return Ok(Some(if withheld {
                    Found::Withheld
                } else {
                    Found::Document(Document::of(&article))
                }));
            }
            Self::Json(path, records) => match records.next_record()? {
                None => return Ok(None),
                Some((line, record)) => (path, line, record),
            },
        };
        record
            .and_then(|record| json_document(&record, line, purpose))
            .map(|document| Some(Found::Document(document)))
            .map_err(|what| incompatible(path, &format!(", line {line}"), &what))
    }
}

fn incompatible(path: &Path, place: &str, what: &str) -> Error {
    Error::new(
        ErrorKind::Incompatible,
        format!("{}{place}: {what}", path.display()),
    )
}

fn json_document(
    record: &Record<'_>,
    line: u64,
    purpose: Purpose,
) -> std::result::Result<Document, String> {
    let id = record.id().unwrap_or_else(|| line.to_string());
    if purpose == Purpose::Training {
        refuse_evaluation_id(&id)?;
    }
    let title = record.value("title").unwrap_or_default();
    let column = ["text", "paragraphs"]
        .into_iter()
        .find(|column| record.has(column));
    let text = match column {
        Some(column) => paragraphs(record, column)?,
        // An abstract may be missing; a wrong key would make all of them so.
        None if record.has("title") => String::new(),
        None => return Err("none of `text`, `paragraphs` and `title` is there".to_owned()),
    };
    let mut document = Document::new(id, &title, &text);
    if let Record::Json(object) = record {
        // Beside the text, or in BEIR's place for what else there is.
        let find = |key: &str| {
            let inside = object
                .get("metadata")
                .and_then(|metadata| metadata.get(key));
            inside.or_else(|| object.get(key))
        };
        document.pmid = find("pmid").and_then(metadata::pmid_value);
        document.cites = find("ref_pmids")
            .and_then(serde_json::Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(metadata::pmid_value)
            .collect();
    }
    Ok(document)
}

/// The paragraphs of a text or a list of texts as lines, at which sentences
/// end. Headings (`## Methods`) are left out.
fn paragraphs(record: &Record<'_>, column: &str) -> std::result::Result<String, String> {
    let Record::Json(object) = record else {
        return Err("a table is no corpus".to_owned());
    };
    let texts: Vec<&str> = match object.get(column) {
        None | Some(serde_json::Value::Null) => Vec::new(),
        Some(serde_json::Value::String(text)) => vec![text],
        Some(serde_json::Value::Array(texts)) => texts
            .iter()
            .map(|text| {
                text.as_str()
                    .ok_or_else(|| format!("an element of `{column}` is not a text"))
            })
            .collect::<std::result::Result<_, String>>()?,
        Some(_) => return Err(format!("`{column}` is neither a text nor a list of texts")),
    };
    let lines = texts.into_iter().flat_map(str::lines);
    Ok(lines
        .filter(|line| !line.trim_start().starts_with("## "))
        .collect::<Vec<_>>()
        .join("\n"))
}

fn holds_document(exclusions: &Exclusions, document: &Document) -> bool {
    !exclusions.is_empty()
        && (document
            .pmid
            .is_some_and(|pmid| exclusions.holds_pmid(pmid))
            || exclusions.holds_text(&document.title)
            || document
                .sentences
                .iter()
                .any(|sentence| exclusions.holds_text(sentence)))
}
