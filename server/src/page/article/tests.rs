use super::super::samples;
use super::*;
use medsift::article::{
    Article, CorrectionKind, Databank, Link, MeshHeading, MeshTerm, OtherId, Reference,
};

fn show(article: Article, request: &QueryRequest) -> String {
    show_linked(article, request, &Linked::default())
}

fn show_linked(article: Article, request: &QueryRequest, linked: &Linked) -> String {
    let stored = StoredArticle {
        article,
        source: "sample.xml".into(),
        content: String::new(),
        completeness: medsift::index::Completeness::Full,
    };
    page(
        &stored,
        request,
        linked,
        &[samples::hit(1, samples::trial())],
        Mode::Hybrid,
    )
}

#[test]
fn every_part_is_there() {
    let mut article = samples::trial();
    article.mesh = vec![MeshHeading {
        descriptor: MeshTerm {
            name: "Muscular Diseases".into(),
            ui: None,
        },
        qualifiers: vec![(
            MeshTerm {
                name: "chemically induced".into(),
                ui: None,
            },
            true,
        )],
        ..MeshHeading::default()
    }];
    article.databanks = vec![Databank {
        name: "ClinicalTrials.gov".into(),
        accessions: vec!["NCT00000123".into()],
    }];
    let html = show(article, &QueryRequest::default());
    for part in [
        "<h1 id=\"title\">Muscle pain under statins",
        "<b class=\"label\">METHODS</b> We asked",
        "<sub>2</sub>",
        "Muscular Diseases / chemically induced<span",
        "href=\"https://clinicaltrials.gov/study/NCT00000123\"",
        "href=\"https://doi.org/10.5555/sample.1\"",
        "<dd>sample.xml</dd>",
        "href=\"/v1/articles/99000001\"",
    ] {
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
    assert!(!html.contains("Back to the results"));
}

#[test]
fn a_retraction_stands_at_the_top() {
    let mut article = samples::retracted();
    article.links = vec![Link {
        kind: CorrectionKind::RetractionIn,
        source: "J Made Up. 2022;1:1".into(),
        pmid: Some("99000009".into()),
        note: None,
    }];
    let html = show(article, &QueryRequest::default());
    let notice = html.find("This article has been retracted").unwrap();
    assert!(notice < html.find("no abstract").unwrap());
    assert!(html.contains("<dt>Retraction in</dt>"));
}

#[test]
fn named_articles_are_read_here_where_the_index_holds_them() {
    let mut article = samples::retracted();
    let link = |pmid: &str| Link {
        kind: CorrectionKind::RetractionIn,
        source: "J Made Up. 2022;1:1".into(),
        pmid: Some(pmid.into()),
        note: None,
    };
    article.links = vec![link("99000009"), link("99000010"), link("no pmid")];
    article.references = vec![Reference {
        citation: "Able J. 2001.".into(),
        list_title: None,
        ids: vec![OtherId {
            kind: "pubmed".into(),
            value: "99000011".into(),
            valid: true,
        }],
    }];
    let linked = Linked::holding(&["99000009", "99000011"], "q=pain");
    let html = show_linked(article, &QueryRequest::default(), &linked);
    for part in [
        // Once in the notice at the top, once among the links.
        "<a href=\"/articles/99000009?q=pain\">PMID 99000009</a>",
        "<a href=\"/articles/99000011?q=pain\">PMID 99000011</a>",
        "<a href=\"https://pubmed.ncbi.nlm.nih.gov/99000010/\" rel",
        " PMID no pmid",
    ] {
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
    assert_eq!(html.matches("/articles/99000009?").count(), 2);
    assert!(!html.contains("nlm.nih.gov/99000009"));
}

#[test]
fn another_language_is_marked_for_screen_readers() {
    let html = show(samples::german(), &QueryRequest::default());
    assert!(
        html.contains("class=\"vernacular\" lang=\"de\">Muskelschmerzen"),
        "{html}"
    );
    assert!(html.contains("class=\"reading-text\" lang=\"de\"><h2>Abstract in German"));
}

#[test]
fn the_way_back_leads_to_the_same_results() {
    let request = QueryRequest {
        query: "muscle & pain".into(),
        offset: 20,
        ..QueryRequest::default()
    };
    let html = show(samples::trial(), &request);
    assert!(
        html.contains("href=\"/?q=muscle+%26+pain&amp;offset=20\">← Back"),
        "{html}"
    );
}

#[test]
fn stored_text_is_never_markup() {
    let html = show(samples::hostile(), &QueryRequest::default());
    assert_eq!(
        html.matches("<script").count(),
        1,
        "only the page's own script:\n{html}"
    );
    assert!(!html.contains("<img"), "{html}");
    assert!(!html.contains("href=\"javascript"), "{html}");
}
