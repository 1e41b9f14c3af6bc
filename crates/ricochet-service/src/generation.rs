//! [`PuzzleMaker`]: makes puzzles that pass a [`PuzzleFilter`].
//!
//! Candidates are tested one after the other; long puzzles, which are rare, are drawn from tables of
//! all positions of a board once that is cheaper. The maker decides when, for the command line, the
//! service and Python alike. It starts no threads: the caller tests candidates on as many as it
//! likes, and records the verdicts in the order of their numbers.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use ricochet_core::generate::{GenerateError, MAX_CROWDED_BOARDS, Recipe};
use ricochet_core::{Puzzle, Robot, Solution};
use ricochet_solve::all::all_of_length;
use ricochet_solve::difficulty::{Difficulty, Profile};
use ricochet_solve::memory::default_memory_limit;
use ricochet_solve::mining::{Miner, MiningError};
use ricochet_solve::{Limit, Limits, Outcome, Silent, Solver};
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use crate::narrate::{plural, thousands};
use crate::questions::generate::Generate;

/// This many candidates are always tried first, so that on small boards, where a table costs next to
/// nothing, a seed gives puzzles of its own numbers as long as there are any.
const TRIED_FIRST: u64 = 10_000;

/// The average number of nodes of a flagship search from a random position on an official board.
const NODES_PER_CANDIDATE: u64 = 2_600;

/// The limit that ends a search when too many candidates in a row do not match.
pub(crate) const CANDIDATE_LIMIT: &str = "candidate limit";

/// What a puzzle has to be like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleFilter {
    /// The length of a shortest solution.
    pub moves: Option<RangeInclusive<u32>>,
    /// Exactly one shortest solution.
    pub unique: bool,
    /// The fewest robots that have to move in a shortest solution.
    pub robots_used: Option<u32>,
    /// The grade of difficulty.
    pub difficulty: Option<Difficulty>,
}

/// Whether a candidate passes the filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It does. The puzzle carries its optimum if a solver was needed, and the profile is there if
    /// that was needed.
    Accepted(Box<Puzzle>, Option<Profile>),
    /// It does not, or a limit was reached before that was known.
    Rejected,
    /// The search was cancelled.
    Cancelled,
}

impl PuzzleFilter {
    /// Whether a candidate has to be solved.
    pub fn needs_solver(&self) -> bool {
        self.moves.is_some() || self.unique || self.needs_profile()
    }

    fn needs_profile(&self) -> bool {
        self.difficulty.is_some() || (self.robots_used.is_some() && !self.unique)
    }

    /// Tests a candidate. The solver has to be optimal.
    pub fn judge(&self, candidate: Puzzle, solver: &mut dyn Solver, limits: &Limits) -> Verdict {
        if !self.needs_solver() {
            return Verdict::Accepted(Box::new(candidate), None);
        }
        let most = self.moves.as_ref().map(|range| *range.end());
        let to_solve = Limits {
            moves: match (most, limits.moves) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            ..limits.clone()
        };
        let solution = match solver.solve(&candidate, &to_solve, &mut Silent).0 {
            Outcome::Solved { solution, .. } => solution,
            Outcome::LimitReached {
                limit: Limit::Cancelled,
                ..
            } => return Verdict::Cancelled,
            _ => return Verdict::Rejected,
        };
        let length = solution.len() as u32;
        if !self.may_match(&solution) {
            return Verdict::Rejected;
        }
        // The move limit is for the solver; the tests below look further.
        let limits = Limits {
            moves: None,
            ..limits.clone()
        };
        // The cheapest test first: counting the shortest solutions takes some milliseconds, looking
        // at all that are one move longer some hundred.
        if self.unique {
            match all_of_length(&candidate, length, &limits) {
                Ok(Some(all)) if all.count() == 1 => {}
                Err(stopped) if stopped.limit == Limit::Cancelled => return Verdict::Cancelled,
                _ => return Verdict::Rejected,
            }
        }
        let mut profile = None;
        if self.needs_profile() {
            match Profile::of(&candidate, length, &limits) {
                Ok(Some(found)) if self.matches(&found) => profile = Some(found),
                Err(stopped) if stopped.limit == Limit::Cancelled => return Verdict::Cancelled,
                _ => return Verdict::Rejected,
            }
        }
        Verdict::Accepted(Box::new(candidate.with_optimal(Some(length))), profile)
    }

    /// Whether a puzzle with this shortest solution can still match.
    fn may_match(&self, solution: &Solution) -> bool {
        let length = solution.len() as u32;
        let moves = solution.moves().iter();
        let movers: HashSet<Robot> = moves.map(|step| step.robot).collect();
        let movers = movers.len() as u32;
        self.moves
            .as_ref()
            .is_none_or(|range| range.contains(&length))
            && self.robots_used.is_none_or(|robots| {
                // Another shortest solution may need fewer robots, unless there must not be another.
                movers == robots || (movers > robots && !self.unique)
            })
    }

