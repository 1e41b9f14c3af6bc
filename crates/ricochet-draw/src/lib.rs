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

mod color;
mod goal;
mod letters;
mod overlay;
mod picture;
#[cfg(feature = "raster")]
mod raster;
mod scene;
mod sheet;
mod terminal;
mod vector;

pub use color::role::Role;
pub use color::theme::Theme;
pub use color::{Color, look};
pub use goal::{goal_text, goal_words};
pub use letters::typeface::missing_letters;
pub use overlay::Overlay;
pub use picture::{CELL_SIZES, Picture};
#[cfg(feature = "raster")]
pub use raster::RasterError;
pub use sheet::paper::Paper;
pub use sheet::quadrant;
pub use sheet::{Sheet, SheetPuzzle};
pub use terminal::{BoardSize, Charset, Panel, Terminal, TextPicture};
pub use vector::svg;
