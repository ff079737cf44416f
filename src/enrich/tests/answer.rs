//! Heads that find answers, and what they find in passages.

use super::*;
use crate::enrich::answer::{AnswerSettings, Answerer, Stance, VerdictReader};

/// Two rows of weights that look random.
fn rows() -> Vec<f32> {
    weights()[..2 * HIDDEN].iter().map(|x| x / 4.0).collect()
}

fn write_span_head(
    dir: &Path,
    name: &str,
    sum: &str,
    change: impl Fn(&mut SpanHeadConfig),
) -> Result<()> {
    let mut config = SpanHeadConfig::new(HIDDEN, 32, sum.to_owned());
    (config.max_question, config.stride, config.max_answer) = (8, 10, 5);
    change(&mut config);
    let weight = Tensor::from_vec(rows(), (2, HIDDEN), &Device::Cpu).unwrap();
    let bias = Tensor::new(&[0.5f32, -0.25], &Device::Cpu).unwrap();
    SpanHead::write(dir, name, &config, (&weight, &bias), None)
}

/// A reader beside a copy of the fixture model that gives every span from this
/// margin on.
pub(crate) fn reader(threshold: f32) -> (TempDir, AnswerReader) {
    let dir = model();
    let encoder = encoder(dir.path());
    let sum = encoder.fingerprint().sha256.clone();
    write_span_head(dir.path(), "a", &sum, |config| config.threshold = threshold).unwrap();
    let reader = AnswerReader::open(encoder, dir.path(), None).unwrap();
    (dir, reader)
}

/// What holds of all answers of a passage.
fn check(passage: &str, answers: &[Answer]) {
    let characters: Vec<char> = passage.chars().collect();
    for (at, answer) in answers.iter().enumerate() {
        assert!(answer.start < answer.end, "{answers:?}");
        let text: String = characters[answer.start..answer.end].iter().collect();
        assert_eq!(text, answer.text);
        assert!((0.0..=1.0).contains(&answer.confidence));
        for other in &answers[..at] {
            assert!(other.margin >= answer.margin);
            assert!(other.end <= answer.start || answer.end <= other.start);
        }
    }
}

const PASSAGES: [&str; 6] = [
    "Statins and muscle pain in patients.",
    "IL-2 and TNF-α in CD4+ T cells (p < 0.001). β-catenin in the tumour.",
    "  Sjo\u{308}gren’s syndrome — naïve 𝛼-cells\u{200b}and İstanbul criteria.\n",
    "東京 cells 🧬 DNA",
    "",
    "   ",
];

#[test]
fn answers_are_what_stands_between_their_offsets() {
    let (_dir, reader) = reader(0.0);
    let pairs = PASSAGES.map(|passage| ("Which muscle?", passage));
    let found = reader.answers(&pairs, 4).unwrap();
    assert_eq!(found.len(), pairs.len());
    for ((_, passage), answers) in pairs.iter().zip(&found) {
        check(passage, answers);
        // Alone as among others.
        assert_eq!(
            &reader.answers(&[("Which muscle?", passage)], 4).unwrap()[0],
            answers
        );
    }
    assert!(
        found[0].len() > 1 && found[4].is_empty() && found[5].is_empty(),
        "{found:?}"
    );
    // The question counts.
    let other = reader
        .answers(&[("Who has weakness?", PASSAGES[0])], 4)
        .unwrap();
    assert_ne!(other[0], found[0]);
}

#[test]
fn margins_are_those_of_the_linear_layer() {
    let (_dir, reader) = reader(0.0);
    let passage = "pain";
    let encoder = encoder(&fixture());
    let pair = encoder
        .tokenizer()
        .encode_pair("muscle", passage, 32)
        .unwrap();
    assert_eq!(pair.ids.len(), 5);
    let states = encoder.map_states(&[pair], None, |_, states| states.to_vec());
    let score = |row: usize| -> f32 {
        let state = &states[0][row * HIDDEN..(row + 1) * HIDDEN];
        let weights = rows();
        let sides = weights.chunks_exact(HIDDEN).zip([0.5, -0.25]);
        let dot = |row: &[f32]| row.iter().zip(state).map(|(w, x)| w * x).sum::<f32>();
        sides.map(|(row, bias)| dot(row) + bias).sum()
    };
    let found = &reader.answers(&[("muscle", passage)], 1).unwrap()[0];
    assert_eq!(found[0].text, "pain");
    let expected = score(3) - score(0);
    assert!(
        (found[0].margin - expected).abs() < 1e-4,
        "{found:?} {expected}"
    );
    let confidence = 1.0 / (1.0 + (-expected).exp());
    assert!((found[0].confidence - confidence).abs() < 1e-5);
}

