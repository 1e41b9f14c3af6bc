//! Turning and mirroring a board changes nothing but the names of cells and directions.

use ricochet_core::quadrants::Edition;
use ricochet_core::rng::Rng;
use ricochet_core::{Cell, Direction, Puzzle, State, Symmetry};

use super::{dense_board, random_cells, random_puzzle};

fn image_of_state(puzzle: &Puzzle, symmetry: Symmetry, state: State) -> State {
    let (width, height) = (puzzle.board().width(), puzzle.board().height());
    let cells: Vec<Cell> = (state.cells().iter())
        .map(|&cell| symmetry.cell(cell, width, height))
        .collect();
    State::new(&cells).unwrap()
}

#[test]
fn moves_commute_with_symmetries() {
    for number in 0..120 {
        let puzzle = random_puzzle(number);
        for symmetry in Symmetry::ALL {
            let image = puzzle.transformed(symmetry);
            let mut rng = Rng::new(number);
            let mut state = puzzle.start();
            assert_eq!(image.start(), image_of_state(&puzzle, symmetry, state));
            for _ in 0..20 {
                for robot in state.robots() {
                    for direction in Direction::ALL {
                        let here = puzzle.apply(state, robot, direction);
                        let there = image.apply(
                            image_of_state(&puzzle, symmetry, state),
                            robot,
                            symmetry.direction(direction),
                        );
                        let expected = here.map(|next| image_of_state(&puzzle, symmetry, next));
                        assert_eq!(there, expected);
                    }
                }
                assert_eq!(
                    puzzle.is_solved(state),
                    image.is_solved(image_of_state(&puzzle, symmetry, state))
                );
                let robots: Vec<_> = state.robots().collect();
                let robot = *rng.choose(&robots).unwrap();
                let direction = Direction::from_index(rng.below(4));
                state = puzzle.apply(state, robot, direction).unwrap_or(state);
            }
        }
    }
}

#[test]
fn slides_commute_on_boards_full_of_diagonals() {
    let mut rng = Rng::new(9);
    for number in 0..150 {
        let board = dense_board(number);
        let (width, height) = (board.width(), board.height());
        let robots = random_cells(&board, 3, &mut rng);
        for symmetry in Symmetry::ALL {
            let image = board.transformed(symmetry);
            let there = |cell| symmetry.cell(cell, width, height);
            let crowd: Vec<Cell> = robots.iter().map(|&cell| there(cell)).collect();
            for from in board.cells().filter(|&cell| !board.is_closed(cell)) {
                for (robot, direction) in ricochet_core::Robot::ALL[..5]
                    .iter()
                    .flat_map(|robot| Direction::ALL.map(|direction| (*robot, direction)))
                {
                    let end = board.slide(robot, from, direction, &robots);
                    let way = symmetry.direction(direction);
                    assert_eq!(image.slide(robot, there(from), way, &crowd), there(end));
                }
            }
        }
    }
}

#[test]
fn a_turn_and_a_mirroring_undo_themselves() {
    let mut puzzles: Vec<Puzzle> = (0..60).map(random_puzzle).collect();
    let official = ricochet_core::generate::Recipe::official(Edition::Of2013);
    puzzles.extend(official.generator(4).take(40).map(Result::unwrap));
    let [turn, mirroring] = [Symmetry::ALL[1], Symmetry::ALL[4]];
    for puzzle in puzzles {
        let mut turned = puzzle.clone();
        for quarter in 1..=4 {
            turned = turned.transformed(turn);
            assert_eq!(turned, puzzle.transformed(Symmetry::ALL[quarter % 4]));
        }
        let mirrored = puzzle.transformed(mirroring);
        assert_eq!(mirrored.transformed(mirroring), puzzle);
        assert_eq!(
            mirrored.transformed(turn),
            puzzle.transformed(Symmetry::ALL[5])
        );
    }
}
