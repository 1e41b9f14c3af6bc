//! Bytes in whatever format they seem to be in.
#![no_main]

#[path = "../../crates/ricochet-core/tests/support/check.rs"]
#[allow(dead_code)]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::any_bytes(None, bytes));
