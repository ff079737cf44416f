//! Kernels of the training step on the processor: matrix products in single
//! or mixed precision, attention with its gradient, layer normalisation,
//! activations, dropout, the optimiser's update.
//!
//! Element-wise kernels are plain loops, compiled once for every instruction
//! set ([`dispatch`]). Matrix products in single precision run on the
//! encoder's kernels; in mixed precision their operands are rounded to
//! bfloat16 and multiplied on the processor's matrix tiles ([`amx`]), which
//! add up in single precision.

pub(crate) mod activation;
#[cfg(target_arch = "x86_64")]
mod amx;
pub(crate) mod attention;
pub(crate) mod cross_entropy;
mod dispatch;
pub(crate) mod dropout;
pub(crate) mod matmul;
pub(crate) mod norm;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod tiles;
pub(crate) mod update;

pub(crate) use dispatch::compiled;
pub use matmul::{Engine, Precision};
pub(crate) use matmul::{Packed, Start, View};

/// Whether AVX-512 has its byte, word and double-word parts too, as it has
/// everywhere but on the first processors.
#[cfg(target_arch = "x86_64")]
fn has_wide_integers() -> bool {
    is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}
