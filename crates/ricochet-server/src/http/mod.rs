//! HTTP: questions, submissions, the page, and the checks that every request passes.

pub(crate) mod assets;
pub(crate) mod guard;
pub(crate) mod openapi;
pub(crate) mod query;
pub(crate) mod questions;
pub(crate) mod response;
pub(crate) mod stream;
pub(crate) mod submissions;
