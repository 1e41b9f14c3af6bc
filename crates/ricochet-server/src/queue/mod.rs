//! Questions that wait for an answer: coalescing, caching, worker threads and solver-time budgets.

pub(crate) mod budget;
pub(crate) mod in_flight;
pub(crate) mod pool;
