//! The algorithm as the thesis describes it: numbers of moves, without looking whether they can be
//! played.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ricochet_core::{Cell, Direction, Move, Puzzle, Robot};

use super::plan::{Planner, Way};
use super::walk::walk;
use crate::memory::meter::MemoryMeter;
use crate::trace::{EventKind, NodeId, NodeIds, Watch};
use crate::{Limit, Stats};

/// A number that stands for 'no state'.
const NONE: u32 = u32::MAX;

/// A robot that lands on a field.
#[derive(Clone, Copy, Debug)]
struct FinalClaim {
    robot: Robot,
    cell: Cell,
    moves: u32,
    /// The final state that it comes from and the direction of its last move; `None` at the start.
    came: Option<(u32, Direction)>,
    /// The state of another robot that stops it, or [`NONE`].
    dependency: u32,
}

/// A robot that moves over a field.
#[derive(Clone, Copy, Debug)]
struct PassingClaim {
    /// The final state that it comes from, or [`NONE`] if there is no intermediate state here.
    from: u32,
    direction: Direction,
    /// Moves up to here: those of `from`, this one, and one for each start that was passed.
    moves: u32,
}

/// All states of one puzzle.
pub(super) struct Claims<'p> {
    puzzle: &'p Puzzle,
    robots: usize,
    states: Vec<FinalClaim>,
    /// By field and robot: the number of its final state.
    finals: Vec<u32>,
    /// By field, robot and heading.
    intermediates: Vec<PassingClaim>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// New final states whose neighbours were not looked at yet.
    fresh: Vec<u32>,
    /// For a trace: the nodes of the states.
    ids: NodeIds,
}

