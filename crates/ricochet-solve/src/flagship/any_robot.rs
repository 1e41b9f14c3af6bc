//! Goals that any robot may reach, on boards that the search for small boards accepts: one search
//! for each robot.
//!
//! The searches fill the same layer one after the other. A robot's solution is a shortest one as
//! soon as the searches of the others have proved that they have none with fewer moves.

use ricochet_core::{Goal, Puzzle};

use super::dispatch::Specialized;
use super::small::{Counters, Progress, SearchBudget, SmallSearch, Tables, Used};
use super::task::{SearchEnd, SearchReport, Switches, Task};
use crate::lowlevel::set::Set;
use crate::{DepthRow, Limit, Observer};

/// A task that is solved by one search for each robot. The memory of the searches is reused for the
/// next puzzle.
pub(crate) struct AnyRobot<'a> {
    pub(crate) searches: &'a mut Vec<SmallSearch>,
    pub(crate) task: &'a Task<'a>,
    pub(crate) watch: &'a mut dyn Observer,
    pub(crate) report: &'a mut SearchReport,
}

/// The search for one robot.
struct Candidate<'a> {
    search: &'a mut SmallSearch,
    /// The puzzle, with this robot as the only one that may reach the target.
    task: Task<'a>,
    at: Progress,
    /// Whether this robot can be ruled out: it cannot reach the target.
    exhausted: bool,
}

impl Candidate<'_> {
    /// A lower bound: no solution in which this robot reaches the target has fewer moves.
    fn proven(&self) -> u32 {
        if self.exhausted {
            u32::MAX
        } else {
            self.at.proven
        }
    }

    /// The length of the shortest solution found so far.
    fn known(&self) -> Option<u32> {
        self.search.solved().map(|solved| solved.f as u32)
    }
}

impl Specialized for AnyRobot<'_> {
    type Output = SearchEnd;

    fn run<S: Set, const N: usize>(self, isa: S::Isa) -> SearchEnd {
        let Self {
            searches,
            task,
            watch,
            report,
        } = self;
        searches.resize_with(N + 1, SmallSearch::new);
        if !task.is_roomy() {
            searches.iter_mut().for_each(SmallSearch::free);
        }
        let end = fill_layers::<S, N>(isa, searches, task, watch, report);
        if !task.is_roomy() {
            searches.clear();
        }
        end
    }
}

