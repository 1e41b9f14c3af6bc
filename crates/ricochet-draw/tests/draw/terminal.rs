//! What the terminal shows, pinned.

use std::fmt::Write as _;

use crate::support::{everything, official, place, slides_puzzle, slides_solution, wander};
use ricochet_core::quadrants::Edition;
use ricochet_core::{Board, Cell, Goal, Puzzle, Robot, Trace, notation};
use ricochet_draw::{BoardSize, Overlay, Terminal, TextPicture, quadrant};

fn solution_text(terminal: Terminal, puzzle: &Puzzle, trace: &Trace) -> String {
    let mut text = String::new();
    for panel in terminal.solution(puzzle, trace) {
        let picture = panel.picture.plain();
        writeln!(text, "moves {} to {}\n{picture}", panel.first, panel.last).unwrap();
    }
    text
}

#[test]
fn every_kind_of_thing() {
    insta::assert_snapshot!("everything", Terminal::unicode().puzzle(&everything()));
    insta::assert_snapshot!("everything_ascii", Terminal::ascii().puzzle(&everything()));
    insta::assert_snapshot!(
        "everything_ansi",
        Terminal::unicode()
            .puzzle(&everything())
            .ansi()
            .escape_debug()
    );
}

#[test]
fn the_slides_solution() {
    let puzzle = slides_puzzle();
    let trace = slides_solution().replay(&puzzle).unwrap();
    insta::assert_snapshot!(
        "slides",
        solution_text(Terminal::unicode(), &puzzle, &trace)
    );
    insta::assert_snapshot!(
        "slides_ascii",
        solution_text(Terminal::ascii(), &puzzle, &trace)
    );
    insta::assert_snapshot!("slides_steps", Terminal::unicode().steps(&trace));
}

#[test]
fn a_way_over_diagonals() {
    let puzzle = official("1D 4D 3D 2D", 5, 3);
    let trace = wander(&puzzle, 7, 5);
    insta::assert_snapshot!(
        "diagonals",
        solution_text(Terminal::unicode(), &puzzle, &trace)
    );
}

#[test]
fn an_overlay() {
    let puzzle = everything();
    let overlay = Overlay::new("product", puzzle.board(), |cell| {
        (cell.x != 1).then(|| u32::from(cell.x) * u32::from(cell.y) * 100)
    });
    insta::assert_snapshot!("overlay", Terminal::unicode().overlay(&puzzle, &overlay));
}

/// Everything that a terminal draws of a puzzle.
fn drawings(terminal: Terminal, puzzle: &Puzzle) -> Vec<TextPicture> {
    let board = puzzle.board();
    let overlay = Overlay::new("product", board, |cell| {
        Some(u32::from(cell.x) * u32::from(cell.y) * 150)
    });
    let trace = wander(puzzle, 9, 1);
    let mut drawings = vec![
        terminal.board(board, None),
        terminal.board(board, Some(puzzle.start())),
        terminal.puzzle(puzzle),
        terminal.overlay(puzzle, &overlay),
        terminal.legend(board),
    ];
    let panels = terminal.solution(puzzle, &trace);
    drawings.extend(panels.into_iter().map(|panel| panel.picture));
    drawings
}

#[test]
fn ascii_draws_every_size_with_ascii_characters_only() {
    let two_diagonals = official("1D 4D 3D 2D", 5, 3);
    let goal_above_wall = notation::parse_line("1A4B3B2B.18c1f0c0.G6e").unwrap();
    for puzzle in [
        everything(),
        two_diagonals,
        goal_above_wall.validate().unwrap(),
    ] {
        for size in BoardSize::ALL {
            let ascii = drawings(Terminal::ascii().size(size), &puzzle);
            let unicode = drawings(Terminal::unicode().size(size), &puzzle);
            assert_eq!(ascii.len(), unicode.len());
            for (ascii, unicode) in ascii.iter().zip(&unicode) {
                assert!(ascii.plain().is_ascii(), "{size:?}\n{ascii}");
                assert!(!unicode.plain().is_ascii(), "{size:?}\n{unicode}");
                let size = |picture: &TextPicture| (picture.width(), picture.height());
                assert_eq!(size(ascii), size(unicode), "{ascii}{unicode}");
            }
        }
        let trace = wander(&puzzle, 9, 1);
        assert!(Terminal::ascii().steps(&trace).plain().is_ascii());
    }
}

#[test]
fn all_official_boards_have_their_size() {
    for layout in Edition::Of2013.layouts() {
        let picture = Terminal::unicode().board(&layout.board(), None);
        assert_eq!((picture.width(), picture.height()), (68, 34));
    }
}

#[test]
fn a_legend_lists_targets_in_the_order_of_their_robots() {
    let side: ricochet_core::quadrants::Quadrant = "4A".parse().unwrap();
    let legend = Terminal::ascii().legend(&side.board());
    assert_eq!(legend.plain(), "r* g= bo y^ @\n");
}

#[test]
fn a_quadrant_is_the_corner_of_its_board_in_every_size() {
    for side in quadrant::all() {
        for size in BoardSize::ALL {
            let terminal = Terminal::unicode().size(size).without_coordinates();
            let whole = terminal.board(&side.board(), None).plain();
            let picture = quadrant::text(side, terminal);
            assert_eq!(picture.height(), whole.lines().count() / 2 + 1);
            for (line, whole) in picture.plain().lines().zip(whole.lines()) {
                assert!(whole.starts_with(line), "{side} {size:?}: {line}");
            }
        }
    }
}

#[test]
fn every_move_gets_its_number_once() {
    for (i, layout) in Edition::Of2013
        .layouts()
        .into_iter()
        .step_by(61)
        .enumerate()
    {
        let puzzle = place(layout.board(), 1 + i % 8, i % 17);
        let trace = wander(&puzzle, 25, i as u64);
        let panels = Terminal::ascii()
            .without_coordinates()
            .solution(&puzzle, &trace);
        let mut next = 1;
        for panel in &panels {
            assert_eq!(panel.first, next, "panels follow each other");
            next = panel.last + 1;
            let text = panel.picture.plain();
            for number in panel.first..=panel.last {
                let found = text
                    .split(|c: char| !c.is_ascii_digit())
                    .filter(|word| *word == number.to_string())
                    .count();
                assert_eq!(found, 1, "move {number} of {layout}\n{text}");
            }
        }
        assert_eq!(next, trace.steps.len() + 1);
    }
}

#[test]
fn the_smallest_and_the_largest_board() {
    for (side, robots) in [(2, 4), (32, 8)] {
        let board = Board::builder(side, side).build().unwrap();
        let goal = Goal {
            robot: None,
            cell: Cell::new(side as u8 - 1, side as u8 - 1),
        };
        let cells: Vec<Cell> = board.cells().take(robots).collect();
        let puzzle = Puzzle::new(board, &cells, goal).unwrap();
        let text = Terminal::unicode().puzzle(&puzzle).plain();
        for robot in Robot::ALL.into_iter().take(robots) {
            assert!(text.contains(robot.letter()));
        }
    }
}
