//! `--compact`: boards in half the height, for terminals that are not tall enough.

use crate::room::Room;
use crate::wrapped::width;

/// Which of two drawings of a board to print, for every command that prints some.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Drawing")]
pub(crate) struct CompactArgs {
    /// Draw boards in half the height: a wall south of a cell is an underline in it. By default only
    /// in a terminal that is not tall enough for the full drawing
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

/// When to do something that can depend on the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum When {
    #[default]
    Auto,
    On,
    Off,
}

impl CompactArgs {
    /// The page to print: the full one where it fits or where there is no terminal, else the first
    /// compact one that fits, or the last. `below` is the number of lines that come afterwards.
    pub(crate) fn choose(
        self,
        room: Option<Room>,
        below: usize,
        full: impl FnOnce() -> String,
        compact: &[&dyn Fn() -> String],
    ) -> String {
        // The line below the page is for the shell's prompt.
        let fits = |page: &str, room: Room| rows(page, room.columns) + below < room.rows;
        let room = match (self.compact, room) {
            (When::Off, _) | (When::Auto, None) => return full(),
            (When::On, room) => room,
            (When::Auto, Some(room)) => {
                let page = full();
                if fits(&page, room) {
                    return page;
                }
                Some(room)
            }
        };
        let mut page = String::new();
        for draw in compact {
            page = draw();
            if room.is_none_or(|room| fits(&page, room)) {
                break;
            }
        }
        page
    }
}

/// The rows that a text takes: long lines take several.
fn rows(text: &str, columns: usize) -> usize {
    text.lines()
        .map(|line| width(line).div_ceil(columns.max(1)).max(1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(compact: When, room: Option<(usize, usize)>) -> String {
        let room = room.map(|(columns, rows)| Room { columns, rows });
        let lines = |count: usize| "board\n".repeat(count);
        CompactArgs { compact }
            .choose(room, 1, || lines(10), &[&|| lines(6), &|| lines(5)])
            .lines()
            .count()
            .to_string()
    }

    #[test]
    fn the_largest_page_that_fits_is_printed() {
        assert_eq!(chosen(When::Auto, None), "10", "a file or a pipe");
        assert_eq!(chosen(When::Auto, Some((80, 12))), "10", "with the prompt");
        assert_eq!(chosen(When::Auto, Some((80, 11))), "6");
        assert_eq!(chosen(When::Auto, Some((80, 7))), "5");
        assert_eq!(chosen(When::Auto, Some((80, 3))), "5", "nothing fits");
        assert_eq!(chosen(When::Auto, Some((3, 13))), "5", "lines of two rows");
        assert_eq!(chosen(When::Off, Some((80, 3))), "10");
        assert_eq!(chosen(When::On, None), "6");
        assert_eq!(chosen(When::On, Some((80, 50))), "6");
    }
}
