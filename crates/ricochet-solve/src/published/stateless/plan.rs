//! Move sequences behind final states: how the moves of several robots are put in an order that can
//! be played.

use ricochet_core::{Cell, Direction, Move, Obstacle, Puzzle, Robot, State, slide_slowly};

/// At most this many robots are moved out of the way before one move.
const MAX_CLEARED: usize = 2;

/// A sequence of moves that was played on the board, and ends with `robot` on `cell`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) robot: Robot,
    pub(super) cell: Cell,
    first: u32,
    len: u32,
    /// Where all robots are at its end.
    pub(super) end: State,
}

impl Plan {
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }
}

/// One more move of a robot: from where a plan leaves it, in `direction`, to `cell`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) from: u32,
    pub(super) direction: Direction,
    pub(super) cell: Cell,
}

/// All plans of one puzzle, and the one that is being tried.
#[derive(Debug)]
pub(super) struct Planner<'p> {
    puzzle: &'p Puzzle,
    plans: Vec<Plan>,
    moves: Vec<Move>,
    /// The plan that [`Planner::find`] found, with its end.
    found: Vec<Move>,
    found_end: State,
    trial: Vec<Move>,
    tail: Vec<Move>,
    /// Single moves played so far.
    pub(super) played: u64,
}

impl<'p> Planner<'p> {
    pub(super) fn new(puzzle: &'p Puzzle) -> Self {
        Self {
            puzzle,
            plans: Vec::new(),
            moves: Vec::new(),
            found: Vec::new(),
            found_end: puzzle.start(),
            trial: Vec::new(),
            tail: Vec::new(),
            played: 0,
        }
    }

    pub(super) fn plan(&self, number: u32) -> &Plan {
        &self.plans[number as usize]
    }

    pub(super) fn moves(&self, number: u32) -> &[Move] {
        let plan = self.plan(number);
        &self.moves[plan.first as usize..][..plan.len()]
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        (self.plans.capacity() * size_of::<Plan>() + self.moves.capacity() * size_of::<Move>())
            as u64
    }

    /// The plan that does nothing.
    pub(super) fn start(&mut self, robot: Robot) -> u32 {
        self.found.clear();
        self.found_end = self.puzzle.start();
        self.keep(robot, self.puzzle.start()[robot])
    }

    /// Keeps the plan that was found last.
    pub(super) fn keep(&mut self, robot: Robot, cell: Cell) -> u32 {
        debug_assert_eq!(self.found_end[robot], cell);
        let number = self.plans.len() as u32;
        self.plans.push(Plan {
            robot,
            cell,
            first: self.moves.len() as u32,
            len: self.found.len() as u32,
            end: self.found_end,
        });
        self.moves.extend_from_slice(&self.found);
        number
    }

    /// The moves that were found last.
    pub(super) fn found(&self) -> &[Move] {
        &self.found
    }

