//! Evaluations against a search of its own for every position.

use ricochet_core::generate::{GoalRobot, RandomBoard, Recipe};
use ricochet_core::{Puzzle, Rules, quadrants::Edition};
use ricochet_solve::evaluate::{Distance, Evaluation, Evaluator};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Limit, Limits, Outcome, Solver};

use super::common;

fn free(puzzle: Puzzle) -> Puzzle {
    puzzle.with_rules(Rules {
        must_ricochet: false,
    })
}

fn evaluate(evaluator: &mut Evaluator, puzzle: &Puzzle) -> Evaluation {
    evaluator.evaluate(puzzle, &Limits::default(), &mut |_| ())
}

fn distance(solver: &mut dyn Solver, puzzle: &Puzzle) -> Distance {
    match common::solve(solver, puzzle).0 {
        Outcome::Solved { solution, .. } => Distance::Exactly(solution.len() as u32),
        Outcome::Unsolvable => Distance::Unreachable,
        other => panic!("{other:?}"),
    }
}

/// Everything that an evaluation says, checked one by one.
fn agrees(evaluation: &Evaluation, solver: &mut dyn Solver, puzzle: &Puzzle) {
    let line = ricochet_core::notation::to_line(puzzle);
    assert_eq!(evaluation.distance, distance(solver, puzzle), "{line}");
    if let Some(solution) = &evaluation.solution {
        assert_eq!(evaluation.distance.exactly(), Some(solution.len() as u32));
        assert!(
            solution.replay(puzzle).is_ok() || solution.is_empty(),
            "{line}"
        );
    }
    let mut legal = 0;
    for robot in puzzle.start().robots() {
        for direction in ricochet_core::Direction::ALL {
            legal += usize::from(puzzle.apply(puzzle.start(), robot, direction).is_some());
        }
    }
    assert_eq!(evaluation.moves.len(), legal, "{line}");
    for it in &evaluation.moves {
        let after = puzzle.apply(puzzle.start(), it.play.robot, it.play.direction);
        assert_eq!(after, Some(it.state), "{line} {}", it.play);
        let there = puzzle
            .with_position(it.state.cells(), puzzle.goal())
            .expect("a position");
        assert_eq!(it.distance, distance(solver, &there), "{line} {}", it.play);
        if let Some(solution) = &it.solution {
            assert!(
                solution.replay(&there).is_ok() || solution.is_empty(),
                "{line}"
            );
        }
        let best = evaluation
            .distance
            .exactly()
            .is_some_and(|here| it.distance.exactly().is_some_and(|there| there + 1 == here));
        assert_eq!(it.best, best, "{line} {}", it.play);
    }
    let order = evaluation.moves.iter().map(|it| match it.distance {
        Distance::Exactly(moves) => moves,
        Distance::AtLeast(_) | Distance::Unreachable => u32::MAX,
    });
    assert!(order.is_sorted(), "best first: {line}");
}

fn all_agree(puzzles: impl Iterator<Item = Puzzle>) -> usize {
    let (mut evaluator, mut solver) = (Evaluator::new(), Flagship::new());
    puzzles
        .map(|puzzle| agrees(&evaluate(&mut evaluator, &puzzle), &mut solver, &puzzle))
        .count()
}

fn official(count: u64) -> impl Iterator<Item = Puzzle> {
    let recipe = Recipe::official(Edition::Of1999);
    (0..count).filter_map(move |number| recipe.puzzle(19, number).ok())
}

#[test]
fn official_positions_agree_with_separate_searches() {
    assert!(all_agree(official(40)) >= 40);
}

#[test]
#[ignore = "minutes"]
fn two_thousand_positions_agree_with_separate_searches() {
    assert_eq!(all_agree(official(2_000)), 2_000);
}

/// With one to five robots, with diagonals, unsolvable ones among them.
#[test]
fn small_positions_agree_with_separate_searches() {
    assert!(all_agree(common::small_puzzles(23, 150, 5).map(free)) > 140);
}

#[test]
fn any_robot_goals_agree_with_separate_searches() {
    let recipe = Recipe {
        robots: 3,
        goal_robot: GoalRobot::AnyRobot,
        ..Recipe::random(RandomBoard::new(7, 6))
    };
    let puzzles = (0..20).filter_map(|number| recipe.puzzle(5, number).ok());
    assert!(all_agree(puzzles) > 10);
}

