//! Long puzzles, drawn from all states of a board and goal instead of tried one by one.
//!
//! One random position in 77,000 on official boards needs 20 moves or more, and 42 of the 1,632 boards
//! and targets of the first edition have any such position (`records/2026-11-16-census`). So a
//! [`Miner`] first looks for boards and goals that are hard: it solves a few random positions of
//! many, and more of those that were hardest. Then it makes the table of all distances of one after
//! the other, the hardest first, and draws from the states of the wanted lengths, all of them equally
//! likely.

use std::cmp::Reverse;
use std::hash::BuildHasher;
use std::ops::RangeInclusive;

use ricochet_core::generate::{GenerateError, MAX_CROWDED_BOARDS, Recipe};
use ricochet_core::rng::Rng;
use ricochet_core::{Cell, Puzzle, State};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::flagship::Flagship;
use crate::lowlevel::set256::Set256;
use crate::tablebase::{Builder, Distances, Space, Tablebase, TablebaseError};
use crate::{Budget, Limit, Limits, NullObserver, Outcome, Solver};

/// Boards and goals that are surveyed before tables of the hardest are made.
const SURVEYED: u64 = 1024;

/// Random positions solved on each of them, up to [`MAX_MOVES`].
const POSITIONS: usize = 12;

/// The number of hardest boards and goals that get a second round and tables.
const HARDEST: usize = 32;

/// Positions solved on each of these.
const SECOND_POSITIONS: usize = 100;

/// Longer solutions count as one move more than this: finding rarer ones is not worth the time.
const MAX_MOVES: u32 = 14;

/// Puzzles that may be drawn before boards and goals are looked for again. A table gives its share
/// of them, so that not all puzzles are on one board.
const OF_ALL_TABLES: usize = HARDEST * 25;

/// Unsuccessful draws from one table before the next is made.
const PATIENCE: usize = 2_000;

/// Configurations that are counted together.
const BLOCK: usize = 1 << 12;

/// Why no puzzle was mined.
#[derive(Debug)]
pub enum MiningError {
    /// A limit came first.
    Stopped(Limit),
    /// This many boards and goals in a row gave nothing.
    Nothing(u64),
    /// Tables do not support such boards: they are too large, or have a rule that tables do not know.
    NoTable(TablebaseError),
    /// No puzzle can match the filter.
    Recipe(GenerateError),
}

impl std::fmt::Display for MiningError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stopped(limit) => limit.fmt(f),
            Self::Nothing(tables) => write!(f, "no such position in {tables} tables"),
            Self::NoTable(error) => error.fmt(f),
            Self::Recipe(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MiningError {}

impl From<Limit> for MiningError {
    fn from(limit: Limit) -> Self {
        Self::Stopped(limit)
    }
}

impl From<TablebaseError> for MiningError {
    fn from(error: TablebaseError) -> Self {
        match error.limit() {
            Some(limit) if limit != Limit::Memory => Self::Stopped(limit),
            _ => Self::NoTable(error),
        }
    }
}

/// The step that a [`Miner`] begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MiningPhase {
    /// It looks for boards and targets that are hard.
    Survey,
    /// It builds the table of all positions of one of them.
    Table {
        /// The number of the table, from 1.
        number: u64,
    },
    /// It draws positions from the table.
    Draw,
}

impl std::fmt::Display for MiningPhase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Survey => f.write_str("looking for hard boards and targets"),
            Self::Table { number } => write!(f, "building table {number} of all positions"),
            Self::Draw => f.write_str("drawing positions from a table"),
        }
    }
}

/// Mines puzzles; the same recipe, seed and filter give the same ones.
///
/// ```
/// use ricochet_core::generate::{RandomBoard, Recipe};
/// use ricochet_solve::Limits;
/// use ricochet_solve::generation::Miner;
/// let recipe = Recipe { robots: 2, ..Recipe::random(RandomBoard::new(8, 8)) };
/// let mut miner = Miner::new(recipe, 7, 9..=11);
/// let puzzle = miner.next(&Limits::default())?;
/// assert!((9..=11).contains(&puzzle.known_optimal().unwrap()));
/// # Ok::<(), ricochet_solve::generation::MiningError>(())
/// ```
pub struct Miner {
    recipe: Recipe,
    seed: u64,
    moves: RangeInclusive<u32>,
    unique: bool,
    /// The number of the next board and goal to look at.
    number: u64,
    /// Boards and goals whose tables are to be built, the hardest last.
    waiting: Vec<(u64, Puzzle)>,
    sampler: Option<TableSampler>,
    builder: Builder,
    flagship: Flagship,
    tables: u64,
    /// How many puzzles are drawn from each of the tables that are waiting.
    most_of_one: usize,
    /// The states drawn so far, by board and goal.
    seen: FxHashSet<(u64, State)>,
    /// Boards and goals that have nothing more to draw.
    exhausted: FxHashSet<u64>,
    watch: Option<PhaseObserver>,
}