impl<'p> Claims<'p> {
    /// Runs until no robot state is left to process.
    pub(super) fn run(
        puzzle: &'p Puzzle,
        meter: &mut MemoryMeter,
        stats: &mut Stats,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Limit> {
        let robots = puzzle.start().len();
        let fields = puzzle.board().cell_count() * robots;
        // Each state is queued once for each time it is lowered; a lowering needs a processed
        // state, so the tables below dominate what is held.
        meter.allocate(
            (fields * (4 + 4 * size_of::<PassingClaim>() + 2 * size_of::<FinalClaim>())) as u64,
        )?;
        let mut claims = Self {
            puzzle,
            robots,
            states: Vec::with_capacity(fields),
            finals: vec![NONE; fields],
            intermediates: vec![
                PassingClaim {
                    from: NONE,
                    direction: Direction::North,
                    moves: 0,
                };
                fields * 4
            ],
            queue: BinaryHeap::new(),
            fresh: Vec::new(),
            ids: NodeIds::default(),
        };
        for (robot, cell) in puzzle.start().iter() {
            let start = FinalClaim {
                robot,
                cell,
                moves: 0,
                came: None,
                dependency: NONE,
            };
            claims.add(start, watch);
        }
        claims.collide(watch);
        while let Some(Reverse((moves, number))) = claims.queue.pop() {
            let state = claims.states[number as usize];
            if claims.finals[claims.field(state.cell, state.robot)] != number {
                continue; // lowered since it was queued
            }
            debug_assert_eq!(state.moves, moves);
            stats.nodes += 1;
            stats.expanded += 1;
            let id = claims.id(number);
            watch.trace(|recorder| recorder.at(EventKind::Expand, id));
            stats.generated = claims.states.len() as u64;
            meter.tick(stats.nodes)?;
            for direction in Direction::ALL {
                claims.process(number, state, direction, watch);
                claims.collide(watch);
            }
        }
        stats.generated = claims.states.len() as u64;
        stats.stored = claims.finals.iter().filter(|&&at| at != NONE).count() as u64;
        Ok(claims)
    }

    /// The fewest moves claimed for a robot that may arrive, and the number of that state.
    pub(super) fn best(&self) -> Option<(u32, u32)> {
        let goal = self.puzzle.goal();
        let robots = self.puzzle.start().robots();
        robots
            .filter(|&robot| goal.robot.is_none_or(|active| active == robot))
            .map(|robot| self.finals[self.field(goal.cell, robot)])
            .filter(|&number| number != NONE)
            .map(|number| (self.states[number as usize].moves, number))
            .min()
    }

    /// Moves one robot one way, field by field.
    fn process(
        &mut self,
        number: u32,
        state: FinalClaim,
        direction: Direction,
        watch: &mut Watch<'_>,
    ) {
        let mut moves = state.moves + 1;
        let puzzle = self.puzzle;
        let start = puzzle.start();
        let occupied = |cell| {
            start
                .robot_at(cell)
                .is_some_and(|other| other != state.robot)
        };
        walk(
            puzzle.board(),
            state.robot,
            state.cell,
            direction,
            |passed, next| {
                // Case c of the step before: a robot starts here.
                moves += u32::from(occupied(passed.cell));
                let lands = FinalClaim {
                    robot: state.robot,
                    cell: passed.cell,
                    moves,
                    came: Some((number, direction)),
                    dependency: NONE,
                };
                let Some(next) = next else {
                    self.add(lands, watch); // case 1
                    return;
                };
                match self.lowest_other(next, state.robot) {
                    // Case a.
                    None => {
                        let at = self.field(passed.cell, state.robot) * 4 + passed.heading.index();
                        let known = &mut self.intermediates[at];
                        if known.from == NONE || known.moves > moves {
                            *known = PassingClaim {
                                from: number,
                                direction,
                                moves,
                            };
                            let from = self.ids.get(number as usize);
                            watch.trace(|recorder| {
                                let step = Move {
                                    robot: state.robot,
                                    direction,
                                };
                                let way = (passed.cell, passed.heading);
                                recorder.intermediate(from, step, way, moves);
                            });
                        }
                    }
                    // Cases b and c: a robot that starts there is there after 0 moves.
                    Some(dependency) => {
                        let depends = FinalClaim {
                            moves: moves + self.states[dependency as usize].moves,
                            dependency,
                            ..lands
                        };
                        self.add(depends, watch);
                    }
                }
            },
        );
    }

    /// The lowest final state of another robot on a field.
    fn lowest_other(&self, cell: Cell, robot: Robot) -> Option<u32> {
        let first = self.puzzle.board().index(cell) * self.robots;
        let numbers = self.finals[first..first + self.robots].iter().enumerate();
        numbers
            .filter(|&(other, &number)| other != robot.index() && number != NONE)
            .map(|(_, &number)| number)
            .min_by_key(|&number| self.states[number as usize].moves)
    }

    /// Keeps a final state if its field has none of this robot or a higher one, and queues it.
    fn add(&mut self, state: FinalClaim, watch: &mut Watch<'_>) {
        let field = self.field(state.cell, state.robot);
        let known = self.finals[field];
        if known != NONE && self.states[known as usize].moves <= state.moves {
            return;
        }
        let number = self.states.len() as u32;
        watch.trace(|recorder| {
            let from = state.came.map(|(from, direction)| {
                let robot = state.robot;
                (self.ids.get(from as usize), Move { robot, direction })
            });
            let depends_on =
                (state.dependency != NONE).then(|| self.ids.get(state.dependency as usize));
            let stands = (state.robot, state.cell);
            let id = recorder.final_state(from, vec![stands], state.moves, depends_on);
            self.ids.push(recorder, id);
        });
        self.states.push(state);
        self.finals[field] = number;
        self.queue.push(Reverse((state.moves, number)));
        self.fresh.push(number);
    }

    /// Converts the intermediate states that collide with new final states, until there are no new
    /// ones.
    fn collide(&mut self, watch: &mut Watch<'_>) {
        let puzzle = self.puzzle;
        while let Some(number) = self.fresh.pop() {
            let state = self.states[number as usize];
            for side in Direction::ALL {
                if puzzle.board().has_wall(state.cell, side) {
                    continue;
                }
                let neighbour = state.cell.step(side).expect("the rim has walls");
                for robot in puzzle.start().robots().filter(|&r| r != state.robot) {
                    let at = self.field(neighbour, robot) * 4 + side.opposite().index();
                    let passing = self.intermediates[at];
                    if passing.from == NONE {
                        continue;
                    }
                    self.intermediates[at].from = NONE;
                    let stopped = FinalClaim {
                        robot,
                        cell: neighbour,
                        moves: passing.moves + state.moves,
                        came: Some((passing.from, passing.direction)),
                        dependency: number,
                    };
                    self.add(stopped, watch);
                }
            }
        }
    }

    /// The node of a state in a trace.
    pub(super) fn id(&self, number: u32) -> NodeId {
        self.ids.get(number as usize)
    }

    fn field(&self, cell: Cell, robot: Robot) -> usize {
        self.puzzle.board().index(cell) * self.robots + robot.index()
    }

    /// Rebuilds the moves behind a claim, from the start upwards; `None` where some state on the way
    /// cannot be played, whatever the order of the robots' moves.
    pub(super) fn rebuild(&self, number: u32, planner: &mut Planner<'p>) -> Option<u32> {
        // All states that the claim rests on; a state is newer than those it rests on.
        let mut needed = vec![number];
        let mut at = 0;
        while let Some(&number) = needed.get(at) {
            at += 1;
            let state = self.states[number as usize];
            let came = state.came.map_or(NONE, |(from, _)| from);
            for below in [came, state.dependency] {
                if below != NONE && !needed.contains(&below) {
                    needed.push(below);
                }
            }
        }
        needed.sort_unstable();
        let mut plans = Vec::with_capacity(needed.len());
        for (i, &number) in needed.iter().enumerate() {
            let state = self.states[number as usize];
            let plan_of =
                |below: u32| -> u32 { plans[needed[..i].binary_search(&below).expect("older")] };
            let plan = match state.came {
                None => planner.start(state.robot),
                Some((from, direction)) => {
                    let way = Way {
                        from: plan_of(from),
                        direction,
                        cell: state.cell,
                    };
                    let dependency = (state.dependency != NONE).then(|| plan_of(state.dependency));
                    planner.find(way, dependency, usize::MAX)?;
                    planner.keep(state.robot, state.cell)
                }
            };
            plans.push(plan);
        }
        plans.last().copied()
    }
}
