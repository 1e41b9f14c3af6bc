//! How boards are drawn in the terminal.

use std::env;

use ricochet_draw::Terminal;

use crate::term::size::TerminalSize;
use crate::term::wrap::width;

/// How boards are drawn, for every command that shows them.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Drawing")]
pub(crate) struct DrawingArgs {
    #[command(flatten)]
    pub(crate) characters: CharacterArgs,

    /// Show column and row numbers
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "on",
        default_missing_value = "on"
    )]
    pub(crate) coordinates: Switch,
}

/// Which characters boards are drawn with.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Drawing")]
pub(crate) struct CharacterArgs {
    /// Draw boards with ASCII characters only. By default, only if the locale is not UTF-8
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "on"
    )]
    ascii: When,
}

impl CharacterArgs {
    pub(crate) fn is_ascii(self) -> bool {
        match self.ascii {
            When::On => true,
            When::Off => false,
            When::Auto => !terminal_is_utf8(),
        }
    }

    pub(crate) fn terminal(self) -> Terminal {
        if self.is_ascii() {
            Terminal::ascii()
        } else {
            Terminal::unicode()
        }
    }
}

/// Whether the terminal shows characters other than ASCII: always on Windows, elsewhere if the locale is
/// UTF-8.
pub(crate) fn terminal_is_utf8() -> bool {
    cfg!(windows) || locale_is_utf8(|name| env::var(name).ok())
}

/// Whether the locale's character set is UTF-8, which is assumed if the environment does not say.
fn locale_is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// On or off, for options that are on by default in some commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Switch {
    #[default]
    On,
    Off,
}

impl DrawingArgs {
    pub(crate) fn terminal(self) -> Terminal {
        let terminal = self.characters.terminal();
        match self.coordinates {
            Switch::On => terminal,
            Switch::Off => terminal.without_coordinates(),
        }
    }
}

/// The size of boards, for every command that prints them.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Drawing")]
pub(crate) struct CompactArgs {
    /// Draw boards at half height, with the wall below a cell as an underline. By default, only
    /// if the terminal is too small for the full drawing; in a very narrow terminal, each cell is
    /// one character
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "on"
    )]
    compact: When,
}

/// When to do something that can depend on the terminal or the locale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum When {
    #[default]
    Auto,
    On,
    Off,
}

/// A text with boards in it.
pub(crate) struct BoardPage {
    /// Columns that the boards take. Other lines may be longer: the terminal wraps them.
    pub(crate) width: usize,
    pub(crate) text: String,
}

impl CompactArgs {
    /// The page to print: the full one if it fits or if there is no terminal, else the first compact one
    /// that fits. If none does, the last of the widest ones whose boards are not wrapped. `below` is
    /// the number of lines that follow.
    pub(crate) fn choose(
        self,
        size: Option<TerminalSize>,
        below: usize,
        full: impl FnOnce() -> BoardPage,
        compact: &[&dyn Fn() -> BoardPage],
    ) -> String {
        // Leave a line for the shell's prompt.
        let fits = |page: &BoardPage, size: TerminalSize| {
            page.width <= size.columns && rows(&page.text, size.columns) + below < size.rows
        };
        let size = match (self.compact, size) {
            (When::Off, _) | (When::Auto, None) => return full().text,
            (When::On, size) => size,
            (When::Auto, Some(size)) => {
                let page = full();
                if fits(&page, size) {
                    return page.text;
                }
                Some(size)
            }
        };
        let mut best: Option<BoardPage> = None;
        for draw in compact {
            let page = draw();
            let Some(size) = size else { return page.text };
            if fits(&page, size) {
                return page.text;
            }
            let is_worse = best
                .as_ref()
                .is_some_and(|best| best.width <= size.columns && page.width < best.width);
            if !is_worse {
                best = Some(page);
            }
        }
        best.map_or_else(String::new, |page| page.text)
    }
}

/// The rows that a text takes; long lines take several.
fn rows(text: &str, columns: usize) -> usize {
    text.lines()
        .map(|line| width(line).div_ceil(columns.max(1)).max(1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        let is_utf8 = |set: &[(&str, &str)]| {
            locale_is_utf8(|name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(is_utf8(&[]));
        assert!(is_utf8(&[("LC_ALL", ""), ("LANG", "")]));
        for unicode in ["C.UTF-8", "en_US.utf8", "de_DE.UTF-8@euro", "UTF-8"] {
            assert!(is_utf8(&[("LANG", unicode)]), "{unicode}");
            assert!(
                is_utf8(&[("LC_CTYPE", unicode), ("LANG", "C")]),
                "{unicode}"
            );
        }
        for ascii in ["C", "POSIX", "en_US", "de_DE.ISO-8859-1"] {
            assert!(
                !is_utf8(&[("LC_ALL", ascii), ("LANG", "C.UTF-8")]),
                "{ascii}"
            );
        }
    }

    fn chosen(compact: When, size: Option<(usize, usize)>) -> String {
        let size = size.map(|(columns, rows)| TerminalSize { columns, rows });
        let page = |width: usize, count: usize| BoardPage {
            width,
            text: ("#".repeat(width) + "\n").repeat(count),
        };
        let text = CompactArgs { compact }.choose(
            size,
            1,
            || page(5, 10),
            &[&|| page(5, 6), &|| page(5, 5), &|| page(2, 4)],
        );
        text.lines().count().to_string()
    }

    #[test]
    fn the_largest_page_that_fits_is_printed() {
        assert_eq!(chosen(When::Auto, None), "10", "a file or a pipe");
        assert_eq!(chosen(When::Auto, Some((80, 12))), "10", "with the prompt");
        assert_eq!(chosen(When::Auto, Some((80, 11))), "6");
        assert_eq!(chosen(When::Auto, Some((80, 7))), "5");
        assert_eq!(chosen(When::Auto, Some((80, 3))), "5", "nothing fits");
        assert_eq!(chosen(When::Auto, Some((3, 50))), "4", "too narrow");
        assert_eq!(chosen(When::Auto, Some((1, 50))), "4", "nothing fits");
        assert_eq!(chosen(When::On, Some((3, 50))), "4");
        assert_eq!(chosen(When::Off, Some((80, 3))), "10");
        assert_eq!(chosen(When::On, None), "6");
        assert_eq!(chosen(When::On, Some((80, 50))), "6");
    }
}
