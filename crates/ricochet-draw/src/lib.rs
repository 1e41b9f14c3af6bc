//! Boards and solutions of Ricochet Robots as pictures.
//!
//! - [`Terminal`]: for the terminal, in Unicode or in pure ASCII, coloured or not.
//! - [`Picture`]: SVG, and with the feature `raster` PNG and animated GIF.
//! - [`Sheet`]: printable pages of puzzles and solutions, as SVG and with the feature `pdf` as PDF.
//! - [`Theme`]: the colours of a picture.
//! - [`Overlay`]: a number for each cell, for both.
//!
//! Colour is never the only sign: robots carry letters, targets shapes and letters, moves numbers.
//! No font is needed: letters in pictures are outlines of the crate's own.
//!
//! # A first picture
//!
//! ```
//! use ricochet::{Solution, notation};
//! use ricochet_draw::{Picture, Terminal, Theme};
//!
//! let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
//! let terminal = Terminal::ascii().without_coordinates();
//! assert_eq!(
//!     terminal.puzzle(&puzzle).plain(),
//!     "+---+---+---+---+
//! | R             |
//! +   .   .   .   +
//! |            [r]|
//! +   .   .   .   +
//! |     G         |
//! +---+---+---+---+
//! "
//! );
//!
//! let solution: Solution = "GE RE RS".parse()?;
//! let trace = solution.replay(&puzzle)?;
//! let picture = Picture::new(&puzzle).theme(Theme::DARK).cell_size(40).solution(&trace);
//! let svg = picture.svg();
//! assert!(svg.contains("Moves: GE RE RS."), "it says in words what it shows");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The gallery of `cargo run -p ricochet-draw --example gallery` has everything in all themes.

pub mod ascii;
mod ascii_path;
mod board_scene;
pub mod color;
#[cfg(feature = "raster")]
pub mod gif;
mod glyphs;
mod layout;
pub mod look;
mod measure;
pub mod overlay;
#[cfg(feature = "raster")]
mod palette;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod picture;
mod pieces;
#[cfg(feature = "raster")]
pub mod raster;
pub mod role;
mod route;
mod scene;
mod shading;
mod shapes;
pub mod sheet;
pub mod svg;
pub mod text;
pub mod theme;
mod walls;

pub use ascii::Terminal;
pub use ascii_path::Panel;
pub use color::Color;
pub use overlay::Overlay;
pub use picture::{CELL_SIZES, Picture, goal_text};
#[cfg(feature = "raster")]
pub use raster::RasterError;
pub use role::Role;
pub use sheet::Sheet;
pub use text::TextPicture;
pub use theme::Theme;
