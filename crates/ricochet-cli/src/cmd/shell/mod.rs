//! Files for the shell: completions and manual pages.

pub(crate) mod completions;
pub(crate) mod man;
