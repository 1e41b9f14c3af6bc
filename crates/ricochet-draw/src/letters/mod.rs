//! Letters, digits and symbols as outlines.

pub(crate) mod glyphs;
pub(crate) mod pixels;
#[cfg_attr(not(feature = "font"), path = "no_typeface.rs")]
pub(crate) mod typeface;
