use super::*;
use candle_core::{Device, Tensor};
use medsift::ErrorKind;
use proptest::prelude::*;
use tokenizers::Tokenizer;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

const TEXTS: [&str; 5] = [
    "Statins lower cholesterol; statins may cause muscle pain.",
    "Muscle pain (myalgia) and myopathy under statin therapy.",
    "Cholesterol, triglycerides and statin dose: a meta-analysis.",
    "Hypercholesterolaemia in adults β-blockers",
    "Pain therapy in adults: a meta-analysis of 12 trials.",
];

fn trained(size: usize, cased: bool) -> Tokenizer {
    let options = VocabularyOptions {
        size,
        cased,
        min_frequency: 1,
    };
    train_vocabulary(TEXTS.into_iter(), &options).unwrap()
}

/// A tokenizer with a given list of pieces behind the special tokens.
fn listed(pieces: &[&str], lower: bool) -> Tokenizer {
    let list: Vec<&str> = SPECIAL_TOKENS.iter().chain(pieces).copied().collect();
    let words = WordPiece::read_bytes(list.join("\n").as_bytes()).unwrap();
    let model = WordPiece::builder().vocab(words).build().unwrap();
    let mut tokenizer = Tokenizer::new(model);
    tokenizer
        .with_normalizer(Some(BertNormalizer::new(true, true, None, lower)))
        .unwrap()
        .with_pre_tokenizer(Some(BertPreTokenizer));
    tokenizer
}

fn sorted(tokenizer: &Tokenizer) -> Vec<(u32, String)> {
    let mut pieces: Vec<_> = tokenizer
        .get_vocab(true)
        .into_iter()
        .map(|(piece, number)| (number, piece))
        .collect();
    pieces.sort();
    pieces
}

#[test]
fn a_vocabulary_begins_with_berts_special_tokens_and_has_no_gaps() {
    let tokenizer = trained(120, false);
    let pieces = sorted(&tokenizer);
    assert_eq!(pieces.len(), 120);
    for (place, (number, piece)) in pieces.iter().enumerate() {
        assert_eq!(*number as usize, place, "{piece}");
    }
    for (place, special) in SPECIAL_TOKENS.iter().enumerate() {
        assert_eq!(pieces[place].1, *special);
    }
    let encoding = tokenizer.encode("Statin pain", true).unwrap();
    assert_eq!(encoding.get_tokens(), ["[CLS]", "statin", "pain", "[SEP]"]);
    let masked = tokenizer.encode("muscle [MASK]", false).unwrap();
    assert_eq!(masked.get_tokens().last().unwrap(), "[MASK]");
}

#[test]
fn the_same_texts_give_the_same_vocabulary() {
    let first = sorted(&trained(150, false));
    for _ in 0..5 {
        assert_eq!(sorted(&trained(150, false)), first);
    }
    let options = VocabularyOptions {
        size: 150,
        cased: false,
        min_frequency: 1,
    };
    let backwards = train_vocabulary(TEXTS.into_iter().rev(), &options).unwrap();
    assert_eq!(
        sorted(&backwards),
        first,
        "the order of texts does not matter"
    );
}

#[test]
fn capitals_are_kept_on_request() {
    let (cased, lower) = (trained(140, true), trained(140, false));
    assert!(cased.token_to_id("S").is_some() && lower.token_to_id("S").is_none());
    assert!(is_cased(&cased) && !is_cased(&lower));
    let text = |tokenizer: &Tokenizer| {
        tokenizer
            .encode("Pain", false)
            .unwrap()
            .get_tokens()
            .concat()
    };
    assert_eq!(text(&cased).replace("##", ""), "Pain");
    assert_eq!(text(&lower).replace("##", ""), "pain");
}

#[test]
fn vocabularies_that_cannot_be_are_refused() {
    let options = |size| VocabularyOptions {
        size,
        cased: false,
        min_frequency: 1,
    };
    let error = train_vocabulary(TEXTS.into_iter(), &options(20)).unwrap_err();
    assert_eq!(error.field(), Some("size"));
    assert!(error.to_string().contains("pieces already"), "{error}");
    let error = train_vocabulary([" ", ""].into_iter(), &options(100)).unwrap_err();
    assert_eq!(error.field(), Some("texts"));
}

#[test]
fn files_make_the_same_tokenizer() {
    let dir = tempfile::tempdir().unwrap();
    let tokenizer = trained(120, false);
    write_tokenizer(&tokenizer, false, 512, dir.path()).unwrap();
    let read = Tokenizer::from_file(dir.path().join("tokenizer.json")).unwrap();
    assert_eq!(sorted(&read), sorted(&tokenizer));
    let list = std::fs::read_to_string(dir.path().join("vocab.txt")).unwrap();
    let lines: Vec<&str> = list.lines().collect();
    let pieces = sorted(&tokenizer);
    assert!(lines.iter().eq(pieces.iter().map(|(_, piece)| piece)));
    let config = std::fs::read_to_string(dir.path().join("tokenizer_config.json")).unwrap();
    assert!(config.contains("\"do_lower_case\": true") && config.contains("512"));
}

