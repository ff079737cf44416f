use super::*;
use medsift::article::{CorrectionKind, Markup};
use proptest::prelude::*;

const FULL: &str = r#"<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article" xml:lang="en">
<front>
<journal-meta><journal-id journal-id-type="nlm-ta">J Samples</journal-id>
<journal-title-group><journal-title>The journal of samples</journal-title></journal-title-group>
<issn pub-type="epub">0000-0019</issn><issn pub-type="ppub">0000-0027</issn>
<publisher><publisher-name>Press</publisher-name></publisher></journal-meta>
<article-meta>
<article-id pub-id-type="pmid">990000001</article-id><article-id pub-id-type="pmc">77</article-id>
<article-id pub-id-type="doi">10.0000/x</article-id>
<article-categories><subj-group><subject>Research</subject></subj-group></article-categories>
<title-group><article-title>Uptake of CO<sub>2</sub><xref ref-type="fn" rid="f1">*</xref></article-title><subtitle>a sample</subtitle></title-group>
<contrib-group>
<contrib contrib-type="author" equal-contrib="yes"><contrib-id contrib-id-type="orcid">0000</contrib-id>
<name><surname>Roe</surname><given-names>Ann-Lise B.</given-names></name><xref ref-type="aff" rid="a1 a2"/></contrib>
<contrib contrib-type="author"><collab>The Group<contrib-group><contrib><name><surname>Hidden</surname></name></contrib></contrib-group></collab></contrib>
<contrib contrib-type="editor"><name><surname>Poe</surname><given-names>P</given-names></name></contrib>
</contrib-group>
<aff id="a1"><label>1</label>Dept of <italic>Samples</italic></aff><aff id="a2"><label>2</label>Elsewhere</aff>
<pub-date pub-type="epub"><day>3</day><month>2</month><year>2020</year></pub-date>
<pub-date pub-type="ppub"><season>Winter</season><year>2021</year></pub-date>
<volume>3</volume><issue>1</issue><fpage>10</fpage><lpage>12</lpage>
<history><date date-type="received"><day>1</day><month>Jan</month><year>2020</year></date></history>
<permissions><copyright-statement>© Nobody</copyright-statement><license xlink:href="http://x"><p>Free.</p></license></permissions>
<related-article related-article-type="retracted-article" ext-link-type="pubmed" xlink:href="5"/>
<abstract><title>Abstract</title><sec><title>Aim</title><p>To see <italic>E. coli</italic>.</p></sec><sec><title>Result</title><p>One.</p><p>Two.</p></sec></abstract>
<abstract abstract-type="summary"><p>In short.</p></abstract>
<trans-abstract xml:lang="fr"><p>Bref.</p></trans-abstract>
<kwd-group kwd-group-type="author"><title>Keywords</title><kwd>algae</kwd><kwd>CO<sub>2</sub></kwd></kwd-group>
<funding-group><award-group><funding-source>Fund</funding-source><award-id>A1</award-id><award-id>A2</award-id></award-group></funding-group>
</article-meta></front>
<body><p>Before.</p>
<sec sec-type="methods"><label>2</label><title>Methods</title><p>We did &alpha;.</p>
<fig><label>Figure 1</label><caption><p>A picture.</p></caption><graphic/></fig>
<sec><title>Inner</title><p>x<disp-formula><alternatives><tex-math>\bad</tex-math><mml:math><mml:mi>y</mml:mi></mml:math></alternatives></disp-formula>z</p>
<table-wrap><label>Table 1</label><caption><p>Numbers.</p></caption><table><tr><td>1</td></tr></table></table-wrap></sec><p>After.</p></sec></body>
<back><ack><p>Thanks.</p></ack><fn-group><fn fn-type="conflict"><p>None.</p></fn></fn-group>
<ref-list><title>References</title><ref id="r1"><label>1</label><element-citation><person-group><name><surname>Old</surname><given-names>A</given-names></name></person-group><article-title>On <italic>air</italic></article-title><year>1999</year><pub-id pub-id-type="pmid">9</pub-id></element-citation></ref>
<ref><mixed-citation>New B. <source>Book</source>. 2001.</mixed-citation></ref></ref-list></back>
<sub-article><front-stub/><body><p>Review.</p></body></sub-article>
</article>"#;

