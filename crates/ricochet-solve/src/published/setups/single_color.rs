//! Single colour search (report, 3.3): only the victory robot moves.
//!
//! 'Since the branching factor is small breadth first search can be used for optimal (w.r.t. the
//! limitation of only using one color) solutions.' The move that takes back the last one is cut out,
//! unless there are diagonals: after a turn, the opposite move goes another way.
//! As the other robots stand still, a field that was reached before need not be looked at again
//! (under `must_ricochet`: with the same axes travelled); that is ours, and changes no answer.

use ricochet_core::{Direction, Move, Puzzle, Robot, State};

use super::Run;
use super::setup_search::{COLOR_DEPTH, Depths, SetupSolver};
use crate::registry::SolverInfo;
use crate::trace::{EventKind, NodeId, Recorder};
use crate::{Guarantee, Limit};

/// Section 3.3 in the registry.
pub const SINGLE_COLOR: SolverInfo = SolverInfo {
    name: "single-color",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.3",
    summary: "breadth first, only the active robot moves",
    parameters: &[COLOR_DEPTH],
    build: |options| SetupSolver::single_color().build(options),
};

/// Moves only the victory robot.
pub(super) fn search(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    let mut single_color = SingleColorSearch::new(run.puzzle);
    for robot in run.victory_robots() {
        let most = depths.color.min(run.shorter_than - 1);
        let found = single_color.run(run.puzzle.start(), robot, most);
        let root = run
            .watch
            .trace(|recorder| recorder.root(EventKind::Root, None));
        let last = run
            .watch
            .trace(|recorder| single_color.trace(recorder, root, 0));
        run.stats.expanded += single_color.reached.len() as u64;
        // Each field that was reached is a node. They were looked at together, so the limits are
        // checked afterwards.
        run.stats.nodes += single_color.reached.len() as u64;
        run.meter.tick(run.stats.nodes)?;
        if found {
            run.record(&single_color.path(), last);
        }
    }
    Ok(())
}

/// A field that the victory robot can stop on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReachedField {
    pub(super) state: State,
    axes: u8,
    parent: u32,
    /// The move that led here; `None` at the start.
    pub(super) step: Option<Move>,
    pub(super) moves: u32,
}

/// The search with its allocations: a setup search runs it thousands of times.
#[derive(Debug)]
pub(super) struct SingleColorSearch<'p> {
    puzzle: &'p Puzzle,
    /// In the order of the search: by number of moves.
    pub(super) reached: Vec<ReachedField>,
    /// By field, which combinations of axes were reached (one bit each), in which run.
    seen: Vec<(u32, u8)>,
    run: u32,
}

impl<'p> SingleColorSearch<'p> {
    pub(super) fn new(puzzle: &'p Puzzle) -> Self {
        Self {
            puzzle,
            reached: Vec::new(),
            seen: vec![(0, 0); puzzle.board().cell_count()],
            run: 0,
        }
    }

    /// Searches from `state` with at most `most_moves` moves of `robot`, and returns whether it
    /// arrives. The target is then the last of [`SingleColorSearch::reached`].
    pub(super) fn run(&mut self, state: State, robot: Robot, most_moves: u32) -> bool {
        let must_ricochet = self.puzzle.rules().must_ricochet;
        let goal = self.puzzle.goal().cell;
        let board = self.puzzle.board();
        let straight = board.diagonals().is_empty();
        self.run += 1;
        self.reached.clear();
        self.mark(state, robot, 0);
        self.reached.push(ReachedField {
            state,
            axes: 0,
            parent: 0,
            step: None,
            moves: 0,
        });
        if state[robot] == goal && !must_ricochet {
            return true;
        }
        let mut at = 0;
        while let Some(&here) = self.reached.get(at) {
            if here.moves >= most_moves {
                return false;
            }
            let back = here.step.filter(|_| straight);
            let back = back.map(|step| step.direction.opposite());
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
                let too_early = must_ricochet && slide.end == goal && axes != 3;
                if slide.axes == 0 || too_early || !self.mark(next, robot, axes) {
                    continue;
                }
                self.reached.push(ReachedField {
                    state: next,
                    axes,
                    parent: at as u32,
                    step: Some(Move { robot, direction }),
                    moves: here.moves + 1,
                });
                if slide.end == goal {
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

    /// Records the fields that the last run has reached from the node `from`, which is `made` moves
    /// from the start; returns the last one.
    pub(super) fn trace(&self, recorder: &mut Recorder, from: NodeId, made: u32) -> NodeId {
        let mut ids: Vec<NodeId> = Vec::with_capacity(self.reached.len());
        for field in &self.reached {
            let g = made + field.moves;
            let id = match field.step {
                None => recorder.stay(EventKind::Reach, from, g, None),
                Some(step) => {
                    let to = field.state[step.robot];
                    let parent = ids[field.parent as usize];
                    recorder.child(EventKind::Reach, parent, (step, to), g, None)
                }
            };
            ids.push(id);
        }
        ids.pop().unwrap_or(from)
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
