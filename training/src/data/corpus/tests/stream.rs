use super::*;
use medsift::encoder::parts::{ModelDirectory, Tokenizer};
use medsift::{Error, ErrorKind};
use std::fs;
use tempfile::TempDir;

/// A tokenizer over a small vocabulary.
fn tokenizer(dir: &TempDir) -> Tokenizer {
    let words = "[PAD] [UNK] [CLS] [SEP] [MASK] the cell grows in a ##s dish . mice were fed and \
        weighed daily tumour shrank no effect was seen here";
    fs::write(dir.path().join("vocab.txt"), words.replace(' ', "\n")).unwrap();
    fs::write(dir.path().join("config.json"), "{\"model_type\": \"bert\"}").unwrap();
    let directory = ModelDirectory::read(dir.path()).unwrap();
    Tokenizer::read(&directory, 100).unwrap()
}

fn documents(count: usize) -> Vec<Document> {
    (0..count)
        .map(|number| {
            let text = "The cells grow in a dish. Mice were fed and weighed daily. \
                The tumour shrank. No effect was seen here.";
            Document::new(number.to_string(), "The cell", &text.repeat(1 + number % 3))
        })
        .collect()
}

fn stream(seed: u64, block: usize) -> Vec<PretrainingExample> {
    let dir = TempDir::new().unwrap();
    let tokenizer = tokenizer(&dir);
    let settings = PretrainingSettings {
        max_length: 24,
        block,
        seed,
        ..PretrainingSettings::default()
    };
    let source = documents(30).into_iter().map(Ok);
    let mut stream = PretrainingStream::new(source, &tokenizer, settings).unwrap();
    let examples: Vec<_> = stream.by_ref().collect::<Result<_, _>>().unwrap();
    let counts = stream.counts();
    assert_eq!(counts.documents, 30);
    assert_eq!(counts.sequences, examples.len() as u64);
    let ordinary: usize = examples.iter().map(|example| example.ids.len() - 3).sum();
    assert_eq!(counts.sequence_tokens, ordinary as u64);
    examples
}

#[test]
fn a_stream_gives_framed_and_masked_sequences() {
    let examples = stream(3, 8);
    assert!(examples.len() > 60, "{}", examples.len());
    for example in &examples {
        assert!(example.ids.len() <= 24);
        assert_eq!(example.ids.len(), example.type_ids.len());
        assert_eq!((example.ids[0], example.ids[example.ids.len() - 1]), (2, 3));
        let middle = example.type_ids.iter().position(|&kind| kind == 1).unwrap();
        assert_eq!(example.ids[middle - 1], 3);
        assert!(example.type_ids.is_sorted());
        assert!(!example.masked_positions.is_empty());
    }
}

#[test]
fn a_stream_is_decided_by_its_seed() {
    assert_eq!(stream(3, 8), stream(3, 8));
    assert_ne!(stream(3, 8), stream(4, 8));
}

#[test]
fn a_stream_ends_after_an_error() {
    let dir = TempDir::new().unwrap();
    let tokenizer = tokenizer(&dir);
    let source = documents(2).into_iter().map(Ok);
    let source = source.chain([Err(Error::new(ErrorKind::Corrupt, "cut"))]);
    let mut stream =
        PretrainingStream::new(source, &tokenizer, PretrainingSettings::default()).unwrap();
    assert_eq!(stream.next().unwrap().unwrap_err().to_string(), "cut");
    assert!(stream.next().is_none());
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    let dir = TempDir::new().unwrap();
    let tokenizer = tokenizer(&dir);
    let refused = |change: fn(&mut PretrainingSettings)| {
        let mut settings = PretrainingSettings::default();
        change(&mut settings);
        let source = documents(1).into_iter().map(Ok);
        let stream = PretrainingStream::new(source, &tokenizer, settings);
        stream.err().unwrap().field().unwrap()
    };
    assert_eq!(refused(|s| s.max_length = 7), "max_length");
    assert_eq!(refused(|s| s.block = 0), "block");
    assert_eq!(refused(|s| s.short_probability = 1.5), "short_probability");
    assert_eq!(refused(|s| s.masking.probability = 0.0), "probability");
    assert_eq!(refused(|s| s.masking.random = 0.3), "masked");
}
