//! One question on one screen: the board so far, the pictures that the answer needs, and the words,
//! in the room that the terminal has. Nothing scrolls away before it was read.

use ricochet_core::quadrants::{Quadrant, partial_board};
use ricochet_core::{Cell, State};
use ricochet_draw::{BoardSize, Terminal, TextPicture, quadrant};

use crate::term::size::TerminalSize;
use crate::term::wrap::wrap;

/// Columns between pictures.
const GAP: usize = 2;
/// Sides that a tile has.
const FACES: usize = 4;

/// The size that is left above the words and the question at the end of a page.
fn above(size: TerminalSize, words: &str, question: &str) -> TerminalSize {
    let below =
        wrap(words, size.columns).lines().count() + wrap(question, size.columns).lines().count();
    TerminalSize {
        columns: size.columns,
        rows: size.rows.saturating_sub(below),
    }
}

/// The tiles that do not lie on the board yet.
pub(super) fn free_tiles(quadrants: &[Quadrant]) -> Vec<usize> {
    let taken = |tile| quadrants.iter().any(|quadrant| quadrant.tile() == tile);
    (1..=4).filter(|&tile| !taken(tile)).collect()
}

/// The pictures of quadrants that fit on a page at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QuadrantsPage {
    pub(super) shown: Vec<Quadrant>,
    /// The tile that the next page begins with, if there is more than one page.
    pub(super) next: Option<usize>,
}

impl QuadrantsPage {
    /// The page that shows a tile, or the first, for a board of which these quadrants are known.
    pub(super) fn of(quadrants: &[Quadrant], tile: usize, size: TerminalSize) -> Self {
        let tiles = free_tiles(quadrants);
        let capacity = capacity(size);
        let at_once = (capacity / FACES).clamp(1, tiles.len().max(1));
        let pages: Vec<&[usize]> = tiles.chunks(at_once).collect();
        let at = pages.iter().position(|page| page.contains(&tile));
        let at = at.unwrap_or(0);
        let shown = pages.get(at).copied().unwrap_or_default();
        let next = pages.get((at + 1) % pages.len().max(1));
        Self {
            shown: quadrant::all()
                .into_iter()
                .filter(|quadrant| shown.contains(&quadrant.tile()))
                .collect(),
            next: next
                .filter(|_| pages.len() > 1)
                .and_then(|page| page.first().copied()),
        }
    }

    /// The board so far on the left, the quadrants to choose from on the right; fewer things where
    /// there is less room, and nothing where there is none.
    pub(super) fn picture(
        &self,
        quadrants: &[Quadrant],
        terminal: Terminal,
        size: TerminalSize,
    ) -> TextPicture {
        let small = terminal.size(BoardSize::Narrow).without_coordinates();
        let pictures: Vec<TextPicture> = self
            .shown
            .iter()
            .map(|&quadrant| {
                let name = format!("{quadrant} ({})", quadrant::editions(quadrant));
                TextPicture::stacked(&[
                    TextPicture::from_lines(&name),
                    quadrant::text(quadrant, small),
                ])
            })
            .collect();
        let left = TextPicture::stacked(&[
            TextPicture::from_lines("The board so far"),
            small.board(&partial_board(quadrants), None),
            TextPicture::from_lines(" "),
            overview(&free_tiles(quadrants), terminal),
        ]);
        for across in [8, 4, 2, 1] {
            let chooser = in_rows(&pictures, across);
            let both = TextPicture::side_by_side(&[left.clone(), chooser], GAP + 1);
            if size.holds(&both) {
                return both;
            }
        }
        // No room for the board: the quadrants are what the question is about.
        for across in [8, 4, 2, 1] {
            let chooser = in_rows(&pictures, across);
            if size.holds(&chooser) {
                return chooser;
            }
        }
        let tiles = overview(&free_tiles(quadrants), terminal);
        if size.holds(&tiles) {
            tiles
        } else {
            TextPicture::from_lines("")
        }
    }
}

/// How many quadrants fit next to the board, in whole rows of two, four or eight.
fn capacity(size: TerminalSize) -> usize {
    const BOARD: usize = 33;
    const SIDE: (usize, usize) = (17, 10);
    let columns = size.columns.saturating_sub(BOARD + 1);
    let across = columns / (SIDE.0 + GAP);
    let across = [8, 4, 2, 1].into_iter().find(|&it| it <= across);
    across.unwrap_or(0) * (size.rows / SIDE.1)
}

fn in_rows(pictures: &[TextPicture], across: usize) -> TextPicture {
    let rows: Vec<TextPicture> = pictures
        .chunks(across)
        .map(|row| TextPicture::side_by_side(row, GAP))
        .collect();
    TextPicture::stacked(&rows)
}