#[test]
fn front_matter() {
    let record = article(FULL).unwrap();
    assert_eq!(record.id.as_str(), "990000001");
    assert_eq!(record.title.plain, "Uptake of CO2*: a sample");
    assert_eq!(record.title.markup[0].kind, Markup::Sub);
    assert_eq!(record.other_id("pmc"), Some("PMC77"));
    let journal = record.journal.as_ref().unwrap();
    assert_eq!(
        (&*journal.title, journal.issn.as_deref()),
        ("The journal of samples", Some("0000-0027"))
    );
    assert_eq!(journal.medline_abbreviation.as_deref(), Some("J Samples"));
    assert_eq!(
        record.published.as_ref().unwrap().to_string(),
        "2021 Winter"
    );
    let events: Vec<_> = record
        .history
        .iter()
        .map(|event| event.event.as_str())
        .collect();
    assert_eq!(events, ["electronic", "ppub", "received"]);
    assert_eq!(record.languages, ["eng"]);
    assert_eq!(record.copyright.as_deref(), Some("© Nobody"));
    assert_eq!(record.links[0].kind, CorrectionKind::RetractionOf);
    assert_eq!(record.links[0].pmid.as_deref(), Some("5"));
    assert_eq!(record.grants.len(), 2);
    assert_eq!(record.keywords[0].keywords[1].text, "CO2");
    assert_eq!(record.metadata["sub_articles"], 1);
}

#[test]
fn people_and_where_they_work() {
    let record = article(FULL).unwrap();
    let names: Vec<String> = record
        .authors
        .iter()
        .map(|author| author.display())
        .collect();
    assert_eq!(names, ["Roe ALB", "The Group"]);
    let places: Vec<_> = record.authors[0]
        .affiliations
        .iter()
        .map(|a| a.name.as_str())
        .collect();
    assert_eq!(places, ["Dept of Samples", "Elsewhere"]);
    assert!(record.authors[0].equal_contribution);
    assert_eq!(record.editors[0].display(), "Poe P");
}

#[test]
fn sections_have_their_headings() {
    let record = article(FULL).unwrap();
    let show = |sections: &[medsift::article::Section]| -> Vec<String> {
        let show = |s: &medsift::article::Section| {
            format!(
                "{}|{}",
                s.label.as_deref().unwrap_or_default(),
                s.text.plain
            )
        };
        sections.iter().map(show).collect()
    };
    assert_eq!(
        show(&record.abstract_sections),
        ["Aim|To see E. coli.", "Result|One. Two."]
    );
    let others: Vec<_> = record
        .other_abstracts
        .iter()
        .map(|other| show(&other.sections))
        .collect();
    assert_eq!(others, [["|In short."], ["|Bref."]]);
    assert_eq!(record.other_abstracts[1].language.as_deref(), Some("fre"));
    assert_eq!(
        show(&record.body),
        [
            "|Before.",
            "Methods|We did α. Figure 1 A picture.",
            "Inner|x y z Table 1 Numbers.",
            "|After.",
            "Acknowledgements|Thanks."
        ]
    );
    assert_eq!(record.body[1].category.as_deref(), Some("methods"));
    assert_eq!(record.conflict_of_interest.as_deref(), Some("None."));
}

#[test]
fn references_keep_text_and_ids() {
    let record = article(FULL).unwrap();
    let citations: Vec<_> = record
        .references
        .iter()
        .map(|r| r.citation.as_str())
        .collect();
    assert_eq!(citations, ["Old A On air 1999", "New B. Book. 2001."]);
    assert_eq!(record.references[0].ids[0].kind, "pubmed");
}

#[test]
fn the_id_is_the_best_there_is() {
    let with = |ids: &str| {
        let xml = format!("<article><front><article-meta>{ids}</article-meta></front></article>");
        article(&xml)
            .map(|record| record.id.to_string())
            .map_err(|flaw| flaw.to_string())
    };
    let pmc = "<article-id pub-id-type='pmcid'>PMC5</article-id>";
    let doi = "<article-id pub-id-type='doi'>10.1/x</article-id>";
    assert_eq!(with(&format!("{doi}{pmc}")).unwrap(), "PMC5");
    assert_eq!(with(doi).unwrap(), "10.1/x");
    assert!(with("").unwrap_err().contains("no PMID, PMC id or DOI"));
}

proptest! {
    #[test]
    fn damage_never_panics(place in 0..FULL.len(), text in "[<>/&;\"a ]{0,3}") {
        let at = (0..=place).rev().find(|&at| FULL.is_char_boundary(at)).unwrap();
        prop_assert!(article(&FULL[..at]).is_err());
        let _ = article(&[&FULL[..at], &text, &FULL[at..]].concat());
    }
}