/// Hears of each phase.
pub(super) type PhaseObserver = Box<dyn FnMut(MiningPhase) + Send>;

/// A table and the states to draw from.
struct TableSampler {
    number: u64,
    /// Any position on the board, with its printed targets.
    puzzle: Puzzle,
    table: Tablebase,
    /// How many states of the wanted lengths the blocks before have, for each block and the end.
    before: Vec<u64>,
    rng: Rng,
    /// The same for the same board and goal.
    place: u64,
    drawn: usize,
    misses: usize,
}

impl Miner {
    /// Looks for puzzles with shortest solutions of these lengths.
    pub fn new(recipe: Recipe, seed: u64, moves: RangeInclusive<u32>) -> Self {
        Self {
            recipe,
            seed,
            moves,
            unique: false,
            number: 0,
            waiting: Vec::new(),
            sampler: None,
            builder: Builder::new(1),
            flagship: Flagship::new(),
            tables: 0,
            most_of_one: OF_ALL_TABLES,
            seen: FxHashSet::default(),
            exhausted: FxHashSet::default(),
            watch: None,
        }
    }

    /// Sets the number of threads that build tables; results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.builder = Builder::new(threads);
        self
    }

    /// Looks at the boards and goals from this number on.
    #[must_use]
    pub fn from_number(mut self, first: u64) -> Self {
        self.number = first;
        self
    }

    /// Takes only puzzles with exactly one shortest solution.
    #[must_use]
    pub fn unique(mut self, unique: bool) -> Self {
        self.unique = unique;
        self
    }

    /// How many tables were made.
    pub fn tables(&self) -> u64 {
        self.tables
    }

    /// The number of the board and goal that puzzles are drawn from now; `None` before the first.
    pub fn number(&self) -> Option<u64> {
        self.sampler.as_ref().map(|sampler| sampler.number)
    }

    /// Bytes of the table that puzzles are drawn from now.
    pub fn bytes(&self) -> u64 {
        let table = self.sampler.as_ref().map(|sampler| sampler.table.space());
        table.map_or(0, |space| Distances::bytes(space.configurations()))
    }

    /// What a table costs, in the nodes of a search. Trying that has cost as much without success is
    /// better given up.
    ///
    /// # Errors
    /// If there is no table of such boards, or none that fits into the memory.
    pub fn cost(recipe: &Recipe, seed: u64, memory: u64) -> Result<u64, MiningError> {
        // The board of one number may be too crowded; then another one stands for all.
        let puzzle = (0..u64::from(MAX_CROWDED_BOARDS))
            .find_map(|number| recipe.puzzle(seed, number).ok())
            .map_or_else(|| recipe.puzzle(seed, 0), Ok)
            .map_err(MiningError::Recipe)?;
        let space = Space::of(&puzzle)?;
        let (configurations, bytes) = (
            space.configurations() as u64,
            Builder::tablebase_bytes(&space),
        );
        if bytes > memory {
            return Err(MiningError::NoTable(TablebaseError::TooLarge {
                configurations,
                bytes,
                limit: memory,
            }));
        }
        Ok(configurations * crate::tablebase::NODES_PER_CONFIGURATION)
    }

    /// The next puzzle, with its optimum and a name: the seed, the number of its board and goal, and
    /// how many were drawn of them before.
    ///
    /// # Errors
    /// If a limit of time or memory or the cancel switch ends it, if no table can be made, or if
    /// none of the hardest boards and goals has such a position. The time is that of the whole call.
    pub fn next(&mut self, limits: &Limits) -> Result<Puzzle, MiningError> {
        let budget = Budget::start(limits);
        let mut misses = 0;
        loop {
            if let Some(sampler) = &mut self.sampler {
                if sampler.drawn < self.most_of_one
                    && let Some(puzzle) = sampler.next(
                        self.seed,
                        self.unique,
                        &self.moves,
                        &mut self.seen,
                        &budget,
                    )?
                {
                    return Ok(puzzle);
                }
                if sampler.drawn == 0 {
                    self.exhausted.insert(sampler.place);
                    misses += 1;
                }
                self.sampler = None;
            }
            if self.waiting.is_empty() {
                if misses > 0 {
                    return Err(MiningError::Nothing(misses));
                }
                self.begin(MiningPhase::Survey);
                self.survey_boards(&budget)?;
                // The memory is for the tables from here on.
                self.flagship.release();
            }
            let Some((number, puzzle)) = self.waiting.pop() else {
                return Err(MiningError::Nothing(misses));
            };
            let space = Space::of(&puzzle)?;
            self.begin(MiningPhase::Table {
                number: self.tables + 1,
            });
            let table = (self.builder).tablebase(&space, &budget.left(), &mut NullObserver)?;
            self.tables += 1;
            self.sampler = Some(TableSampler::new(
                number,
                puzzle,
                table,
                &self.moves,
                self.seed,
            ));
            self.begin(MiningPhase::Draw);
        }
    }

    /// Calls `watch` at the beginning of each phase: some take minutes.
    pub(super) fn watch_phases(&mut self, watch: Option<PhaseObserver>) {
        self.watch = watch;
    }

    fn begin(&mut self, phase: MiningPhase) {
        if let Some(watch) = &mut self.watch {
            watch(phase);
        }
    }

    /// Looks at some boards and goals, and keeps the hardest.
    fn survey_boards(&mut self, budget: &Budget) -> Result<(), MiningError> {
        let mut met = FxHashSet::default();
        let mut found = Vec::new();
        let mut unlucky = None;
        for _ in 0..SURVEYED {
            let number = self.number;
            self.number = self.number.wrapping_add(1);
            match self.recipe.puzzle(self.seed, number) {
                // The same board and goal has one table; the first number stands for it.
                Ok(puzzle) => {
                    let place = place(&puzzle);
                    if met.insert(place) && !self.exhausted.contains(&place) {
                        let hardness = self.hardness(number, &puzzle, POSITIONS, budget)?;
                        found.push((hardness, number, puzzle));
                    }
                }
                Err(error) => unlucky = Some(error),
            }
        }
        if let (true, Some(error)) = (met.is_empty(), unlucky) {
            return Err(MiningError::Recipe(error));
        }
        keep_hardest(&mut found);
        for (hardness, number, puzzle) in &mut found {
            *hardness = self.hardness(*number, puzzle, SECOND_POSITIONS, budget)?;
        }
        keep_hardest(&mut found);
        self.most_of_one = OF_ALL_TABLES / found.len().max(1);
        self.waiting = found
            .into_iter()
            .map(|(_, number, puzzle)| (number, puzzle))
            .collect();
        Ok(())
    }

    /// The moves that some random positions of a board and goal need together.
    fn hardness(
        &mut self,
        number: u64,
        puzzle: &Puzzle,
        positions: usize,
        budget: &Budget,
    ) -> Result<u32, MiningError> {
        let mut rng = Rng::stream(!self.seed, number);
        let goal = puzzle.goal();
        let open = |cell: &Cell| !puzzle.board().is_closed(*cell) && *cell != goal.cell;
        let mut cells: Vec<Cell> = puzzle.board().cells().filter(open).collect();
        let mut hardness = 0;
        for _ in 0..positions {
            // A solver looks at the clock only after many nodes, which easy positions do not need.
            budget.check()?;
            let limits = Limits {
                moves: Some(MAX_MOVES),
                ..budget.left()
            };
            rng.shuffle(&mut cells);
            let robots = puzzle.start().len().min(cells.len());
            let Ok(position) = puzzle.with_position(&cells[..robots], goal) else {
                return Ok(0);
            };
            hardness += match self.flagship.solve(&position, &limits, &mut NullObserver).0 {
                Outcome::LimitReached {
                    limit: Limit::Moves,
                    lower_bound,
                } => lower_bound,
                Outcome::LimitReached { limit, .. } => return Err(MiningError::Stopped(limit)),
                outcome => outcome.solution().map_or(0, |it| it.len() as u32),
            };
        }
        Ok(hardness)
    }
}

