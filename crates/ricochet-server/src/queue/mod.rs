//! The queue of questions: coalescing and caching them, and the threads that search.

pub(crate) mod dispatcher;
pub(crate) mod pool;
