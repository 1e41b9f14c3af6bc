//! [`PuzzleMaker`]: makes puzzles that pass a [`PuzzleFilter`].
//!
//! Candidates are tested one after the other; long puzzles, which are rare, are drawn from tables of
//! all positions of a board once that is cheaper. The maker decides when, for the command line, the
//! service and Python alike. It starts no threads: the caller tests candidates on as many as it
//! likes, and records the verdicts in the order of their numbers.

mod filter;
mod mining;

use std::fmt;
use std::ops::RangeInclusive;

use ricochet_core::Puzzle;
use ricochet_core::generate::{
    BoardSource, GenerateError, GoalCell, GoalRobot, MAX_CROWDED_BOARDS, Recipe,
};
use ricochet_core::quadrants::{Edition, Layout};

use crate::difficulty::Features;
use crate::memory::default_memory_limit;
use crate::{Limit, Limits, Solver};

pub use filter::{PuzzleFilter, Verdict};
pub use mining::{Miner, MiningError, MiningPhase};

/// This many candidates are always tried first, so that on small boards, where a table costs next to
/// nothing, a seed gives puzzles of its own numbers as long as there are any.
const TRIED_FIRST: u64 = 10_000;

/// The average number of nodes of a flagship search from a random position on an official board.
const NODES_PER_CANDIDATE: u64 = 2_600;

/// The most moves that any puzzle of a recipe needs, as far as that is known: all states of four
/// robots on the boards of the 1999 edition have been counted (`records/2026-11-16-census`).
///
/// ```
/// use ricochet_core::generate::Recipe;
/// use ricochet_core::quadrants::Edition;
/// use ricochet_solve::generation::longest_solution;
/// assert_eq!(longest_solution(&Recipe::official(Edition::Of1999)), Some(25));
/// assert_eq!(longest_solution(&Recipe::official(Edition::Of2013)), None);
/// ```
pub fn longest_solution(recipe: &Recipe) -> Option<u32> {
    let in_edition = |layout: &Layout| {
        let quadrants = layout.quadrants();
        quadrants.iter().all(|&it| Edition::Of1999.has(it))
    };
    let is_counted = match &recipe.board {
        BoardSource::Official(edition) => *edition == Edition::Of1999,
        BoardSource::Layout(layout) => in_edition(layout),
        BoardSource::Random(_) | BoardSource::Board(_) => false,
    };
    let is_counted = is_counted
        && recipe.robots == 4
        && recipe.goal_cell == GoalCell::PrintedTarget
        && !recipe.rules.must_ricochet;
    is_counted.then_some(match recipe.goal_robot {
        GoalRobot::AnyRobot => 17,
        _ => 25,
    })
}

/// The candidates of one seed, each made and tested by its number.
#[derive(Clone, Debug)]
pub struct Candidates {
    recipe: Recipe,
    filter: PuzzleFilter,
    seed: u64,
}

impl Candidates {
    /// Their seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether candidates have to be solved.
    pub fn need_solver(&self) -> bool {
        self.filter.needs_solver()
    }

    /// Makes a candidate and tests it.
    ///
    /// # Errors
    /// If there is no candidate of this number.
    pub fn judge(
        &self,
        number: u64,
        solver: &mut dyn Solver,
        limits: &Limits,
    ) -> Result<Verdict, GenerateError> {
        let candidate = self.recipe.puzzle(self.seed, number)?;
        let candidate = candidate.with_id(format!("S{}-{number}", self.seed));
        Ok(self.filter.judge(candidate, solver, limits))
    }

    /// How many candidates cost as much as one table; `None` if the filter has no length.
    fn per_table(&self, memory: u64) -> Result<Option<u64>, MiningError> {
        let moves = self.filter.moves.as_ref();
        if moves.is_none_or(RangeInclusive::is_empty) {
            return Ok(None);
        }
        let nodes = Miner::cost(&self.recipe, self.seed, memory)?;
        Ok(Some(nodes / NODES_PER_CANDIDATE))
    }

    /// Rejects puzzles whose shortest solutions are longer than this as well.
    fn limit_moves(&mut self, most: u32) {
        let moves = self.filter.moves.take();
        self.filter.moves = moves.map(|it| *it.start()..=(*it.end()).min(most));
    }

