//! Correlation coefficients of two lists of numbers.

/// Pearson's coefficient: how well a line fits. Between −1 and 1.
///
/// Nothing where it is not defined: lists of different lengths or of fewer
/// than two numbers, a list of equal numbers, or numbers that are not finite.
pub fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 2 {
        return None;
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut both, mut only_a, mut only_b) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        both += a * b;
        only_a += a * a;
        only_b += b * b;
    }
    let coefficient = both / (only_a.sqrt() * only_b.sqrt());
    coefficient
        .is_finite()
        .then(|| coefficient.clamp(-1.0, 1.0))
}

/// Spearman's coefficient: how well the orders agree. Pearson's of the ranks,
/// equal numbers sharing the mean of their ranks (Spearman 1904; scipy's
/// `spearmanr`).
///
/// Nothing where it is not defined, as for [`pearson`].
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.iter().chain(b).any(|number| !number.is_finite()) {
        return None;
    }
    pearson(&ranks(a), &ranks(b))
}

/// Ranks from 1; equal numbers share the mean of theirs.
fn ranks(list: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by(|&i, &j| list[i].total_cmp(&list[j]));
    let mut ranks = vec![0.0; list.len()];
    let mut start = 0;
    // −0 and 0 are equal, though the total order tells them apart.
    for equal in order.chunk_by(|&i, &j| list[i] == list[j]) {
        let mean = start as f64 + (equal.len() + 1) as f64 / 2.0;
        for &place in equal {
            ranks[place] = mean;
        }
        start += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("a coefficient");
        assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
    }

    /// Values of scipy 1.17.1:
    ///
    /// ```python
    /// from scipy.stats import pearsonr, spearmanr
    /// a = [2.5, 0.0, 5.0, 2.5, 3.8, 1.2, 2.5, 4.4]
    /// b = [0.31, -0.2, 0.93, 0.31, 0.55, 0.31, 0.8, 0.42]
    /// print(repr(pearsonr(a, b)[0]), repr(spearmanr(a, b)[0]))
    /// c = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    /// print(repr(pearsonr(a, c)[0]), repr(spearmanr(a, c)[0]))
    /// ```
    #[test]
    fn agrees_with_scipy() {
        let a = [2.5, 0.0, 5.0, 2.5, 3.8, 1.2, 2.5, 4.4];
        let b = [0.31, -0.2, 0.93, 0.31, 0.55, 0.31, 0.8, 0.42];
        let c = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        close(pearson(&a, &b), 0.779585476363181);
        close(spearman(&a, &b), 0.8);
        close(pearson(&a, &c), 0.2776040488333911);
        close(spearman(&a, &c), 0.2439750182371333);
    }

    #[test]
    fn equal_numbers_share_their_mean_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0, 3.0]), [4.0, 1.0, 4.0, 2.0, 4.0]);
        assert_eq!(ranks(&[0.0, -0.0, 1.0]), [1.5, 1.5, 3.0]);
    }

    #[test]
    fn only_the_order_counts_for_spearman() {
        let a = [0.1, 0.2, 0.9, 4.0];
        let exp: Vec<f64> = a.iter().map(|x: &f64| x.exp()).collect();
        close(spearman(&a, &exp), 1.0);
        let down: Vec<f64> = a.iter().map(|x| -x).collect();
        close(spearman(&a, &down), -1.0);
        close(pearson(&a, &down), -1.0);
    }

    #[test]
    fn what_is_not_defined_is_nothing() {
        for coefficient in [pearson, spearman] {
            assert_eq!(coefficient(&[], &[]), None);
            assert_eq!(coefficient(&[1.0], &[1.0]), None);
            assert_eq!(coefficient(&[1.0, 2.0], &[1.0]), None);
            assert_eq!(coefficient(&[1.0, 1.0], &[1.0, 2.0]), None);
            assert_eq!(coefficient(&[1.0, f64::NAN], &[1.0, 2.0]), None);
            assert_eq!(coefficient(&[1.0, f64::INFINITY], &[1.0, 2.0]), None);
        }
    }
}
