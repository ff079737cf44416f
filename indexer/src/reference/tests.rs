//! References of other programs, and medsift's own read back.

use super::*;
use medsift::Article;
use medsift::article::citation::{bibtex as write_bibtex, csl_item, ris as write_ris};
use medsift::article::{ArticleKind, PubDate};
use proptest::prelude::*;
use std::path::Path;

fn sample() -> Vec<Article> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/sample");
    let mut articles = Vec::new();
    for name in ["medsift-sample.xml", "medsift-sample-2014.xml"] {
        let (_, reader) = crate::source::open(&fixtures.join(name)).unwrap();
        articles.extend(reader.filter_map(|record| match record {
            crate::Record::Article(article) => Some(*article),
            _ => None,
        }));
    }
    assert!(articles.len() > 60, "{}", articles.len());
    articles
}

/// What all three formats have a place for.
fn same(before: &Article, after: &Article, written: &str) {
    let names = |article: &Article| -> Vec<String> {
        let valid = article.authors.iter().filter(|author| author.valid);
        let name = |author: &medsift::article::Author| match &author.name {
            Some(name) => name.last.clone(),
            None => author.display(),
        };
        valid.map(name).collect()
    };
    assert_eq!(before.id, after.id, "{written}");
    let title = |article: &Article| article.display_title().plain.clone();
    assert_eq!(title(before), title(after), "{written}");
    assert_eq!(names(before), names(after), "{written}");
    assert_eq!(before.year(), after.year(), "{written}");
    assert_eq!(before.other_id("doi"), after.other_id("doi"), "{written}");
    assert_eq!(before.other_id("pmc"), after.other_id("pmc"), "{written}");
    assert_eq!(before.is_retracted(), after.is_retracted(), "{written}");
    let volume = |article: &Article| article.journal.as_ref().and_then(|j| j.volume.clone());
    assert_eq!(volume(before), volume(after), "{written}");
    let text = |article: &Article| {
        let (sections, _) = article.display_abstract();
        let texts = sections.iter().map(|section| section.text.plain.clone());
        texts.collect::<Vec<_>>().join(" ").len()
    };
    assert!(text(after) >= text(before), "{written}");
}

