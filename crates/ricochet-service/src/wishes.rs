//! What a generated puzzle should be like, and whether a candidate is.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use ricochet_core::generate::{GenerateError, MAX_CROWDED_BOARDS, Recipe};
use ricochet_core::{Puzzle, Robot, Solution};
use ricochet_solve::all::all_of_length;
use ricochet_solve::difficulty::{Difficulty, Profile};
use ricochet_solve::mining::{Miner, MiningError};
use ricochet_solve::{Limit, Limits, Outcome, Silent, Solver};

use crate::error::Error;
use crate::questions::generate::Generate;

/// Wishes that need a solver's look at every candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The length of a shortest solution.
    pub moves: Option<RangeInclusive<u32>>,
    /// Exactly one shortest solution.
    pub unique: bool,
    /// The fewest robots that have to move in a shortest solution.
    pub robots_used: Option<u32>,
    /// The grade of difficulty.
    pub difficulty: Option<Difficulty>,
}

/// Candidates of one seed, each looked at by its number.
#[derive(Clone, Debug)]
pub struct Candidates {
    recipe: Recipe,
    wishes: Wishes,
    seed: u64,
}

impl Candidates {
    /// The candidates of a request and a seed.
    ///
    /// # Errors
    /// If what is asked for cannot be.
    pub fn of(wanted: &Generate, seed: u64) -> Result<Self, Error> {
        let recipe = wanted.recipe()?;
        let wishes = wanted.wishes(recipe.robots)?;
        Ok(Self {
            recipe,
            wishes,
            seed,
        })
    }

    /// Their seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The name of a candidate: its seed and number.
    pub fn id(&self, number: u64) -> String {
        format!("S{}-{number}", self.seed)
    }

    /// Whether a solver has to look at a candidate.
    pub fn need_a_solver(&self) -> bool {
        self.wishes.need_a_solver()
    }

    /// Makes a candidate and looks at it.
    ///
    /// # Errors
    /// If there is no candidate of this number: see [`Crowding`].
    pub fn look(
        &self,
        number: u64,
        solver: &mut dyn Solver,
        limits: &Limits,
    ) -> Result<Verdict, GenerateError> {
        let candidate = self.recipe.puzzle(self.seed, number)?;
        let candidate = candidate.with_id(self.id(number));
        Ok(self.wishes.look(candidate, solver, limits))
    }
}

/// The nodes of a flagship search of a random position on an official board, on average.
const NODES_A_CANDIDATE: u64 = 2_600;

/// Long puzzles are rare: drawing them from the table of all positions of a board and goal may be
/// cheaper than trying candidates. [`Making`](crate::making::Making) decides.
impl Candidates {
    /// How many candidates cost as much as one such table; `None` if no length is asked for.
    ///
    /// # Errors
    /// If there is no table of such boards, or none that fits into so many bytes.
    pub fn worth_a_table(&self, memory: u64) -> Result<Option<u64>, MiningError> {
        if self
            .wishes
            .moves
            .as_ref()
            .is_none_or(RangeInclusive::is_empty)
        {
            return Ok(None);
        }
        let nodes = Miner::cost(&self.recipe, self.seed, memory)?;
        Ok(Some(nodes / NODES_A_CANDIDATE))
    }

    /// The same, but puzzles whose shortest solutions are longer than this do not match.
    #[must_use]
    pub fn of_at_most(mut self, moves: u32) -> Self {
        let wanted = self.wishes.moves.take();
        self.wishes.moves = wanted.map(|it| *it.start()..=(*it.end()).min(moves));
        self
    }

    /// Draws puzzles of the wanted length, and with one solution if that is wanted; `None` if no
    /// length is asked for. The other wishes are for [`Candidates::look_at_drawn`].
    pub fn miner(&self) -> Option<Miner> {
        let moves = self.wishes.moves.clone()?;
        let miner = Miner::new(self.recipe.clone(), self.seed, moves);
        Some(miner.unique(self.wishes.unique))
    }

