//! Programs of others, as they come from their makers, against a real server
//! and the files that medsift writes. A script under `tests/clients` or
//! `docs/examples` asserts what it sees and ends with 0.

mod columns;
