//! Help texts that are not doc comments of arguments: examples, topics, the version.

pub(crate) mod examples;
pub(crate) mod topics;
pub(crate) mod version;
