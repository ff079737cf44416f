//! Articles that the core writes as PubMed XML and that are read again.

mod generated;

use super::{article, book};
use generated::{books, journal_articles};
use medsift::article::citation::{pubmed_xml, pubmed_xml_head, pubmed_xml_tail};
use medsift::article::*;
use medsift::{Article, ArticleId};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

fn read(written: &str) -> Article {
    let read = if written.starts_with("<PubmedBookArticle>") {
        book(written)
    } else {
        article(written)
    };
    *read.unwrap_or_else(|flaw| panic!("{flaw}: {written}"))
}

proptest! {
    #[test]
    fn a_journal_article_comes_back_as_it_was(article in journal_articles().boxed()) {
        let written = pubmed_xml(&article);
        prop_assert_eq!(read(&written), article, "{}", written);
    }

    #[test]
    fn a_book_comes_back_as_it_was(article in books().boxed()) {
        let written = pubmed_xml(&article);
        prop_assert_eq!(read(&written), article, "{}", written);
    }

    /// Whatever a record of another source holds, it is XML and loses no text.
    #[test]
    fn no_text_breaks_the_xml(title in ".{0,40}", spans in vec((0..50_u32, 0..50_u32), 0..4)) {
        let mut article = Article::new(ArticleId::new("x-1").unwrap());
        let span = |(start, end)| MarkupSpan { start, end, kind: Markup::B };
        article.title = RichText { plain: title.clone(), markup: spans.into_iter().map(span).collect() };
        let back = read(&pubmed_xml(&article));
        let words = |text: &str| -> Vec<String> {
            let gap = |c: char| c.is_whitespace() || c.is_control() && c.is_ascii();
            text.split(gap).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let expected = title.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
        prop_assert_eq!(words(&back.title.plain), words(&expected));
    }
}

#[test]
fn objects_and_what_a_history_cannot_say() {
    let mut article = Article::new(ArticleId::new("7").unwrap());
    let objects = json!([{"type": "grant", "id": "NIH & co", "grantor": "NCI"}]);
    article.metadata.insert("objects".into(), objects);
    article.history = vec![
        HistoryDate {
            event: "received".into(),
            date: PubDate::medline("2004 13 40"),
            time: None,
        },
        HistoryDate {
            event: "completed".into(),
            date: PubDate::calendar(2004, Some(2), Some(3)).unwrap(),
            time: Some("06:00".into()),
        },
    ];
    assert_eq!(read(&pubmed_xml(&article)), article);
    article.history[0].date = PubDate::Season {
        year: 2004,
        season: "Winter".into(),
    };
    let back = read(&pubmed_xml(&article));
    assert_eq!(back.history[0].date, PubDate::medline("2004 Winter"));
}

/// The made-up sample, which has every feature of the format.
#[test]
fn the_sample_comes_back_as_it_was() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/sample");
    let dir = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for name in [
        "medsift-sample.xml",
        "medsift-sample-update.xml",
        "medsift-sample-2014.xml",
    ] {
        let articles = articles(&folder.join(name));
        let mut set = pubmed_xml_head();
        articles
            .iter()
            .for_each(|article| set.push_str(&pubmed_xml(article)));
        set.push_str(&pubmed_xml_tail());
        let path = dir.path().join(name);
        std::fs::write(&path, set).unwrap();
        for (mut expected, back) in articles.into_iter().zip(self::articles(&path)) {
            // The day on which a record was made stands with the other events.
            let place = |event: &HistoryDate| match event.event.as_str() {
                "completed" | "last-revised" => 0,
                "electronic" => 1,
                _ => 2,
            };
            if expected.kind == ArticleKind::Journal {
                expected.history.sort_by_key(place);
            }
            assert_eq!(back, expected, "{name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 77);
}

fn articles(path: &std::path::Path) -> Vec<Article> {
    let (_, records) = crate::source::open(path).unwrap();
    let article = |record| match record {
        crate::Record::Article(article) => Some(*article),
        crate::Record::Deletion(_) | crate::Record::Embedded(_) => None,
        crate::Record::Fault(fault) => panic!("{fault:?}"),
    };
    records.filter_map(article).collect()
}
