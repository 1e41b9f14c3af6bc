//! A text as words, numbers and cells; punctuation only separates them.

use super::cell::{column_of_letters, not_a_cell};
use super::error::DescriptionError;
use crate::geometry::Cell;
use crate::notation::short;

/// No description needs more.
const MAX_TEXT: usize = 2_000;

/// Words that say nothing here.
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

/// Splits a text; fillers are left out.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, DescriptionError> {
    if text.len() > MAX_TEXT {
        return Err(DescriptionError::new(format!(
            "expected at most {MAX_TEXT} characters"
        )));
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

/// A token as it is named in messages.
pub(super) fn named(token: Option<&Token<'_>>) -> String {
    match token {
        None => "nothing".to_owned(),
        Some(Token::Word(word)) => short(word),
        Some(Token::Number(number)) => format!("'{number}'"),
        Some(Token::Cell(cell)) => cell.to_string(),
    }
}
