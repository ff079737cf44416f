//! Whole runs and what they leave.

use super::*;
use crate::Place;
use crate::record::Status;
use medsift::encoder::{Encoder, EncoderOptions};
use medsift::eval::{ScoredPair, StsScores};

fn vector(dir: &Path, text: &str) -> Vec<f32> {
    let encoder = Encoder::open(dir, EncoderOptions::default()).unwrap();
    encoder.encode_passages(&[text]).unwrap().into_values()
}

#[test]
fn two_stages_leave_a_model_a_record_and_a_plot() {
    let work = Work::new();
    let config = work.config("run", &format!("{TRIPLETS}{STS}"));
    let record = run(&config).unwrap();
    let folder = work.folder("run");
    assert_eq!(record.status, Status::Finished);
    assert_eq!(RunRecord::read(&folder.run()).unwrap(), record);
    assert_eq!(record.base.name, "tiny");
    assert_eq!(record.data.len(), 2);
    assert_eq!(record.data[1].examples, 30);
    // Start, middle and end of the first stage; start and end of the second.
    let steps = |name: &str| -> Vec<u64> {
        let scores = record.scores.iter().filter(|score| score.name == name);
        scores.map(|score| score.step).collect()
    };
    assert_eq!(steps("score/triplets/accuracy"), [0, 4, 8]);
    assert_eq!(steps("score/sts/spearman"), [8, 14]);
    let losses = series(&metrics(&folder), "loss");
    let at: Vec<u64> = losses.iter().map(|(step, _)| *step).collect();
    assert_eq!(at, [3, 6, 8, 12, 14]);
    let plot = std::fs::read_to_string(folder.plot()).unwrap();
    assert!(plot.starts_with("<svg"), "{plot}");
    let model = folder.model();
    assert_eq!(vector(&model, "muscle pain").len(), 32);
    assert_ne!(
        vector(&model, "muscle pain"),
        vector(&folder.stage_model("triplets"), "muscle pain")
    );
    assert_ne!(
        vector(&model, "muscle pain"),
        vector(&fixture("models/bert-mean"), "muscle pain")
    );
    let names: Vec<&str> = record.output.iter().map(|file| &file.name[..]).collect();
    assert!(names.contains(&"model.safetensors"), "{names:?}");
    assert!(names.contains(&"README.md"), "{names:?}");
}

#[test]
fn tensors_learn_what_the_kernels_learn() {
    let work = Work::new();
    let losses = |name: &str, device: Place| {
        let mut config = work.config(name, &format!("{TRIPLETS}{STS}"));
        config.device = device;
        let record = run(&config).unwrap();
        assert_eq!(record.environment.device, device.to_string());
        series(&metrics(&work.folder(name)), "loss")
    };
    let kernels = losses("kernels", Place::Cpu);
    let tensors = losses("tensors", Place::CpuTensors);
    assert_eq!(kernels.len(), tensors.len());
    for ((step, ours), (_, theirs)) in kernels.iter().zip(&tensors) {
        assert!((ours - theirs).abs() < 1e-4, "step {step}: {ours} {theirs}");
    }
}

#[test]
fn bfloat16_is_refused_where_there_is_none() {
    let work = Work::new();
    let mut config = work.config("run", STS);
    config.device = Place::CpuTensors;
    config.stages[0].precision = crate::Precision::Bf16;
    let error = run(&config).unwrap_err().to_string();
    assert!(error.contains("precision = \"f32\""), "{error}");
}

#[test]
fn the_model_that_is_written_is_the_one_that_was_measured() {
    let work = Work::new();
    let mut config = work.config("run", STS);
    // Texts are trained and measured without a prompt.
    config.model.passage_prompt = Some(String::new());
    let record = run(&config).unwrap();
    let encoder = Encoder::open(&work.folder("run").model(), EncoderOptions::default()).unwrap();
    let pairs = ScoredPair::read(&work.path("sts.tsv")).unwrap();
    let encode = |text: fn(&ScoredPair) -> &str| {
        let texts: Vec<&str> = pairs.iter().map(text).collect();
        encoder.encode_passages(&texts).unwrap().into_values()
    };
    let first = encode(|pair| &pair.first);
    let second = encode(|pair| &pair.second);
    let scores = StsScores::of(&pairs, &first, &second, 32).unwrap();
    let told = record.scores.last().unwrap();
    assert_eq!(told.name, "score/sts/pearson");
    assert!((told.value - scores.pearson).abs() < 1e-4, "{told:?}");
}

#[test]
fn the_loss_falls() {
    let work = Work::new();
    let mut config = work.config("run", STS);
    config.stages[0].epochs = Some(40.0);
    run(&config).unwrap();
    let losses = series(&metrics(&work.folder("run")), "loss");
    let (first, last) = (losses[0].1, losses[losses.len() - 1].1);
    assert!(last < 0.5 * first, "{losses:?}");
}

#[test]
fn frozen_parameters_keep_their_bits() {
    let work = Work::new();
    let mut config = work.config("run", TRIPLETS);
    config.stages[0].freeze_embeddings = true;
    config.stages[0].freeze_layers = 1;
    run(&config).unwrap();
    let before = weights(&fixture("models/bert-mean"));
    let mut changed = 0;
    for (name, after) in weights(&work.folder("run").model()) {
        let same = numbers(&before[&name]) == numbers(&after);
        let frozen = name.starts_with("embeddings.") || name.starts_with("encoder.layer.0.");
        assert_eq!(same, frozen, "{name}");
        changed += usize::from(!same);
    }
    assert!(changed > 8, "{changed}");
}

#[test]
fn a_plan_says_what_would_run() {
    let work = Work::new();
    let config = work.config("run", &format!("{TRIPLETS}{STS}"));
    let plan = plan(&config, Some(&fixture("models/bert-mean")), None).unwrap();
    assert!(!work.path("run").exists());
    assert_eq!(plan.stages.len(), 2);
    let [triplets, sts] = &plan.stages[..] else {
        panic!("{plan:?}")
    };
    assert_eq!((triplets.examples, triplets.steps), (Some(30), Some(8)));
    assert_eq!((sts.examples, sts.steps), (Some(30), Some(6)));
    assert_eq!(sts.evaluation, [("sts".to_owned(), 30)]);
    assert_eq!((sts.max_tokens, sts.objective.as_str()), (40, "cosine"));
    assert_eq!(sts.trained, plan.parameters);
    assert!(sts.memory > 16 * plan.parameters as u64, "{plan:?}");
}
