//! pyarrow, DuckDB and Polars over medsift's columns, and a file of pyarrow's.

use medsift_tests::{Workspace, python, sample, tiny_model};
use serde_json::Value;

const SCRIPT: &str = "tests/clients/read_columns.py";

fn exported() -> Workspace {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    for (format, name) in [
        ("parquet", "all.parquet"),
        ("arrow", "all.arrow"),
        ("arrow-stream", "all.arrows"),
        ("jsonl", "all.jsonl"),
    ] {
        let mut args = vec!["export", "--all", "--format", format, "--output", name];
        args.extend((format != "jsonl").then_some("--vectors"));
        let _ = work.medsift(&args).run().expect(0);
    }
    work
}

#[test]
fn other_programs_read_what_is_written() {
    let work = exported();
    python(&work, SCRIPT, &["check", "."])
        .expect(0)
        .prints(&["71 articles"]);
}

#[test]
fn other_programs_read_what_is_served() {
    let work = exported();
    let mut running = work.medsift(["serve", "--port", "0"]).start();
    let server = format!("http://{}", running.address());
    python(&work, SCRIPT, &["served", ".", &server])
        .expect(0)
        .prints(&["71 articles"]);
}

#[test]
fn a_file_of_another_program_is_imported() {
    let work = exported();
    let _ = python(&work, SCRIPT, &["make", "."]).expect(0);
    let import = |file: &str, code: i32| -> Value {
        let command = work.medsift(["import", "--json", "--index", "made", "--model"]);
        command
            .arg(tiny_model())
            .arg(work.join(file))
            .run()
            .expect(code)
            .json()
    };
    let report = import("made.parquet", 0);
    let total = &report["total"];
    assert_eq!(
        (&total["added"], &total["quarantined"]),
        (&2.into(), &1.into()),
        "{report:#}"
    );
    let fault = &report["files"][0]["faults"][0];
    assert_eq!(fault["id"], "made-2");
    let reason = fault["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("lie beyond the text, which has 6"),
        "{reason}"
    );
    let made = work.run("show made-1 --index made --json").expect(0).json();
    assert_eq!(made["article"]["title"], "Tea everywhere");
    assert_eq!(made["article"]["authors"][0]["name"]["initials"], "JA");
    assert_eq!(made["article"]["metadata"]["cited_by"], 7);
    let _ = work
        .run("export --all --index made --format parquet --vectors --output back.parquet")
        .expect(0);
    let _ = python(&work, SCRIPT, &["back", "."]).expect(0);
    work.run("verify --index made").expect(0).prints(&["sound"]);
    let refused = import("nameless.parquet", 1);
    let reason = refused["files"][0]["refused"].as_str().expect("a reason");
    assert!(reason.contains("medsift.model"), "{reason}");
}