    /// Draws puzzles of the filter's length and uniqueness; `None` if it has no length.
    /// [`Candidates::judge_drawn`] tests the rest of the filter.
    fn miner(&self) -> Option<Miner> {
        let moves = self.filter.moves.clone()?;
        let miner = Miner::new(self.recipe.clone(), self.seed, moves);
        Some(miner.unique(self.filter.unique))
    }

    fn judge_drawn(&self, puzzle: Puzzle, solver: &mut dyn Solver, limits: &Limits) -> Verdict {
        if self.filter.robots_used.is_none() && !self.filter.needs_features() {
            return Verdict::Accepted(Box::new(puzzle), None);
        }
        self.filter.judge(puzzle, solver, limits)
    }
}

/// How a puzzle is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Candidates are tested one after the other.
    #[default]
    Tried,
    /// Puzzles are drawn from tables of all positions of a board and target.
    Drawn,
}

/// How many puzzles to make, from which candidates, and when to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MakerOptions {
    /// How many puzzles to make.
    pub count: u64,
    /// The number of the first candidate.
    pub first: u64,
    /// Tests this many candidates, whatever matches, and draws nothing from tables: so any range of
    /// numbers gives its part of what the whole gives.
    pub candidates: Option<u64>,
    /// Gives up after this many candidates in a row that do not match. A table without a matching
    /// position counts as the candidates that it costs.
    pub patience: u64,
    /// The most bytes of a table. Default: nine tenths of the free memory.
    pub memory: Option<u64>,
    /// The longest solution of interest.
    pub moves: Option<u32>,
    /// The threads that make a table; the puzzles do not depend on it.
    pub threads: usize,
}

impl Default for MakerOptions {
    fn default() -> Self {
        Self {
            count: 1,
            first: 0,
            candidates: None,
            patience: u64::MAX,
            memory: None,
            moves: None,
            threads: 1,
        }
    }
}

/// The result of testing a candidate, or of drawing a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt {
    /// A puzzle that matches.
    Found(GeneratedPuzzle),
    /// It does not match: continue.
    NoMatch,
    /// Too many attempts failed.
    GaveUp(GiveUpReason),
    /// A limit was reached, or the search was cancelled.
    Stopped(Limit),
}

/// Why a [`PuzzleMaker`] gives up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GiveUpReason {
    /// Too many candidates in a row do not match.
    CandidateLimit,
    /// None of the tables made so far has a position of the right length.
    NoSuchPosition {
        /// How many tables.
        tables: u64,
    },
    /// Too many of the puzzles that were drawn do not match.
    NoneDrawnMatch,
    /// There are no tables of such boards; the text says why.
    NoTable(String),
}

impl fmt::Display for GiveUpReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CandidateLimit => f.write_str("candidate limit"),
            Self::NoSuchPosition { tables } => {
                let s = if *tables == 1 { "" } else { "s" };
                write!(f, "no such position in {tables} table{s} of all positions")
            }
            Self::NoneDrawnMatch => f.write_str("none of those drawn match"),
            Self::NoTable(why) => f.write_str(why),
        }
    }
}

/// A puzzle that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedPuzzle {
    /// The puzzle, with its optimum if a solver was needed.
    pub puzzle: Box<Puzzle>,
    /// Its features, if they were needed.
    pub features: Option<Box<Features>>,
    /// How it was found.
    pub method: Method,
    /// Its number, or that of its board and target if it was drawn.
    pub number: u64,
    /// Candidates tested since the previous puzzle.
    pub tried: u64,
}

