//! Heads that label texts, and the relations that they find.

use super::*;

fn labels() -> Vec<String> {
    ["none", "cause", "treatment"].map(str::to_owned).to_vec()
}

/// `rows` rows of weights that look random.
fn rows(rows: usize) -> Vec<f32> {
    let weights = weights().into_iter().cycle();
    weights.take(rows * HIDDEN).map(|x| x / 8.0).collect()
}

/// Writes a head for texts; `change` makes its configuration another.
fn write_text_head(
    dir: &Path,
    name: &str,
    sum: &str,
    change: impl Fn(&mut TextHeadConfig),
) -> Result<()> {
    let mut config = TextHeadConfig::new(&labels(), HIDDEN, 48, sum.to_owned());
    change(&mut config);
    let tensor = |count: usize| Tensor::from_vec(rows(count), (count, HIDDEN), &Device::Cpu);
    let (weight, pooler) = (tensor(3).unwrap(), tensor(HIDDEN).unwrap());
    let bias = Tensor::new(&[0.5f32, -0.25, 0.0], &Device::Cpu).unwrap();
    let zeros = Tensor::new(&[0.1f32; HIDDEN][..], &Device::Cpu).unwrap();
    let pooler = config.pooler.then_some((&pooler, &zeros));
    TextHead::write(dir, name, &config, (&weight, &bias), pooler, None)
}

fn open(dir: &Path, encoder: &Arc<Encoder>, name: Option<&str>) -> Result<TextClassifier> {
    TextClassifier::open(Arc::clone(encoder), dir, name)
}

/// What tells relations of entities of two types, every pair some label.
pub(super) fn finder(types: &[String]) -> (TempDir, RelationFinder) {
    let dir = model();
    let encoder = encoder(dir.path());
    let sum = encoder.fingerprint().sha256.clone();
    let pair = PairRule {
        types: [types[0].clone(), types[1].clone()],
        others: None,
    };
    write_text_head(dir.path(), "pairs", &sum, |config| {
        config.pair = Some(pair.clone());
    })
    .unwrap();
    let classifier = open(dir.path(), &encoder, None).unwrap();
    (dir, RelationFinder::new(classifier).unwrap())
}

/// Softmax of the linear layer over a vector, without any of the head's code.
fn expected(vector: &[f32]) -> Vec<f32> {
    let weights = rows(3);
    let logits = weights.chunks_exact(HIDDEN).zip([0.5f32, -0.25, 0.0]);
    let logits: Vec<f32> = logits
        .map(|(row, bias)| row.iter().zip(vector).map(|(w, x)| w * x).sum::<f32>() + bias)
        .collect();
    let sum: f32 = logits.iter().map(|x| x.exp()).sum();
    logits.iter().map(|x| x.exp() / sum).collect()
}

#[test]
fn probabilities_are_those_of_the_linear_layer() {
    let dir = model();
    let encoder = encoder(dir.path());
    let sum = encoder.fingerprint().sha256.clone();
    write_text_head(dir.path(), "cls", &sum, |_| {}).unwrap();
    write_text_head(dir.path(), "mean", &sum, |c| c.pooling = TextPooling::Mean).unwrap();
    write_text_head(dir.path(), "pooler", &sum, |c| c.pooler = true).unwrap();
    let text = "Statins and muscle pain: TNF-α in T cells.";
    let tokens = vec![encoder.tokenizer().encode(text, 48).unwrap()];
    let states = encoder.map_states(&tokens, None, |_, states| states.to_vec());
    let states = &states[0];
    let count = (states.len() / HIDDEN) as f32;
    let first = states[..HIDDEN].to_vec();
    let column = |at: usize| states.iter().skip(at).step_by(HIDDEN).sum::<f32>() / count;
    let mean: Vec<f32> = (0..HIDDEN).map(column).collect();
    let dense = rows(HIDDEN);
    let pooled: Vec<f32> = dense
        .chunks_exact(HIDDEN)
        .map(|row| (row.iter().zip(&first).map(|(w, x)| w * x).sum::<f32>() + 0.1).tanh())
        .collect();
    for (name, vector) in [("cls", first), ("mean", mean), ("pooler", pooled)] {
        let classifier = open(dir.path(), &encoder, Some(name)).unwrap();
        let found = classifier.probabilities(&[text]).unwrap();
        let expected = expected(&vector);
        for (a, b) in found[0].iter().zip(&expected) {
            assert!((a - b).abs() < 1e-4, "{name}: {found:?} {expected:?}");
        }
        let best = &classifier.classify(&[text]).unwrap()[0];
        let most = found[0].iter().copied().fold(0.0, f32::max);
        assert_eq!((best.score, &best.probabilities), (most, &found[0]));
        let place = found[0].iter().position(|x| *x == most).unwrap();
        assert_eq!(best.label, labels()[place]);
    }
}

