//! The processor's matrix tiles (Intel AMX): products of bfloat16 numbers,
//! added up in single precision.
//!
//! The compiler does not know tile registers, so they are used in assembler.
//! They are a thread's own and keep their contents between the statements.
#![allow(unsafe_code)]

use std::arch::asm;
use std::sync::OnceLock;

/// Rows of a tile, and its columns in single precision.
pub(super) const SIDE: usize = 16;
/// Inner dimension of one tile product.
pub(super) const DEPTH: usize = 32;
/// Pairs of bfloat16 numbers in a tile.
pub(super) const PAIRS: usize = SIDE * SIDE;

/// Whether tiles may be used: the processor has them, and the system agrees.
pub(super) fn available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        let features = std::arch::x86_64::__cpuid_count(7, 0);
        let (bf16, tile) = (1 << 22, 1 << 24);
        features.edx & (bf16 | tile) == (bf16 | tile)
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512bf16")
            && permitted()
    })
}

/// Asks Linux for the tile registers, for the whole process.
#[cfg(target_os = "linux")]
fn permitted() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const TILE_DATA: libc::c_long = 18;
    // SAFETY: the call reads two numbers and changes nothing in our memory.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, TILE_DATA) == 0 }
}

#[cfg(not(target_os = "linux"))]
fn permitted() -> bool {
    false
}

/// Tile configuration of the current thread, from now until it is dropped.
pub(super) struct Tiles(());

#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

impl Tiles {
    /// Configures all eight tiles as 16 rows of 64 bytes.
    ///
    /// # Panics
    /// When tiles are not available.
    pub(super) fn configure() -> Self {
        assert!(available(), "matrix tiles are not available");
        let mut configuration = Configuration {
            palette: 1,
            start: 0,
            reserved: [0; 14],
            row_bytes: [0; 16],
            rows: [0; 16],
        };
        configuration.row_bytes[..8].fill(64);
        configuration.rows[..8].fill(SIDE as u8);
        // SAFETY: tiles are available; the configuration is 64 valid bytes.
        unsafe {
            asm!("ldtilecfg [{}]", in(reg) &raw const configuration, options(nostack, readonly));
        }
        Self(())
    }

    /// Two by two tiles of a product: `c += a · b` over `depth` tile products.
    ///
    /// `a` and `b` hold, for every step in depth, two tiles one behind the
    /// other. `from` and `to` are where the four tiles are read (null: zeros)
    /// and written, each with the bytes from one row to the next.
    ///
    /// # Safety
    /// `a` and `b` point to `depth · 2` tiles; each pointer of `from` that is
    /// not null can be read, and each of `to` written, as 16 rows of 64 bytes.
    #[inline(always)]
    pub(super) unsafe fn block(
        &self,
        depth: usize,
        mut a: *const u32,
        mut b: *const u32,
        from: [(*const f32, usize); 4],
        to: [(*mut f32, usize); 4],
    ) {
        macro_rules! start {
            ($tile:literal, $place:expr) => {
                // SAFETY: handed on from the caller.
                unsafe {
                    if $place.0.is_null() {
                        asm!(concat!("tilezero tmm", $tile), options(nostack, nomem));
                    } else {
                        asm!(concat!("tileloadd tmm", $tile, ", [{p} + {s}]"),
                            p = in(reg) $place.0, s = in(reg) $place.1,
                            options(nostack, readonly));
                    }
                }
            };
        }
        start!("0", from[0]);
        start!("1", from[1]);
        start!("2", from[2]);
        start!("3", from[3]);
        for _ in 0..depth {
            // SAFETY: the caller vouches for two tiles of each at every depth.
            unsafe {
                asm!(
                    "tileloadd tmm4, [{a} + {s}]",
                    "tileloadd tmm6, [{b} + {s}]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tileloadd tmm7, [{b} + {s} + 1024]",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tileloadd tmm5, [{a} + {s} + 1024]",
                    "tdpbf16ps tmm2, tmm5, tmm6",
                    "tdpbf16ps tmm3, tmm5, tmm7",
                    a = in(reg) a, b = in(reg) b, s = in(reg) 64usize,
                    options(nostack, readonly),
                );
                a = a.add(2 * PAIRS);
                b = b.add(2 * PAIRS);
            }
        }
        macro_rules! finish {
            ($tile:literal, $place:expr) => {
                // SAFETY: handed on from the caller.
                unsafe {
                    asm!(concat!("tilestored [{p} + {s}], tmm", $tile),
                        p = in(reg) $place.0, s = in(reg) $place.1, options(nostack));
                }
            };
        }
        finish!("0", to[0]);
        finish!("1", to[1]);
        finish!("2", to[2]);
        finish!("3", to[3]);
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        // SAFETY: gives the registers back; nothing of ours is in them.
        unsafe { asm!("tilerelease", options(nostack, nomem)) }
    }
}
