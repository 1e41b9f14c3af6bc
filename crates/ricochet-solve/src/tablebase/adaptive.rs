//! Chooses between searching and a table, puzzle by puzzle.
//!
//! How many more puzzles of a board and goal will come is not known, so this is the problem of
//! renting or buying skis: search until the searches have cost as much as a table would, then make
//! the table. That costs at most about twice as much as knowing the future. Costs are counted in
//! nodes rather than seconds, so that a batch is answered by the same solvers each time it is run
//! with one thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ricochet_core::Puzzle;

use super::solver::answer;
use super::{Builder, Space, Tablebase};
use crate::{
    Budget, Guarantee, Limits, NullObserver, Observer, Outcome, Solver, Stats, Unsupported,
};

/// What a table costs, in nodes of the flagship for each helper configuration: 36 to 42 were
/// measured (`records/2026-11-16-tablebase`).
pub(crate) const NODES_PER_CONFIGURATION: u64 = 40;

/// The memory limit of a table that is built without a request.
const MAX_MEMORY: u64 = 1 << 30;

/// The state that all solvers of a batch share.
#[derive(Clone, Debug, Default)]
struct SharedState(Arc<Mutex<BatchState>>);

#[derive(Debug, Default)]
struct BatchState {
    /// A puzzle of the board and goal that came last.
    last: Option<Puzzle>,
    /// Nodes of the searches on it.
    spent: u64,
    table: TableState,
}

#[derive(Clone, Debug, Default)]
enum TableState {
    #[default]
    None,
    /// Somebody is making it.
    InProgress,
    Ready(Arc<Tablebase>),
    /// It does not fit, or was not finished within the limits.
    Never,
}

impl SharedState {
    fn lock(&self) -> MutexGuard<'_, BatchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn same_space(a: &Puzzle, b: &Puzzle) -> bool {
    a.goal() == b.goal()
        && a.start().len() == b.start().len()
        && a.rules() == b.rules()
        && (Arc::ptr_eq(a.board(), b.board())
            || (a.board().width() == b.board().width()
                && a.board().walls() == b.board().walls()
                && a.board().diagonals() == b.board().diagonals()))
}

/// Searches with another solver, and turns to a table when many puzzles of one board and goal come
/// in a row. [`Solver::name`] is that of whichever answered last.
///
/// Limits hold for each puzzle, also for the one at which a table is made: it gets half of the time,
/// and if it is not done by then, a search gets the rest. The memory limit holds for the table and
/// for the search each; on one thread there is never more than one of them, since a table is given
/// back before the next search, and solvers keep little between searches.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::registry;
/// use ricochet_solve::tablebase::AdaptiveSolver;
/// use ricochet_solve::{Limits, NullObserver, Solver};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let mut solver = AdaptiveSolver::new(registry::build("flagship")?);
/// let mut names = Vec::new();
/// for _ in 0..500 {
///     solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
///     names.push(solver.name());
/// }
/// assert_eq!((names[0], names[499]), ("flagship", "tablebase"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AdaptiveSolver {
    search: Box<dyn Solver>,
    shared: SharedState,
    by_table: bool,
}

impl std::fmt::Debug for AdaptiveSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AdaptiveSolver")
            .field("search", &self.search.name())
            .finish_non_exhaustive()
    }
}

impl AdaptiveSolver {
    /// Begins with that solver, which should be an optimal one.
    pub fn new(search: Box<dyn Solver>) -> Self {
        Self {
            search,
            shared: SharedState::default(),
            by_table: false,
        }
    }

    /// One more for another thread of the same batch: they count together and share the table.
    pub fn sibling(&self, search: Box<dyn Solver>) -> Self {
        Self {
            search,
            shared: self.shared.clone(),
            by_table: false,
        }
    }

    /// Solvers for the threads of one batch, which turn to a table together.
    pub fn for_threads(solvers: Vec<Box<dyn Solver>>) -> Vec<Box<dyn Solver>> {
        let mut first: Option<Self> = None;
        let mut all: Vec<Box<dyn Solver>> = Vec::new();
        for solver in solvers {
            match &first {
                None => first = Some(Self::new(solver)),
                Some(first) => all.push(Box::new(first.sibling(solver))),
            }
        }
        all.extend(first.map(|first| Box::new(first) as Box<dyn Solver>));
        all
    }