/// Makes puzzles that pass a filter.
///
/// ```
/// use ricochet_core::generate::{RandomBoard, Recipe};
/// use ricochet_solve::generation::{Attempt, MakerOptions, Method, PuzzleFilter, PuzzleMaker};
/// use ricochet_solve::{Limits, registry};
/// let recipe = Recipe { robots: 2, ..Recipe::random(RandomBoard::new(6, 6)) };
/// let filter = PuzzleFilter { moves: Some(20..=99), ..PuzzleFilter::default() };
/// let options = MakerOptions { count: 2, ..MakerOptions::default() };
/// let mut maker = PuzzleMaker::new(recipe, filter, 7, options);
/// let mut solver = registry::build("flagship")?;
/// let mut found = Vec::new();
/// while !maker.is_done() {
///     match maker.next(solver.as_mut(), &Limits::default())? {
///         Attempt::Found(puzzle) => found.push(puzzle),
///         Attempt::NoMatch => {}
///         _ => break,
///     }
/// }
/// // No such puzzle is among the first ten thousand candidates, so they were drawn.
/// assert_eq!((found[0].method, found[0].puzzle.id()), (Method::Drawn, Some("S7-T251-0")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PuzzleMaker {
    candidates: Candidates,
    options: MakerOptions,
    tried: u64,
    found: u64,
    /// Candidates since the last match, and the cost of tables without one.
    misses: u64,
    /// Numbers in a row whose walls did not fit on the board.
    crowded: u32,
    /// Candidates since the last puzzle.
    tried_since: u64,
    /// How many candidates cost as much as a table, once that matters.
    per_table: Option<u64>,
    miner: Option<Miner>,
    /// Taken by the miner once there is one.
    watch: Option<mining::PhaseObserver>,
}

impl PuzzleMaker {
    /// A maker of puzzles that pass the filter, from the candidates of a recipe and a seed.
    pub fn new(recipe: Recipe, filter: PuzzleFilter, seed: u64, options: MakerOptions) -> Self {
        let mut candidates = Candidates {
            recipe,
            filter,
            seed,
        };
        if let Some(most) = options.moves {
            candidates.limit_moves(most);
        }
        Self {
            candidates,
            options,
            tried: 0,
            found: 0,
            misses: 0,
            crowded: 0,
            tried_since: 0,
            per_table: None,
            miner: None,
            watch: None,
        }
    }

    /// Calls `watch` at the beginning of each phase of drawing puzzles from tables.
    pub fn watch_phases(&mut self, watch: impl FnMut(MiningPhase) + Send + 'static) {
        self.watch = Some(Box::new(watch));
    }

    /// How many puzzles to make, from which candidates, and when to give up.
    pub fn options(&self) -> &MakerOptions {
        &self.options
    }

