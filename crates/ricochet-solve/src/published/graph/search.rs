//! The solver's loop and the breadth-first search of the goal robot (thesis, 'Solver', 'Early
//! Termination of BFS'; draft, SOLVER).

use ricochet_core::{Cell, Direction, Move, Puzzle, Robot};

use super::Variant;
use super::slides_graph::Graph;
use crate::heuristics::bound::MinMoves;
use crate::memory::meter::MemoryMeter;
use crate::state_space::visited::{PackedKey, Packing, StateQueue};
use crate::state_space::{SearchState, pack_move};
use crate::trace::{EventKind, GraphEdge, NodeId, NodeIds, PruneReason, Recorder, Watch};
use crate::{DepthRow, Limit, Stats};

/// `B`: the best solution so far.
#[derive(Clone, Debug)]
pub(super) struct BestSolution {
    pub(super) moves: Vec<Move>,
}

/// `B.best = unlimited`.
const UNLIMITED: u32 = u32::MAX / 2;

/// One call.
pub(super) struct GraphSearch<'p> {
    puzzle: &'p Puzzle,
    variant: Variant,
    goal_robot: Robot,
    max_moves: u32,
    /// `min[i,j]`; `None` in version 1.
    min: Option<MinMoves>,
    graph: Graph,
    bfs: GoalRobotBfs,
    pub(super) best: Option<BestSolution>,
    pub(super) stats: Stats,
    /// No solution has fewer moves.
    pub(super) lower_bound: u32,
}

impl<'p> GraphSearch<'p> {
    /// `goal_robot` is the puzzle's; it is not on the target yet.
    pub(super) fn new(
        puzzle: &'p Puzzle,
        variant: Variant,
        goal_robot: Robot,
        max_moves: u32,
        known: Option<Vec<Move>>,
        meter: &mut MemoryMeter,
    ) -> Result<Self, Limit> {
        let board = puzzle.board();
        let graph = Graph::new(board);
        let bfs = GoalRobotBfs::new(board.cell_count());
        meter.allocate(graph.bytes() + bfs.bytes())?;
        let min = variant
            .uses_minimum_moves
            .then(|| MinMoves::new(board, goal_robot, puzzle.goal().cell));
        Ok(Self {
            puzzle,
            variant,
            goal_robot,
            max_moves,
            min,
            graph,
            bfs,
            best: known.map(|moves| BestSolution { moves }),
            stats: Stats::default(),
            lower_bound: 1,
        })
    }

    /// Whether the map shows that the goal robot can never arrive.
    pub(super) fn is_hopeless(&self) -> bool {
        self.min_of(self.puzzle.start()[self.goal_robot]).is_none()
    }

    /// `min[GR]`, or the one move that version 1 allows for; `None` if there is no way.
    fn min_of(&self, cell: Cell) -> Option<u32> {
        match &self.min {
            None => Some(1),
            Some(map) => map.get(cell),
        }
    }

    /// `B.best`.
    fn best_len(&self) -> u32 {
        let found = self.best.as_ref().map(|best| best.moves.len() as u32);
        found.unwrap_or(UNLIMITED)
    }

