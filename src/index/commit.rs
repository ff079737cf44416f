use super::ledger::Ledger;
use super::merge::SegmentLoad;
use crate::encoder::ModelFingerprint;
use crate::error::{Error, ErrorKind, Result};
use crate::vector::{FileMeta, SegmentMeta};
use serde::{Deserialize, Serialize};

/// Version of the index directory's format that this code reads and writes.
pub const FORMAT_VERSION: u32 = 1;

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
    /// Records put aside.
    pub quarantine: Vec<FileMeta>,
    /// Source files, in the order in which they were applied.
    pub sources: Vec<AppliedFile>,
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
            quarantine: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// Reads a payload; another format version is refused before the rest of
    /// it is looked at.
    pub(crate) fn parse(payload: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            format_version: u32,
        }
        let damaged = |e: serde_json::Error| {
            Error::new(
                ErrorKind::Corrupt,
                format!("the index's commit cannot be read: {e}; make the index again"),
            )
        };
        let Version { format_version } = serde_json::from_str(payload).map_err(damaged)?;
        if format_version != FORMAT_VERSION {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "the index has format version {format_version}, this medsift reads \
                     {FORMAT_VERSION}: use the medsift that made it, or make the index again"
                ),
            ));
        }
        serde_json::from_str(payload).map_err(damaged)
    }

    pub(crate) fn to_payload(&self) -> Result<String> {
        serde_json::to_string(self)
            .map_err(|e| Error::new(ErrorKind::Internal, format!("cannot write a commit: {e}")))
    }

    /// The ledger of all sources together.
    pub fn ledger(&self) -> Ledger {
        let mut total = Ledger::default();
        for source in &self.sources {
            total += source.ledger;
        }
        total
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

/// Year and number of a baseline or update file (`pubmed25n0001.xml.gz`),
/// which say what is newer.
pub fn nlm_number(name: &str) -> Option<(u32, u32)> {
    let rest = name
        .strip_prefix("pubmed")
        .or_else(|| name.strip_prefix("medline"))?;
    let (year, rest) = rest.split_once('n')?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let two_digits = year.len() == 2 && digits > 0;
    two_digits.then_some(())?;
    Some((year.parse().ok()?, rest[..digits].parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nlm_names_are_ordered_by_year_and_number() {
        assert_eq!(nlm_number("pubmed25n1300.xml.gz"), Some((25, 1300)));
        assert_eq!(nlm_number("medline16n0902.xml"), Some((16, 902)));
        for other in [
            "pubmed_result.xml",
            "corpus.jsonl",
            "pubmed25n.xml",
            "pubmed",
        ] {
            assert_eq!(nlm_number(other), None, "{other}");
        }
    }

    #[test]
    fn another_format_is_refused_in_words() {
        let error = Commit::parse(r#"{"format_version": 99}"#).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Incompatible);
        assert!(error.to_string().contains("99"), "{error}");
        assert_eq!(Commit::parse("{").unwrap_err().kind(), ErrorKind::Corrupt);
    }
}