#[test]
fn a_new_piece_begins_as_the_mean_of_its_old_ones() {
    let old = listed(
        &[
            "pain", "stat", "s", "##in", "##s", "##e", "##mia", "o", "##o",
        ],
        true,
    );
    let new = listed(
        &[
            "pain", "statins", "##ins", "##emia", "o", "##oo", "Pain", "##β", "βx", "s",
        ],
        false,
    );
    let transfer = Transfer::plan(&old, &new).unwrap();
    let number = |piece: &str| old.token_to_id(piece).unwrap();
    for (piece, parts) in [
        ("[MASK]", vec!["[MASK]"]),
        ("pain", vec!["pain"]),
        ("statins", vec!["stat", "##in", "##s"]),
        ("##ins", vec!["##in", "##s"]),
        ("##emia", vec!["##e", "##mia"]),
        ("o", vec!["o"]),
        ("##oo", vec!["##o", "##o"]),
        ("Pain", vec!["pain"]),
        ("##β", vec!["[UNK]"]),
        ("βx", vec!["[UNK]"]),
        ("s", vec!["s"]),
    ] {
        let expected: Vec<u32> = parts.into_iter().map(number).collect();
        let found = transfer.sources(new.token_to_id(piece).unwrap()).unwrap();
        assert_eq!(found, expected, "{piece}");
    }
    let report = transfer.report();
    assert_eq!((report.pieces, report.identical), (15, 8));
    assert_eq!((report.composed, report.unknown), (5, 2));
    assert_eq!(
        report.to_string(),
        "15 pieces: 8 identical (53.3 %), 5 composed, 2 unknown"
    );

    let rows = old.get_vocab_size(true);
    let numbers: Vec<f32> = (0..rows as u32 * 3).map(|x| x as f32).collect();
    let table = Tensor::from_vec(numbers, (rows, 3), &Device::Cpu).unwrap();
    let bias = Tensor::arange(0f32, rows as f32, &Device::Cpu).unwrap();
    let moved = transfer.table(&table).unwrap().to_vec2::<f32>().unwrap();
    let moved_bias = transfer.bias(&bias).unwrap().to_vec1::<f32>().unwrap();
    assert_eq!(moved.len(), 15);
    let statins = new.token_to_id("statins").unwrap() as usize;
    let mean = (number("stat") + number("##in") + number("##s")) as f32 / 3.0;
    assert!((moved_bias[statins] - mean).abs() < 1e-5);
    assert!((moved[statins][1] - (3.0 * mean + 1.0)).abs() < 1e-5);
    let short = table.narrow(0, 0, rows - 1).unwrap();
    let error = transfer.table(&short).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Incompatible);
}

#[test]
fn continuations_that_the_old_vocabulary_lacks_are_cut_as_words() {
    let old = listed(&["x", "y", "##y"], true);
    let new = listed(&["##xy", "##y", "##x"], true);
    let transfer = Transfer::plan(&old, &new).unwrap();
    let sources = |piece: &str| {
        transfer
            .sources(new.token_to_id(piece).unwrap())
            .unwrap()
            .to_vec()
    };
    let number = |piece: &str| old.token_to_id(piece).unwrap();
    assert_eq!(sources("##xy"), [number("x"), number("##y")]);
    assert_eq!(sources("##y"), [number("##y")]);
    assert_eq!(sources("##x"), [number("x")]);
}

proptest! {
    /// Into the same vocabulary everything stays; and every row of any new
    /// vocabulary is a mean of old rows, so within their least and largest.
    #[test]
    fn rows_are_means(size in 90usize..160, seed in 0u32..1000) {
        let (old, new) = (trained(110, false), trained(size, true));
        let rows = old.get_vocab_size(true);
        let numbers: Vec<f32> = (0..rows as u32 * 2)
            .map(|x| ((x + seed) as f32 * 12.9898).sin())
            .collect();
        let table = Tensor::from_vec(numbers.clone(), (rows, 2), &Device::Cpu).unwrap();
        let same = Transfer::plan(&old, &old).unwrap();
        prop_assert_eq!(same.report().share_identical(), 1.0);
        let kept: Vec<f32> = same.table(&table).unwrap().flatten_all().unwrap().to_vec1().unwrap();
        prop_assert_eq!(&kept, &numbers);
        let moved = Transfer::plan(&old, &new).unwrap();
        let report = moved.report();
        prop_assert_eq!(report.pieces, report.identical + report.composed + report.unknown);
        let table = moved.table(&table).unwrap();
        prop_assert_eq!(table.dims(), &[new.get_vocab_size(true), 2]);
        let (low, high) = numbers.iter().fold((f32::MAX, f32::MIN), |(a, b), &x| (a.min(x), b.max(x)));
        let all: Vec<f32> = table.flatten_all().unwrap().to_vec1().unwrap();
        prop_assert!(all.iter().all(|x| (low - 1e-5..=high + 1e-5).contains(x)));
    }
}
