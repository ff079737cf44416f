//! No example for training is in a held-out split: the sets that the
//! configurations and `docs/training-data.md` name, against every dev and test
//! split of the real data, and against NFCorpus and SciFact.
//!
//! Texts are compared by a normalisation of this file's own, so that a fault
//! in the one of the loader does not hide itself.
#![expect(
    clippy::print_stdout,
    reason = "what was left out of each set belongs to the report"
)]

use flate2::read::MultiGzDecoder;
use medsift_tests::real_data;
use medsift_training::data::{DataSpec, Format, Purpose, load, load_for};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Held-out splits of pairs, with the columns of their texts.
const HELD_OUT: [(&str, [&str; 2]); 16] = [
    ("nli/covid_fact/dev.tsv", ["premise", "hypothesis"]),
    ("nli/covid_fact/test.tsv", ["premise", "hypothesis"]),
    ("nli/healthver/dev.tsv.gz", ["premise", "hypothesis"]),
    ("nli/healthver/test.tsv.gz", ["premise", "hypothesis"]),
    ("nli/lingnli/dev.tsv.gz", ["premise", "hypothesis"]),
    (
        "nli/multinli_hw_slice/dev.tsv.gz",
        ["premise", "hypothesis"],
    ),
    (
        "nli/semi_automatic_nli_wiki/test.tsv",
        ["premise", "hypothesis"],
    ),
    ("nli/snli/dev.tsv.gz", ["premise", "hypothesis"]),
    ("nli/snli/test.tsv.gz", ["premise", "hypothesis"]),
    ("sts/stsb/dev.tsv", ["sentence1", "sentence2"]),
    ("sts/stsb/test.tsv", ["sentence1", "sentence2"]),
    ("sts/sick/dev.tsv", ["sentence1", "sentence2"]),
    ("sts/sick/test.tsv.gz", ["sentence1", "sentence2"]),
    ("sts/biosses/biosses.tsv", ["sentence1", "sentence2"]),
    (
        "triplets/pmc_rct_sections/triplets.dev.tsv.gz",
        ["anchor", "positive"],
    ),
    (
        "triplets/pmc_rct_sections/triplets.test.tsv.gz",
        ["anchor", "positive"],
    ),
];

fn text_of(path: &Path) -> String {
    let mut text = String::new();
    let mut file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if path.extension().is_some_and(|end| end == "gz") {
        MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    } else {
        file.read_to_string(&mut text).unwrap();
    }
    text
}

/// Words of letters and digits, small, without what stands between them.
fn plain(text: &str) -> String {
    let small = text.to_lowercase();
    small.split(|c: char| !c.is_alphanumeric()).collect()
}

fn pair(first: &str, second: &str) -> (String, String) {
    let (first, second) = (plain(first), plain(second));
    if first <= second {
        (first, second)
    } else {
        (second, first)
    }
}

/// The pairs of a table, by the names of two columns.
fn pairs(path: &Path, columns: [&str; 2]) -> HashSet<(String, String)> {
    let text = text_of(path);
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let [first, second] = columns.map(|column| {
        let at = header.iter().position(|name| *name == column);
        at.unwrap_or_else(|| panic!("{} has no {column}", path.display()))
    });
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            pair(fields[first], fields[second])
        })
        .collect()
}

/// Texts of NFCorpus and SciFact: titles, abstracts, both, and queries.
fn measured_texts(data: &Path) -> HashSet<String> {
    let mut texts = HashSet::new();
    for name in ["nfcorpus", "scifact"] {
        for file in ["corpus.jsonl.gz", "queries.jsonl"] {
            let lines = text_of(&data.join("retrieval").join(name).join(file));
            for line in lines.lines() {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                let part = |key: &str| plain(record[key].as_str().unwrap_or_default());
                let (title, text) = (part("title"), part("text"));
                texts.extend([format!("{title}{text}"), title, text]);
            }
        }
    }
    texts.remove("");
    texts
}

/// Every table under a key `data` that is a set of examples.
fn specs(value: &Value, found: &mut Vec<Table>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                if key == "data"
                    && let Value::Array(sets) = value
                {
                    let sets = sets.iter().filter_map(Value::as_table);
                    found.extend(sets.filter(|set| set.contains_key("format")).cloned());
                } else {
                    specs(value, found);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| specs(value, found)),
        _ => {}
    }
}

/// The sets of the page and of the configurations, with where they stand.
fn named_sets(data: &Path) -> Vec<(String, DataSpec)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/training-data.md")).unwrap();
    let blocks = page.split("```toml\n").skip(1);
    let mut sources: Vec<(String, String)> = blocks
        .map(|block| block.split("```").next().unwrap().to_owned())
        .map(|block| ("docs/training-data.md".to_owned(), block))
        .collect();
    if let Ok(configurations) = fs::read_dir(root.join("config/train")) {
        for entry in configurations {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            sources.push((path.display().to_string(), text));
        }
    }
    let mut sets = Vec::new();
    for (name, text) in sources {
        let text = text.replace("{data}", &data.to_string_lossy());
        let mut tables = Vec::new();
        let table: Table = toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        specs(&Value::Table(table), &mut tables);
        for table in tables {
            let spec: DataSpec = table.try_into().unwrap_or_else(|e| panic!("{name}: {e}"));
            // Full recipes name sets that are not at hand.
            if spec.files.iter().all(|file| is_there(file)) {
                sets.push((name.clone(), spec));
            }
        }
    }
    assert!(sets.len() >= 6, "the page alone names six sets");
    sets
}