    fn matches(&self, profile: &Profile) -> bool {
        self.robots_used
            .is_none_or(|robots| profile.robots == robots)
            && self
                .difficulty
                .is_none_or(|grade| profile.difficulty() == grade)
    }
}

/// The candidates of one seed, each made and tested by its number.
#[derive(Clone, Debug)]
pub struct Candidates {
    recipe: Recipe,
    filter: PuzzleFilter,
    seed: u64,
}

impl Candidates {
    fn new(request: &Generate, seed: u64) -> Result<Self, Error> {
        let recipe = request.recipe()?;
        let filter = request.filter(recipe.robots)?;
        Ok(Self {
            recipe,
            filter,
            seed,
        })
    }

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
        if self.filter.robots_used.is_none() && self.filter.difficulty.is_none() {
            return Verdict::Accepted(Box::new(puzzle), None);
        }
        self.filter.judge(puzzle, solver, limits)
    }
}

/// How a puzzle is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
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
    /// The difference between the numbers of two candidates.
    pub stride: u64,
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
            stride: 1,
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
    /// Too many attempts failed; the text says which.
    GaveUp(String),
    /// A limit was reached, or the search was cancelled.
    Stopped(Limit),
}

/// A puzzle that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedPuzzle {
    /// The puzzle, with its optimum if a solver was needed.
    pub puzzle: Box<Puzzle>,
    /// Its profile, if that was needed.
    pub profile: Option<Profile>,
    /// How it was found.
    pub method: Method,
    /// Its number, or that of its board and target if it was drawn.
    pub number: u64,
    /// Candidates tested since the previous puzzle.
    pub tried: u64,
}

/// Makes puzzles that match a request.
///
/// ```
/// use ricochet_service::generation::{Attempt, MakerOptions, Method, PuzzleMaker};
/// use ricochet_service::questions::generate::Generate;
/// use ricochet_solve::{Limits, registry};
/// // No such puzzle is among the first ten thousand candidates; then they are drawn.
/// let long = Generate { size: Some([6, 6]), robots: Some(2), moves: Some([20, 99]), ..Generate::default() };
/// let options = MakerOptions { count: 2, ..MakerOptions::default() };
/// let mut maker = PuzzleMaker::new(&long, 7, options).unwrap();
/// let mut solver = registry::build("flagship").unwrap();
/// let mut found = Vec::new();
/// while !maker.is_done() {
///     match maker.next(solver.as_mut(), &Limits::default()).unwrap() {
///         Attempt::Found(puzzle) => found.push(puzzle),
///         Attempt::NoMatch => {}
///         _ => break,
///     }
/// }
/// assert_eq!((found[0].method, found[0].puzzle.id()), (Method::Drawn, Some("S7-T251-0")));
/// assert_eq!(maker.summary(), "2 puzzles of 10,001 candidates, then from 4 tables of all positions");
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
}

impl PuzzleMaker {
    /// A maker of puzzles as requested, from the candidates of a seed.
    ///
    /// # Errors
    /// If no puzzle can match the request.
    pub fn new(request: &Generate, seed: u64, options: MakerOptions) -> Result<Self, Error> {
        let mut candidates = Candidates::new(request, seed)?;
        if let Some(most) = options.moves {
            candidates.limit_moves(most);
        }
        Ok(Self {
            candidates,
            options,
            tried: 0,
            found: 0,
            misses: 0,
            crowded: 0,
            tried_since: 0,
            per_table: None,
            miner: None,
        })
    }

