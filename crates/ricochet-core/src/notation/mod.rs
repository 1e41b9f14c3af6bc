//! Our own notation: a one-line form and a drawn one. Both keep everything about a puzzle, so that
//! reading what was written gives the same puzzle again.
//!
//! # One line
//!
//! `1A4B3B2B.1fc1f0c0.B9c` is the layout 1A 4B 3B 2B with robots at (1,15), (12,1), (15,0) and
//! (12,0), and the blue robot has to reach (9,12). No character needs escaping in a URL.
//!
//! ```text
//! line    = board "." robots "." goal *( "." option )
//! board   = layout / size "." walls
//! layout  = 4( tile side )       ; 1A4B3B2B: north-west, north-east, south-east, south-west
//! size    = number "x" number    ; 16x16: columns, rows, each within 2..=32
//! walls   = *( sextet / "~" sextet )
//! robots  = 1*cell               ; red, green, blue, yellow, silver, orange, purple, cyan
//! goal    = ( robot / "V" ) cell ; V: any robot
//! option  = "m"                  ; the robot that arrives must ricochet
//!         / "d" *( lean robot cell )             ; the diagonals
//!         / "t" *( ( robot / "V" ) shape cell )  ; the printed targets
//!         / "o" number           ; the optimal number of moves
//!         / "n" name             ; the puzzle's name
//! cell    = column row           ; one base-32 digit each: 0-9 a-v
//! robot   = "R" / "G" / "B" / "Y" / "W" / "O" / "P" / "C"
//! lean    = "s" / "b"            ; slash, backslash
//! shape   = "c" / "t" / "s" / "h" / "v"  ; circle, triangle, square, hexagon, vortex
//! name    = *( letter / digit / "-" / "_" / "~" 2hex )  ; UTF-8
//! ```
//!
//! Each option occurs at most once, in any order. A layout has its printed diagonals and targets
//! unless `d` or `t` says otherwise (`t` alone: no targets); other boards have none by default.
//! `walls` are bits: row by row, each cell has one for a wall on its east side (except in the last
//! column) and one for its south side (except in the last row). Six bits, the first one highest, make
//! a `sextet`, written as in base64url (`A-Z a-z 0-9 - _`); `~` and a sextet of value v stand for
//! v + 3 sextets of zeros, and zeros at the end may be left out.
//!
//! # Drawing
//!
//! ```text
//! id: example
//! optimal: 3
//! goal: red
//! target: red circle 3,0
//! +---+---+---+---+
//! | R     |     * |
//! +   +---+   +   +
//! |   |###| \g  G |
//! +---+---+---+---+
//! ```
//!
//! - Above a drawing stand `goal:` with a colour or `any` and, if wanted, `id:`, `optimal:`,
//!   `rules: must-ricochet` and a `target:` line for each printed target (colour or `any`, shape,
//!   `column,row` from 0). Several puzzles follow each other; blank lines and lines that begin with
//!   `#` are ignored between them.
//! - The upper edge shows where the cells are: `+` at the corners, as many `-` between them as the
//!   cells are wide. All other lines follow its columns; spaces at their ends may be missing.
//! - Between two rows, a full row of `-` is a wall and spaces are none; in a row, `|` is a wall and
//!   a space is none.
//! - A cell contains, in any order: a robot (`R G B Y W O P C`, without gaps in this order), `*` for
//!   the goal, `/` or `\` with its colour right after it (`r g b y w o p c`), `#` for a closed cell.
//! - A name with unusual characters is in quotes with the escapes `\n \r \t \" \\ \u{…}`.
//! - If there is no `*`, the goal's cell follows the colour (`goal: red 3,0`), or a printed target
//!   is named (`goal: green hexagon`): one of the `target:` lines, or of the printed board that is drawn.
//!
//! Drawings as `ricochet show` prints them (see [`to_page`]) can be read as well: with box-drawing characters or
//! in ASCII, with or without the numbers of columns and rows, and with the words around them. They
//! have no `goal:` line.

mod cursor;
mod drawing;
mod error;
mod line;
mod page;
mod reason;
mod text;

#[cfg(feature = "formats")]
pub(crate) use cursor::{Bytes, Cursor};
pub use error::ReadError;
pub use line::{parse_line, to_line};
pub use page::to_page;
pub(crate) use reason::short;
pub use reason::{Item, Reason, Value};
#[cfg(feature = "formats")]
pub(crate) use text::{Lines, parse_next};
pub use text::{parse_text, parse_texts, to_text};
