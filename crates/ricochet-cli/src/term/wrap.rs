//! Wrapping text to the width of a terminal.

use anstream::adapter::strip_str;

/// Breaks text between words into lines of at most `columns` columns.
pub(crate) fn wrap(text: &str, columns: usize) -> String {
    break_lines(text, columns, |_| 0)
}

/// The same with a hanging indent: an item of a numbered list continues below its text, any other line
/// with two columns of indent.
pub(crate) fn wrap_hanging(text: &str, columns: usize) -> String {
    break_lines(text, columns, indent)
}

/// Breaks lines that are too long; `indent` gives the indent of the rest of a line.
fn break_lines(text: &str, columns: usize, indent: impl Fn(&str) -> usize) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        // At least half a line is left for words.
        let indent = indent(line).min(columns / 2);
        let mut used = 0;
        let mut has_word = false;
        for (number, word) in line.split(' ').enumerate() {
            let width = width(word);
            if has_word && used + 1 + width > columns {
                let kept = lines.trim_end_matches(' ').len();
                lines.truncate(kept);
                lines.push('\n');
                lines.extend(std::iter::repeat_n(' ', indent));
                used = indent;
            } else if number > 0 {
                lines.push(' ');
                used += 1;
            }
            lines.push_str(word);
            used += width;
            has_word |= width > 0;
        }
        lines.push('\n');
    }
    lines
}

/// The columns of a text; colours take none.
pub(crate) fn width(text: &str) -> usize {
    strip_str(text).to_string().chars().count()
}

/// The hanging indent of a line.
fn indent(line: &str) -> usize {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    let digits = line[blanks..].bytes().take_while(u8::is_ascii_digit);
    match digits.count() {
        0 => blanks + 2,
        digits if line[blanks + digits..].starts_with(". ") => blanks + digits + 2,
        _ => blanks + 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_broken_between_words() {
        assert_eq!(wrap("RN GE BS\nYW", 5), "RN GE\nBS\nYW\n");
        assert_eq!(wrap("", 5), "");
        assert_eq!(wrap("longer than that", 3), "longer\nthan\nthat\n");
    }

    #[test]
    fn what_continues_a_line_is_indented() {
        assert_eq!(
            wrap_hanging("  1. RN: Red goes north\nThat is all", 16),
            "  1. RN: Red\n     goes north\nThat is all\n"
        );
        assert_eq!(wrap_hanging("one two three", 7), "one two\n  three\n");
        assert_eq!(
            wrap_hanging("  a  table", 20),
            "  a  table\n",
            "fits as it is"
        );
    }

    #[test]
    fn colours_take_no_columns() {
        let colored = "\u{1b}[1mone\u{1b}[0m two";
        assert_eq!(wrap_hanging(colored, 7), format!("{colored}\n"));
    }
}
