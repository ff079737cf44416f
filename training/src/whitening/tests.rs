use super::Moments;
use medsift::encoder::parts::Dense;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const WIDTH: usize = 6;

/// Vectors that lie close to the first directions, around a mean.
fn vectors(count: usize) -> Vec<Vec<f32>> {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    (0..count)
        .map(|_| {
            (0..WIDTH)
                .map(|at| 0.5 + random.random_range(-1.0..1.0) / (1 << at) as f32)
                .collect()
        })
        .collect()
}

fn moments(vectors: &[Vec<f32>]) -> Moments {
    let mut moments = Moments::new(WIDTH);
    vectors.iter().for_each(|vector| moments.add(vector));
    moments
}

fn apply(layer: &Dense, vector: &[f32]) -> Vec<f32> {
    let row = |row: &[f32]| row.iter().zip(vector).map(|(w, x)| w * x).sum();
    layer.weight.chunks_exact(WIDTH).map(row).collect()
}

/// Largest distance of a covariance matrix from the unit matrix.
fn off_unit(vectors: &[Vec<f32>]) -> f64 {
    let count = vectors.len() as f64;
    let mean = |at: usize| vectors.iter().map(|v| f64::from(v[at])).sum::<f64>() / count;
    let means: Vec<f64> = (0..WIDTH).map(mean).collect();
    let mut off = 0.0f64;
    for a in 0..WIDTH {
        for b in 0..WIDTH {
            let centred = |v: &[f32], at: usize| f64::from(v[at]) - means[at];
            let sum: f64 = vectors.iter().map(|v| centred(v, a) * centred(v, b)).sum();
            let unit = if a == b { 1.0 } else { 0.0 };
            off = off.max((sum / count - unit).abs());
        }
    }
    off
}

#[test]
fn the_full_power_whitens() {
    let all = vectors(500);
    let moments = moments(&all);
    assert_eq!(moments.count(), 500);
    let layer = moments.layer(1.0, 0.0).unwrap();
    let done: Vec<_> = all.iter().map(|v| apply(&layer, v)).collect();
    // The mean eigenvalue was scaled to 1 first.
    let scale = (done.iter().zip(&all))
        .map(|(d, v)| d[0] / v[0])
        .sum::<f32>();
    assert!(scale > 0.0);
    let variance = |rows: &[Vec<f32>]| {
        let mean = rows.iter().map(|v| v[0]).sum::<f32>() / rows.len() as f32;
        rows.iter().map(|v| (v[0] - mean).powi(2)).sum::<f32>() / rows.len() as f32
    };
    let root = variance(&done).sqrt();
    let unit: Vec<Vec<f32>> = done
        .iter()
        .map(|v| v.iter().map(|x| x / root).collect())
        .collect();
    assert!(off_unit(&unit) < 1e-3, "{}", off_unit(&unit));
}

#[test]
fn no_power_changes_nothing_and_a_little_keeps_the_order() {
    let moments = moments(&vectors(500));
    let none = moments.layer(0.0, 0.1).unwrap();
    for (at, value) in none.weight.iter().enumerate() {
        let unit = if at % (WIDTH + 1) == 0 { 1.0 } else { 0.0 };
        assert!((value - unit).abs() < 1e-6);
    }
    let some = moments.layer(0.25, 0.1).unwrap();
    let diagonal: Vec<f32> = (0..WIDTH).map(|at| some.weight[at * (WIDTH + 1)]).collect();
    assert!(diagonal.is_sorted(), "{diagonal:?}");
    assert!(diagonal[WIDTH - 1] / diagonal[0] < 2.0, "{diagonal:?}");
}

#[test]
fn what_cannot_be_whitened_is_told() {
    let few = moments(&vectors(WIDTH)).layer(0.25, 0.1).unwrap_err();
    assert!(few.to_string().contains("6 texts are too few"), "{few}");
    let same = moments(&vec![vec![0.25; WIDTH]; 20]);
    let same = same.layer(0.25, 0.1).unwrap_err();
    assert!(same.to_string().contains("the same vector"), "{same}");
    let mut flat = vectors(50);
    flat.iter_mut().for_each(|vector| vector[WIDTH - 1] = 0.0);
    let flat = moments(&flat).layer(1.0, 0.0);
    if let Err(error) = flat {
        assert!(error.to_string().contains("shrinkage"), "{error}");
    }
}