#[test]
fn a_text_has_the_same_label_alone_and_among_others() {
    let dir = model();
    let encoder = encoder(dir.path());
    write_text_head(dir.path(), "one", &encoder.fingerprint().sha256, |_| {}).unwrap();
    let classifier = open(dir.path(), &encoder, None).unwrap();
    let long = "muscle pain and weakness of the cells ".repeat(40);
    let texts = ["Statins.", "", &long, "🧬 İ \u{200b}", "IL-2 in T cells"];
    let all = classifier.probabilities(&texts).unwrap();
    for (text, found) in texts.iter().zip(&all) {
        assert_eq!(&classifier.probabilities(&[text]).unwrap()[0], found);
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
    let none: [&str; 0] = [];
    assert!(classifier.classify(&none).unwrap().is_empty());
}

#[test]
fn heads_of_both_tasks_lie_in_one_model() {
    let dir = model();
    let encoder = encoder(dir.path());
    let sum = encoder.fingerprint().sha256.clone();
    let refused = |found: Result<()>, kind: ErrorKind, parts: &[&str]| {
        let error = found.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        for part in parts {
            assert!(error.to_string().contains(part), "{error}");
        }
    };
    let text = |name: Option<&str>| open(dir.path(), &encoder, name).map(|_| ());
    let token =
        |name: Option<&str>| Tagger::open(Arc::clone(&encoder), dir.path(), name).map(|_| ());
    write_head(dir.path(), "tags", 48, &bias(&encoder), &sum).unwrap();
    let missing = [
        "no head for text",
        "kind `text`",
        "there are: tags (entities)",
    ];
    refused(text(None), ErrorKind::NotFound, &missing);
    write_text_head(dir.path(), "pairs", &sum, |_| {}).unwrap();
    // One of each task: neither has to be named.
    text(None).unwrap();
    token(None).unwrap();
    assert_eq!(TokenHead::names(dir.path()).unwrap(), ["tags"]);
    assert_eq!(TextHead::names(dir.path()).unwrap(), ["pairs"]);
    let other = ["for \"entities\"", "wanted is format 1 for \"text\""];
    refused(text(Some("tags")), ErrorKind::Incompatible, &other);
    let listed = ["pairs (text), tags (entities)"];
    refused(token(Some("none")), ErrorKind::NotFound, &listed);
    write_text_head(dir.path(), "more", &sum, |_| {}).unwrap();
    refused(text(None), ErrorKind::InvalidInput, &["more, pairs"]);
    // A damaged head is no obstacle to the others, and says so itself.
    fs::write(dir.path().join("heads/more/config.json"), "{").unwrap();
    text(None).unwrap();
    refused(text(Some("more")), ErrorKind::Corrupt, &["config.json"]);
    refused(
        text(Some("x")),
        ErrorKind::NotFound,
        &["more (its config.json"],
    );
}

#[test]
fn a_head_that_does_not_hold_together_is_not_written() {
    let dir = model();
    let write = |change: &dyn Fn(&mut TextHeadConfig)| {
        write_text_head(dir.path(), "bad", "x", change)
            .unwrap_err()
            .to_string()
    };
    let two = |c: &mut TextHeadConfig| c.labels.truncate(2);
    assert!(write(&two).contains("[3, 32]"));
    let negative = |c: &mut TextHeadConfig| c.negative = Some("no".to_owned());
    assert!(write(&negative).contains("negative label no"));
    let twice = |c: &mut TextHeadConfig| c.labels[1] = "none".to_owned();
    assert!(write(&twice).contains("twice"));
    let blank = |c: &mut TextHeadConfig| c.labels[1] = " a".to_owned();
    assert!(write(&blank).contains("white space"));
    assert!(TextHead::names(dir.path()).unwrap().is_empty());
}

#[test]
fn relations_have_their_entities_and_their_sentence() {
    let dir = model();
    let encoder = encoder(dir.path());
    let sum = encoder.fingerprint().sha256.clone();
    let pair = PairRule {
        types: ["Gene", "Disease"].map(str::to_owned),
        others: None,
    };
    write_text_head(dir.path(), "all", &sum, |c| c.pair = Some(pair.clone())).unwrap();
    write_text_head(dir.path(), "plain", &sum, |_| {}).unwrap();
    let finder = |name: &str| RelationFinder::new(open(dir.path(), &encoder, Some(name)).unwrap());
    let error = finder("plain").unwrap_err();
    assert!(error.to_string().contains("`pair`"), "{error}");

    let entity = |kind: &str, start: usize, mention: &str| Entity {
        kind: kind.to_owned(),
        start,
        end: start + mention.chars().count(),
        text: mention.to_owned(),
        score: 1.0,
        concept: None,
    };
    let text = "β-cells rest. TNF-α causes pain and weakness. No gene.";
    let entities = [
        entity("Gene", 14, "TNF-α"),
        entity("Disease", 27, "pain"),
        entity("Disease", 36, "weakness"),
    ];
    let texts: [(&str, &[Entity]); 3] = [("", &[]), (text, &entities), (text, &entities[..1])];
    let found = finder("all").unwrap().find(&texts).unwrap();
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [0, 2, 0]);
    let masked = [
        "@GENE$ causes @DISEASE$ and weakness.",
        "@GENE$ causes pain and @DISEASE$.",
    ];
    let classified = open(dir.path(), &encoder, Some("all")).unwrap();
    let classified = classified.classify(&masked).unwrap();
    for ((relation, expected), second) in found[1].iter().zip(&classified).zip([1, 2]) {
        assert_eq!((relation.first, relation.second), (0, second));
        assert_eq!(
            (&relation.kind, relation.score),
            (&expected.label, expected.score)
        );
        let evidence = &relation.evidence;
        assert_eq!((evidence.start, evidence.end), (14, 45));
        assert_eq!(evidence.text, "TNF-α causes pain and weakness.");
    }
    // What gets the negative label is no relation.
    let negative = classified[0].label.clone();
    write_text_head(dir.path(), "some", &sum, |c| {
        c.pair = Some(pair.clone());
        c.negative = Some(negative.clone());
    })
    .unwrap();
    let left = finder("some").unwrap().find(&texts).unwrap();
    let expected = classified
        .iter()
        .filter(|one| one.label != negative)
        .count();
    assert_eq!(left[1].len(), expected);
    assert!(left[1].iter().all(|one| one.kind != negative));
}
