//! Queries of PubMed's language through both sides.

mod deadline;
mod findings;
mod lists;
mod pmids;

use super::*;
use crate::article::{Article, MeshHeading, MeshTerm, PubDate, Section};
use crate::encoder::EncoderOptions;
use crate::enrich::EnrichSettings;
use crate::index::{Index, IndexWriter, Origin, PassageMode, WriterSettings};
use crate::passage::split_passages;
use crate::query::{Enrichment, QueryRequest, Syntax};
use tempfile::TempDir;

fn articles() -> Vec<Article> {
    vec![
        article("1", "Statins and muscle pain", "D063806", "Myalgia", 2015),
        article("2", "Statins in old age", "D000368", "Aged", 2011),
        article(
            "3",
            "Muscle pain after exercise",
            "D063806",
            "Myalgia",
            2019,
        ),
    ]
}

fn article(id: &str, title: &str, ui: &str, heading: &str, year: i32) -> Article {
    let mut article = Article::new(ArticleId::new(id).unwrap());
    article.title = title.into();
    article.published = Some(PubDate::calendar(year, None, None).unwrap());
    article.abstract_sections.push(Section {
        text: "People were asked about it.".into(),
        ..Section::default()
    });
    article.mesh.push(MeshHeading {
        descriptor: MeshTerm {
            name: heading.into(),
            ui: Some(ui.into()),
        },
        ..MeshHeading::default()
    });
    article
}

fn encoder() -> Arc<Encoder> {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models/bert-mean");
    Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap())
}

/// Adds articles in a commit of their own.
fn add(dir: &Path, articles: &[Article]) {
    let encoder = encoder();
    let fingerprint = encoder.fingerprint();
    let settings = WriterSettings::default();
    let mut writer = IndexWriter::open(dir, fingerprint, "m", PassageMode::On, settings).unwrap();
    for article in articles {
        let passages = split_passages(article, &encoder).unwrap();
        let texts: Vec<&str> = passages.iter().map(|part| part.text.as_str()).collect();
        let vectors = encoder.encode_passages(&texts).unwrap();
        let (_, stored) = writer
            .classify(article.clone(), &Origin::full("made-up"))
            .unwrap();
        writer.put(stored, &passages, vectors.values()).unwrap();
    }
    writer.commit().unwrap();
    writer.close().unwrap();
}

fn remove(dir: &Path, ids: &[&str]) {
    let encoder = encoder();
    let fingerprint = encoder.fingerprint();
    let settings = WriterSettings::default();
    let mut writer = IndexWriter::open(dir, fingerprint, "m", PassageMode::On, settings).unwrap();
    for id in ids {
        writer
            .delete(&ArticleId::new(id).unwrap(), "made-up")
            .unwrap();
    }
    writer.commit().unwrap();
    writer.close().unwrap();
}

/// An index with a model of random weights, and MeSH where it is wanted.
fn index(mesh: Option<MeshTable>) -> (TempDir, Index) {
    index_with(Extras {
        mesh: mesh.map(Arc::new),
        ..Extras::default()
    })
}

fn index_with(extras: Extras) -> (TempDir, Index) {
    let dir = TempDir::new().unwrap();
    add(dir.path(), &articles());
    let settings = SearchSettings::default();
    let index = Index::open_with(dir.path(), Some(encoder()), extras, settings);
    (dir, index.unwrap())
}

fn search(index: &Index, query: &str, mode: Mode) -> Result<SearchResponse> {
    let request = QueryRequest {
        query: query.to_owned(),
        mode: Some(mode),
        ..QueryRequest::default()
    };
    let searcher = index.searcher()?;
    searcher.search(&Query::new(request, &searcher.settings().query)?)
}

