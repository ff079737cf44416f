use super::*;
use proptest::prelude::*;

/// Numbers between -1 and 1 that depend on a seed.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        })
        .collect()
}

fn close(a: &[f32], b: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        prop_assert!(
            (f64::from(*a) - b).abs() <= tolerance * (1.0 + b.abs()),
            "element {}: {} instead of {}",
            i,
            a,
            b
        );
    }
    Ok(())
}

/// The error function by its series and, far out, its continued fraction.
fn erf(x: f64) -> f64 {
    if x.abs() < 3.0 {
        let (mut sum, mut term) = (x, x);
        for n in 1..80 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * 2.0 / std::f64::consts::PI.sqrt()
    } else {
        let z = x.abs();
        let fraction = (1..60).rev().fold(z, |f, n| z + f64::from(n) / 2.0 / f);
        let tail = (-z * z).exp() / fraction / std::f64::consts::PI.sqrt();
        x.signum() * (1.0 - tail)
    }
}

fn activated(activation: Activation, x: f64) -> f64 {
    match activation {
        Activation::Gelu => x * 0.5 * (1.0 + erf(x / 2f64.sqrt())),
        Activation::GeluTanh => {
            let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3));
            0.5 * x * (1.0 + inner.tanh())
        }
        Activation::Relu => x.max(0.0),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}

fn product(a: &[f32], w: &[f32], bias: &[f32], rows: usize, k: usize) -> Vec<f64> {
    let mut out = Vec::new();
    for row in 0..rows {
        for (w, bias) in w.chunks_exact(k).zip(bias) {
            let sum: f64 = a[row * k..][..k]
                .iter()
                .zip(w)
                .map(|(a, w)| f64::from(*a) * f64::from(*w))
                .sum();
            out.push(sum + f64::from(*bias));
        }
    }
    out
}

