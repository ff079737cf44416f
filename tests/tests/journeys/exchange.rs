//! Articles and vectors out of one index and into another, references of other
//! programs, and what does not take the place of what.

use medsift_tests::{Finished, Workspace, fixture, sample, tiny_model};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const COUNT: u64 = 71;

fn indexed() -> Workspace {
    let work = Workspace::new();
    work.index(&[&sample("medsift-sample.xml")]);
    work
}

/// Reads files into `./idx` of a folder and gives the report.
fn import(work: &Workspace, files: &[&Path], options: &[&str], code: i32) -> Value {
    import_with(work, &tiny_model(), files, options, code)
}

fn import_with(
    work: &Workspace,
    model: &Path,
    files: &[&Path],
    options: &[&str],
    code: i32,
) -> Value {
    let finished = work
        .medsift(["import", "--json", "--model"])
        .arg(model)
        .args(files)
        .args(options)
        .run()
        .expect(code);
    let report = finished.json();
    let total = &report["total"];
    let sum: u64 = ["added", "replaced", "unchanged", "deleted", "quarantined"]
        .iter()
        .map(|name| total[name].as_u64().expect("a count"))
        .sum();
    assert_eq!(total["read"], sum, "{report:#}");
    report
}

fn export(work: &Workspace, args: &[&str]) -> Finished {
    work.medsift(["export", "--all"].iter().chain(args))
        .run()
        .expect(0)
}

/// Every article of an index as it exports them, by id.
fn articles(work: &Workspace) -> BTreeMap<String, String> {
    let lines = export(work, &[]).stdout;
    let id = |line: &str| -> String {
        let article: Value = serde_json::from_str(line).expect("JSON");
        article["id"].as_str().expect("an id").to_owned()
    };
    lines
        .lines()
        .map(|line| (id(line), line.to_owned()))
        .collect()
}

/// The vectors of an index, to the bit, as its segments hold them.
fn ranking(work: &Workspace) -> Value {
    let found = work.run("search statins muscle pain --mode semantic --exact --limit 71 --json");
    let mut answer = found.expect(0).json();
    let hits = answer["hits"].as_array_mut().expect("hits").iter_mut();
    let hits = hits.map(|hit| {
        let passage = hit["passage"].take();
        serde_json::json!([hit["id"], hit["score"], passage])
    });
    hits.collect()
}

#[test]
fn everything_goes_out_and_comes_back() {
    let work = indexed();
    let before = articles(&work);
    assert_eq!(before.len() as u64, COUNT);
    let ranked = ranking(&work);
    for (format, vectors) in [
        ("parquet", true),
        ("arrow", true),
        ("arrow-stream", true),
        ("parquet", false),
        ("jsonl", false),
    ] {
        let file = work.join("all.out");
        let mut args = vec!["--format", format, "--output", "all.out"];
        args.extend(vectors.then_some("--vectors"));
        export(&work, &args).says(&["71 articles"]);
        let again = Workspace::new();
        let report = import(&again, &[&file], &[], 0);
        assert_eq!(report["total"]["added"], COUNT, "{format}: {report:#}");
        assert_eq!(articles(&again), before, "{format}");
        assert_eq!(ranking(&again), ranked, "{format}");
        again.run("verify").expect(0).prints(&["sound"]);
        // The same file, and the same articles, change nothing.
        let report = import(&again, &[&file], &[], 0);
        assert_eq!(report["total"]["read"], 0, "{report:#}");
        let report = import(&work, &[&file], &[], 0);
        assert_eq!(report["total"]["unchanged"], COUNT, "{report:#}");
    }
}

#[test]
fn vectors_of_another_model_are_refused_and_can_be_made_anew() {
    let work = indexed();
    export(
        &work,
        &[
            "--format",
            "parquet",
            "--vectors",
            "--output",
            "all.parquet",
        ],
    );
    let file = work.join("all.parquet");
    let other = Workspace::new();
    let model = fixture("models").join("mpnet");
    let report = import_with(&other, &model, &[&file], &[], 1);
    let refused = report["files"][0]["refused"].as_str().expect("a reason");
    for part in ["bert-mean", "mpnet", "--reencode"] {
        assert!(refused.contains(part), "{refused}");
    }
    assert_eq!(report["articles"], 0);
    let report = import_with(&other, &model, &[&file], &["--reencode"], 0);
    assert_eq!(report["total"]["added"], COUNT, "{report:#}");
    other.run("verify").expect(0).prints(&["sound"]);
    // One vector an article is another way to make passages.
    let whole = Workspace::new();
    let report = import(&whole, &[&file], &["--passages", "off"], 1);
    let refused = report["files"][0]["refused"].as_str().expect("a reason");
    assert!(refused.contains("--passages on"), "{refused}");
}