/// Along a shortest solution, what is known is used, and says the same as a new evaluation.
#[test]
fn playing_on_uses_what_is_known() {
    let mut solver = Flagship::new();
    let (mut kept, mut anew) = (0, 0);
    for puzzle in official(12) {
        let mut evaluator = Evaluator::new();
        let mut here = puzzle;
        loop {
            let evaluation = evaluate(&mut evaluator, &here);
            agrees(&evaluation, &mut solver, &here);
            kept += evaluation.stats.nodes;
            anew += evaluate(&mut Evaluator::new(), &here).stats.nodes;
            let Some(best) = evaluation.moves.iter().find(|it| it.best) else {
                break;
            };
            let (after, expected) = (best.state, best.distance);
            here = here
                .with_position(after.cells(), here.goal())
                .expect("a position");
            let again = evaluate(&mut evaluator, &here);
            assert_eq!(again.distance, expected);
        }
    }
    assert!(kept < anew, "{kept} {anew}");
}

/// Where each position has a search of its own, all of them together use what they may.
#[test]
fn nothing_is_left_of_a_limit_that_ends_everything() {
    let line = "32x32..00vv0vv0ff.R55";
    let puzzle = ricochet_core::notation::parse_line(line).expect("a line");
    let puzzle = puzzle.validate().expect("a puzzle");
    let most = 100_000;
    let limits = Limits {
        nodes: Some(most),
        ..Limits::default()
    };
    let evaluation = Evaluator::new().evaluate(&puzzle, &limits, &mut |_| ());
    assert_eq!(evaluation.limit, Some(Limit::Nodes));
    let is_open = |it: &Distance| matches!(it, Distance::AtLeast(_));
    let open = evaluation.moves.iter().filter(|it| is_open(&it.distance));
    assert!(open.count() > 10);
    let nodes = evaluation.stats.nodes;
    assert!(nodes > most / 20 * 19, "{nodes}");
}

/// A limit leaves bounds that hold, and what is told on the way holds too.
#[test]
fn limits_leave_bounds_that_hold() {
    let mut solver = Flagship::new();
    for puzzle in official(15) {
        let known = evaluate(&mut Evaluator::new(), &puzzle);
        let holds = |so_far: &Evaluation| {
            let pairs = so_far.moves.iter().map(|it| {
                let same = known.moves.iter().find(|other| other.play == it.play);
                (it.distance, same.expect("the same moves").distance)
            });
            for (said, is) in pairs.chain([(so_far.distance, known.distance)]) {
                match said {
                    Distance::AtLeast(bound) => {
                        assert!(is.lower_bound().is_none_or(|is| bound <= is));
                    }
                    said => assert_eq!(said, is),
                }
            }
        };
        for nodes in [0, 100, 1_000, 10_000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let mut told = 0;
            let evaluation = Evaluator::new().evaluate(&puzzle, &limits, &mut |so_far| {
                holds(so_far);
                told += 1;
            });
            holds(&evaluation);
            let unknown = evaluation
                .moves
                .iter()
                .any(|it| it.distance.exactly().is_none());
            let all_reachable = known.moves.iter().all(|it| it.distance.exactly().is_some());
            assert_eq!(evaluation.limit.is_some(), unknown && all_reachable);
            assert!(told > 0 || known.distance == Distance::Exactly(0));
        }
        for (limit, limits) in common::one_limit_each(0, 1 << 10) {
            let evaluation = Evaluator::new().evaluate(&puzzle, &limits, &mut |_| ());
            holds(&evaluation);
            assert!(evaluation.limit == Some(limit) || evaluation.limit.is_none());
        }
        let most = known
            .distance
            .exactly()
            .expect("solvable")
            .saturating_sub(1);
        let limits = Limits {
            moves: Some(most),
            ..Limits::default()
        };
        let evaluation = Evaluator::new().evaluate(&puzzle, &limits, &mut |_| ());
        holds(&evaluation);
        if most > 0 {
            assert_eq!(evaluation.limit, Some(Limit::Moves));
        }
        assert_eq!(distance(&mut solver, &puzzle), known.distance);
    }
}

/// Large searches report their layers while they run, and a search with plans finds the nearest positions in a
/// layer that it completes.
#[test]
fn large_evaluations_know_the_distance_on_any_number_of_threads() {
    for threads in [1, 2, 3, 4, 8] {
        let mut evaluator = Evaluator::new();
        evaluator.set_threads(threads);
        for puzzle in common::corpus("official/hard.jsonl").iter().take(3) {
            let evaluation = evaluate(&mut evaluator, puzzle);
            assert_eq!(
                evaluation.distance.exactly(),
                puzzle.known_optimal(),
                "{threads} threads"
            );
        }
    }
}
