//! A linear layer over the states of a passage's tokens.

use crate::network::Parameters;
use crate::trainer::classifier::{Layer, numbers};
use candle_core::{Device, Result, Tensor};

/// Names of the parameters: a row for starts, and one for ends.
pub(super) const SPAN: Layer = Layer {
    weight: "span.weight",
    bias: "span.bias",
};

/// A head with small random weights, the same for the same seed.
pub(super) fn start(hidden: usize, seed: u64, on: &Device) -> Result<Parameters> {
    Parameters::new(SPAN.start(2, hidden, seed)?, on)
}

/// A window whose answer is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    /// Rows of the states that an answer may begin or end at: the first token,
    /// which stands for no answer, and the passage's pieces.
    pub(super) rows: Vec<u32>,
    /// Places of start and end among them; both 0 where there is no answer.
    pub(super) answer: [usize; 2],
    /// What the window weighs in the loss.
    pub(super) weight: f64,
}

/// Scores of some rows as start and end.
pub(super) fn logits(head: &Parameters, states: &Tensor, rows: &[u32]) -> Result<Vec<[f32; 2]>> {
    let index = Tensor::new(rows, states.device())?;
    let rows = states.detach().index_select(&index, 0)?;
    let values = numbers(&SPAN.forward(head, &rows)?)?;
    Ok(values
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect())
}

/// Adds the gradients of the head, and gives the sum of the windows' losses,
/// each times its weight, and the gradient of `share` times that sum at the
/// states, `tokens × hidden`.
pub(super) fn step(
    head: &mut Parameters,
    states: &Tensor,
    targets: &[Target],
    share: f64,
) -> Result<(f64, Tensor)> {
    let rows: Vec<u32> = targets.iter().flat_map(|one| &one.rows).copied().collect();
    let index = Tensor::new(&rows[..], states.device())?;
    let vectors = states.detach().index_select(&index, 0)?;
    let logits = numbers(&SPAN.forward(head, &vectors)?)?;
    let mut slopes = vec![0.0; logits.len()];
    let (mut sum, mut from) = (0.0, 0);
    for target in targets {
        let range = from..from + 2 * target.rows.len();
        from = range.end;
        sum += loss(&logits[range.clone()], target, share, &mut slopes[range]);
    }
    let slopes = Tensor::from_vec(slopes, (rows.len(), 2), states.device())?;
    let back = SPAN.backward(head, &vectors, &slopes)?;
    Ok((sum, states.zeros_like()?.index_add(&index, &back, 0)?))
}

/// The loss of a window times its weight; `slopes` becomes the gradient of
/// `share` times that at the logits. Both have start and end of each row in
/// turn.
fn loss(logits: &[f32], target: &Target, share: f64, slopes: &mut [f32]) -> f64 {
    let mut sum = 0.0;
    for (side, gold) in target.answer.into_iter().enumerate() {
        let own = || logits.iter().skip(side).step_by(2).copied();
        let most = f64::from(own().fold(f32::NEG_INFINITY, f32::max));
        let all: f64 = own().map(|x| (f64::from(x) - most).exp()).sum();
        let log_all = most + all.ln();
        sum += 0.5 * target.weight * (log_all - f64::from(logits[2 * gold + side]));
        for (row, x) in own().enumerate() {
            let slope = (f64::from(x) - log_all).exp() - f64::from(u8::from(row == gold));
            slopes[2 * row + side] = (0.5 * target.weight * share * slope) as f32;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_gradient_is_the_slope_of_the_loss(
            logits in prop::collection::vec(-4f32..4.0, 12),
            start in 0usize..6,
            end in 0usize..6,
            weight in 0f64..3.0,
        ) {
            let target = Target { rows: (0..6).collect(), answer: [start, end], weight };
            let mut slopes = vec![0.0; 12];
            prop_assert!(loss(&logits, &target, 0.5, &mut slopes) >= 0.0);
            let mut unused = vec![0.0; 12];
            for place in 0..12 {
                let mut moved = |by: f32| {
                    let mut logits = logits.clone();
                    logits[place] += by;
                    loss(&logits, &target, 1.0, &mut unused)
                };
                let slope = (moved(1e-2) - moved(-1e-2)) / 2e-2;
                prop_assert!((f64::from(slopes[place]) / 0.5 - slope).abs() < 2e-3);
            }
        }
    }

    #[test]
    fn the_loss_is_the_mean_of_both_cross_entropies() {
        let logits = [1.0f32, 0.0, 2.0, 0.0];
        let target = Target {
            rows: vec![0, 1],
            answer: [0, 1],
            weight: 2.0,
        };
        let expected = (1.0f64 + 1f64.exp()).ln() + 2f64.ln();
        let found = loss(&logits, &target, 1.0, &mut [0.0; 4]);
        assert!((found - expected).abs() < 1e-9);
        let lost = loss(&[f32::NAN, 0.0, 0.0, 0.0], &target, 1.0, &mut [0.0; 4]);
        assert!(lost.is_nan());
    }
}
