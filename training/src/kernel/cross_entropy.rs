//! Softmax cross-entropy over a vocabulary, in parts of it.
//!
//! Logits lie as `words × places`, a column for each masked place, so that a
//! part of the vocabulary is a block of rows and a row of every place is one
//! vector. [`scan`] takes what a part adds to each place's normaliser,
//! [`Normaliser::merge`] joins the parts, [`gradient`] then turns logits into
//! the loss's gradient where they stand.

use super::compiled;
use super::scalar::exp;

/// The largest logit of each place, and the sum of `e^(logit - largest)`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Normaliser {
    pub(crate) largest: Vec<f32>,
    pub(crate) sum: Vec<f32>,
}

impl Normaliser {
    /// Of no words at all, for so many places.
    pub(crate) fn empty(places: usize) -> Self {
        Self {
            largest: vec![f32::MIN; places],
            sum: vec![0.0; places],
        }
    }

    /// Takes in that of another part of the vocabulary.
    pub(crate) fn merge(&mut self, other: &Self) {
        let mine = self.largest.iter_mut().zip(&mut self.sum);
        let theirs = other.largest.iter().zip(&other.sum);
        for ((largest, sum), (&other_largest, &other_sum)) in mine.zip(theirs) {
            let top = largest.max(other_largest);
            *sum = *sum * (*largest - top).exp() + other_sum * (other_largest - top).exp();
            *largest = top;
        }
    }

    /// Logarithm of the sum of `e^logit` of each place.
    pub(crate) fn logarithms(&self) -> Vec<f32> {
        let places = self.largest.iter().zip(&self.sum);
        places.map(|(largest, sum)| largest + sum.ln()).collect()
    }
}

#[inline(always)]
fn scan_body(logits: &mut [f32], bias: &[f32], largest: &mut [f32], sum: &mut [f32]) {
    let places = largest.len();
    for (row, bias) in logits.chunks_exact_mut(places).zip(bias) {
        for (x, largest) in row.iter_mut().zip(largest.iter_mut()) {
            *x += bias;
            *largest = if *x > *largest { *x } else { *largest };
        }
    }
    for row in logits.chunks_exact(places) {
        for ((x, largest), sum) in row.iter().zip(largest.iter()).zip(sum.iter_mut()) {
            *sum += exp(x - largest);
        }
    }
}

#[inline(always)]
fn gradient_body(logits: &mut [f32], logarithms: &[f32], factor: f32, sums: &mut [f32]) {
    const LANES: usize = 16;
    let (log_chunks, log_rest) = logarithms.as_chunks::<LANES>();
    let rows = logits.chunks_exact_mut(logarithms.len());
    for (row, sum) in rows.zip(sums) {
        // Sums side by side, for vectors.
        let mut lanes = [0.0f32; LANES];
        let (chunks, rest) = row.as_chunks_mut::<LANES>();
        for (chunk, logarithms) in chunks.iter_mut().zip(log_chunks) {
            for lane in 0..LANES {
                chunk[lane] = exp(chunk[lane] - logarithms[lane]) * factor;
                lanes[lane] += chunk[lane];
            }
        }
        for (x, logarithm) in rest.iter_mut().zip(log_rest) {
            *x = exp(*x - logarithm) * factor;
            *sum += *x;
        }
        *sum += lanes.iter().sum::<f32>();
    }
}

compiled! {
    /// Adds each word's bias to its row, and writes the part's normaliser to
    /// `largest` and `sum`, which hold an empty one's.
    pub(crate) fn scan = scan_body;
    (logits: &mut [f32], bias: &[f32], largest: &mut [f32], sum: &mut [f32])
}

compiled! {
    /// Turns logits into probabilities times a factor, and adds each word's to
    /// `sums`; less that factor where the label stands, they are the loss's
    /// gradient at the logits and at the biases.
    pub(crate) fn gradient = gradient_body;
    (logits: &mut [f32], logarithms: &[f32], factor: f32, sums: &mut [f32])
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::encoder::parts::kernel::InstructionSet;
    use proptest::prelude::*;

    proptest! {
        /// The parts joined are the softmax of the whole, in double precision.
        #[test]
        fn parts_give_the_softmax_of_the_whole(
            places in 1usize..40,
            words in 2usize..30,
            cut in 0.0f64..1.0,
            seed: u64,
        ) {
            let number = |at: usize| {
                let bits = super::super::scalar::mix(seed, at as u64) >> 40;
                (bits as f32 / (1u64 << 24) as f32 - 0.5) * 30.0
            };
            let start: Vec<f32> = (0..words * places).map(number).collect();
            let bias: Vec<f32> = (0..words).map(|word| number(words * places + word)).collect();
            let cut = ((cut * words as f64) as usize).clamp(1, words - 1);
            let set = InstructionSet::detect();
            let mut logits = start.clone();
            let mut whole = Normaliser::empty(places);
            let (first, second) = logits.split_at_mut(cut * places);
            for (part, bias) in [(first, &bias[..cut]), (second, &bias[cut..])] {
                let mut one = Normaliser::empty(places);
                scan(set, part, bias, &mut one.largest, &mut one.sum);
                whole.merge(&one);
            }
            let logarithms = whole.logarithms();
            let mut sums = vec![1.0; words];
            gradient(set, &mut logits, &logarithms, 0.5, &mut sums);
            for (row, sum) in logits.chunks(places).zip(&sums) {
                prop_assert!((1.0 + row.iter().sum::<f32>() - sum).abs() < 1e-4);
            }
            for place in 0..places {
                let logit = |word: usize| f64::from(start[word * places + place] + bias[word]);
                let sum: f64 = (0..words).map(|word| logit(word).exp()).sum();
                prop_assert!((f64::from(logarithms[place]) - sum.ln()).abs() < 1e-4);
                for word in 0..words {
                    let expected = 0.5 * logit(word).exp() / sum;
                    let ours = f64::from(logits[word * places + place]);
                    prop_assert!((ours - expected).abs() < 1e-5, "{ours} {expected}");
                }
            }
        }
    }
}
