//! Recursive subgoals, each an interaction of two robots (Hůla, Adamczyk and Janota, *Fast Heuristic
//! for Ricochet Robots*, 2023).
//!
//! Most solutions are the way of one robot with a few interactions in which another one helps it. So
//! this search does not try all moves; it makes plans. A *subgoal* is a robot and a cell, and an
//! *agenda* is a stack of subgoals, of which the one on top has to be reached first. A node is a
//! position with an agenda. The search begins with the goal robot and the target, and goes on from a
//! node in three ways:
//!
//! - *Alone*: the robot of the topmost subgoal gets to its cell while no other robot moves.
//! - *A stop*: another robot gets to a cell where it would end a move of this robot. It does so alone
//!   or, if that is impossible or takes longer than it might, as a new subgoal on top of the agenda.
//! - *Making way*: a robot that ends a move of this robot makes a move, in any direction.
//!
//! The last two are interactions, and `interactions` limits how many a plan has, in all subgoals
//! together. Nodes are taken in the order of an estimate for the whole solution: the moves made, the
//! helper's, those of the robot by way of the cell where it is helped, and the [minimum-moves
//! bound](crate::heuristics::bound) of whatever follows. Nodes that do not promise fewer moves than the
//! best solution so far are pruned. When none is left, the search ends.
//!
//! # Readings
//!
//! We know the paper's abstract, not its text, so its details are ours:
//!
//! - The robot that is helped stays where it is until the helper has come. Solutions in which the goal
//!   robot has to move first are found only if it is itself the helper of a helper. (Trying both orders
//!   took ten times as many nodes and found the optimum in 291 of 320 puzzles instead of 287.)
//! - After the last interaction of a plan, the robot that was stopped has to get to its cell alone as
//!   the robots stood before it: only then is the stop tried.
//! - The estimate counts the robot's moves as the other robots stand now. A helper that leaves its cell
//!   can shorten them, so it is not always a lower bound, not even of the plans that follow. The bound
//!   that is reported is that of the goal robot on the board without others, which is one.
//! - Plans are played while they are made, so what is found is always a solution.
//! - Where a limit ends the search, the best solution so far is the answer, without a claim that it is
//!   optimal. Only a search that is cancelled answers nothing.
//!
//! A *node* is one taken from the queue; `generated` counts those made, `hits` those of them that were
//! known to be as good, `stored` the others. `must_ricochet` is not supported: the cells that a robot
//! reaches alone say nothing of the turns on its way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::sync::Arc;

use ricochet_core::{Board, Cell, Direction, MAX_ROBOTS, Move, Puzzle, Robot, State};

use super::stateless::walk::walk;
use crate::heuristics::bound::{Bound, MinMoves, walk_back};
use crate::memory::meter::MemoryMeter;
use crate::registry::{Options, Parameter, SolverInfo};
use crate::state_space::visited::{Packing, StateIndex};
use crate::state_space::{SearchState, replayed};
use crate::trace::{EventKind, NodeId, PruneReason, Watch};
use crate::{Failure, Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats, Unsupported};

/// Its line in the registry.
pub const INFO: SolverInfo = SolverInfo {
    name: "subgoals",
    guarantee: Guarantee::Any,
    source: "Hůla, Adamczyk, Janota, Fast Heuristic for Ricochet Robots (abstract)",
    summary: "recursive subgoals, each an interaction of two robots, ordered by an estimate",
    parameters: &[Parameter {
        key: "interactions",
        default: "2",
        help: "maximum number of interactions in a plan, at most 255",
    }],
    build: |options: &Options| {
        let interactions = options.number("interactions", Subgoals::INTERACTIONS.into())?;
        let interactions = u8::try_from(interactions).unwrap_or(u8::MAX);
        Ok(Box::new(Subgoals::new().interactions(interactions)))
    },
};

/// The search for plans of subgoals.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Limits, NullObserver, Solver, published::subgoals::Subgoals};
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(6, 0) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(7, 7)], goal).unwrap();
/// let (outcome, _) = Subgoals::new().solve(&puzzle, &Limits::default(), &mut NullObserver);
/// assert_eq!(outcome.solution().unwrap().to_string(), "GN RE");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Subgoals {
    interactions: u8,
}