/// A citation that is read back says the same, and a second round changes
/// nothing.
#[test]
fn own_references_are_read_back() {
    let write_csl = |article: &Article| csl_item(article).to_string();
    type Write<'a> = &'a dyn Fn(&Article) -> String;
    type Read = fn(&str) -> Result<Box<Article>, String>;
    let formats: [(Write<'_>, Read); 3] = [
        (&write_ris, ris),
        (&write_bibtex, bibtex),
        (&write_csl, item),
    ];
    for before in sample() {
        for (write, read) in formats {
            let written = write(&before);
            let after = read(&written).unwrap();
            same(&before, &after, &written);
            let again = read(&write(&after)).unwrap();
            assert_eq!(again, after, "{written}");
        }
    }
}

#[test]
fn a_reference_of_endnote() {
    let article = ris("TY  - JOUR\r\nAN  - 15630842\r\nAU  - van Berg, A. B.\r\nAU  - Smith JA\r\n\
        AU  - Sample Trial Group\r\nDB  - PubMed\r\nDO  - https://doi.org/10.1000/ABC.1\r\nEP  - 9\r\n\
        IS  - 3\r\nJ2  - J Samples\r\nJF  - Journal of Samples\r\nKW  - Adult\r\nKW  - Humans\r\n\
        N2  - First line\r\nsecond line.\r\nPY  - 2005\r\nDA  - Jan 3\r\nSN  - 0000-0019\r\nSP  - 1\r\n\
        T1  - A title\r\nUR  - http://www.example.org/1\r\nVL  - 12\r\nM1  - 7\r\nER  - \r\n")
    .unwrap();
    assert_eq!(article.id.as_str(), "15630842");
    assert_eq!(article.kind, ArticleKind::Journal);
    let names: Vec<_> = article
        .authors
        .iter()
        .map(|author| author.display())
        .collect();
    assert_eq!(names, ["van Berg AB", "Smith JA", "Sample Trial Group"]);
    assert_eq!(article.other_id("doi"), Some("10.1000/ABC.1"));
    assert_eq!(
        article.abstract_sections[0].text.plain,
        "First line second line."
    );
    let pages = article.pages.as_ref().unwrap();
    assert_eq!(pages.medline.as_deref(), Some("1-9"));
    let journal = article.journal.as_ref().unwrap();
    assert_eq!(journal.title, "Journal of Samples");
    assert_eq!(journal.short_title(), "J Samples");
    assert_eq!(article.keywords[0].keywords.len(), 2);
    assert_eq!(
        article.metadata["UR"],
        serde_json::json!(["http://www.example.org/1"])
    );
    assert_eq!(article.metadata["M1"], serde_json::json!(["7"]));
}

#[test]
fn a_number_of_another_database_is_no_pmid() {
    let key = |text: &str| ris(text).unwrap().id.to_string();
    assert_eq!(
        key("TY  - JOUR\nAN  - 123456\nDB  - CINAHL\nTI  - x\nER  -\n"),
        "cinahl:123456"
    );
    assert_eq!(
        key("TY  - JOUR\nAN  - 123456\nDP  - NLM\nTI  - x\n"),
        "123456"
    );
    assert_eq!(key("TY  - JOUR\nDO  - 10.1/AbC\nTI  - x\n"), "doi:10.1/abc");
    let address = "TY  - JOUR\nUR  - https://pubmed.ncbi.nlm.nih.gov/77/\nTI  - x\n";
    assert_eq!(key(address), "77");
    let made = key("TY  - JOUR\nTI  - x\nER  - \n");
    assert!(made.starts_with("ris-") && made.len() == 20, "{made}");
    assert_eq!(made, key("TY  - JOUR\nTI  - x\nER  - \n\n"));
    assert!(ris("TY  - JOUR\nER  - \n").is_err());
}

#[test]
fn what_a_reference_is_decides_where_its_title_goes() {
    let chapter =
        ris("TY  - CHAP\nAN  - 5\nTI  - A chapter\nT2  - A book\nA2  - Poe, P\n").unwrap();
    assert_eq!(chapter.kind, ArticleKind::Book);
    assert_eq!(chapter.title.plain, "A chapter");
    assert_eq!(chapter.book.as_ref().unwrap().title.plain, "A book");
    assert_eq!(chapter.editors[0].display(), "Poe P");
    let thesis = ris("TY  - THES\nTI  - A thesis\nPY  - 2001///\n").unwrap();
    assert_eq!(thesis.kind, ArticleKind::Document);
    assert_eq!(thesis.metadata["TY"], serde_json::json!(["THES"]));
    assert_eq!(thesis.year(), Some(2001));
    let season = ris("TY  - JOUR\nAN  - 1\nTI  - x\nDA  - 2003///Winter\n").unwrap();
    let winter = PubDate::Season {
        year: 2003,
        season: "Winter".to_owned(),
    };
    assert_eq!(season.published, Some(winter));
}

#[test]
fn an_entry_of_bibtex_as_people_write_them() {
    let article = bibtex(
        "@string{jsam = {Journal of } # \"Samples\"}@Article{ muller2020 ,\n\
         author = \"M{\\\"u}ller, J{\\'e}r{\\^o}me and {The {STUDY} Group} and Ada de Roe and \
         Doe, Jr, John\",\n title = {{CO$_2$} \\& 5\\% of {\\ss}-cells -- a \\emph{trial}},\n\
         journal = jsam, year = 2020, month = mar # {}, volume=12, number = {3},\n\
         pages = {1--9}, doi = {10.1000/a_b}, keywords = {one, two},\n\
         url = {https://example.org/x_1}, eprint = {123} }",
    )
    .unwrap();
    assert_eq!(article.id.as_str(), "muller2020");
    assert_eq!(article.title.plain, "CO$_2$ & 5% of ß-cells -- a trial");
    let names: Vec<_> = article
        .authors
        .iter()
        .map(|author| author.display())
        .collect();
    assert_eq!(
        names,
        ["Müller J", "The STUDY Group", "de Roe A", "Doe J Jr"]
    );
    assert_eq!(
        article.journal.as_ref().unwrap().title,
        "Journal of Samples"
    );
    assert_eq!(
        article.published,
        Some(PubDate::calendar(2020, Some(3), None).unwrap())
    );
    assert_eq!(article.other_id("doi"), Some("10.1000/a_b"));
    assert_eq!(
        article.pages.as_ref().unwrap().medline.as_deref(),
        Some("1-9")
    );
    assert_eq!(article.keywords[0].keywords.len(), 2);
    assert_eq!(article.metadata["eprint"], serde_json::json!(["123"]));
    assert_eq!(
        article.metadata["url"],
        serde_json::json!(["https://example.org/x_1"])
    );
    for (text, what) in [
        ("@article{a, title = {x}", "no end"),
        ("@article{a, title {x}}", "name = value"),
        ("@article", "no brace"),
        ("nothing", "no entry"),
    ] {
        let error = bibtex(text).unwrap_err();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn an_item_of_zotero() {
    let article = item(
        r#"{"id": "http://zotero.org/users/1/items/A", "type": "article-journal",
        "title": "A title", "container-title": "Journal of Samples", "volume": "12", "page": "1-9",
        "DOI": "10.1000/a", "author": [{"family": "Berg", "given": "Ada B.",
        "non-dropping-particle": "van der"}, {"literal": "Sample Group"}],
        "issued": {"date-parts": [["2021", 3, "4"]]}, "accessed": {"date-parts": [[2022]]}}"#,
    )
    .unwrap();
    assert_eq!(article.id.as_str(), "http://zotero.org/users/1/items/A");
    let names: Vec<_> = article
        .authors
        .iter()
        .map(|author| author.display())
        .collect();
    assert_eq!(names, ["van der Berg AB", "Sample Group"]);
    assert_eq!(
        article.published,
        Some(PubDate::calendar(2021, Some(3), Some(4)).unwrap())
    );
    assert!(article.metadata.contains_key("accessed"));
    let thesis = item(r#"{"id": 5, "type": "thesis", "title": "T"}"#).unwrap();
    assert_eq!(
        (thesis.id.as_str(), thesis.kind),
        ("5", ArticleKind::Document)
    );
    assert_eq!(thesis.metadata["type"], "thesis");
    // An array may hold articles of medsift as well.
    assert_eq!(
        item(r#"{"id": "7", "title": "x"}"#).unwrap().id.as_str(),
        "7"
    );
    assert!(item("{").unwrap_err().contains("not JSON"));
}

proptest! {
    #[test]
    fn any_text_is_a_reference_or_a_fault(text in "([A-Z][A-Z0-9]  - )?\\PC{0,40}(\n[A-Z][A-Z0-9]  - \\PC{0,20}){0,8}") {
        let _ = ris(&text);
        let _ = bibtex(&text);
        let _ = bibtex(&format!("@article{{key, {text}"));
        let _ = item(&text);
    }

    #[test]
    fn any_value_of_tex_is_a_text(value in "[a-z\\\\{}\"'`~^.vcuHki éß-]{0,30}") {
        let _ = latex::plain(&value);
        let _ = bibtex(&format!("@article{{key, author = {{{value}}}, title = \"{value}\"}}"));
    }
}
