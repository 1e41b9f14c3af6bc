//! Fast slides against [`slide_slowly`]: every cell, direction and colour of many boards.

use ricochet_core::quadrants::Edition;
use ricochet_core::rng::Rng;
use ricochet_core::{Board, Cell, Direction, Obstacle, Robot, slide_slowly};

use super::{dense_board, random_cells, random_puzzle};

/// What was met, so that the tests can show that they met everything.
#[derive(Debug, Default)]
struct Met {
    slides: u64,
    rings: u64,
    /// Moves that lead back to where they began.
    loops: u64,
    stops_on_diagonals: u64,
    turns: u64,
    blocked_by_robots: u64,
    blocked_by_own_place: u64,
}

impl Met {
    /// Compares all slides of all colours from all cells, with these other robots on the board.
    fn compare(&mut self, board: &Board, others: &[Cell]) {
        // A colour without diagonals stands for all such colours.
        let colors = Robot::ALL.into_iter().filter(|&robot| {
            robot == Robot::CYAN || board.diagonals().iter().any(|d| d.color == robot)
        });
        for robot in colors {
            for from in board.cells().filter(|&cell| !board.is_closed(cell)) {
                if others.contains(&from) {
                    continue;
                }
                let with_mover: Vec<Cell> = others.iter().copied().chain([from]).collect();
                for direction in Direction::ALL {
                    self.compare_one(board, robot, from, direction, others);
                    self.compare_one(board, robot, from, direction, &with_mover);
                }
            }
        }
    }

    fn compare_one(
        &mut self,
        board: &Board,
        robot: Robot,
        from: Cell,
        direction: Direction,
        robots: &[Cell],
    ) {
        let slow = slide_slowly(board, robot, from, direction, robots);
        let last = slow.path.last().map_or(from, |&(cell, _)| cell);
        let moves = last != from && slow.obstacle != Obstacle::Nothing;
        let mut axes = 0;
        if moves {
            for (_, heading) in &slow.path {
                axes |= if heading.is_horizontal() { 1 } else { 2 };
            }
        }
        let fast = board.slide_with_axes(robot, from, direction, robots);
        let expected = if moves { last } else { from };
        let context = || format!("{robot} from {from} {direction}, robots {robots:?}, {board:?}");
        assert_eq!((fast.end, fast.axes), (expected, axes), "{}", context());
        let end = board.slide(robot, from, direction, robots);
        assert_eq!(end, expected, "{}", context());

        self.slides += 1;
        self.turns += u64::from(axes == 3);
        self.stops_on_diagonals += u64::from(moves && board.diagonal(last).is_some());
        match slow.obstacle {
            Obstacle::Nothing => self.rings += 1,
            Obstacle::Robot(_) => self.blocked_by_robots += 1,
            Obstacle::Wall | Obstacle::Rim => {}
        }
        if slow.obstacle != Obstacle::Nothing && last == from && !slow.path.is_empty() {
            self.loops += 1;
        }
        let own_place = slow.path.iter().filter(|(cell, _)| *cell == from).count();
        self.blocked_by_own_place += u64::from(own_place > 0 && moves);
    }
}

#[test]
fn official_layouts() {
    let mut met = Met::default();
    let mut rng = Rng::new(1);
    let some_of_2013 = Edition::Of2013.layouts().into_iter().skip(5).step_by(23);
    for layout in Edition::Of1999.layouts().into_iter().chain(some_of_2013) {
        let board = layout.board();
        met.compare(&board, &[]);
        met.compare(&board, &random_cells(&board, 3, &mut rng));
        met.compare(&board, &random_cells(&board, 40, &mut rng));
    }
    assert!(met.slides > 1_000_000 && met.turns > 10_000, "{met:?}");
    assert!(met.stops_on_diagonals > 100, "{met:?}");
    assert!(met.blocked_by_robots > 100_000, "{met:?}");
}

#[test]
fn generated_boards() {
    let mut met = Met::default();
    let mut rng = Rng::new(2);
    for number in 0..150 {
        let puzzle = random_puzzle(number);
        met.compare(puzzle.board(), &puzzle.start().cells()[1..]);
        let crowd = random_cells(puzzle.board(), rng.below(30), &mut rng);
        met.compare(puzzle.board(), &crowd);
    }
    assert!(
        met.turns > 10_000 && met.blocked_by_robots > 10_000,
        "{met:?}"
    );
}

#[test]
fn boards_full_of_diagonals() {
    let mut met = Met::default();
    let mut rng = Rng::new(3);
    for number in 0..1500 {
        let board = dense_board(number);
        met.compare(&board, &[]);
        let crowd = random_cells(&board, 1 + rng.below(6), &mut rng);
        met.compare(&board, &crowd);
    }
    assert!(met.rings > 1000, "robots that never stop: {met:?}");
    assert!(met.loops > 100, "moves that end where they began: {met:?}");
    assert!(met.stops_on_diagonals > 10_000, "{met:?}");
    assert!(
        met.blocked_by_own_place > 100,
        "the mover's own cell is free: {met:?}"
    );
}

/// Four diagonals in a square: whoever goes in has come out of it, so it is a ring only from within.
#[test]
fn the_smallest_ring() {
    use ricochet_core::Lean::{Backslash, Slash};
    let board = Board::builder(4, 4)
        .diagonal(Cell::new(1, 1), Slash, Robot::GREEN)
        .diagonal(Cell::new(2, 1), Backslash, Robot::GREEN)
        .diagonal(Cell::new(1, 2), Backslash, Robot::GREEN)
        .diagonal(Cell::new(2, 2), Slash, Robot::GREEN)
        .build()
        .unwrap();
    let inside = Cell::new(1, 1);
    for direction in [Direction::East, Direction::South] {
        let slow = slide_slowly(&board, Robot::RED, inside, direction, &[]);
        assert_eq!(slow.obstacle, Obstacle::Nothing);
        assert_eq!(board.slide(Robot::RED, inside, direction, &[]), inside);
    }
    // The green robot passes; and the red one gets out where it is not turned.
    let green = board.slide(Robot::GREEN, inside, Direction::East, &[]);
    assert_eq!(green, Cell::new(3, 1));
    assert_eq!(
        board.slide(Robot::RED, inside, Direction::North, &[]),
        Cell::new(1, 0)
    );
    // A robot in the ring's way ends it.
    let stopped = board.slide(Robot::RED, inside, Direction::East, &[Cell::new(2, 2)]);
    assert_eq!(stopped, Cell::new(2, 1));
}
