//! The linear layer that a run may end with.

use super::*;
use crate::record::Status;
use medsift::encoder::parts::Dense;
use medsift::encoder::{Encoder, EncoderOptions};

const WHITENING: &str = r#"
[model.whitening]
power = 0.5
shrinkage = 0.2
[[model.whitening.data]]
files = ["{data}/texts.txt"]
"#;

/// A workspace with more texts than the small models have dimensions.
fn work() -> Work {
    let work = Work::new();
    let texts: Vec<String> = (0..90).map(|number| text(number * 7)).collect();
    work.write("texts.txt", &texts.join("\n\n"));
    work
}

fn open(dir: &Path) -> Encoder {
    Encoder::open(dir, EncoderOptions::default()).unwrap()
}

fn normalised(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

#[test]
fn a_run_without_stages_whitens_its_start_model() {
    let work = work();
    let config = work.config("run", WHITENING);
    let record = run(&config).unwrap();
    let folder = work.folder("run");
    assert_eq!(record.status, Status::Finished);
    assert_eq!(record.data.len(), 1);
    assert_eq!(
        (&record.data[0].stage[..], record.data[0].examples),
        ("whitening", 90)
    );
    let (start, white) = (open(&fixture("models/bert-mean")), open(&folder.model()));
    assert!(start.fingerprint().dense.is_none() && white.fingerprint().dense.is_some());
    let layer = Dense::read(&folder.model().join("2_Dense")).unwrap();
    let before = start
        .encode_passages(&["muscle pain"])
        .unwrap()
        .into_values();
    let rows = layer.weight.chunks_exact(layer.inputs);
    let product = rows.map(|row| row.iter().zip(&before).map(|(w, x)| w * x).sum());
    let expected = normalised(product.collect());
    let after = white
        .encode_passages(&["muscle pain"])
        .unwrap()
        .into_values();
    let off = |(a, b): (&f32, &f32)| (a - b).abs();
    let most = expected.iter().zip(&after).map(off).fold(0.0, f32::max);
    assert!(most < 1e-5, "{most}");
    let card = std::fs::read_to_string(folder.model().join("README.md")).unwrap();
    assert!(card.contains("soft whitening of power 0.5"), "{card}");
}

#[test]
fn the_finished_model_of_stages_is_whitened_and_those_on_the_way_are_not() {
    let work = work();
    let config = work.config("run", &format!("{WHITENING}{STS}"));
    run(&config).unwrap();
    let folder = work.folder("run");
    let left = open(&folder.stage_model(&config.stages[0].name));
    assert!(left.fingerprint().dense.is_none());
    assert!(open(&folder.model()).fingerprint().dense.is_some());
}

#[test]
fn a_layer_behind_the_pooling_is_not_trained_over() {
    let work = work();
    let whitened = work.config("run", WHITENING);
    run(&whitened).unwrap();
    let config = work.config("again", STS);
    let options = RunOptions {
        model: Some(work.folder("run").model()),
        ..RunOptions::default()
    };
    let error = train(&config, &options, &Silent).unwrap_err().to_string();
    assert!(
        error.contains("a linear layer behind its pooling"),
        "{error}"
    );
}

#[test]
fn settings_that_cannot_work_are_told() {
    let parse = |rest: &str| {
        let text = format!("output = \"o\"\n[base]\nmodel = \"tiny\"\n{rest}");
        TrainConfig::parse(&text, Path::new("t.toml")).map_err(|error| error.to_string())
    };
    assert!(parse(WHITENING).is_ok());
    for (change, to, part) in [
        ("power = 0.5", "power = 1.5", "`model.whitening.power`"),
        (
            "shrinkage = 0.2",
            "shrinkage = -1",
            "`model.whitening.shrinkage`",
        ),
        ("files", "filez", "unknown field `filez`"),
        (WHITENING, "", "there is no stage"),
    ] {
        let error = parse(&WHITENING.replace(change, to)).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    let head = "[[stage]]\nname = \"ner\"\nkind = \"token\"\nobjective = { types = [\"Gene\"] }\n\
                data = [{ files = [\"x\"] }]\n";
    let error = parse(&format!("{WHITENING}{head}")).unwrap_err();
    assert!(error.contains("learns a head"), "{error}");
}
