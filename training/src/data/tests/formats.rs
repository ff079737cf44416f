use super::*;
use crate::data::{Faults, Purpose, load_for};
use std::sync::Arc;

const NLI: &str = "premise\thypothesis\tlabel\tgenre\n\
    It rains.\tIt is wet.\tentailment\tweather\n\
    It rains.\tIt is dry.\tCONTRADICTION\tweather\n\
    It rains.\tIt is late.\tneutral\ttime\n\
    It rains.\tIt may be wet.\t-\tweather\n";

#[test]
fn nli_has_the_classes_of_sentence_transformers() {
    let folder = Folder::new();
    let set = load(&folder.spec(Format::Nli, "train.tsv.gz", gzip(NLI))).unwrap();
    assert_eq!(labels(&set), [1, 0, 2].map(Label::Class));
    assert_eq!(texts(&set)[1], ["It rains.", "It is dry."]);
    let source = &set.sources[0];
    assert_eq!(
        (source.examples, source.skipped.unlabelled, source.read()),
        (3, 1, 4)
    );
    // The premise is held once.
    assert!(Arc::ptr_eq(
        &set.examples[0].texts[0],
        &set.examples[2].texts[0]
    ));
}

#[test]
fn other_columns_and_labels_are_named_in_the_specification() {
    let folder = Folder::new();
    let table = "id\tquestion\tcandidate\tverdict\n1\ta\tb\tyes\n2\tc\td\tno\n";
    let mut spec = folder.spec(Format::Nli, "rqe.tsv", table);
    spec.columns = Some(vec!["question".into(), "candidate".into()]);
    spec.label = Some("verdict".into());
    spec.labels = Some([("no".to_owned(), 0), ("yes".to_owned(), 1)].into());
    assert_eq!(labels(&load(&spec).unwrap()), [1, 0].map(Label::Class));
}

#[test]
fn only_takes_the_records_with_a_value() {
    let folder = Folder::new();
    let mut spec = folder.spec(Format::Nli, "train.tsv", NLI);
    spec.only.insert("genre".into(), "time".into());
    let set = load(&spec).unwrap();
    assert_eq!(labels(&set), [Label::Class(2)]);
    assert_eq!(set.sources[0].skipped.filtered, 3);
}

#[test]
fn scores_come_on_the_scale_from_0_to_5() {
    let folder = Folder::new();
    let table = "score\tsentence1\tsentence2\n1\ta\tb\n3\tc\td\n5.0\te\tf\n";
    let mut spec = folder.spec(Format::Sts, "sick.tsv", table);
    spec.score_range = Some([1.0, 5.0]);
    assert_eq!(
        labels(&load(&spec).unwrap()),
        [0.0, 2.5, 5.0].map(Label::Score)
    );
    spec.score_range = Some([0.0, 5.0]);
    assert_eq!(
        labels(&load(&spec).unwrap()),
        [1.0, 3.0, 5.0].map(Label::Score)
    );
}

#[test]
fn triplets_and_pairs_are_their_columns() {
    let folder = Folder::new();
    let table = "pmcid\tanchor\tpositive\tnegative\n1\ta\tb\tc\n";
    let set = load(&folder.spec(Format::Triplets, "triplets.tsv", table)).unwrap();
    assert_eq!(texts(&set), [["a", "b", "c"]]);
    let set = load(&folder.spec(Format::Pairs, "pairs.tsv", table)).unwrap();
    assert_eq!(texts(&set), [["a", "b"]]);
    let mut spec = folder.spec(Format::Pairs, "hard.tsv", table);
    spec.columns = Some(
        ["anchor", "positive", "negative"]
            .map(str::to_owned)
            .to_vec(),
    );
    assert_eq!(texts(&load(&spec).unwrap()), [["a", "b", "c"]]);
}

