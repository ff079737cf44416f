use super::dropout::Dropout;
use super::matmul::Precision;
use super::*;
use medsift::encoder::parts::kernel::{Activation, InstructionSet};
use proptest::prelude::*;

fn numbers(count: usize, seed: u64) -> Vec<f32> {
    (0..count)
        .map(|i| (scalar::mix(seed, i as u64) >> 40) as f32 / (1u64 << 23) as f32 - 1.0)
        .collect()
}

/// One number of a textbook product in double precision.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    value: f64,
    /// The same sum of magnitudes, which roundings are relative to.
    magnitude: f64,
}

impl Sum {
    fn plus(self, value: f64, magnitude: f64) -> Self {
        Self {
            value: self.value + value,
            magnitude: self.magnitude + magnitude,
        }
    }
}

/// Textbook product.
fn product(
    a: &dyn Fn(usize, usize) -> f32,
    b: &dyn Fn(usize, usize) -> f32,
    sizes: [usize; 3],
) -> Vec<Sum> {
    let [m, k, n] = sizes;
    let mut c = vec![Sum::default(); m * n];
    for i in 0..m {
        for j in 0..n {
            c[i * n + j] = (0..k).fold(Sum::default(), |sum, l| {
                let term = f64::from(a(i, l)) * f64::from(b(l, j));
                sum.plus(term, term.abs())
            });
        }
    }
    c
}

/// Holds a product to what its roundings allow at most (Higham, Accuracy and
/// Stability of Numerical Algorithms, section 3.5): one of every sum and product
/// and, where factors are rounded to eight bits, two of every term.
fn check(found: &[f32], expected: &[Sum], inner: usize, precision: Precision) {
    let sums = (inner + 2) as f64 * 2f64.powi(-24);
    let factors = match precision {
        Precision::F32 => 0.0,
        Precision::Bf16 => (1.0 + 2f64.powi(-8)).powi(2) - 1.0,
    };
    for (at, (x, sum)) in found.iter().zip(expected).enumerate() {
        let off = (f64::from(*x) - sum.value).abs();
        assert!(
            off <= (sums + factors) * 1.01 * sum.magnitude,
            "{precision:?} at {at}: {x} is {off} from {sum:?}"
        );
    }
}

