//! What users see when something is not as it should be.

use medsift_tests::{Workspace, fixture, sample, tiny_model};
use std::fs::{self, File};

#[test]
fn without_an_index_every_command_says_how_to_make_one() {
    let work = Workspace::new();
    for command in ["search x", "show 1", "stats", "serve", "verify"] {
        let finished = work.run(command).expect(1);
        finished.says(&["no index at ./idx", "medsift index FILE", "--index"]);
    }
}

#[test]
fn queries_that_cannot_be_asked_are_usage_errors() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample-2014.xml")]);
    for (args, part) in [
        (vec!["search", ""], "empty"),
        (vec!["search", "  "], "empty"),
        (vec!["search", "x", "--limit", "0"], "limit"),
        (vec!["search", "x", "--offset", "99999"], "narrow"),
        (vec!["search", "x", "--year", "2020..2010"], "swap"),
        (vec!["search", "x", "--year", "soon"], "2019-2023"),
        (
            vec!["search", "x", "--mode", "fuzzy"],
            "hybrid, keyword or semantic",
        ),
        (vec!["search", "x", "--journal", " "], "journal"),
        (vec!["search"], "WORDS"),
        (vec!["show", "a b"], "white space"),
        (vec!["frobnicate"], "frobnicate"),
    ] {
        work.medsift(args).run().expect(2).says(&[part]);
    }
}

#[test]
fn only_stop_words_still_get_an_answer_and_a_note() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    for mode in ["keyword", "hybrid", "semantic"] {
        let finished = work
            .run(&format!("search the of and --mode {mode}"))
            .expect(0);
        if mode != "semantic" {
            finished.says(&["note:"]);
        }
    }
}

#[test]
fn signs_that_mean_something_elsewhere_are_just_text() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    for query in [
        "statins (muscle",
        "title:statins",
        "\"muscle pain",
        "https://doi.org/10.5555/medsift.2023.0001",
        "c.521T>C",
        "TNF-α",
        "a* ~ ^2 && || !",
        "\\",
        "[unknown]",
        "日本語",
    ] {
        work.medsift(["search", query]).run().expect(0);
    }
    // A leading hyphen needs the usual double hyphen, and says so.
    work.medsift(["search", "-statins"])
        .run()
        .expect(2)
        .says(&["--"]);
    work.medsift(["search", "--", "-statins"]).run().expect(0);
}

#[test]
fn an_article_that_is_not_there_is_named() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample-2014.xml")]);
    work.run("show 12345").expect(1).says(&["12345", "./idx"]);
}

#[test]
fn another_model_is_refused_by_name() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample-2014.xml")]);
    let other = fixture("models").join("roberta-max");
    for args in [vec!["search", "x"], vec!["index", "more.xml"]] {
        fs::copy(sample("medsift-sample-update.xml"), work.join("more.xml")).expect("a copy");
        let finished = work
            .medsift(args)
            .arg("--model")
            .arg(&other)
            .run()
            .expect(1);
        finished.says(&["bert-mean", "roberta-max"]);
    }
    // And no model at all.
    work.run("search x --model absent")
        .expect(1)
        .says(&["minilm", "model directory"]);
    fs::create_dir(work.join("empty")).expect("a folder");
    work.run("search x --model empty")
        .expect(1)
        .says(&["config.json"]);
}

#[test]
fn a_model_that_has_moved_is_found_again_with_a_flag() {
    let work = Workspace::new();
    let moved = work.join("model");
    copy_folder(&tiny_model(), &moved);
    work.medsift(["index", "--model", "model"])
        .arg(sample("medsift-sample-2014.xml"))
        .run()
        .expect(0);
    fs::rename(&moved, work.join("elsewhere")).expect("a rename");
    // Whoever insists on a mode that needs it is refused.
    for mode in ["hybrid", "semantic"] {
        work.run(&format!("search pregnancy --mode {mode}"))
            .expect(1)
            .says(&["no longer at", "--model DIR", "--mode keyword"]);
    }
    // Whoever does not gets what the words find, and is told.
    let words = work.run("search pregnancy --mode keyword --json").expect(0);
    let words = words.json();
    let found = work
        .run("search pregnancy --json")
        .expect(0)
        .says(&["no longer at", "--model DIR"])
        .json();
    assert_eq!(found["hits"], words["hits"]);
    assert_eq!(found["mode"], "keyword");
    let warnings = found["warnings"].to_string();
    assert!(
        warnings.contains("only the words were searched"),
        "{warnings}"
    );
    work.run("search pregnancy")
        .expect(0)
        .says(&["note: only the words were searched"]);
    let whole = work
        .run("search pregnancy --model elsewhere --json")
        .expect(0);
    assert_eq!(whole.json()["mode"], "hybrid");
}

#[test]
fn a_second_writer_is_told_who_writes() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample-2014.xml")]);
    let lock = File::options()
        .write(true)
        .open(work.join("idx/LOCK"))
        .expect("the lock file");
    lock.lock().expect("the lock");
    work.medsift(["index", "--model"])
        .arg(tiny_model())
        .arg(sample("medsift-sample.xml"))
        .run()
        .expect(1)
        .says(&["is writing", "idx"]);
    // Readers are not in the way.
    work.run("stats").expect(0);
    drop(lock);
    work.index(&[&sample("medsift-sample.xml")]);
}

#[test]
fn inputs_that_cannot_be_read_are_named_and_fail() {
    let work = Workspace::new();
    let wrong = work.write(
        "notes.xml",
        "<?xml version=\"1.0\"?><catalogue><book/></catalogue>",
    );
    let absent = work.join("absent.xml");
    let finished = work
        .medsift(["index", "--model"])
        .arg(tiny_model())
        .args([&wrong, &sample("medsift-sample-2014.xml")])
        .run()
        .expect(1);
    // The wrong file is refused with its root element; the other one counts.
    let finished = finished.prints(&["refused", "catalogue", "the index holds 2 articles"]);
    assert!(!finished.stdout.contains("do not add up"), "{finished:#?}");
    let finished = work
        .medsift(["index", "--model"])
        .arg(tiny_model())
        .arg(&absent)
        .run();
    assert_ne!(finished.code, Some(0), "{finished:#?}");
    finished.says(&["absent.xml"]);
    work.medsift(["index", "--model"])
        .arg(tiny_model())
        .arg("none/*.xml")
        .run()
        .says(&["none"]);
}

fn copy_folder(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}
