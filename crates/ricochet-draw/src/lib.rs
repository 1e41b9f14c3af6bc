//! Boards and solutions of Ricochet Robots as pictures.
//!
//! - [`Terminal`]: for the terminal, in Unicode or in pure ASCII, coloured or not.
//! - [`Picture`]: SVG, and with the feature `raster` PNG and animated GIF.
//! - [`Sheet`]: printable pages of puzzles and solutions, as SVG and with the feature `pdf` as PDF.
//! - [`quadrant`]: the printed quadrant sides, one by one or all on a page.
//! - [`Theme`]: the colours of a picture.
//! - [`Overlay`]: a number for each cell, for both.
//!
//! Colour never carries information alone: robots have letters, targets shapes and letters, moves numbers.
//! No font is needed to show a picture: letters are outlines. [`missing_letters`]
//! names the letters that cannot be drawn.
//!
//! # A first picture
//!
//! ```
//! use ricochet_core::{Solution, notation};
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
mod compact;
#[cfg(feature = "raster")]
pub mod gif;
mod glyphs;
pub mod goal;
mod layout;
pub mod look;
mod measure;
mod miniature;
pub mod overlay;
#[cfg(feature = "raster")]
mod palette;
pub mod paper;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod picture;
mod pieces;
mod pixels;
pub mod quadrant;
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
#[cfg_attr(not(feature = "font"), path = "no_typeface.rs")]
mod typeface;
mod walls;

pub use ascii::Terminal;
pub use ascii_path::Panel;
pub use color::Color;
pub use goal::{goal_text, goal_words};
pub use overlay::Overlay;
pub use paper::Paper;
pub use picture::{CELL_SIZES, Picture};
#[cfg(feature = "raster")]
pub use raster::RasterError;
pub use role::Role;
pub use sheet::{Sheet, SheetPuzzle};
pub use text::TextPicture;
pub use theme::Theme;
pub use typeface::missing_letters;
