//! When vector segments are joined: a tiered policy over their sizes.

/// What the policy looks at in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentLoad {
    pub(crate) passages: u64,
    pub(crate) dead: u64,
}

/// Segments up to this size count as one tier: they have no graph, or one
/// that takes seconds to build.
const SMALLEST_TIER: u64 = 2_000;

/// Which segments to join next, by position; empty when all is well.
///
/// Segments whose live sizes lie within a factor of `merge_factor` form a
/// tier. A tier of `merge_factor` segments is joined, so that a search looks
/// at few segments and every passage is rewritten a logarithmic number of
/// times. A segment of which more than half is dead is rewritten alone.
pub(crate) fn next_merge(segments: &[SegmentLoad], merge_factor: usize) -> Vec<usize> {
    if let Some(mostly_dead) = segments
        .iter()
        .position(|segment| segment.dead * 2 > segment.passages)
    {
        return vec![mostly_dead];
    }
    let mut tiers: Vec<(u32, usize)> = segments
        .iter()
        .enumerate()
        .map(|(position, segment)| {
            (
                tier(segment.passages - segment.dead, merge_factor),
                position,
            )
        })
        .collect();
    tiers.sort_unstable();
    tiers
        .chunk_by(|a, b| a.0 == b.0)
        .find(|group| group.len() >= merge_factor)
        .map(|group| group.iter().map(|&(_, position)| position).collect())
        .unwrap_or_default()
}

fn tier(live: u64, merge_factor: usize) -> u32 {
    (live / SMALLEST_TIER)
        .checked_ilog(merge_factor as u64)
        .map_or(0, |tier| tier + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loads(sizes: &[(u64, u64)]) -> Vec<SegmentLoad> {
        sizes
            .iter()
            .map(|&(passages, dead)| SegmentLoad { passages, dead })
            .collect()
    }

    #[test]
    fn few_segments_are_left_alone() {
        assert!(next_merge(&loads(&[(10, 0), (20, 0), (90_000, 10)]), 4).is_empty());
    }

    #[test]
    fn a_full_tier_is_joined_and_the_large_segment_is_not() {
        let segments = loads(&[(100_000, 0), (10, 0), (20, 0), (30, 0), (5, 0)]);
        assert_eq!(next_merge(&segments, 4), [1, 2, 3, 4]);
    }

    #[test]
    fn a_mostly_dead_segment_is_rewritten() {
        assert_eq!(next_merge(&loads(&[(10, 0), (10, 6)]), 4), [1]);
    }

    #[test]
    fn adding_segments_one_by_one_keeps_their_number_logarithmic() {
        let mut segments: Vec<SegmentLoad> = Vec::new();
        for _ in 0..500 {
            segments.extend(loads(&[(2_000, 0)]));
            loop {
                let merge = next_merge(&segments, 8);
                if merge.is_empty() {
                    break;
                }
                let joined = merge.iter().map(|&p| segments[p].passages).sum();
                let mut position = 0;
                segments.retain(|_| {
                    position += 1;
                    !merge.contains(&(position - 1))
                });
                segments.extend(loads(&[(joined, 0)]));
            }
        }
        assert!(segments.len() <= 28, "{} segments", segments.len());
        assert_eq!(segments.iter().map(|s| s.passages).sum::<u64>(), 1_000_000);
    }
}