    /// The candidates, to be tested on other threads.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The numbers of the candidates that are still to be tested, in the order in which their
    /// verdicts are recorded.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + Send + use<> {
        let (options, tried) = (self.options, self.tried);
        (tried..).map(move |i| options.first.wrapping_add(i.wrapping_mul(options.stride)))
    }

    /// The number of the next candidate.
    pub fn next_number(&self) -> u64 {
        let offset = self.tried.wrapping_mul(self.options.stride);
        self.options.first.wrapping_add(offset)
    }

    /// How puzzles are looked for at present.
    pub fn method(&self) -> Method {
        match self.miner {
            None => Method::Tried,
            Some(_) => Method::Drawn,
        }
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
        self.found >= self.options.count
    }

    /// `2 puzzles of 51 candidates`
    pub fn summary(&self) -> String {
        let found = plural(self.found as usize, "puzzle");
        let tried = count_candidates(self.tried);
        match self.tables() {
            0 => format!("{found} of {tried}"),
            tables => {
                let tables = plural(tables as usize, "table");
                format!("{found} of {tried}, then from {tables} of all positions")
            }
        }
    }

    /// Tests the next candidate, or draws a puzzle.
    ///
    /// # Errors
    /// If no puzzle can be made as requested.
    pub fn next(&mut self, solver: &mut dyn Solver, limits: &Limits) -> Result<Attempt, Error> {
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
    /// If no puzzle can be made as requested. A few numbers whose walls do not fit on the board are
    /// bad luck; many in a row are an error.
    pub fn record(&mut self, verdict: Result<Verdict, GenerateError>) -> Result<Attempt, Error> {
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
            Verdict::Accepted(puzzle, profile) => self.found(puzzle, profile, number),
            Verdict::Rejected => Attempt::NoMatch,
        };
        if self.should_draw() {
            let MakerOptions {
                threads,
                first,
                stride,
                ..
            } = self.options;
            let miner = self.candidates.miner();
            self.miner = miner.map(|miner| miner.threads(threads).numbers(first, stride));
            self.misses = 0;
        }
        if attempt == Attempt::NoMatch && self.misses >= self.options.patience {
            return Ok(Attempt::GaveUp(CANDIDATE_LIMIT.to_owned()));
        }
        Ok(attempt)
    }

    /// Draws a puzzle from a table.
    fn draw(&mut self, solver: &mut dyn Solver, limits: &Limits) -> Result<Attempt, Error> {
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
                let tables = plural(miner.tables() as usize, "table");
                return Ok(Attempt::GaveUp(format!(
                    "no such position in {tables} of all positions"
                )));
            }
            Err(MiningError::NoTable(error)) => {
                return Ok(match error.limit() {
                    Some(limit) => Attempt::Stopped(limit),
                    None => Attempt::GaveUp(error.to_string()),
                });
            }
            Err(MiningError::Recipe(error)) => return Err(error.into()),
        };
        let number = miner.number().unwrap_or(self.options.first);
        let next_to_table = Limits {
            memory: limits.memory.map(|it| it.saturating_sub(miner.bytes())),
            ..limits
        };
        match self.candidates.judge_drawn(puzzle, solver, &next_to_table) {
            Verdict::Accepted(puzzle, profile) => Ok(self.found(puzzle, profile, number)),
            Verdict::Cancelled => Ok(Attempt::Stopped(Limit::Cancelled)),
            Verdict::Rejected => {
                self.misses += 1;
                Ok(if self.misses >= self.options.patience {
                    Attempt::GaveUp("none of those drawn match".to_owned())
                } else {
                    Attempt::NoMatch
                })
            }
        }
    }

    fn found(&mut self, puzzle: Box<Puzzle>, profile: Option<Profile>, number: u64) -> Attempt {
        self.found += 1;
        self.misses = 0;
        Attempt::Found(GeneratedPuzzle {
            puzzle,
            profile,
            method: self.method(),
            number,
            tried: std::mem::take(&mut self.tried_since),
        })
    }

    /// Whether the candidates have cost as much as a table, and the missing puzzles would again.
    fn should_draw(&mut self) -> bool {
        if self.tried <= TRIED_FIRST || self.is_done() {
            return false;
        }
        let per_table = *self.per_table.get_or_insert_with(|| {
            let cost = self.candidates.per_table(table_memory(self.options.memory));
            let cost = cost.ok().flatten();
            cost.map_or(u64::MAX, |it| it.max(TRIED_FIRST))
        });
        let each = self.tried / self.found.max(1);
        let missing = self.options.count - self.found;
        self.tried > per_table && each.saturating_mul(missing) > per_table
    }

    /// Why no puzzles would ever be drawn; `None` if they would be, or if the filter has no length
    /// to draw by.
    pub fn why_not_drawn(&self) -> Option<String> {
        let per_table = match self.candidates.per_table(table_memory(self.options.memory)) {
            Ok(None) => return None,
            Ok(Some(candidates)) => candidates.max(TRIED_FIRST),
            Err(error) => return Some(error.to_string()),
        };
        (self.options.patience <= per_table).then(|| {
            format!(
                "tables are made after {}, and only {} are allowed",
                count_candidates(per_table),
                thousands(self.options.patience)
            )
        })
    }
}

/// The most bytes of a table.
fn table_memory(limit: Option<u64>) -> u64 {
    limit.or_else(default_memory_limit).unwrap_or(1 << 30)
}

/// `51 candidates`
pub fn count_candidates(count: u64) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} candidate{s}", thousands(count))
}

#[cfg(test)]
mod tests {
    use ricochet_core::notation;
    use ricochet_solve::registry;

    use super::*;

