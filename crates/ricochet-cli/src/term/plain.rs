//! Foreign text (ids, file names, contents of files) made harmless for terminals: control characters
//! are escaped.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};

/// Displays a text on one line, with every control character and line break escaped as `\u{1b}`.
///
/// For foreign names and messages. Everything that is printed goes through [`escape_control`] as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain<T>(pub(crate) T);

impl<T: Display> Display for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(EscapingWriter { inner: f }, "{}", self.0)
    }
}

struct EscapingWriter<'a, 'b> {
    inner: &'a mut fmt::Formatter<'b>,
}

impl Write for EscapingWriter<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for part in text.split_inclusive(is_dangerous) {
            match part.chars().next_back().filter(|&c| is_dangerous(c)) {
                None => self.inner.write_str(part)?,
                Some(last) => {
                    self.inner
                        .write_str(&part[..part.len() - last.len_utf8()])?;
                    write!(self.inner, "{}", last.escape_unicode())?;
                }
            }
        }
        Ok(())
    }
}

/// Control characters, and those that change the direction of text.
fn is_dangerous(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes control characters, except line breaks and the colour sequences (`ESC [ … m`) of our own
/// tables and boards.
pub(crate) fn escape_control(text: &str) -> Cow<'_, str> {
    let is_harmless = |c: char| c == '\n' || !is_dangerous(c);
    if text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            c if is_harmless(c) => c.len_utf8(),
            _ => color_sequence(rest).unwrap_or(0),
        };
        if length > 0 {
            kept.push_str(&rest[..length]);
            rest = &rest[length..];
        } else {
            kept.extend(c.escape_unicode());
            rest = &rest[c.len_utf8()..];
        }
    }
    Cow::Owned(kept)
}

/// The length of the colour sequence that the text begins with.
fn color_sequence(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then_some(2 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_on_one_line_and_switch_nothing() {
        let bad = "a\u{1b}[31mb\nc\u{9b}2Jd\u{202e}e\u{7f}";
        let shown = Plain(bad).to_string();
        assert_eq!(shown, "a\\u{1b}[31mb\\u{a}c\\u{9b}2Jd\\u{202e}e\\u{7f}");
        assert_eq!(Plain("grün 8×8").to_string(), "grün 8×8");
    }

    #[test]
    fn colours_and_lines_pass_and_nothing_else() {
        let page = "\u{1b}[1;38;5;9mred\u{1b}[0m\n";
        assert_eq!(escape_control(page), page);
        assert_eq!(
            escape_control("\u{1b}]0;title\u{7}"),
            "\\u{1b}]0;title\\u{7}"
        );
        assert_eq!(escape_control("\u{1b}[2J\u{1b}["), "\\u{1b}[2J\\u{1b}[");
        assert_eq!(escape_control("a\tb\r"), "a\\u{9}b\\u{d}");
    }
}