    /// The candidates, to be tested on other threads.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The numbers of the candidates that are still to be tested, in the order in which their
    /// verdicts are recorded.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + Send + use<> {
        let next = self.next_number();
        (0..).map(move |i| next.wrapping_add(i))
    }

    /// The number of the next candidate.
    pub fn next_number(&self) -> u64 {
        self.options.first.wrapping_add(self.tried)
    }

    /// How puzzles are looked for at present.
    pub fn method(&self) -> Method {
        match self.miner {
            None => Method::Tried,
            Some(_) => Method::Drawn,
        }
    }

    /// Puzzles found so far.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Candidates tested so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Candidates tested since the last puzzle.
    pub fn tried_since(&self) -> u64 {
        self.tried_since
    }

    /// Tables made so far.
    pub fn tables(&self) -> u64 {
        self.miner.as_ref().map_or(0, Miner::tables)
    }

    /// Whether all puzzles are made.
    pub fn is_done(&self) -> bool {
        match self.options.candidates {
            Some(candidates) => self.tried >= candidates,
            None => self.found >= self.options.count,
        }
    }

    /// Tests the next candidate, or draws a puzzle.
    ///
    /// # Errors
    /// If the recipe can make no puzzle.
    pub fn next(
        &mut self,
        solver: &mut dyn Solver,
        limits: &Limits,
    ) -> Result<Attempt, GenerateError> {
        match self.method() {
            Method::Drawn => self.draw(solver, limits),
            Method::Tried => {
                let verdict = self.candidates.judge(self.next_number(), solver, limits);
                self.record(verdict)
            }
        }
    }

    /// Records the verdict on the next candidate.
    ///
    /// # Errors
    /// If the recipe can make no puzzle. A few numbers whose walls do not fit on the board are
    /// bad luck; many in a row are an error.
    pub fn record(
        &mut self,
        verdict: Result<Verdict, GenerateError>,
    ) -> Result<Attempt, GenerateError> {
        let verdict = match verdict {
            Err(GenerateError::NoRoomFor { .. }) if self.crowded < MAX_CROWDED_BOARDS => {
                self.crowded += 1;
                Verdict::Rejected
            }
            verdict => {
                self.crowded = 0;
                verdict?
            }
        };
        let number = self.next_number();
        self.tried += 1;
        self.tried_since += 1;
        self.misses += 1;
        let attempt = match verdict {
            Verdict::Cancelled => return Ok(Attempt::Stopped(Limit::Cancelled)),
            Verdict::Accepted(puzzle, features) => self.accept(puzzle, features, number),
            Verdict::Rejected => Attempt::NoMatch,
        };
        if self.should_draw() {
            let MakerOptions { threads, first, .. } = self.options;
            let miner = self.candidates.miner();
            self.miner = miner.map(|miner| {
                let mut miner = miner.threads(threads).from_number(first);
                miner.watch_phases(self.watch.take());
                miner
            });
            self.misses = 0;
        }
        let is_impatient =
            self.options.candidates.is_none() && self.misses >= self.options.patience;
        if attempt == Attempt::NoMatch && is_impatient {
            return Ok(Attempt::GaveUp(GiveUpReason::CandidateLimit));
        }
        Ok(attempt)
    }

    /// Draws a puzzle from a table.
    fn draw(&mut self, solver: &mut dyn Solver, limits: &Limits) -> Result<Attempt, GenerateError> {
        let Some(miner) = &mut self.miner else {
            return Ok(Attempt::NoMatch);
        };
        // The tables need the memory.
        solver.release();
        let limits = Limits {
            memory: Some(table_memory(limits.memory.or(self.options.memory))),
            moves: None,
            ..limits.clone()
        };
        let puzzle = match miner.next(&limits) {
            Ok(puzzle) => puzzle,
            Err(MiningError::Stopped(limit)) => return Ok(Attempt::Stopped(limit)),
            Err(MiningError::Nothing(tables)) => {
                let each = self.per_table.unwrap_or(TRIED_FIRST);
                let cost = tables.saturating_mul(each);
                self.misses = self.misses.saturating_add(cost);
                if tables > 0 && self.misses < self.options.patience {
                    return Ok(Attempt::NoMatch);
                }
                return Ok(Attempt::GaveUp(GiveUpReason::NoSuchPosition {
                    tables: miner.tables(),
                }));
            }
            Err(MiningError::NoTable(error)) => {
                return Ok(match error.limit() {
                    Some(limit) => Attempt::Stopped(limit),
                    None => Attempt::GaveUp(GiveUpReason::NoTable(error.to_string())),
                });
            }
            Err(MiningError::Recipe(error)) => return Err(error),
        };
        let number = miner.number().unwrap_or(self.options.first);
        let next_to_table = limits.next_to(miner.bytes());
        match self.candidates.judge_drawn(puzzle, solver, &next_to_table) {
            Verdict::Accepted(puzzle, features) => Ok(self.accept(puzzle, features, number)),
            Verdict::Cancelled => Ok(Attempt::Stopped(Limit::Cancelled)),
            Verdict::Rejected => {
                self.misses += 1;
                Ok(if self.misses >= self.options.patience {
                    Attempt::GaveUp(GiveUpReason::NoneDrawnMatch)
                } else {
                    Attempt::NoMatch
                })
            }
        }
    }

    fn accept(
        &mut self,
        puzzle: Box<Puzzle>,
        features: Option<Box<Features>>,
        number: u64,
    ) -> Attempt {
        self.found += 1;
        self.misses = 0;
        let tried_since = std::mem::take(&mut self.tried_since);
        Attempt::Found(GeneratedPuzzle {
            puzzle,
            features,
            method: self.method(),
            number,
            // The previous puzzle may belong to another range of numbers.
            tried: self.options.candidates.map_or(tried_since, |_| 1),
        })
    }

    /// Whether the candidates have cost as much as a table, and the missing puzzles would again.
    fn should_draw(&mut self) -> bool {
        if self.tried <= TRIED_FIRST || self.options.candidates.is_some() || self.is_done() {
            return false;
        }
        if self.per_table.is_none() {
            let candidates = self.candidates_per_table().ok().flatten();
            self.per_table = Some(candidates.unwrap_or(u64::MAX));
        }
        let per_table = self.per_table.unwrap_or(u64::MAX);
        let each = self.tried / self.found.max(1);
        let missing = self.options.count - self.found;
        self.tried > per_table && each.saturating_mul(missing) > per_table
    }

    /// After how many candidates puzzles are drawn from tables; `None` if the filter has no length to
    /// draw by.
    ///
    /// # Errors
    /// If there are no tables of such boards, or none that fits into memory.
    pub fn candidates_per_table(&self) -> Result<Option<u64>, MiningError> {
        let candidates = self
            .candidates
            .per_table(table_memory(self.options.memory))?;
        Ok(candidates.map(|it| it.max(TRIED_FIRST)))
    }
}

