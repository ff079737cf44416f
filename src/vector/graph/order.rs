//! Levels of points, and the order in which they are inserted.

use super::MAX_LEVELS;

/// Points in order of insertion: by falling level, and within a level in an
/// order that has nothing to do with that of the rows, so that neighbouring
/// rows, which are often alike, do not come in one batch.
pub(super) struct Order {
    /// Rows, in order of insertion.
    pub(super) rows: Vec<u32>,
    /// Points on each level.
    pub(super) counts: [u32; MAX_LEVELS],
}

impl Order {
    /// Draws the levels of rows; equal seeds give equal orders.
    pub(super) fn draw(rows: impl Iterator<Item = u32>, m: usize, seed: u64) -> Self {
        let mut drawn: Vec<(u8, u64, u32)> = rows
            .map(|row| {
                let number = mix(seed ^ mix(u64::from(row)));
                (level(number, m), mix(number), row)
            })
            .collect();
        drawn.sort_unstable_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut counts = [0; MAX_LEVELS];
        for (level, ..) in &drawn {
            for count in &mut counts[..=usize::from(*level)] {
                *count += 1;
            }
        }
        Self {
            rows: drawn.into_iter().map(|(.., row)| row).collect(),
            counts,
        }
    }
}

/// A level from evenly distributed bits: each is reached by one point in `m`.
fn level(number: u64, m: usize) -> u8 {
    let uniform = ((number >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let level = -uniform.ln() / (m as f64).ln();
    level.min((MAX_LEVELS - 1) as f64) as u8
}

/// Finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn levels_thin_out_by_m() {
        let order = Order::draw(0..100_000, 16, 1);
        assert_eq!(order.counts[0], 100_000);
        assert!(
            (5_900..6_600).contains(&order.counts[1]),
            "{:?}",
            order.counts
        );
        assert!((320..460).contains(&order.counts[2]), "{:?}", order.counts);
        let mut rows = order.rows;
        rows.sort_unstable();
        assert!(rows.into_iter().eq(0..100_000));
    }

    #[test]
    fn another_seed_gives_another_order() {
        let rows = |seed| Order::draw(0..100, 16, seed).rows;
        assert_eq!(rows(1), rows(1));
        assert_ne!(rows(1), rows(2));
    }
}
