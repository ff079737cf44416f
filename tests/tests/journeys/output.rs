//! Where output goes, and what happens when it cannot.

use medsift_tests::{Workspace, sample};
use std::fs::File;
use std::io::Read;
use std::process::Stdio;

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    for command in [
        "search patients --limit 50",
        "show 990000061",
        "stats --json",
        "--help",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let finished = work
            .medsift(command.split_whitespace())
            .stdout(Stdio::from(writer))
            .run()
            .expect(0);
        assert!(finished.stderr.is_empty(), "{command}: {finished:#?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_an_error() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("/dev/full");
    work.medsift(["search", "patients"])
        .stdout(Stdio::from(full))
        .run()
        .expect(1)
        .says(&["cannot write the output"]);
}

#[test]
fn quiet_means_quiet_and_files_get_no_escapes() {
    let work = Workspace::new();
    let indexed = work
        .medsift(["index", "--quiet", "--model"])
        .arg(medsift_tests::tiny_model())
        .arg(sample("medsift-sample.xml"))
        .run()
        .expect(0);
    assert_eq!((indexed.stdout.as_str(), indexed.stderr.as_str()), ("", ""));
    let found = work.run("search the statins --quiet").expect(0);
    assert_eq!(found.stderr, "");
    assert!(!found.stdout.contains('\x1b'), "{found:#?}");
    work.run("verify --quiet").expect(0);
}

#[test]
fn verbose_logs_what_is_done() {
    let work = Workspace::new();
    let indexed = work
        .medsift(["index", "-v", "--model"])
        .arg(medsift_tests::tiny_model())
        .arg(sample("medsift-sample-2014.xml"))
        .run()
        .expect(0);
    let indexed = indexed.says(&["INFO", "medsift-sample-2014.xml", "committed"]);
    // No bars where nobody sees them move.
    assert!(!indexed.stderr.contains('\r'), "{indexed:#?}");
}

#[test]
fn a_terminal_gets_marked_words() {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    // `script` gives the command a terminal.
    let finished = std::process::Command::new("script")
        .args(["-qec"])
        .arg(format!(
            "{} search statins --mode keyword",
            medsift_tests::binary().display()
        ))
        .arg("/dev/null")
        .current_dir(work.path())
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut running) = finished else {
        skipped("a_terminal_gets_marked_words", "there is no script(1)");
        return;
    };
    let mut text = String::new();
    let mut out = running.stdout.take().expect("output is piped");
    out.read_to_string(&mut text).expect("output can be read");
    assert!(running.wait().expect("it ends").success());
    assert!(text.to_lowercase().contains("\x1b[1;33mstatins"), "{text}");
}

#[expect(clippy::print_stdout, reason = "reports a test that cannot run here")]
fn skipped(test: &str, reason: &str) {
    println!("ignored {test}: {reason}");
}
