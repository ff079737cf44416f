//! Functions of one number, on vectors: the exponential and the activations.

use super::Activation;
use super::simd::Simd;

/// `e^x` to about one unit in the last place, for x in -87 ..= 88, held at
/// those ends outside.
///
/// x = n ln 2 + r with |r| <= ln 2 / 2; the polynomial for `e^r` is the one of
/// the Cephes library's `expf` (Moshier, netlib.org/cephes).
///
/// # Safety
/// The instruction set of `S` is there.
#[inline(always)]
pub unsafe fn exp<S: Simd>(x: S::V) -> S::V {
    // SAFETY: arithmetic only; the caller vouches for the instruction set.
    unsafe {
        let x = S::min(S::max(x, S::splat(-87.0)), S::splat(88.0));
        let n = S::round(S::mul(x, S::splat(std::f32::consts::LOG2_E)));
        let r = S::fma(n, S::splat(-0.693_359_4), x);
        let r = S::fma(n, S::splat(2.121_944_4e-4), r);
        let mut p = S::splat(1.987_569_1e-4);
        for c in [
            1.398_199_9e-3,
            8.333_452e-3,
            4.166_579_6e-2,
            1.666_666_5e-1,
            0.5,
        ] {
            p = S::fma(p, r, S::splat(c));
        }
        let p = S::fma(S::mul(p, r), r, S::add(r, S::splat(1.0)));
        S::scale(p, n)
    }
}

/// `x Φ(x)` with the normal distribution Φ, to about 2e-7 in Φ.
///
/// Abramowitz and Stegun, *Handbook of Mathematical Functions*, 7.1.26: with
/// z = |x| / √2 and t = 1 / (1 + p z), erfc(z) = poly(t) e^(-z²). Then
/// x Φ(x) = max(x, 0) - |x| erfc(z) / 2, which stays exact to relative
/// precision on the negative side.
#[inline(always)]
unsafe fn gelu<S: Simd>(x: S::V) -> S::V {
    // SAFETY: arithmetic only; the caller vouches for the instruction set.
    unsafe {
        let zero = S::splat(0.0);
        let size = S::max(x, S::sub(zero, x));
        let z = S::mul(size, S::splat(std::f32::consts::FRAC_1_SQRT_2));
        let t = S::div(
            S::splat(1.0),
            S::fma(z, S::splat(0.327_591_1), S::splat(1.0)),
        );
        let mut p = S::splat(1.061_405_4);
        for c in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
            p = S::fma(p, t, S::splat(c));
        }
        let decay = exp::<S>(S::sub(zero, S::mul(z, z)));
        let tail = S::mul(S::mul(p, t), S::mul(decay, S::splat(0.5)));
        S::sub(S::max(x, zero), S::mul(size, tail))
    }
}

/// `x / (1 + e^-u)`.
#[inline(always)]
unsafe fn gated<S: Simd>(x: S::V, u: S::V) -> S::V {
    // SAFETY: arithmetic only; the caller vouches for the instruction set.
    unsafe {
        let decay = exp::<S>(S::sub(S::splat(0.0), u));
        S::div(x, S::add(S::splat(1.0), decay))
    }
}

/// The activation of a feed-forward layer.
///
/// # Safety
/// The instruction set of `S` is there.
#[inline(always)]
pub unsafe fn activate<S: Simd>(activation: Activation, x: S::V) -> S::V {
    // SAFETY: arithmetic only; the caller vouches for the instruction set.
    unsafe {
        match activation {
            Activation::Gelu => gelu::<S>(x),
            // x/2 (1 + tanh v) = x / (1 + e^-2v), v = √(2/π) (x + 0.044715 x³)
            Activation::GeluTanh => {
                let cubic = S::fma(S::mul(x, x), S::splat(0.071_354_814), S::splat(1.595_769));
                gated::<S>(x, S::mul(x, cubic))
            }
            Activation::Relu => S::max(x, S::splat(0.0)),
            Activation::Silu => gated::<S>(x, x),
        }
    }
}