fn is_there(file: &str) -> bool {
    file.contains('*') || Path::new(file).exists()
}

#[test]
fn no_training_example_is_held_out() {
    let Some(data) = real_data("no_training_example_is_held_out") else {
        return;
    };
    let held_out: Vec<(&str, HashSet<(String, String)>)> = HELD_OUT
        .iter()
        .map(|(file, columns)| (*file, pairs(&data.join(file), *columns)))
        .collect();
    let measured = measured_texts(&data);
    let mut leaks = Vec::new();
    for (name, spec) in named_sets(&data) {
        let set = load(&spec).unwrap_or_else(|e| panic!("{name}: {e}"));
        for source in &set.sources {
            println!(
                "{}: {} examples, {:?}",
                source.path.display(),
                source.examples,
                source.skipped
            );
        }
        for example in &set.examples {
            let own: Vec<_> = (1..example.texts.len())
                .map(|at| pair(&example.texts[0], &example.texts[at]))
                .collect();
            for (file, pairs) in &held_out {
                if own.iter().any(|pair| pairs.contains(pair)) {
                    leaks.push(format!("{name}: {:?} is in {file}", example.texts));
                }
            }
            if example
                .texts
                .iter()
                .any(|text| measured.contains(&plain(text)))
            {
                leaks.push(format!("{name}: {:?} is measured", example.texts));
            }
        }
    }
    assert!(
        leaks.is_empty(),
        "{} leaks: {:#?}",
        leaks.len(),
        &leaks[..leaks.len().min(9)]
    );
}

fn excluded(data: &Path, mut spec: DataSpec, held_out: &[&str]) -> usize {
    spec.exclude = held_out
        .iter()
        .map(|file| data.join(file).to_string_lossy().into_owned())
        .collect();
    let set = load_for(&spec, Purpose::Evaluation).unwrap();
    set.sources
        .iter()
        .map(|source| source.skipped.excluded)
        .sum()
}

/// The leaks that the sets' own notes count are found, so the test above is
/// not empty.
#[test]
fn the_known_leaks_are_found() {
    let Some(data) = real_data("the_known_leaks_are_found") else {
        return;
    };
    let sts = |file: &str, range| {
        let path = data.join(file).to_string_lossy().into_owned();
        let mut spec = DataSpec::new(Format::Sts, [path]);
        spec.score_range = Some(range);
        spec
    };
    let stsb_test = ["sts/stsb/test.tsv"];
    // The sets' notes count 12, 8, 12, 73, 250 and 285 pairs of equal texts;
    // by letters and digits alone, counted by another program, there are more.
    for (file, range, held_out, known) in [
        ("sts/stsb/train.tsv.gz", [0.0, 5.0], stsb_test, 17),
        (
            "sts/stsb/train.tsv.gz",
            [0.0, 5.0],
            ["sts/stsb/dev.tsv"],
            12,
        ),
        ("sts/sick/train.tsv.gz", [1.0, 5.0], stsb_test, 13),
        (
            "sts/sick/train.tsv.gz",
            [1.0, 5.0],
            ["sts/sick/test.tsv.gz"],
            93,
        ),
        (
            "sts/sts2012-2016/sts2012.train.tsv.gz",
            [0.0, 5.0],
            stsb_test,
            257,
        ),
        (
            "sts/sts2012-2016/sts2016.test.tsv",
            [0.0, 5.0],
            stsb_test,
            285,
        ),
    ] {
        let found = excluded(&data, sts(file, range), &held_out);
        assert_eq!(found, known, "{file} in {held_out:?}");
    }
}

/// Sets for measuring cannot be named, nor can a copy under another name.
#[test]
fn the_measured_sets_are_refused() {
    let Some(data) = real_data("the_measured_sets_are_refused") else {
        return;
    };
    let dir = tempfile::TempDir::new().unwrap();
    let mut paths: Vec<PathBuf> = Vec::new();
    for name in ["nfcorpus", "scifact"] {
        let corpus = data.join("retrieval").join(name).join("corpus.jsonl.gz");
        let copy = dir.path().join(format!("copy-{}.jsonl.gz", paths.len()));
        fs::copy(&corpus, &copy).unwrap();
        let unpacked = dir.path().join(format!("copy-{}.jsonl", paths.len()));
        fs::write(&unpacked, text_of(&corpus)).unwrap();
        paths.extend([corpus, copy, unpacked]);
    }
    for path in paths {
        let mut spec = DataSpec::new(Format::Pairs, [path.to_string_lossy()]);
        spec.columns = Some(vec!["title".to_owned(), "text".to_owned()]);
        let error = load(&spec).unwrap_err().to_string();
        assert!(error.contains("for measuring only"), "{error}");
    }
}
