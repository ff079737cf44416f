use super::*;

/// Loads a file that must fail, and checks that the message names the file
/// and these things.
fn expect(spec: &DataSpec, parts: &[&str]) {
    let message = error(spec);
    assert!(message.contains(&spec.files[0]), "{message}");
    for part in parts {
        assert!(message.contains(part), "{part} is not in: {message}");
    }
}

#[test]
fn wrong_columns_are_named_with_their_line() {
    let folder = Folder::new();
    let table = "premise\tlabel\nx\tneutral\n";
    expect(
        &folder.spec(Format::Nli, "a.tsv", table),
        &[
            "line 2",
            "no column `hypothesis`",
            "premise, label",
            "`columns`",
        ],
    );
    let table = "premise\thypothesis\tlabel\na\tb\tneutral\na\tb\n";
    expect(
        &folder.spec(Format::Nli, "b.tsv", table),
        &["line 3: 2 columns, but the header has 3"],
    );
    expect(
        &folder.spec(Format::Nli, "c.tsv", ""),
        &["header is missing"],
    );
    expect(
        &folder.spec(Format::Nli, "c.csv", ""),
        &["neither .tsv nor .jsonl"],
    );
}

#[test]
fn labels_out_of_range_are_named() {
    let folder = Folder::new();
    let table = "premise\thypothesis\tlabel\na\tb\tmaybe\n";
    expect(
        &folder.spec(Format::Nli, "a.tsv", table),
        &[
            "line 2",
            "`label` is `maybe`",
            "contradiction, entailment, neutral",
        ],
    );
    for (score, what) in [("5.5", "outside"), ("nan", "finite"), ("high", "finite")] {
        let table = format!("sentence1\tsentence2\tscore\na\tb\t0\na\tb\t{score}\n");
        let mut spec = folder.spec(Format::Sts, "b.tsv", table);
        spec.score_range = Some([0.0, 5.0]);
        expect(&spec, &["line 3", "`score`", what]);
    }
    let line = r#"{"texts": ["a", "b"], "label": -1}"#;
    expect(
        &folder.spec(Format::Pairs, "c.jsonl", line),
        &["line 1", "not a class"],
    );
    let line = r#"{"texts": ["a", "b"], "scores": [1, 2]}"#;
    expect(
        &folder.spec(Format::Pairs, "d.jsonl", line),
        &["line 1", "`scores` holds 2"],
    );
    let lines = "{\"texts\": [\"a\", \"b\"], \"label\": 1}\n{\"texts\": [\"a\", \"b\"]}\n";
    assert!(error(&folder.spec(Format::Pairs, "e.jsonl", lines)).contains("same sort of label"));
}

#[test]
fn empty_texts_and_broken_json_are_named() {
    let folder = Folder::new();
    let table = "anchor\tpositive\na\tb\n\n \tb\n";
    expect(
        &folder.spec(Format::Pairs, "a.tsv", table),
        &["line 4", "`anchor` is empty"],
    );
    for (line, what) in [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        (r#"{"texts": ["a"]}"#, "two are needed"),
        (r#"{"texts": ["a", 1]}"#, "`texts` is not a text"),
        (r#"{"anchor": "a"}"#, "`positive` is missing"),
        (
            r#"{"anchor": ["a", " "], "positive": "b"}"#,
            "`anchor` is empty",
        ),
    ] {
        expect(
            &folder.spec(Format::Pairs, "b.jsonl", line),
            &["line 1", what],
        );
    }
}

#[test]
fn bytes_that_are_not_text_are_named() {
    let folder = Folder::new();
    let bytes = b"anchor\tpositive\na\tb\nc\t\xff\n";
    expect(
        &folder.spec(Format::Pairs, "a.tsv", bytes),
        &["line 3", "byte 3 is not UTF-8"],
    );
}

#[test]
fn a_cut_or_broken_gzip_file_is_told_from_a_short_one() {
    let folder = Folder::new();
    let rows: String = (0..3000u32)
        .map(|n| format!("a{}\tb{n}\n", n.wrapping_mul(2_654_435_761)))
        .collect();
    let whole = gzip(&format!("anchor\tpositive\n{rows}"));
    assert!(load(&folder.spec(Format::Pairs, "a.tsv.gz", &whole)).is_ok());
    let cut = &whole[..whole.len() / 2];
    expect(
        &folder.spec(Format::Pairs, "b.tsv.gz", cut),
        &["cut short after line"],
    );
    let mut broken = whole.clone();
    let checksum = broken.len() - 6;
    broken[checksum] ^= 0xff;
    expect(
        &folder.spec(Format::Pairs, "c.tsv.gz", &broken),
        &["broken after line 3001"],
    );
    // Several members are one file, as gzip has it.
    let members = [gzip("anchor\tpositive\na\tb\n"), gzip("c\td\n")].concat();
    let set = load(&folder.spec(Format::Pairs, "d.tsv.gz", members)).unwrap();
    assert_eq!(set.examples.len(), 2);
}

#[test]
fn a_specification_is_checked_before_the_files() {
    for (text, what) in [
        ("format = \"sts\"\nfiles = [\"a\"]", "[1, 5] for SICK"),
        (
            "format = \"sts\"\nfiles = [\"a\"]\nscore_range = [5, 0]",
            "does not rise",
        ),
        ("format = \"nli\"\nfiles = []", "names no file"),
        (
            "format = \"nli\"\nfiles = [\"a\"]\ncolumns = [\"x\"]",
            "two columns",
        ),
        (
            "format = \"pairs\"\nfiles = [\"a\"]\nlimit = 0",
            "at least 1",
        ),
        (
            "format = \"pairs\"\nfiles = [\"a\"]\ncandidates = 3",
            "another format",
        ),
        (
            "format = \"pairs\"\nfiles = [\"a\"]\nmin_characters = 9\nmax_characters = 8",
            "above",
        ),
    ] {
        let spec: DataSpec = toml::from_str(text).unwrap();
        assert!(error(&spec).contains(what), "{}", error(&spec));
    }
    let unknown = toml::from_str::<DataSpec>("format = \"nli\"\nfiles = [\"a\"]\nlimt = 3");
    assert!(unknown.unwrap_err().to_string().contains("limt"));
}

#[test]
fn a_missing_file_and_an_empty_set_are_errors() {
    let spec = DataSpec::new(Format::Pairs, ["nowhere/pairs.tsv"]);
    assert!(error(&spec).contains("nowhere/pairs.tsv"));
    let folder = Folder::new();
    let spec = folder.spec(Format::Pairs, "a.tsv", "anchor\tpositive\n");
    assert!(error(&spec).contains("no example is left"));
}
