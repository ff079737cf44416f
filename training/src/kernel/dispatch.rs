//! One loop, compiled for every instruction set.

/// Declares a function that runs `$body`, an `#[inline(always)]` function of
/// the same arguments, compiled for the instruction set that is its first
/// argument. The compiler turns the loop into that set's vectors.
macro_rules! compiled {
    ($(#[$doc:meta])* $vis:vis fn $name:ident = $body:path;
     ($($arg:ident: $kind:ty),* $(,)?)) => {
        $(#[$doc])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name(set: medsift::encoder::parts::kernel::InstructionSet, $($arg: $kind),*) {
            use medsift::encoder::parts::kernel::InstructionSet;

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($arg: $kind),*) {
                $body($($arg),*);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
            fn avx512($($arg: $kind),*) {
                $body($($arg),*);
            }

            match set {
                InstructionSet::Portable => $body($($arg),*),
                // SAFETY: values of this type other than `Portable` are only
                // made after a look at the processor.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2 => unsafe { avx2($($arg),*) },
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 => {
                    if $crate::kernel::has_wide_integers() {
                        // SAFETY: as above, and the rest was just looked for.
                        unsafe { avx512($($arg),*) }
                    } else {
                        // SAFETY: every processor with AVX-512F has AVX2.
                        unsafe { avx2($($arg),*) }
                    }
                }
            }
        }
    };
}

pub(crate) use compiled;
