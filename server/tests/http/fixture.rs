//! A small index of made-up articles, embedded by a tiny model with random
//! weights: enough for every mode, too little for good answers.

use crate::client::Server;
use medsift::ArticleId;
use medsift::article::{Article, MeshTerm, OtherId, PubDate, Section};
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::index::{Index, IndexWriter, Origin, PassageMode, WriterSettings};
use medsift::passage::split_passages;
use medsift::searcher::SearchSettings;
use medsift_server::ServerConfig;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// A server over [`index`] with the default configuration.
pub(crate) fn server() -> Server {
    Server::start(index(), ServerConfig::default())
}

/// The index, made once for all tests.
pub(crate) fn index() -> Arc<Index> {
    static INDEX: LazyLock<Arc<Index>> = LazyLock::new(|| Arc::new(build()));
    Arc::clone(&INDEX)
}

/// The same, opened as where the model cannot be had.
pub(crate) fn index_without_model() -> Arc<Index> {
    drop(index());
    Arc::new(Index::open(&folder(), None, SearchSettings::default()).unwrap())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("server-index")
}

/// The tiny model.
pub(crate) fn encoder() -> Arc<Encoder> {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/models/bert-mean");
    Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap())
}

fn build() -> Index {
    let encoder = encoder();
    // Nothing of an earlier run; this run's is left for the next to remove.
    let folder = folder();
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => panic!("{error}"),
        _ => {}
    }
    commit(&folder, &encoder, "sample.xml", articles());
    Index::open(&folder, Some(encoder), SearchSettings::default()).unwrap()
}

/// Puts articles of a source into the index in a folder, in one commit.
pub(crate) fn commit(folder: &Path, encoder: &Encoder, source: &str, articles: Vec<Article>) {
    commit_with(folder, encoder, source, articles, true);
}

/// The same; without vectors where nothing is searched by meaning, since making
/// them takes the longest.
pub(crate) fn commit_with(
    folder: &Path,
    encoder: &Encoder,
    source: &str,
    articles: Vec<Article>,
    vectors: bool,
) {
    let fingerprint = encoder.fingerprint();
    let settings = WriterSettings::default();
    let mut writer =
        IndexWriter::open(folder, fingerprint, "bert-mean", PassageMode::On, settings).unwrap();
    for article in articles {
        let passages = match vectors {
            true => split_passages(&article, encoder).unwrap(),
            false => Vec::new(),
        };
        let texts: Vec<&str> = passages
            .iter()
            .map(|passage| passage.text.as_str())
            .collect();
        let vectors = encoder.encode_passages(&texts).unwrap();
        let (_, stored) = writer.classify(article, &Origin::full(source)).unwrap();
        writer.put(stored, &passages, vectors.values()).unwrap();
    }
    writer.commit().unwrap();
    writer.close().unwrap();
}

/// What the index holds.
pub(crate) fn articles() -> Vec<Article> {
    let mut trial = article("99000001", "Statins and muscle pain: a made-up trial", 2021);
    trial.abstract_sections = vec![
        section(Some("METHODS"), "We gave statins or placebo to 120 people."),
        section(
            Some("RESULTS"),
            "Muscle pain was as frequent under statins as under placebo.",
        ),
    ];
    trial.other_ids = vec![OtherId {
        kind: "doi".into(),
        value: "10.5555/sample.1".into(),
        valid: true,
    }];
    let mut review = article("99000002", "What statins do in old age", 2018);
    review.publication_types.push(MeshTerm {
        name: "Review".into(),
        ui: None,
    });
    let mut retracted = article("99000003", "Statins cure everything", 2010);
    retracted.publication_types.push(MeshTerm {
        name: "Retracted Publication".into(),
        ui: None,
    });
    const EVIL: &str = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'& script";
    let mut hostile = article("a/b:c<script>", EVIL, 2020);
    hostile.abstract_sections = vec![section(Some(EVIL), EVIL)];
    hostile.other_ids = vec![OtherId {
        kind: "doi".into(),
        value: format!("\"><script>{EVIL}"),
        valid: true,
    }];
    vec![trial, review, retracted, hostile]
}

/// An article with no more than these.
pub(crate) fn article(id: &str, title: &str, year: i32) -> Article {
    let mut article = Article::new(ArticleId::new(id).unwrap());
    article.title = title.into();
    article.languages = vec!["eng".into()];
    article.published = Some(PubDate::calendar(year, None, None).unwrap());
    article
}

fn section(label: Option<&str>, text: &str) -> Section {
    Section {
        label: label.map(Into::into),
        category: None,
        text: text.into(),
    }
}