const ACTIVATIONS: [Activation; 4] = [
    Activation::Gelu,
    Activation::GeluTanh,
    Activation::Relu,
    Activation::Silu,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn products_equal_the_textbook(
        rows in 1usize..40,
        k in 1usize..450,
        columns in 1usize..130,
        seed in any::<u64>(),
        tasks in 1usize..4,
        kind in 0usize..10,
    ) {
        let a = numbers(rows * k, seed);
        let w = numbers(columns * k, seed ^ 1);
        let bias = numbers(columns, seed ^ 2);
        let residual = numbers(rows * columns, seed ^ 3);
        let mut expected = product(&a, &w, &bias, rows, k);
        let finish = match kind {
            0 => Finish::Plain,
            1 => Finish::Add(&residual),
            2..6 => Finish::Activate(ACTIVATIONS[kind - 2]),
            _ => Finish::AddAndActivate(&residual, ACTIVATIONS[kind - 6]),
        };
        for (value, residual) in expected.iter_mut().zip(&residual) {
            match finish {
                Finish::Plain => {}
                Finish::Add(_) => *value += f64::from(*residual),
                Finish::Activate(activation) => *value = activated(activation, *value),
                Finish::AddAndActivate(_, activation) => {
                    *value = activated(activation, *value + f64::from(*residual));
                }
            }
        }
        for set in InstructionSet::all() {
            // Two layers with one input give their columns side by side.
            let cut = columns / 2;
            let matrix = PackedMatrix::pack(
                set,
                k,
                &[(&w[..cut * k], &bias[..cut]), (&w[cut * k..], &bias[cut..])],
            );
            // What lies behind the output has to stay.
            let mut output = vec![7.0; rows * columns + 3];
            matrix.multiply(&a, &mut output, rows, finish, tasks);
            close(&output[..rows * columns], &expected, 2e-5)?;
            prop_assert_eq!(&output[rows * columns..], &[7.0; 3]);
        }
    }

    #[test]
    fn attention_equals_the_textbook(
        lengths in proptest::collection::vec(1usize..70, 1..4),
        count in 1usize..4,
        width in prop_oneof![Just(8usize), Just(16), Just(24), Just(32), Just(64), 1usize..80],
        seed in any::<u64>(),
        tasks in 1usize..4,
        far in any::<bool>(),
    ) {
        let hidden = count * width;
        let mut bounds = vec![0];
        for length in &lengths {
            bounds.push(bounds[bounds.len() - 1] + length);
        }
        let tokens = bounds[lengths.len()];
        let mut qkv = numbers(tokens * 3 * hidden, seed);
        qkv.iter_mut().for_each(|x| *x *= 3.0);
        let at = |token: usize, part: usize, head: usize, i: usize| {
            f64::from(qkv[token * 3 * hidden + part * hidden + head * width + i])
        };
        let places = numbers(count * 139, seed ^ 1);
        let distances = Distances { rows: &places, tokens: 70 };
        let heads = Heads { count, width, distances: far.then_some(distances) };
        let mut expected = vec![0.0; tokens * hidden];
        for pair in bounds.windows(2) {
            for (query, head) in (pair[0]..pair[1]).flat_map(|q| (0..count).map(move |h| (q, h))) {
                let scores: Vec<f64> = (pair[0]..pair[1])
                    .map(|key| {
                        let dot: f64 =
                            (0..width).map(|i| at(query, 0, head, i) * at(key, 1, head, i)).sum();
                        // The query's own place is the 70th of 139.
                        let given = places[head * 139 + 69 + key - query];
                        let given = if far { f64::from(given) } else { 0.0 };
                        (dot / (width as f64).sqrt() + given).exp()
                    })
                    .collect();
                let sum: f64 = scores.iter().sum();
                for i in 0..width {
                    expected[query * hidden + head * width + i] = scores
                        .iter()
                        .zip(pair[0]..)
                        .map(|(score, key)| score / sum * at(key, 2, head, i))
                        .sum();
                }
            }
        }
        // Nothing behind the rows may reach the output.
        let mut given = qkv.clone();
        given.extend([f32::NAN; SLACK]);
        for set in InstructionSet::all() {
            let mut output = vec![7.0; tokens * hidden + 3];
            let mut scratch = Buffer::default();
            scratch.resize(10_000);
            scratch.fill(f32::NAN);
            attend(set, heads, &given, &bounds, &mut output, &mut scratch, tasks);
            close(&output[..tokens * hidden], &expected, 2e-5)?;
            prop_assert_eq!(&output[tokens * hidden..], &[7.0; 3]);
        }
    }

    #[test]
    fn layer_norm_equals_the_textbook(width in 1usize..200, seed in any::<u64>()) {
        let rows = numbers(3 * width, seed);
        let (scale, shift) = (numbers(width, seed ^ 1), numbers(width, seed ^ 2));
        let mut expected = Vec::new();
        for row in rows.chunks_exact(width) {
            let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / width as f64;
            let variance =
                row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / width as f64;
            for i in 0..width {
                let unit = (f64::from(row[i]) - mean) / (variance + 1e-5).sqrt();
                expected.push(unit * f64::from(scale[i]) + f64::from(shift[i]));
            }
        }
        for set in InstructionSet::all() {
            let mut output = rows.clone();
            normalise_rows(set, &mut output, &scale, &shift, 1e-5);
            close(&output, &expected, 1e-4)?;
        }
    }

    #[test]
    fn rows_do_not_depend_on_how_many_there_are(
        rows in 2usize..40,
        seed in any::<u64>(),
    ) {
        let (k, columns) = (300, 70);
        let a = numbers(rows * k, seed);
        let w = numbers(columns * k, seed ^ 1);
        let bias = numbers(columns, seed ^ 2);
        for set in InstructionSet::all() {
            let matrix = PackedMatrix::pack(set, k, &[(&w, &bias)]);
            let mut all = vec![0.0; rows * columns];
            matrix.multiply(&a, &mut all, rows, Finish::Plain, 2);
            for (input, expected) in a.chunks_exact(k).zip(all.chunks_exact(columns)) {
                let mut one = vec![0.0; columns];
                matrix.multiply(input, &mut one, 1, Finish::Plain, 1);
                prop_assert_eq!(&one[..], expected);
            }
        }
    }
}

#[test]
fn activations_hold_over_the_whole_range() {
    let inputs: Vec<f32> = (-4000..4000).map(|i| i as f32 * 0.025).collect();
    for set in InstructionSet::all() {
        // One weight of one, so that the product is its input.
        let matrix = PackedMatrix::pack(set, 1, &[(&[1.0], &[0.0])]);
        for activation in ACTIVATIONS {
            let mut output = vec![0.0; inputs.len()];
            let finish = Finish::Activate(activation);
            matrix.multiply(&inputs, &mut output, inputs.len(), finish, 1);
            for (x, y) in inputs.iter().zip(&output) {
                let expected = activated(activation, f64::from(*x));
                let off = (f64::from(*y) - expected).abs();
                assert!(
                    off <= 1e-6 * (1.0 + expected.abs()),
                    "{set:?} {activation:?}({x}) = {y} instead of {expected}"
                );
            }
        }
    }
}
