//! Which format a text is in, by how it begins.

use super::registry::Format;

/// Whether a line says nothing: blank, or a comment of ours (`#`) or of ASP (`%`).
pub(super) fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with(['#', '%'])
}

/// The format of a text, judged by its first line that says something; `None` if it looks like
/// nothing we know.
///
/// A text that is recognised may still be wrong: the reader of its format then says where.
///
/// ```
/// use ricochet::formats::{Format, recognise};
/// assert_eq!(recognise("{\"width\":16}"), Some(Format::Json));
/// assert_eq!(recognise("what a lovely day"), None);
/// ```
pub fn recognise(text: &str) -> Option<Format> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        if !is_blank(line) {
            break;
        }
        rest = after;
    }
    by_beginning(rest.trim_start())
}

/// The format of a text that begins with something that says something.
fn by_beginning(text: &str) -> Option<Format> {
    let line = text.lines().next().unwrap_or("").trim_end();
    let first = line.bytes().next()?;
    if first == b'{' || first == b'[' {
        return Some(Format::Json);
    }
    if first == b'+' || is_key(line) {
        return Some(Format::Text);
    }
    first.is_ascii_digit().then_some(Format::Line)
}

/// Whether a line is one of those that stand above a drawing.
fn is_key(line: &str) -> bool {
    let key = line.split_once(':').map_or("", |(key, _)| key.trim_end());
    ["goal", "id", "optimal", "rules", "target"].contains(&key)
}
