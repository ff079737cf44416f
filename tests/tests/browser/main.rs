//! The search page in a real browser: `tests/browser/run.mjs` drives Chromium
//! against a server over the sample, with heads over the tiny model that find
//! something everywhere, and with an article whose every text tries to be
//! markup.

mod heads;

use medsift_tests::{Workspace, node, sample};

/// Text that a page must never take for markup, as XML has it.
const EVIL: &str =
    "&lt;script&gt;window.hit=1&lt;/script&gt;&lt;img src=x onerror=\"window.hit=2\"&gt;";

/// A record of PubMed whose texts are hostile.
fn hostile() -> String {
    format!(
        "<PubmedArticleSet><PubmedArticle><MedlineCitation Status=\"MEDLINE\" Owner=\"NLM\">\
         <PMID Version=\"1\">990009001</PMID><Article PubModel=\"Print\"><Journal><JournalIssue \
         CitedMedium=\"Print\"><Volume>{EVIL}</Volume><PubDate><Year>2020</Year></PubDate>\
         </JournalIssue><Title>Xylophonic reports {EVIL}</Title><ISOAbbreviation>Xylophonic \
         {EVIL}</ISOAbbreviation></Journal><ArticleTitle>Xylophonia of marmots {EVIL}\
         </ArticleTitle><Abstract><AbstractText Label=\"{LABEL}\">What xylophonia of marmots is: \
         muscle pain {EVIL} after statins.</AbstractText></Abstract><AuthorList><Author \
         ValidYN=\"Y\"><LastName>{EVIL}</LastName><Initials>X</Initials><AffiliationInfo>\
         <Affiliation>{EVIL}</Affiliation></AffiliationInfo></Author></AuthorList><Language>ice</Language>\
         <PublicationTypeList><PublicationType UI=\"\">{EVIL}</PublicationType>\
         </PublicationTypeList></Article><MeshHeadingList><MeshHeading><DescriptorName UI=\"D1\" \
         MajorTopicYN=\"Y\">{EVIL}</DescriptorName></MeshHeading></MeshHeadingList>\
         </MedlineCitation></PubmedArticle></PubmedArticleSet>",
        LABEL = EVIL.replace('"', "&quot;"),
    )
}

#[test]
fn the_page_holds_in_a_browser() {
    let work = Workspace::new();
    let model = heads::trained(&work);
    let evil = work.write("hostile.xml", hostile());
    let _ = work
        .medsift(["index", "--model"])
        .arg(model)
        .args([sample("medsift-sample.xml"), evil])
        .run()
        .expect(0)
        .prints(&["the index holds 72 articles"]);
    let serve = work.medsift(["serve", "--port", "0"]);
    // On a machine that is busy: time enough to read all articles of a page.
    let mut running = serve
        .env("MEDSIFT_SEARCH_ANSWER_BUDGET_MS", "600000")
        .env("MEDSIFT_SEARCH_ENRICH_BUDGET_MS", "600000")
        // A line for each request would fill the pipe that nobody reads.
        .env("MEDSIFT_LOG", "error")
        .start();
    let (line, _output) = running.first_line();
    let part = std::env::var("MEDSIFT_TEST_BROWSER_CASES").unwrap_or_default();
    assert!(
        node(&work, "tests/browser/run.mjs", &[&line, &part]),
        "cases fail: see above"
    );
    running.signal("INT");
    let _ = running.wait().expect(0);
}
