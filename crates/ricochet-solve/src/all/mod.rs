//! All shortest solutions of a puzzle: how many there are, each of them, the nicest first, and those
//! that are the same but for the order of independent moves.
//!
//! A solution is a sequence of moves as written on paper, `BS GE RN`; two are different if and only
//! if they differ as text. They are counted without being listed.
//!
//! 1. The flagship, or another solver, finds the length C of a shortest solution.
//! 2. Breadth first from the start, we find every state whose distance g and bound h have
//!    g + h <= C (`region.rs` says why that is enough), robots that can stand for each other in
//!    order. From the goal states backwards, those on shortest solutions are marked.
//! 3. The marked states, every robot under its own name again, and the moves between them are a graph
//!    without cycles (`dag.rs`). Its ways are the shortest solutions: adding up from the end counts
//!    them, going through it depth first lists them.
//!
//! A *node* is a state expanded in any of the passes. All kinds of puzzles are taken.

pub(crate) mod dag;
mod groups;
mod prefer;
mod region;
mod solutions;

use ricochet_core::Puzzle;

use crate::flagship::Flagship;
use crate::heuristics::helped::HelpedBound;
use crate::memory::meter::MemoryMeter;
use crate::state_space::visited::PackedKey;
use crate::{Budget, Limit, LimitReached, Limits, NullObserver, Outcome, Solver};

pub use groups::{Group, Groups};
pub use prefer::Preference;
pub use solutions::Solutions;

use dag::Dag;
use region::RegionSearch;

/// All shortest solutions of one puzzle.
#[derive(Debug)]
pub struct AllSolutions {
    puzzle: Puzzle,
    length: u32,
    dag: Dag,
    helped: Option<HelpedBound>,
    budget: Budget,
    nodes: u64,
    peak_bytes: u64,
    held: u64,
}

/// Solves a puzzle with the flagship and finds all solutions that are as short; `None` is proof that
/// there is none.
///
/// The limits hold for all of it together.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::Limits;
/// use ricochet_solve::all::{Preference, all_solutions};
/// // Red goes to the opposite corner of an empty board: round either way.
/// let puzzle = notation::parse_line("8x8..00.R77")?.validate()?;
/// let all = all_solutions(&puzzle, &Limits::default())?.ok_or("it cannot be solved")?;
/// assert_eq!((all.length(), all.count()), (2, 2));
/// let mut texts = Vec::new();
/// for solution in all.solutions(Preference::Nothing)? {
///     texts.push(solution?.to_string());
/// }
/// assert_eq!(texts, ["RE RS", "RS RE"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The limit that was reached first, and how many moves a solution has at least.
pub fn all_solutions(
    puzzle: &Puzzle,
    limits: &Limits,
) -> Result<Option<AllSolutions>, LimitReached> {
    let mut budget = Budget::start(limits);
    let (outcome, stats) = Flagship::new().solve(puzzle, limits, &mut NullObserver);
    budget.charge(stats.nodes);
    let solution = match outcome {
        Outcome::Solved { solution, .. } => solution,
        Outcome::Unsolvable => return Ok(None),
        Outcome::LimitReached { limit, lower_bound } => {
            return Err(LimitReached { limit, lower_bound });
        }
        Outcome::Failed { failure, .. } => {
            unreachable!("the flagship takes every puzzle: {failure}")
        }
    };
    match all_of_length(puzzle, solution.len() as u32, &budget.left()) {
        Ok(None) => panic!("'{solution}' is not a shortest solution of {puzzle:?}"),
        all => all,
    }
}

/// Finds all shortest solutions, whose length is known from an optimal solver. `None` if that is not
/// the length of the shortest solutions.
///
/// # Errors
/// The limit that was reached first. Its lower bound is the length that was given.
pub fn all_of_length(
    puzzle: &Puzzle,
    length: u32,
    limits: &Limits,
) -> Result<Option<AllSolutions>, LimitReached> {
    let budget = Budget::start(limits);
    let mut search = RegionSearch::new(puzzle, length, MemoryMeter::start(limits));
    let dag = match limits.moves {
        Some(most) if length > most => Err(Limit::Moves),
        _ if length == 0 => Ok(search.game.is_over(search.game.start()).then(Dag::solved)),
        _ if search.packing.fits_u64() => dag_of::<u64>(&mut search),
        _ => dag_of::<u128>(&mut search),
    };
    let dag = dag.map_err(|limit| LimitReached {
        limit,
        lower_bound: length,
    })?;
    Ok(dag.map(|dag| AllSolutions {
        puzzle: puzzle.clone(),
        length,
        budget,
        nodes: search.nodes,
        peak_bytes: search.meter.peak(),
        held: dag.bytes(),
        helped: search.helped.take(),
        dag,
    }))
}

fn dag_of<K: PackedKey>(search: &mut RegionSearch<'_>) -> Result<Option<Dag>, Limit> {
    let Some(region) = search.explore::<K>()? else {
        return Ok(None);
    };
    Dag::new(search, &region).map(Some)
}

impl AllSolutions {
    /// The number of moves of each.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// How many there are; `u128::MAX` if there are more than that.
    pub fn count(&self) -> u128 {
        self.dag.count()
    }

    /// The graph whose ways they are.
    pub(crate) fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The bound with helpers, if it was needed to find them.
    pub(crate) fn helped(&self) -> Option<&HelpedBound> {
        self.helped.as_ref()
    }

    /// States expanded to find them.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Most bytes held at once while they were looked for.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// The solutions one after the other, the preferred ones first: a stream whose memory does not grow.
    /// A caller that keeps solutions tells the stream with [`Solutions::keep`], so that the memory limit
    /// covers both.
    ///
    /// # Errors
    /// The limit that does not allow to look for what is preferred.
    pub fn solutions(&self, prefer: Preference) -> Result<Solutions<'_>, LimitReached> {
        Solutions::new(&self.puzzle, &self.dag, prefer, self.meter()).map_err(|limit| {
            LimitReached {
                limit,
                lower_bound: self.length,
            }
        })
    }

    /// The solutions, those together that differ only in the order of independent moves. The
    /// preferred one of each group stands for it, and groups come in the order of those.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
    /// use ricochet_solve::Limits;
    /// use ricochet_solve::all::{Preference, all_of_length};
    /// // Green has to stop red: in the south, before or after red's first move, or in the north.
    /// let board = Board::builder(8, 8).build().unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(6, 7) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(7, 3)], goal).unwrap();
    /// let all = all_of_length(&puzzle, 3, &Limits::default()).unwrap().unwrap();
    /// let groups: Vec<_> = all
    ///     .groups(Preference::Nothing)
    ///     .unwrap()
    ///     .map(Result::unwrap)
    ///     .map(|group| (group.first.to_string(), group.size))
    ///     .collect();
    /// assert_eq!(all.count(), 3);
    /// assert_eq!(groups, [("RS GS RE".to_owned(), 2), ("GN RE RS".to_owned(), 1)]);
    /// ```
    ///
    /// # Errors
    /// The limit that does not allow to look for what is preferred.
    pub fn groups(&self, prefer: Preference) -> Result<Groups<'_>, LimitReached> {
        Ok(Groups::new(self.solutions(prefer)?))
    }

    /// Meters a stream: nodes and moves are no longer limited.
    fn meter(&self) -> MemoryMeter {
        let left = self.budget.left().next_to(self.held);
        MemoryMeter::start(&Limits {
            nodes: None,
            moves: None,
            count: None,
            ..left
        })
    }
}
