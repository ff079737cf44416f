//! Passages out of a small index with a model of random weights.

use super::*;
use crate::article::{Article, ArticleId, MeshTerm, Section};
use crate::encoder::{Encoder, EncoderOptions};
use crate::index::{Index, IndexWriter, Origin, PassageMode, WriterSettings};
use crate::passage::{split_passages, whole_article};
use crate::query::{Mode, QueryRequest};
use crate::searcher::SearchSettings;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

fn encoder() -> Arc<Encoder> {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models/bert-mean");
    Arc::new(Encoder::open(&model, EncoderOptions::default()).unwrap())
}

fn section(label: Option<&str>, text: &str) -> Section {
    Section {
        label: label.map(str::to_owned),
        text: text.into(),
        ..Section::default()
    }
}

fn article(id: &str, title: &str, sections: Vec<Section>) -> Article {
    let mut article = Article::new(ArticleId::new(id).unwrap());
    article.title = title.into();
    article.abstract_sections = sections;
    article
}

fn articles() -> Vec<Article> {
    let patient = "The patient received statins and was asked about muscle pain. ";
    let mut retracted = article(
        "2",
        "Statins cure pain",
        vec![section(
            None,
            "Müsli and statins cure muscle pain in all. Nobody was asked.",
        )],
    );
    retracted.publication_types.push(MeshTerm {
        name: "Retracted Publication".into(),
        ui: None,
    });
    vec![
        article(
            "1",
            "A trial of statins",
            vec![
                section(Some("METHODS"), &patient.repeat(6)),
                section(
                    Some("RESULTS"),
                    "Muscle pain was rare. α-Tocopherol did nothing.",
                ),
            ],
        ),
        retracted,
        article("3", "Statins, pain and sleep", Vec::new()),
        article(
            "4",
            "Sleep",
            vec![section(None, "Sleep was short in all patients.")],
        ),
    ]
}

fn index(mode: PassageMode) -> (TempDir, Index) {
    let dir = TempDir::new().unwrap();
    let encoder = encoder();
    let settings = WriterSettings::default();
    let fingerprint = encoder.fingerprint();
    let mut writer = IndexWriter::open(dir.path(), fingerprint, "m", mode, settings).unwrap();
    for article in articles() {
        let passages = match mode {
            PassageMode::On => split_passages(&article, &encoder).unwrap(),
            PassageMode::Off => whole_article(&article),
        };
        let texts: Vec<&str> = passages.iter().map(|part| part.text.as_str()).collect();
        let vectors = encoder.encode_passages(&texts).unwrap();
        let (_, stored) = writer.classify(article, &Origin::full("made-up")).unwrap();
        writer.put(stored, &passages, vectors.values()).unwrap();
    }
    writer.commit().unwrap();
    writer.close().unwrap();
    let index = Index::open(dir.path(), Some(encoder), SearchSettings::default()).unwrap();
    (dir, index)
}

fn request(mode: Mode, budget: usize) -> PassageRequest {
    PassageRequest {
        search: QueryRequest {
            query: "statins and muscle pain".to_owned(),
            mode: Some(mode),
            ..QueryRequest::default()
        },
        budget: Some(budget),
        ..PassageRequest::default()
    }
}

fn ask(index: &Index, request: PassageRequest) -> Result<PassagesResponse> {
    let searcher = index.searcher()?;
    searcher.passages(&PassageQuery::new(request, searcher.settings())?)
}

/// What every response promises.
fn check(response: &PassagesResponse) {
    let encoder = encoder();
    assert_eq!(response.tokenizer, "bert-mean");
    let spent = match response.citations_counted {
        true => response.tokens + response.citation_tokens,
        false => response.tokens,
    };
    assert!(spent <= response.budget, "{response:#?}");
    let mut seen: BTreeSet<(&str, usize)> = BTreeSet::new();
    for (place, passage) in response.passages.iter().enumerate() {
        assert_eq!(passage.rank, place + 1);
        assert_eq!(encoder.text_tokens(&passage.text).unwrap(), passage.tokens);
        let all = articles();
        let article = all.iter().find(|one| one.id == passage.id).unwrap();
        let whole = match passage.field {
            crate::searcher::AnswerField::Title => passage.title.clone(),
            crate::searcher::AnswerField::Text => article.running_text().text,
        };
        let between: String = whole
            .chars()
            .skip(passage.start)
            .take(passage.end - passage.start)
            .collect();
        assert_eq!(between, passage.text);
        for character in passage.start..passage.end {
            assert!(
                seen.insert((passage.id.as_str(), character)),
                "{response:#?}"
            );
        }
        assert_eq!(passage.retracted, passage.id.as_str() == "2");
        assert!(
            passage
                .citation
                .contains(passage.title.trim_end_matches('.'))
        );
    }
}