    /// Looks for a plan of fewer than `shorter_than` moves that makes the move `way`, stopped by
    /// the last robot of the plan `dependency` where one is given, and puts it into
    /// [`Planner::found`]. Returns its length.
    ///
    /// With a dependency there are two plans to be played one after the other, in either order.
    /// Moves that both have in common are not repeated: first all of them that stand in the same
    /// order in both plans, then only those at the beginning of both, so that four orders are
    /// tried; the shortest that can be played wins, the first of these among equals.
    pub(super) fn find(
        &mut self,
        way: Way,
        dependency: Option<u32>,
        shorter_than: usize,
    ) -> Option<usize> {
        let own = *self.plan(way.from);
        let Some(dependency) = dependency else {
            self.trial.clear();
            self.trial
                .extend_from_slice(&self.moves[own.first as usize..][..own.len()]);
            let end = self.finish(own.end, own.robot, way, shorter_than)?;
            return Some(self.take_trial(end));
        };
        let other = *self.plan(dependency);
        if own.len().max(other.len()) + 1 >= shorter_than {
            return None;
        }
        let mut best = shorter_than;
        let mut found = None;
        for [head, rest] in [[own, other], [other, own]] {
            let head_moves = &self.moves[head.first as usize..][..head.len()];
            let rest_moves = &self.moves[rest.first as usize..][..rest.len()];
            let beginning = head_moves
                .iter()
                .zip(rest_moves)
                .take_while(|(a, b)| a == b)
                .count();
            let mut tails = [remaining(head_moves, rest_moves, &mut self.tail), beginning];
            if tails[0] == tails[1] {
                tails[1] = usize::MAX; // the same tail: nothing new to try
            }
            for (attempt, skipped) in tails.into_iter().enumerate() {
                if skipped == usize::MAX || head.len() + rest.len() - skipped + 1 >= best {
                    continue;
                }
                let tail = if attempt == 0 {
                    &self.tail
                } else {
                    &self.moves[rest.first as usize + skipped..][..rest.len() - skipped]
                };
                let mut state = head.end;
                let playable = tail.iter().all(|step| {
                    self.played += 1;
                    let next = self.puzzle.apply(state, step.robot, step.direction);
                    state = next.unwrap_or(state);
                    next.is_some()
                });
                if !playable || state[own.robot] != own.cell || state[other.robot] != other.cell {
                    continue;
                }
                self.trial.clear();
                self.trial
                    .extend_from_slice(&self.moves[head.first as usize..][..head.len()]);
                self.trial.extend_from_slice(tail);
                if let Some(end) = self.finish(state, own.robot, way, best) {
                    best = self.take_trial(end);
                    found = Some(best);
                }
            }
        }
        found
    }

    fn take_trial(&mut self, end: State) -> usize {
        std::mem::swap(&mut self.found, &mut self.trial);
        self.found_end = end;
        self.found.len()
    }

    /// Adds the move `way` to the trial; robots in its way are moved aside first, as few as
    /// possible.
    fn finish(
        &mut self,
        state: State,
        robot: Robot,
        way: Way,
        shorter_than: usize,
    ) -> Option<State> {
        let room = shorter_than.checked_sub(self.trial.len() + 2)?;
        (0..=room.min(MAX_CLEARED))
            .find_map(|cleared| self.finish_clearing(state, robot, way, cleared))
    }

    /// The same with exactly this many robots moved aside, each in any direction.
    fn finish_clearing(
        &mut self,
        state: State,
        robot: Robot,
        way: Way,
        cleared: usize,
    ) -> Option<State> {
        let board = self.puzzle.board();
        let from = state[robot];
        if cleared == 0 {
            self.played += 1;
            let end = board.slide(robot, from, way.direction, state.cells());
            return (end == way.cell && end != from).then(|| {
                self.trial.push(Move {
                    robot,
                    direction: way.direction,
                });
                state.with(robot, end)
            });
        }
        let slide = slide_slowly(board, robot, from, way.direction, state.cells());
        let Obstacle::Robot(cell) = slide.obstacle else {
            return None;
        };
        let blocker = state.robot_at(cell).expect("it stopped the other one");
        for direction in Direction::ALL {
            let Some(next) = self.puzzle.apply(state, blocker, direction) else {
                continue;
            };
            self.played += 1;
            self.trial.push(Move {
                robot: blocker,
                direction,
            });
            if let Some(end) = self.finish_clearing(next, robot, way, cleared - 1) {
                return Some(end);
            }
            self.trial.pop();
        }
        None
    }
}

/// Writes the moves of `rest` that are not already in `head`, in order, to `tail`; returns how many
/// are left out.
fn remaining(head: &[Move], rest: &[Move], tail: &mut Vec<Move>) -> usize {
    tail.clear();
    let mut head = head.iter();
    for step in rest {
        let ahead = head.clone();
        if !head.any(|other| other == step) {
            head = ahead;
            tail.push(*step);
        }
    }
    rest.len() - tail.len()
}