fn fill_layers<S: Set, const N: usize>(
    isa: S::Isa,
    searches: &mut [SmallSearch],
    task: &Task,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> SearchEnd {
    let puzzles: Vec<Puzzle> = task
        .puzzle
        .start()
        .robots()
        .map(|robot| {
            let goal = Goal {
                robot: Some(robot),
                cell: task.puzzle.goal().cell,
            };
            let puzzle = task.puzzle.with_position(task.puzzle.start().cells(), goal);
            puzzle.expect("the same with another goal robot is a puzzle")
        })
        .collect();
    let mut candidates = Vec::new();
    for (search, puzzle) in searches.iter_mut().zip(&puzzles) {
        let task = Task {
            puzzle,
            switches: Switches {
                threads: 1,
                plans: false,
                ..task.switches
            },
            ..*task
        };
        if let Some(at) = search.start::<S, N>(isa, &task) {
            candidates.push(Candidate {
                search,
                task,
                at,
                exhausted: false,
            });
        }
    }
    loop {
        let proven = candidates.iter().map(Candidate::proven).min();
        let Some(proven) = proven.filter(|&proven| proven < u32::MAX) else {
            return SearchEnd::Unsolvable;
        };
        if task.limits.moves.is_some_and(|most| proven > most) {
            return SearchEnd::Limit {
                limit: Limit::Moves,
                lower_bound: proven,
            };
        }
        let shortest = |it: &&Candidate| it.known().is_some_and(|moves| moves <= proven);
        if let Some(it) = candidates.iter().find(shortest) {
            let solved = it.search.solved().expect("it has one");
            return it.search.reconstruct::<N>(&it.task, &it.at, solved);
        }
        let open = candidates.iter().filter(|it| !it.exhausted);
        let f = open
            .map(|it| it.at.next)
            .min()
            .expect("one is not exhausted");
        let before = Totals::of(&candidates);
        let result = fill_layer::<S, N>(isa, &mut candidates, f, task);
        let after = Totals::of(&candidates);
        let row = DepthRow {
            depth: f,
            nodes: after.counters.generated - before.counters.generated,
            inner: after.stored - before.stored,
            hits: after.counters.duplicates - before.counters.duplicates,
        };
        report.add(row, after.counters, after.stored, after.bytes);
        if let Err(limit) = result {
            return SearchEnd::Limit {
                limit,
                lower_bound: proven,
            };
        }
        watch.depth_done(&row);
    }
}

/// Fills layer `f` of all searches whose next layer it is, until one has a solution that no other
/// search can improve on.
fn fill_layer<S: Set, const N: usize>(
    isa: S::Isa,
    candidates: &mut [Candidate],
    f: u32,
    task: &Task,
) -> Result<(), Limit> {
    let share = task
        .limits
        .memory
        .map(|most| most / candidates.len() as u64);
    for i in 0..candidates.len() {
        if candidates[i].exhausted || candidates[i].at.next != f {
            continue;
        }
        let elsewhere = Totals::of(candidates).used_without(&candidates[i]);
        let it = &mut candidates[i];
        let budget = SearchBudget::beside(task.limits, task.meter, elsewhere);
        it.search
            .fill_next::<S, N>(isa, &it.task, &mut it.at, &budget)?;
        it.exhausted = it.known().is_none() && it.search.is_exhausted(&it.at);
        if let Some(moves) = it.known() {
            if candidates.iter().all(|other| moves <= other.proven()) {
                return Ok(());
            }
        } else {
            it.search
                .prepare_for_more::<S, N>(isa, &it.task, &mut it.at, share);
        }
    }
    Ok(())
}

/// The counters and the memory use of all searches together.
struct Totals {
    counters: Counters,
    stored: u64,
    bytes: u64,
}

impl Totals {
    fn of(candidates: &[Candidate]) -> Self {
        let mut totals = Self {
            counters: Counters::default(),
            stored: 0,
            bytes: 0,
        };
        for it in candidates {
            totals.counters += it.search.counters();
            totals.stored += it.search.nodes();
            totals.bytes += it.search.bytes() + Tables::BYTES;
        }
        totals
    }

    /// The use of all searches but one.
    fn used_without(&self, it: &Candidate) -> Used {
        Used {
            children: self.counters.generated - it.search.counters().generated,
            bytes: self.bytes - (it.search.bytes() + Tables::BYTES),
            nodes: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{RandomBoard, Recipe};
    use ricochet_core::quadrants::Edition;

    use super::super::dispatch::dispatch;
    use super::super::wide;
    use super::*;
    use crate::lowlevel::instructions::{Instructions, Portable};
    use crate::{Limits, Meter, NullObserver, Stats};

    const SWITCHES: Switches = Switches {
        threads: 1,
        lookahead: true,
        plans: true,
    };

    fn any_robot(
        searches: &mut Vec<SmallSearch>,
        puzzle: &Puzzle,
        limits: &Limits,
    ) -> (SearchEnd, u64) {
        let (meter, mut report) = (Meter::start(limits), SearchReport::default());
        let task = Task {
            puzzle,
            starts: &[puzzle.start()],
            all_nearest: false,
            switches: SWITCHES,
            limits,
            meter: &meter,
        };
        let search = AnyRobot {
            searches,
            task: &task,
            watch: &mut NullObserver,
            report: &mut report,
        };
        let helpers = puzzle.start().len() - 1;
        let ended = dispatch(Instructions::Portable(Portable), helpers, search);
        let rows: u64 = report.rows.iter().map(|row| row.nodes).sum();
        assert_eq!(rows, report.counters.generated);
        (ended, report.counters.generated)
    }

    /// Puzzles of several kinds with a goal that any robot may reach.
    fn puzzles(each: u64) -> Vec<Puzzle> {
        let mut puzzles = Vec::new();
        for robots in 1..=5 {
            for recipe in [
                Recipe::official(Edition::Of1999),
                Recipe::random(RandomBoard::new(12, 16)),
                Recipe::random(RandomBoard::new(5, 4)),
            ] {
                let recipe = Recipe { robots, ..recipe };
                let made = (0..each).map(|number| recipe.puzzle(21, number).expect("a puzzle"));
                let of_any = made.filter_map(|puzzle| {
                    let cell = puzzle.goal().cell;
                    let goal = Goal { robot: None, cell };
                    puzzle.with_position(puzzle.start().cells(), goal).ok()
                });
                puzzles.extend(of_any.filter(|puzzle| !puzzle.is_solved(puzzle.start())));
            }
        }
        puzzles
    }

    /// The search for wide boards accepts the same puzzles and shares no code with this one.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn answers_are_those_of_the_search_for_wide_boards() {
        let mut searches = Vec::new();
        let limits = Limits {
            moves: Some(8),
            ..Limits::default()
        };
        let (mut solved, mut unsolvable, mut too_long) = (0, 0, 0);
        for puzzle in puzzles(40) {
            assert!(SmallSearch::fits(&puzzle));
            let (found, _) = any_robot(&mut searches, &puzzle, &limits);
            let task = Task {
                puzzle: &puzzle,
                starts: &[puzzle.start()],
                all_nearest: false,
                switches: SWITCHES,
                limits: &limits,
                meter: &Meter::start(&limits),
            };
            let expected = wide::run(&task, &mut NullObserver, &mut Stats::default());
            match (found, expected) {
                (SearchEnd::Solved(found), SearchEnd::Solved(expected)) => {
                    let (found, expected) = (&found[0].1, &expected[0].1);
                    assert_eq!(found.len(), expected.len(), "{:?}", puzzle.to_setup());
                    found.replay(&puzzle).expect("it can be played");
                    solved += 1;
                }
                (SearchEnd::Unsolvable, SearchEnd::Unsolvable) => unsolvable += 1,
                // With the same layers, one search may prove that there is no solution and the
                // other only that there is no short one.
                (SearchEnd::Unsolvable, SearchEnd::Limit { limit, .. })
                | (SearchEnd::Limit { limit, .. }, SearchEnd::Unsolvable) => {
                    assert_eq!(limit, Limit::Moves);
                }
                (SearchEnd::Limit { limit, lower_bound }, SearchEnd::Limit { .. }) => {
                    assert_eq!(limit, Limit::Moves);
                    assert!(lower_bound > 8);
                    too_long += 1;
                }
                _ => panic!("they differ: {:?}", puzzle.to_setup()),
            }
        }
        assert!(
            solved > 200 && unsolvable > 3 && too_long > 10,
            "{solved} {unsolvable} {too_long}"
        );
    }

    /// The searches of all robots together stay within a limit, and the bound they have proved by
    /// then holds.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn limits_are_for_all_robots_together() {
        let mut searches = Vec::new();
        let mut limited = 0;
        for puzzle in puzzles(12) {
            let limits = Limits {
                moves: Some(9),
                ..Limits::default()
            };
            let (free, all) = any_robot(&mut searches, &puzzle, &limits);
            let fewer = Limits {
                nodes: Some(all / 2),
                ..limits.clone()
            };
            let (ended, nodes) = any_robot(&mut searches, &puzzle, &fewer);
            let SearchEnd::Limit { limit, lower_bound } = ended else {
                continue;
            };
            if limit == Limit::Nodes {
                limited += 1;
                assert!(
                    nodes > all / 2 && nodes <= all / 2 + 4096,
                    "{nodes} of {all}"
                );
                if let SearchEnd::Solved(solutions) = free {
                    assert!(lower_bound as usize <= solutions[0].1.len());
                }
            }
            let little = Limits {
                memory: Some(1),
                ..limits
            };
            let (ended, _) = any_robot(&mut searches, &puzzle, &little);
            assert!(matches!(
                ended,
                SearchEnd::Limit {
                    limit: Limit::Memory,
                    ..
                }
            ));
        }
        assert!(limited > 40, "{limited}");
    }
}
