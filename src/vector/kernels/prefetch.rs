//! A hint that memory will be read soon.
#![allow(unsafe_code)]

/// Asks the processor to bring the beginning of a vector into its caches.
///
/// Only the first lines are asked for: the hardware sees the stream and brings
/// the rest.
#[inline]
pub(in crate::vector) fn prefetch<T>(data: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        const LINE: usize = 64;
        const LINES: usize = 8;
        let bytes = size_of_val(data).min(LINE * LINES);
        let start = data.as_ptr().cast::<i8>();
        for at in (0..bytes).step_by(LINE) {
            // SAFETY: `at` is below the slice's length in bytes, and a prefetch
            // reads nothing as far as the program is concerned.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.add(at)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = data;
}