fn ids(response: &SearchResponse) -> Vec<&str> {
    let mut ids: Vec<&str> = response.hits.iter().map(|hit| hit.id.as_str()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn a_query_selects_the_same_articles_in_every_mode() {
    let (_dir, index) = index(None);
    for (query, expected) in [
        ("statin*[ti]", &["1", "2"][..]),
        ("pain[ti] NOT statins[ti]", &["3"]),
        ("myalgia[mh] AND \"muscle pain\"[ti]", &["1", "3"]),
    ] {
        for mode in Mode::ALL {
            let response = search(&index, query, mode).unwrap();
            assert_eq!(ids(&response), expected, "{query} {mode:?}");
            let translation = response.translation.unwrap();
            assert_eq!(translation.articles, Some(expected.len() as u64));
        }
    }
}

#[test]
fn a_query_without_words_lists_what_it_selects() {
    let (_dir, index) = index(None);
    let query = "all[sb] NOT 2[pmid]";
    for mode in [Mode::Keyword, Mode::Hybrid] {
        let response = search(&index, query, mode).unwrap();
        assert_eq!(ids(&response), ["1", "3"], "{mode:?}");
        assert_eq!(response.found.keyword_matches, Some(2));
    }
    let error = search(&index, query, Mode::Semantic).unwrap_err();
    assert_eq!(error.field(), Some("mode"));
}

#[test]
fn a_mesh_table_maps_words() {
    let table = MeshTable::new(vec![crate::mesh::Descriptor {
        ui: "D063806".into(),
        heading: "Myalgia".into(),
        entry_terms: vec!["Sore Muscles".into()],
        ..crate::mesh::Descriptor::default()
    }]);
    let (_dir, index) = index(Some(table));
    let request = QueryRequest {
        query: "sore muscles".to_owned(),
        syntax: Syntax::Pubmed,
        ..QueryRequest::default()
    };
    let searcher = index.searcher().unwrap();
    let query = Query::new(request, &searcher.settings().query).unwrap();
    let response = searcher.search(&query).unwrap();
    assert_eq!(ids(&response), ["1", "3"]);
    let translation = response.translation.unwrap().query;
    assert!(
        translation.contains("\"Myalgia\"[MeSH Terms]"),
        "{translation}"
    );
}

#[test]
fn plain_words_select_nothing() {
    let (_dir, index) = index(None);
    let response = search(&index, "statins and muscle pain", Mode::Hybrid).unwrap();
    assert_eq!(ids(&response), ["1", "2", "3"]);
    let translation = response.translation.unwrap();
    assert!(!translation.selects() && translation.articles.is_none());
    assert_eq!(
        translation.query,
        "statins OR muscle OR pain OR like “statins and muscle pain”"
    );
}

#[test]
fn hits_carry_entities_when_asked_and_stay_when_there_are_none() {
    let ask = |index: &Index, enrich: &[Enrichment]| {
        let request = QueryRequest {
            query: "muscle pain".to_owned(),
            mode: Some(Mode::Keyword),
            enrich: enrich.to_vec(),
            ..QueryRequest::default()
        };
        let searcher = index.searcher().unwrap();
        let query = Query::new(request, &searcher.settings().query).unwrap();
        searcher.search(&query).unwrap()
    };
    let settings = EnrichSettings::default();
    let enricher = Enricher::new(crate::enrich::tests::tagger(48), &settings);
    let (_dir, rich) = index_with(Extras {
        enricher: Some(Arc::new(enricher)),
        ..Extras::default()
    });
    let plain = ask(&rich, &[]);
    assert!(plain.enrichment.is_none() && plain.hits.iter().all(|hit| hit.entities.is_none()));
    let found = ask(&rich, &[Enrichment::Entities]);
    assert_eq!(ids(&found), ids(&plain));
    assert_eq!(found.enrichment.unwrap().incomplete, None);
    let mut mentions = 0;
    for hit in &found.hits {
        let entities = hit.entities.as_ref().unwrap();
        for (text, list) in [(&hit.title, &entities.title), (&hit.text, &entities.text)] {
            let characters: Vec<char> = text.chars().collect();
            for entity in list {
                let mention: String = characters[entity.start..entity.end].iter().collect();
                assert_eq!(mention, entity.text);
                mentions += 1;
            }
        }
    }
    assert!(mentions > 0, "nothing was looked at");

    let (_dir, bare) = index(None);
    let without = ask(&bare, &[Enrichment::Entities]);
    assert_eq!(ids(&without), ids(&plain));
    assert!(without.warnings[0].contains("without entities"));
}

#[test]
fn questions_are_answered_out_of_the_hits_or_not_at_all() {
    use super::question;
    use crate::enrich::answer::{AnswerSettings, Answerer};
    let (_dir, bare) = index_with(Extras::default());
    let request = QueryRequest {
        query: "Which muscle pain?".to_owned(),
        mode: Some(Mode::Keyword),
        ..QueryRequest::default()
    };
    let searcher = bare.searcher().unwrap();
    let query = question(request.clone(), searcher.settings()).unwrap();
    assert_eq!(query.limit(), AnswerSettings::default().articles);
    let error = searcher.answer(&query).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::NotFound);
    assert!(!searcher.can_answer());
    for (threshold, answered) in [(-1e6, true), (1e6, false)] {
        let (_model, reader) = crate::enrich::tests::answer::reader(threshold);
        let answerer = Answerer::new(reader, None, &AnswerSettings::default());
        let (_dir, index) = index_with(Extras {
            answerer: Some(Arc::new(answerer)),
            ..Extras::default()
        });
        let searcher = index.searcher().unwrap();
        let response = searcher.answer(&query).unwrap();
        let hits = searcher.search(&query).unwrap().hits;
        assert_eq!(response.read, hits.len());
        assert_eq!(response.answers.is_empty(), !answered);
        assert_eq!(response.message.is_some(), !answered);
        assert_eq!(response.head, "a");
        for found in &response.answers {
            let hit = hits.iter().find(|hit| hit.id == found.id).unwrap();
            let text = match hit.text.is_empty() {
                true => &hit.title,
                false => &hit.text,
            };
            let characters: Vec<char> = text.chars().collect();
            let answer = &found.answer;
            let span: String = characters[answer.start..answer.end].iter().collect();
            assert_eq!(span, answer.text);
            let evidence = &found.evidence;
            let span: String = characters[evidence.start..evidence.end].iter().collect();
            assert_eq!(span, evidence.text);
            assert!(evidence.start <= answer.start && answer.end <= evidence.end);
        }
    }
    for change in [
        |request: &mut QueryRequest| request.offset = 1,
        |request: &mut QueryRequest| request.explain = true,
        |request: &mut QueryRequest| request.query.clear(),
    ] {
        let mut request = request.clone();
        change(&mut request);
        assert!(question(request, searcher.settings()).is_err());
    }
}