impl Default for Subgoals {
    fn default() -> Self {
        Self::new()
    }
}

impl Subgoals {
    const INTERACTIONS: u8 = 2;

    /// Plans with two interactions.
    pub fn new() -> Self {
        Self {
            interactions: Self::INTERACTIONS,
        }
    }

    /// The most interactions that a plan may have.
    #[must_use]
    pub fn interactions(mut self, interactions: u8) -> Self {
        self.interactions = interactions;
        self
    }
}

impl Solver for Subgoals {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Any
    }

    fn supports(&self, puzzle: &Puzzle) -> Result<(), Unsupported> {
        if puzzle.rules().must_ricochet {
            return Err(Unsupported {
                what: "must_ricochet",
            });
        }
        Ok(())
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let mut meter = MemoryMeter::start(limits);
        let mut stats = Stats::default();
        let watch = &mut Watch::new(watch);
        let outcome = self.outcome(puzzle, limits, &mut meter, &mut stats, watch);
        (outcome, meter.finish(stats))
    }
}

impl Subgoals {
    fn outcome(
        self,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &mut MemoryMeter,
        stats: &mut Stats,
        watch: &mut Watch<'_>,
    ) -> Outcome {
        if let Err(unsupported) = self.supports(puzzle) {
            return Outcome::Failed {
                failure: Failure::Unsupported(unsupported),
                lower_bound: 0,
            };
        }
        if puzzle.is_solved(puzzle.start()) {
            watch.trace(|recorder| recorder.solution(None, &[]));
            return Outcome::optimal(replayed(puzzle, Vec::new()));
        }
        let Some(lower_bound) = Bound::new(puzzle).of_state(puzzle.start()) else {
            return Outcome::Unsolvable;
        };
        let limit = |limit| Outcome::LimitReached { limit, lower_bound };
        if let Err(reached) = meter.check() {
            return limit(reached);
        }
        let mut search = match PlanSearch::new(puzzle, limits.moves, meter) {
            Ok(search) => search,
            Err(reached) => return limit(reached),
        };
        let result = search.run(self.interactions, meter, watch);
        *stats = search.stats;
        match (result, search.best) {
            (Err(Limit::Cancelled), _) => limit(Limit::Cancelled),
            (_, Some(moves)) => {
                let solution = replayed(puzzle, moves);
                Outcome::Solved {
                    optimal: solution.len() as u32 == lower_bound,
                    solution,
                    lower_bound,
                }
            }
            (Err(reached), None) => limit(reached),
            (Ok(()), None) if limits.moves.is_some() => limit(Limit::Moves),
            (Ok(()), None) => Outcome::Failed {
                failure: Failure::SearchSpaceExhausted,
                lower_bound,
            },
        }
    }
}

/// A robot that has to get to a cell.
#[derive(Clone, Copy, Debug)]
struct Subgoal {
    robot: Robot,
    cell: Cell,
    /// The agenda below it.
    below: u32,
}

/// The number of the empty agenda.
const DONE: u32 = 0;

/// What is known of a position with an agenda.
#[derive(Clone, Copy, Debug)]
struct PlanNode {
    state: State,
    agenda: u32,
    /// Interactions that may follow.
    left: u8,
    /// The estimate for a solution.
    f: u32,
    /// Moves made.
    g: u32,
    /// The node that it was made from.
    parent: Option<u32>,
}

/// One call.
struct PlanSearch<'p> {
    puzzle: &'p Puzzle,
    packing: Packing,
    /// Solutions have fewer moves than this.
    cap: u32,
    distances: Distances,
    /// The agendas, by number, and for each the subgoal on top.
    agendas: StateIndex<u64>,
    tops: Vec<Subgoal>,
    known: StateIndex<u128>,
    nodes: Vec<PlanNode>,
    /// By estimate, moves made (more of them first) and number.
    queue: BinaryHeap<Reverse<(u32, Reverse<u32>, u32)>>,
    /// Of the robots of the node that is expanded.
    wave: Wave,
    /// For the moves of a solution or a trace.
    ways: Wave,
    /// From everywhere to the cell of the subgoal.
    alone: AloneMap,
    /// Of the node that is expanded.
    stops: Vec<Stop>,
    /// For a trace: the ids of the nodes.
    ids: Vec<NodeId>,
    best: Option<Vec<Move>>,
    stats: Stats,
}

