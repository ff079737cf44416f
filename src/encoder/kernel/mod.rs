//! Vector kernels of the encoder: matrix product, attention, layer
//! normalisation, activations, chosen at run time for the processor. The
//! trainer's kernels are written over the same operations.
//!
//! Each kernel is written once over [`simd::Simd`] and compiled for every
//! instruction set; [`portable::Portable`] is plain Rust, and the tests
//! compare the others with it and with textbook loops.
#![allow(unsafe_code)]
// Register tiles are addressed by row and column.
#![allow(clippy::needless_range_loop)]

mod attention;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod buffer;
mod function;
mod matrix;
mod norm;
mod portable;
mod product;
mod simd;
#[cfg(test)]
mod tests;

pub use buffer::Buffer;
pub use function::{activate, exp};
pub use matrix::{Distances, Finish, Heads, PackedMatrix, attend, normalise_rows};
pub use portable::Portable;
pub use simd::Simd;
#[cfg(target_arch = "x86_64")]
pub use {avx2::Avx2, avx512::Avx512};

use attention::Attention;
use product::Product;

/// Numbers that kernels may read, and never use, behind a matrix.
pub const SLACK: usize = 64;

/// Activation of a feed-forward layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// Gaussian error linear unit, exact.
    Gelu,
    /// Its approximation by a hyperbolic tangent.
    GeluTanh,
    /// Rectified linear unit.
    Relu,
    /// Sigmoid linear unit.
    Silu,
}

/// An instruction set that the kernels are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    /// Plain Rust.
    Portable,
    /// AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512F.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// The best that this processor has.
    pub fn detect() -> Self {
        *Self::all().last().unwrap_or(&Self::Portable)
    }

    /// All that this processor has, the best last.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Self::Avx2);
            }
            if is_x86_feature_detected!("avx512f") {
                all.push(Self::Avx512);
            }
        }
        all
    }

    /// The name to show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "AVX-512",
        }
    }

    /// Columns of a panel of weights.
    pub fn panel_width(self) -> usize {
        match self {
            Self::Portable => 8,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => 16,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => 48,
        }
    }

    /// # Safety
    /// As [`product::product`]; `self` comes from [`InstructionSet::all`].
    unsafe fn product(self, p: &Product) {
        // SAFETY: handed on from the caller.
        unsafe {
            match self {
                Self::Portable => product::product::<portable::Portable, 1>(p),
                #[cfg(target_arch = "x86_64")]
                Self::Avx2 => x86::product_avx2(p),
                #[cfg(target_arch = "x86_64")]
                Self::Avx512 => x86::product_avx512(p),
            }
        }
    }

    /// # Safety
    /// As [`attention::attention`]; `self` comes from [`InstructionSet::all`].
    unsafe fn attention(self, p: &Attention) {
        // SAFETY: handed on from the caller.
        unsafe {
            match self {
                Self::Portable => attention::attention::<portable::Portable, 1>(p),
                #[cfg(target_arch = "x86_64")]
                Self::Avx2 => x86::attention_avx2(p),
                #[cfg(target_arch = "x86_64")]
                Self::Avx512 => x86::attention_avx512(p),
            }
        }
    }

    /// # Safety
    /// As [`norm::layer_norm`]; `self` comes from [`InstructionSet::all`].
    unsafe fn layer_norm(
        self,
        row: *mut f32,
        scale: *const f32,
        shift: *const f32,
        width: usize,
        epsilon: f32,
    ) {
        // SAFETY: handed on from the caller.
        unsafe {
            match self {
                Self::Portable => {
                    norm::layer_norm::<portable::Portable>(row, scale, shift, width, epsilon);
                }
                #[cfg(target_arch = "x86_64")]
                Self::Avx2 => x86::norm_avx2(row, scale, shift, width, epsilon),
                #[cfg(target_arch = "x86_64")]
                Self::Avx512 => x86::norm_avx512(row, scale, shift, width, epsilon),
            }
        }
    }
}

/// The kernels compiled for the vector extensions of x86-64.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::avx2::Avx2;
    use super::avx512::Avx512;
    use super::{Attention, Product};
    use super::{attention, norm, product};

    macro_rules! compile {
        ($set:ty, $vectors:literal, $features:literal,
         $product:ident, $attention:ident, $norm:ident) => {
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $product(p: &Product) {
                // SAFETY: handed on from the caller.
                unsafe { product::product::<$set, $vectors>(p) }
            }

            #[target_feature(enable = $features)]
            pub(super) unsafe fn $attention(p: &Attention) {
                // SAFETY: handed on from the caller.
                unsafe { attention::attention::<$set, $vectors>(p) }
            }

            #[target_feature(enable = $features)]
            pub(super) unsafe fn $norm(
                row: *mut f32,
                scale: *const f32,
                shift: *const f32,
                width: usize,
                epsilon: f32,
            ) {
                // SAFETY: handed on from the caller.
                unsafe { norm::layer_norm::<$set>(row, scale, shift, width, epsilon) }
            }
        };
    }

    compile!(Avx2, 2, "avx2,fma", product_avx2, attention_avx2, norm_avx2);
    compile!(
        Avx512,
        3,
        "avx512f,fma",
        product_avx512,
        attention_avx512,
        norm_avx512
    );
}
