//! Getting and inspecting models.

use medsift_tests::fake_hub::FakeHub;
use medsift_tests::{Workspace, sample, tiny_model};
use std::fs;

/// An address at which nobody answers, so that no test asks the real hub.
const NOBODY: &str = "http://127.0.0.1:9";

#[test]
fn a_hub_model_is_fetched_once_and_then_works_offline() {
    let work = Workspace::new();
    let hub = FakeHub::start("org/tiny", &tiny_model());
    let get = || work.medsift(["model", "get", "org/tiny"]);
    let fetched = get().env("HF_ENDPOINT", hub.endpoint()).run().expect(0);
    let dir = fetched.stdout.trim().to_owned();
    assert!(dir.ends_with(".cache/medsift/models/org--tiny"), "{dir}");
    for name in ["config.json", "model.safetensors", "1_Pooling/config.json"] {
        let (ours, theirs) = (
            fs::read(format!("{dir}/{name}")),
            fs::read(tiny_model().join(name)),
        );
        assert_eq!(ours.expect(name), theirs.expect(name), "{name}");
    }
    let left = fs::read_dir(work.join("home/.cache/medsift/models")).expect("the cache");
    assert_eq!(left.count(), 1, "nothing but the model is left");
    let again = get().env("HF_ENDPOINT", NOBODY).run().expect(0);
    assert_eq!(again.stdout, fetched.stdout);
    work.medsift(["index", "--model", "org/tiny"])
        .arg(sample("medsift-sample-2014.xml"))
        .env("HF_ENDPOINT", NOBODY)
        .run()
        .expect(0)
        .prints(&["2 articles"]);
    // The index remembers the name and finds the model by it.
    work.run("search x").expect(0);
}

#[test]
fn a_hub_model_that_is_not_there_leaves_nothing_behind() {
    let work = Workspace::new();
    let hub = FakeHub::start("org/tiny", &tiny_model());
    work.medsift(["model", "get", "org/other"])
        .env("HF_ENDPOINT", hub.endpoint())
        .run()
        .expect(1)
        .says(&["org/other", "no such model", "--model DIR"]);
    let left = fs::read_dir(work.join("home/.cache/medsift/models")).expect("the cache");
    assert_eq!(left.count(), 0);
}

#[test]
fn content_with_another_digest_is_not_taken() {
    let work = Workspace::new();
    // A hub that serves other files under the known model's name.
    let hub = FakeHub::start("sentence-transformers/all-MiniLM-L6-v2", &tiny_model());
    work.medsift(["model", "get", "minilm"])
        .env("HF_ENDPOINT", hub.endpoint())
        .env("PATH", "/nonexistent")
        .run()
        .expect(1)
        .says(&["SHA-256", "python3", "--model DIR"]);
    work.run("model list")
        .expect(0)
        .prints(&["minilm", "medsift model get"]);
}

#[test]
fn the_default_model_needs_no_network() {
    let work = Workspace::new();
    let file = sample("medsift-sample-2014.xml");
    let offline = |command: &[&str]| {
        work.medsift(command)
            .env("HF_ENDPOINT", NOBODY)
            .env("PATH", "/nonexistent")
    };
    offline(&["index"]).arg(&file).run().expect(0);
    let stats = work.run("stats --json").expect(0).json();
    let model = stats["model"]["name"].as_str().expect("a name");
    assert!(model.starts_with("medsift-mini"), "{model}");
    let found = offline(&["search", "pain of the muscles", "--json"])
        .run()
        .expect(0)
        .json();
    assert!(!found["hits"].as_array().expect("hits").is_empty());
}

#[test]
fn without_a_network_the_remedies_are_told_at_once() {
    let work = Workspace::new();
    let began = std::time::Instant::now();
    let finished = work
        .medsift(["index", "--model", "minilm"])
        .arg(sample("medsift-sample-2014.xml"))
        .env("HF_ENDPOINT", NOBODY)
        .env("PATH", "/nonexistent")
        .run()
        .expect(1);
    finished.says(&["hub", "not reachable", "pip", "--model DIR", "HF_ENDPOINT"]);
    assert!(began.elapsed().as_secs() < 30);
}

#[test]
fn list_and_inspect_describe_models() {
    let work = Workspace::new();
    work.run("model list").expect(0).prints(&[
        "medsift-mini",
        "part of this program",
        "minilm",
        "384",
        "Apache-2.0",
        ".cache/medsift",
    ]);
    let list = work.run("model list --json").expect(0).json();
    assert_eq!(list[0]["name"], "medsift-mini");
    assert_eq!(list[0]["shipped"], true);
    assert_eq!(list[1]["name"], "minilm");
    assert_eq!(list[1]["directory"], serde_json::Value::Null);
    let inspect = || work.medsift(["model", "inspect"]).arg(tiny_model());
    inspect().run().expect(0).prints(&[
        "architecture    bert",
        "layers",
        "dimension       32",
        "pooling         mean",
        "vocabulary",
        "max tokens",
        "query prompt",
        "fingerprint",
        "model.safetensors",
        "1_Pooling/config.json",
    ]);
    let json = inspect().arg("--json").run().expect(0).json();
    assert_eq!(json["fingerprint"]["dimension"], 32);
    assert_eq!(json["architecture"], "bert");
    work.run("model inspect absent")
        .expect(1)
        .says(&["absent", "org/name"]);
}

#[test]
fn the_cache_is_where_the_user_wants_it() {
    let work = Workspace::new();
    let cache = work.join("elsewhere");
    work.medsift(["model", "list"])
        .env("MEDSIFT_CACHE", &cache)
        .run()
        .expect(0)
        .prints(&[&cache.display().to_string()]);
    work.medsift(["model", "list"])
        .env("XDG_CACHE_HOME", &cache)
        .run()
        .expect(0)
        .prints(&[&cache.join("medsift").display().to_string()]);
}