/// Sorts so that the hardest is last, of equals the one with the lowest number, and drops the easy.
fn keep_hardest(found: &mut Vec<(u32, u64, Puzzle)>) {
    found.sort_by_key(|&(hardness, number, _)| (hardness, Reverse(number)));
    let easy = found.len().saturating_sub(HARDEST);
    found.drain(..easy);
}

/// The same for the same board and goal.
fn place(puzzle: &Puzzle) -> u64 {
    let goal = puzzle.goal();
    FxBuildHasher.hash_one((puzzle.board().walls(), puzzle.board().diagonals(), goal))
}

impl TableSampler {
    fn new(
        number: u64,
        puzzle: Puzzle,
        table: Tablebase,
        moves: &RangeInclusive<u32>,
        seed: u64,
    ) -> Self {
        let mut before = vec![0];
        let mut sum = 0;
        let configurations = table.space().configurations();
        let longest = table.histogram().max_distance();
        if longest.is_some_and(|longest| longest >= *moves.start()) {
            for configuration in 0..configurations {
                sum += u64::from(table.states_between(configuration, moves).len());
                if (configuration + 1).is_multiple_of(BLOCK) || configuration + 1 == configurations
                {
                    before.push(sum);
                }
            }
        }
        Self {
            number,
            place: place(&puzzle),
            puzzle,
            table,
            before,
            rng: Rng::stream(seed, !number),
            drawn: 0,
            misses: 0,
        }
    }

