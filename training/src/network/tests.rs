use super::*;
use crate::kernel::Engine;
use crate::kernel::matmul::Precision;
use candle_core::{DType, Device};
use medsift::encoder::Pooling;
use medsift::encoder::parts::{Family, kernel::Activation};
use proptest::prelude::*;

fn small(activation: Activation) -> Architecture {
    Architecture {
        family: Family::Bert,
        hidden: 48,
        layers: 2,
        heads: 3,
        intermediate: 80,
        vocabulary: 60,
        positions: 40,
        first_position: 0,
        token_types: 2,
        distances: 0,
        activation,
        epsilon: 1e-12,
    }
}

/// Parameters that are far enough from zero for every path to matter.
fn parameters(architecture: &Architecture) -> Parameters {
    let mut state = 1u64;
    let mut random = move || {
        state = crate::kernel::scalar::mix(state, 7);
        (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    };
    let tensors = Layout::of(architecture)
        .parameters(architecture)
        .into_iter()
        .map(|p| {
            let count: usize = p.shape.iter().product();
            let norm = p.name.contains("LayerNorm.weight");
            let numbers: Vec<f32> = (0..count)
                .map(|_| random() * 0.6 + if norm { 1.0 } else { 0.0 })
                .collect();
            (
                p.name,
                Tensor::from_vec(numbers, p.shape, &Device::Cpu).unwrap(),
            )
        });
    Parameters::new(tensors.collect::<Vec<_>>(), &Device::Cpu).unwrap()
}

use candle_core::Tensor;
use medsift::encoder::parts::{Architecture, Layout};

fn fast(architecture: &Architecture, precision: Precision) -> Option<FastBackbone> {
    let engine = Engine::new(precision)?;
    Some(FastBackbone::new(
        architecture.clone(),
        parameters(architecture),
        engine,
    ))
}

fn twin(architecture: &Architecture) -> TensorBackbone {
    TensorBackbone::new(architecture.clone(), parameters(architecture), &Device::Cpu)
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

/// Largest difference, as a share of the largest number.
fn apart(a: &Tensor, b: &Tensor) -> f32 {
    let (a, b) = (numbers(a), numbers(b));
    let largest = b.iter().fold(1e-6f32, |m, x| m.max(x.abs()));
    a.iter()
        .zip(&b)
        .fold(0f32, |m, (x, y)| m.max((x - y).abs()))
        / largest
}

fn gradient(tokens: &Tokens, hidden: usize) -> Tensor {
    let numbers: Vec<f32> = (0..tokens.len() * hidden)
        .map(|i| ((i * 37 + 11) % 101) as f32 / 50.0 - 1.0)
        .collect();
    Tensor::from_vec(numbers, (tokens.len(), hidden), &Device::Cpu).unwrap()
}

fn compare(
    architecture: &Architecture,
    tokens: &Tokens,
    dropout: Option<DropoutPass>,
    precision: Precision,
    tolerance: f32,
) {
    let Some(mut fast) = fast(architecture, precision) else {
        // This processor has no such products.
        return;
    };
    let mut twin = twin(architecture);
    let (states, pass) = fast.forward(tokens, dropout).unwrap();
    let (expected, twin_pass) = twin.forward(tokens, dropout).unwrap();
    let off = apart(&states, &expected);
    assert!(off < tolerance, "states are {off} apart");
    let gradient = gradient(tokens, architecture.hidden);
    fast.backward(pass, &gradient).unwrap();
    twin.backward(twin_pass, &gradient).unwrap();
    for (ours, theirs) in fast.parameters().iter().zip(twin.parameters().iter()) {
        let off = apart(&ours.gradient, &theirs.gradient);
        // A key's bias shifts all scores of a row alike: its gradient is zero
        // but for rounding.
        if ours.name.contains("self.key.bias") {
            continue;
        }
        assert!(
            off < tolerance * 4.0,
            "the gradient of {} is {off} apart",
            ours.name
        );
    }
}

fn texts() -> Tokens {
    let mut tokens = Tokens::default();
    let ids = |n: usize, seed: usize| {
        (0..n)
            .map(|i| ((i * 7 + seed) % 60) as u32)
            .collect::<Vec<_>>()
    };
    tokens.push(&ids(33, 3), None);
    let types: Vec<u32> = (0..17).map(|i| u32::from(i > 8)).collect();
    tokens.push(&ids(17, 11), Some(&types));
    tokens.push(&ids(1, 2), None);
    tokens.push(&ids(40, 29), None);
    tokens
}

const DROPOUT: DropoutPass = DropoutPass {
    seed: 42,
    hidden: 0.1,
    attention: 0.2,
};

#[test]
fn kernels_equal_tensors() {
    for activation in [
        Activation::Gelu,
        Activation::GeluTanh,
        Activation::Relu,
        Activation::Silu,
    ] {
        compare(&small(activation), &texts(), None, Precision::F32, 2e-5);
    }
}

#[test]
fn kernels_equal_tensors_with_dropout() {
    compare(
        &small(Activation::Gelu),
        &texts(),
        Some(DROPOUT),
        Precision::F32,
        2e-5,
    );
}

#[test]
fn mixed_precision_is_near() {
    compare(
        &small(Activation::Gelu),
        &texts(),
        Some(DROPOUT),
        Precision::Bf16,
        3e-2,
    );
}

#[test]
fn one_step_reaches_every_parameter() {
    let architecture = small(Activation::Gelu);
    let mut network = fast(&architecture, Precision::F32).unwrap();
    let tokens = texts();
    let (_, pass) = network.forward(&tokens, Some(DROPOUT)).unwrap();
    network
        .backward(pass, &gradient(&tokens, architecture.hidden))
        .unwrap();
    for parameter in network.parameters().iter() {
        let largest = numbers(&parameter.gradient)
            .iter()
            .fold(0f32, |m, g| m.max(g.abs()));
        assert!(largest > 1e-7, "{} has no gradient", parameter.name);
    }
}

#[test]
fn frozen_parameters_get_no_gradient() {
    let architecture = small(Activation::Gelu);
    let mut network = fast(&architecture, Precision::F32).unwrap();
    let free = |name: &str| name.starts_with("encoder.layer.1");
    network.parameters_mut().freeze(|name| !free(name));
    let tokens = texts();
    let (_, pass) = network.forward(&tokens, None).unwrap();
    network
        .backward(pass, &gradient(&tokens, architecture.hidden))
        .unwrap();
    for parameter in network.parameters().iter() {
        let moved = numbers(&parameter.gradient).iter().any(|g| *g != 0.0);
        assert_eq!(moved, free(&parameter.name), "{}", parameter.name);
    }
}

#[test]
fn gradients_add_up_over_passes() {
    let architecture = small(Activation::Gelu);
    let mut network = fast(&architecture, Precision::F32).unwrap();
    let tokens = texts();
    let gradient = gradient(&tokens, architecture.hidden);
    let name = "encoder.layer.0.intermediate.dense.weight";
    let mut once = None;
    for _ in 0..2 {
        let (_, pass) = network.forward(&tokens, None).unwrap();
        network.backward(pass, &gradient).unwrap();
        let sum = network
            .parameters()
            .get(name)
            .unwrap()
            .gradient
            .copy()
            .unwrap();
        once.get_or_insert(sum);
    }
    let twice = &network.parameters().get(name).unwrap().gradient;
    assert!(apart(twice, &(once.unwrap() * 2.0).unwrap()) < 1e-6);
    network.parameters_mut().clear_gradients().unwrap();
    let sum = network
        .parameters()
        .get(name)
        .unwrap()
        .gradient
        .abs()
        .unwrap()
        .sum_all()
        .unwrap();
    assert_eq!(sum.to_scalar::<f32>().unwrap(), 0.0);
}

#[test]
fn pooling_has_its_gradient() {
    let tokens = texts();
    let states = gradient(&tokens, 6);
    for pooling in [Pooling::Mean, Pooling::Cls, Pooling::Max] {
        let out = Tensor::rand(-1f32, 1.0, (tokens.texts(), 6), &Device::Cpu).unwrap();
        let value = |states: &Tensor| {
            let pooled = pool(states, &tokens, pooling).unwrap();
            (pooled * &out)
                .unwrap()
                .sum_all()
                .unwrap()
                .to_dtype(DType::F64)
                .unwrap()
                .to_scalar::<f64>()
                .unwrap()
        };
        let back = numbers(&pool_gradient(&out, &states, &tokens, pooling).unwrap());
        let start = numbers(&states);
        for at in [0, 7, 31, 33 * 6 + 2, 50 * 6 + 3] {
            let mut moved = start.clone();
            let step = 1e-2;
            moved[at] += step;
            let moved = Tensor::from_vec(moved, states.dims(), &Device::Cpu).unwrap();
            let slope = (value(&moved) - value(&states)) / f64::from(step);
            assert!(
                (slope - f64::from(back[at])).abs() < 2e-3,
                "{pooling} at {at}: {slope} {}",
                back[at]
            );
        }
    }
}

#[test]
fn what_the_network_cannot_read_is_refused() {
    let architecture = small(Activation::Gelu);
    let mut network = fast(&architecture, Precision::F32).unwrap();
    let mut refuse = |tokens: Tokens, word: &str| {
        let error = network.forward(&tokens, None).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    };
    refuse(Tokens::new([&[1u32; 41][..]]), "longer");
    refuse(Tokens::new([&[60u32][..]]), "token 60");
    let mut tokens = Tokens::default();
    tokens.push(&[1], Some(&[2]));
    refuse(tokens, "segments");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_text_has_the_same_states_in_every_company(
        texts in proptest::collection::vec(proptest::collection::vec(0u32..60, 1..40), 1..5),
    ) {
        let architecture = small(Activation::Gelu);
        let mut network = fast(&architecture, Precision::F32).unwrap();
        let tokens = Tokens::new(texts.iter().map(|t| &t[..]));
        let together = numbers(&network.forward(&tokens, None).unwrap().0);
        let mut at = 0;
        for text in &texts {
            let alone = network.forward(&Tokens::new([&text[..]]), None).unwrap().0;
            for x in numbers(&alone) {
                prop_assert!((x - together[at]).abs() < 1e-4);
                at += 1;
            }
        }
    }
}
