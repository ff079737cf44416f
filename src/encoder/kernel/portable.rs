//! Every other processor: plain arrays, which the compiler turns into
//! whatever vectors the target has. This is also the twin that the tests
//! compare the other instruction sets with.

use super::simd::Simd;

/// Plain Rust.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

const LANES: usize = 8;
type V = [f32; LANES];

#[inline(always)]
fn each(a: V, b: V, op: impl Fn(f32, f32) -> f32) -> V {
    let mut out = a;
    for (out, b) in out.iter_mut().zip(b) {
        *out = op(*out, b);
    }
    out
}

impl Simd for Portable {
    type V = V;
    const LANES: usize = LANES;
    const ROWS: usize = 4;

    #[inline(always)]
    unsafe fn splat(value: f32) -> V {
        [value; LANES]
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> V {
        // SAFETY: the caller vouches for the pointer; an array of f32 has the
        // alignment of f32.
        unsafe { from.cast::<V>().read() }
    }
    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize) -> V {
        let mut out = [0.0; LANES];
        for (lane, out) in out.iter_mut().enumerate().take(count) {
            // SAFETY: the caller vouches for `count` numbers.
            *out = unsafe { from.wrapping_add(lane).read() };
        }
        out
    }
    #[inline(always)]
    unsafe fn store(to: *mut f32, vector: V) {
        // SAFETY: as for `load`.
        unsafe { to.cast::<V>().write(vector) }
    }
    #[inline(always)]
    unsafe fn store_first(to: *mut f32, count: usize, vector: V) {
        for (lane, value) in vector.into_iter().enumerate().take(count) {
            // SAFETY: the caller vouches for `count` numbers.
            unsafe { to.wrapping_add(lane).write(value) }
        }
    }
    #[inline(always)]
    unsafe fn add(a: V, b: V) -> V {
        each(a, b, |a, b| a + b)
    }
    #[inline(always)]
    unsafe fn sub(a: V, b: V) -> V {
        each(a, b, |a, b| a - b)
    }
    #[inline(always)]
    unsafe fn mul(a: V, b: V) -> V {
        each(a, b, |a, b| a * b)
    }
    #[inline(always)]
    unsafe fn div(a: V, b: V) -> V {
        each(a, b, |a, b| a / b)
    }
    #[inline(always)]
    unsafe fn fma(a: V, b: V, c: V) -> V {
        // Fused where it is one instruction; a call into the C library
        // elsewhere would be many times slower than two roundings.
        let fused = cfg!(any(target_arch = "aarch64", target_feature = "fma"));
        let mut out = c;
        for (out, (a, b)) in out.iter_mut().zip(a.into_iter().zip(b)) {
            *out = if fused {
                a.mul_add(b, *out)
            } else {
                a * b + *out
            };
        }
        out
    }
    #[inline(always)]
    unsafe fn max(a: V, b: V) -> V {
        each(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    unsafe fn min(a: V, b: V) -> V {
        each(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    unsafe fn round(a: V) -> V {
        // Adding and taking away 1.5 * 2^23 leaves no room for a fraction.
        const SHIFT: f32 = 12_582_912.0;
        each(a, [SHIFT; LANES], |a, shift| (a + shift) - shift)
    }
    #[inline(always)]
    unsafe fn scale(a: V, n: V) -> V {
        each(a, n, |a, n| {
            a * f32::from_bits(((n as i32 + 127) as u32) << 23)
        })
    }
    #[inline(always)]
    unsafe fn sum(a: V) -> f32 {
        let half = [a[0] + a[4], a[1] + a[5], a[2] + a[6], a[3] + a[7]];
        (half[0] + half[2]) + (half[1] + half[3])
    }
    #[inline(always)]
    unsafe fn largest(a: V) -> f32 {
        a.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }
}
