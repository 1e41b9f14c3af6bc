//! Layers of `f = g + h`, filled one after the other by one search for each goal robot.
//!
//! If any robot may reach the target, each has a search of its own, and all fill the same layer in
//! turn. A robot's solution is a shortest one as soon as the searches of the others have proved
//! that they have none with fewer moves.

use ricochet_core::Robot;

use super::task::{Counters, SearchEnd, SearchReport, Task};
use crate::trace::Recorder;
use crate::{Limit, Observer};

/// The use of a search, or of a part of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    /// Children made.
    pub(super) children: u64,
    pub(super) bytes: u64,
    /// The number of nodes in the largest part.
    pub(super) nodes: usize,
}

impl Used {
    /// The use of two searches, or of two parts.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            children: self.children + other.children,
            bytes: self.bytes + other.bytes,
            nodes: self.nodes.max(other.nodes),
        }
    }
}

/// The search for one goal robot.
pub(super) trait LayerSearch {
    /// The next layer to fill.
    fn next_layer(&self) -> u32;

    /// A lower bound: this robot has no solution with fewer moves. `u32::MAX` if it has none at
    /// all.
    fn proven(&self) -> u32;

    /// The length of the shortest solution found so far.
    fn known(&self) -> Option<u32>;

    /// Fills the next layer. The other searches for the task have used `elsewhere`.
    fn fill_next(&mut self, elsewhere: &Used) -> Result<(), Limit>;

    /// Chooses data structures, a bound and a number of threads for larger layers; there are `left`
    /// bytes for it.
    fn prepare_for_more(&mut self, left: u64);

    /// The answer, if a solution is known and none has fewer than `proven` moves.
    fn answer(&mut self, proven: u32) -> Option<SearchEnd>;

    fn counters(&self) -> Counters;

    /// The number of nodes.
    fn nodes(&self) -> u64;

    /// Bytes in use.
    fn bytes(&self) -> u64;

    /// The most bytes in use while the last layer was filled.
    fn peak_bytes(&self) -> u64;

    /// Records the nodes of layer `f`, which was filled last.
    fn trace_layer(&self, f: u32, recorder: &mut Recorder);

    /// Its goal robot.
    fn robot(&self) -> Robot;
}