impl<'p> PlanSearch<'p> {
    fn new(
        puzzle: &'p Puzzle,
        max_moves: Option<u32>,
        meter: &mut MemoryMeter,
    ) -> Result<Self, Limit> {
        let cells = puzzle.board().cell_count();
        meter.allocate((cells * size_of::<Stop>()) as u64)?;
        let mut search = Self {
            puzzle,
            packing: Packing::new(puzzle.board(), puzzle.start().len(), false),
            cap: max_moves.map_or(u32::MAX, |moves| moves.saturating_add(1)),
            distances: Distances::new(puzzle, meter)?,
            agendas: StateIndex::new(meter)?,
            tops: Vec::new(),
            known: StateIndex::new(meter)?,
            nodes: Vec::new(),
            queue: BinaryHeap::new(),
            wave: Wave::new(puzzle.board(), meter)?,
            ways: Wave::new(puzzle.board(), meter)?,
            alone: AloneMap::new(puzzle.board(), meter)?,
            stops: Vec::with_capacity(cells),
            ids: Vec::new(),
            best: None,
            stats: Stats::default(),
        };
        // The empty agenda has a number too; there is no subgoal on its top.
        search.agendas.insert(u64::MAX, meter)?;
        let nothing = Subgoal {
            robot: Robot::RED,
            cell: Cell::default(),
            below: DONE,
        };
        search.tops.push(nothing);
        Ok(search)
    }

    /// Runs until no node is left that could lead to a shorter solution.
    fn run(
        &mut self,
        interactions: u8,
        meter: &mut MemoryMeter,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        let (start, goal) = (self.puzzle.start(), self.puzzle.goal());
        for robot in start.robots() {
            if goal.robot.is_none_or(|active| active == robot) {
                let root = PlanNode {
                    state: start,
                    agenda: self.agenda(robot, goal.cell, DONE, meter)?,
                    left: interactions,
                    f: 0,
                    g: 0,
                    parent: None,
                };
                self.add(root, meter, watch)?;
            }
        }
        while let Some(Reverse((f, Reverse(g), number))) = self.queue.pop() {
            if f >= self.cap {
                break; // so are all others
            }
            let node = self.nodes[number as usize];
            if node.g < g || node.f < f {
                continue; // found to be better since it was queued
            }
            self.stats.nodes += 1;
            self.stats.expanded += 1;
            watch.trace(|recorder| recorder.at(EventKind::Expand, self.ids[number as usize]));
            meter.tick(self.stats.nodes)?;
            if self.stats.nodes.is_multiple_of(16) {
                meter.check()?;
            }
            self.expand(number, meter, watch)?;
        }
        Ok(())
    }

