//! Texts as requests to the service: an answer or an error, never a panic.
#![no_main]

#[path = "../../crates/ricochet-service/tests/support/request.rs"]
mod request;

libfuzzer_sys::fuzz_target!(|text: &str| request::any_text(text));
