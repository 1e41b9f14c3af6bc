//! [`Making`]: puzzles that match the wishes, tried one after the other or drawn from tables.
//!
//! This is where it is decided which way is taken, for the command line, the service's question and
//! Python alike. It knows no threads: whoever makes puzzles looks at candidates, on as many threads
//! as it likes, and tells in their order what became of them.

use ricochet_core::Puzzle;
use ricochet_core::generate::GenerateError;
use ricochet_solve::difficulty::Profile;
use ricochet_solve::memory::default_memory_limit;
use ricochet_solve::mining::{Miner, MiningError};
use ricochet_solve::{Limit, Limits, Solver};
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use crate::narrate::{plural, thousands};
use crate::questions::generate::Generate;
use crate::wishes::{Candidates, Crowding, Verdict};

/// Fewer candidates than this are always tried first, so that on small boards, where a table costs
/// next to nothing, a seed gives puzzles of its own numbers as long as there are any.
const TRIED_FIRST: u64 = 10_000;

/// Why a search ends when too many candidates in a row do not match.
pub(crate) const CANDIDATE_LIMIT: &str = "candidate limit";

/// How a puzzle is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Candidates are tested one after the other.
    #[default]
    Tried,
    /// Puzzles are drawn from tables of all positions of a board and target.
    Drawn,
}

/// How many puzzles, from which candidates on, and when to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many puzzles.
    pub count: u64,
    /// The number of the first candidate.
    pub first: u64,
    /// How far the number of the next candidate is from it.
    pub stride: u64,
    /// Gives up after this many candidates in a row that do not match. A table without a matching
    /// position counts as the candidates that it costs.
    pub patience: u64,
    /// Bytes that a table may take; without them, nine tenths of what the system has free.
    pub memory: Option<u64>,
    /// The longest solution of interest, if there is one.
    pub moves: Option<u32>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            count: 1,
            first: 0,
            stride: 1,
            patience: u64::MAX,
            memory: None,
            moves: None,
        }
    }
}

/// What became of a candidate, or of a draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A puzzle that matches the wishes.
    Made(Made),
    /// It does not match: go on.
    GoOn,
    /// Nothing matches; the text says what ended the search.
    GaveUp(String),
    /// A limit or the cancel switch ended it.
    Stopped(Limit),
}

/// A puzzle that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The puzzle, with its optimum if a solver looked at it.
    pub puzzle: Box<Puzzle>,
    /// Its profile, if that was needed.
    pub profile: Option<Profile>,
    /// How it was found.
    pub way: Way,
    /// Its number, or that of its board and target if it was drawn.
    pub number: u64,
    /// Candidates that were looked at since the puzzle before.
    pub tried: u64,
}

/// Puzzles being made.
///
/// ```
/// use ricochet_service::making::{Making, Plan, Step, Way};
/// use ricochet_service::questions::generate::Generate;
/// use ricochet_solve::{Limits, registry};
/// // No such puzzle is among the first ten thousand candidates; then they are drawn.
/// let long = Generate { size: Some([6, 6]), robots: Some(2), moves: Some([20, 99]), ..Generate::default() };
/// let mut making = Making::new(&long, 7, Plan { count: 2, ..Plan::default() }).unwrap();
/// let mut solver = registry::build("flagship").unwrap();
/// let mut made = Vec::new();
/// while !making.is_done() {
///     match making.next(solver.as_mut(), &Limits::default()).unwrap() {
///         Step::Made(one) => made.push(one),
///         Step::GoOn => {}
///         _ => break,
///     }
/// }
/// assert_eq!((made[0].way, made[0].puzzle.id()), (Way::Drawn, Some("S7-T251-0")));
/// assert_eq!(making.summary(), "2 puzzles of 10,001 candidates, then from 4 tables of all positions");
/// ```
pub struct Making {
    candidates: Candidates,
    plan: Plan,
    crowding: Crowding,
    tried: u64,
    found: u64,
    /// Candidates since the last one that matched, and the cost of tables without a match.
    in_vain: u64,
    /// Candidates since the last puzzle.
    since: u64,
    /// How many candidates cost as much as a table; looked up once enough were tried that it matters.
    worth_a_table: Option<u64>,
    threads: usize,
    miner: Option<Miner>,
}