/// Fills layers until there is an answer. All searches share `shared_bytes` of tables.
pub(super) fn fill_layers(
    searches: &mut [&mut dyn LayerSearch],
    task: &Task,
    shared_bytes: u64,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> SearchEnd {
    // The last layer that was reported, and the counters and nodes at that time.
    let (mut reported, mut before) = (0, (Counters::default(), 0));
    loop {
        let proven = proven_by(searches);
        let too_long = task.limits.moves.is_some_and(|most| proven > most);
        if (task.all_nearest || !too_long)
            && let Some(end) = searches.iter_mut().find_map(|it| it.answer(proven))
        {
            return end;
        }
        if proven == u32::MAX {
            return SearchEnd::Unsolvable;
        }
        let ended_by = |limit| SearchEnd::Limit {
            limit,
            lower_bound: proven,
        };
        if too_long {
            return ended_by(Limit::Moves);
        }
        let open = searches.iter().filter(|it| it.proven() < u32::MAX);
        let f = open.map(|it| it.next_layer()).min().expect("one is open");
        let result = fill_layer(searches, f, shared_bytes, report, watch);
        let proven = proven_by(searches);
        // A search that starts again with a better bound fills layers that were reported before.
        if f > reported || result != Ok(false) || proven == u32::MAX {
            let now = totals(searches);
            let row = report.add_layer(f, now, before);
            before = now;
            if let Some(recorder) = watch.recorder() {
                recorder.layer(&row);
            }
            // With plans, the nearest states are found in the layer of their distance: that layer
            // proves nothing beyond it.
            if result.is_ok() && (!task.all_nearest || proven > f) {
                watch.depth_done(&row);
            }
        }
        reported = reported.max(f);
        match result {
            Err(limit) => return ended_by(limit),
            Ok(true) => {}
            Ok(false) => {
                prepare_for_more(searches, f, task, shared_bytes, watch);
                // The nodes of a search that starts again are forgotten.
                before.1 = before.1.min(totals(searches).1);
            }
        }
    }
}

/// The counters and the number of nodes of all searches together.
fn totals(searches: &[&mut dyn LayerSearch]) -> (Counters, u64) {
    let counters = searches.iter().map(|it| it.counters()).sum();
    (counters, searches.iter().map(|it| it.nodes()).sum())
}

/// A lower bound: no robot has a solution with fewer moves.
fn proven_by(searches: &[&mut dyn LayerSearch]) -> u32 {
    let proven = searches.iter().map(|it| it.proven());
    proven.min().unwrap_or(u32::MAX)
}

/// Fills layer `f` of all searches whose next layer it is. Stops and returns true if one has a
/// solution that no other search can improve on.
fn fill_layer(
    searches: &mut [&mut dyn LayerSearch],
    f: u32,
    shared_bytes: u64,
    report: &mut SearchReport,
    watch: &mut dyn Observer,
) -> Result<bool, Limit> {
    for i in 0..searches.len() {
        if searches[i].next_layer() != f || searches[i].proven() == u32::MAX {
            continue;
        }
        let mut elsewhere = Used {
            bytes: shared_bytes,
            ..Used::default()
        };
        for (_, other) in searches.iter().enumerate().filter(|&(j, _)| j != i) {
            elsewhere.children += other.counters().generated;
            elsewhere.bytes += other.bytes();
        }
        let it = &mut *searches[i];
        let result = it.fill_next(&elsewhere);
        report.peak_bytes = report.peak_bytes.max(elsewhere.bytes + it.peak_bytes());
        if let Some(recorder) = watch.recorder() {
            it.trace_layer(f, recorder);
        }
        result?;
        let known = it.known();
        if known.is_some_and(|moves| moves <= proven_by(searches)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Prepares the searches that have filled layer `f` for the next one.
fn prepare_for_more(
    searches: &mut [&mut dyn LayerSearch],
    f: u32,
    task: &Task,
    shared_bytes: u64,
    watch: &mut dyn Observer,
) {
    for i in 0..searches.len() {
        let open = searches[i].proven() < u32::MAX;
        if open && searches[i].next_layer() == f + 1 {
            let used: u64 = searches.iter().map(|it| it.bytes()).sum();
            let memory = task.limits.memory.unwrap_or(u64::MAX);
            let nodes = searches[i].nodes();
            searches[i].prepare_for_more(memory.saturating_sub(shared_bytes + used));
            if searches[i].nodes() < nodes
                && let Some(recorder) = watch.recorder()
            {
                recorder.restart(Some(searches[i].robot()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{RandomBoard, Recipe};
    use ricochet_core::quadrants::Edition;
    use ricochet_core::{Goal, Puzzle};

    use super::super::dispatch::dispatch;
    use super::super::small::SmallSearch;
    use super::super::task::Switches;
    use super::super::{SearchSmallBoard, wide};
    use super::*;
    use crate::lowlevel::instructions::{Instructions, Portable};
    use crate::{Limits, Meter, NullObserver};

    const SWITCHES: Switches = Switches {
        threads: 1,
        lookahead: true,
        plans: true,
    };

    fn any_robot(
        searches: &mut [SmallSearch],
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
        let search = SearchSmallBoard {
            searches: &mut searches[..puzzle.start().len()],
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
        let mut searches: Vec<SmallSearch> = (0..5).map(|_| SmallSearch::new()).collect();
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
            let expected = wide::run(&task, &mut NullObserver, &mut SearchReport::default());
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
        let mut searches: Vec<SmallSearch> = (0..5).map(|_| SmallSearch::new()).collect();
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
