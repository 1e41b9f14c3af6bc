//! Text in lines that fit into a terminal.

/// Text in lines of at most so many columns, broken between words.
pub(crate) fn wrapped(text: &str, columns: usize) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let mut used = 0;
        for word in line.split(' ') {
            let width = word.chars().count();
            if used > 0 && used + 1 + width > columns {
                lines.push('\n');
                used = 0;
            } else if used > 0 {
                lines.push(' ');
                used += 1;
            }
            lines.push_str(word);
            used += width;
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_broken_between_words() {
        assert_eq!(wrapped("RN GE BS\nYW", 5), "RN GE\nBS\nYW\n");
        assert_eq!(wrapped("", 5), "");
        assert_eq!(wrapped("longer than that", 3), "longer\nthan\nthat\n");
    }
}