    /// Makes the nodes that follow a node.
    fn expand(
        &mut self,
        number: u32,
        meter: &mut MemoryMeter,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        let node = self.nodes[number as usize];
        let (state, g) = (node.state, node.g);
        let Subgoal { robot, cell, below } = self.tops[node.agenda as usize];
        // What is left when the robot is on its cell.
        let Some(rest) = self.bound(state.with(robot, cell), below, meter)? else {
            return Ok(());
        };
        let map = self.distances.map(robot, cell, meter)?;
        let child = PlanNode {
            parent: Some(number),
            ..node
        };
        self.wave.run(self.puzzle, state, robot);
        if let Some(moves) = self.wave.moves_to(cell) {
            let done = PlanNode {
                state: state.with(robot, cell),
                agenda: below,
                g: g + moves,
                ..child
            };
            self.add(done, meter, watch)?;
        }

        let Some(left) = node.left.checked_sub(1) else {
            return Ok(());
        };
        let child = PlanNode { left, ..child };
        let mut stops = std::mem::take(&mut self.stops);
        let most = self.cap.saturating_sub(g + rest);
        // After its last stop the robot is on its own.
        let is_last = left == 0;
        if is_last {
            self.alone.run(self.puzzle, state, robot, cell);
        }
        let left_from = |at| {
            if is_last {
                self.alone.get(at)
            } else {
                map.get(at)
            }
        };
        let wave = &mut self.wave;
        let ways = wave.interactions(
            self.puzzle,
            (state, robot),
            &map,
            left_from,
            most,
            &mut stops,
        );
        for helper in state.robots().filter(|&helper| helper != robot) {
            if let Some(moves) = ways[helper.index()] {
                for direction in Direction::ALL {
                    if let Some(state) = self.puzzle.apply(state, helper, direction) {
                        let (f, g) = (g + 1 + moves + rest, g + 1);
                        let aside = PlanNode {
                            state,
                            f,
                            g,
                            ..child
                        };
                        self.add(aside, meter, watch)?;
                    }
                }
            }
            self.wave.run(self.puzzle, state, helper);
            for &Stop { against, moves } in &stops {
                let at_least = self.distances.get(helper, state[helper], against, meter)?;
                let Some(at_least) = at_least else { continue };
                let others = g + moves + rest;
                if others + at_least >= self.cap {
                    continue;
                }
                let alone = self.wave.moves_to(against);
                if let Some(alone) = alone {
                    let stopping = PlanNode {
                        state: state.with(helper, against),
                        f: others + alone,
                        g: g + alone,
                        ..child
                    };
                    self.add(stopping, meter, watch)?;
                }
                // With help, which takes a move at least.
                let helped = at_least + 1;
                if left > 0
                    && alone.is_none_or(|alone| alone > helped)
                    && others + helped < self.cap
                {
                    let coming = PlanNode {
                        agenda: self.agenda(helper, against, node.agenda, meter)?,
                        f: others + helped,
                        ..child
                    };
                    self.add(coming, meter, watch)?;
                }
            }
        }
        self.stops = stops;
        Ok(())
    }

    /// Adds and queues a node, or a solution if its agenda is empty, unless it promises too little or
    /// is known to be as good. Its estimate is at least the one given.
    fn add(
        &mut self,
        mut node: PlanNode,
        meter: &mut MemoryMeter,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        let Some(h) = self.bound(node.state, node.agenda, meter)? else {
            return Ok(());
        };
        node.f = node.f.max(node.g + h);
        if node.f >= self.cap {
            return Ok(());
        }
        self.stats.generated += 1;
        let id = if watch.is_tracing() {
            self.trace(&node, h, watch)
        } else {
            NodeId::default()
        };
        if node.agenda == DONE {
            let moves = self.moves_to(&node);
            // It is shorter than the way that was traced if a node on it was reached sooner since.
            let is_traced = moves.len() as u32 == node.g;
            watch.trace(|recorder| recorder.solution(is_traced.then_some(id), &moves));
            self.cap = moves.len() as u32;
            self.best = Some(moves);
            return Ok(());
        }
        let search_state = SearchState {
            state: node.state,
            axes: 0,
        };
        let position: u128 = self.packing.pack(search_state);
        let key = position << 40 | u128::from(node.agenda) << 8 | u128::from(node.left);
        let number = if self.known.insert(key, meter)? {
            meter.reserve(&mut self.nodes)?;
            self.nodes.push(node);
            if watch.is_tracing() {
                self.ids.push(id);
            }
            self.stats.stored += 1;
            self.nodes.len() - 1
        } else {
            let number = self.known.find(key).expect("it is known");
            let known = &mut self.nodes[number];
            if known.g <= node.g && known.f <= node.f {
                self.stats.hits += 1;
                watch.trace(|recorder| {
                    recorder.prune_same(id, PruneReason::Duplicate, self.ids[number]);
                });
                return Ok(());
            }
            known.f = known.f.min(node.f);
            if node.g < known.g {
                *known = PlanNode { f: known.f, ..node };
                if watch.is_tracing() {
                    self.ids[number] = id;
                }
            }
            number
        };
        if self.queue.len() == self.queue.capacity() {
            let mut entries = std::mem::take(&mut self.queue).into_vec();
            meter.reserve(&mut entries)?;
            self.queue = entries.into();
        }
        let PlanNode { f, g, .. } = self.nodes[number];
        self.queue.push(Reverse((f, Reverse(g), number as u32)));
        Ok(())
    }

