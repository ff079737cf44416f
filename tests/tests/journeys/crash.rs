//! A process that is killed at any instant leaves the last committed state,
//! whole: the index opens, verifies, and holds precisely the effect of the
//! first records of its source, however many.

use medsift::index::{Index, verify};
use medsift::searcher::SearchSettings;
use medsift::{ArticleId, ErrorKind};
use medsift_tests::{Medsift, Workspace, tiny_model};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

/// Kills to be survived.
const KILLS: usize = 50;
/// Named as NLM names its files, so that its deletions are remembered.
const SOURCE: &str = "pubmed25n0001.xml";
/// Records of the source.
const RECORDS: u32 = 20_000;
/// Distinct articles: later records replace and delete earlier ones.
const IDS: u32 = 7_000;

/// What the record at a place does.
enum Effect {
    Put { id: u32, title: String },
    Delete { id: u32 },
}

fn effect(place: u32) -> Effect {
    let id = 990_000_000 + place.wrapping_mul(2_654_435_761) % IDS;
    if place % 9 == 8 {
        return Effect::Delete { id };
    }
    Effect::Put {
        id,
        title: format!("State {place} of article {id}"),
    }
}

fn source() -> String {
    let mut xml = String::from("<PubmedArticleSet>\n");
    for place in 0..RECORDS {
        match effect(place) {
            Effect::Put { id, title } => writeln!(
                xml,
                "<PubmedArticle><MedlineCitation Status=\"MEDLINE\" Owner=\"NLM\">\
                 <PMID Version=\"1\">{id}</PMID><Article PubModel=\"Print\">\
                 <ArticleTitle>{title}</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
            ),
            Effect::Delete { id } => writeln!(
                xml,
                "<DeleteCitation><PMID Version=\"1\">{id}</PMID></DeleteCitation>"
            ),
        }
        .expect("a string grows");
    }
    xml.push_str("</PubmedArticleSet>\n");
    xml
}

fn prefix(records: u64) -> BTreeMap<u32, String> {
    let mut articles = BTreeMap::new();
    for place in 0..u32::try_from(records).expect("few records") {
        match effect(place) {
            Effect::Put { id, title } => {
                articles.insert(id, title);
            }
            Effect::Delete { id } => {
                articles.remove(&id);
            }
        }
    }
    articles
}

/// Articles that the first records delete, be it for a while.
fn deleted(records: u64) -> u64 {
    let places = 0..u32::try_from(records).expect("few records");
    let ids: BTreeSet<u32> = places
        .filter_map(|place| match effect(place) {
            Effect::Delete { id } => Some(id),
            Effect::Put { .. } => None,
        })
        .collect();
    ids.len() as u64
}

fn command(work: &Workspace) -> Medsift {
    work.medsift(["index", SOURCE, "--quiet", "--model"])
        .arg(tiny_model())
        .env("MEDSIFT_INDEX_BATCH_ARTICLES", "16")
        .env("MEDSIFT_INDEX_COMMIT_ARTICLES", "48")
        .env("MEDSIFT_INDEX_WRITER_MERGE_FACTOR", "3")
        .env("MEDSIFT_INDEX_WRITER_GRAPH_GRAPH_FROM", "100")
}

/// Checks the index and says how many records it has applied.
fn assert_whole(work: &Workspace) -> u64 {
    let dir = work.join("idx");
    let report = verify(&dir).expect("the index opens");
    assert_eq!(report.faults, Vec::<String>::new());
    let index = Index::open(&dir, None, SearchSettings::default()).expect("the index opens");
    let searcher = index.searcher().expect("a snapshot");
    let applied = searcher.commit().sources.first();
    let records = applied.map_or(0, |source| source.records);
    let expected = prefix(records);
    assert_eq!(
        report.articles,
        expected.len() as u64,
        "after {records} records"
    );
    assert_eq!(
        report.passages,
        expected.len() as u64,
        "a passage for each title"
    );
    let stats = searcher.stats().expect("figures");
    assert_eq!(
        stats.tombstones,
        deleted(records),
        "after {records} records"
    );
    for (id, title) in &expected {
        let id = ArticleId::new(&id.to_string()).expect("an id");
        let stored = searcher.article(&id).expect("readable");
        let found = stored.map(|stored| stored.article.title.plain);
        assert_eq!(found.as_ref(), Some(title), "after {records} records");
    }
    records
}

/// Time until a first commit, which differs a hundredfold between machines.
fn pace() -> Duration {
    let work = Workspace::new();
    work.write(SOURCE, source());
    let began = Instant::now();
    let running = command(&work).start();
    let committed = || {
        std::fs::read_to_string(work.join("idx/keyword/meta.json"))
            .is_ok_and(|meta| meta.contains(SOURCE))
    };
    while !committed() {
        assert!(began.elapsed() < Duration::from_secs(120), "no commit");
        thread::sleep(Duration::from_millis(5));
    }
    running.signal("KILL");
    running.wait();
    began.elapsed()
}

/// Time until the next kill: spread over start, work, commits and merges, the
/// same parts of the pace in every run of the test.
fn delay(kill: usize, pace: Duration) -> Duration {
    let spread = (kill as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    pace.mul_f64(0.1 + (spread % 480) as f64 / 160.0)
}

#[test]
fn fifty_kills_leave_a_committed_prefix_each_time() {
    let pace = pace();
    let mut work = Workspace::new();
    work.write(SOURCE, source());
    let (mut kills, mut before, mut advances) = (0, 0, 0);
    while kills < KILLS {
        let running = command(&work).start();
        thread::sleep(delay(kills, pace));
        running.signal("KILL");
        let finished = running.wait();
        if finished.code.is_some() {
            // It was done before the blow: the next kills get a fresh index.
            finished.expect(0);
            work = Workspace::new();
            work.write(SOURCE, source());
            before = 0;
            continue;
        }
        kills += 1;
        let begun = Index::recorded_model(&work.join("idx"));
        if begun.is_err_and(|error| error.kind() == ErrorKind::NotFound) && before == 0 {
            continue;
        }
        let after = assert_whole(&work);
        assert!(after >= before, "{after} records after {before}");
        advances += usize::from(after > before);
        before = after;
    }
    assert!(
        advances >= 10,
        "only {advances} of {KILLS} runs committed anything"
    );
    command(&work).run().expect(0);
    assert_eq!(assert_whole(&work), u64::from(RECORDS));
}
