//! All shortest solutions against trying every sequence of moves, and against the other count.

use std::collections::{BTreeSet, HashMap};

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::{Cell, Direction, Goal, Move, Puzzle, Robot, Solution, Trace};
use ricochet_solve::all::{AllSolutions, Preference, all_of_length, all_solutions};
use ricochet_solve::difficulty::Features;
use ricochet_solve::heuristics::bound::Bound;
use ricochet_solve::{CancelToken, Limit, LimitReached, Limits};

/// All solutions of a length by trying every sequence, in the order of robots and directions.
fn by_trying(puzzle: &Puzzle, length: usize) -> Vec<Solution> {
    let mut sequences = vec![Vec::new()];
    for _ in 0..length {
        let longer = sequences.iter().flat_map(|sequence: &Vec<Move>| {
            let robots = puzzle.start().robots();
            let all =
                robots.flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }));
            all.map(|step| [sequence.as_slice(), &[step]].concat())
                .collect::<Vec<_>>()
        });
        sequences = longer
            .filter(|moves| Trace::play(puzzle, moves).is_ok())
            .collect();
    }
    let solutions = sequences.into_iter().map(Solution::new);
    solutions
        .filter(|solution| solution.replay(puzzle).is_ok())
        .collect()
}

/// What a preference sorts by.
fn value(prefer: Preference, solution: &Solution) -> i32 {
    let moves = solution.moves();
    let robots: BTreeSet<Robot> = moves.iter().map(|step| step.robot).collect();
    match prefer {
        Preference::Nothing => 0,
        Preference::FewestRobots => robots.len() as i32,
        Preference::MostRobots => -(robots.len() as i32),
        Preference::FewestChanges => {
            let pairs = moves.windows(2);
            pairs.filter(|pair| pair[0].robot != pair[1].robot).count() as i32
        }
    }
}

/// For each solution the number of its group, by swapping neighbours until nothing changes.
fn groups_by_swapping(puzzle: &Puzzle, solutions: &[Solution]) -> Vec<usize> {
    let places: HashMap<&[Move], usize> = solutions
        .iter()
        .enumerate()
        .map(|(place, solution)| (solution.moves(), place))
        .collect();
    let mut group: Vec<usize> = (0..solutions.len()).collect();
    loop {
        let before = group.clone();
        for (place, solution) in solutions.iter().enumerate() {
            let trace = solution.replay(puzzle).unwrap();
            for i in 1..solution.len() {
                let mut swapped = solution.moves().to_vec();
                swapped.swap(i - 1, i);
                let Some(&other) = places.get(swapped.as_slice()) else {
                    continue;
                };
                let again = Trace::play(puzzle, &swapped).unwrap();
                let different = swapped[i].robot != swapped[i - 1].robot;
                // The same slides, cell by cell, in the other order.
                let same = trace.steps[i].path == again.steps[i - 1].path
                    && trace.steps[i - 1].path == again.steps[i].path;
                if different && same {
                    assert_eq!(trace.steps[i].state, again.steps[i].state);
                    let least = group[place].min(group[other]);
                    group[place] = least;
                    group[other] = least;
                }
            }
        }
        if group == before {
            return group;
        }
    }
}

/// Small puzzles of every kind, for any robot in some of them.
fn small_puzzles() -> impl Iterator<Item = Puzzle> {
    let puzzles = crate::common::small_puzzles(11, 150, 4).enumerate();
    puzzles.filter_map(|(number, puzzle)| {
        if number % 5 > 0 {
            return Some(puzzle);
        }
        let goal = Goal {
            robot: None,
            ..puzzle.goal()
        };
        puzzle.with_position(puzzle.start().cells(), goal).ok()
    })
}

#[test]
fn agrees_with_trying_every_sequence() {
    let (mut compared, mut grouped) = (0, 0);
    for puzzle in small_puzzles() {
        let Ok(Some(all)) = all_solutions(&puzzle, &Limits::default()) else {
            continue;
        };
        if all.length() > 4 {
            continue;
        }
        let expected = by_trying(&puzzle, all.length() as usize);
        assert_eq!(all.count(), expected.len() as u128, "{puzzle:?}");
        let group = groups_by_swapping(&puzzle, &expected);
        for prefer in Preference::ALL {
            let mut sorted = expected.clone();
            sorted.sort_by_key(|solution| value(prefer, solution));
            let listed: Vec<Solution> =
                all.solutions(prefer).unwrap().map(Result::unwrap).collect();
            assert_eq!(listed, sorted, "{prefer:?} {puzzle:?}");

            let mut firsts: Vec<(Solution, u64)> = Vec::new();
            let mut seen = BTreeSet::new();
            for solution in sorted {
                let place = expected.iter().position(|it| *it == solution).unwrap();
                if seen.insert(group[place]) {
                    let size = group.iter().filter(|&&other| other == group[place]).count();
                    firsts.push((solution, size as u64));
                }
            }
            let groups: Vec<(Solution, u64)> = all
                .groups(prefer)
                .unwrap()
                .map(|group| group.map(|group| (group.first, group.size)).unwrap())
                .collect();
            assert_eq!(groups, firsts, "{prefer:?} {puzzle:?}");
            grouped += usize::from(groups.len() < expected.len());
        }
        compared += 1;
    }
    assert!(compared > 60, "only {compared} puzzles were compared");
    assert!(
        grouped > 20,
        "only {grouped} had moves that can change places"
    );
}