    /// The agenda of a subgoal on top of another agenda.
    fn agenda(
        &mut self,
        robot: Robot,
        cell: Cell,
        below: u32,
        meter: &mut MemoryMeter,
    ) -> Result<u32, Limit> {
        let index = self.puzzle.board().index(cell) as u64;
        let key = index << 40 | (robot.index() as u64) << 32 | u64::from(below);
        if self.agendas.insert(key, meter)? {
            meter.reserve(&mut self.tops)?;
            self.tops.push(Subgoal { robot, cell, below });
            return Ok(self.tops.len() as u32 - 1);
        }
        Ok(self.agendas.find(key).expect("it is known") as u32)
    }

    /// At least this many moves are needed for the subgoals of an agenda; `None` if they cannot be
    /// reached. A subgoal begins where the one before it has left its robot.
    fn bound(
        &mut self,
        mut state: State,
        mut agenda: u32,
        meter: &mut MemoryMeter,
    ) -> Result<Option<u32>, Limit> {
        let mut sum = 0;
        while agenda != DONE {
            let Subgoal { robot, cell, below } = self.tops[agenda as usize];
            match self.distances.get(robot, state[robot], cell, meter)? {
                Some(moves) => sum += moves,
                None => return Ok(None),
            }
            state = state.with(robot, cell);
            agenda = below;
        }
        Ok(Some(sum))
    }

    /// The moves from the start to a node, up to where the puzzle is solved: a robot that was to help
    /// may come to rest on the target.
    fn moves_to(&mut self, node: &PlanNode) -> Vec<Move> {
        let mut way = vec![node.state];
        let mut at = *node;
        while let Some(parent) = at.parent {
            at = self.nodes[parent as usize];
            way.push(at.state);
        }
        let mut moves = Vec::new();
        let mut state = self.puzzle.start();
        for pair in way.windows(2).rev() {
            for step in self.moves_between(pair[1], pair[0]) {
                if self.puzzle.is_solved(state) {
                    return moves;
                }
                state = self.play(state, step);
                moves.push(step);
            }
        }
        moves
    }

    /// The moves from a position to one in which at most one robot stands elsewhere.
    fn moves_between(&mut self, before: State, after: State) -> Vec<Move> {
        let moved = after.iter().find(|&(robot, cell)| before[robot] != cell);
        moved.map_or_else(Vec::new, |(robot, cell)| {
            self.ways.run(self.puzzle, before, robot);
            self.ways.way_to(robot, cell)
        })
    }

    fn play(&self, state: State, step: Move) -> State {
        let after = self.puzzle.apply(state, step.robot, step.direction);
        after.expect("a robot that gets somewhere moves")
    }

    /// Records the moves to a new node, and the node; returns its id.
    fn trace(&mut self, node: &PlanNode, h: u32, watch: &mut Watch<'_>) -> NodeId {
        let Some(parent) = node.parent.map(|number| number as usize) else {
            return watch.trace(|recorder| recorder.root(EventKind::Root, Some(h)));
        };
        let PlanNode {
            mut state, mut g, ..
        } = self.nodes[parent];
        let mut at = self.ids[parent];
        for step in self.moves_between(state, node.state) {
            state = self.play(state, step);
            g += 1;
            let to = state[step.robot];
            at = watch.trace(|recorder| recorder.child(EventKind::Reach, at, (step, to), g, None));
        }
        watch.trace(|recorder| recorder.stay(EventKind::Generate, at, g, Some(h)))
    }
}

/// A cell on which another robot would stop one that moves alone.
#[derive(Clone, Copy, Debug)]
struct Stop {
    against: Cell,
    /// Moves of the robot to its subgoal, at least, if it is stopped there.
    moves: u32,
}

/// A cell on which a robot can come to rest, moving alone.
#[derive(Clone, Copy, Debug)]
struct Rest {
    cell: Cell,
    /// Where the last move began, as a place in the list.
    parent: u16,
    direction: Direction,
    moves: u16,
}

