//! NBIB, the tagged format of PubMed's downloads.
#![no_main]

use libfuzzer_sys::fuzz_target;

/// How a file begins that is taken for NBIB.
const BEGINNING: &[u8] = b"PMID- 1\nTI  - ";

fuzz_target!(|bytes: &[u8]| {
    medsift_fuzz::read(bytes);
    if !bytes.starts_with(BEGINNING) {
        medsift_fuzz::read(&[BEGINNING, bytes].concat());
    }
});
