//! Searches as clients send them: the address's parameters, and JSON bodies.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    medsift_server::fuzzing::body(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        medsift_server::fuzzing::address(text);
    }
});
