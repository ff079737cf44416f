//! Files, environment, flags, in this order.

use medsift_tests::{Workspace, sample};

/// Hits of a search for a word that many records hold.
fn hits(finished: medsift_tests::Finished) -> usize {
    let response = finished.expect(0).json();
    response["hits"].as_array().expect("hits").len()
}

#[test]
fn each_step_overrides_the_one_before() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let search = ["search", "patients", "--json", "--mode", "keyword"];
    work.write("m.toml", "[search.query]\nlimit = 3\n");
    let with_file = || work.medsift(search).args(["--config", "m.toml"]);
    assert_eq!(hits(work.medsift(search).run()), 10);
    assert_eq!(hits(with_file().run()), 3);
    let variable = "MEDSIFT_SEARCH_QUERY_LIMIT";
    assert_eq!(hits(with_file().env(variable, "2").run()), 2);
    assert_eq!(
        hits(with_file().env(variable, "2").args(["--limit", "1"]).run()),
        1
    );
    let from_environment = work.medsift(search).env("MEDSIFT_CONFIG", "m.toml");
    assert_eq!(hits(from_environment.run()), 3);
}

#[test]
fn a_key_that_is_not_known_is_an_error_with_the_nearest_one() {
    let work = Workspace::new();
    work.write("m.toml", "[search]\nef_serch = 3\n");
    work.run("stats --config m.toml").expect(2).says(&[
        "m.toml",
        "search.ef_serch",
        "search.ef_search",
    ]);
    work.medsift(["stats"])
        .env("MEDSIFT_SERVER_BIN", "127.0.0.1:1")
        .run()
        .expect(2)
        .says(&["MEDSIFT_SERVER_BIN", "MEDSIFT_SERVER_BIND"]);
    work.write("bad.toml", "[search]\nef_search = \"wide\"\n");
    work.run("stats --config bad.toml")
        .expect(2)
        .says(&["bad.toml", "line 2"]);
    work.run("stats --config absent.toml")
        .expect(1)
        .says(&["absent.toml"]);
}

#[test]
fn the_files_that_ship_are_valid() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample-2014.xml")]);
    let config = medsift_tests::fixture("../../config");
    work.medsift(["stats", "--config"])
        .arg(config.join("index.toml"))
        .arg("--config")
        .arg(config.join("server.toml"))
        .run()
        .expect(0)
        .prints(&["articles"]);
}
