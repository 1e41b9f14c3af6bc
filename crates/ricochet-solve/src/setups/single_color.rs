//! Single colour search (report, 3.3): only the victory robot moves.
//!
//! 'Since the branching factor is small breadth first search can be used for optimal (w.r.t. the
//! limitation of only using one color) solutions.' The move that takes back the last one is cut out.
//! As the other robots stand still, a field that was reached before need not be looked at again
//! (under `must_ricochet`: with the same axes travelled); that is ours, and changes no answer.

use ricochet::{Direction, Move, Puzzle, Robot, State};

use super::{COLOR_DEPTH, Depths, Run};
use crate::registry::{BuildError, Entry, Options};
use crate::{Guarantee, Limits, Observer, Outcome, Solver, Stats};

/// Its line in the registry.
pub(super) const ENTRY: Entry = Entry {
    name: "single-color",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.3",
    summary: "breadth first, only the active robot moves",
    parameters: &[COLOR_DEPTH],
    build: SingleColor::build,
};

/// The solver that moves only the victory robot.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Failure, Limits, Outcome, Silent, Solver, setups::SingleColor};
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(6, 0) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(3, 3)], goal).unwrap();
/// let (outcome, _) = SingleColor::default().solve(&puzzle, &Limits::default(), &mut Silent);
/// // Green would have to help.
/// let Outcome::Failed { failure, .. } = outcome else { panic!() };
/// assert_eq!(failure, Failure::SearchSpaceExhausted);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleColor {
    depths: Depths,
}

impl SingleColor {
    /// For the registry.
    ///
    /// ```
    /// use ricochet_solve::{registry::Options, setups::SingleColor};
    /// let mut options = Options::default();
    /// options.set("color-depth", "12");
    /// assert_eq!(SingleColor::build(&options).unwrap().name(), "single-color");
    /// ```
    ///
    /// # Errors
    /// If `color-depth` is not a number.
    pub fn build(options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        Ok(Box::new(Self {
            depths: Depths::parse(options)?,
        }))
    }
}

impl Solver for SingleColor {
    fn name(&self) -> &'static str {
        "single-color"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Any
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        _: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        Run::solve(puzzle, limits, |run| {
            let mut search = Search::new(puzzle);
            for robot in run.victory_robots() {
                let most = self.depths.color.min(run.shorter_than - 1);
                let found = search.run(puzzle.start(), robot, most);
                run.stats.expanded += search.reached.len() as u64;
                // Each field that was reached is a node.
                for _ in 0..search.reached.len() {
                    run.node()?;
                }
                if found {
                    run.found(&search.path());
                }
            }
            Ok(())
        })
    }
}

/// A field that the victory robot can stop on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) state: State,
    axes: u8,
    parent: u32,
    /// The move that led here; `None` at the start.
    pub(super) step: Option<Move>,
    pub(super) moves: u32,
}

/// The search with its allocations: a setup search runs it thousands of times.
#[derive(Debug)]
pub(super) struct Search<'p> {
    puzzle: &'p Puzzle,
    /// In the order of the search: by number of moves.
    pub(super) reached: Vec<Reached>,
    /// By field, which combinations of axes were reached (one bit each), in which run.
    seen: Vec<(u32, u8)>,
    run: u32,
}

impl<'p> Search<'p> {
    pub(super) fn new(puzzle: &'p Puzzle) -> Self {
        Self {
            puzzle,
            reached: Vec::new(),
            seen: vec![(0, 0); puzzle.board().cell_count()],
            run: 0,
        }
    }

    /// Searches from `state` with at most so many moves of `robot`; whether it arrives. Then it is
    /// the last one that was reached.
    pub(super) fn run(&mut self, state: State, robot: Robot, most_moves: u32) -> bool {
        self.search(state, robot, most_moves, true)
    }

    /// Finds every field that `robot` can stop on within so many moves, the target no end.
    pub(super) fn explore(&mut self, state: State, robot: Robot, most_moves: u32) {
        self.search(state, robot, most_moves, false);
    }

    fn search(
        &mut self,
        state: State,
        robot: Robot,
        most_moves: u32,
        stop_at_target: bool,
    ) -> bool {
        let must_ricochet = self.puzzle.rules().must_ricochet;
        let goal = self.puzzle.goal().cell;
        let board = self.puzzle.board();
        self.run += 1;
        self.reached.clear();
        self.mark(state, robot, 0);
        self.reached.push(Reached {
            state,
            axes: 0,
            parent: 0,
            step: None,
            moves: 0,
        });
        if stop_at_target && state[robot] == goal && !must_ricochet {
            return true;
        }
        let mut at = 0;
        while let Some(&here) = self.reached.get(at) {
            if here.moves >= most_moves {
                return false;
            }
            let back = here.step.map(|step| step.direction.opposite());
            for direction in Direction::ALL {
                if Some(direction) == back {
                    continue;
                }
                let slide =
                    board.slide_with_axes(robot, here.state[robot], direction, here.state.cells());
                let axes = if must_ricochet {
                    here.axes | slide.axes
                } else {
                    0
                };
                let next = here.state.with(robot, slide.end);
                if slide.axes == 0 || !self.mark(next, robot, axes) {
                    continue;
                }
                self.reached.push(Reached {
                    state: next,
                    axes,
                    parent: at as u32,
                    step: Some(Move { robot, direction }),
                    moves: here.moves + 1,
                });
                if stop_at_target && slide.end == goal && (!must_ricochet || axes == 3) {
                    return true;
                }
            }
            at += 1;
        }
        false
    }

    /// Marks a field as reached; whether it is new.
    fn mark(&mut self, state: State, robot: Robot, axes: u8) -> bool {
        let seen = &mut self.seen[self.puzzle.board().index(state[robot])];
        if seen.0 != self.run {
            *seen = (self.run, 0);
        }
        let new = seen.1 >> axes & 1 == 0;
        seen.1 |= 1 << axes;
        new
    }

    /// The moves to the last one that was reached.
    pub(super) fn path(&self) -> Vec<Move> {
        let mut path = Vec::new();
        let mut at = self.reached.len() - 1;
        while let Some(step) = self.reached[at].step {
            path.push(step);
            at = self.reached[at].parent as usize;
        }
        path.reverse();
        path
    }
}
