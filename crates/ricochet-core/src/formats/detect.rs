//! Which format a text is in, by how it begins.

use super::kevincox_url::MARK;
use super::registry::Format;

/// Whether a line says nothing: blank, or a comment of ours (`#`) or of ASP (`%`).
pub(super) fn is_blank(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    // The mark of kevincox's URLs may stand alone.
    matches!(line.first(), None | Some(b'#' | b'%')) && !line.starts_with(MARK.as_bytes())
}

/// The format of a text, judged by its first line that says something; `None` if it looks like
/// nothing we know.
///
/// A text that is recognised may still be wrong: the reader of its format then says where.
///
/// ```
/// use ricochet_core::formats::{Format, detect};
/// assert_eq!(detect("{\"width\":16}"), Some(Format::Json));
/// assert_eq!(detect("what a lovely day"), None);
/// ```
pub fn detect(text: &str) -> Option<Format> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        if !is_blank(line.as_bytes()) {
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
    if first == b'{' {
        return Some(Format::Json);
    }
    if first == b'[' {
        let lireer = ["rob_position", "fields"].contains(&first_key(text));
        return Some(if lireer { Format::Lireer } else { Format::Json });
    }
    // Numbers of columns stand above drawings that are shown to people.
    if first == b'+' || is_key(line) || line.starts_with('┏') || line.starts_with("0  ") {
        return Some(Format::Text);
    }
    if line.contains(MARK) {
        return Some(Format::KevincoxUrl);
    }
    if first == b'!' {
        return Some(Format::DriftingDroidsDump);
    }
    if line.split_whitespace().next() == Some("board") {
        return Some(Format::Kevincox);
    }
    let word = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if word.starts_with(':') && line.contains(';') {
        return Some(Format::Roboyard);
    }
    if word.trim_start().starts_with('(') && first.is_ascii_lowercase() {
        return Some(Format::Asp);
    }
    if word.starts_with('+') && first.is_ascii_hexdigit() {
        return Some(Format::DriftingDroids);
    }
    first.is_ascii_digit().then_some(Format::Line)
}

/// The first quoted word of a JSON text.
fn first_key(text: &str) -> &str {
    text.split('"').nth(1).unwrap_or("")
}

/// Whether a line is one of those that stand above a drawing.
fn is_key(line: &str) -> bool {
    let key = line.split_once(':').map_or("", |(key, _)| key.trim_end());
    ["goal", "id", "optimal", "rules", "target"].contains(&key)
}
