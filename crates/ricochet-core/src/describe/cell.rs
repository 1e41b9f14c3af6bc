//! Cells as people write them.

use super::error::DescriptionError;
use super::words::{Token, named, tokens};
use crate::geometry::{Cell, MAX_SIDE};
use crate::notation::short;

/// How a cell may be written, for messages.
pub(super) const CELL_FORMS: &str =
    "a cell such as 1,8 (column and row from 0) or b9 (column b, row 9 from 1)";

/// Reads a cell: `1,8`, `(1,8)`, `b9`, `column 2 row 9`.
///
/// ```
/// use ricochet_core::{Cell, describe::parse_cell};
/// for text in ["1,8", "(1, 8)", "b9", "B9", "column 2 row 9", "row 9, col 2"] {
///     assert_eq!(parse_cell(text), Ok(Cell::new(1, 8)), "{text}");
/// }
/// assert!(parse_cell("the corner").is_err());
/// ```
///
/// # Errors
/// If it is not a cell. Whether the cell lies on the board is for others to say.
pub fn parse_cell(text: &str) -> Result<Cell, DescriptionError> {
    let tokens = tokens(text)?;
    let (cell, rest) = take_cell(&tokens)?.ok_or_else(|| not_a_cell(text.trim()))?;
    match rest.first() {
        None => Ok(cell),
        extra => Err(DescriptionError::new(format!(
            "expected one cell, found {} after it",
            named(extra)
        ))),
    }
}

/// A cell as people say it: the column's letter, and the row counted from 1.
///
/// ```
/// use ricochet_core::{Cell, describe::{parse_cell, cell_name}};
/// assert_eq!(cell_name(Cell::new(1, 8)), "b9");
/// assert_eq!(cell_name(Cell::new(26, 0)), "aa1");
/// assert_eq!(parse_cell("aa1"), Ok(Cell::new(26, 0)));
/// ```
pub fn cell_name(cell: Cell) -> String {
    let letter = |number: u8| char::from(b'a' + number % 26);
    let row = u16::from(cell.y) + 1;
    match cell.x / 26 {
        0 => format!("{}{row}", letter(cell.x)),
        times => format!("{}{}{row}", letter(times - 1), letter(cell.x)),
    }
}

/// The column that `b` or `aa` names.
pub(super) fn column_of_letters(letters: &str) -> Option<u8> {
    let value = |letter: char| {
        let letter = letter.to_ascii_lowercase();
        letter.is_ascii_lowercase().then(|| letter as u8 - b'a')
    };
    let mut letters = letters.chars();
    let first = value(letters.next()?)?;
    let column = match letters.next() {
        None => first,
        Some(second) => (first + 1).checked_mul(26)?.checked_add(value(second)?)?,
    };
    (letters.next().is_none() && usize::from(column) < MAX_SIDE).then_some(column)
}

pub(super) fn not_a_cell(found: &str) -> DescriptionError {
    DescriptionError::new(format!("expected {CELL_FORMS}, found {}", short(found)))
}

/// The cell at the front, if one is there, and what follows it.
pub(super) fn take_cell<'t, 'a>(
    tokens: &'t [Token<'a>],
) -> Result<Option<(Cell, &'t [Token<'a>])>, DescriptionError> {
    match tokens {
        [Token::Cell(cell), rest @ ..] => Ok(Some((*cell, rest))),
        [Token::Number(x), Token::Number(y), rest @ ..] => Ok(Some((Cell::new(*x, *y), rest))),
        [Token::Number(x), rest @ ..] => Err(DescriptionError::new(format!(
            "expected a row after the column {x}, found {}",
            named(rest.first())
        ))),
        [
            Token::Word(first),
            Token::Number(a),
            Token::Word(second),
            Token::Number(b),
            rest @ ..,
        ] => {
            let (column, row) = match (axis(first), axis(second)) {
                (Some(Axis::Column), Some(Axis::Row)) => (a, b),
                (Some(Axis::Row), Some(Axis::Column)) => (b, a),
                _ => return Ok(None),
            };
            match (column.checked_sub(1), row.checked_sub(1)) {
                (Some(x), Some(y)) => Ok(Some((Cell::new(x, y), rest))),
                _ => Err(DescriptionError::new(
                    "'column … row …' counts from 1: there is no column or row 0",
                )),
            }
        }
        _ => Ok(None),
    }
}

enum Axis {
    Column,
    Row,
}

fn axis(word: &str) -> Option<Axis> {
    match word.to_ascii_lowercase().as_str() {
        "column" | "col" => Some(Axis::Column),
        "row" => Some(Axis::Row),
        _ => None,
    }
}
