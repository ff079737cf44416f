use super::super::samples;
use super::*;
use medsift::article::{
    Article, CorrectionKind, Databank, Link, MeshHeading, MeshTerm, OtherId, Reference,
};
use medsift::query::Enrichment;

fn show(article: Article, request: &QueryRequest) -> String {
    show_linked(article, request, Linked::default())
}

fn show_linked(article: Article, request: &QueryRequest, linked: Linked) -> String {
    let beside = Beside {
        linked,
        like: vec![samples::hit(1, samples::trial())],
        ..Beside::default()
    };
    show_with(article, request, &beside)
}

fn show_with(article: Article, request: &QueryRequest, beside: &Beside) -> String {
    let stored = StoredArticle {
        article,
        source: "sample.xml".into(),
        content: String::new(),
        completeness: medsift::index::Completeness::Full,
    };
    page(&stored, request, beside, Mode::Hybrid)
}

#[test]
fn who_cites_it_is_listed_and_what_is_not_known_is_said() {
    let beside = Beside {
        cited: Cited {
            total: 12,
            newest: vec![samples::retracted(), samples::hostile()],
            unknown: 3,
        },
        ..Beside::default()
    };
    let html = show_with(samples::trial(), &QueryRequest::default(), &beside);
    for part in [
        "<h2>Cited by (12)</h2>",
        "The newest 2 of 12 in this index.",
        "Of 3 articles of this index it is not known",
        "Retracted",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("<script>alert"), "{html}");
    let alone = show(samples::trial(), &QueryRequest::default());
    assert!(!alone.contains("Cited by"), "{alone}");
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
    let html = show_linked(article, &QueryRequest::default(), linked);
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

#[test]
fn entities_are_marked_in_title_and_text_and_can_be_turned_off() {
    let hit = samples::enriched().hits.remove(0);
    let request = QueryRequest {
        query: "pain".into(),
        enrich: vec![Enrichment::Entities],
        ..QueryRequest::default()
    };
    let beside = Beside {
        marked: Marked::with(hit.entities.unwrap()),
        ..Beside::default()
    };
    let html = show_with(samples::trial(), &request, &beside);
    for part in [
        "<abbr class=\"entity k0\" title=\"Disease · MESH:D063806 Myalgia\" \
         tabindex=\"0\">Muscle pain</abbr>",
        "<abbr class=\"entity k1\" title=\"Chemical\">H<sub>2</sub>O<sub>2</sub></abbr>",
        "href=\"/articles/99000001?q=pain\" rel=\"nofollow\">Do not mark entities",
        "<span class=\"entity k0\">Disease</span>",
    ] {
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
    let off = QueryRequest {
        enrich: Vec::new(),
        ..request
    };
    let can = Beside {
        marked: Marked::offered(),
        ..Beside::default()
    };
    let html = show_with(samples::trial(), &off, &can);
    for format in ["pubtator", "bioc"] {
        let file = format!("href=\"/v1/articles/99000001?format={format}\" download");
        assert!(html.contains(&file), "{file} is not in\n{html}");
        assert!(!show(samples::trial(), &off).contains(&file));
    }
    let address = "href=\"/articles/99000001?q=pain&amp;enrich=entities\"";
    assert!(html.contains(address) && !html.contains("<abbr"), "{html}");
    assert!(!show(samples::trial(), &off).contains(address));
}
