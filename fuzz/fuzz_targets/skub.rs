//! Bytes read as `skub`.
#![no_main]

#[path = "../../crates/ricochet-core/tests/support/check.rs"]
#[allow(dead_code)]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::any_bytes(Some(ricochet_core::formats::Format::Skub), bytes));
