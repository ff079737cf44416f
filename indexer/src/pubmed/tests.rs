use super::*;
use medsift::article::{CorrectionKind, Markup, PubDate};
use proptest::prelude::*;

/// A record with an article around some elements.
fn in_article(inside: &str) -> Box<Article> {
    let xml = format!(
        "<PubmedArticle><MedlineCitation><PMID Version=\"1\">1</PMID><Article>{inside}</Article></MedlineCitation></PubmedArticle>"
    );
    article(&xml).unwrap_or_else(|flaw| panic!("{flaw}: {xml}"))
}

fn in_citation(inside: &str) -> Box<Article> {
    let xml = format!("<MedlineCitation><PMID>1</PMID>{inside}</MedlineCitation>");
    article(&xml).unwrap_or_else(|flaw| panic!("{flaw}: {xml}"))
}

const FULL: &str = include_str!("../../tests/golden/article.xml");
const BOOK: &str = include_str!("../../tests/golden/book.xml");

#[test]
fn a_full_record_as_json() {
    let json = serde_json::to_string_pretty(&article(FULL).unwrap()).unwrap();
    assert_golden(
        &json,
        include_str!("../../tests/golden/article.json"),
        "article.json",
    );
}

#[test]
fn a_book_chapter_as_json() {
    let json = serde_json::to_string_pretty(&book(BOOK).unwrap()).unwrap();
    assert_golden(
        &json,
        include_str!("../../tests/golden/book.json"),
        "book.json",
    );
}

/// Compares with a golden file; `MEDSIFT_BLESS=1` writes it anew.
fn assert_golden(found: &str, golden: &str, name: &str) {
    if std::env::var_os("MEDSIFT_BLESS").is_some() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/");
        std::fs::write(format!("{folder}{name}"), format!("{found}\n")).unwrap();
        return;
    }
    assert_eq!(
        found.trim(),
        golden.trim(),
        "{name} differs; MEDSIFT_BLESS=1 writes it anew"
    );
}

// Field report: the abstract is cut at the first inline tag.
#[test]
fn no_inline_element_loses_text() {
    let elements = [
        ("i", Some(Markup::I)),
        ("b", Some(Markup::B)),
        ("u", Some(Markup::U)),
        ("sup", Some(Markup::Sup)),
        ("sub", Some(Markup::Sub)),
        ("mml:math", Some(Markup::Math)),
        ("DispFormula", None),
        ("font", None),
    ];
    for (name, markup) in elements {
        let record = in_article(&format!(
            "<ArticleTitle>CO<{name}>2</{name}> up</ArticleTitle>\
             <Abstract><AbstractText>A <{name}>b</{name}> c.</AbstractText></Abstract>"
        ));
        assert_eq!(record.title.plain, "CO2 up");
        assert_eq!(record.abstract_sections[0].text.plain, "A b c.");
        let found = record
            .title
            .markup
            .first()
            .map(|span| (span.start, span.end, span.kind));
        assert_eq!(found, markup.map(|kind| (2, 3, kind)));
    }
}

#[test]
fn nested_markup_and_mathml_keep_their_characters() {
    let record = in_article(
        "<ArticleTitle><i>E. <b>coli</b> <sup>13</sup>C</i></ArticleTitle><Abstract><AbstractText>x \
         <mml:math><mml:msub><mml:mi>k</mml:mi>\n<mml:mi>cat</mml:mi></mml:msub><mml:mo>&lt;</mml:mo></mml:math>.</AbstractText></Abstract>",
    );
    assert_eq!(record.title.plain, "E. coli 13C");
    let kinds: Vec<Markup> = record.title.markup.iter().map(|span| span.kind).collect();
    assert_eq!(kinds, [Markup::I, Markup::B, Markup::Sup]);
    assert_eq!(record.abstract_sections[0].text.plain, "x k cat<.");
}

// Field report: text is eaten from `P<0.001` on.
#[test]
fn a_less_than_sign_is_text() {
    let record = in_article(
        "<ArticleTitle>P&lt;0.001 and <![CDATA[q<1 & r]]>, &#x3b1;&#8805;&alpha;</ArticleTitle>",
    );
    assert_eq!(record.title.plain, "P<0.001 and q<1 & r, α≥α");
}

// Field report: labels are lost, sections are merged without a space.
#[test]
fn structured_abstracts_keep_labels_and_stay_apart() {
    let record = in_article(
        "<Abstract><AbstractText Label=\"AIMS &amp; SCOPE\" NlmCategory=\"OBJECTIVE\">To see.</AbstractText>\
         <AbstractText>Seen.</AbstractText><AbstractText Label=\"NOTE\"/>\
         <CopyrightInformation>©</CopyrightInformation></Abstract>",
    );
    let labels: Vec<_> = record
        .abstract_sections
        .iter()
        .map(|s| s.label.as_deref())
        .collect();
    assert_eq!(labels, [Some("AIMS & SCOPE"), None, Some("NOTE")]);
    assert_eq!(
        record.abstract_sections[0].category.as_deref(),
        Some("OBJECTIVE")
    );
    assert_eq!(record.running_text().text, "AIMS & SCOPE: To see. Seen.");
    assert_eq!(record.copyright.as_deref(), Some("©"));
}

