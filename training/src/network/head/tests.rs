use super::*;
use crate::kernel::scalar::mix;
use crate::kernel::{Engine, Precision};
use crate::network::{FastBackbone, TensorBackbone, Tokens};
use candle_core::Device;
use medsift::encoder::parts::kernel::Activation;
use medsift::encoder::parts::{Architecture, Family};
use std::collections::HashMap;

/// A vocabulary of several parts, the last of them small.
const WORDS: usize = 1100;

fn architecture(activation: Activation) -> Architecture {
    Architecture {
        family: Family::Bert,
        hidden: 48,
        layers: 1,
        heads: 3,
        intermediate: 64,
        vocabulary: WORDS,
        positions: 32,
        first_position: 0,
        token_types: 2,
        distances: 0,
        activation,
        epsilon: 1e-12,
    }
}

/// Numbers far enough from where a training starts for every path to matter.
fn random(shape: &[usize], seed: u64) -> Tensor {
    let count: usize = shape.iter().product();
    let number = |at: usize| (mix(seed, at as u64) >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
    let numbers: Vec<f32> = (0..count).map(number).collect();
    Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap()
}

fn network_parameters(architecture: &Architecture) -> Parameters {
    let layout = Layout::of(architecture).parameters(architecture);
    let tensors = layout.into_iter().enumerate().map(|(seed, parameter)| {
        let mut tensor = random(&parameter.shape, seed as u64);
        if parameter.name.ends_with("LayerNorm.weight") {
            tensor = (tensor + 1.0).unwrap();
        }
        (parameter.name, tensor)
    });
    Parameters::new(tensors.collect::<Vec<_>>(), &Device::Cpu).unwrap()
}

fn heads(architecture: &Architecture, classes: usize) -> Parameters {
    let start = start_heads(architecture, &HashMap::new(), classes, 1, &Device::Cpu).unwrap();
    for (seed, parameter) in start.parameters.iter().enumerate() {
        let mut tensor = random(parameter.value.dims(), 100 + seed as u64);
        if parameter.name.ends_with("LayerNorm.weight") {
            tensor = (tensor + 1.0).unwrap();
        }
        parameter.value.set(&tensor).unwrap();
    }
    start.parameters
}

fn tokens() -> Tokens {
    let mut tokens = Tokens::default();
    for (text, length) in [9usize, 20, 14].into_iter().enumerate() {
        let ids: Vec<u32> = (0..length)
            .map(|at| (text * 97 + at * 31) as u32 % 1100)
            .collect();
        let types: Vec<u32> = (0..length).map(|at| u32::from(at > length / 2)).collect();
        tokens.push(&ids, Some(&types));
    }
    tokens
}

fn targets() -> Targets {
    Targets {
        masked: vec![1, 4, 8, 10, 13, 22, 28, 30, 41],
        // The first and the last of parts, and one label twice.
        labels: vec![0, 511, 512, 1023, 1024, 1099, 7, 7, 700],
        first: vec![0, 9, 29],
        relations: vec![2, 0, 1],
    }
}

const SHARES: Shares = Shares {
    masked: 1.0 / 9.0,
    relation: 1.0 / 3.0,
};

fn numbers(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

/// Largest difference, as a share of the largest number.
fn apart(a: &Tensor, b: &Tensor) -> f32 {
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    let largest = b.iter().fold(1e-6f32, |most, x| most.max(x.abs()));
    let differences = a.iter().zip(&b).map(|(x, y)| (x - y).abs());
    differences.fold(0.0f32, f32::max) / largest
}

/// A step of the network and its heads: sums, gradient at the states, and all
/// parameters' gradients.
fn whole_step<B: Backbone>(network: &mut B, heads: &mut Parameters) -> (Sums, Tensor) {
    let (states, pass) = network.forward(&tokens(), None).unwrap();
    let memory = &mut Vec::new();
    let (sums, gradient) = step(network, heads, &states, &targets(), SHARES, memory).unwrap();
    let measured = measure(network, heads, &states, &targets(), memory).unwrap();
    assert!(
        (measured.masked - sums.masked).abs() < 1e-6,
        "{measured:?} {sums:?}"
    );
    assert_eq!(measured.masked_right, sums.masked_right);
    network.backward(pass, &gradient).unwrap();
    (sums, gradient)
}

#[test]
fn the_kernels_equal_the_tensors() {
    for activation in [Activation::Gelu, Activation::GeluTanh, Activation::Relu] {
        let architecture = architecture(activation);
        let engine = Engine::new(Precision::F32).unwrap();
        let parameters = network_parameters(&architecture);
        let mut fast = FastBackbone::new(architecture.clone(), parameters, engine);
        let parameters = network_parameters(&architecture);
        let mut plain = TensorBackbone::new(architecture.clone(), parameters, &Device::Cpu);
        let (mut ours, mut theirs) = (heads(&architecture, 3), heads(&architecture, 3));
        let (sums, gradient) = whole_step(&mut fast, &mut ours);
        let (expected, slope) = whole_step(&mut plain, &mut theirs);
        assert!(
            (sums.masked - expected.masked).abs() < 1e-3,
            "{sums:?} {expected:?}"
        );
        assert!((sums.relation - expected.relation).abs() < 1e-4);
        assert_eq!(sums.masked_right, expected.masked_right);
        assert_eq!(sums.relation_right, expected.relation_right);
        assert!(apart(&gradient, &slope) < 1e-4);
        let network = fast.parameters().iter().zip(plain.parameters().iter());
        for (a, b) in network.chain(ours.iter().zip(theirs.iter())) {
            assert_eq!(a.name, b.name);
            let off = apart(&a.gradient, &b.gradient);
            // Keys' biases shift all scores of a row alike: their gradient is
            // nothing but rounding.
            if !a.name.ends_with("key.bias") {
                assert!(off < 1e-4, "{activation:?}, {}: {off}", a.name);
            }
        }
    }
}

#[test]
fn mixed_precision_stays_near() {
    let Some(engine) = Engine::new(Precision::Bf16) else {
        return;
    };
    let architecture = architecture(Activation::Gelu);
    let single = Engine::new(Precision::F32).unwrap();
    let network = |engine| {
        FastBackbone::new(
            architecture.clone(),
            network_parameters(&architecture),
            engine,
        )
    };
    let (mut ours, mut theirs) = (heads(&architecture, 2), heads(&architecture, 2));
    let mut targets = targets();
    targets.relations = vec![1, 0, 1];
    let states = random(&[43, 48], 9);
    let memory = &mut Vec::new();
    let (mut mixed, mut exact) = (network(engine), network(single));
    let (a, slope) = step(&mut mixed, &mut ours, &states, &targets, SHARES, memory).unwrap();
    let (b, expected) = step(&mut exact, &mut theirs, &states, &targets, SHARES, memory).unwrap();
    assert!((a.masked / b.masked - 1.0).abs() < 1e-2, "{a:?} {b:?}");
    assert!(apart(&slope, &expected) < 5e-2);
}

#[test]
fn pieces_add_up_to_the_whole() {
    let architecture = architecture(Activation::Gelu);
    let engine = Engine::new(Precision::F32).unwrap();
    let states = random(&[9, 48], 3);
    let labels = targets().labels;
    let run = |room: usize, fast_one: bool| {
        let network = network_parameters(&architecture);
        let heads = heads(&architecture, 0);
        let context = Context {
            network: &network,
            heads: &heads,
            words: "embeddings.word_embeddings.weight".to_owned(),
            activation: Activation::Gelu,
            epsilon: 1e-12,
            room,
        };
        let mut sums = Sums::default();
        let mut found = Vec::new();
        let back = if fast_one {
            let memory = &mut Vec::new();
            fast::masked(
                &context,
                engine,
                &states,
                &labels,
                Some(0.5),
                memory,
                &mut sums,
            )
        } else {
            plain::masked(&context, &states, &labels, Some(0.5), &mut sums, &mut found)
        };
        (sums.masked, back.unwrap().unwrap())
    };
    let (whole, expected) = run(WORDS * 100, true);
    // Two places at a time, then one, though there is no room for any.
    for (room, fast_one) in [(WORDS * 2, true), (1, true), (WORDS * 2, false), (1, false)] {
        let (sum, back) = run(room, fast_one);
        assert!((sum - whole).abs() < 1e-3, "{sum} {whole}");
        assert!(apart(&back, &expected) < 1e-4);
    }
}

#[test]
fn the_sum_does_not_depend_on_the_threads() {
    let architecture = architecture(Activation::Gelu);
    let states = random(&[43, 48], 5);
    let run = |threads: usize| {
        let engine = Engine::new(Precision::F32).unwrap();
        let parameters = network_parameters(&architecture);
        let mut network = FastBackbone::new(architecture.clone(), parameters, engine);
        let mut heads = heads(&architecture, 3);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let memory = &mut Vec::new();
        let step = || {
            step(
                &mut network,
                &mut heads,
                &states,
                &targets(),
                SHARES,
                memory,
            )
        };
        let (sums, gradient) = pool.install(step).unwrap();
        let words = network
            .parameters()
            .get("embeddings.word_embeddings.weight")
            .unwrap();
        (sums, numbers(&gradient), numbers(&words.gradient))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn heads_are_found_under_any_prefix() {
    let architecture = architecture(Activation::Gelu);
    let start = |checkpoint: &HashMap<String, Tensor>, classes| {
        start_heads(&architecture, checkpoint, classes, 1, &Device::Cpu)
    };
    let given = heads(&architecture, 2).snapshot().unwrap();
    let mut checkpoint = HashMap::new();
    for (name, tensor) in &given {
        let prefix = if name.starts_with("pooler") {
            "bert."
        } else {
            ""
        };
        let name = name.replace("predictions.bias", "predictions.decoder.bias");
        checkpoint.insert(format!("{prefix}{name}"), tensor.clone());
    }
    let found = start(&checkpoint, 2).unwrap();
    assert_eq!(found.fresh, Vec::<String>::new());
    for parameter in found.parameters.iter() {
        assert_eq!(numbers(&parameter.value), numbers(&given[&parameter.name]));
    }
    assert_eq!(checkpoint_classes(&checkpoint), Some(2));
    // Two classes are no start for three; the pooler is.
    let linked = start(&checkpoint, 3).unwrap();
    assert_eq!(
        linked.fresh,
        ["cls.seq_relationship.weight", "cls.seq_relationship.bias"]
    );
    let fresh = start(&HashMap::new(), 0).unwrap();
    assert_eq!(fresh.fresh.len(), 5);
    assert_eq!(classes(&fresh.parameters), None);
    checkpoint.insert("cls.predictions.decoder.bias".to_owned(), random(&[7], 1));
    let error = start(&checkpoint, 2).unwrap_err().to_string();
    assert!(
        error.contains("cls.predictions.bias") && error.contains("[1100]"),
        "{error}"
    );
}

#[test]
fn a_frozen_table_gets_no_gradient_from_the_decoder() {
    let architecture = architecture(Activation::Gelu);
    let engine = Engine::new(Precision::F32).unwrap();
    let mut parameters = network_parameters(&architecture);
    parameters.freeze(|name| name.contains("embeddings"));
    let mut network = FastBackbone::new(architecture.clone(), parameters, engine);
    let mut heads = heads(&architecture, 3);
    let states = random(&[43, 48], 5);
    let memory = &mut Vec::new();
    let (_, gradient) = step(
        &mut network,
        &mut heads,
        &states,
        &targets(),
        SHARES,
        memory,
    )
    .unwrap();
    let words = network
        .parameters()
        .get("embeddings.word_embeddings.weight")
        .unwrap();
    assert!(numbers(&words.gradient).iter().all(|&x| x == 0.0));
    assert!(numbers(&gradient).iter().any(|&x| x != 0.0));
}

#[test]
fn a_label_outside_the_vocabulary_is_refused() {
    let architecture = architecture(Activation::Gelu);
    let engine = Engine::new(Precision::F32).unwrap();
    let parameters = network_parameters(&architecture);
    let network = FastBackbone::new(architecture.clone(), parameters, engine);
    let heads = heads(&architecture, 3);
    let states = random(&[43, 48], 5);
    let mut wrong = targets();
    wrong.labels[3] = 1100;
    let error = measure(&network, &heads, &states, &wrong, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("1100"), "{error}");
    let mut wrong = targets();
    wrong.relations[0] = 3;
    assert!(measure(&network, &heads, &states, &wrong, &mut Vec::new()).is_err());
}