    /// The table, if there is one or now is the time to make it.
    fn table(&self, puzzle: &Puzzle, limits: &Limits, budget: &Budget) -> Option<Arc<Tablebase>> {
        let mut known = self.shared.lock();
        if !known
            .last
            .as_ref()
            .is_some_and(|last| same_space(last, puzzle))
        {
            *known = BatchState {
                last: Some(puzzle.clone()),
                ..BatchState::default()
            };
            return None;
        }
        match &known.table {
            TableState::Ready(table) => return Some(Arc::clone(table)),
            TableState::InProgress | TableState::Never => return None,
            // The smallest table, so that most batches never ask for more.
            TableState::None if known.spent < NODES_PER_CONFIGURATION => return None,
            TableState::None => (),
        }
        let most = limits.memory.unwrap_or(MAX_MEMORY).min(MAX_MEMORY);
        let space = Space::of(puzzle).ok();
        let space = space.filter(|space| Builder::tablebase_bytes(space) <= most);
        let Some(space) = space else {
            known.table = TableState::Never;
            return None;
        };
        if known.spent < NODES_PER_CONFIGURATION * space.configurations() as u64 {
            return None;
        }
        known.table = TableState::InProgress;
        drop(known);
        let built = Builder::new(1).tablebase(&space, &budget.share(2), &mut NullObserver);
        let built = built.ok().map(Arc::new);
        let mut known = self.shared.lock();
        if known
            .last
            .as_ref()
            .is_some_and(|last| same_space(last, puzzle))
        {
            known.table = built.clone().map_or(TableState::Never, TableState::Ready);
        }
        built
    }
}

impl Solver for AdaptiveSolver {
    fn name(&self) -> &'static str {
        if self.by_table {
            super::solver::INFO.name
        } else {
            self.search.name()
        }
    }

    fn guarantee(&self) -> Guarantee {
        self.search.guarantee()
    }

    fn supports(&self, puzzle: &Puzzle) -> Result<(), Unsupported> {
        self.search.supports(puzzle)
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        self.by_table = false;
        let budget = Budget::start(limits);
        // Who limits nodes wants to know what a search does with them.
        if limits.nodes.is_none()
            && let Some(table) = self.table(puzzle, limits, &budget)
        {
            let (outcome, lookups) = answer(&table, puzzle, limits);
            if !matches!(outcome, Outcome::Failed { .. }) {
                self.by_table = true;
                let stats = Stats {
                    nodes: lookups,
                    stored: table.histogram().states(),
                    peak_bytes: Builder::bytes_of(&table),
                    time: budget.elapsed(),
                    ..Stats::default()
                };
                return (outcome, stats);
            }
        }
        // A table that was not finished has taken some of the time.
        let (outcome, mut stats) = self.search.solve(puzzle, &budget.left(), watch);
        stats.time = budget.elapsed();
        let mut known = self.shared.lock();
        if known
            .last
            .as_ref()
            .is_some_and(|last| same_space(last, puzzle))
        {
            known.spent = known.spent.saturating_add(stats.nodes.max(1));
        }
        drop(known);
        (outcome, stats)
    }

    fn release(&mut self) {
        self.search.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limit;
    use ricochet_core::notation;
    use std::time::Duration;

    /// Says that it has worked hard, and keeps the time that it was given.
    struct Slow(Arc<Mutex<Vec<Option<Duration>>>>);

    impl Solver for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }

        fn guarantee(&self) -> Guarantee {
            Guarantee::Optimal
        }

        fn solve(&mut self, _: &Puzzle, limits: &Limits, _: &mut dyn Observer) -> (Outcome, Stats) {
            self.0.lock().unwrap().push(limits.time);
            let outcome = Outcome::LimitReached {
                limit: Limit::Time,
                lower_bound: 1,
            };
            let stats = Stats {
                nodes: u64::MAX,
                ..Stats::default()
            };
            (outcome, stats)
        }
    }

    #[test]
    fn a_table_that_is_not_finished_takes_its_time_from_the_search() {
        let puzzle = notation::parse_line("4x3..0012.R31")
            .unwrap()
            .validate()
            .unwrap();
        let times = Arc::new(Mutex::new(Vec::new()));
        let mut solver = AdaptiveSolver::new(Box::new(Slow(Arc::clone(&times))));
        // Half a nanosecond is too short for any table, and a whole one is over afterwards.
        let limits = Limits {
            time: Some(Duration::from_nanos(1)),
            ..Limits::default()
        };
        for _ in 0..3 {
            solver.solve(&puzzle, &limits, &mut NullObserver);
            assert_eq!(solver.name(), "slow");
        }
        assert!(matches!(solver.shared.lock().table, TableState::Never));
        let times = times.lock().unwrap();
        assert_eq!(times.len(), 3);
        assert_eq!(times[1], Some(Duration::ZERO), "after the table");
    }
}
