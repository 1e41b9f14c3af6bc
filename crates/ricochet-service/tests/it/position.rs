//! `position` against a slow oracle: a breadth-first search of its own on small boards.

use std::collections::{HashMap, HashSet, VecDeque};

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::{Direction, Move, Puzzle, Robot, Rules, Trace, notation};
use ricochet_service::json::{LimitName, MoveList, RobotLetter};
use ricochet_service::questions::position::{Position, PositionAnswer, PositionOutcome};
use ricochet_service::{Call, Policy, Question, RequestLimits};
use ricochet_solve::{CancelToken, Limit};

fn ask(puzzle: &Puzzle, moves: &[Move], limits: RequestLimits) -> PositionAnswer {
    let question = Position {
        puzzle: notation::to_line(puzzle).into(),
        moves: MoveList(moves.to_vec()),
        limits,
        ..Position::default()
    };
    question.answer(&mut Call::new(&Policy::default())).unwrap()
}

/// The same, asked robot by robot.
fn ask_in_parts(puzzle: &Puzzle, limits: RequestLimits) -> Vec<PositionAnswer> {
    let robots = puzzle.start().robots();
    robots
        .map(|robot| {
            let question = Position {
                puzzle: notation::to_line(puzzle).into(),
                robots: Some(vec![RobotLetter(robot)]),
                limits,
                ..Position::default()
            };
            question.answer(&mut Call::new(&Policy::default())).unwrap()
        })
        .collect()
}

#[test]
fn parts_make_up_the_whole() {
    let puzzle = notation::parse_line("1A4B3B2B.1fc1f0c0.B9c").unwrap();
    let puzzle = puzzle.validate().unwrap();
    let whole = ask(&puzzle, &[], RequestLimits::default());
    assert_eq!(whole.limit, None);
    let parts = ask_in_parts(&puzzle, RequestLimits::default());
    let mut moves = Vec::new();
    for part in parts {
        assert_eq!(part.distance, whole.distance);
        assert_eq!(part.solution, whole.solution);
        moves.extend(part.moves);
    }
    assert_eq!(moves.len(), whole.moves.len());
    for entry in &whole.moves {
        assert!(moves.contains(entry), "{:?}", entry.play);
    }
    // A part must not conclude from the moves that it has not seen.
    let one_node = RequestLimits {
        nodes: Some(1),
        ..RequestLimits::default()
    };
    for part in ask_in_parts(&puzzle, one_node) {
        assert_eq!(part.outcome, PositionOutcome::Limit);
        assert_eq!(part.limit, Some(LimitName(Limit::Nodes)));
        assert!(part.lower_bound <= whole.distance);
    }
}

/// The same where the robot must ricochet, which is searched otherwise.
#[test]
fn the_limit_is_named_for_strict_puzzles_too() {
    let puzzle = notation::parse_line("1A4B3B2B.1fc1f0c0.B9c").unwrap();
    let strict = puzzle.validate().unwrap().with_rules(Rules {
        must_ricochet: true,
    });
    let one_node = RequestLimits {
        nodes: Some(1),
        ..RequestLimits::default()
    };
    let answer = ask(&strict, &[], one_node);
    assert_eq!(answer.outcome, PositionOutcome::Limit);
    assert_eq!(answer.limit, Some(LimitName(Limit::Nodes)));
    assert_eq!(ask(&strict, &[], RequestLimits::default()).limit, None);
}

/// What matters about the way to a position: the robots' cells, and along which axes each has gone.
type Situation = (Vec<ricochet_core::Cell>, Vec<[bool; 2]>);

fn situation(puzzle: &Puzzle, moves: &[Move]) -> Option<(Situation, bool)> {
    let trace = Trace::play(puzzle, moves).ok()?;
    let mut axes = vec![[false; 2]; puzzle.start().len()];
    if puzzle.rules().must_ricochet {
        for step in &trace.steps {
            for (_, heading) in &step.path {
                axes[step.play.robot.index()][usize::from(heading.is_horizontal())] = true;
            }
        }
    }
    Some(((trace.end().cells().to_vec(), axes), trace.solved))
}

/// The distance after moves, by breadth-first search; `None` if the goal cannot be reached.
fn distance(puzzle: &Puzzle, moves: &[Move]) -> Option<u32> {
    let (start, solved) = situation(puzzle, moves)?;
    if solved {
        return Some(0);
    }
    let mut seen = HashSet::from([start]);
    let mut queue = VecDeque::from([(moves.to_vec(), 0)]);
    while let Some((way, depth)) = queue.pop_front() {
        for play in all_moves(puzzle) {
            let mut longer = way.clone();
            longer.push(play);
            if let Some((next, solved)) = situation(puzzle, &longer) {
                if solved {
                    return Some(depth + 1);
                }
                if seen.insert(next) {
                    queue.push_back((longer, depth + 1));
                }
            }
        }
    }
    None
}

fn all_moves(puzzle: &Puzzle) -> Vec<Move> {
    let robots: Vec<Robot> = puzzle.start().robots().collect();
    let both = |robot| Direction::ALL.map(|direction| Move { robot, direction });
    robots.into_iter().flat_map(both).collect()
}

fn small_puzzles() -> impl Iterator<Item = Puzzle> {
    let recipe = Recipe {
        robots: 2,
        ..Recipe::random(RandomBoard::new(5, 4))
    };
    (0..40).map(move |number| recipe.puzzle(5, number).unwrap())
}

