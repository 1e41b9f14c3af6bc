//! The searches that try setups (Algorithms 3 to 6), and the solver that they share with the single
//! colour search: these differ in nothing but the search.
//!
//! Readings of Algorithm 4: both searches are depth first, that of the setups and that of the victory robot, and the
//! first solution is the answer. So the solutions are long, and hardly longer with a greater setup
//! depth, as in the report (9.0, 9.0 and 9.13 moves). A setup is verified before longer ones that
//! begin with it.

use std::cmp::Reverse;

use ricochet_core::{Cell, Direction, Move, Puzzle, Robot, State};

use super::Run;
use super::single_color::{self, SINGLE_COLOR, SingleColorSearch};
use crate::heuristics::critical::{Critical, CrossBlocks, PositionScore};
use crate::registry::{Options, Parameter, SolverInfo, SpecError};
use crate::state_space::visited::{Packing, StateQueue};
use crate::state_space::{Game, SearchState, pack_move};
use crate::trace::{EventKind, NodeId, NodeIds, PruneReason, SetupScore};
use crate::{Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats};

pub(super) const COLOR_DEPTH: Parameter = Parameter {
    key: "color-depth",
    default: "10",
    help: "maximum number of moves of the single colour search",
};

const SETUP_DEPTH: Parameter = Parameter {
    key: "setup-depth",
    default: "4",
    help: "maximum number of moves of a setup",
};

const DEGREE: Parameter = Parameter {
    key: "degree",
    default: "3",
    help: "highest degree of critical paths",
};

/// The depths of the report.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depths {
    /// Most moves of the single colour search.
    pub(super) color: u32,
    /// Most moves of a setup.
    pub(super) setup: u32,
    /// Highest degree of critical paths.
    pub(super) degree: u32,
}

/// The depths of the report's first parameter set.
const REPORT: Depths = Depths {
    color: 10,
    setup: 4,
    degree: 3,
};

/// Looks for solutions within the depths and hands them to [`Run::record`].
type SetupSearch = fn(&mut Run<'_>, Depths) -> Result<(), Limit>;

/// One of the report's searches whose only parameters are depths: the single colour search, and
/// those that try setups.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::published::setups::SetupSolver;
/// use ricochet_solve::{Limits, NullObserver, Solver};
/// let puzzle = notation::parse_line("8x8..0077.R60")?.validate()?;
/// let mut solver = SetupSolver::setup_bfs().setup_depth(2);
/// let (outcome, _) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
/// assert_eq!(outcome.solution().map(ToString::to_string).as_deref(), Some("GN RE"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SetupSolver {
    name: &'static str,
    search: SetupSearch,
    depths: Depths,
}

impl SetupSolver {
    /// `single-color` (section 3.3): only the victory robot moves.
    pub fn single_color() -> Self {
        Self::new(&SINGLE_COLOR, single_color::search)
    }

    /// `setup-bfs` (Algorithm 3): verifies every setup.
    pub fn setup_bfs() -> Self {
        Self::new(&SETUP_BFS, verify_all)
    }

    /// `setup-dfs` (Algorithm 4): setups depth first until one works.
    pub fn setup_dfs() -> Self {
        Self::new(&SETUP_DFS, verify_depth_first)
    }

    /// `setup-position` (Algorithm 5): setups by their position score.
    pub fn setup_position() -> Self {
        Self::new(&SETUP_POSITION, verify_by_position_score)
    }

    /// `setup-crossblock` (Algorithm 6): setups by their cross block score.
    pub fn setup_crossblock() -> Self {
        Self::new(&SETUP_CROSSBLOCK, verify_by_cross_block_score)
    }

    /// Most moves of the single colour search; 10 unless changed.
    #[must_use]
    pub fn color_depth(mut self, most_moves: u32) -> Self {
        self.depths.color = most_moves;
        self
    }

    /// Most moves of a setup; 4 unless changed.
    #[must_use]
    pub fn setup_depth(mut self, most_moves: u32) -> Self {
        self.depths.setup = most_moves;
        self
    }

    /// Highest degree of critical paths, for the two that score setups; 3 unless changed.
    #[must_use]
    pub fn degree(mut self, degree: u32) -> Self {
        self.depths.degree = degree;
        self
    }

    fn new(info: &SolverInfo, search: SetupSearch) -> Self {
        Self {
            name: info.name,
            search,
            depths: REPORT,
        }
    }

