//! Boards and solutions of Ricochet Robots as pictures.
//!
//! - [`Terminal`]: drawings for the terminal, in Unicode or ASCII, in several sizes, with or without
//!   colour.
//! - [`Picture`]: SVG, PDF (feature `pdf`), PNG and animated GIF (feature `raster`).
//! - [`LinkPreview`]: the picture that other sites show for a link.
//! - [`Sheet`]: printable pages of puzzles and solutions, in the same formats.
//! - [`quadrant`]: the printed quadrant sides, one by one or on printable pages.
//! - [`Theme`]: the colours of a picture.
//! - [`Overlay`]: a number for each cell, for terminal drawings and pictures.
//!
//! Colour is never the only sign: robots have letters, targets shapes and letters, moves numbers.
//! Letters are outlines, so no font is needed to show a picture; [`missing_letters`] lists the
//! characters that cannot be drawn.
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
//! assert!(svg.contains("Moves: GE RE RS."), "the description names the moves");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `cargo run -p ricochet-draw --example gallery -- DIR` draws everything in all themes.

mod color;
mod goal;
mod letters;
mod overlay;
mod picture;
mod preview;
#[cfg(feature = "raster")]
mod raster;
mod scene;
mod sheet;
mod terminal;
mod vector;

pub use color::role::ColorRole;
pub use color::theme::Theme;
pub use color::{Color, style_json};
pub use goal::{goal_caption, goal_description};
pub use letters::typeface::missing_letters;
pub use overlay::Overlay;
pub use picture::{CELL_SIZES, Picture, board_svg};
pub use preview::LinkPreview;
#[cfg(feature = "raster")]
pub use raster::RasterError;
pub use sheet::paper::{Pages, Paper};
pub use sheet::quadrant;
pub use sheet::{Sheet, SheetPuzzle};
pub use terminal::{BoardSize, Charset, Panel, Terminal, TextPicture};
pub use vector::svg;
