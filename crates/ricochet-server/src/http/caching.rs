//! Entity tags: a browser that has an answer already need not get it again.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};

use axum::http::{HeaderMap, header};

/// A strong tag of bytes: equal bytes have equal tags, and different ones different tags.
pub(crate) fn tag(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for salt in [1u8, 2] {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(bytes);
        let _ = write!(text, "{:016x}", hasher.finish());
    }
    text.push('"');
    text
}

/// Whether the client says that it has what the tag stands for.
pub(crate) fn is_current(headers: &HeaderMap, tag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|given| given.trim() == tag || given.trim() == "*")
}
