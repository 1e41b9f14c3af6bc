//! Goals that any robot may reach, on boards that the set search takes: one set search for each robot.
//!
//! They fill the same layer one after the other. A robot's solution is a shortest one as soon as the
//! searches of the others have proved that they have none with fewer moves.

use ricochet_core::{Goal, Puzzle};

use super::nodes::Counters;
use super::search::{Progress, ROOMY, SetSearch};
use super::search_report::{SearchEnd, SearchReport};
use super::shared_budget::SharedBudget;
use super::tables::Tables;
use crate::lowlevel::set::Set;
use crate::{DepthRow, Limit, Limits, Meter, Observer};

/// The searches, one for each robot; what they hold is kept for the next puzzle.
#[derive(Default)]
pub(crate) struct AnyRobot {
    searches: Vec<SetSearch>,
}

/// The search for one robot.
struct Candidate<'a> {
    search: &'a mut SetSearch,
    /// The puzzle with this robot as the only one that may arrive.
    puzzle: Puzzle,
    at: Progress,
    /// Whether this robot cannot arrive.
    ended: bool,
}

impl Candidate<'_> {
    /// No solution in which this robot arrives has fewer moves.
    fn proven(&self) -> u32 {
        if self.ended { u32::MAX } else { self.at.proven }
    }

    /// The length of the solution that is known.
    fn found(&self) -> Option<u32> {
        self.search.found().map(|found| found.f as u32)
    }
}

impl AnyRobot {
    /// Whether it can take a puzzle.
    pub(crate) fn fits(puzzle: &Puzzle) -> bool {
        Tables::fits(puzzle.board())
            && puzzle.goal().robot.is_none()
            && puzzle.start().len() <= 5
            && !puzzle.rules().must_ricochet
    }

    /// Gives back what is kept.
    pub(crate) fn release(&mut self) {
        self.searches.clear();
    }

    /// Searches; the caller has checked that the puzzle fits and is not solved already.
    pub(crate) fn run<S: Set>(
        &mut self,
        isa: S::Isa,
        question: &Question,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> SearchEnd {
        let robots = question.puzzle.start().len();
        self.searches.resize_with(robots, SetSearch::new);
        for search in &mut self.searches {
            (search.lookahead, search.use_plans) = (question.lookahead, false);
        }
        let roomy = question.limits.memory.is_none_or(|most| most >= ROOMY);
        if !roomy {
            self.searches.iter_mut().for_each(SetSearch::give_back);
        }
        let ended = match robots {
            1 => self.run_with::<S, 0>(isa, question, watch, report),
            2 => self.run_with::<S, 1>(isa, question, watch, report),
            3 => self.run_with::<S, 2>(isa, question, watch, report),
            4 => self.run_with::<S, 3>(isa, question, watch, report),
            _ => self.run_with::<S, 4>(isa, question, watch, report),
        };
        if !roomy {
            self.release();
        }
        ended
    }

    fn run_with<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        question: &Question,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> SearchEnd {
        let &Question {
            puzzle,
            limits,
            meter,
            ..
        } = question;
        let mut candidates = Vec::new();
        for (search, robot) in self.searches.iter_mut().zip(puzzle.start().robots()) {
            let goal = Goal {
                robot: Some(robot),
                cell: puzzle.goal().cell,
            };
            let puzzle = puzzle.with_position(puzzle.start().cells(), goal);
            let puzzle = puzzle.expect("the same with another goal robot is a puzzle");
            if let Some(at) = search.start::<S>(isa, &puzzle) {
                candidates.push(Candidate {
                    search,
                    puzzle,
                    at,
                    ended: false,
                });
            }
        }
        loop {
            let proven = candidates.iter().map(Candidate::proven).min();
            let Some(proven) = proven.filter(|&proven| proven < u32::MAX) else {
                return SearchEnd::Unsolvable;
            };
            if limits.moves.is_some_and(|most| proven > most) {
                return SearchEnd::Limit {
                    limit: Limit::Moves,
                    lower_bound: proven,
                };
            }
            let shortest = |it: &&mut Candidate| it.found().is_some_and(|moves| moves <= proven);
            if let Some(it) = candidates.iter_mut().find(shortest) {
                let found = it.search.found().expect("it has one");
                return SearchEnd::Solved(it.search.rebuild::<N>(&it.puzzle, it.at.first, found));
            }
            let open = candidates.iter().filter(|it| !it.ended);
            let f = open.map(|it| it.at.next).min().expect("one has not ended");
            let before = totals(&candidates);
            let result = fill_layer::<S, N>(isa, &mut candidates, f, limits, meter);
            let after = totals(&candidates);
            let row = DepthRow {
                depth: f,
                nodes: after.counters.generated - before.counters.generated,
                inner: after.stored - before.stored,
                hits: after.counters.hits - before.counters.hits,
            };
            report.rows.push(row);
            report.counters = after.counters;
            report.stored = after.stored;
            report.peak_bytes = report.peak_bytes.max(after.bytes);
            if let Err(limit) = result {
                return SearchEnd::Limit {
                    limit,
                    lower_bound: proven,
                };
            }
            watch.depth_done(&row);
        }
    }
}

/// What is asked of it.
pub(crate) struct Question<'a> {
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) lookahead: bool,
    pub(crate) limits: &'a Limits,
    pub(crate) meter: &'a Meter,
}

