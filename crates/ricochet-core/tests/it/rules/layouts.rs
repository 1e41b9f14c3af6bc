//! The official boards: all of them, and those of the corpus.

use std::collections::{BTreeSet, HashMap, HashSet};

use ricochet_core::quadrants::{Edition, Layout, Quadrant};
use ricochet_core::{Cell, Robot, Shape, Symmetry};

#[test]
fn every_layout_has_the_printed_targets_and_is_found_again() {
    for (edition, count) in [(Edition::Of1999, 96), (Edition::Of2013, 1536)] {
        let layouts = edition.layouts();
        assert_eq!(layouts.len(), count);
        let mut boards = HashSet::new();
        for &layout in &layouts {
            let board = layout.board();
            assert!(boards.insert((board.walls().to_vec(), board.diagonals().to_vec())));
            assert_eq!(Layout::from_board(&board), Some(layout));
            assert_eq!(layout.to_string().parse(), Ok(layout));
            assert_eq!(layout.canonical(), layout);
            // Each colour in each of four shapes, and the vortex.
            let targets: BTreeSet<(Option<Robot>, Shape)> = (board.targets().iter())
                .map(|target| (target.robot, target.shape))
                .collect();
            let expected: BTreeSet<(Option<Robot>, Shape)> = Robot::ALL[..4]
                .iter()
                .flat_map(|&robot| Shape::ALL[..4].iter().map(move |&s| (Some(robot), s)))
                .chain([(None, Shape::Vortex)])
                .collect();
            assert_eq!(targets, expected, "{layout}");
            let of_one_robot = board.targets().iter().filter(|t| t.robot.is_some());
            assert_eq!((board.targets().len(), of_one_robot.count()), (17, 16));
            let faces_with_diagonals = layout
                .quadrants()
                .iter()
                .filter(|s| s.face() == 'D')
                .count();
            assert_eq!(board.diagonals().is_empty(), faces_with_diagonals == 0);
            let closed: Vec<Cell> = board
                .cells()
                .filter(|&cell| board.is_closed(cell))
                .collect();
            assert_eq!(
                closed,
                [(7, 7), (8, 7), (7, 8), (8, 8)].map(|(x, y)| Cell::new(x, y))
            );
        }
    }
}

#[test]
fn a_turned_layout_is_the_turned_board_and_a_mirrored_one_is_none() {
    for layout in Edition::Of2013.layouts().into_iter().step_by(11) {
        let [a, b, c, d] = layout.quadrants();
        // A quarter turn clockwise brings the south-west tile to the north-west.
        let turned = Layout::new([d, a, b, c]).unwrap();
        let board = layout.board();
        assert_eq!(turned.board(), board.transformed(Symmetry::ALL[1]));
        assert_eq!(turned.canonical(), layout);
        let mirrored = board.transformed(Symmetry::ALL[4]);
        assert_eq!(Layout::from_board(&mirrored), None);
    }
}

#[test]
fn a_changed_wall_makes_it_another_board() {
    let board = "1A 4B 3B 2B".parse::<Layout>().unwrap().board();
    for index in 0..256 {
        let cell = board.cell(index);
        for side in [
            ricochet_core::Direction::East,
            ricochet_core::Direction::South,
        ] {
            let next = cell.step(side).filter(|&next| board.contains(next));
            let Some(next) = next else { continue };
            let mut walls = board.walls().to_vec();
            walls[index] ^= side.wall_bit();
            walls[board.index(next)] ^= side.opposite().wall_bit();
            if let Ok(changed) = ricochet_core::Board::from_parts(16, 16, &walls, vec![], vec![]) {
                assert_eq!(Layout::from_board(&changed), None, "{cell} {side}");
            }
        }
    }
}

#[test]
fn names_that_are_none_are_told_why() {
    for (text, expected) in [
        ("1A 4B 3B", "expected four quadrants"),
        ("1A 4B 3B 2B 1A", "expected four quadrants"),
        ("1A 4B 3B 1B", "quadrant 1 is used twice"),
        ("1A 4B 3B 5B", "expected a number 1 to 4"),
        ("1A 4B 3B 2E", "a letter A to D"),
        ("", "expected four quadrants"),
        ("ä€1A4B3B", "is not a quadrant"),
    ] {
        let error = text.parse::<Layout>().unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    assert_eq!(Quadrant::new(0, 'A'), None);
    assert_eq!(Quadrant::new(5, 'A'), None);
    assert_eq!(Quadrant::new(1, 'E'), None);
}

/// The corpus leaves the diagonals of D quadrants out, as the tools that its puzzles come from do.
#[cfg(feature = "formats")]
#[test]
fn the_corpus_is_played_on_official_boards() {
    let files = [
        include_str!("../../../../../corpus/official/random.jsonl"),
        include_str!("../../../../../corpus/official/hard.jsonl"),
        include_str!("../../../../../corpus/records/records.jsonl"),
    ];
    let official: HashMap<Vec<u8>, Layout> = (Edition::Of2013.layouts().into_iter())
        .map(|layout| (layout.board().walls().to_vec(), layout))
        .collect();
    assert_eq!(
        official.len(),
        1536,
        "the walls alone tell the layouts apart"
    );
    let mut met = HashSet::new();
    for setup in files
        .into_iter()
        .flat_map(|file| ricochet_core::formats::read(file).unwrap())
    {
        let puzzle = setup.validate().unwrap();
        let id = puzzle.id().unwrap_or_default().to_owned();
        let found = Symmetry::ALL[..4].iter().find_map(|&turn| {
            let turned = puzzle.transformed(turn);
            Some((official.get(turned.board().walls())?, turned.goal()))
        });
        if id == "slides-22" {
            // The slides' board is one of 1999 without the vortex and its corner.
            assert!(found.is_none());
            continue;
        }
        let (layout, goal) = found.unwrap_or_else(|| panic!("{id} is on no official board"));
        let board = layout.board();
        let printed = board.targets().iter().any(|t| t.cell == goal.cell);
        assert!(printed, "{id}: no target is printed there");
        met.insert(layout);
    }
    assert!(met.len() > 300, "{} layouts", met.len());
}