/// The breadth-first search of a robot that moves alone.
struct Wave {
    rests: Vec<Rest>,
    /// By cell: the run in which it was reached, and its place in the list.
    reached: Vec<(u32, u16)>,
    /// By cell: the run in which a robot there would have stopped this one, and its place in that
    /// list.
    stops: Vec<(u32, u16)>,
    run: u32,
    width: usize,
}

impl Wave {
    fn new(board: &Board, meter: &mut MemoryMeter) -> Result<Self, Limit> {
        let cells = board.cell_count();
        let bytes = size_of::<Rest>() + 2 * size_of::<(u32, u16)>();
        meter.allocate((cells * bytes) as u64)?;
        Ok(Self {
            rests: Vec::with_capacity(cells),
            reached: vec![(0, 0); cells],
            stops: vec![(0, 0); cells],
            run: 0,
            width: board.width(),
        })
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width + usize::from(cell.x)
    }

    /// Finds all cells on which the robot can come to rest, nearest first.
    fn run(&mut self, puzzle: &Puzzle, state: State, robot: Robot) {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.reached.fill((0, 0));
            self.stops.fill((0, 0));
            self.run = 1;
        }
        self.rests.clear();
        self.rests.push(Rest {
            cell: state[robot],
            parent: 0,
            direction: Direction::North,
            moves: 0,
        });
        let start = self.index(state[robot]);
        self.reached[start] = (self.run, 0);
        let mut at = 0;
        while let Some(&Rest { cell, moves, .. }) = self.rests.get(at) {
            let from = state.with(robot, cell);
            for direction in Direction::ALL {
                let to = puzzle.board().slide(robot, cell, direction, from.cells());
                let index = self.index(to);
                if self.reached[index].0 == self.run {
                    continue;
                }
                self.reached[index] = (self.run, self.rests.len() as u16);
                self.rests.push(Rest {
                    cell: to,
                    parent: at as u16,
                    direction,
                    moves: moves + 1,
                });
            }
            at += 1;
        }
    }

    fn rest(&self, cell: Cell) -> Option<&Rest> {
        let (run, place) = self.reached[self.index(cell)];
        (run == self.run).then(|| &self.rests[usize::from(place)])
    }

    /// The fewest moves to a cell in the last run.
    fn moves_to(&self, cell: Cell) -> Option<u32> {
        self.rest(cell).map(|rest| u32::from(rest.moves))
    }

    /// The moves to a cell that the last run, of this robot, has reached.
    fn way_to(&self, robot: Robot, cell: Cell) -> Vec<Move> {
        let mut way = Vec::new();
        let mut at = self.rest(cell).expect("it was reached");
        while at.moves > 0 {
            let direction = at.direction;
            way.push(Move { robot, direction });
            at = &self.rests[usize::from(at.parent)];
        }
        way.reverse();
        way
    }

    /// The interactions that could help the robot of the last run to the target of a map in fewer
    /// than `most` moves: the stops and, by robot that ends a move, the moves if it makes way.
    fn interactions(
        &mut self,
        puzzle: &Puzzle,
        (state, robot): (State, Robot),
        map: &MinMoves,
        left_from: impl Fn(Cell) -> Option<u32>,
        most: u32,
        stops: &mut Vec<Stop>,
    ) -> [Option<u32>; MAX_ROBOTS] {
        stops.clear();
        let mut ways = [None; MAX_ROBOTS];
        let other_at = |cell| state.robot_at(cell).filter(|&other| other != robot);
        for place in 0..self.rests.len() {
            let Rest { cell, moves, .. } = self.rests[place];
            let moves = u32::from(moves) + 1;
            if moves + 1 >= most {
                break;
            }
            for direction in Direction::ALL {
                let mut blocker = None;
                walk(puzzle.board(), robot, cell, direction, |passed, next| {
                    blocker = blocker.or_else(|| other_at(passed.cell));
                    let left = match blocker {
                        Some(_) => map.get(passed.cell),
                        None => left_from(passed.cell),
                    };
                    let moves_in_all = left.map(|left| moves + left);
                    let Some(moves_in_all) = moves_in_all.filter(|moves| moves + 1 < most) else {
                        return;
                    };
                    if let Some(blocker) = blocker {
                        let way = &mut ways[blocker.index()];
                        *way = Some(way.map_or(moves_in_all, |way: u32| way.min(moves_in_all)));
                        return;
                    }
                    // A wall stops it, or a robot does, or it comes past where it started.
                    let against = next.filter(|&next| next != cell && other_at(next).is_none());
                    let Some(against) = against else { return };
                    // It may be able to come to rest there without help.
                    let alone = self.moves_to(passed.cell);
                    if alone.is_some_and(|alone| alone <= moves) {
                        return;
                    }
                    let index = self.index(against);
                    let (run, place) = self.stops[index];
                    if run == self.run {
                        let stop = &mut stops[usize::from(place)];
                        stop.moves = stop.moves.min(moves_in_all);
                    } else {
                        self.stops[index] = (self.run, stops.len() as u16);
                        stops.push(Stop {
                            against,
                            moves: moves_in_all,
                        });
                    }
                });
            }
        }
        ways
    }
}