/// The number of ways to the goal in exactly `length` moves, by counting the ways to every state.
fn count_ways(puzzle: &Puzzle, length: u32) -> u128 {
    let bound = Bound::new(puzzle);
    let mut ways = HashMap::from([(puzzle.start(), 1u128)]);
    for left in (0..length).rev() {
        let mut next = HashMap::new();
        for (state, count) in ways {
            for robot in state.robots() {
                let ends = Direction::ALL.map(|way| puzzle.apply(state, robot, way));
                for end in ends.into_iter().flatten() {
                    if bound.of_state(end).is_some_and(|moves| moves <= left) {
                        *next.entry(end).or_insert(0) += count;
                    }
                }
            }
        }
        ways = next;
    }
    ways.values().sum()
}

#[test]
fn agrees_with_the_other_count_on_the_corpus() {
    let mut compared = 0;
    for puzzle in crate::common::corpus("official/random.jsonl")
        .iter()
        .take(80)
    {
        let length = puzzle.known_optimal().expect("the corpus has optima");
        if length > 7 {
            continue;
        }
        let features = Features::of(puzzle, length, &Limits::default());
        let all = all_of_length(puzzle, length, &Limits::default());
        let (features, all) = (features.unwrap().unwrap(), all.unwrap().unwrap());
        assert_eq!(all.count(), count_ways(puzzle, length), "{:?}", puzzle.id());
        let mut texts = BTreeSet::new();
        for solution in all.solutions(Preference::FewestRobots).unwrap().take(2000) {
            let solution = solution.unwrap();
            assert_eq!(solution.len(), length as usize);
            assert!(solution.replay(puzzle).is_ok());
            if texts.is_empty() {
                assert_eq!(
                    value(Preference::FewestRobots, &solution),
                    features.robots as i32
                );
            }
            assert!(texts.insert(solution.to_string()), "twice: {solution}");
        }
        assert_eq!(texts.len() as u128, all.count().min(2000));
        if all.count() <= 2000 {
            let groups = all.groups(Preference::Nothing).unwrap();
            let sizes: u64 = groups.map(|group| group.unwrap().size).sum();
            assert_eq!(u128::from(sizes), all.count());
        }
        compared += 1;
    }
    assert!(compared > 30, "only {compared} puzzles were compared");
}

/// Eight robots on the largest board: keys of 128 bits.
#[test]
fn large_boards_and_eight_robots() {
    let mut recipe = Recipe::random(RandomBoard::new(32, 32));
    recipe.robots = 8;
    let mut compared = 0;
    for number in 0..6 {
        let puzzle = recipe.puzzle(5, number).unwrap();
        // Where three moves lead, a solution of at most three moves leads.
        let ways = [Direction::North, Direction::East, Direction::South];
        let end = ways.into_iter().fold(puzzle.start(), |state, way| {
            puzzle.apply(state, Robot::RED, way).unwrap_or(state)
        });
        let goal = Goal {
            robot: (number % 3 > 0).then_some(Robot::RED),
            cell: end[Robot::RED],
        };
        let puzzle = puzzle.with_position(puzzle.start().cells(), goal).unwrap();
        let Ok(Some(all)) = all_solutions(&puzzle, &Limits::default()) else {
            panic!("{puzzle:?} has a solution");
        };
        let expected = by_trying(&puzzle, all.length() as usize);
        let listed: Vec<Solution> = all
            .solutions(Preference::Nothing)
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(listed, expected);
        compared += usize::from(all.length() > 1);
    }
    assert!(compared > 3);
}

fn corner(robots: &[Cell], target: Cell) -> Puzzle {
    crate::common::on_empty_board(robots, Some(Robot::RED), target)
}

#[test]
fn a_solved_puzzle_has_one_solution_without_moves() {
    let puzzle = corner(&[Cell::new(7, 7)], Cell::new(7, 7));
    let Ok(Some(all)) = all_solutions(&puzzle, &Limits::default()) else {
        panic!("it is solved already");
    };
    assert_eq!((all.length(), all.count()), (0, 1));
    for prefer in Preference::ALL {
        let listed: Vec<_> = all.solutions(prefer).unwrap().collect();
        assert_eq!(listed, [Ok(Solution::default())]);
        assert_eq!(all.groups(prefer).unwrap().count(), 1);
    }
    assert!(
        all_of_length(&puzzle, 1, &Limits::default())
            .unwrap()
            .is_none()
    );
}