    /// Looks at a puzzle that was drawn.
    pub fn look_at_drawn(
        &self,
        puzzle: Puzzle,
        solver: &mut dyn Solver,
        limits: &Limits,
    ) -> Verdict {
        if self.wishes.robots_used.is_none() && self.wishes.difficulty.is_none() {
            return Verdict::Kept(Box::new(puzzle), None);
        }
        self.wishes.look(puzzle, solver, limits)
    }
}

/// Passes over numbers for which there was no room on the board, unless too many follow each other.
#[derive(Clone, Debug, Default)]
pub struct Crowding {
    in_a_row: u32,
}

impl Crowding {
    /// What became of the next number.
    ///
    /// # Errors
    /// The error of the number, if there is more to it than bad luck.
    pub fn pass(
        &mut self,
        looked: Result<Verdict, GenerateError>,
    ) -> Result<Verdict, GenerateError> {
        match looked {
            Err(GenerateError::NoRoomFor { .. }) if self.in_a_row < MAX_CROWDED_BOARDS => {
                self.in_a_row += 1;
                Ok(Verdict::Dropped)
            }
            other => {
                self.in_a_row = 0;
                other
            }
        }
    }
}

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It matches the wishes. It carries its optimum, if a solver looked at it, and its profile, if that
    /// was needed.
    Kept(Box<Puzzle>, Option<Profile>),
    /// It does not match, or a limit came before that was known.
    Dropped,
    /// Somebody cancelled.
    Stopped,
}

impl Wishes {
    /// Whether a solver has to look at a candidate.
    pub fn need_a_solver(&self) -> bool {
        self.moves.is_some() || self.unique || self.need_a_profile()
    }

    fn need_a_profile(&self) -> bool {
        self.difficulty.is_some() || (self.robots_used.is_some() && !self.unique)
    }

    /// Whether one shortest solution leaves it possible that the puzzle matches the wishes.
    fn may_like(&self, solution: &Solution) -> bool {
        let length = solution.len() as u32;
        let moves = solution.moves().iter();
        let movers: HashSet<Robot> = moves.map(|step| step.robot).collect();
        let movers = movers.len() as u32;
        self.moves
            .as_ref()
            .is_none_or(|range| range.contains(&length))
            && self.robots_used.is_none_or(|wanted| {
                // Another solution may need fewer, unless there is to be no other.
                movers == wanted || (movers > wanted && !self.unique)
            })
    }

    /// Keeps a candidate that matches the wishes, with its optimum. The solver has to be an optimal one.
    pub fn look(&self, candidate: Puzzle, solver: &mut dyn Solver, limits: &Limits) -> Verdict {
        if !self.need_a_solver() {
            return Verdict::Kept(Box::new(candidate), None);
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
            } => return Verdict::Stopped,
            _ => return Verdict::Dropped,
        };
        let length = solution.len() as u32;
        if !self.may_like(&solution) {
            return Verdict::Dropped;
        }
        // The move limit is for the solver; what follows looks further.
        let limits = Limits {
            moves: None,
            ..limits.clone()
        };
        // From the cheapest test to the dearest: to count the shortest solutions takes some
        // milliseconds, to look at all ways that are one move longer some hundred.
        if self.unique {
            match all_of_length(&candidate, length, &limits) {
                Ok(Some(all)) if all.count() == 1 => {}
                Err(stopped) if stopped.limit == Limit::Cancelled => return Verdict::Stopped,
                _ => return Verdict::Dropped,
            }
        }
        let mut found = None;
        if self.need_a_profile() {
            match Profile::of(&candidate, length, &limits) {
                Ok(Some(profile)) if self.likes(&profile) => found = Some(profile),
                Err(stopped) if stopped.limit == Limit::Cancelled => return Verdict::Stopped,
                _ => return Verdict::Dropped,
            }
        }
        Verdict::Kept(Box::new(candidate.with_optimal(Some(length))), found)
    }

    fn likes(&self, profile: &Profile) -> bool {
        self.robots_used
            .is_none_or(|robots| profile.robots == robots)
            && self
                .difficulty
                .is_none_or(|grade| profile.difficulty() == grade)
    }
}
