//! The slides' minimum-moves map (*Solver Algorithms*, 'Pre-computing Stuff?'; thesis, 'IDDFS',
//! `min[i,j]`): how many moves a robot needs at least from each cell to the target, if it could
//! stop anywhere on its way, as if another robot were always in the ideal place.
//!
//! The map is *admissible*: a real slide ends on one of the cells that it passes, so a real
//! solution is also a sequence of such free moves. It is *consistent*: one move changes it by at
//! most 1, up or down, since a free move can be taken back, round diagonals too.
//!
//! Diagonals turn robots of other colours, so the map belongs to one robot. It is found from the
//! target backwards: who entered a cell heading `h` was on the cell before, and had there either
//! started heading `h` or, if a diagonal of another colour stands there, been turned into `h`.
//! A move that would never end in a ring of diagonals may be stopped by a robot, so every cell of
//! the ring counts.

use ricochet_core::{Board, Cell, Direction, Puzzle, Robot, State};

/// The fewest moves with free stops from every cell of a board to one target, for one robot.
///
/// ```
/// use ricochet_core::{Board, Cell, Robot};
/// use ricochet_solve::heuristics::bound::MinMoves;
/// let board = Board::builder(8, 8).build().unwrap();
/// let map = MinMoves::new(&board, Robot::RED, Cell::new(3, 3));
/// assert_eq!(map.get(Cell::new(3, 3)), Some(0));
/// assert_eq!(map.get(Cell::new(3, 7)), Some(1));
/// assert_eq!(map.get(Cell::new(0, 0)), Some(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinMoves {
    width: usize,
    moves: Vec<u16>,
}

impl MinMoves {
    /// What [`MinMoves::by_index`] says of a cell from which the target cannot be reached whatever
    /// the other robots do.
    pub const UNREACHABLE: u16 = u16::MAX;

    /// Computes the map, breadth first from the target.
    pub fn new(board: &Board, robot: Robot, target: Cell) -> Self {
        let mut map = Self {
            width: board.width(),
            moves: vec![Self::UNREACHABLE; board.cell_count()],
        };
        map.moves[board.index(target)] = 0;
        let mut queue = Vec::with_capacity(board.cell_count());
        queue.push(target);
        let mut head = 0;
        while let Some(&cell) = queue.get(head) {
            head += 1;
            let moves = map.moves[board.index(cell)] + 1;
            for heading in Direction::ALL {
                walk_back(board, robot, cell, heading, |from| {
                    let known = &mut map.moves[board.index(from)];
                    if *known == Self::UNREACHABLE {
                        *known = moves;
                        queue.push(from);
                    }
                });
            }
        }
        map
    }

    /// The fewest moves from a cell; `None` if the target cannot be reached from there, or if the
    /// cell is not on the board.
    pub fn get(&self, cell: Cell) -> Option<u32> {
        let x = usize::from(cell.x);
        let index = usize::from(cell.y) * self.width + x;
        let &moves = (x < self.width).then(|| self.moves.get(index)).flatten()?;
        (moves != Self::UNREACHABLE).then_some(u32::from(moves))
    }

    /// The map by [`Board::index`]; [`MinMoves::UNREACHABLE`] where there is no way.
    pub fn by_index(&self) -> &[u16] {
        &self.moves
    }
}

/// Visits every cell from which one free move of `robot` can enter `cell` with `heading`.
pub(crate) fn walk_back(
    board: &Board,
    robot: Robot,
    cell: Cell,
    heading: Direction,
    mut visit: impl FnMut(Cell),
) {
    let (mut at, mut entered) = (cell, heading);
    loop {
        let back = entered.opposite();
        if board.has_wall(at, back) {
            return;
        }
        at = at.step(back).expect("the rim has walls");
        visit(at);
        if let Some(diagonal) = board.diagonal(at)
            && diagonal.color != robot
        {
            // A diagonal is a mirror: what leaves by `back` came in against what `back` turns into.
            entered = diagonal.lean.deflect(back).opposite();
        }
        if (at, entered) == (cell, heading) {
            return; // a ring
        }
    }
}

/// The lower bound of a whole puzzle: the map of the active robot or, for an any-robot goal, the
/// least of all robots' maps.
///
/// The rule `must_ricochet` only makes solutions longer, so the bound holds under it as well.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::heuristics::bound::Bound;
/// let board = Board::builder(8, 8).build().unwrap();
/// let robots = [Cell::new(0, 0), Cell::new(3, 1)];
/// let goal = Goal { robot: None, cell: Cell::new(3, 3) };
/// let puzzle = Puzzle::new(board, &robots, goal).unwrap();
/// let bound = Bound::new(&puzzle);
/// assert_eq!(bound.of_robot(Robot::RED, robots[0]), Some(2));
/// assert_eq!(bound.of_state(puzzle.start()), Some(1));
/// ```
#[derive(Clone, Debug)]
pub struct Bound {
    /// One for each robot that may arrive; robots that share a map share an entry.
    maps: Vec<MinMoves>,
    /// Robot index -> index in `maps`.
    map_of: [Option<u8>; ricochet_core::MAX_ROBOTS],
}

