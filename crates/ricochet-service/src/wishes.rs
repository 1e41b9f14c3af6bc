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
///
/// ```
/// use ricochet_service::wishes::Wishes;
/// assert!(!Wishes::default().need_a_solver());
/// assert!(Wishes { unique: true, ..Wishes::default() }.need_a_solver());
/// ```
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
///
/// ```
/// use ricochet_service::questions::generate::Generate;
/// use ricochet_service::wishes::{Candidates, Verdict};
/// use ricochet_solve::{Limits, registry};
/// let candidates = Candidates::of(&Generate::default(), 7).unwrap();
/// let mut solver = registry::build("flagship").unwrap();
/// let looked = candidates.look(3, solver.as_mut(), &Limits::default());
/// let Ok(Verdict::Kept(puzzle, _)) = looked else { panic!() };
/// assert_eq!(puzzle.id(), Some("S7-3"));
/// ```
#[derive(Clone, Debug)]
pub struct Candidates {
    recipe: Recipe,
    wishes: Wishes,
    seed: u64,
}

impl Candidates {
    /// The candidates of a request and a seed.
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::Candidates;
    /// let crowd = Generate { robots: Some(9), ..Generate::default() };
    /// assert!(Candidates::of(&crowd, 7).is_err());
    /// ```
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
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::Candidates;
    /// assert_eq!(Candidates::of(&Generate::default(), 7).unwrap().seed(), 7);
    /// ```
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The name of a candidate: its seed and number.
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::Candidates;
    /// assert_eq!(Candidates::of(&Generate::default(), 7).unwrap().id(42), "S7-42");
    /// ```
    pub fn id(&self, number: u64) -> String {
        format!("S{}-{number}", self.seed)
    }

    /// Whether a solver has to look at a candidate.
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::Candidates;
    /// assert!(!Candidates::of(&Generate::default(), 7).unwrap().need_a_solver());
    /// ```
    pub fn need_a_solver(&self) -> bool {
        self.wishes.need_a_solver()
    }

    /// Makes a candidate and looks at it.
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::{Candidates, Verdict};
    /// use ricochet_solve::{Limits, registry};
    /// let long = Generate { moves: Some([90, 99]), ..Generate::default() };
    /// let mut solver = registry::build("flagship").unwrap();
    /// let looked = Candidates::of(&long, 7).unwrap().look(0, solver.as_mut(), &Limits::default());
    /// assert_eq!(looked, Ok(Verdict::Dropped));
    /// ```
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
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::Candidates;
    /// let long = Generate { moves: Some([20, 25]), ..Generate::default() };
    /// let candidates = Candidates::of(&long, 7).unwrap();
    /// assert!(candidates.worth_a_table(1 << 30).unwrap().is_some_and(|tries| tries > 10_000));
    /// assert!(candidates.worth_a_table(1 << 20).is_err());
    /// ```
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
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::Candidates;
    /// let long = Generate { moves: Some([20, 25]), ..Generate::default() };
    /// let none = Candidates::of(&long, 7).unwrap().of_at_most(19);
    /// assert_eq!(none.worth_a_table(1 << 30).unwrap(), None);
    /// ```
    #[must_use]
    pub fn of_at_most(mut self, moves: u32) -> Self {
        let wanted = self.wishes.moves.take();
        self.wishes.moves = wanted.map(|it| *it.start()..=(*it.end()).min(moves));
        self
    }

    /// Draws puzzles of the wanted length, and with one solution if that is wanted; `None` if no
    /// length is asked for. The other wishes are for [`Candidates::look_at_drawn`].
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::Candidates;
    /// assert!(Candidates::of(&Generate::default(), 7).unwrap().miner().is_none());
    /// ```
    pub fn miner(&self) -> Option<Miner> {
        let moves = self.wishes.moves.clone()?;
        let miner = Miner::new(self.recipe.clone(), self.seed, moves);
        Some(miner.unique(self.wishes.unique))
    }

    /// Looks at a puzzle that was drawn.
    ///
    /// ```
    /// use ricochet_core::generate::RandomBoard;
    /// use ricochet_service::questions::generate::Generate;
    /// use ricochet_service::wishes::{Candidates, Verdict};
    /// use ricochet_solve::{Limits, registry};
    /// let wanted = Generate {
    ///     moves: Some([8, 9]),
    ///     size: Some([8, 8]),
    ///     robots: Some(2),
    ///     ..Generate::default()
    /// };
    /// let candidates = Candidates::of(&wanted, 7).unwrap();
    /// let puzzle = candidates.miner().unwrap().next(&Limits::default()).unwrap();
    /// let mut solver = registry::build("flagship").unwrap();
    /// let verdict = candidates.look_at_drawn(puzzle, solver.as_mut(), &Limits::default());
    /// assert!(matches!(verdict, Verdict::Kept(..)));
    /// ```
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
///
/// ```
/// use ricochet_core::generate::{GenerateError, MAX_CROWDED_BOARDS};
/// use ricochet_service::wishes::{Crowding, Verdict};
/// let crowded = || Err(GenerateError::NoRoomFor { what: "walls", asked: 99, placed: 9 });
/// let mut crowding = Crowding::default();
/// for _ in 0..MAX_CROWDED_BOARDS {
///     assert_eq!(crowding.pass(crowded()), Ok(Verdict::Dropped));
/// }
/// assert!(crowding.pass(crowded()).is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Crowding {
    in_a_row: u32,
}

impl Crowding {
    /// What became of the next number.
    ///
    /// ```
    /// use ricochet_service::wishes::{Crowding, Verdict};
    /// assert_eq!(Crowding::default().pass(Ok(Verdict::Stopped)), Ok(Verdict::Stopped));
    /// ```
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
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_service::wishes::{Verdict, Wishes};
/// use ricochet_solve::registry;
/// use ricochet_solve::Limits;
/// let puzzle = notation::parse_line("8x8..00.R77").unwrap().validate().unwrap();
/// let mut solver = registry::build("flagship").unwrap();
/// let wishes = Wishes { moves: Some(3..=9), ..Wishes::default() };
/// let verdict = wishes.look(puzzle, solver.as_mut(), &Limits::default());
/// assert!(matches!(verdict, Verdict::Dropped), "two moves are enough");
/// ```
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
    ///
    /// ```
    /// use ricochet_service::wishes::Wishes;
    /// assert!(Wishes { robots_used: Some(2), ..Wishes::default() }.need_a_solver());
    /// ```
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
    ///
    /// ```
    /// use ricochet_core::notation;
    /// use ricochet_service::wishes::{Verdict, Wishes};
    /// use ricochet_solve::registry;
    /// use ricochet_solve::Limits;
    /// let puzzle = notation::parse_line("8x8..00.R77").unwrap().validate().unwrap();
    /// let mut solver = registry::build("flagship").unwrap();
    /// let wishes = Wishes { moves: Some(2..=2), ..Wishes::default() };
    /// let Verdict::Kept(kept, _) = wishes.look(puzzle, solver.as_mut(), &Limits::default())
    /// else { panic!() };
    /// assert_eq!(kept.known_optimal(), Some(2));
    /// ```
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
