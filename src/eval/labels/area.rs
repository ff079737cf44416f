//! The area under the receiver operating characteristic.

/// The probability that a positive case has a larger score than a negative
/// one, equal scores counting half (Mann and Whitney 1947; Hanley and McNeil
/// 1982). `cases` say whether a case is positive, and its score.
///
/// Nothing where positives or negatives are missing, or a score is no number.
pub fn area_under_curve(cases: &[(bool, f64)]) -> Option<f64> {
    if cases.iter().any(|(_, score)| score.is_nan()) {
        return None;
    }
    let mut order: Vec<(bool, f64)> = cases.to_vec();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (mut below, mut won) = (0usize, 0.0f64);
    // −0 and 0 are equal, though the total order tells them apart.
    for equal in order.chunk_by(|a, b| a.1 == b.1) {
        let positives = equal.iter().filter(|(positive, _)| *positive).count();
        let negatives = equal.len() - positives;
        won += positives as f64 * (below as f64 + negatives as f64 / 2.0);
        below += negatives;
    }
    let positives = order.len() - below;
    (positives > 0 && below > 0).then(|| won / (positives as f64 * below as f64))
}
