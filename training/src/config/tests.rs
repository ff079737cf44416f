use super::*;
use crate::Precision;
use crate::optimiser::ScheduleKind;
use medsift::ErrorKind;
use medsift::encoder::parts::Layout;
use std::path::Path;

const SMALL: &str = r#"
output = "runs/small"

[base]
model = "minilm"

[[stage]]
name = "nli"
kind = "sentence"

[stage.objective]
kind = "softmax"

[[stage.data]]
format = "nli"
files = ["{data}/nli/*.tsv"]

[[stage]]
name = "sts"
kind = "sentence"
epochs = 4

[stage.objective]
kind = "cosine"

[[stage.data]]
format = "sts"
files = ["{data}/sts.tsv"]
"#;

fn parse(text: &str) -> medsift::Result<TrainConfig> {
    TrainConfig::parse(text, Path::new("small.toml"))
}

fn refusal(text: &str) -> String {
    let error = parse(text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    let message = error.to_string();
    assert!(message.starts_with("small.toml: "), "{message}");
    message
}

#[test]
fn what_is_not_given_has_its_default() {
    let config = parse(SMALL).unwrap();
    assert_eq!(config.seed, 42);
    assert_eq!(config.checkpoint, CheckpointConfig::default());
    let stage = &config.stages[0];
    assert_eq!(stage.length(), Length::Epochs(1.0));
    assert_eq!(config.stages[1].length(), Length::Epochs(4.0));
    assert_eq!((stage.batch, stage.learning_rate), (16, 2e-5));
    assert_eq!((stage.warm_up, stage.schedule), (0.1, ScheduleKind::Linear));
    assert_eq!(stage.precision, Precision::F32);
}

#[test]
fn the_data_folder_is_put_into_the_tables() {
    let files = |config: &TrainConfig| {
        config.stages[0].data[0]["files"][0]
            .as_str()
            .map(str::to_owned)
    };
    let config = parse(SMALL).unwrap();
    let usual = config.clone().with_data_dir(None);
    assert_eq!(files(&usual).unwrap(), "../shared/data/nli/*.tsv");
    let other = config.with_data_dir(Some("/data".into()));
    assert_eq!(files(&other).unwrap(), "/data/nli/*.tsv");
}

#[test]
fn a_configuration_survives_both_records() {
    let config = parse(SMALL).unwrap();
    let json = serde_json::to_string(&config).unwrap();
    assert_eq!(serde_json::from_str::<TrainConfig>(&json).unwrap(), config);
    let text = toml::to_string(&config).unwrap();
    assert_eq!(parse(&text).unwrap(), config);
}

#[test]
fn complaints_name_stage_and_key() {
    for (from, to, wanted) in [
        ("epochs = 4", "epoch = 4", "stage 2 (\"sts\"): "),
        ("epochs = 4", "epoch = 4", "unknown field `epoch`"),
        ("epochs = 4", "epochs = \"4\"", "stage 2 (\"sts\"): "),
        ("epochs = 4", "epochs = 0", "stage 2 (\"sts\"): `epochs`: 0"),
        ("epochs = 4", "epochs = nan", "`epochs`: NaN"),
        ("epochs = 4", "epochs = 1\nsteps = 2", "exclude each other"),
        (
            "epochs = 4",
            "steps = 0",
            "`steps`: 0 is out of range (1..)",
        ),
        ("epochs = 4", "warm_up = 1.5", "`warm_up`: 1.5"),
        ("epochs = 4", "dropout = 1.0", "`dropout`: 1"),
        ("epochs = 4", "learning_rate = 0", "`learning_rate`: 0"),
        ("epochs = 4", "average_last = 9", "`average_last`: 9"),
        ("epochs = 4", "start_share = 1.5", "`start_share`: 1.5"),
        (
            "epochs = 4",
            "steps = 9\nschedule_steps = 8",
            "`schedule_steps`: 8",
        ),
        (
            "epochs = 4",
            "evaluation = { best = \"x\" }",
            "`evaluation.best`",
        ),
        (
            "epochs = 4",
            "schedule = \"step\"",
            "unknown variant `step`",
        ),
        ("name = \"sts\"", "name = \"nli\"", "`name`: another stage"),
        ("kind = \"cosine\"", "", "`objective`: a sentence stage"),
        ("model = \"minilm\"", "", "`base` is empty"),
        (
            "model = \"minilm\"",
            "models = \"minilm\"",
            "unknown field `models`",
        ),
        (
            "model = \"minilm\"",
            "scratch = { hidden = 8, layers = 1, heads = 2, intermediate = 8 }",
            "`base.vocabulary`",
        ),
        (
            "model = \"minilm\"",
            "vocabulary = \"v\"\nscratch = { hidden = 8, layers = 1, heads = 3, intermediate = 8 }",
            "not a multiple of the 3 heads",
        ),
        ("output = \"runs/small\"", "", "missing field `output`"),
    ] {
        assert!(SMALL.contains(from));
        let message = refusal(&SMALL.replacen(from, to, 1));
        assert!(message.contains(wanted), "{to}: {message}");
    }
    let first = SMALL.split("[[stage]]").next().unwrap();
    assert!(refusal(first).contains("there is no stage"));
}

fn small_layout() -> Layout {
    let scratch = ScratchConfig {
        hidden: 8,
        layers: 3,
        heads: 2,
        intermediate: 16,
        positions: 32,
        token_types: 2,
    };
    Layout::of(&scratch.architecture(100))
}

#[test]
fn settings_of_a_parameter() {
    let layout = small_layout();
    let mut stage = parse(SMALL).unwrap().stages.remove(0);
    stage.layer_decay = 0.5;
    stage.freeze_layers = 1;
    stage.groups = vec![
        GroupConfig {
            parameters: "cls.*".into(),
            factor: 10.0,
            weight_decay: Some(0.1),
            freeze: false,
        },
        GroupConfig {
            parameters: "*position_embeddings*".into(),
            factor: 1.0,
            weight_decay: None,
            freeze: true,
        },
    ];
    for (name, factor, weight_decay, frozen) in [
        ("embeddings.word_embeddings.weight", 0.125, 0.01, false),
        ("embeddings.position_embeddings.weight", 0.0, 0.01, true),
        ("embeddings.LayerNorm.weight", 0.125, 0.0, false),
        ("encoder.layer.0.output.dense.weight", 0.0, 0.01, true),
        ("encoder.layer.1.output.dense.weight", 0.5, 0.01, false),
        ("encoder.layer.2.output.dense.bias", 1.0, 0.0, false),
        ("encoder.layer.2.output.LayerNorm.weight", 1.0, 0.0, false),
        ("cls.predictions.bias", 10.0, 0.1, false),
        ("classifier.weight", 1.0, 0.01, false),
    ] {
        let expected = ParameterSettings {
            factor,
            weight_decay,
            frozen,
        };
        assert_eq!(stage.parameter(name, &layout), expected, "{name}");
    }
}

#[test]
fn heads_have_a_factor_of_their_own() {
    let text = SMALL.replace(
        "kind = \"sentence\"\n",
        "kind = \"sentence\"\nhead_factor = 10\n",
    );
    let stage = parse(&text).unwrap().stages.remove(0);
    let layout = small_layout();
    let factor = |name: &str| stage.parameter(name, &layout).factor;
    assert_eq!(factor("classifier.weight"), 10.0);
    assert_eq!(factor("encoder.layer.1.output.dense.weight"), 1.0);
    let message = refusal(&text.replace("head_factor = 10", "head_factor = -1"));
    assert!(message.contains("`head_factor`"), "{message}");
    let token = text.replace("kind = \"sentence\"", "kind = \"token\"");
    let bare = token.replace("[stage.objective]\nkind = \"softmax\"\n", "");
    assert!(refusal(&bare).contains("a token stage needs"), "{bare}");
    let bare = bare.replace("\"token\"", "\"text\"");
    assert!(refusal(&bare).contains("a text stage needs"), "{bare}");
}

#[test]
fn the_files_that_ship_are_whole() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/train");
    let mut seen = Vec::new();
    for entry in std::fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let config = TrainConfig::read(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(
            config.output.ends_with(&name),
            "{name}: {:?}",
            config.output
        );
        for table in config.stages.iter().flat_map(|stage| &stage.data) {
            for file in table
                .get("files")
                .and_then(|files| files.as_array())
                .into_iter()
                .flatten()
            {
                let file = file.as_str().unwrap();
                assert!(
                    !file.contains("nfcorpus") && !file.contains("scifact"),
                    "{name} trains on {file}, which is for measuring only"
                );
            }
        }
        seen.push(name);
    }
    seen.sort();
    let expected = [
        "answers",
        "associated",
        "biobert-mlm",
        "biobert-sbert",
        "chemprot",
        "euadr",
        "gad",
        "induces",
        "medsift-mini",
        "mini",
        "ner",
        "ner-ncbi-disease",
        "sbert-nli",
        "sbert-sts",
        "stages",
        "verdict",
    ];
    assert_eq!(seen, expected);
}
