use super::{Kernel, LANES};
use proptest::prelude::*;

/// The sum in double precision, term by term.
fn reference(a: &[f32], b: &[f32]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| f64::from(*a) * f64::from(*b))
        .sum()
}

/// What rounding may cost: proportional to the sum of the terms' sizes.
fn tolerance(a: &[f32], b: &[f32]) -> f64 {
    let size: f64 = a.iter().zip(b).map(|(a, b)| f64::from((a * b).abs())).sum();
    size * 1e-5 + 1e-12
}

proptest! {
    #[test]
    fn every_kernel_agrees_with_double_precision(
        pairs in prop::collection::vec((-2.0f32..2.0, -2.0f32..2.0), 0..200)
    ) {
        let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
        for kernel in Kernel::available() {
            let found = f64::from(kernel.dot(&a, &b));
            let expected = reference(&a, &b);
            prop_assert!(
                (found - expected).abs() <= tolerance(&a, &b),
                "{kernel:?}: {found} for {expected}"
            );
        }
    }

    #[test]
    fn rows_together_give_the_bits_of_rows_alone(
        rows in (1usize..150).prop_flat_map(|width| {
            prop::collection::vec(prop::collection::vec(-1.0f32..1.0, width), LANES + 1)
        })
    ) {
        let [query, a, b, c, d] = &rows[..] else { unreachable!() };
        for kernel in Kernel::available() {
            let alone = [a, b, c, d].map(|row| kernel.dot(query, row).to_bits());
            let together = kernel.dot4(query, [a, b, c, d]).map(f32::to_bits);
            prop_assert_eq!(together, alone);
        }
    }
}

#[test]
fn the_fastest_kernel_is_the_last_available() {
    assert_eq!(Some(&Kernel::detect()), Kernel::available().last());
}

#[test]
#[should_panic(expected = "different lengths")]
fn another_length_is_refused() {
    Kernel::detect().dot(&[1.0], &[1.0, 2.0]);
}