    /// For the registry: the same with the depths that are given.
    pub(super) fn build(self, options: &Options) -> Result<Box<dyn Solver>, SpecError> {
        let solver = self
            .color_depth(options.number("color-depth", REPORT.color)?)
            .setup_depth(options.number("setup-depth", REPORT.setup)?)
            .degree(options.number("degree", REPORT.degree)?);
        Ok(Box::new(solver))
    }
}

impl Solver for SetupSolver {
    fn name(&self) -> &'static str {
        self.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Any
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        Run::solve(puzzle, limits, watch, |run| (self.search)(run, self.depths))
    }
}

/// The setups of a puzzle breadth first: shorter ones first, each set of positions once.
struct SetupList {
    victory: Robot,
    packing: Packing,
    store: StateQueue<u128>,
    lengths: Vec<u32>,
    /// For a trace: the nodes of the setups.
    ids: NodeIds,
}

impl SetupList {
    /// Only the empty setup.
    fn new(run: &mut Run<'_>, victory: Robot) -> Result<Self, Limit> {
        let start = run.puzzle.start();
        let packing = Packing::new(run.puzzle.board(), start.len(), false);
        let mut store = StateQueue::new(&mut run.meter)?;
        let root = SearchState {
            state: start,
            axes: 0,
        };
        store.insert(packing.pack(root), 0, 0, &mut run.meter)?;
        let mut ids = NodeIds::default();
        run.watch.trace(|recorder| {
            let root = recorder.root(EventKind::Root, None);
            ids.push(recorder, root);
        });
        Ok(Self {
            victory,
            packing,
            store,
            lengths: vec![0],
            ids,
        })
    }

    /// All setups of at most this many moves.
    fn up_to(run: &mut Run<'_>, victory: Robot, most_moves: u32) -> Result<Self, Limit> {
        let mut setups = Self::new(run, victory)?;
        let mut at = 0;
        while at < setups.len() && setups.length(at) < most_moves {
            run.meter.tick(run.stats.nodes)?;
            setups.expand(run, at)?;
            at += 1;
        }
        Ok(setups)
    }

    fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Number of moves of a setup.
    fn length(&self, number: usize) -> u32 {
        self.lengths[number]
    }

    /// Where it leaves the robots.
    fn state(&self, number: usize) -> State {
        let key = self.store.key(number).expect("a setup of this list");
        self.packing.unpack(key).state
    }

    fn moves(&self, number: usize) -> Vec<Move> {
        self.store.path_to(number)
    }

    /// Adds the setups that are one move longer than this one.
    fn expand(&mut self, run: &mut Run<'_>, number: usize) -> Result<(), Limit> {
        let state = self.state(number);
        for robot in state.robots().filter(|&robot| robot != self.victory) {
            for direction in Direction::ALL {
                let Some(next) = run.puzzle.apply(state, robot, direction) else {
                    continue;
                };
                if run.ends_on_target(robot, next) {
                    continue;
                }
                run.stats.generated += 1;
                let step = Move { robot, direction };
                let (parent, to, g) = (self.ids.get(number), next[robot], self.lengths[number] + 1);
                let child = run.watch.trace(|recorder| {
                    recorder.child(EventKind::Generate, parent, (step, to), g, None)
                });
                let key = self.packing.pack(SearchState {
                    state: next,
                    axes: 0,
                });
                let packed = pack_move(robot, direction);
                if self
                    .store
                    .insert(key, number as u32, packed, &mut run.meter)?
                {
                    run.meter.reserve(&mut self.lengths)?;
                    self.lengths.push(self.lengths[number] + 1);
                    run.watch.trace(|recorder| self.ids.push(recorder, child));
                } else {
                    run.watch.trace(|recorder| {
                        let known = self.ids.get(self.store.find(key).unwrap_or_default());
                        recorder.prune_same(child, PruneReason::Duplicate, known);
                    });
                }
            }
        }
        run.stats.stored = self.len() as u64;
        Ok(())
    }
}