    /// The next puzzle that was not drawn before; `None` if the sampler is worked out.
    fn next(
        &mut self,
        seed: u64,
        unique: bool,
        moves: &RangeInclusive<u32>,
        seen: &mut FxHashSet<(u64, State)>,
        budget: &Budget,
    ) -> Result<Option<Puzzle>, MiningError> {
        let states = self.before[self.before.len() - 1];
        while states > 0 && self.misses < PATIENCE {
            budget.check()?;
            self.misses += 1;
            let state = self.draw(moves);
            if !seen.insert((self.place, self.table.space().canonical(&state))) {
                continue;
            }
            if unique && self.table.count_solutions(&state)? != 1 {
                continue;
            }
            let distance = self.table.distance(&state)?;
            let mixed = self.with_helpers_mixed(state);
            let goal = self.puzzle.goal();
            let puzzle = self.puzzle.with_position(mixed.cells(), goal);
            let puzzle = puzzle.expect("robots of a state stand where robots may");
            let id = format!("S{seed}-T{}-{}", self.number, self.drawn);
            self.drawn += 1;
            self.misses = 0;
            return Ok(Some(puzzle.with_id(id).with_optimal(distance)));
        }
        Ok(None)
    }

    /// A state of the wanted lengths, all equally likely.
    fn draw(&mut self, moves: &RangeInclusive<u32>) -> State {
        let states = self.before[self.before.len() - 1];
        let mut rest = self.rng.below(states as usize) as u64;
        let block = self.before.partition_point(|&before| before <= rest) - 1;
        rest -= self.before[block];
        for configuration in block * BLOCK.. {
            let states = self.table.states_between(configuration, moves);
            let here = u64::from(states.len());
            if rest < here {
                let bit = states
                    .iter()
                    .nth(rest as usize)
                    .expect("there are more than `rest`");
                return self.table.space().state(configuration, bit);
            }
            rest -= here;
        }
        unreachable!("the block has as many states as were counted")
    }

    /// Tables have helpers that can stand for each other in the order of their cells.
    fn with_helpers_mixed(&mut self, mut state: State) -> State {
        let helpers = self.table.space().puzzle(&state).interchangeable();
        let mut cells: Vec<Cell> = helpers.iter().map(|&robot| state[robot]).collect();
        self.rng.shuffle(&mut cells);
        for (&robot, cell) in helpers.iter().zip(cells) {
            state = state.with(robot, cell);
        }
        state
    }
}

impl Tablebase {
    /// The lead's cells of a configuration from which the goal is this many moves away; none if the
    /// table is in a file.
    fn states_between(&self, configuration: usize, moves: &RangeInclusive<u32>) -> Set256 {
        let Some(distances) = self.distances() else {
            return Set256::EMPTY;
        };
        let planes = distances.of(configuration);
        let most = (1u32 << planes.len()) - 2;
        let mut all = Set256::EMPTY;
        for distance in *moves.start()..=most.min(*moves.end()) {
            let mut states = Set256::FULL;
            for (i, &plane) in planes.iter().enumerate() {
                let has_bit = (distance + 1) >> i & 1 == 1;
                states &= if has_bit { plane } else { !plane };
            }
            all |= states;
        }
        all
    }
}
