//! Inner products of `f32` vectors, in the widest instructions the machine has.
//!
//! The instruction set is looked up at run time: AVX-512F, else AVX2 with FMA,
//! else portable code. Within one kernel a row's product does not depend on
//! whether it was computed alone or beside others, so the exact scan and the
//! graph give bit-equal scores.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;
mod prefetch;
#[cfg(test)]
mod tests;

pub(super) use prefetch::prefetch;

use std::sync::OnceLock;

/// Rows that [`Kernel::dot4`] takes at once: enough independent streams to hide
/// the latency of memory, few enough for their sums to stay in registers.
pub(super) const LANES: usize = 4;

/// One implementation of the inner product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kernel(Set);

/// An instruction set; values beyond `Plain` are only made after a look at the
/// processor, which is what the calls below rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// The fastest kernel that this processor runs.
    pub(super) fn detect() -> Self {
        static FASTEST: OnceLock<Kernel> = OnceLock::new();
        *FASTEST.get_or_init(|| Self::available().pop().unwrap_or(Self(Set::Plain)))
    }

    /// Every kernel that this processor runs, slowest first.
    pub(super) fn available() -> Vec<Self> {
        let mut sets = vec![Self(Set::Plain)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                sets.push(Self(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f") {
                sets.push(Self(Set::Avx512));
            }
        }
        sets
    }

    /// Inner product of two vectors.
    ///
    /// # Panics
    /// When the lengths differ.
    #[inline]
    pub(super) fn dot(self, a: &[f32], b: &[f32]) -> f32 {
        assert_eq!(a.len(), b.len(), "vectors of different lengths");
        match self.0 {
            Set::Plain => plain::dot(a, b),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => avx2::dot(a, b),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => avx512::dot(a, b),
        }
    }

    /// Inner products of a query with four rows.
    ///
    /// # Panics
    /// When the lengths differ.
    #[inline]
    pub(super) fn dot4(self, query: &[f32], rows: [&[f32]; LANES]) -> [f32; LANES] {
        for row in rows {
            assert_eq!(row.len(), query.len(), "vectors of different lengths");
        }
        match self.0 {
            Set::Plain => rows.map(|row| plain::dot(query, row)),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => avx2::dot4(query, rows),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => avx512::dot4(query, rows),
        }
    }
}
