//! Quality and speed of the keyword side on real data.
//!
//! The ranking's constants were chosen on the NFCorpus development and the
//! SciFact training queries; the bars below are held on the test queries,
//! which nothing was chosen by.

use flate2::read::MultiGzDecoder;
use medsift::ArticleKey;
use medsift::article::{Article, ArticleId, Section};
use medsift::keyword::{KeywordIndex, KeywordSnapshot, KeywordWriter};
use medsift::query::Filter;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A retrieval set in the BEIR layout, or `None` where the data are absent.
fn data_set(test: &str, name: &str) -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let root = std::env::var_os("MEDSIFT_DATA").map_or(default, PathBuf::from);
    let dir = root.join("retrieval").join(name);
    if dir.is_dir() {
        return Some(dir);
    }
    assert!(
        std::env::var_os("CI").is_none_or(|value| value != "true"),
        "{test}: {} is absent, but CI=true",
        dir.display()
    );
    report(&format!("{test}: ignored, {} is absent", dir.display()));
    None
}

#[allow(clippy::print_stderr)]
fn report(line: &str) {
    eprintln!("{line}");
}

fn lines(path: &Path) -> impl Iterator<Item = String> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader: Box<dyn std::io::Read> = if path.extension().is_some_and(|end| end == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    BufReader::new(reader)
        .lines()
        .map(|line| line.expect("a line of text"))
}

fn records(path: &Path) -> impl Iterator<Item = serde_json::Value> {
    lines(path).map(|line| serde_json::from_str(&line).expect("a line of JSON"))
}

fn text_of<'v>(record: &'v serde_json::Value, field: &str) -> &'v str {
    record[field].as_str().unwrap_or_default()
}

/// Ids by key, and an open index of a set's documents.
struct Corpus {
    _dir: tempfile::TempDir,
    ids: Vec<String>,
    snapshot: KeywordSnapshot,
    indexing: Duration,
}

fn index(set: &Path) -> Corpus {
    let dir = tempfile::TempDir::new().expect("a temporary folder");
    let started = Instant::now();
    let mut writer = KeywordWriter::open(dir.path(), 64_000_000, 2).expect("a writer");
    let mut ids = Vec::new();
    for record in records(&set.join("corpus.jsonl.gz")) {
        let id = text_of(&record, "_id");
        let mut article = Article::new(ArticleId::new(id).expect("an id"));
        article.title = text_of(&record, "title").into();
        article.abstract_sections.push(Section {
            text: text_of(&record, "text").into(),
            ..Section::default()
        });
        writer
            .add(ArticleKey(ids.len() as u32), &article, b"")
            .expect("added");
        ids.push(id.to_owned());
    }
    writer.commit("").expect("committed");
    writer.close().expect("closed");
    let snapshot = KeywordIndex::open(dir.path())
        .and_then(|index| index.snapshot())
        .expect("a snapshot");
    let indexing = started.elapsed();
    Corpus {
        _dir: dir,
        ids,
        snapshot,
        indexing,
    }
}

/// Judgements by query.
fn judgements(set: &Path, split: &str) -> HashMap<String, HashMap<String, f64>> {
    let mut judgements: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for line in lines(&set.join("qrels").join(format!("{split}.tsv"))).skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let grade = fields[2].parse().expect("a grade");
        let of_query = judgements.entry(fields[0].to_owned()).or_default();
        of_query.insert(fields[1].to_owned(), grade);
    }
    judgements
}

/// Discounted gain of grades in rank order, as trec_eval computes it.
fn gain(grades: impl Iterator<Item = f64>) -> f64 {
    let discounted = grades
        .take(10)
        .zip(2..)
        .map(|(grade, rank)| grade / f64::from(rank).log2());
    discounted.sum()
}

/// Mean nDCG@10 and recall@100 over the judged queries of a split.
fn quality(corpus: &Corpus, set: &Path, split: &str) -> (f64, f64) {
    let judgements = judgements(set, split);
    let (mut ndcg, mut recall, mut queries) = (0.0, 0.0, 0.0);
    for query in records(&set.join("queries.jsonl")) {
        let Some(grades) = judgements.get(text_of(&query, "_id")) else {
            continue;
        };
        let matches = corpus
            .snapshot
            .search(text_of(&query, "text"), &Filter::default(), 100)
            .expect("matches");
        let grade = |key: &ArticleKey| grades.get(&corpus.ids[key.0 as usize]).copied();
        let found = matches
            .hits
            .iter()
            .map(|(key, _)| grade(key).unwrap_or(0.0));
        let mut ideal: Vec<f64> = grades
            .values()
            .copied()
            .filter(|grade| *grade > 0.0)
            .collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let relevant = found.clone().filter(|grade| *grade > 0.0).count();
        recall += relevant as f64 / ideal.len() as f64;
        ndcg += gain(found) / gain(ideal.into_iter());
        queries += 1.0;
    }
    (ndcg / queries, recall / queries)
}

fn hold_the_bar(test: &str, name: &str, bar: f64) {
    let Some(set) = data_set(test, name) else {
        return;
    };
    let corpus = index(&set);
    let (ndcg, recall) = quality(&corpus, &set, "test");
    report(&format!(
        "{test}: nDCG@10 {ndcg:.4}, recall@100 {recall:.4}"
    ));
    assert!(ndcg >= bar, "nDCG@10 is {ndcg:.4}, below {bar}");
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn nfcorpus_reaches_its_bar() {
    hold_the_bar("nfcorpus_reaches_its_bar", "nfcorpus", 0.32);
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn scifact_reaches_its_bar() {
    hold_the_bar("scifact_reaches_its_bar", "scifact", 0.67);
}

/// Every document is found by its own title, among the first where it is not
/// one of several with that title.
#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn titles_find_their_articles() {
    let test = "titles_find_their_articles";
    let Some(set) = data_set(test, "cohen2006-drug-reviews") else {
        return;
    };
    let corpus = index(&set);
    report(&format!(
        "{test}: {} articles indexed in {:.1} s, {} bytes an article",
        corpus.ids.len(),
        corpus.indexing.as_secs_f64(),
        corpus.snapshot.disk_bytes().expect("a size") / corpus.ids.len() as u64,
    ));
    let mut times = Vec::new();
    let mut first = 0;
    let mut asked = 0;
    for (record, key) in records(&set.join("corpus.jsonl.gz")).zip(0..).step_by(37) {
        let title = text_of(&record, "title");
        if title.split_whitespace().count() < 4 {
            continue;
        }
        let started = Instant::now();
        let matches = corpus
            .snapshot
            .search(title, &Filter::default(), 1000)
            .expect("matches");
        times.push(started.elapsed());
        let rank = matches
            .hits
            .iter()
            .position(|(hit, _)| *hit == ArticleKey(key));
        assert!(rank.is_some(), "{title:?} does not find its article");
        first += usize::from(rank.is_some_and(|rank| rank < 10));
        asked += 1;
    }
    times.sort();
    report(&format!(
        "{test}: top 1000 of {} articles, titles as queries: p50 {:?}, p95 {:?}",
        corpus.ids.len(),
        times[times.len() / 2],
        times[times.len() * 95 / 100],
    ));
    assert!(
        first * 100 >= asked * 97,
        "{first} of {asked} titles are in the first ten"
    );
}