#[test]
fn a_threshold_is_kept_and_what_does_not_fit_is_refused() {
    let (dir, mut reader) = reader(0.0);
    let answers = reader.answers(&[("muscle", "pain")], 1).unwrap();
    let margin = answers[0][0].margin;
    reader.set_threshold(dir.path(), margin).unwrap();
    assert!(reader.is_answer(&answers[0][0]));
    let encoder = encoder(dir.path());
    let again = AnswerReader::open(Arc::clone(&encoder), dir.path(), Some("a")).unwrap();
    assert_eq!(again.head().config().threshold, margin);
    reader.set_threshold(dir.path(), margin + 0.1).unwrap();
    assert!(!reader.is_answer(&answers[0][0]));
    assert!(reader.set_threshold(dir.path(), f32::NAN).is_err());

    let sum = encoder.fingerprint().sha256.clone();
    let error = write_span_head(dir.path(), "b", &sum, |config| config.stride = 0).unwrap_err();
    assert!(error.to_string().contains("stride"), "{error}");
    write_span_head(dir.path(), "b", &sum, |config| config.max_question = 30).unwrap();
    let full = AnswerReader::open(Arc::clone(&encoder), dir.path(), Some("b")).unwrap();
    let error = full.answers(&[("muscle", "pain")], 1).unwrap_err();
    assert!(error.to_string().contains("no room"), "{error}");
    let empty = model();
    let error = AnswerReader::open(encoder, empty.path(), None).unwrap_err();
    assert!(error.to_string().contains("kind `span`"), "{error}");
}

#[test]
fn reading_ends_with_its_time_and_says_so() {
    let (_dir, reader) = reader(-1e6);
    let settings = AnswerSettings::default();
    let answerer = Answerer::new(reader.clone(), None, &settings);
    let read = answerer.read("Which muscle?", &PASSAGES, 2, true);
    assert_eq!((read.answers.len(), read.incomplete), (6, None));
    assert!(read.answers.iter().all(Option::is_some));
    assert!(
        read.stances.iter().all(Option::is_none),
        "there is no head for verdicts"
    );
    let hurried = AnswerSettings {
        budget_ms: 0,
        ..settings
    };
    assert!(
        hurried
            .check()
            .unwrap_err()
            .to_string()
            .contains("search.answer.budget_ms")
    );
    let read = Answerer::new(reader, None, &hurried).read("Which?", &PASSAGES, 2, false);
    assert!(read.answers.iter().all(Option::is_none));
    assert!(read.incomplete.unwrap().contains("before 6 of 6"));
}

#[test]
fn verdicts_are_judged_of_question_and_text_together() {
    let dir = model();
    let encoder = encoder(dir.path());
    let sum = encoder.fingerprint().sha256.clone();
    let write = |name: &str, labels: &[&str], pair: bool| {
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        let mut config = TextHeadConfig::new(&labels, HIDDEN, 48, sum.clone());
        config.text_pair = pair;
        let numbers = weights()[..labels.len() * HIDDEN].to_vec();
        let weight = Tensor::from_vec(numbers, (labels.len(), HIDDEN), &Device::Cpu).unwrap();
        let bias = Tensor::zeros(labels.len(), candle_core::DType::F32, &Device::Cpu).unwrap();
        TextHead::write(dir.path(), name, &config, (&weight, &bias), None, None).unwrap();
    };
    write("verdict", &["yes", "no", "maybe"], true);
    write("single", &["yes", "no"], false);
    write("other", &["cause", "none"], true);
    let open = |name: &str| VerdictReader::open(Arc::clone(&encoder), dir.path(), Some(name));
    let judged = open("verdict")
        .unwrap()
        .judge("Is it pain?", &PASSAGES)
        .unwrap();
    assert_eq!(judged.len(), PASSAGES.len());
    let classifier = TextClassifier::open(Arc::clone(&encoder), dir.path(), Some("verdict"));
    let classifier = classifier.unwrap();
    let pairs = PASSAGES.map(|passage| ("Is it pain?", passage));
    for (found, (stance, score)) in classifier
        .classify_pairs(&pairs)
        .unwrap()
        .iter()
        .zip(judged)
    {
        let expected = match found.label.as_str() {
            "yes" => Stance::Yes,
            "no" => Stance::No,
            _ => Stance::Maybe,
        };
        assert_eq!((stance, score), (expected, found.score));
    }
    // A pair is not its texts in a row.
    let joined = encoder.tokenizer().encode("Is it pain? DNA", 48).unwrap();
    let pair = encoder
        .tokenizer()
        .encode_pair("Is it pain?", "DNA", 48)
        .unwrap();
    assert_eq!(pair.ids.len(), joined.len() + 1);
    for (result, part) in [
        (open("single").map(|_| ()), "single texts"),
        (open("other").map(|_| ()), "cause"),
        (classifier.classify(&["a"]).map(|_| ()), "pairs of texts"),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_passage_gives_answers_of_its_own(
        question in "(\\PC| |muscle|[?-]){0,20}",
        passage in "(\\PC| |muscle|pain|[.(-]){0,60}",
    ) {
        static READER: OnceLock<(TempDir, AnswerReader)> = OnceLock::new();
        let (_, reader) = READER.get_or_init(|| reader(0.0));
        check(&passage, &reader.answers(&[(&question, &passage)], 5).unwrap()[0]);
    }
}