/// How many moves a robot needs from each cell to one of them while no other robot moves.
struct AloneMap {
    /// By cell: the run in which it was reached, and its moves.
    moves: Vec<(u32, u16)>,
    run: u32,
    queue: Vec<Cell>,
    width: usize,
}

impl AloneMap {
    fn new(board: &Board, meter: &mut MemoryMeter) -> Result<Self, Limit> {
        let cells = board.cell_count();
        meter.allocate((cells * (size_of::<(u32, u16)>() + size_of::<Cell>())) as u64)?;
        Ok(Self {
            moves: vec![(0, 0); cells],
            run: 0,
            queue: Vec::with_capacity(cells),
            width: board.width(),
        })
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width + usize::from(cell.x)
    }

    fn get(&self, cell: Cell) -> Option<u32> {
        let (run, moves) = self.moves[self.index(cell)];
        (run == self.run).then_some(u32::from(moves))
    }

    /// Finds the way from everywhere, breadth first from the target.
    fn run(&mut self, puzzle: &Puzzle, state: State, robot: Robot, target: Cell) {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.moves.fill((0, 0));
            self.run = 1;
        }
        let board = puzzle.board();
        let other_at = |cell| state.robot_at(cell).is_some_and(|other| other != robot);
        let start = self.index(target);
        self.moves[start] = (self.run, 0);
        self.queue.clear();
        self.queue.push(target);
        let mut at = 0;
        while let Some(&cell) = self.queue.get(at) {
            at += 1;
            let moves = self.moves[self.index(cell)].1 + 1;
            for heading in Direction::ALL {
                let diagonal = board.diagonal(cell).filter(|d| d.color != robot);
                let ahead = diagonal.map_or(heading, |d| d.lean.deflect(heading));
                let goes_on = !board.has_wall(cell, ahead)
                    && cell.step(ahead).is_some_and(|next| !other_at(next));
                if goes_on {
                    continue; // no move ends here
                }
                let mut is_free = true;
                walk_back(board, robot, cell, heading, |from| {
                    is_free &= !other_at(from);
                    let index = self.index(from);
                    if is_free && self.moves[index].0 != self.run {
                        self.moves[index] = (self.run, moves);
                        self.queue.push(from);
                    }
                });
            }
        }
    }
}

/// The minimum-moves maps that were needed so far. A free move can be taken back, so a map from a
/// cell is as good as one to it.
struct Distances {
    board: Arc<Board>,
    /// By robot: the one whose maps it shares, as robots without a diagonal see the same board.
    classes: Vec<Robot>,
    maps: Vec<Option<Rc<MinMoves>>>,
}

impl Distances {
    fn new(puzzle: &Puzzle, meter: &mut MemoryMeter) -> Result<Self, Limit> {
        let board = Arc::clone(puzzle.board());
        let robots = || puzzle.start().robots();
        let has_diagonal = |robot: Robot| board.diagonals().iter().any(|d| d.color == robot);
        let plain = robots().find(|&robot| !has_diagonal(robot));
        let classes: Vec<Robot> = robots()
            .map(|robot| plain.filter(|_| !has_diagonal(robot)).unwrap_or(robot))
            .collect();
        let places = classes.len() * board.cell_count();
        meter.allocate((places * size_of::<Option<Rc<MinMoves>>>()) as u64)?;
        Ok(Self {
            board,
            classes,
            maps: vec![None; places],
        })
    }

