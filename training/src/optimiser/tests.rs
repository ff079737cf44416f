use super::adamw::tensor_step;
use super::*;
use crate::kernel::update::AdamStep;
use crate::network::Parameters;
use candle_core::{Device, Tensor};

fn parameters(names: &[&str]) -> Parameters {
    let tensors = names.iter().map(|name| {
        let numbers: Vec<f32> = (0..6).map(|i| i as f32 * 0.3 - 1.0).collect();
        (
            (*name).to_owned(),
            Tensor::from_vec(numbers, (2, 3), &Device::Cpu).unwrap(),
        )
    });
    let mut all = Parameters::new(tensors.collect::<Vec<_>>(), &Device::Cpu).unwrap();
    for name in names {
        let gradient =
            Tensor::new(&[[0.5f32, -0.1, 0.0], [3.0, -2.0, 1e-4]], &Device::Cpu).unwrap();
        all.add_gradient(name, &gradient).unwrap();
    }
    all
}

/// Rate and decay, none on biases.
fn group(rate: f64) -> impl Fn(&str) -> (f64, f64) {
    move |name| (rate, if name.ends_with("bias") { 0.0 } else { 0.01 })
}

#[test]
fn the_kernel_equals_the_tensors() {
    let names = ["a.weight", "a.bias"];
    let (ours, theirs) = (parameters(&names), parameters(&names));
    let mut optimiser = AdamW::new(AdamWSettings::default());
    let mut moments = vec![];
    for parameter in theirs.iter() {
        moments.push([
            parameter.gradient.zeros_like().unwrap(),
            parameter.gradient.zeros_like().unwrap(),
        ]);
    }
    for t in 1..=5 {
        optimiser.step(ours.iter(), group(0.05), 0.7).unwrap();
        for (parameter, moments) in theirs.iter().zip(&mut moments) {
            let step = AdamStep {
                rate: 0.05,
                beta1: 0.9,
                beta2: 0.999,
                epsilon: 1e-8,
                decay: if parameter.name == "a.weight" {
                    0.01
                } else {
                    0.0
                },
                correction1: 1.0 - 0.9f32.powi(t),
                correction2: 1.0 - 0.999f32.powi(t),
                scale: 0.7,
            };
            *moments = tensor_step(parameter, moments, &step).unwrap();
        }
    }
    for (a, b) in ours.iter().zip(theirs.iter()) {
        let off = (a.value.as_tensor() - b.value.as_tensor())
            .unwrap()
            .abs()
            .unwrap()
            .max_all()
            .unwrap();
        assert!(off.to_scalar::<f32>().unwrap() < 1e-5, "{}", a.name);
    }
}

#[test]
fn a_restored_optimiser_goes_on_as_before() {
    let (one, two) = (parameters(&["w"]), parameters(&["w"]));
    let mut whole = AdamW::new(AdamWSettings::default());
    let mut first = AdamW::new(AdamWSettings::default());
    for _ in 0..2 {
        whole.step(one.iter(), group(0.1), 1.0).unwrap();
        first.step(two.iter(), group(0.1), 1.0).unwrap();
    }
    let mut second = AdamW::new(AdamWSettings::default());
    second.restore(first.steps(), &first.state()).unwrap();
    whole.step(one.iter(), group(0.1), 1.0).unwrap();
    second.step(two.iter(), group(0.1), 1.0).unwrap();
    let values = |p: &Parameters| {
        let value = p.get("w").unwrap().value.as_tensor().flatten_all().unwrap();
        value.to_vec1::<f32>().unwrap()
    };
    assert_eq!(values(&one), values(&two));
}

#[test]
fn the_norm_is_that_of_all_gradients() {
    let all = parameters(&["a", "b"]);
    let one: f64 = 0.25 + 0.01 + 9.0 + 4.0 + 1e-8;
    assert!((gradient_norm(all.iter()).unwrap() - (2.0 * one).sqrt()).abs() < 1e-5);
}

#[test]
fn the_rate_rises_and_falls() {
    let schedule = |kind| Schedule {
        kind,
        warmup: 10,
        total: 110,
    };
    let linear = schedule(ScheduleKind::Linear);
    for (step, factor) in [
        (0, 0.0),
        (5, 0.5),
        (10, 1.0),
        (60, 0.5),
        (110, 0.0),
        (200, 0.0),
    ] {
        assert!((linear.factor(step) - factor).abs() < 1e-12, "{step}");
    }
    assert!((schedule(ScheduleKind::Cosine).factor(60) - 0.5).abs() < 1e-12);
    assert_eq!(schedule(ScheduleKind::Constant).factor(109), 1.0);
}