#[test]
fn a_wrong_length_and_an_unsolvable_puzzle_are_said_so() {
    let puzzle = corner(&[Cell::new(0, 0)], Cell::new(7, 7));
    for length in [0, 1, 3, 40] {
        let all = all_of_length(&puzzle, length, &Limits::default());
        assert!(all.unwrap().is_none(), "{length}");
    }
    let unsolvable = corner(&[Cell::new(0, 0)], Cell::new(3, 3));
    let all = all_solutions(&unsolvable, &Limits::default());
    assert!(matches!(all, Ok(None)));
    let all = all_of_length(&unsolvable, 2, &Limits::default());
    assert!(all.unwrap().is_none());
}

#[test]
fn limits_are_kept() {
    let puzzles = crate::common::corpus("official/random.jsonl");
    let puzzle = puzzles
        .iter()
        .find(|puzzle| puzzle.known_optimal() >= Some(7))
        .expect("a puzzle of at least seven moves");
    let length = puzzle.known_optimal().unwrap();
    let too_short = Limits {
        moves: Some(length - 1),
        ..Limits::default()
    };
    let cases = crate::common::one_limit_each(50, 20_000)
        .into_iter()
        .chain([(Limit::Moves, too_short)]);
    for (limit, limits) in cases {
        let stopped = all_of_length(puzzle, length, &limits).unwrap_err();
        assert_eq!((stopped.limit, stopped.lower_bound), (limit, length));
        let stopped = all_solutions(puzzle, &limits).unwrap_err();
        assert_eq!(stopped.limit, limit);
        assert!(stopped.lower_bound <= length);
    }
}

/// A puzzle with many shortest solutions.
fn many_solutions() -> (Puzzle, AllSolutions) {
    let puzzles = crate::common::corpus("official/random.jsonl");
    puzzles
        .into_iter()
        .filter(|puzzle| puzzle.known_optimal() >= Some(6))
        .find_map(|puzzle| {
            let length = puzzle.known_optimal()?;
            let all = all_of_length(&puzzle, length, &Limits::default()).ok()??;
            (all.count() > 100).then_some((puzzle, all))
        })
        .expect("one of them has more than a hundred")
}

#[test]
fn what_is_kept_of_a_stream_counts_for_the_memory_limit() {
    let (puzzle, free) = many_solutions();
    let limits = Limits {
        memory: Some(free.peak_bytes()),
        ..Limits::default()
    };
    let all = all_of_length(&puzzle, free.length(), &limits)
        .unwrap()
        .unwrap();
    for prefer in Preference::ALL {
        let mut solutions = all.solutions(prefer).unwrap();
        let (each, mut kept) = (free.peak_bytes() / 50, 0);
        let stopped = loop {
            solutions.next().unwrap().unwrap();
            match solutions.keep(each) {
                Ok(()) => kept += each,
                Err(stopped) => break stopped,
            }
        };
        assert_eq!(
            (stopped.limit, stopped.lower_bound),
            (Limit::Memory, free.length())
        );
        assert!(
            kept <= free.peak_bytes(),
            "{prefer:?}: {kept} bytes were kept"
        );
    }
}

#[test]
fn groups_and_the_stream_behind_them_share_one_memory_limit() {
    let (puzzle, free) = many_solutions();
    let limits = Limits {
        memory: Some(free.peak_bytes()),
        ..Limits::default()
    };
    let all = all_of_length(&puzzle, free.length(), &limits)
        .unwrap()
        .unwrap();
    // What the preference needs is held by the stream behind the groups.
    let mut solutions = all.solutions(Preference::MostRobots).unwrap();
    let mut groups = all.groups(Preference::MostRobots).unwrap();
    let room = |keep: &mut dyn FnMut(u64) -> bool| {
        (0..40)
            .rev()
            .filter(|bit| keep(1 << bit))
            .fold(0u64, |all, bit| all | 1 << bit)
    };
    let left_to_stream = room(&mut |bytes| solutions.keep(bytes).is_ok());
    let left_to_groups = room(&mut |bytes| groups.keep(bytes).is_ok());
    assert_eq!(left_to_groups, left_to_stream);
    assert!(
        groups.next().unwrap().is_err(),
        "nothing is left for a group"
    );
}

#[test]
fn a_stream_ends_when_it_is_cancelled() {
    let cancel = CancelToken::default();
    let limits = Limits {
        cancel: Some(cancel.clone()),
        ..Limits::default()
    };
    let puzzle = corner(&[Cell::new(0, 0)], Cell::new(7, 7));
    let all = all_of_length(&puzzle, 2, &limits).unwrap().unwrap();
    assert_eq!(all.solutions(Preference::Nothing).unwrap().count(), 2);
    cancel.cancel();
    let cancelled = LimitReached {
        limit: Limit::Cancelled,
        lower_bound: 2,
    };
    assert_eq!(all.solutions(Preference::Nothing).err(), Some(cancelled));
    assert_eq!(all.groups(Preference::FewestChanges).err(), Some(cancelled));
}