/// The most bytes of a table.
fn table_memory(limit: Option<u64>) -> u64 {
    limit.or_else(default_memory_limit).unwrap_or(1 << 30)
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::RandomBoard;
    use ricochet_core::quadrants::Edition;

    use super::*;
    use crate::registry;

    fn maker(options: MakerOptions) -> PuzzleMaker {
        let recipe = Recipe::official(Edition::Of1999);
        PuzzleMaker::new(recipe, PuzzleFilter::default(), 7, options)
    }

    #[test]
    fn candidates_are_tested_by_their_numbers() {
        let options = MakerOptions {
            first: 3,
            ..MakerOptions::default()
        };
        let mut maker = maker(options);
        assert_eq!(maker.numbers().take(3).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(maker.record(Ok(Verdict::Rejected)), Ok(Attempt::NoMatch));
        assert_eq!(maker.next_number(), 4);
        let mut solver = registry::build("flagship").unwrap();
        let Ok(Attempt::Found(found)) = maker.next(solver.as_mut(), &Limits::default()) else {
            panic!("every candidate matches");
        };
        assert_eq!(
            (found.number, found.tried, found.method),
            (4, 2, Method::Tried)
        );
        assert_eq!(found.puzzle.id(), Some("S7-4"));
        assert!(maker.is_done());
        assert_eq!((maker.found(), maker.tried()), (1, 2));
    }

    #[test]
    fn a_number_of_candidates_is_tested_whatever_matches() {
        let options = MakerOptions {
            candidates: Some(3),
            patience: 1,
            ..MakerOptions::default()
        };
        let mut maker = maker(options);
        let mut solver = registry::build("flagship").unwrap();
        let mut found = Vec::new();
        while !maker.is_done() {
            // The last one, though more misses in a row than patience allows came before it.
            let attempt = match maker.tried() {
                0 | 1 => maker.record(Ok(Verdict::Rejected)),
                _ => maker.next(solver.as_mut(), &Limits::default()),
            };
            if let Ok(Attempt::Found(puzzle)) = attempt {
                found.push((puzzle.number, puzzle.tried));
            }
        }
        assert_eq!((found, maker.tried()), (vec![(2, 1)], 3));
    }

    #[test]
    fn patience_and_cancelling_end_the_search() {
        let options = MakerOptions {
            patience: 2,
            ..MakerOptions::default()
        };
        let mut maker = maker(options);
        let cancelled = maker.record(Ok(Verdict::Cancelled));
        assert_eq!(cancelled, Ok(Attempt::Stopped(Limit::Cancelled)));
        let gave_up = maker.record(Ok(Verdict::Rejected));
        assert_eq!(gave_up, Ok(Attempt::GaveUp(GiveUpReason::CandidateLimit)));
    }

    #[test]
    fn many_crowded_boards_in_a_row_are_an_error() {
        let crowded = || {
            Err(GenerateError::NoRoomFor {
                what: "walls",
                asked: 99,
                placed: 9,
            })
        };
        let mut maker = maker(MakerOptions::default());
        for _ in 0..MAX_CROWDED_BOARDS {
            assert_eq!(maker.record(crowded()), Ok(Attempt::NoMatch));
        }
        assert!(maker.record(crowded()).is_err());
    }

    #[test]
    fn drawn_puzzles_have_the_length_already() {
        let recipe = Recipe {
            robots: 2,
            ..Recipe::random(RandomBoard::new(8, 8))
        };
        let filter = PuzzleFilter {
            moves: Some(8..=9),
            ..PuzzleFilter::default()
        };
        let maker = PuzzleMaker::new(recipe, filter, 7, MakerOptions::default());
        let puzzle = maker.candidates.miner().unwrap().next(&Limits::default());
        let mut solver = registry::build("flagship").unwrap();
        let limits = Limits::default();
        let verdict = maker
            .candidates
            .judge_drawn(puzzle.unwrap(), solver.as_mut(), &limits);
        assert!(matches!(verdict, Verdict::Accepted(..)));
    }
}
