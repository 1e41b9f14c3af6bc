//! The game as a search sees it: positions, and under `must_ricochet` the axes that each robot that
//! may arrive has travelled along.

pub(crate) mod visited;

use ricochet_core::{Direction, Move, Puzzle, Robot, Solution, State};

/// A position, and for each robot two bits for the axes travelled (always 0 where they do not matter,
/// so that equal states are equal values).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchState {
    pub(crate) state: State,
    pub(crate) axes: u16,
}

/// The rules of one puzzle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game<'p> {
    puzzle: &'p Puzzle,
    /// The robots whose axes matter, as the mask of their two bits.
    tracked: u16,
}

impl<'p> Game<'p> {
    pub(crate) fn new(puzzle: &'p Puzzle) -> Self {
        let tracked = match puzzle.goal().robot {
            _ if !puzzle.rules().must_ricochet => 0,
            Some(active) => 0b11 << (2 * active.index()),
            None => u16::MAX,
        };
        Self { puzzle, tracked }
    }

    pub(crate) fn start(&self) -> SearchState {
        SearchState {
            state: self.puzzle.start(),
            axes: 0,
        }
    }

    /// The state after a move; `None` if the robot does not move, or stops on the target without
    /// the turn that it needs: no solution goes on from there.
    pub(crate) fn step(
        &self,
        search_state: SearchState,
        robot: Robot,
        direction: Direction,
    ) -> Option<SearchState> {
        if self.tracked == 0 {
            let state = self.puzzle.apply(search_state.state, robot, direction)?;
            return Some(SearchState { state, axes: 0 });
        }
        let state = search_state.state;
        let slide =
            self.puzzle
                .board()
                .slide_with_axes(robot, state[robot], direction, state.cells());
        let shift = 2 * robot.index();
        let axes = search_state.axes | (u16::from(slide.axes) << shift & self.tracked);
        let is_tracked = self.tracked >> shift & 1 != 0;
        let arrives = is_tracked && slide.end == self.puzzle.goal().cell;
        (slide.axes != 0 && (!arrives || axes >> shift & 3 == 3)).then(|| SearchState {
            state: state.with(robot, slide.end),
            axes,
        })
    }

    /// Whether the goal is reached.
    pub(crate) fn is_over(&self, search_state: SearchState) -> bool {
        if self.tracked == 0 {
            return self.puzzle.is_on_target(search_state.state);
        }
        let goal = self.puzzle.goal();
        search_state.state.iter().any(|(robot, cell)| {
            cell == goal.cell && (self.tracked & search_state.axes) >> (2 * robot.index()) & 3 == 3
        })
    }
}

/// A move in one byte, for tables of parents.
pub(crate) const fn pack_move(robot: Robot, direction: Direction) -> u8 {
    (robot.index() * 4 + direction.index()) as u8
}

/// The inverse of [`pack_move`].
pub(crate) fn unpack_move(packed: u8) -> Move {
    Move {
        robot: Robot::new(usize::from(packed / 4)).expect("packed from a robot"),
        direction: Direction::from_index(usize::from(packed)),
    }
}

/// The solution with these moves, replayed cell by cell.
///
/// # Panics
/// If it does not solve the puzzle: a solver that finds such a thing is wrong, and an answer from
/// it would be worse than none.
pub(crate) fn replayed(puzzle: &Puzzle, moves: Vec<Move>) -> Solution {
    let solution = Solution::new(moves);
    if let Err(error) = solution.replay(puzzle) {
        panic!("a solver found '{solution}', which is not a solution: {error}");
    }
    solution
}
