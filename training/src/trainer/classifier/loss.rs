//! The loss of a class, where the data may leave several open.

/// What the data say of a word or a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClassLabel {
    /// The classes that agree with it.
    pub(crate) allowed: Vec<bool>,
    /// What it weighs.
    pub(crate) weight: f64,
}

impl ClassLabel {
    /// One class of so many.
    pub(crate) fn one(class: usize, classes: usize, weight: f64) -> Self {
        let mut allowed = vec![false; classes];
        allowed[class] = true;
        Self { allowed, weight }
    }
}

/// Sum over words or texts of weight times loss. Of one with logits z whose
/// label allows the classes A the loss is
///
/// ```text
/// −log Σ_{k ∈ A} softmax(z)_k
/// ```
///
/// For a class that the data know, A is that class alone, and the loss is the
/// cross-entropy. For the tag `O` of a word it is `O` with all tags of types that the data do
/// not label, so that a word that may be one of those is no negative for them:
/// their mass is added to that of `O`.
///
/// `logits` has a row for each label. `gradient` becomes that of the sum at
/// the logits, times `share`: weight · (p_k − p_k [k ∈ A] / Σ_{A} p).
pub(crate) fn loss(
    logits: &[f32],
    labels: &[&ClassLabel],
    share: f64,
    gradient: &mut Vec<f32>,
) -> f64 {
    gradient.clear();
    let mut sum = 0.0;
    let classes = labels.first().map_or(1, |label| label.allowed.len());
    for (row, label) in logits.chunks_exact(classes).zip(labels) {
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let most_allowed = row
            .iter()
            .zip(&label.allowed)
            .filter(|(_, allowed)| **allowed)
            .fold(f32::NEG_INFINITY, |most, (x, _)| most.max(*x));
        let (mut all, mut within) = (0.0f64, 0.0f64);
        for (x, allowed) in row.iter().zip(&label.allowed) {
            all += f64::from(x - most).exp();
            if *allowed {
                within += f64::from(x - most_allowed).exp();
            }
        }
        let log_all = f64::from(most) + all.ln();
        let log_within = f64::from(most_allowed) + within.ln();
        sum += label.weight * (log_all - log_within);
        let scale = label.weight * share;
        for (x, allowed) in row.iter().zip(&label.allowed) {
            let mut slope = (f64::from(*x) - log_all).exp();
            if *allowed {
                slope -= (f64::from(*x) - log_within).exp();
            }
            gradient.push((scale * slope) as f32);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn label(allowed: &[bool], weight: f64) -> ClassLabel {
        ClassLabel {
            allowed: allowed.to_vec(),
            weight,
        }
    }

    fn value(logits: &[f32], labels: &[&ClassLabel]) -> f64 {
        loss(logits, labels, 1.0, &mut Vec::new())
    }

    #[test]
    fn one_allowed_tag_is_the_cross_entropy() {
        let logits = [0.5f32, -1.0, 2.0];
        let sum: f64 = logits.iter().map(|&x| f64::from(x).exp()).sum();
        let word = label(&[false, true, false], 2.0);
        let expected = -2.0 * ((-1.0f64).exp() / sum).ln();
        assert!((value(&logits, &[&word]) - expected).abs() < 1e-9);
    }

    #[test]
    fn unknown_types_count_for_outside() {
        let logits = [1.0f32, 0.0, -1.0, 3.0, 0.5];
        let masses: Vec<f64> = logits.iter().map(|&x| f64::from(x).exp()).collect();
        let known = masses[0] + masses[3] + masses[4];
        let word = label(&[true, false, false, true, true], 1.0);
        let expected = -(known / masses.iter().sum::<f64>()).ln();
        let mut gradient = Vec::new();
        let found = loss(&logits, &[&word], 1.0, &mut gradient);
        assert!((found - expected).abs() < 1e-9);
        // What is certain of an unknown type is left as it is.
        let certain = [-40.0f32, -40.0, -40.0, 40.0, -40.0];
        loss(&certain, &[&word], 1.0, &mut gradient);
        assert!(
            gradient.iter().all(|slope| slope.abs() < 1e-6),
            "{gradient:?}"
        );
    }

    #[test]
    fn far_logits_stay_finite() {
        let word = label(&[true, false], 1.0);
        let mut gradient = Vec::new();
        let found = loss(&[-1e4, 1e4], &[&word], 1.0, &mut gradient);
        assert!((found - 2e4).abs() < 1e-6);
        assert_eq!(gradient, [-1.0, 1.0]);
        assert_eq!(loss(&[], &[], 1.0, &mut gradient), 0.0);
        assert!(loss(&[f32::NAN, 0.0], &[&word], 1.0, &mut gradient).is_nan());
    }

    proptest! {
        #[test]
        fn the_gradient_is_the_slope_of_the_loss(
            logits in prop::collection::vec(-4f32..4.0, 10),
            allowed in prop::collection::vec(any::<bool>(), 10),
            weights in prop::collection::vec(0f64..3.0, 2),
        ) {
            let word = |at: usize| {
                let mut allowed = allowed[5 * at..5 * at + 5].to_vec();
                allowed[at] = true;
                ClassLabel { allowed, weight: weights[at] }
            };
            let words = [word(0), word(1)];
            let labels = [&words[0], &words[1]];
            let mut gradient = Vec::new();
            prop_assert!(loss(&logits, &labels, 0.5, &mut gradient) >= -1e-9);
            for place in 0..logits.len() {
                let moved = |by: f32| {
                    let mut logits = logits.clone();
                    logits[place] += by;
                    value(&logits, &labels)
                };
                let slope = (moved(1e-2) - moved(-1e-2)) / 2e-2;
                let found = f64::from(gradient[place]) / 0.5;
                prop_assert!((found - slope).abs() < 2e-3, "{} {}", found, slope);
            }
            for row in gradient.chunks_exact(5) {
                prop_assert!(row.iter().sum::<f32>().abs() < 1e-5);
            }
        }
    }
}