impl Bound {
    /// Computes the maps of all robots that may arrive.
    pub fn new(puzzle: &Puzzle) -> Self {
        let board = puzzle.board();
        let goal = puzzle.goal();
        let mut bound = Self {
            maps: Vec::new(),
            map_of: [None; ricochet_core::MAX_ROBOTS],
        };
        let mut shared = None;
        for robot in puzzle.start().robots() {
            if goal.robot.is_some_and(|active| active != robot) {
                continue;
            }
            // Robots without a diagonal of their colour see the same board.
            let own = board.diagonals().iter().any(|d| d.color == robot);
            let index = match shared {
                Some(index) if !own => index,
                _ => {
                    bound.maps.push(MinMoves::new(board, robot, goal.cell));
                    bound.maps.len() as u8 - 1
                }
            };
            if !own {
                shared = Some(index);
            }
            bound.map_of[robot.index()] = Some(index);
        }
        bound
    }

    /// The map of a robot that may arrive; `None` for the others.
    pub fn map(&self, robot: Robot) -> Option<&MinMoves> {
        self.map_of[robot.index()].map(|index| &self.maps[usize::from(index)])
    }

    /// At least this many moves are needed for this robot to arrive from `cell`; `None` if it never
    /// can, or may not.
    pub fn of_robot(&self, robot: Robot, cell: Cell) -> Option<u32> {
        self.map(robot)?.get(cell)
    }

    /// At least this many moves are needed from a state; `None` if it cannot be solved.
    pub fn of_state(&self, state: State) -> Option<u32> {
        state
            .iter()
            .filter_map(|(robot, cell)| self.of_robot(robot, cell))
            .min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ricochet_core::{Lean, slide_slowly};

    /// The map by repeated relaxation over forward slides, cell by cell: slow and obvious.
    fn oracle(board: &Board, robot: Robot, target: Cell) -> Vec<u16> {
        let mut map = vec![MinMoves::UNREACHABLE; board.cell_count()];
        map[board.index(target)] = 0;
        loop {
            let mut changed = false;
            for cell in board.cells() {
                for direction in Direction::ALL {
                    for (stop, _) in slide_slowly(board, robot, cell, direction, &[]).path {
                        let moves = map[board.index(stop)].saturating_add(1);
                        if moves < map[board.index(cell)] {
                            map[board.index(cell)] = moves;
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return map;
            }
        }
    }

    #[test]
    fn equals_the_oracle_on_boards_with_walls_diagonals_and_rings() {
        let mut seed = 1u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        for round in 0..60 {
            let (width, height) = (2 + random(9), 2 + random(9));
            let cell = |random: &mut dyn FnMut(u32) -> u32| {
                Cell::new(random(width) as u8, random(height) as u8)
            };
            let mut builder = Board::builder(width as usize, height as usize);
            for _ in 0..random(width * height / 3 + 1) {
                let at = cell(&mut random);
                builder.add_wall(at, Direction::from_index(random(4) as usize));
            }
            let mut used = Vec::new();
            for _ in 0..(round % 3) * 4 {
                let at = cell(&mut random);
                let closed = Direction::ALL.iter().all(|&d| builder.has_wall(at, d));
                if used.contains(&at) || closed {
                    continue;
                }
                used.push(at);
                let lean = [Lean::Slash, Lean::Backslash][random(2) as usize];
                let color = Robot::new(random(2) as usize).unwrap();
                builder = builder.diagonal(at, lean, color);
            }
            let board = builder.build().unwrap();
            for robot in [Robot::RED, Robot::BLUE] {
                let target = cell(&mut random);
                let map = MinMoves::new(&board, robot, target);
                assert_eq!(map.by_index(), oracle(&board, robot, target), "{board:?}");
            }
        }
    }

    #[test]
    fn a_ring_of_diagonals_is_walked_once() {
        let board = Board::builder(4, 4)
            .diagonal(Cell::new(1, 1), Lean::Slash, Robot::BLUE)
            .diagonal(Cell::new(2, 1), Lean::Backslash, Robot::BLUE)
            .diagonal(Cell::new(1, 2), Lean::Backslash, Robot::BLUE)
            .diagonal(Cell::new(2, 2), Lean::Slash, Robot::BLUE)
            .build()
            .unwrap();
        let map = MinMoves::new(&board, Robot::RED, Cell::new(1, 1));
        assert_eq!(map.by_index(), oracle(&board, Robot::RED, Cell::new(1, 1)));
        assert_eq!(map.get(Cell::new(2, 2)), Some(1));
    }

    #[test]
    fn off_the_board_is_unreachable() {
        let board = Board::builder(4, 3).close(Cell::new(3, 2)).build().unwrap();
        let map = MinMoves::new(&board, Robot::RED, Cell::new(0, 0));
        assert_eq!(map.get(Cell::new(4, 0)), None);
        assert_eq!(map.get(Cell::new(0, 3)), None);
        assert_eq!(map.get(Cell::new(3, 2)), None);
    }
}
