//! PubMed's XML: what is broken becomes a fault, and reading goes on.
#![no_main]

use libfuzzer_sys::fuzz_target;

/// How a file begins that is taken for PubMed's.
const BEGINNING: &[u8] = b"<?xml version=\"1.0\"?><PubmedArticleSet>";

fuzz_target!(|bytes: &[u8]| {
    // As it is, which tries the recognition; and as a file of the format.
    medsift_fuzz::read(bytes);
    if !bytes.starts_with(BEGINNING) {
        medsift_fuzz::read(&[BEGINNING, bytes].concat());
    }
});
