//! HTTP: questions, submissions, the page, links to puzzles, and the checks that every request passes.

pub(crate) mod assets;
pub(crate) mod guard;
pub(crate) mod links;
pub(crate) mod openapi;
pub(crate) mod privacy;
pub(crate) mod query;
pub(crate) mod questions;
pub(crate) mod response;
pub(crate) mod stream;
pub(crate) mod submissions;
