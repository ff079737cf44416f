use super::ledger::Ledger;
use super::merge::SegmentLoad;
use super::order::nlm_number;
use crate::encoder::ModelFingerprint;
use crate::enrich::Recipe;
use crate::error::{Error, ErrorKind, Result};
use crate::vector::{FileMeta, SegmentMeta};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the index directory's format that this code reads and writes.
///
/// 2: deletions are remembered. An index of version 1 has forgotten its
/// deletions and so cannot be carried on.
///
/// 3: words as they are written, days, and whole values by PubMed's tags are
/// on the keyword side. An older index holds none of them.
///
/// 4: the keyword side has columns of journals, publication types and MeSH
/// headings to count, and of days to sort by.
///
/// 5: the keyword side holds what was found in articles.
pub const FORMAT_VERSION: u32 = 5;

/// Entry of a payload with the checksum of all others.
const CHECKSUM: &str = "checksum";

/// SHA-256 of a value's text, in which entries are sorted by name.
fn checksum(value: &Value) -> String {
    crate::digest::sha256(value.to_string().as_bytes())
}

/// What a committed state consists of.
///
/// It travels in the keyword side's own commit, which is the one atomic
/// switch: every file that it names was written and synced before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// Version of the directory's format.
    pub format_version: u32,
    /// Rises by one with each commit.
    pub generation: u64,
    /// When, RFC 3339.
    pub committed_at: String,
    /// The model that made the vectors.
    pub model: ModelFingerprint,
    /// Where that model lay when the index was made: a folder, or a name that
    /// the command line knows. A hint only; the fingerprint decides.
    pub model_location: String,
    /// How articles become passages.
    pub passages: PassageMode,
    /// First key that no article has had.
    pub next_key: u32,
    /// Live articles.
    pub articles: u64,
    /// Live passages.
    pub live_passages: u64,
    /// Segments of the vector side.
    pub segments: Vec<CommittedSegment>,
    /// Bitmap of the keys that are no longer current.
    pub deletes: Option<FileMeta>,
    /// Which articles NLM's files deleted, and in which file last.
    pub tombstones: Option<CountedFile>,
    /// Records of an older version in a later file than the article's, which
    /// hold when a deletion between the two files comes to light.
    pub fallbacks: Option<CountedFile>,
    /// Records put aside.
    pub quarantine: Vec<FileMeta>,
    /// Source files, in the order in which they were applied.
    pub sources: Vec<AppliedFile>,
    /// By what the findings were made that articles have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recipes: Vec<Recipe>,
}

/// A file of entries in a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedFile {
    /// The file.
    pub file: FileMeta,
    /// Entries in it.
    pub entries: u64,
}

/// A vector segment in a commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommittedSegment {
    /// The segment's files and counts.
    pub meta: SegmentMeta,
    /// Passages of it whose articles are no longer current.
    pub dead_passages: u64,
}

impl CommittedSegment {
    pub(crate) fn new(meta: SegmentMeta) -> Self {
        Self {
            meta,
            dead_passages: 0,
        }
    }

    pub(crate) fn live(&self) -> u64 {
        self.load().passages - self.dead_passages
    }

    pub(crate) fn load(&self) -> SegmentLoad {
        SegmentLoad {
            passages: self.meta.passages as u64,
            dead: self.dead_passages,
        }
    }
}

/// How articles become passages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageMode {
    /// Long articles become several passages; no text is left out.
    #[default]
    On,
    /// One vector an article, its text cut at the encoder's maximum: for
    /// comparison with published figures.
    Off,
}

/// A source file as far as it has been applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedFile {
    /// File name without folders.
    pub name: String,
    /// SHA-256 of the file as it lies on disk, in hexadecimal.
    pub sha256: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Records of the file whose effect is committed.
    pub records: u64,
    /// Whether that is all of them.
    pub complete: bool,
    /// What happened to those records.
    pub ledger: Ledger,
}

