//! Retrieval quality on NFCorpus and SciFact with all-MiniLM-L6-v2: the
//! published figures of the dense side, and the bars of the whole.
//!
//! The test queries are scored here only; settings were chosen on other
//! queries (`docs/performance.md`).

use medsift::encoder::{Encoder, EncoderOptions};
use medsift::eval::beir::BeirFolder;
use medsift::eval::{RetrievalScores, Run};
use medsift::index::{Index, PassageMode};
use medsift::query::{Mode, Query, QueryDefaults, QueryRequest, Syntax};
use medsift::searcher::{SearchSettings, Searcher};
use medsift::vector::Strategy;
use medsift_indexer::pipeline::{self, IndexJob, IndexSettings, Silent};
use medsift_tests::real_data;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// Published values of the dense side are met this closely.
const TOLERANCE: f64 = 0.003;

struct Corpus {
    folder: BeirFolder,
    searcher: Arc<Searcher>,
    encoder: Arc<Encoder>,
    _dir: TempDir,
}

impl Corpus {
    fn index(test: &str, name: &str, passages: PassageMode) -> Option<Self> {
        let folder = BeirFolder::open(&real_data(test)?.join("retrieval").join(name)).unwrap();
        let model = PathBuf::from(std::env::var_os("MEDSIFT_MINILM").expect("MEDSIFT_MINILM"));
        let encoder = Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap());
        let dir = TempDir::new().unwrap();
        let mut settings = IndexSettings::default();
        settings.writer.graph.graph_from = 1000;
        settings.commit_articles = 1_000_000;
        settings.commit_seconds = 1_000_000;
        let job = IndexJob {
            index_dir: dir.path().to_owned(),
            inputs: vec![folder.corpus().unwrap()],
            encoder: Arc::clone(&encoder),
            model_location: "minilm".to_owned(),
            passages,
            replace: false,
            reencode: false,
            settings,
        };
        let report = pipeline::run(&job, &Silent).unwrap();
        assert!(report.is_clean() && report.total.balances(), "{report:?}");
        let settings = SearchSettings::default();
        let index = Index::open(dir.path(), Some(Arc::clone(&encoder)), settings).unwrap();
        Some(Self {
            folder,
            searcher: index.searcher().unwrap(),
            encoder,
            _dir: dir,
        })
    }

    fn ndcg(&self, mode: Mode, exact: bool) -> f64 {
        let (queries, qrels) = self.folder.split("test").unwrap();
        let mut run = Run::default();
        for (id, text) in &queries {
            let request = QueryRequest {
                query: text.clone(),
                syntax: Syntax::Plain,
                mode: Some(mode),
                exact,
                ..QueryRequest::default()
            };
            let query = Query::new(request, &QueryDefaults::default()).unwrap();
            let ranked = self.searcher.rank(&query).unwrap();
            let documents = ranked
                .into_iter()
                .map(|(id, score)| (id.to_string(), f64::from(score)));
            run.insert(id, documents.collect());
        }
        RetrievalScores::of(&run, &qrels).ndcg_at_10
    }

    /// Share of the exact ten nearest articles that the graph finds.
    fn graph_recall(&self) -> f64 {
        let vectors = self.searcher.vectors();
        assert!(
            vectors
                .segments()
                .iter()
                .any(|segment| segment.meta().graph)
        );
        let (queries, _) = self.folder.split("test").unwrap();
        let (mut found, mut wanted) = (0, 0);
        for text in queries.values() {
            let query = self.encoder.encode_query(text).unwrap();
            let ef = self.searcher.settings().ef_search;
            let search = |strategy| vectors.search(&query, 10, ef, strategy, None).unwrap();
            let (exact, graph) = (search(Strategy::Exact), search(Strategy::Graph));
            wanted += exact.len();
            found += exact
                .iter()
                .filter(|hit| graph.iter().any(|other| other.key == hit.key))
                .count();
        }
        found as f64 / wanted as f64
    }
}

fn near(what: &str, measured: f64, published: f64) {
    assert!(
        (measured - published).abs() <= TOLERANCE,
        "{what}: {measured:.4}, published {published}"
    );
}

fn at_least(what: &str, measured: f64, bar: f64) {
    assert!(measured >= bar, "{what}: {measured:.4} is below {bar}");
}

#[test]
#[cfg_attr(
    any(no_real_data, no_minilm),
    ignore = "needs MEDSIFT_DATA and MEDSIFT_MINILM"
)]
fn nfcorpus() {
    let Some(whole) = Corpus::index("nfcorpus", "nfcorpus", PassageMode::Off) else {
        return;
    };
    let semantic = whole.ndcg(Mode::Semantic, true);
    near("NFCorpus, semantic, exact", semantic, 0.3159);
    at_least("NFCorpus, keyword", whole.ndcg(Mode::Keyword, false), 0.32);
    at_least("NFCorpus, hybrid", whole.ndcg(Mode::Hybrid, false), 0.354);
    at_least("NFCorpus, graph recall@10", whole.graph_recall(), 0.98);
}

/// Long: it encodes all of NFCorpus twice, in two vectors an article the second
/// time. `--ignored` runs it.
#[test]
#[ignore = "long: encodes 11,000 passages"]
fn nfcorpus_passages() {
    let Some(whole) = Corpus::index("nfcorpus_passages", "nfcorpus", PassageMode::Off) else {
        return;
    };
    let semantic = whole.ndcg(Mode::Semantic, true);
    let Some(passages) = Corpus::index("nfcorpus_passages", "nfcorpus", PassageMode::On) else {
        return;
    };
    let with_passages = passages.ndcg(Mode::Semantic, true);
    at_least("NFCorpus, semantic with passages", with_passages, semantic);
    at_least(
        "NFCorpus, hybrid with passages",
        passages.ndcg(Mode::Hybrid, false),
        0.354,
    );
}

#[test]
#[cfg_attr(
    any(no_real_data, no_minilm),
    ignore = "needs MEDSIFT_DATA and MEDSIFT_MINILM"
)]
fn scifact() {
    let Some(whole) = Corpus::index("scifact", "scifact", PassageMode::Off) else {
        return;
    };
    near(
        "SciFact, semantic, exact",
        whole.ndcg(Mode::Semantic, true),
        0.6451,
    );
    at_least("SciFact, keyword", whole.ndcg(Mode::Keyword, false), 0.67);
    at_least("SciFact, hybrid", whole.ndcg(Mode::Hybrid, false), 0.730);
    at_least("SciFact, graph recall@10", whole.graph_recall(), 0.98);
}
