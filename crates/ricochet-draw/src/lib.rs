//! Boards and solutions of Ricochet Robots as pictures.
//!
//! - [`Terminal`]: for the terminal, in Unicode or in pure ASCII, coloured or not.
//!
//! Colour is never the only sign: robots carry letters, targets shapes and letters, moves numbers.

pub mod ascii;
mod ascii_path;
pub mod overlay;
pub mod text;

pub use ascii::Terminal;
pub use ascii_path::Panel;
pub use overlay::Overlay;
pub use text::TextPicture;