impl Commit {
    /// The state of an index that holds nothing yet.
    pub(crate) fn empty(model: ModelFingerprint, location: &str, passages: PassageMode) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            generation: 0,
            committed_at: String::new(),
            model,
            model_location: location.to_owned(),
            passages,
            next_key: 0,
            articles: 0,
            live_passages: 0,
            segments: Vec::new(),
            deletes: None,
            tombstones: None,
            fallbacks: None,
            quarantine: Vec::new(),
            sources: Vec::new(),
            recipes: Vec::new(),
        }
    }

    /// Refuses a payload of another format version; says nothing of one that is
    /// damaged.
    pub(super) fn check_version(payload: &str) -> Result<()> {
        let value: Option<Value> = serde_json::from_str(payload).ok();
        match value.and_then(|value| value["format_version"].as_u64()) {
            Some(version) if version != u64::from(FORMAT_VERSION) => {
                Err(other_format(u32::try_from(version).unwrap_or(u32::MAX)))
            }
            _ => Ok(()),
        }
    }

    /// Reads a payload; another format version is refused before the rest of
    /// it is looked at.
    pub(crate) fn parse(payload: &str) -> Result<Self> {
        let damaged = |what: &dyn std::fmt::Display| {
            Error::new(
                ErrorKind::Corrupt,
                format!(
                    "the index's commit in keyword/meta.json is damaged: {what}; make the index \
                     again"
                ),
            )
        };
        let mut value: Value = serde_json::from_str(payload).map_err(|e| damaged(&e))?;
        let version = value["format_version"].as_u64();
        let version = version.ok_or_else(|| damaged(&"it has no format version"))?;
        if version != u64::from(FORMAT_VERSION) {
            return Err(other_format(u32::try_from(version).unwrap_or(u32::MAX)));
        }
        let recorded = value.as_object_mut().and_then(|all| all.remove(CHECKSUM));
        if recorded.as_ref().and_then(Value::as_str) != Some(&checksum(&value)) {
            return Err(damaged(&"its checksum does not fit"));
        }
        serde_json::from_value(value).map_err(|e| damaged(&e))
    }

    /// The commit as it travels, with a checksum of its own: the file that it
    /// travels in has none.
    pub(crate) fn to_payload(&self) -> Result<String> {
        let mut value = serde_json::to_value(self)
            .map_err(|e| Error::new(ErrorKind::Internal, format!("cannot write a commit: {e}")))?;
        let sum = checksum(&value);
        if let Some(all) = value.as_object_mut() {
            all.insert(CHECKSUM.to_owned(), sum.into());
        }
        Ok(value.to_string())
    }

    /// The ledger of all sources together.
    pub fn ledger(&self) -> Ledger {
        let mut total = Ledger::default();
        for source in &self.sources {
            total += source.ledger;
        }
        total
    }

    /// The recipe with a digest.
    pub fn recipe(&self, digest: &str) -> Option<&Recipe> {
        self.recipes.iter().find(|one| one.digest() == digest)
    }

    /// The newest NLM file, by the number in its name.
    pub fn last_update_file(&self) -> Option<&str> {
        self.sources
            .iter()
            .map(|source| source.name.as_str())
            .filter_map(|name| Some((nlm_number(name)?, name)))
            .max()
            .map(|(_, name)| name)
    }
}

fn other_format(found: u32) -> Error {
    let remedy = if found < FORMAT_VERSION {
        "index the same files again into a new folder and remove the old one; until then the \
         medsift that made it can search it"
    } else {
        "it was made by a newer medsift: use that one"
    };
    Error::new(
        ErrorKind::Incompatible,
        format!(
            "the index has format version {found}, this medsift reads {FORMAT_VERSION}: {remedy}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_format_is_refused_in_words() {
        let error = Commit::parse(r#"{"format_version": 99}"#).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(error.to_string().contains("99"), "{error}");
        let older = Commit::parse(r#"{"format_version": 1}"#).unwrap_err();
        assert_eq!(older.kind(), ErrorKind::Incompatible);
        assert!(older.to_string().contains("into a new folder"), "{older}");
        assert_eq!(Commit::parse("{").unwrap_err().kind(), ErrorKind::Corrupt);
    }
}
