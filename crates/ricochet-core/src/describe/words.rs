//! A text as words, numbers and cells; punctuation only separates them.

use super::DescriptionError;
use crate::geometry::{Cell, MAX_SIDE};
use crate::notation::{Item, Reason};

/// The longest description.
const MAX_TEXT: usize = 2_000;

/// Words that are skipped.
const FILLERS: [&str; 13] = [
    "the", "robot", "robots", "at", "on", "in", "is", "to", "and", "target", "goal", "cell", "from",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Number(u8),
    /// `b9`.
    Cell(Cell),
}

/// Splits a text, without filler words.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, DescriptionError> {
    if text.len() > MAX_TEXT {
        return Err(Reason::WordsTooLong { most: MAX_TEXT }.into());
    }
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_alphabetic() {
            let (word, after) = take(rest, char::is_alphabetic);
            if after.starts_with(|c: char| c.is_ascii_digit()) {
                let (digits, beyond) = take(after, |c| c.is_ascii_digit());
                if !continues_a_pair(beyond) {
                    found.push(Token::Cell(cell_of(word, digits)?));
                    rest = beyond;
                    continue;
                }
            }
            if !FILLERS.contains(&word.to_lowercase().as_str()) {
                found.push(Token::Word(word));
            }
            rest = after;
        } else if first.is_ascii_digit() {
            let (digits, after) = take(rest, |c| c.is_ascii_digit());
            let number = digits.parse().map_err(|_| not_a_cell(digits))?;
            found.push(Token::Number(number));
            rest = after;
        } else {
            let after = &rest[first.len_utf8()..];
            let negative = first == '-' && after.starts_with(|c: char| c.is_ascii_digit());
            if negative || !(first.is_whitespace() || ",;:=()[]/|.-+&".contains(first)) {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                return Err(not_a_cell(&rest[..end]));
            }
            rest = after;
        }
    }
    Ok(found)
}

fn take(text: &str, fits: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !fits(c)).unwrap_or(text.len()))
}

/// Whether `,8` follows: then `R1,8` is a letter and a pair, not the cell `r1`.
fn continues_a_pair(after: &str) -> bool {
    after
        .trim_start()
        .strip_prefix(',')
        .is_some_and(|row| row.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

fn cell_of(letters: &str, digits: &str) -> Result<Cell, DescriptionError> {
    let cell = (|| {
        let row: u8 = digits.parse().ok()?;
        Some(Cell::new(column_of_letters(letters)?, row.checked_sub(1)?))
    })();
    cell.ok_or_else(|| not_a_cell(&format!("{letters}{digits}")))
}

/// A token as messages name it.
pub(super) fn named(token: Option<&Token<'_>>) -> Item {
    match token {
        None => Item::Nothing,
        Some(Token::Word(word)) => Item::quote(word),
        Some(Token::Number(number)) => Item::quote(&number.to_string()),
        Some(Token::Cell(cell)) => Item::Quote {
            text: cell.to_string(),
        },
    }
}

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
/// If it is not a cell. Whether the cell is on the board is not checked.
pub fn parse_cell(text: &str) -> Result<Cell, DescriptionError> {
    let tokens = tokens(text)?;
    let (cell, rest) = take_cell(&tokens)?.ok_or_else(|| not_a_cell(text.trim()))?;
    match rest.first() {
        None => Ok(cell),
        extra => {
            let found = Box::new(named(extra));
            Err(Reason::found(Item::OneCell, Item::FollowedBy { found }).into())
        }
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

/// The column named `b` or `aa`.
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
    Reason::found_text(Item::CellForms, found).into()
}

/// The cell that the tokens begin with, and what follows it.
pub(super) fn take_cell<'t, 'a>(
    tokens: &'t [Token<'a>],
) -> Result<Option<(Cell, &'t [Token<'a>])>, DescriptionError> {
    match tokens {
        [Token::Cell(cell), rest @ ..] => Ok(Some((*cell, rest))),
        [Token::Number(x), Token::Number(y), rest @ ..] => Ok(Some((Cell::new(*x, *y), rest))),
        [Token::Number(x), rest @ ..] => {
            let column = usize::from(*x);
            let found = named(rest.first());
            Err(Reason::found(Item::RowAfterColumn { column }, found).into())
        }
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
                _ => Err(Reason::NoRowZero.into()),
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