/// The targets of each tile, by which it is known: they are the same on all of its quadrants.
fn overview(tiles: &[usize], terminal: Terminal) -> TextPicture {
    let tiles: Vec<TextPicture> = tiles
        .iter()
        .filter_map(|&tile| Quadrant::new(tile, 'A'))
        .map(|quadrant| {
            let number = TextPicture::from_lines(&format!("{}:", quadrant.tile()));
            let targets = terminal.legend(&quadrant.board());
            TextPicture::side_by_side(&[number, targets], 1)
        })
        .collect();
    in_rows(&tiles, 2)
}

/// The whole board with the robots that stand on it, as large as there is room for; nothing if
/// there is none.
pub(super) fn board(
    quadrants: &[Quadrant],
    cells: &[Cell],
    terminal: Terminal,
    size: TerminalSize,
) -> TextPicture {
    let board = partial_board(quadrants);
    let robots = State::new(cells);
    let pictures = BoardSize::ALL.map(|size| terminal.size(size).board(&board, robots));
    let fitting = pictures.into_iter().find(|picture| size.holds(picture));
    fitting.unwrap_or_else(|| TextPicture::from_lines(""))
}

/// A picture with words and a question below it. The cursor waits behind the question.
pub(super) fn page(
    size: TerminalSize,
    words: &str,
    question: &str,
    picture: impl FnOnce(TerminalSize) -> TextPicture,
) -> String {
    let picture = picture(above(size, words, question));
    let words = wrap(words, size.columns);
    let question = wrap(question, size.columns);
    format!("{picture:#}{words}{} ", question.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quadrants(text: &str) -> Vec<Quadrant> {
        text.split_whitespace()
            .map(|quadrant| quadrant.parse().unwrap())
            .collect()
    }

    const USUAL: TerminalSize = TerminalSize {
        columns: 80,
        rows: 22,
    };

    #[test]
    fn the_usual_terminal_shows_the_board_and_one_tile_at_a_time() {
        for known in ["", "1A", "1A 4B", "1A 4B 3B"] {
            let known = quadrants(known);
            let mut tile = 0;
            let mut seen = Vec::new();
            for _ in free_tiles(&known) {
                let page = QuadrantsPage::of(&known, tile, USUAL);
                assert_eq!(page.shown.len(), 4);
                for terminal in [Terminal::unicode(), Terminal::ascii()] {
                    let picture = page.picture(&known, terminal, USUAL);
                    assert!(USUAL.holds(&picture), "{picture}");
                    let text = picture.plain();
                    assert!(text.contains("The board so far"), "{text}");
                    for quadrant in &page.shown {
                        assert!(text.contains(&quadrant.to_string()), "{text}");
                    }
                }
                seen.extend(page.shown);
                tile = page.next.unwrap_or(tile);
            }
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), 4 * free_tiles(&known).len(), "pages come round");
        }
    }

    #[test]
    fn a_large_terminal_shows_all_sixteen_at_once() {
        let size = TerminalSize {
            columns: 120,
            rows: 45,
        };
        let page = QuadrantsPage::of(&[], 0, size);
        assert_eq!((page.shown.len(), page.next), (16, None));
        assert!(page.picture(&[], Terminal::unicode(), size).width() > 33);
    }

    #[test]
    fn every_room_gets_what_fits() {
        for columns in (1..200).step_by(7) {
            for rows in 0..60 {
                let size = TerminalSize { columns, rows };
                for known in ["", "2A 1B", "2A 1B 3C"] {
                    let known = quadrants(known);
                    let page = QuadrantsPage::of(&known, 4, size);
                    assert!(!page.shown.is_empty());
                    let picture = page.picture(&known, Terminal::unicode(), size);
                    assert!(size.holds(&picture) || picture.width() == 0, "{size:?}");
                }
                let whole = quadrants("1A 2B 3C 4D");
                let robots = [Cell::new(1, 8)];
                let picture = board(&whole, &robots, Terminal::unicode(), size);
                assert!(size.holds(&picture) || picture.width() == 0, "{size:?}");
            }
        }
    }

    #[test]
    fn the_board_is_as_large_as_there_is_room_for() {
        let whole = quadrants("1A 2B 3C 4D");
        let height = |columns, rows| {
            let size = TerminalSize { columns, rows };
            board(&whole, &[], Terminal::unicode(), size).height()
        };
        assert_eq!(height(80, 40), 34);
        assert_eq!(height(80, 22), 18);
        assert_eq!(height(40, 22), 18, "the narrow one");
        assert_eq!(height(30, 22), 0);
    }
}
