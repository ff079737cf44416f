//! What was read from PubMed's files, written as PubMed XML and read again.

use super::data::{files, pubmed};
use super::read;
use medsift::Article;
use medsift::article::ArticleKind;
use medsift::article::citation::{pubmed_xml, pubmed_xml_head, pubmed_xml_tail};
use medsift_indexer::source::Format;

/// The article without what PubMed's format has no place for (the list stands
/// at the writer), its dates in the order of the format.
fn as_it_comes_back(mut article: Article) -> Article {
    let kept = [
        "version_id",
        "version_date",
        "objects",
        "item_lists",
        "book",
        "part",
        "sec",
    ];
    article
        .metadata
        .retain(|key, _| kept.contains(&key.as_str()));
    // `DateCreated` went from the DTD.
    let place = |event: &medsift::article::HistoryDate| match event.event.as_str() {
        "completed" | "last-revised" => 0,
        "electronic" => 1,
        _ => 2,
    };
    if article.kind == ArticleKind::Journal {
        article.history.sort_by_key(place);
    }
    article
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn every_article_comes_back_from_the_xml_that_is_written() {
    let Some(folder) = pubmed("every_article_comes_back_from_the_xml_that_is_written") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("written.xml");
    let (mut compared, mut different) = (0, Vec::new());
    for source in files(&folder.join("xml")) {
        let articles = read(&source, Format::PubmedXml).articles;
        if articles.is_empty() {
            continue;
        }
        let mut set = pubmed_xml_head();
        articles
            .iter()
            .for_each(|article| set.push_str(&pubmed_xml(article)));
        set.push_str(&pubmed_xml_tail());
        std::fs::write(&path, set).unwrap();
        let back = read(&path, Format::PubmedXml);
        assert_eq!(back.faults, [], "{}", source.display());
        assert_eq!(back.articles.len(), articles.len(), "{}", source.display());
        for (article, back) in articles.into_iter().zip(back.articles) {
            compared += 1;
            let expected = as_it_comes_back(article);
            if back != expected {
                different.push(format!(
                    "{} {}:\n{}\n{}",
                    source.display(),
                    expected.id,
                    serde_json::to_string(&expected).unwrap(),
                    serde_json::to_string(&back).unwrap()
                ));
            }
        }
    }
    assert!(
        different.is_empty(),
        "{} differ:\n{}",
        different.len(),
        different.join("\n")
    );
    assert!(compared > 2_800, "only {compared} records were compared");
}