#[test]
fn passages_keep_to_the_budget_and_to_their_texts_in_every_mode() {
    for passages in [PassageMode::On, PassageMode::Off] {
        let (_dir, index) = index(passages);
        for mode in Mode::ALL {
            let mut before = 0;
            for budget in [1, 10, 30, 60, 90, 150, 2000] {
                for (count_citations, diversity) in [(false, 0.0), (true, 0.5), (false, 1.0)] {
                    let response = ask(
                        &index,
                        PassageRequest {
                            count_citations,
                            diversity: Some(diversity),
                            ..request(mode, budget)
                        },
                    )
                    .unwrap();
                    check(&response);
                    if diversity == 0.0 {
                        assert!(response.tokens >= before, "{mode:?} {budget}");
                        before = response.tokens;
                    }
                }
            }
        }
    }
}

#[test]
fn a_budget_for_everything_gives_everything_once_with_windows_joined() {
    let (_dir, index) = index(PassageMode::On);
    let response = ask(&index, request(Mode::Semantic, 2000)).unwrap();
    let mut ids: Vec<&str> = response
        .passages
        .iter()
        .map(|one| one.id.as_str())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, ["1", "2", "3", "4"]);
    assert!(response.candidates > 4, "{response:#?}");
    let whole = response.passages.iter().find(|one| one.id.as_str() == "1");
    let whole = whole.unwrap();
    assert_eq!(whole.text, articles()[0].running_text().text.trim());
    assert_eq!(whole.sections, ["METHODS", "RESULTS"]);
    assert!(!whole.cut && whole.similarity.is_some());
    let title = response.passages.iter().find(|one| one.id.as_str() == "3");
    let title = title.unwrap();
    assert_eq!(
        (title.text.as_str(), title.start),
        ("Statins, pain and sleep", 0)
    );
    assert!(title.sections.is_empty());
}

#[test]
fn what_is_too_large_is_cut_at_a_sentence_end_and_says_so() {
    let (_dir, index) = index(PassageMode::Off);
    let mut filtered = request(Mode::Keyword, 60);
    filtered.search.query = "trial patient".to_owned();
    filtered.search.filter.retracted = Some(false);
    let response = ask(&index, filtered).unwrap();
    check(&response);
    let first = &response.passages[0];
    assert_eq!(first.id.as_str(), "1");
    assert!(first.cut && first.text.ends_with("pain."), "{first:#?}");
    assert_eq!(first.sections, ["METHODS"]);
    assert!(first.similarity.is_none() && first.semantic.is_none());
    assert_eq!(first.keyword.unwrap().rank, 1);
}

#[test]
fn in_keyword_mode_the_passage_with_the_words_comes_first() {
    let (_dir, index) = index(PassageMode::On);
    let mut asked = request(Mode::Keyword, 40);
    asked.search.query = "tocopherol".to_owned();
    let response = ask(&index, asked).unwrap();
    assert!(
        response.passages[0].text.contains("α-Tocopherol"),
        "{response:#?}"
    );
}

#[test]
fn a_limit_is_kept_and_sources_are_numbered_by_article() {
    let (_dir, index) = index(PassageMode::On);
    let mut asked = request(Mode::Hybrid, 2000);
    asked.search.limit = Some(2);
    let response = ask(&index, asked).unwrap();
    assert_eq!(response.passages.len(), 2);
    let sources: Vec<usize> = response.passages.iter().map(|one| one.source).collect();
    assert_eq!(sources, [1, 2]);
}

#[test]
fn what_cannot_be_asked_is_refused_by_name() {
    let (_dir, index) = index(PassageMode::On);
    let with = |change: fn(&mut PassageRequest)| {
        let mut asked = request(Mode::Hybrid, 100);
        change(&mut asked);
        ask(&index, asked).unwrap_err().field().unwrap().to_owned()
    };
    assert_eq!(with(|asked| asked.budget = Some(0)), "budget");
    assert_eq!(with(|asked| asked.budget = Some(1_000_000)), "budget");
    assert_eq!(with(|asked| asked.diversity = Some(1.5)), "diversity");
    assert_eq!(with(|asked| asked.diversity = Some(f32::NAN)), "diversity");
    assert_eq!(with(|asked| asked.search.offset = 3), "offset");
    assert_eq!(with(|asked| asked.search.query.clear()), "query");
}

#[test]
fn without_the_model_nothing_counts_tokens() {
    let (dir, index) = index(PassageMode::On);
    drop(index);
    let index = Index::open(dir.path(), None, SearchSettings::default()).unwrap();
    let error = ask(&index, request(Mode::Keyword, 100)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("--model"), "{error}");
}