fn engines() -> Vec<(Engine, Precision)> {
    [Precision::F32, Precision::Bf16]
        .into_iter()
        .filter_map(|precision| Some((Engine::new(precision)?, precision)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn products_equal_the_textbook(
        m in 1usize..150, k in 1usize..100, n in 1usize..90,
        left_t: bool, right_t: bool, extra in 0usize..5, seed: u64,
    ) {
        let (a_rows, a_columns) = if left_t { (k, m) } else { (m, k) };
        let (b_rows, b_columns) = if right_t { (n, k) } else { (k, n) };
        let (a_stride, b_stride) = (a_columns + extra, b_columns + extra);
        let a = numbers(a_rows * a_stride, seed);
        let b = numbers(b_rows * b_stride, seed ^ 1);
        let left = View::strided(&a, a_rows, a_columns, a_stride);
        let right = View::strided(&b, b_rows, b_columns, b_stride);
        let expected = product(
            &|i, l| if left_t { a[l * a_stride + i] } else { a[i * a_stride + l] },
            &|l, j| if right_t { b[j * b_stride + l] } else { b[l * b_stride + j] },
            [m, k, n],
        );
        let (left, right) = (turned(left, left_t), turned(right, right_t));
        for (engine, precision) in engines() {
            let mut c = vec![f32::NAN; m * n];
            engine.product(left, right, &mut c, Start::Fresh);
            check(&c, &expected, k, precision);
            let twice: Vec<Sum> = expected
                .iter()
                .map(|sum| sum.plus(sum.value, sum.magnitude))
                .collect();
            engine.product(left, right, &mut c, Start::Output);
            check(&c, &twice, k, precision);
            let mut c = vec![f32::NAN; m * n];
            engine.product_alone(left, right, &mut c, Start::Fresh);
            check(&c, &expected, k, precision);
        }
    }
}

fn turned(view: View<'_>, yes: bool) -> View<'_> {
    if yes { view.t() } else { view }
}

#[test]
fn long_products_are_cut_and_biases_added() {
    let (m, k, n) = (70, 5000, 33);
    let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
    let expected = product(&|i, l| a[i * k + l], &|l, j| b[l * n + j], [m, k, n]);
    let weights = numbers(n * 64, 3);
    let bias = numbers(n, 4);
    let short = numbers(m * 64, 5);
    let linear = product(
        &|i, l| short[i * 64 + l],
        &|l, j| weights[j * 64 + l],
        [m, 64, n],
    );
    for (engine, precision) in engines() {
        let mut c = vec![0.0; m * n];
        engine.product(
            View::new(&a, m, k),
            View::new(&b, k, n),
            &mut c,
            Start::Fresh,
        );
        check(&c, &expected, k, precision);
        let packed = engine.pack(View::new(&weights, n, 64).t(), Some(&bias));
        engine.multiply(View::new(&short, m, 64), &packed, &mut c, Start::Fresh);
        let expected: Vec<Sum> = linear
            .iter()
            .zip(bias.iter().cycle())
            .map(|(sum, bias)| sum.plus(f64::from(*bias), f64::from(bias.abs())))
            .collect();
        check(&c, &expected, 64, precision);
    }
}

#[test]
fn scalar_functions_are_near_enough() {
    for i in -8700..=8800 {
        let x = i as f32 / 100.0;
        let exact = f64::from(x).exp();
        let off = (f64::from(scalar::exp(x)) - exact).abs() / exact;
        assert!(off < 4e-7, "exp({x}) is {off} off");
    }
    // Φ(1) and Φ(-2), Abramowitz and Stegun, table 26.1.
    assert!((scalar::normal(1.0).0 - 0.841_344_7).abs() < 5e-7);
    assert!((scalar::normal(-2.0).0 - 0.022_750_13).abs() < 5e-7);
}

#[test]
fn activations_have_their_slope() {
    let input: Vec<f32> = (-60..60).map(|i| i as f32 / 12.0 + 0.003).collect();
    for set in InstructionSet::all() {
        for kind in [
            Activation::Gelu,
            Activation::GeluTanh,
            Activation::Relu,
            Activation::Silu,
        ] {
            let at = |shift: f32| {
                let moved: Vec<f32> = input.iter().map(|x| x + shift).collect();
                let mut out = vec![0.0; input.len()];
                activation::forward(set, kind, &moved, &mut out);
                out
            };
            let (low, high) = (at(-2e-3), at(2e-3));
            let mut slope = vec![1.0; input.len()];
            activation::backward(set, kind, &input, &mut slope);
            for i in 0..input.len() {
                let expected = (high[i] - low[i]) / 4e-3;
                assert!(
                    (slope[i] - expected).abs() < 2e-3,
                    "{set:?} {kind:?} at {}",
                    input[i]
                );
            }
        }
    }
}

#[test]
fn dropout_keeps_its_share_and_its_places() {
    let dropout = Dropout::new(7, 3, 0.1);
    let mut values = vec![1.0f32; 100_001];
    dropout.apply(5, &mut values);
    let kept = values.iter().filter(|x| **x != 0.0).count() as f64 / values.len() as f64;
    assert!((kept - 0.9).abs() < 0.004, "{kept} are kept");
    assert!(
        values
            .iter()
            .all(|x| *x == 0.0 || (*x - 1.0 / 0.9).abs() < 1e-4)
    );
    let mut again = vec![1.0f32; 100_001];
    dropout.apply(5, &mut again);
    assert_eq!(values, again);
    dropout.apply(6, &mut again);
    assert_ne!(values, again);
    let mut whole = vec![1.0; 10];
    Dropout::OFF.apply(0, &mut whole);
    assert_eq!(whole, [1.0; 10]);
}

#[test]
fn adam_takes_the_textbook_step() {
    let step = update::AdamStep {
        rate: 0.1,
        beta1: 0.9,
        beta2: 0.999,
        epsilon: 1e-8,
        decay: 0.01,
        correction1: 0.1,
        correction2: 0.001,
        scale: 0.5,
    };
    for set in InstructionSet::all() {
        let mut parameter = vec![1.0, -2.0];
        let (mut first, mut second) = (vec![0.0; 2], vec![0.0; 2]);
        update::adam(
            set,
            step,
            &mut parameter,
            &[4.0, -0.2],
            &mut first,
            &mut second,
        );
        // The first step has the size of the rate, whatever the gradient.
        assert!(
            (parameter[0] - (1.0 * 0.999 - 0.1)).abs() < 1e-6,
            "{parameter:?}"
        );
        assert!(
            (parameter[1] - (-2.0 * 0.999 + 0.1)).abs() < 1e-6,
            "{parameter:?}"
        );
    }
}
