//! Cursors over text and binary data, for the hand-written readers.

use super::error::ReadError;
use super::reason::{Item, Reason};

/// A place in a text. Lines and columns are counted only for errors, so reading stays linear.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// A cursor at another place in a text.
    pub(crate) fn back_to(&self, at: usize) -> Self {
        Self {
            text: self.text,
            at,
        }
    }

    /// Byte offset of the next character.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes the next character if it is the given one.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    /// Takes the given text if it comes next.
    #[cfg(feature = "formats")]
    pub(crate) fn eat_str(&mut self, wanted: &str) -> bool {
        let there = self.rest().starts_with(wanted);
        if there {
            self.at += wanted.len();
        }
        there
    }

    /// Takes characters while they match.
    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(crate) fn skip_white_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// A decimal number up to `max`.
    pub(crate) fn number(&mut self, what: Item, max: u32) -> Result<u32, ReadError> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.expected(what));
        }
        match digits.parse::<u32>() {
            Ok(value) if value <= max => Ok(value),
            _ => {
                let most = Item::AtMost {
                    what: Box::new(what),
                    most: max as usize,
                };
                Err(self.error_at(start, Reason::found_text(most, digits)))
            }
        }
    }

    /// Expects the given character.
    pub(crate) fn require(&mut self, wanted: char) -> Result<(), ReadError> {
        if self.eat(wanted) {
            Ok(())
        } else {
            Err(self.expected(Item::character(wanted)))
        }
    }

    /// 'expected …, found …' at this place.
    pub(crate) fn expected(&self, what: Item) -> ReadError {
        let found = match self.peek() {
            None => Item::EndOfText,
            Some('\n' | '\r') => Item::EndOfLine,
            Some(c) => Item::quote(c.encode_utf8(&mut [0; 4])),
        };
        self.error_at(self.at, Reason::found(what, found))
    }

    /// An error at a byte offset.
    pub(crate) fn error_at(&self, offset: usize, reason: impl Into<Reason>) -> ReadError {
        let (line, column) = line_and_column(self.text, offset);
        ReadError::new(line, column, reason)
    }
}

/// Line and column (in characters) of a byte offset, both from 1.
pub(crate) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line = text[..before.len()].matches('\n').count() + 1;
    let start = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    // Continuation bytes of UTF-8 do not count as characters.
    let column = before[start..]
        .iter()
        .filter(|&&byte| byte & 0xC0 != 0x80)
        .count()
        + 1;
    (line, column)
}

/// Unread binary data; errors name what is missing.
#[cfg(feature = "formats")]
pub(crate) struct Bytes<'a>(&'a [u8]);

#[cfg(feature = "formats")]
impl<'a> Bytes<'a> {
    pub(crate) const fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// The next `N` bytes; `expected` names them in errors.
    pub(crate) fn array<const N: usize>(&mut self, expected: Item) -> Result<[u8; N], Reason> {
        let (first, rest) = self
            .0
            .split_first_chunk()
            .ok_or(Reason::DataEnds { expected })?;
        self.0 = rest;
        Ok(*first)
    }

    pub(crate) fn byte(&mut self, expected: Item) -> Result<u8, Reason> {
        self.array(expected).map(|[byte]| byte)
    }

    /// Expects the end.
    pub(crate) fn end(self) -> Result<(), Reason> {
        match self.0.len() {
            0 => Ok(()),
            number => Err(Reason::found(Item::EndOfData, Item::MoreBytes { number })),
        }
    }
}

#[cfg(all(test, feature = "formats"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_too_much_is_said() {
        let mut bytes = Bytes::new(&[1, 2, 3, 4]);
        assert_eq!(bytes.byte(Item::Mirror), Ok(1));
        assert_eq!(bytes.array(Item::RowMask), Ok([2, 3]));
        let ends = "the data ends where the mask of a row was expected";
        let error = bytes.array::<2>(Item::RowMask).unwrap_err();
        assert_eq!(error.to_string(), ends);
        assert_eq!(
            bytes.byte(Item::Mirror),
            Ok(4),
            "a failed read takes nothing"
        );
        assert_eq!(bytes.end(), Ok(()));
        let more = "expected the end of the data, found 2 more bytes";
        assert_eq!(Bytes::new(&[0, 0]).end().unwrap_err().to_string(), more);
    }
}
