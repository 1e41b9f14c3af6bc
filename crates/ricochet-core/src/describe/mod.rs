//! Positions in a player's words: the board's quadrants, the robots and the target.
//!
//! ```
//! use ricochet_core::describe::{Position, Robots, GoalDescription};
//! let position = Position {
//!     layout: "1A 4B 3B 2B".parse()?,
//!     robots: "R 1,8  G 12,1  B 15,0  Y 12,0".parse()?,
//!     target: "green hexagon".parse()?,
//!     must_ricochet: false,
//! };
//! let puzzle = position.setup()?.validate()?;
//! assert_eq!(ricochet_core::notation::to_line(&puzzle), "1A4B3B2B.18c1f0c0.G6e");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layouts
//!
//! Four sides in the order north-west, north-east, south-east, south-west (clockwise from the upper
//! left). A side is a tile (1 to 4) and a letter (A to D), in either order and either case. Spaces,
//! commas, dashes and the like may separate them: `1A 4B 3B 2B`, `1a4b3b2b`, `A1-B4-B3-B2`.
//! [`Layout`](crate::quadrants::Layout) reads them.
//!
//! # Robots
//!
//! For each robot its colour or letter (R red, G green, B blue, Y yellow, W silver, O orange,
//! P purple, C cyan) and its cell, in any order, with any punctuation: `R 1,8  G 12,1`,
//! `green (12,1); red b9`. [`Robots`] reads them.
//!
//! # Cells
//!
//! | written as | means |
//! |---|---|
//! | `1,8` `(1,8)` `1 8` | column and row, counted from 0, as boards are shown |
//! | `b9` | column b (the second), row 9 counted from 1: the same cell, as on a chess board but with row 1 at the top; after `z` comes `aa` |
//! | `column 2 row 9` | the same in words, counted from 1, in either order |
//!
//! # Targets
//!
//! | written as | means |
//! |---|---|
//! | `green hexagon` | the target that is printed on the board |
//! | `vortex` | the target for any robot |
//! | `9,12` | the target printed on that cell |
//! | `blue 9,12`, `any 9,12` | that cell, printed or not, for that robot or any |
//!
//! The shapes have several names: circle, moon or disc; triangle, gear or cog; square, planet or
//! saturn; hexagon, star or sun; vortex or spiral. [`GoalDescription`] reads targets.
//!
//! # Moves
//!
//! A robot and a direction, as letters (`RN`), words (`red north`, `red up`) or arrows (`R↑`).
//! [`parse_moves`] reads them, [`moves_in_words`] writes them.
//!
//! Conversely, [`task`] states the task in a sentence, with the name of the target if it is printed.

mod goal;
mod moves;
mod position;
mod words;

use std::fmt;

use crate::notation::Reason;

pub use goal::{GoalDescription, goal_name, printed_target, target_names, task};
pub(crate) use goal::{Task, is_task};
pub use moves::{MoveWord, move_words, moves_in_words, parse_moves};
pub use position::{Position, Robots};
pub use words::{cell_name, parse_cell};

/// Words that are not understood, with what was expected.
///
/// ```
/// use ricochet_core::describe::GoalDescription;
/// let error = "green heptagon".parse::<GoalDescription>().unwrap_err();
/// assert!(error.to_string().starts_with("'heptagon' is neither a colour nor a shape"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    /// Why they are not understood.
    pub reason: Reason,
}

impl DescriptionError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Reason::Other {
            text: message.into(),
        }
        .into()
    }
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for DescriptionError {}

impl From<Reason> for DescriptionError {
    fn from(reason: Reason) -> Self {
        Self { reason }
    }
}

/// The text with its first letter in upper case. Error messages start in lower case, to follow a colon.
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// `a`, `a and b`, `a, b and c`.
pub fn join_with_and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1 move`, `2 moves`.
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// `1,234,567`.
pub fn thousands(count: impl Into<u128>) -> String {
    let digits = count.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