    fn place(&self, robot: Robot, cell: Cell) -> usize {
        let class = self.classes[robot.index()];
        class.index() * self.board.cell_count() + self.board.index(cell)
    }

    /// The map of a robot to and from a cell.
    fn map(
        &mut self,
        robot: Robot,
        cell: Cell,
        meter: &mut MemoryMeter,
    ) -> Result<Rc<MinMoves>, Limit> {
        let place = self.place(robot, cell);
        if self.maps[place].is_none() {
            meter.allocate((self.board.cell_count() * size_of::<u16>()) as u64)?;
            let class = self.classes[robot.index()];
            self.maps[place] = Some(Rc::new(MinMoves::new(&self.board, class, cell)));
        }
        Ok(Rc::clone(self.maps[place].as_ref().expect("it was made")))
    }

    /// The fewest moves of a robot with free stops from one cell to another.
    fn get(
        &mut self,
        robot: Robot,
        from: Cell,
        to: Cell,
        meter: &mut MemoryMeter,
    ) -> Result<Option<u32>, Limit> {
        if let Some(map) = &self.maps[self.place(robot, to)] {
            return Ok(map.get(from));
        }
        Ok(self.map(robot, from, meter)?.get(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NullObserver, registry};
    use ricochet_core::generate::{RandomBoard, Recipe};
    use ricochet_core::{Solution, notation};

    fn solve(interactions: u8, puzzle: &Puzzle, limits: &Limits) -> Outcome {
        let mut solver = Subgoals::new().interactions(interactions);
        solver.solve(puzzle, limits, &mut NullObserver).0
    }

    fn moves(outcome: &Outcome) -> Option<usize> {
        outcome.solution().map(Solution::len)
    }

    /// Puzzles that need none, one and two.
    #[test]
    fn plans_have_as_many_interactions_as_allowed() {
        for (line, expected) in [
            ("8x8..0077.R70", [Some(1), Some(1), Some(1)]),
            ("8x8..0077.R60", [Some(3), Some(2), Some(2)]),
            ("6x6.CAiAICAAM.345040.R22", [None, None, Some(5)]),
        ] {
            let puzzle = notation::parse_line(line).unwrap().validate().unwrap();
            for (interactions, expected) in (0..).zip(expected) {
                let outcome = solve(interactions, &puzzle, &Limits::default());
                assert_eq!(moves(&outcome), expected, "{line}, {interactions}");
            }
        }
    }

    #[test]
    fn without_interactions_the_goal_robot_moves_alone() {
        let recipe = Recipe {
            robots: 3,
            ..Recipe::random(RandomBoard::new(6, 6))
        };
        let mut alone = registry::build("single-color:color-depth=36").unwrap();
        for puzzle in (0..300).filter_map(|number| recipe.puzzle(7, number).ok()) {
            let (expected, _) = alone.solve(&puzzle, &Limits::default(), &mut NullObserver);
            let outcome = solve(0, &puzzle, &Limits::default());
            assert_eq!(moves(&outcome), moves(&expected), "{:?}", puzzle.to_setup());
        }
    }

    /// The goal robot alone takes four moves; with a helper there are three.
    #[test]
    fn a_limit_leaves_the_best_solution_so_far() {
        let line = "6x6.IAgAkAAgCE.353231.R22";
        let puzzle = notation::parse_line(line).unwrap().validate().unwrap();
        let limits = Limits {
            nodes: Some(1),
            ..Limits::default()
        };
        let limited = solve(2, &puzzle, &limits);
        assert!(
            matches!(
                limited,
                Outcome::Solved {
                    optimal: false,
                    lower_bound: 2,
                    ..
                }
            ),
            "{limited:?}"
        );
        assert_eq!(moves(&limited), Some(4));
        assert_eq!(moves(&solve(2, &puzzle, &Limits::default())), Some(3));
    }
}