    /// SOLVER: takes game states from the queue in order, searches the goal robot's way in each,
    /// and queues what the moves of the others lead to. Ends with `self.best`, or without one if
    /// the queue runs dry.
    pub(super) fn run<K: PackedKey>(
        &mut self,
        packing: Packing,
        meter: &mut MemoryMeter,
        watch: &mut Watch<'_>,
    ) -> Result<(), Limit> {
        let start = self.puzzle.start();
        let root_min = self.min_of(start[self.goal_robot]).unwrap_or(UNLIMITED);
        self.lower_bound = root_min.max(1);
        let mut store = StateQueue::<K>::new(meter)?;
        let start = SearchState {
            state: start,
            axes: 0,
        };
        store.insert(packing.pack(start), 0, 0, meter)?;
        // For a trace: the nodes of the states in the queue, and the graph without robots.
        let mut ids = NodeIds::default();
        let mut empty = None;
        watch.trace(|recorder| {
            let root = recorder.root(EventKind::Root, self.min.is_some().then_some(root_min));
            ids.push(recorder, root);
            empty = Some(self.graph.clone());
        });
        let mut row = DepthRow::default();
        let mut layer_end = 1;
        let mut at = 0;
        while let Some(key) = store.key(at) {
            if at == layer_end {
                layer_end = store.len();
                self.finish_row(row, watch);
                row = DepthRow {
                    depth: row.depth + 1,
                    ..DepthRow::default()
                };
            }
            let moves = row.depth;
            let state = packing.unpack(key).state;
            // The goal robot has at least `least` moves to make from here, whatever the others do.
            let goal_cell = state[self.goal_robot];
            let least = self.min_of(goal_cell).unwrap_or(UNLIMITED);
            let settled = if self.variant.moves_goal_robot {
                1 // other states in the queue may be nearer
            } else {
                least
            };
            if self.best_len() <= moves + settled {
                break;
            }
            if moves + settled > self.max_moves {
                return Err(Limit::Moves);
            }
            at += 1;
            let id = ids.get(at - 1);
            if self.best_len() <= moves + least || least == UNLIMITED {
                watch.trace(|recorder| recorder.prune(id, PruneReason::Bound));
                continue;
            }
            meter.tick(self.stats.nodes)?;
            if self.stats.expanded.is_multiple_of(64) {
                meter.check()?;
            }
            self.stats.expanded += 1;
            row.inner += 1;

            let index = |robot: Robot| self.puzzle.board().index(state[robot]) as u16;
            for robot in state.robots().filter(|&robot| robot != self.goal_robot) {
                self.graph.place_robot(index(robot));
            }
            watch.trace(|recorder| {
                let edges = empty.as_ref().map(|empty| self.changed_edges(empty));
                let edges = edges.unwrap_or_default();
                recorder.at(EventKind::Configuration { edges }, id);
            });
            let goal = self.puzzle.board().index(self.puzzle.goal().cell) as u16;
            let depth = self.best_len() - moves;
            let way = self.bfs.run(
                &self.graph,
                index(self.goal_robot),
                goal,
                depth,
                self.min.as_ref(),
            );
            self.stats.nodes += self.bfs.visited();
            row.nodes += self.bfs.visited();
            let last = watch.trace(|recorder| self.trace_wave(recorder, id, moves));
            if let Some(way) = way {
                let mut solution = store.path_to(at - 1);
                solution.extend(way.into_iter().map(|direction| Move {
                    robot: self.goal_robot,
                    direction,
                }));
                if solution.len() < self.best_len() as usize {
                    watch.trace(|recorder| recorder.solution(Some(last), &solution));
                    self.best = Some(BestSolution { moves: solution });
                }
            }

            self.graph.place_robot(index(self.goal_robot));
            for robot in state.robots() {
                if robot == self.goal_robot && !self.variant.moves_goal_robot {
                    continue;
                }
                for (direction, child) in self.graph.edges(index(robot)) {
                    self.stats.generated += 1;
                    let cell = self.puzzle.board().cell(usize::from(child));
                    let state = state.with(robot, cell);
                    let step = Move { robot, direction };
                    let child = watch.trace(|recorder| {
                        let h = self
                            .min
                            .as_ref()
                            .and_then(|map| map.get(state[self.goal_robot]));
                        recorder.child(EventKind::Generate, id, (step, cell), moves + 1, h)
                    });
                    if self.puzzle.is_on_target(state) {
                        continue; // a solution, which the search above has seen
                    }
                    let key = packing.pack(SearchState { state, axes: 0 });
                    let packed_move = pack_move(robot, direction);
                    if store.insert(key, at as u32 - 1, packed_move, meter)? {
                        watch.trace(|recorder| ids.push(recorder, child));
                    } else {
                        row.hits += 1;
                        self.stats.hits += 1;
                        watch.trace(|recorder| {
                            let known = ids.get(store.find(key).unwrap_or_default());
                            recorder.prune_same(child, PruneReason::Duplicate, known);
                        });
                    }
                }
            }
            self.stats.stored = store.len() as u64;
            for robot in state.robots() {
                self.graph.remove_robot(index(robot));
            }
        }
        self.finish_row(row, watch);
        Ok(())
    }

    /// The edges that the robots on the board change.
    fn changed_edges(&self, empty: &Graph) -> Vec<GraphEdge> {
        let board = self.puzzle.board();
        let mut changed = Vec::new();
        for cell in board.cells() {
            let vertex = board.index(cell) as u16;
            for direction in Direction::ALL {
                let child = self.graph.child(vertex, direction);
                if child != empty.child(vertex, direction) {
                    changed.push(GraphEdge {
                        from: cell,
                        direction,
                        to: child.map(|child| board.cell(usize::from(child))),
                    });
                }
            }
        }
        changed
    }