// Field report: the abstract sits in `OtherAbstract` and is missed.
#[test]
fn another_abstract_is_shown_where_there_is_no_main_one() {
    let record = in_citation(
        "<OtherAbstract Type=\"Publisher\" Language=\"spa\"><AbstractText>Hola.</AbstractText></OtherAbstract>",
    );
    assert_eq!(record.other_abstracts[0].language.as_deref(), Some("spa"));
    assert_eq!(record.running_text().text, "Hola.");
}

// Field report: `DeleteCitation` is forgotten.
#[test]
fn deletions_are_records() {
    let parsed = deletions(
        "<DeleteCitation><PMID Version=\"1\">12</PMID>\n<PMID/><PMID>0034</PMID><Foo>x</Foo></DeleteCitation>",
    );
    let shown: Vec<String> = parsed
        .iter()
        .map(|part| match part {
            crate::parse::Parsed::Deletion(id) => id.to_string(),
            crate::parse::Parsed::Flawed(_, reason) => reason.clone(),
            crate::parse::Parsed::Article(_) => "article".to_owned(),
        })
        .collect();
    assert_eq!(
        shown,
        [
            "12",
            "in a list of deletions, the PMID is empty",
            "34",
            "<Foo> stands in a list of deletions"
        ]
    );
    assert!(deletions("<DeleteCitation/>").is_empty());
}

// Field report: versions are ignored, duplicates appear.
#[test]
fn the_key_is_the_pmid_and_the_version_is_kept() {
    let record =
        article("<MedlineCitation><PMID Version=\"3\"> 0021 </PMID></MedlineCitation>").unwrap();
    assert_eq!((record.id.as_str(), record.version), ("21", 3));
}

// Field report: a retraction is not visible.
#[test]
fn retractions_are_seen_on_either_side() {
    let record = in_citation(
        "<CommentsCorrectionsList><CommentsCorrections RefType=\"RetractionIn\"><RefSource>J. 2001</RefSource>\
         <PMID>9</PMID><Note>n</Note></CommentsCorrections></CommentsCorrectionsList>",
    );
    assert!(record.is_retracted());
    assert_eq!(record.links[0].pmid.as_deref(), Some("9"));
    let old = in_citation(
        "<CommentsCorrections><CommentIn><RefSource>A</RefSource></CommentIn><RetractionIn><RefSource>B</RefSource></RetractionIn></CommentsCorrections>",
    );
    let kinds: Vec<_> = old.links.iter().map(|link| link.kind.clone()).collect();
    assert_eq!(
        kinds,
        [CorrectionKind::CommentIn, CorrectionKind::RetractionIn]
    );
}

// Field report: collective authors are dropped, dates are confused.
#[test]
fn groups_are_authors() {
    let record = in_article(
        "<AuthorList CompleteYN=\"N\"><Author ValidYN=\"N\"><LastName>Li</LastName><ForeName>A B</ForeName><Initials>AB</Initials><Suffix>Jr</Suffix>\
         <Identifier Source=\"ORCID\">0000</Identifier><AffiliationInfo><Affiliation>Here</Affiliation><Identifier Source=\"ROR\">r</Identifier></AffiliationInfo></Author>\
         <Author EqualContrib=\"Y\"><CollectiveName>The Group</CollectiveName></Author></AuthorList>",
    );
    let names: Vec<String> = record
        .authors
        .iter()
        .map(|author| author.display())
        .collect();
    assert_eq!(names, ["Li AB Jr", "The Group"]);
    assert!(!record.authors_complete && !record.authors[0].valid);
    assert!(record.authors[1].equal_contribution && record.authors[1].valid);
    assert_eq!(record.authors[0].affiliations[0].identifiers[0].value, "r");
}

#[test]
fn every_date_has_its_own_name() {
    let record = article(
        "<PubmedArticle><MedlineCitation><PMID>1</PMID><DateRevised><Year>2020</Year></DateRevised>\
         <Article><ArticleDate DateType=\"Electronic\"><Year>2018</Year></ArticleDate></Article></MedlineCitation>\
         <PubmedData><History><PubMedPubDate PubStatus=\"revised\"><Year>2017</Year><Month>1</Month><Day>2</Day>\
         <Hour>6</Hour><Minute>0</Minute></PubMedPubDate></History></PubmedData></PubmedArticle>",
    )
    .unwrap();
    let events: Vec<_> = record
        .history
        .iter()
        .map(|e| (e.event.as_str(), e.date.year()))
        .collect();
    assert_eq!(
        events,
        [
            ("last-revised", Some(2020)),
            ("electronic", Some(2018)),
            ("revised", Some(2017))
        ]
    );
    assert_eq!(
        record.history[2].date,
        PubDate::calendar(2017, Some(1), Some(2)).unwrap()
    );
    assert_eq!(record.history[2].time.as_deref(), Some("06:00"));
}

