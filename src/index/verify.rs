use super::commit::Commit;
use super::enrichment::StoredFindings;
use super::files::{read_deletes, read_file};
use super::layout::Layout;
use super::open::{open_keyword, read_commit, require};
use super::provenance::Provenance;
use super::stored::StoredArticle;
use crate::enrich::texts_of;
use crate::error::{ErrorKind, Result};
use crate::key::ArticleKey;
use crate::keyword::{KeywordSnapshot, damaged_files};
use crate::passage::whole_article;
use crate::vector::Segment;
use roaring::RoaringBitmap;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What a check of an index found.
#[derive(Debug, Clone, Default, Serialize)]
pub struct VerifyReport {
    /// Articles whose content was read.
    pub articles: u64,
    /// Live passages counted.
    pub passages: u64,
    /// Bytes whose checksum was computed.
    pub bytes: u64,
    /// What is wrong; empty when the index is sound.
    pub faults: Vec<String>,
}

/// Faults of one kind that are listed; more of them say nothing new.
const FAULTS_OF_A_KIND: usize = 10;

/// What the keyword side holds.
#[derive(Default)]
struct Live {
    keys: RoaringBitmap,
    /// Keys of the articles that have something to embed.
    with_text: RoaringBitmap,
}

/// Checks every file against its checksum, every article against its key, and
/// the counts of both sides against the commit.
///
/// # Errors
///
/// When there is no index to check, or its commit cannot be read at all;
/// everything else that is wrong is listed in the report.
pub fn verify(dir: &Path) -> Result<VerifyReport> {
    loop {
        let (generation, report) = match verify_once(dir) {
            Ok(verified) => verified,
            // There is an index, but its keyword side does not open.
            Err(e) if Layout::new(dir).exists() && e.kind() != ErrorKind::Incompatible => {
                return Ok(VerifyReport {
                    faults: vec![e.to_string()],
                    ..VerifyReport::default()
                });
            }
            Err(e) => return Err(e),
        };
        // A writer at work removes what its new commit no longer names; what
        // was missing then is no damage.
        match generation {
            _ if report.is_sound() => return Ok(report),
            Some(generation) if generation == current_generation(dir)? => return Ok(report),
            // Files that a writer has removed since are missing, not damaged.
            None if still_damaged(dir, &report)? => return Ok(report),
            _ => {}
        }
    }
}

fn still_damaged(dir: &Path, report: &VerifyReport) -> Result<bool> {
    let damaged = damaged_files(&Layout::new(dir).keyword())?;
    Ok(!damaged.is_empty() && damaged_keyword(damaged).faults == report.faults)
}

fn current_generation(dir: &Path) -> Result<u64> {
    let snapshot = open_keyword(&Layout::new(dir))?.snapshot()?;
    Ok(read_commit(&snapshot, dir)?.generation)
}

/// The report, and of which generation it is; of none where the keyword side
/// is damaged.
fn verify_once(dir: &Path) -> Result<(Option<u64>, VerifyReport)> {
    let layout = Layout::new(dir);
    require(dir)?;
    let damaged = damaged_files(&layout.keyword())?;
    if !damaged.is_empty() {
        return Ok((None, damaged_keyword(damaged)));
    }
    let snapshot = open_keyword(&layout)?.snapshot()?;
    let commit = read_commit(&snapshot, dir)?;
    let mut report = VerifyReport::default();
    let live = check_articles(&snapshot, &commit, &mut report)?;
    check_vectors(&layout, &commit, &live, &mut report);
    check_provenance(&layout, &snapshot, &commit, &mut report)?;
    for file in &commit.quarantine {
        match read_file(&layout.quarantine(), file) {
            Ok(bytes) => report.bytes += bytes.len() as u64,
            Err(e) => report.faults.push(e.to_string()),
        }
    }
    for source in commit.sources.iter().filter(|s| !s.ledger.balances()) {
        report
            .faults
            .push(format!("the ledger of {} does not add up", source.name));
    }
    Ok((Some(commit.generation), report))
}

/// What is damaged is not read: no more can be said of the index.
fn damaged_keyword(files: Vec<PathBuf>) -> VerifyReport {
    let mut faults: Vec<String> = files
        .iter()
        .map(|path| format!("keyword/{} is damaged", path.display()))
        .collect();
    faults.push("the rest was not checked, since damaged files are not read".to_owned());
    VerifyReport {
        faults,
        ..VerifyReport::default()
    }
}