    /// Records the vertices that the last breadth-first search has discovered; returns the last one.
    fn trace_wave(&self, recorder: &mut Recorder, id: NodeId, moves: u32) -> NodeId {
        let mut wave = Vec::with_capacity(self.bfs.queue.len());
        for (place, &(vertex, parent, direction, distance)) in self.bfs.queue.iter().enumerate() {
            let cell = self.puzzle.board().cell(usize::from(vertex));
            let h = self.min.as_ref().and_then(|map| map.get(cell));
            let g = moves + u32::from(distance);
            let reached = if place == 0 {
                recorder.stay(EventKind::Reach, id, g, h)
            } else {
                let step = Move {
                    robot: self.goal_robot,
                    direction,
                };
                let from = wave[usize::from(parent)];
                recorder.child(EventKind::Reach, from, (step, cell), g, h)
            };
            wave.push(reached);
        }
        wave.pop().unwrap_or(id)
    }

    fn finish_row(&mut self, row: DepthRow, watch: &mut Watch<'_>) {
        self.stats.rows.push(row);
        if self.variant.moves_goal_robot {
            // No state that many moves away is a goal, and one move more does not do either unless
            // it is in `best`.
            if self.best_len() > row.depth + 1 {
                self.lower_bound = self.lower_bound.max(row.depth + 2);
            }
            watch.depth_done(&row);
        } else {
            watch.trace(|recorder| recorder.layer(&row));
        }
    }
}

/// The breadth-first search of the goal robot, with the matrix that it keeps its state in.
struct GoalRobotBfs {
    /// The run in which each vertex was last discovered.
    seen: Vec<u32>,
    run: u32,
    /// Discovered vertices in order: vertex, place of the parent in this list, direction, distance.
    queue: Vec<(u16, u16, Direction, u16)>,
}

impl GoalRobotBfs {
    fn new(vertices: usize) -> Self {
        Self {
            seen: vec![0; vertices],
            run: 0,
            queue: Vec::with_capacity(vertices),
        }
    }

    fn bytes(&self) -> u64 {
        (self.seen.capacity() * size_of::<u32>()
            + self.queue.capacity() * size_of::<(u16, u16, Direction, u16)>()) as u64
    }

    /// Vertices discovered by the last run, the source included.
    fn visited(&self) -> u64 {
        self.queue.len() as u64
    }

    /// The way from `source` to `goal`, if there is one of fewer than `depth` moves. Version 1 has
    /// no map, and searches all that can be reached.
    fn run(
        &mut self,
        graph: &Graph,
        source: u16,
        goal: u16,
        depth: u32,
        min: Option<&MinMoves>,
    ) -> Option<Vec<Direction>> {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.seen.fill(0);
            self.run = 1;
        }
        self.queue.clear();
        self.queue.push((source, 0, Direction::North, 0));
        self.seen[usize::from(source)] = self.run;
        let mut at = 0;
        while let Some(&(vertex, _, _, distance)) = self.queue.get(at) {
            if let Some(min) = min {
                let distance = u32::from(distance);
                // 1. 'depth − 1 is the maximum searchable depth in the BFS that can improve'.
                if distance + 1 >= depth {
                    return None;
                }
                // 2. 'If min[c] + c.d ≥ depth … the rest of this branch is skipped.'
                if u32::from(min.by_index()[usize::from(vertex)]) + distance >= depth {
                    at += 1;
                    continue;
                }
            }
            for (direction, child) in graph.edges(vertex) {
                let seen = &mut self.seen[usize::from(child)];
                if *seen == self.run {
                    continue;
                }
                *seen = self.run;
                self.queue.push((child, at as u16, direction, distance + 1));
                if child == goal {
                    return Some(self.way_to_last());
                }
            }
            at += 1;
        }
        None
    }

    fn way_to_last(&self) -> Vec<Direction> {
        let mut way = Vec::new();
        let mut at = self.queue.len() - 1;
        while at != 0 {
            let (_, parent, direction, _) = self.queue[at];
            way.push(direction);
            at = usize::from(parent);
        }
        way.reverse();
        way
    }
}