impl Run<'_> {
    /// Runs the single colour search from where a setup leaves the robots; whether it arrives.
    fn verify(
        &mut self,
        search: &mut SingleColorSearch<'_>,
        setups: &SetupList,
        number: usize,
        color_depth: u32,
        score: Option<SetupScore>,
    ) -> Result<bool, Limit> {
        let victory = setups.victory;
        let setup = setups.ids.get(number);
        self.watch
            .trace(|recorder| recorder.at(EventKind::Setup { score }, setup));
        self.node()?;
        let room = (self.shorter_than - 1).saturating_sub(setups.length(number));
        let arrives = search.run(setups.state(number), victory, color_depth.min(room));
        self.stats.expanded += search.reached.len() as u64;
        let made = setups.length(number);
        let last = self
            .watch
            .trace(|recorder| search.trace(recorder, setup, made));
        if arrives {
            let mut moves = setups.moves(number);
            moves.extend(search.path());
            self.record(&moves, last);
        }
        Ok(arrives)
    }

    /// Algorithms 5 and 6: an initial single colour search; then all setups with a score, in its
    /// order (lower values first, shorter setups first among equals), until one works.
    fn verify_by_score<S: Copy + Ord, F: Fn(&[Cell], u32) -> Option<S>>(
        &mut self,
        depths: Depths,
        scoring_for: impl Fn(Robot) -> F,
        traced: impl Fn(S) -> SetupScore,
    ) -> Result<(), Limit> {
        let mut search = SingleColorSearch::new(self.puzzle);
        for victory in self.victory_robots() {
            let root = SetupList::new(self, victory)?;
            if self.verify(&mut search, &root, 0, depths.color, None)? {
                continue;
            }
            let score_of = scoring_for(victory);
            let setups = SetupList::up_to(self, victory, depths.setup)?;
            let mut ordered = Vec::new();
            let mut others = Vec::new();
            for number in 1..setups.len() {
                self.meter.tick(self.stats.nodes)?;
                let state = setups.state(number);
                others.clear();
                others.extend(
                    state
                        .iter()
                        .filter(|&(robot, _)| robot != victory)
                        .map(|(_, cell)| cell),
                );
                if let Some(score) = score_of(&others, setups.length(number)) {
                    self.meter.reserve(&mut ordered)?;
                    ordered.push((score, number));
                }
            }
            ordered.sort_unstable();
            for (score, number) in ordered {
                let score = Some(traced(score));
                if self.verify(&mut search, &setups, number, depths.color, score)? {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Algorithm 3 in the registry.
pub const SETUP_BFS: SolverInfo = SolverInfo {
    name: "setup-bfs",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.4, Algorithm 3",
    summary: "all setups of the other robots, then a single colour search; the shortest of all",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH],
    build: |options| SetupSolver::setup_bfs().build(options),
};

/// Verifies all setups, shorter ones first.
fn verify_all(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    let mut single_color = SingleColorSearch::new(run.puzzle);
    for victory in run.victory_robots() {
        let mut setups = SetupList::new(run, victory)?;
        let mut at = 0;
        // Setups that are too long for a better solution, with the one move that has to follow, need
        // not be verified, nor do those behind them.
        while at < setups.len() && setups.length(at) + 1 < run.shorter_than {
            if run.is_best_possible() {
                return Ok(());
            }
            run.verify(&mut single_color, &setups, at, depths.color, None)?;
            if setups.length(at) < depths.setup {
                setups.expand(run, at)?;
            }
            at += 1;
        }
    }
    Ok(())
}

/// Algorithm 4 in the registry.
pub const SETUP_DFS: SolverInfo = SolverInfo {
    name: "setup-dfs",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.4, Algorithm 4",
    summary: "setups depth first, then the active robot depth first; the first solution",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH],
    build: |options| SetupSolver::setup_dfs().build(options),
};

/// Verifies setups depth first until one works, for each victory robot.
fn verify_depth_first(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    for victory in run.victory_robots() {
        walk_setups(run, victory, depths)?;
    }
    Ok(())
}

/// Walks the tree of setups until one of them leads to a solution.
fn walk_setups(run: &mut Run<'_>, victory: Robot, depths: Depths) -> Result<(), Limit> {
    let others: Vec<Robot> = run
        .puzzle
        .start()
        .robots()
        .filter(|&r| r != victory)
        .collect();
    let mut setup: Vec<Move> = Vec::new();
    let (start, root) = (
        run.puzzle.start(),
        run.watch
            .trace(|recorder| recorder.root(EventKind::Root, None)),
    );
    if search_depth_first(run, (start, root), victory, &setup, depths.color)? {
        return Ok(());
    }
    let mut open: Vec<(State, NodeId, usize)> = vec![(start, root, 0)];
    while let Some((here, id, next_move)) = open.last_mut() {
        let number = *next_move;
        *next_move += 1;
        if number == others.len() * 4 || setup.len() as u32 >= depths.setup {
            open.pop();
            setup.pop();
            continue;
        }
        let step = Move {
            robot: others[number / 4],
            direction: Direction::from_index(number),
        };
        let Some(next) = run.puzzle.apply(*here, step.robot, step.direction) else {
            continue;
        };
        if run.ends_on_target(step.robot, next) {
            continue;
        }
        setup.push(step);
        let (id, to, g) = (*id, next[step.robot], setup.len() as u32);
        let id = run
            .watch
            .trace(|recorder| recorder.child(EventKind::Generate, id, (step, to), g, None));
        if search_depth_first(run, (next, id), victory, &setup, depths.color)? {
            return Ok(());
        }
        run.meter.reserve(&mut open)?;
        open.push((next, id, 0));
    }
    Ok(())
}

/// Searches depth first with the victory robot alone, without taking moves back (where there are
/// diagonals, the opposite move may go another way and takes nothing back); whether it arrives.
fn search_depth_first(
    run: &mut Run<'_>,
    (state, setup_id): (State, NodeId),
    victory: Robot,
    setup: &[Move],
    color_depth: u32,
) -> Result<bool, Limit> {
    run.watch
        .trace(|recorder| recorder.at(EventKind::Setup { score: None }, setup_id));
    run.node()?;
    let room = (run.shorter_than - 1).saturating_sub(setup.len() as u32);
    let depth = color_depth.min(room);
    let game = Game::new(run.puzzle);
    let straight = run.puzzle.board().diagonals().is_empty();
    let root = SearchState { state, axes: 0 };
    let mut path = setup.to_vec();
    let mut open: Vec<(SearchState, NodeId, usize)> = vec![(root, setup_id, 0)];
    while let Some((here, id, next_move)) = open.last_mut() {
        let direction = Direction::from_index(*next_move);
        *next_move += 1;
        let made = path.len() - setup.len();
        if *next_move > 4 || made as u32 >= depth {
            open.pop();
            if made > 0 {
                path.pop();
            }
            continue;
        }
        if straight
            && made > 0
            && path
                .last()
                .is_some_and(|last| last.direction.opposite() == direction)
        {
            continue;
        }
        let Some(next) = game.step(*here, victory, direction) else {
            continue;
        };
        run.stats.expanded += 1;
        let step = Move {
            robot: victory,
            direction,
        };
        path.push(step);
        let (id, to, g) = (*id, next.state[victory], path.len() as u32);
        let id = run
            .watch
            .trace(|recorder| recorder.child(EventKind::Reach, id, (step, to), g, None));
        run.meter.tick(run.stats.nodes)?;
        if game.is_over(next) {
            run.record(&path, id);
            return Ok(true);
        }
        open.push((next, id, 0));
    }
    Ok(false)
}

/// Algorithm 5 in the registry.
pub const SETUP_POSITION: SolverInfo = SolverInfo {
    name: "setup-position",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.5, Algorithm 5",
    summary: "setups that occupy critical positions, highest position score first",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH, DEGREE],
    build: |options| SetupSolver::setup_position().build(options),
};

/// Verifies setups in the order of their position score, the sum of 1/degree over the critical
/// positions that the other robots occupy divided by the length of the setup, until one works.
fn verify_by_position_score(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    let puzzle = run.puzzle;
    let scoring_for = |victory| {
        let critical = Critical::new(puzzle.board(), victory, puzzle.goal().cell, depths.degree);
        move |others: &[Cell], setup_moves| {
            let score = PositionScore::of(&critical, others.iter().copied(), setup_moves);
            score.is_positive().then_some(Reverse(score))
        }
    };
    run.verify_by_score(depths, scoring_for, |Reverse(score)| {
        SetupScore::Position(score)
    })
}

/// Algorithm 6 in the registry.
pub const SETUP_CROSSBLOCK: SolverInfo = SolverInfo {
    name: "setup-crossblock",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.6, Algorithm 6",
    summary: "setups that stop the active robot on a critical path, lowest cross block score first",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH, DEGREE],
    build: |options| SetupSolver::setup_crossblock().build(options),
};

/// Verifies setups in the order of their cross block score until one works.
///
/// 'Cross block score = Victoryrobot moves + Critical Degree + Setup moves', the lowest over all
/// occupied cross block positions. It estimates the length of a solution.
fn verify_by_cross_block_score(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    let puzzle = run.puzzle;
    let scoring_for = |victory| {
        let critical = Critical::new(puzzle.board(), victory, puzzle.goal().cell, depths.degree);
        let blocks = CrossBlocks::new(puzzle, victory, &critical, depths.color);
        move |others: &[Cell], setup_moves| blocks.score(others.iter().copied(), setup_moves)
    };
    run.verify_by_score(depths, scoring_for, SetupScore::CrossBlock)
}
