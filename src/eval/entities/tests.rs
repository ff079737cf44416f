use super::*;
use proptest::prelude::*;
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    gold: Vec<Vec<String>>,
    predicted: Vec<Vec<String>>,
    conll: Expected,
    strict: Expected,
}

#[derive(Deserialize)]
struct Expected {
    micro: [f64; 3],
    macro_f1: f64,
    /// Precision, recall, F1 and support of each type.
    types: BTreeMap<String, [f64; 4]>,
}

fn scores<T: AsRef<str>>(gold: &[Vec<T>], predicted: &[Vec<T>], how: Counting) -> EntityScores {
    let mut counter = EntityCounter::new(how);
    for (gold, predicted) in gold.iter().zip(predicted) {
        counter.add(gold, predicted).unwrap();
    }
    counter.scores()
}

fn close(what: &str, found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-9,
        "{what}: {found}, seqeval says {expected}"
    );
}

fn compare(found: &EntityScores, expected: &Expected) {
    let micro = &found.micro;
    close("precision", micro.precision, expected.micro[0]);
    close("recall", micro.recall, expected.micro[1]);
    close("F1", micro.f1, expected.micro[2]);
    close("macro", found.macro_f1, expected.macro_f1);
    let names: Vec<&String> = found.types.keys().collect();
    assert_eq!(names, expected.types.keys().collect::<Vec<_>>());
    for (name, values) in &expected.types {
        let score = &found.types[name];
        close(name, score.precision, values[0]);
        close(name, score.recall, values[1]);
        close(name, score.f1, values[2]);
        assert_eq!(score.gold as f64, values[3], "{name}");
    }
}

#[test]
fn scores_are_those_of_seqeval() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/entities.json");
    let text = std::fs::read_to_string(path).unwrap();
    let reference: Reference = serde_json::from_str(&text).unwrap();
    assert!(reference.cases.len() >= 100);
    for case in &reference.cases {
        let of = |how| scores(&case.gold, &case.predicted, how);
        compare(&of(Counting::Conll), &case.conll);
        compare(&of(Counting::Strict), &case.strict);
    }
}

#[test]
fn broken_sequences_count_as_the_mode_says() {
    let tags = ["I-A", "I-A", "I-B", "O", "B-A", "I-B", "I-A"];
    let tags: Vec<BioTag<'_>> = tags.iter().map(|tag| BioTag::parse(tag).unwrap()).collect();
    assert_eq!(
        Counting::Conll.chunks(&tags),
        [
            ("A", 0..2),
            ("B", 2..3),
            ("A", 4..5),
            ("B", 5..6),
            ("A", 6..7)
        ]
    );
    assert_eq!(Counting::Strict.chunks(&tags), [("A", 4..5)]);
}

#[test]
fn what_does_not_fit_is_named() {
    let mut counter = EntityCounter::default();
    counter.add(&["O"], &["O"]).unwrap();
    let error = counter.add(&["O"], &["O", "O"]).unwrap_err().to_string();
    assert!(error.contains("sentence 2"), "{error}");
    for tag in ["X-A", "B", "B-", "", "o"] {
        let error = counter.add(&["O", tag], &["O", "O"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert!(error.to_string().contains("word 2"), "{error}");
    }
    assert_eq!(counter.scores().words, 1, "what failed is not counted");
}

/// Any tags, valid or not.
fn any_tags(length: usize) -> impl Strategy<Value = Vec<String>> {
    let tag = prop::sample::select(vec!["O", "B-a", "I-a", "B-b", "I-b", "B-c", "I-c"]);
    prop::collection::vec(tag.prop_map(str::to_owned), length)
}

fn pairs() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    (0usize..12).prop_flat_map(|length| (any_tags(length), any_tags(length)))
}

/// Tags that follow the rules of IOB2.
fn mended(tags: &[String]) -> Vec<String> {
    let mut before = "O".to_owned();
    let mend = |tag: &String| {
        let kind = tag.strip_prefix("I-");
        let broken = kind.is_some_and(|kind| before.get(2..) != Some(kind));
        let tag = if broken {
            tag.replacen('I', "B", 1)
        } else {
            tag.clone()
        };
        before.clone_from(&tag);
        tag
    };
    tags.iter().map(mend).collect()
}

proptest! {
    #[test]
    fn both_ways_agree_on_sequences_that_follow_the_rules((gold, predicted) in pairs()) {
        let (gold, predicted) = (mended(&gold), mended(&predicted));
        let of = |how| scores(std::slice::from_ref(&gold), std::slice::from_ref(&predicted), how);
        let (conll, mut strict) = (of(Counting::Conll), of(Counting::Strict));
        strict.counting = Counting::Conll;
        prop_assert_eq!(conll, strict);
    }

    #[test]
    fn conll_reads_a_broken_sequence_as_its_mended_form((tags, _) in pairs()) {
        let fixed = mended(&tags);
        let parse = |tags: &[String]| -> Vec<_> {
            let tags: Vec<BioTag<'_>> =
                tags.iter().map(|tag| BioTag::parse(tag).unwrap()).collect();
            let chunks = Counting::Conll.chunks(&tags).into_iter();
            chunks.map(|(kind, words)| (kind.to_owned(), words)).collect()
        };
        prop_assert_eq!(parse(&tags), parse(&fixed));
    }

    #[test]
    fn scores_stay_in_their_bounds((gold, predicted) in pairs()) {
        for how in [Counting::Conll, Counting::Strict] {
            let of = |a: &Vec<String>, b: &Vec<String>| {
                scores(std::slice::from_ref(a), std::slice::from_ref(b), how).micro
            };
            let (one, other) = (of(&gold, &predicted), of(&predicted, &gold));
            prop_assert!(one.correct <= one.gold.min(one.predicted));
            prop_assert!((0.0..=1.0).contains(&one.f1));
            prop_assert_eq!((one.precision, one.recall), (other.recall, other.precision));
            prop_assert_eq!(one.f1, other.f1);
            let same = of(&gold, &gold);
            prop_assert_eq!(same.correct, same.gold);
            prop_assert!(same.gold == 0 || same.f1 == 1.0);
        }
    }
}