#[test]
fn json_lines_carry_their_labels() {
    let folder = Folder::new();
    for (line, label) in [
        (r#"{"texts": ["a", "b"], "score": 0.5}"#, Label::Score(0.5)),
        (r#"{"texts": ["a", "b"], "label": 2}"#, Label::Class(2)),
        (
            r#"{"texts": ["a", "b", "c"], "scores": [1, 0.25]}"#,
            Label::Scores(vec![1.0, 0.25]),
        ),
        (r#"{"texts": ["a", "b"]}"#, Label::None),
        (r#"{"anchor": "a", "positive": "b"}"#, Label::None),
    ] {
        let set = load(&folder.spec(Format::Pairs, "pairs.jsonl", line)).unwrap();
        assert_eq!(labels(&set), [label]);
    }
}

#[test]
fn each_element_of_a_list_is_an_example() {
    let folder = Folder::new();
    let line = r#"{"question": "q", "snippets": [{"text": "one"}, {"text": "two"}]}"#;
    let mut spec = folder.spec(Format::Pairs, "bioasq.jsonl", line);
    spec.columns = Some(vec!["question".into(), "snippets.text".into()]);
    assert_eq!(texts(&load(&spec).unwrap()), [["q", "one"], ["q", "two"]]);
}

#[test]
fn lists_keep_their_first_candidates() {
    let folder = Folder::new();
    let lines = [
        r#"{"query": "q", "candidates": ["a", "b", "c"], "scores": [3, 2, 1]}"#,
        r#"{"query": "r", "candidates": ["d"], "scores": [1]}"#,
        r#"{"query": "s", "candidates": ["e", "f"], "scores": [0, 4.5]}"#,
    ];
    let mut spec = folder.spec(Format::Scored, "lists.jsonl", lines.join("\n"));
    assert!(error(&spec).contains("line 2: 2 texts, but the examples before it have 4"));
    spec.candidates = Some(2);
    let set = load(&spec).unwrap();
    assert_eq!(texts(&set), [["q", "a", "b"], ["s", "e", "f"]]);
    assert_eq!(labels(&set)[0], Label::Scores(vec![3.0, 2.0]));
    assert_eq!(set.sources[0].skipped.length, 1);
}

#[test]
fn a_beir_folder_gives_queries_with_their_documents() {
    let folder = Folder::new();
    let corpus = folder.write(
        "set/corpus.jsonl",
        "{\"_id\": \"1\", \"title\": \"T\", \"text\": \"one\"}\n{\"_id\": \"2\", \"text\": \"two\"}\n",
    );
    folder.write(
        "set/queries.jsonl",
        "{\"_id\": \"q\", \"text\": \"which?\"}\n",
    );
    folder.write(
        "set/qrels/train.tsv",
        "query-id\tcorpus-id\tscore\nq\t2\t1\nq\t1\t2\n",
    );
    folder.write("set/qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq\t2\t0\n");
    folder.write(
        "set/qrels/test.tsv",
        "query-id\tcorpus-id\tscore\nq\t2\t1\n",
    );
    let mut spec = DataSpec::new(Format::Beir, [folder.path("set").to_string_lossy()]);
    assert!(error(&spec).contains("`split`"));
    spec.split = Some("train".into());
    let set = load(&spec).unwrap();
    assert_eq!(texts(&set), [["which?", "T one"], ["which?", "two"]]);
    assert_eq!(set.sources[0].path, Path::new(&corpus));
    spec.split = Some("test".into());
    assert!(error(&spec).contains("test split"));
    assert!(load_for(&spec, Purpose::Evaluation).is_ok());
}

#[test]
fn a_draw_keeps_the_order_and_the_books() {
    let folder = Folder::new();
    let rows: String = (0..100).map(|n| format!("a{n}\tb{n}\n")).collect();
    let mut spec = folder.spec(
        Format::Pairs,
        "pairs.tsv",
        format!("anchor\tpositive\n{rows}"),
    );
    let other = folder.write("more.tsv", "anchor\tpositive\nx\ty\n");
    spec.files.push(other);
    spec.limit = Some(20);
    let set = load(&spec).unwrap();
    assert_eq!(set.examples, load(&spec).unwrap().examples);
    assert_eq!(set.examples.len(), 20);
    assert_eq!(
        set.sources
            .iter()
            .map(|source| source.examples)
            .sum::<usize>(),
        20
    );
    assert_eq!(
        set.sources
            .iter()
            .map(|source| source.read())
            .sum::<usize>(),
        101
    );
    let number = |texts: &Vec<&str>| texts[0][1..].parse::<u32>().unwrap_or(1000);
    assert!(texts(&set).iter().map(number).is_sorted());
    spec.seed = 1;
    assert_ne!(set.examples, load(&spec).unwrap().examples);
}

#[test]
fn lengths_are_counted_in_characters() {
    let folder = Folder::new();
    let table = "anchor\tpositive\nαβγ\tlong enough\nab\tlong enough\nabc\tmuch too long for it\n";
    let mut spec = folder.spec(Format::Pairs, "pairs.tsv", table);
    (spec.min_characters, spec.max_characters) = (Some(3), Some(12));
    let set = load(&spec).unwrap();
    assert_eq!(texts(&set), [["αβγ", "long enough"]]);
    assert_eq!(set.sources[0].skipped.length, 2);
}

#[test]
fn a_file_is_recorded_with_its_checksum() {
    let folder = Folder::new();
    let set = load(&folder.spec(Format::Pairs, "p.tsv", "anchor\tpositive\na\tb\n")).unwrap();
    assert_eq!(set.sources[0].bytes, 20);
    // printf 'anchor\tpositive\na\tb\n' | sha256sum
    assert_eq!(
        set.sources[0].sha256,
        "d9118a494269d44ec4db19fd459aa15ceaa6a0f12879a8204a996542cbe8f5e2"
    );
}

#[test]
fn faulty_records_are_skipped_and_named_when_told() {
    let folder = Folder::new();
    let table = "anchor\tpositive\na\tb\nc\t\nd\n";
    let mut spec = folder.spec(Format::Pairs, "pairs.tsv", table);
    spec.faults = Faults::Skip;
    let set = load(&spec).unwrap();
    assert_eq!(texts(&set), [["a", "b"]]);
    assert_eq!(set.sources[0].skipped.faulty, 2);
    assert_eq!(
        set.sources[0].faults,
        [
            "line 3: `positive` is empty",
            "line 4: 1 columns, but the header has 2"
        ]
    );
}
