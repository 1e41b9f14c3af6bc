//! Bytes read as `drifting-droids-dump`, and as the data inside one.
#![no_main]

#[path = "../../crates/ricochet-core/tests/support/check.rs"]
#[allow(dead_code)]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::any_dump(bytes));