    fn maker(request: &Generate, options: MakerOptions) -> PuzzleMaker {
        PuzzleMaker::new(request, 7, options).unwrap()
    }

    #[test]
    fn a_filter_needs_a_solver_for_what_only_a_search_can_tell() {
        let mut filter = PuzzleFilter::default();
        assert!(!filter.needs_solver());
        filter.robots_used = Some(2);
        assert!(filter.needs_solver());
        assert!(
            !maker(&Generate::default(), MakerOptions::default())
                .candidates
                .need_solver()
        );
    }

    #[test]
    fn a_filter_accepts_by_length_and_states_the_optimum() {
        let puzzle = notation::parse_line("8x8..00.R77").unwrap();
        let puzzle = puzzle.validate().unwrap();
        let mut solver = registry::build("flagship").unwrap();
        let mut judge = |moves| {
            let filter = PuzzleFilter {
                moves: Some(moves),
                ..PuzzleFilter::default()
            };
            filter.judge(puzzle.clone(), solver.as_mut(), &Limits::default())
        };
        assert_eq!(judge(3..=9), Verdict::Rejected, "two moves are enough");
        let Verdict::Accepted(accepted, None) = judge(2..=2) else {
            panic!("two moves are asked for");
        };
        assert_eq!(accepted.known_optimal(), Some(2));
    }

    #[test]
    fn candidates_are_numbered_with_a_stride() {
        let options = MakerOptions {
            first: 3,
            stride: 10,
            ..MakerOptions::default()
        };
        let mut maker = maker(&Generate::default(), options);
        assert_eq!(maker.numbers().take(3).collect::<Vec<_>>(), [3, 13, 23]);
        assert_eq!(maker.record(Ok(Verdict::Rejected)), Ok(Attempt::NoMatch));
        assert_eq!(maker.next_number(), 13);
        let mut solver = registry::build("flagship").unwrap();
        let Ok(Attempt::Found(found)) = maker.next(solver.as_mut(), &Limits::default()) else {
            panic!("every candidate matches");
        };
        assert_eq!(
            (found.number, found.tried, found.method),
            (13, 2, Method::Tried)
        );
        assert_eq!(found.puzzle.id(), Some("S7-13"));
        assert!(maker.is_done());
        assert_eq!(maker.summary(), "1 puzzle of 2 candidates");
    }

    #[test]
    fn patience_and_cancelling_end_the_search() {
        let options = MakerOptions {
            patience: 2,
            ..MakerOptions::default()
        };
        let mut maker = maker(&Generate::default(), options);
        let cancelled = maker.record(Ok(Verdict::Cancelled));
        assert_eq!(cancelled, Ok(Attempt::Stopped(Limit::Cancelled)));
        let gave_up = maker.record(Ok(Verdict::Rejected));
        assert_eq!(gave_up, Ok(Attempt::GaveUp("candidate limit".to_owned())));
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
        let mut maker = maker(&Generate::default(), MakerOptions::default());
        for _ in 0..MAX_CROWDED_BOARDS {
            assert_eq!(maker.record(crowded()), Ok(Attempt::NoMatch));
        }
        assert!(maker.record(crowded()).is_err());
    }

    #[test]
    fn it_is_said_why_nothing_is_drawn() {
        let long = Generate {
            moves: Some([20, 25]),
            ..Generate::default()
        };
        let why = |options| maker(&long, options).why_not_drawn();
        let small = why(MakerOptions {
            memory: Some(1 << 20),
            ..MakerOptions::default()
        });
        let small = small.unwrap();
        assert!(small.ends_with("but only 1 MiB are allowed"), "{small}");
        let brief = MakerOptions {
            memory: Some(1 << 30),
            patience: 20_000,
            ..MakerOptions::default()
        };
        let brief = why(brief).unwrap();
        assert!(
            brief.ends_with("candidates, and only 20,000 are allowed"),
            "{brief}"
        );
        let too_short = MakerOptions {
            memory: Some(1 << 30),
            moves: Some(19),
            ..MakerOptions::default()
        };
        assert_eq!(why(too_short), None);
    }

    #[test]
    fn drawn_puzzles_have_the_length_already() {
        let request = Generate {
            moves: Some([8, 9]),
            size: Some([8, 8]),
            robots: Some(2),
            ..Generate::default()
        };
        let maker = maker(&request, MakerOptions::default());
        let puzzle = maker.candidates.miner().unwrap().next(&Limits::default());
        let mut solver = registry::build("flagship").unwrap();
        let limits = Limits::default();
        let verdict = maker
            .candidates
            .judge_drawn(puzzle.unwrap(), solver.as_mut(), &limits);
        assert!(matches!(verdict, Verdict::Accepted(..)));
    }
}
