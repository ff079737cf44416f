//! Scores the points of a list while those after them are on their way.

use crate::vector::kernels::{Kernel, LANES, prefetch};
use crate::vector::passages::Passages;
use crate::vector::score::Scored;

/// Points whose vectors are asked for ahead of the ones being scored. A walk
/// spends most of its time waiting for vectors, so two groups are in flight.
const AHEAD: usize = 2 * LANES;

/// Scores points against a query, [`LANES`] at a time, in their order.
///
/// `row` gives a point's row, which must be one of the passages.
#[inline]
pub(super) fn score_points(
    kernel: Kernel,
    passages: &Passages,
    query: &[f32],
    ids: &[u32],
    row: impl Fn(u32) -> u32,
    mut each: impl FnMut(Scored),
) {
    let vector = |id: u32| passages.vector(row(id));
    for id in ids.iter().take(AHEAD) {
        prefetch(vector(*id));
    }
    for (at, group) in ids.chunks(LANES).enumerate() {
        for id in ids.iter().skip(at * LANES + AHEAD).take(LANES) {
            prefetch(vector(*id));
        }
        if let [id] = group {
            each(Scored::new(kernel.dot(query, vector(*id)), *id));
            continue;
        }
        // A short group is filled up with its first point, which is in the
        // cache by then: that is faster than one point after the other.
        let lanes = std::array::from_fn(|lane| group.get(lane).copied().unwrap_or(group[0]));
        let scores = kernel.dot4(query, lanes.map(vector));
        for (id, score) in group.iter().zip(scores) {
            each(Scored::new(score, *id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AHEAD, score_points};
    use crate::vector::SegmentParams;
    use crate::vector::kernels::Kernel;
    use crate::vector::score::Scored;
    use crate::vector::testing::{Numbers, corpus, segment};

    #[test]
    fn a_list_of_any_length_is_scored_in_its_order_as_its_points_alone() {
        let folder = tempfile::tempdir().unwrap();
        let rows = corpus(&mut Numbers(5), 0, 2 * AHEAD + 3, 1, 24, 3);
        let segment = segment(folder.path(), "s", 24, &rows, &SegmentParams::default());
        let (passages, last) = (segment.passages(), segment.passages().len() - 1);
        let query = Numbers(6).unit(24);
        for kernel in Kernel::available() {
            for length in 0..=last + 1 {
                // The ids are not the rows, as on the upper levels.
                let ids: Vec<u32> = (0..length).collect();
                let row = |id| last - id;
                let mut found = Vec::new();
                score_points(kernel, passages, &query, &ids, row, |point| {
                    found.push(point);
                });
                let alone = ids
                    .iter()
                    .map(|id| Scored::new(kernel.dot(&query, passages.vector(row(*id))), *id));
                assert!(alone.eq(found), "{length} points");
            }
        }
    }
}