#[test]
fn references_of_the_sample_are_read_and_replace_nothing_that_says_more() {
    let work = indexed();
    let before = articles(&work);
    for format in ["nbib", "ris", "bibtex", "csl"] {
        let name = format!("all.{format}");
        export(&work, &["--format", format, "--output", &name]);
        let file = work.join(&name);
        let fresh = Workspace::new();
        let report = import(&fresh, &[&file], &[], 0);
        assert_eq!(report["total"]["added"], COUNT, "{format}: {report:#}");
        assert!(articles(&fresh).keys().eq(before.keys()), "{format}");
        fresh.run("verify").expect(0).prints(&["sound"]);
        // Over their source they change nothing, and it is said.
        let report = import(&work, &[&file], &[], 0);
        assert_eq!(report["total"]["unchanged"], COUNT, "{format}: {report:#}");
        assert_eq!(report["total"]["replaced"], 0);
        assert!(
            report["files"][0]["kept"].as_u64().expect("a count") > 60,
            "{report:#}"
        );
        assert_eq!(articles(&work), before, "{format}");
    }
    let text = work
        .medsift(["index", "--model"])
        .arg(tiny_model())
        .args(["--replace", "all.ris"])
        .run()
        .expect(0);
    // Who insists gets it, although the file was applied before.
    assert!(!text.stdout.contains("already in the index"), "{text:#?}");
    let after = articles(&work);
    assert!(after["990000001"].len() < before["990000001"].len());
    // And what says more takes the place of what says less.
    let report = import(&work, &[&work.join("all.nbib")], &["--replace"], 0);
    assert!(
        report["total"]["replaced"].as_u64() > Some(60),
        "{report:#}"
    );
    work.run("verify").expect(0).prints(&["sound"]);
}

#[test]
fn a_record_that_was_revised_later_is_news_in_any_format() {
    let work = indexed();
    let kept = work.write("old.nbib", "PMID- 990000001\nTI  - Half of it\n\n");
    let told = work
        .medsift(["index", "--model"])
        .arg(tiny_model())
        .arg(&kept)
        .run()
        .expect(0);
    told.prints(&["kept:", "1 of the unchanged", "--replace"]);
    let old = work.run("show 990000001 --json").expect(0).json();
    let history = old["article"]["history"].as_array().expect("dates");
    assert!(
        history.iter().any(|event| event["event"] == "last-revised"),
        "{history:?}"
    );
    let news = work.write(
        "new.nbib",
        "PMID- 990000001\nLR  - 20991231\nTI  - What is known by now\n\n",
    );
    let report = import(&work, &[&news], &[], 0);
    assert_eq!(report["total"]["replaced"], 1, "{report:#}");
    let now = work.run("show 990000001 --json").expect(0).json();
    assert_eq!(now["article"]["title"], "What is known by now");
    assert_eq!(now["completeness"], "tagged");
}

#[test]
fn a_folder_of_beir_goes_out_and_in() {
    let work = Workspace::new();
    let corpus = "{\"_id\": \"MED-1\", \"title\": \"Tea\", \"text\": \"About tea.\", \
        \"metadata\": {\"url\": \"u\"}}\n";
    std::fs::create_dir(work.join("tea")).expect("a folder");
    work.write("tea/corpus.jsonl", corpus);
    work.write(
        "tea/queries.jsonl",
        "{\"_id\": \"Q1\", \"text\": \"tea?\"}\n",
    );
    let report = import(&work, &[&work.join("tea")], &[], 0);
    assert_eq!(report["total"]["added"], 1, "{report:#}");
    export(&work, &["--format", "beir", "--output", "again"]);
    let written = std::fs::read_to_string(work.join("again/corpus.jsonl")).expect("a corpus");
    let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    assert_eq!(json(&written), json(corpus));
    // A document that has changed is news: all of them say the same much.
    let changed = work.write(
        "changed.jsonl",
        corpus.replace("About tea.", "More of tea."),
    );
    assert_eq!(import(&work, &[&changed], &[], 0)["total"]["replaced"], 1);
    // What cannot be read at all makes the command fail.
    let wrong = work.write("wrong.jsonl", "{\"title\": \"no id\"}\n");
    assert_eq!(import(&work, &[&wrong], &[], 1)["total"]["quarantined"], 1);
}

#[test]
fn an_output_is_whole_or_not_there_and_wrong_uses_are_refused() {
    let work = indexed();
    let _ = work
        .run("export --all --format parquet")
        .expect(2)
        .says(&["--output"]);
    let _ = work
        .run("export --all --vectors")
        .expect(2)
        .says(&["--vectors", "parquet"]);
    let _ = work
        .run("export --all --format pdf")
        .expect(2)
        .says(&["parquet", "csl"]);
    let _ = work.run("export").expect(2);
    let _ = work.run("export tea --all").expect(2);
    let _ = work
        .run("export --all --output nowhere/all.jsonl")
        .expect(1);
    let _ = work
        .run("export --all --output home")
        .expect(2)
        .says(&["is a folder"]);
    let partial = std::fs::read_dir(work.path())
        .expect("a folder")
        .filter_map(Result::ok);
    let names = partial.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let names: Vec<String> = names.collect();
    assert!(
        !names.iter().any(|name| name.contains("partial")),
        "{names:?}"
    );
    // Half a Parquet file is named as what it is.
    export(&work, &["--format", "parquet", "--output", "all.parquet"]);
    let whole = std::fs::read(work.join("all.parquet")).expect("a file");
    let half = work.write("half.parquet", &whole[..whole.len() / 2]);
    let report = import(&Workspace::new(), &[&half], &[], 1);
    let refused = report["files"][0]["refused"].as_str().expect("a reason");
    assert!(refused.contains("damaged"), "{refused}");
}
