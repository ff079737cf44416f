use super::super::adapter::{Adapter, LowRank};
use super::super::architecture::Architecture;
use super::super::inference::{Inference, Scratch};
use super::super::kernel::InstructionSet;
use super::super::layout::{LayerNames, Layout};
use super::super::weights::{Weights, find_checkpoint};
use super::*;
use candle_core::Tensor;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tempfile::TempDir;

/// Numbers that look random, and that half precision holds.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    (0..count as u64)
        .map(|at| {
            let mixed = (seed + at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((mixed >> 40) % 257) as f32 / 1024.0 - 0.125
        })
        .collect()
}

/// Changes of the linear layers of which `kept` says so.
fn adapter(architecture: &Architecture, rank: usize, kept: impl Fn(usize) -> bool) -> Adapter {
    let (hidden, wide) = (architecture.hidden, architecture.intermediate);
    let mut updates = BTreeMap::new();
    let mut number = 0;
    for names in Layout::of(architecture).layers {
        let LayerNames {
            query,
            key,
            value,
            output,
            widen,
            narrow,
            ..
        } = names;
        for (module, outputs, inputs) in [
            (query, hidden, hidden),
            (key, hidden, hidden),
            (value, hidden, hidden),
            (output, hidden, hidden),
            (widen, wide, hidden),
            (narrow, hidden, wide),
        ] {
            number += 1;
            if kept(number) {
                let update = LowRank {
                    inputs,
                    outputs,
                    down: numbers(rank * inputs, number as u64),
                    up: numbers(outputs * rank, 99 + number as u64),
                };
                updates.insert(module, update);
            }
        }
    }
    Adapter::new(rank, updates).unwrap()
}

/// The model with the change worked into its weights.
fn merged(from: &Path, architecture: &Architecture, adapter: &Adapter) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let weights = Weights::read(&find_checkpoint(from).unwrap(), architecture).unwrap();
    let mut tensors = HashMap::new();
    for parameter in Layout::of(architecture).parameters(architecture) {
        let mut numbers = weights.numbers(&parameter.name).unwrap();
        let module = parameter.name.strip_suffix(".weight").unwrap_or("");
        if let Some(update) = adapter.updates().get(module) {
            let rank = adapter.rank();
            for (at, number) in numbers.iter_mut().enumerate() {
                let (row, column) = (at / update.inputs, at % update.inputs);
                *number += (0..rank)
                    .map(|r| update.up[row * rank + r] * update.down[r * update.inputs + column])
                    .sum::<f32>();
            }
        }
        let tensor = Tensor::from_vec(numbers, parameter.shape, &candle_core::Device::Cpu);
        tensors.insert(parameter.name, tensor.unwrap());
    }
    candle_core::safetensors::save(&tensors, dir.path().join("model.safetensors")).unwrap();
    dir
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_change_beside_the_weights_equals_one_within_them(
        model in prop::sample::select(vec!["bert-mean", "roberta-max", "distilbert"]),
        texts in prop::collection::vec(prop::collection::vec(0u32..100, 1..30), 1..5),
        rank in 1usize..5,
        kept in prop::collection::vec(any::<bool>(), 12),
        tasks in 1usize..4,
    ) {
        let dir = fixture(model);
        let architecture = Architecture::read(&dir.join("config.json")).unwrap();
        let adapter = adapter(&architecture, rank, |at| at == 1 || kept[at % 12]);
        let read = |dir: &Path| Weights::read(&find_checkpoint(dir).unwrap(), &architecture);
        let other = merged(&dir, &architecture, &adapter);
        let texts: Vec<&[u32]> = texts.iter().map(|ids| &ids[..]).collect();
        for set in InstructionSet::all() {
            let run = |weights: &Weights, changed: bool| {
                let inference = Inference::new(weights, &architecture, set).unwrap();
                let packed = changed.then(|| inference.adapt(&adapter).unwrap());
                let mut scratch = Scratch::default();
                inference.forward(&texts, packed.as_ref(), tasks, &mut scratch).to_vec()
            };
            let base = read(&dir).unwrap();
            let beside = run(&base, true);
            let within = run(&read(other.path()).unwrap(), false);
            let off = distance(&beside, &within);
            prop_assert!(off < 5e-5, "{set:?}: {off}");
            prop_assert!(distance(&beside, &run(&base, false)) > 1e-3, "nothing was changed");
        }
    }
}

#[test]
fn an_adapter_comes_back_from_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("adapter.safetensors");
    let architecture = Architecture::read(&fixture("bert-mean").join("config.json")).unwrap();
    let written = adapter(&architecture, 3, |at| at % 2 == 1);
    written.write(&path).unwrap();
    assert_eq!(Adapter::read(&path).unwrap(), written);
}

#[test]
fn what_does_not_fit_is_refused() {
    let encoder = open("bert-mean");
    let architecture = Architecture::read(&fixture("bert-mean").join("config.json")).unwrap();
    let good = adapter(&architecture, 2, |_| true);
    assert!(encoder.adapt(&good).is_ok());
    let mut renamed = good.updates().clone();
    let one = renamed.pop_first().unwrap().1;
    renamed.insert("encoder.layer.99.output.dense".to_owned(), one.clone());
    let error = encoder.adapt(&Adapter::new(2, renamed).unwrap());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("layers that the encoder has not"), "{error}");

    let mut narrow = good.updates().clone();
    let (name, _) = narrow.pop_first().unwrap();
    let update = LowRank {
        inputs: 2,
        outputs: 2,
        down: vec![0.0; 4],
        up: vec![0.0; 4],
    };
    narrow.insert(name.clone(), update);
    let error = encoder.adapt(&Adapter::new(2, narrow).unwrap());
    let error = error.unwrap_err().to_string();
    assert!(error.contains(&name), "{error}");

    assert!(Adapter::new(2, BTreeMap::new()).is_err());
    assert!(Adapter::new(3, BTreeMap::from([("m".to_owned(), one)])).is_err());

    // Files: a lonely half, another rank, no adapter at all.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("adapter.safetensors");
    let zeros = |rows: usize, columns: usize| {
        Tensor::zeros(
            (rows, columns),
            candle_core::DType::F32,
            &candle_core::Device::Cpu,
        )
        .unwrap()
    };
    for (tensors, word) in [
        (vec![("m.lora_A.weight", zeros(2, 4))], "lacks"),
        (vec![("m.lora_B.weight", zeros(4, 2))], "without"),
        (
            vec![
                ("m.lora_A.weight", zeros(2, 4)),
                ("m.lora_B.weight", zeros(4, 3)),
            ],
            "rank",
        ),
        (vec![("classifier.weight", zeros(2, 4))], "no adapter"),
    ] {
        let tensors: HashMap<&str, Tensor> = tensors.into_iter().collect();
        candle_core::safetensors::save(&tensors, &path).unwrap();
        let error = Adapter::read(&path).unwrap_err().to_string();
        assert!(
            error.contains(word) && error.contains("adapter.safetensors"),
            "{error}"
        );
    }
}