fn agrees(puzzle: &Puzzle, played: &[Move], known: &mut HashMap<PositionOutcome, u32>) {
    let here = ask(puzzle, played, RequestLimits::default());
    let line = notation::to_line(puzzle);
    let expected = distance(puzzle, played);
    *known.entry(here.outcome).or_default() += 1;
    match here.outcome {
        PositionOutcome::Solved => assert_eq!(here.distance, expected, "{line} {played:?}"),
        PositionOutcome::Unsolvable => assert_eq!(expected, None, "{line} {played:?}"),
        PositionOutcome::Limit => panic!("no limit is set: {line} {played:?}"),
    }
    let legal: HashSet<Move> = all_moves(puzzle)
        .into_iter()
        .filter(|&play| Trace::play(puzzle, &[played, &[play]].concat()).is_ok())
        .collect();
    assert_eq!(
        here.moves.len(),
        legal.len(),
        "every legal move once: {line}"
    );
    for entry in &here.moves {
        assert!(legal.contains(&entry.play.0));
        let way = [played, &[entry.play.0]].concat();
        let step = Trace::play(puzzle, &way).unwrap().steps.pop().unwrap();
        assert_eq!(entry.to, [step.to.x, step.to.y]);
        let after = distance(puzzle, &way);
        *known.entry(entry.outcome).or_default() += 1;
        match entry.outcome {
            PositionOutcome::Solved => assert_eq!(entry.distance, after, "{line} {way:?}"),
            PositionOutcome::Unsolvable => assert_eq!(after, None, "{line} {way:?}"),
            PositionOutcome::Limit => panic!("no limit is set: {line} {way:?}"),
        }
        if here.outcome == PositionOutcome::Solved && entry.outcome == PositionOutcome::Solved {
            let best = after.map(|after| after + 1) == expected && expected != Some(0);
            assert_eq!(entry.best, best, "{line} {way:?}");
        }
    }
    let known_first = here
        .moves
        .iter()
        .map(|entry| entry.distance.unwrap_or(u32::MAX));
    assert!(known_first.is_sorted(), "best first: {line}");
    if let Some(solution) = &here.solution {
        let way = [played, &solution.0].concat();
        assert!(Trace::play(puzzle, &way).unwrap().solved, "{line}");
    }
}

#[test]
fn distances_are_those_of_a_breadth_first_search() {
    let mut known = HashMap::new();
    for puzzle in small_puzzles() {
        agrees(&puzzle, &[], &mut known);
        let first = all_moves(&puzzle)
            .into_iter()
            .find(|&play| Trace::play(&puzzle, &[play]).is_ok());
        agrees(&puzzle, &[first.unwrap()], &mut known);
    }
    assert!(known[&PositionOutcome::Solved] > 300, "{known:?}");
    assert!(known[&PositionOutcome::Unsolvable] > 0, "{known:?}");
}

#[test]
fn a_robot_that_has_turned_before_need_not_turn_again() {
    let mut known = HashMap::new();
    for puzzle in small_puzzles().take(25) {
        let strict = puzzle.with_rules(Rules {
            must_ricochet: true,
        });
        agrees(&strict, &[], &mut known);
        let first = all_moves(&strict)
            .into_iter()
            .find(|&play| Trace::play(&strict, &[play]).is_ok());
        agrees(&strict, &[first.unwrap()], &mut known);
    }
    assert!(known[&PositionOutcome::Unsolvable] > 0, "{known:?}");
    assert!(known[&PositionOutcome::Solved] > 100, "{known:?}");
}

/// Before any move, the rule is no reason not to know the distance: a solver proves it.
#[test]
fn what_a_solver_proves_about_a_position_is_known() {
    let mut unsolvable = 0;
    for puzzle in small_puzzles() {
        let strict = puzzle.with_rules(Rules {
            must_ricochet: true,
        });
        let here = ask(&strict, &[], RequestLimits::default());
        let line = notation::to_line(&strict);
        assert_ne!(here.outcome, PositionOutcome::Limit, "{line}");
        assert_eq!(here.distance, distance(&strict, &[]), "{line}");
        if here.outcome == PositionOutcome::Unsolvable {
            unsolvable += 1;
            let moves = here.moves.iter();
            let hopeless = moves.filter(|it| it.outcome == PositionOutcome::Unsolvable);
            assert_eq!(hopeless.count(), here.moves.len(), "{line}");
        }
    }
    assert!(unsolvable > 0);
}

#[test]
fn what_a_limit_ended_is_unknown_and_has_a_bound() {
    let puzzle = notation::parse_line("1A4B3B2B.1fc1f0c0.B9c")
        .unwrap()
        .validate()
        .unwrap();
    let limits = RequestLimits {
        moves: Some(3),
        ..RequestLimits::default()
    };
    let here = ask(&puzzle, &[], limits);
    assert_eq!(here.outcome, PositionOutcome::Limit);
    assert_eq!(here.distance, None);
    let far = ask(&puzzle, &[], RequestLimits::default()).distance;
    assert_eq!(
        here.lower_bound,
        Some(5),
        "the search proves more than the limit"
    );
    assert!(here.lower_bound <= far);
    assert!(
        here.moves
            .iter()
            .all(|entry| entry.distance.is_none() && !entry.best)
    );
    assert!(here.moves.iter().all(|entry| entry.lower_bound >= Some(3)));
}

#[test]
fn cancelled_is_unknown() {
    let token = CancelToken::default();
    token.cancel();
    let question = Position {
        puzzle: "1A4B3B2B.1fc1f0c0.B9c".into(),
        ..Position::default()
    };
    let policy = Policy::default();
    let mut call = Call::new(&policy).cancel_with(&token);
    let here = question.answer(&mut call).unwrap();
    assert_eq!(here.outcome, PositionOutcome::Limit);
    assert_eq!(here.distance, None);
}