#[test]
fn old_vintages() {
    let record = in_article(
        "<Affiliation>Dept.</Affiliation><AuthorList><Author><LastName>Roe</LastName><FirstName>Ann</FirstName><MiddleName>B</MiddleName></Author></AuthorList>",
    );
    assert_eq!(record.authors[0].affiliations[0].name, "Dept.");
    let name = record.authors[0].name.as_ref().unwrap();
    assert_eq!(name.fore.as_deref(), Some("Ann B"));
    let record = in_citation(
        "<GeneSymbolList><GeneSymbol>c-myc</GeneSymbol></GeneSymbolList><NumberOfReferences>7</NumberOfReferences>",
    );
    assert_eq!(record.gene_symbols, ["c-myc"]);
    assert_eq!(record.reference_count.as_deref(), Some("7"));
}

#[test]
fn an_identifier_that_stands_twice_is_kept_once() {
    let record = article(
        "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ELocationID EIdType=\"doi\" ValidYN=\"N\">10.1/x</ELocationID></Article></MedlineCitation>\
         <PubmedData><ArticleIdList><ArticleId IdType=\"doi\">10.1/x</ArticleId><ArticleId>1</ArticleId></ArticleIdList></PubmedData></PubmedArticle>",
    )
    .unwrap();
    assert_eq!(record.other_ids.len(), 1);
    assert!(!record.other_ids[0].valid);
}

#[test]
fn what_no_dtd_has_is_kept_apart() {
    let record = in_citation("<Future>of <b>the</b> DTD</Future>stray");
    let kept = &record.metadata["unrecognised"];
    assert_eq!(
        *kept,
        serde_json::json!({"Future": ["of the DTD"], "#text": ["stray"]})
    );
}

// Field report: one bad byte loses the file.
#[test]
fn what_is_wrong_with_a_record_is_said() {
    for (xml, what) in [
        ("<MedlineCitation></MedlineCitation>", "no PMID"),
        ("<MedlineCitation><PMID> </PMID></MedlineCitation>", "empty"),
        (
            "<MedlineCitation><PMID>1 2</PMID></MedlineCitation>",
            "white space",
        ),
        (
            "<MedlineCitation><PMID Version='x'>1</PMID></MedlineCitation>",
            "version",
        ),
        ("<MedlineCitation><PMID>1</PMD></MedlineCitation>", "PMID"),
        (
            "<MedlineCitation><PMID>1</PMID><Article>&nosuch;</Article></MedlineCitation>",
            "&nosuch;",
        ),
        (
            "<MedlineCitation><PMID>1</PMID>a & b</MedlineCitation>",
            "reference not closed",
        ),
        (
            "<MedlineCitation><PMID>&#0;</PMID></MedlineCitation>",
            "&#0;",
        ),
        ("<MedlineCitation><PMID>1</PMID>", "ends inside"),
        (
            "<MedlineCitation Status=MEDLINE><PMID>1</PMID></MedlineCitation>",
            "attributes",
        ),
    ] {
        let flaw = article(xml).unwrap_err().to_string();
        assert!(flaw.contains(what), "{xml}: {flaw}");
    }
    let deep = format!("<MedlineCitation><PMID>1</PMID>{}", "<a>".repeat(100_000));
    assert!(article(&deep).unwrap_err().to_string().contains("deep"));
    let deep = format!(
        "<BookDocument><PMID>1</PMID><Sections>{}",
        "<Section>".repeat(100_000)
    );
    assert!(book(&deep).unwrap_err().to_string().contains("deep"));
}

fn boundary(text: &str, place: usize) -> usize {
    (0..=place.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap()
}

proptest! {
    #[test]
    fn a_cut_record_is_a_flaw_and_never_a_panic(place in 0..FULL.trim_end().len()) {
        let cut = &FULL[..boundary(FULL, place)];
        prop_assert!(article(cut).is_err());
    }

    #[test]
    fn a_damaged_record_never_panics(place in 0..FULL.len(), text in "[<>/&;\"' a-c\\[\\]!-]{0,3}", drop in 0usize..9) {
        let start = boundary(FULL, place);
        let end = boundary(FULL, start + drop).max(start);
        let damaged = [&FULL[..start], &text, &FULL[end..]].concat();
        if let Ok(record) = article(&damaged) {
            let stored = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(serde_json::from_str::<Article>(&stored).unwrap(), *record);
        }
    }

    #[test]
    fn any_text_never_panics(text in "\\PC{0,80}|(<[a-zA-Z/!?]{1,4}>?|&[a-z#]{0,3};?|[ \n'\"=]){0,30}") {
        let _ = (article(&text), book(&text), deletions(&text));
    }
}
