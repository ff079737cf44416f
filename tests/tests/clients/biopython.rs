//! Biopython's Entrez, pointed at a server over the sample.

use medsift_tests::{Workspace, python, sample};

#[test]
fn the_usual_calls_of_the_tutorial_give_what_they_should() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let server = format!("http://{}", running.address());
    let steps = [
        "info", "search", "orders", "history", "summary", "fetch", "links",
    ];
    let finished = python(&work, "tests/clients/biopython.py", &[&server]).expect(0);
    let _ = finished.prints(&steps);
}

#[test]
fn the_example_finds_articles() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let server = format!("http://{}", running.address());
    let arguments = [server.as_str(), "statins AND muscle pain"];
    let finished = python(&work, "docs/examples/biopython_search.py", &arguments).expect(0);
    let _ = finished.prints(&["articles for", "990000001  Muscle pain in adults"]);
}