fn check_articles(
    snapshot: &KeywordSnapshot,
    commit: &Commit,
    report: &mut VerifyReport,
) -> Result<Live> {
    let mut live = Live::default();
    for (key, id) in snapshot.keys_and_ids()? {
        report.articles += 1;
        if !live.keys.insert(key.0) {
            report
                .faults
                .push(format!("two articles have key {}", key.0));
        }
        if key.0 >= commit.next_key {
            report
                .faults
                .push(format!("article {id} has a key that was never given"));
        }
        match snapshot.stored_by_key(key) {
            Ok(Some(bytes)) => match StoredArticle::parse(&bytes) {
                Ok(stored) if stored.article.id == id => {
                    report.bytes += bytes.len() as u64;
                    if !whole_article(&stored.article).is_empty() {
                        live.with_text.insert(key.0);
                    }
                    check_findings(snapshot, commit, key, &stored, report);
                }
                Ok(stored) => report.faults.push(format!(
                    "the content under {id} is that of {}",
                    stored.article.id
                )),
                Err(e) => report.faults.push(format!("article {id}: {e}")),
            },
            Ok(None) => report.faults.push(format!("article {id} has no content")),
            Err(e) => report.faults.push(format!("article {id}: {e}")),
        }
    }
    if report.articles != commit.articles {
        report.faults.push(format!(
            "the keyword side holds {} articles, the commit says {}",
            report.articles, commit.articles
        ));
    }
    Ok(live)
}

/// Checks that findings are of this article, and by a recipe that is known.
fn check_findings(
    snapshot: &KeywordSnapshot,
    commit: &Commit,
    key: ArticleKey,
    stored: &StoredArticle,
    report: &mut VerifyReport,
) {
    let id = &stored.article.id;
    let found = match snapshot.findings_by_key(key) {
        Ok(None) => return,
        Ok(Some(bytes)) => {
            report.bytes += bytes.len() as u64;
            StoredFindings::parse(&bytes)
        }
        Err(e) => Err(e),
    };
    match found {
        Err(e) => report.faults.push(format!("article {id}: {e}")),
        Ok(found) if commit.recipe(&found.recipe).is_none() => report.faults.push(format!(
            "the findings of article {id} were made by {}, which the commit does not know",
            found.recipe
        )),
        Ok(found) => {
            let [title, text] = texts_of(&stored.article);
            let entities = &found.found.entities;
            for (text, entities) in [(title, &entities.title), (text, &entities.text)] {
                if let Some(wrong) = entities.iter().find(|one| !one.stands_in(&text)) {
                    report.faults.push(format!(
                        "the entity `{}` of article {id} does not stand where it says",
                        wrong.text
                    ));
                }
            }
        }
    }
}

fn check_vectors(layout: &Layout, commit: &Commit, live: &Live, report: &mut VerifyReport) {
    let deleted = match read_deletes(&layout.deletes(), commit.deletes.as_ref()) {
        Ok(deleted) => deleted,
        Err(e) => {
            report.faults.push(e.to_string());
            return;
        }
    };
    let mut embedded = RoaringBitmap::new();
    for committed in &commit.segments {
        let name = &committed.meta.name;
        let segment = Segment::open(&layout.vectors(), &committed.meta)
            .and_then(|segment| segment.verify().map(|()| segment));
        let segment = match segment {
            Ok(segment) => segment,
            Err(e) => {
                report.faults.push(e.to_string());
                continue;
            }
        };
        report.bytes += committed
            .meta
            .files
            .iter()
            .map(|file| file.bytes)
            .sum::<u64>();
        let dead = segment.dead_passages(&deleted);
        if dead != committed.dead_passages {
            report.faults.push(format!(
                "segment {name} has {dead} dead passages, the commit says {}",
                committed.dead_passages
            ));
        }
        report.passages += u64::from(segment.meta().passages) - dead;
        embedded |= segment.keys();
    }
    embedded -= &deleted;
    for (keys, what) in [
        (&embedded - &live.keys, "is on the vector side only"),
        (&live.with_text - &embedded, "has text and no vector"),
        (
            &live.keys & &deleted,
            "is on the keyword side though deleted",
        ),
    ] {
        for key in keys.iter().take(FAULTS_OF_A_KIND) {
            report.faults.push(format!("key {key} {what}"));
        }
    }
    if report.passages != commit.live_passages {
        report.faults.push(format!(
            "the vector side holds {} passages, the commit says {}",
            report.passages, commit.live_passages
        ));
    }
}

/// Checks what is remembered of deletions and of the order of files.
fn check_provenance(
    layout: &Layout,
    snapshot: &KeywordSnapshot,
    commit: &Commit,
    report: &mut VerifyReport,
) -> Result<()> {
    let provenance = match Provenance::open(layout, commit) {
        Ok(provenance) => provenance,
        Err(e) => {
            report.faults.push(e.to_string());
            return Ok(());
        }
    };
    for (counted, found, what) in [
        (
            &commit.tombstones,
            provenance.tombstones.len(),
            "deletions are remembered",
        ),
        (
            &commit.fallbacks,
            provenance.fallbacks.len(),
            "records are kept aside",
        ),
    ] {
        let recorded = counted.as_ref().map_or(0, |counted| counted.entries);
        report.bytes += counted.as_ref().map_or(0, |counted| counted.file.bytes);
        if found != recorded {
            report
                .faults
                .push(format!("{found} {what}, the commit says {recorded}"));
        }
    }
    for (id, _) in provenance.fallbacks.iter() {
        if snapshot.key_of(id)?.is_none() {
            report.faults.push(format!(
                "a record of {id} is kept aside, though there is no such article"
            ));
        }
    }
    Ok(())
}

impl VerifyReport {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}
