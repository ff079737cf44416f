//! A score and what has it, in one ordered word.

/// A score with the id of what has it, ordered by score and, where scores are
/// equal, by id: the lower id is the greater. Sorting by it in descending order
/// is therefore deterministic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scored(u64);

impl Scored {
    /// Less than every score that a finite vector can have.
    pub(super) const LEAST: Self = Self(0);

    /// Packs a score and an id.
    #[inline]
    pub(super) fn new(score: f32, id: u32) -> Self {
        let bits = score.to_bits();
        // Makes the order of the words the order of the numbers: a positive
        // number gets its sign bit set, a negative one is turned around.
        let ordered = bits ^ ((((bits as i32) >> 31) as u32) | 0x8000_0000);
        Self((u64::from(ordered) << 32) | u64::from(!id))
    }

    /// The score.
    #[inline]
    pub(super) fn score(self) -> f32 {
        let ordered = (self.0 >> 32) as u32;
        let flip = if ordered & 0x8000_0000 == 0 {
            u32::MAX
        } else {
            0x8000_0000
        };
        f32::from_bits(ordered ^ flip)
    }

    /// The id.
    #[inline]
    pub(super) fn id(self) -> u32 {
        !(self.0 as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::Scored;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_keeps_what_it_is_given(score in -2.0f32..2.0, id in any::<u32>()) {
            let scored = Scored::new(score, id);
            prop_assert_eq!(scored.score().to_bits(), score.to_bits());
            prop_assert_eq!(scored.id(), id);
            prop_assert!(scored > Scored::LEAST);
        }

        #[test]
        fn it_is_ordered_by_score_then_lower_id(
            a in (-2.0f32..2.0, 0u32..5), b in (-2.0f32..2.0, 0u32..5), same in any::<bool>()
        ) {
            let b = if same { (a.0, b.1) } else { b };
            let expected = a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
            prop_assert_eq!(Scored::new(a.0, a.1).cmp(&Scored::new(b.0, b.1)), expected);
        }
    }
}