impl Making {
    /// Begins to make puzzles.
    ///
    /// # Errors
    /// If no puzzle can match the wishes.
    pub fn new(wanted: &Generate, seed: u64, plan: Plan) -> Result<Self, Error> {
        let mut candidates = Candidates::of(wanted, seed)?;
        if let Some(most) = plan.moves {
            candidates = candidates.of_at_most(most);
        }
        Ok(Self {
            candidates,
            plan,
            crowding: Crowding::default(),
            tried: 0,
            found: 0,
            in_vain: 0,
            since: 0,
            worth_a_table: None,
            threads: 1,
            miner: None,
        })
    }

    /// Makes tables with so many threads; what is found does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The candidates, to be looked at on other threads.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The numbers of the candidates that are still to be looked at, in the order in which to tell
    /// about them.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + Send + use<> {
        let (plan, tried) = (self.plan, self.tried);
        (tried..).map(move |i| plan.first.wrapping_add(i.wrapping_mul(plan.stride)))
    }

    /// The number of the next candidate.
    pub fn next_number(&self) -> u64 {
        let own = self.tried.wrapping_mul(self.plan.stride);
        self.plan.first.wrapping_add(own)
    }

    /// Which way is taken now.
    pub fn way(&self) -> Way {
        match self.miner {
            None => Way::Tried,
            Some(_) => Way::Drawn,
        }
    }

    /// Candidates that were looked at.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Candidates that were looked at since the last puzzle.
    pub fn tried_since(&self) -> u64 {
        self.since
    }

    /// Tables that were made.
    pub fn tables(&self) -> u64 {
        self.miner.as_ref().map_or(0, Miner::tables)
    }

    /// Whether all puzzles are there.
    pub fn is_done(&self) -> bool {
        self.found >= self.plan.count
    }

    /// `2 puzzles of 51 candidates`
    pub fn summary(&self) -> String {
        let found = plural(self.found as usize, "puzzle");
        let tried = counted(self.tried);
        match self.tables() {
            0 => format!("{found} of {tried}"),
            tables => {
                let tables = plural(tables as usize, "table");
                format!("{found} of {tried}, then from {tables} of all positions")
            }
        }
    }

    /// Looks at the next candidate, or draws.
    ///
    /// # Errors
    /// If no puzzle can be made as asked for.
    pub fn next(&mut self, solver: &mut dyn Solver, limits: &Limits) -> Result<Step, Error> {
        match self.way() {
            Way::Drawn => self.draw(solver, limits),
            Way::Tried => {
                let looked = self.candidates.look(self.next_number(), solver, limits);
                self.tell(looked)
            }
        }
    }

    /// Takes in what became of the next candidate.
    ///
    /// # Errors
    /// If no puzzle can be made as asked for.
    pub fn tell(&mut self, looked: Result<Verdict, GenerateError>) -> Result<Step, Error> {
        let verdict = self.crowding.pass(looked)?;
        let number = self.next_number();
        self.tried += 1;
        self.since += 1;
        self.in_vain += 1;
        let step = match verdict {
            Verdict::Stopped => return Ok(Step::Stopped(Limit::Cancelled)),
            Verdict::Kept(puzzle, profile) => self.made(puzzle, profile, number),
            Verdict::Dropped => Step::GoOn,
        };
        if self.is_better_drawn() {
            self.miner = self.candidates.miner().map(|miner| {
                let own = miner.threads(self.threads);
                own.numbers(self.plan.first, self.plan.stride)
            });
            self.in_vain = 0;
        }
        if step == Step::GoOn && self.in_vain >= self.plan.patience {
            return Ok(Step::GaveUp(CANDIDATE_LIMIT.to_owned()));
        }
        Ok(step)
    }

    /// Draws a puzzle from a table.
    fn draw(&mut self, solver: &mut dyn Solver, limits: &Limits) -> Result<Step, Error> {
        let Some(miner) = &mut self.miner else {
            return Ok(Step::GoOn);
        };
        // The memory is for the tables.
        solver.release();
        let limits = Limits {
            memory: Some(memory(limits.memory.or(self.plan.memory))),
            moves: None,
            ..limits.clone()
        };
        let drawn = match miner.next(&limits) {
            Ok(puzzle) => puzzle,
            Err(MiningError::Stopped(limit)) => return Ok(Step::Stopped(limit)),
            Err(MiningError::Nothing(tables)) => {
                let each = self.worth_a_table.unwrap_or(TRIED_FIRST);
                let cost = tables.saturating_mul(each);
                self.in_vain = self.in_vain.saturating_add(cost);
                if tables > 0 && self.in_vain < self.plan.patience {
                    return Ok(Step::GoOn);
                }
                let tables = plural(miner.tables() as usize, "table");
                return Ok(Step::GaveUp(format!(
                    "no such position in {tables} of all positions"
                )));
            }
            Err(MiningError::NoTable(error)) => {
                return Ok(match error.limit() {
                    Some(limit) => Step::Stopped(limit),
                    None => Step::GaveUp(error.to_string()),
                });
            }
            Err(MiningError::Recipe(error)) => return Err(error.into()),
        };
        let number = miner.number().unwrap_or(self.plan.first);
        let beside = Limits {
            memory: limits.memory.map(|it| it.saturating_sub(miner.bytes())),
            ..limits
        };
        match self.candidates.look_at_drawn(drawn, solver, &beside) {
            Verdict::Kept(puzzle, profile) => Ok(self.made(puzzle, profile, number)),
            Verdict::Stopped => Ok(Step::Stopped(Limit::Cancelled)),
            Verdict::Dropped => {
                self.in_vain += 1;
                Ok(if self.in_vain >= self.plan.patience {
                    Step::GaveUp("none of those drawn match".to_owned())
                } else {
                    Step::GoOn
                })
            }
        }
    }

    fn made(&mut self, puzzle: Box<Puzzle>, profile: Option<Profile>, number: u64) -> Step {
        self.found += 1;
        self.in_vain = 0;
        Step::Made(Made {
            puzzle,
            profile,
            way: self.way(),
            number,
            tried: std::mem::take(&mut self.since),
        })
    }

    /// Whether the candidates have cost as much as a table, and those for what is missing would too.
    fn is_better_drawn(&mut self) -> bool {
        // What a table costs is asked once, and only where it can matter.
        if self.tried <= TRIED_FIRST || self.is_done() {
            return false;
        }
        let worth = *self.worth_a_table.get_or_insert_with(|| {
            let cost = self.candidates.worth_a_table(memory(self.plan.memory));
            let cost = cost.ok().flatten();
            cost.map_or(u64::MAX, |it| it.max(TRIED_FIRST))
        });
        let each = self.tried / self.found.max(1);
        let missing = self.plan.count - self.found;
        self.tried > worth && each.saturating_mul(missing) > worth
    }

    /// Why no puzzles would be drawn, however long it took; `None` if they would be, or if no length
    /// is asked for, without which nothing is ever drawn.
    pub fn why_not_drawn(&self) -> Option<String> {
        let worth = match self.candidates.worth_a_table(memory(self.plan.memory)) {
            Ok(None) => return None,
            Ok(Some(worth)) => worth.max(TRIED_FIRST),
            Err(error) => return Some(error.to_string()),
        };
        (self.plan.patience <= worth).then(|| {
            format!(
                "tables are made after {}, and only {} are allowed",
                counted(worth),
                thousands(self.plan.patience)
            )
        })
    }
}

/// Bytes that a table may take.
fn memory(allowed: Option<u64>) -> u64 {
    allowed.or_else(default_memory_limit).unwrap_or(1 << 30)
}

/// `51 candidates`
pub fn counted(candidates: u64) -> String {
    let s = if candidates == 1 { "" } else { "s" };
    format!("{} candidate{s}", thousands(candidates))
}
