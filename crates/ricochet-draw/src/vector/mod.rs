//! Scenes as SVG and PDF.

#[cfg(feature = "pdf")]
pub(crate) mod pdf;
pub mod svg;
mod svg_writer;