/// Fills a layer of all searches that have come to it, until one has a solution that no other can be
/// shorter than.
fn fill_layer<S: Set, const N: usize>(
    isa: S::Isa,
    candidates: &mut [Candidate],
    f: u32,
    limits: &Limits,
    meter: &Meter,
) -> Result<(), Limit> {
    let share = limits.memory.unwrap_or(u64::MAX) / candidates.len() as u64;
    for i in 0..candidates.len() {
        if candidates[i].ended || candidates[i].at.next != f {
            continue;
        }
        let all = totals(candidates);
        let it = &mut candidates[i];
        let own = it.search.counters().generated;
        let budget = SharedBudget {
            limits,
            meter,
            elsewhere: (
                all.counters.generated - own,
                all.bytes - (it.search.bytes() + Tables::BYTES),
            ),
        };
        it.search.fill_next::<S, N>(isa, &mut it.at, &budget)?;
        it.ended = it.search.found().is_none() && it.search.has_ended();
        if let Some(moves) = it.found() {
            if candidates.iter().all(|other| moves <= other.proven()) {
                return Ok(());
            }
        } else {
            it.search.prepare_for_more::<N>(share);
        }
    }
    Ok(())
}

/// What all searches together have done and hold.
struct Totals {
    counters: Counters,
    stored: u64,
    bytes: u64,
}

fn totals(candidates: &[Candidate]) -> Totals {
    let mut totals = Totals {
        counters: Counters::default(),
        stored: 0,
        bytes: 0,
    };
    for it in candidates {
        let counters = it.search.counters();
        totals.counters.generated += counters.generated;
        totals.counters.hits += counters.hits;
        totals.counters.expanded += counters.expanded;
        totals.stored += it.search.nodes() as u64;
        totals.bytes += it.search.bytes() + Tables::BYTES;
    }
    totals
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{RandomBoard, Recipe};
    use ricochet_core::quadrants::Edition;

    use super::super::wide;
    use super::*;
    use crate::lowlevel::instructions::Portable;
    use crate::lowlevel::portable::PortableSet;
    use crate::{NullObserver, Stats};

    fn any_robot(searches: &mut AnyRobot, puzzle: &Puzzle, limits: &Limits) -> (SearchEnd, u64) {
        let (meter, mut report) = (Meter::start(limits), SearchReport::default());
        let question = Question {
            puzzle,
            lookahead: true,
            limits,
            meter: &meter,
        };
        let ended =
            searches.run::<PortableSet>(Portable, &question, &mut NullObserver, &mut report);
        let rows: u64 = report.rows.iter().map(|row| row.nodes).sum();
        assert_eq!(rows, report.counters.generated);
        (ended, report.counters.generated)
    }

    /// Puzzles of several kinds that any robot may solve.
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

    /// The search for wide boards takes the same puzzles and shares no code with this one.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn answers_are_those_of_the_search_for_wide_boards() {
        let mut searches = AnyRobot::default();
        let limits = Limits {
            moves: Some(8),
            ..Limits::default()
        };
        let (mut solved, mut unsolvable, mut too_long) = (0, 0, 0);
        for puzzle in puzzles(40) {
            assert!(AnyRobot::fits(&puzzle));
            let (found, _) = any_robot(&mut searches, &puzzle, &limits);
            let question = wide::Question {
                puzzle: &puzzle,
                lookahead: true,
                threads: 1,
                divide_from: wide::DIVIDE_FROM,
                limits: &limits,
            };
            let expected = wide::run(&question, &mut NullObserver, &mut Stats::default());
            match (found, expected) {
                (SearchEnd::Solved(found), SearchEnd::Solved(expected)) => {
                    assert_eq!(found.len(), expected.len(), "{:?}", puzzle.to_setup());
                    found.replay(&puzzle).expect("it can be played");
                    solved += 1;
                }
                (SearchEnd::Unsolvable, SearchEnd::Unsolvable) => unsolvable += 1,
                // One may prove that there is no solution in the layers in which the other proves only
                // that there is no short one.
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

    /// The searches of all robots together keep within a limit, and what they prove by then holds.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn limits_are_for_all_robots_together() {
        let mut searches = AnyRobot::default();
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
                if let SearchEnd::Solved(solution) = free {
                    assert!(lower_bound as usize <= solution.len());
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
