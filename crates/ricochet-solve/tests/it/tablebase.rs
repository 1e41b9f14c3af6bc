//! Tablebases against plain breadth-first search over every state, state by state.

use std::collections::{HashMap, VecDeque};

use ricochet_core::quadrants::{Edition, Layout};
use ricochet_core::rng::Rng;
use ricochet_core::{Board, Cell, Direction, Goal, Lean, Puzzle, Robot, State, slide_slowly};
use ricochet_solve::all::all_solutions;
use ricochet_solve::registry;
use ricochet_solve::tablebase::{
    AdaptiveSolver, Builder, Space, Survey, Tablebase, TablebaseError,
};
use ricochet_solve::{CancelToken, Limit, Limits, NullObserver, Outcome, Solver};

/// The distance of every reachable-or-not state, robots told apart, by the slow oracle of slides
/// and a search backwards over explicit edges: nothing in common with the tablebase.
fn distances_by_search(puzzle: &Puzzle) -> HashMap<State, Option<u32>> {
    let board = puzzle.board();
    let open: Vec<Cell> = board.cells().filter(|&c| !board.is_closed(c)).collect();
    let mut states = vec![Vec::new()];
    for _ in 0..puzzle.start().len() {
        states = states
            .into_iter()
            .flat_map(|cells: Vec<Cell>| {
                open.iter()
                    .filter(|cell| !cells.contains(cell))
                    .map(|&cell| [&cells[..], &[cell]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    let mut distances = HashMap::new();
    let mut predecessors: HashMap<State, Vec<State>> = HashMap::new();
    let mut queue = VecDeque::new();
    for cells in &states {
        let state = State::new(cells).unwrap();
        let solved = match puzzle.goal().robot {
            Some(robot) => state[robot] == puzzle.goal().cell,
            None => cells.contains(&puzzle.goal().cell),
        };
        distances.insert(state, solved.then_some(0));
        if solved {
            queue.push_back(state);
        }
        for (robot, from) in state.iter() {
            for direction in Direction::ALL {
                let slide = slide_slowly(board, robot, from, direction, cells);
                if slide.obstacle == ricochet_core::Obstacle::Nothing {
                    continue;
                }
                if let Some(&(end, _)) = slide.path.last()
                    && end != from
                {
                    let next = state.with(robot, end);
                    predecessors.entry(next).or_default().push(state);
                }
            }
        }
    }
    while let Some(state) = queue.pop_front() {
        let further = distances[&state].map(|distance| distance + 1);
        for before in predecessors.get(&state).into_iter().flatten() {
            let distance = distances.get_mut(before).unwrap();
            if distance.is_none() {
                *distance = further;
                queue.push_back(*before);
            }
        }
    }
    distances
}

fn survey(puzzle: &Puzzle, threads: usize) -> Survey {
    let space = Space::of(puzzle).unwrap();
    Builder::new(threads)
        .survey(&space, 1_000_000, &Limits::default(), &mut NullObserver)
        .unwrap()
}

fn table(puzzle: &Puzzle, threads: usize) -> Tablebase {
    let space = Space::of(puzzle).unwrap();
    Builder::new(threads)
        .tablebase(&space, &Limits::default(), &mut NullObserver)
        .unwrap()
}

/// Every state, its best moves, the histogram and the hardest positions.
fn check(puzzle: &Puzzle, threads: usize) -> Survey {
    let expected = distances_by_search(puzzle);
    let table = table(puzzle, threads);
    let survey = survey(puzzle, threads);
    assert_eq!(table.histogram(), &survey.histogram);
    // The space counts states up to the order of robots that can stand for each other.
    let canonical: HashMap<State, Option<u32>> = expected
        .iter()
        .map(|(state, &distance)| (table.space().canonical(state), distance))
        .collect();
    assert_eq!(canonical.len() as u64, table.space().states());
    let longest = canonical.values().flatten().max().copied();
    assert_eq!(survey.histogram.max_distance(), longest);
    for (distance, &count) in survey.histogram.counts.iter().enumerate() {
        let same = canonical.values().filter(|&&d| d == Some(distance as u32));
        assert_eq!(same.count() as u64, count, "states at distance {distance}");
    }
    let unsolvable = canonical.values().filter(|d| d.is_none()).count() as u64;
    assert_eq!(survey.histogram.unsolvable, unsolvable);
    let mut hardest: Vec<State> = canonical
        .iter()
        .filter(|&(_, &distance)| longest.is_some() && distance == longest)
        .map(|(&state, _)| state)
        .collect();
    hardest.sort();
    assert_eq!(survey.hardest, hardest);
    for (state, &distance) in &expected {
        assert_eq!(table.distance(state).unwrap(), distance, "{state:?}");
    }
    for (state, &distance) in expected.iter().take(500) {
        let probe = table.probe(state).unwrap();
        let closer = |direction, robot| {
            let next = puzzle.apply(*state, robot, direction)?;
            Some(distance? > 0 && expected[&next].map(|d| d + 1) == distance)
        };
        for robot in state.robots() {
            for direction in Direction::ALL {
                let best = closer(direction, robot) == Some(true);
                let step = ricochet_core::Move { robot, direction };
                assert_eq!(probe.best_moves.contains(&step), best, "{state:?} {step}");
            }
        }
        let solution = table.solution(state).unwrap();
        assert_eq!(solution.as_ref().map(|s| s.len() as u32), distance);
        if let Some(solution) = solution {
            let there = table.space().puzzle(state);
            assert!(solution.replay(&there).is_ok());
        }
    }
    survey
}

/// A board with random inner walls and closed cells, and perhaps diagonals of the first colours.
fn random_board(rng: &mut Rng, width: usize, height: usize, diagonals: usize) -> Board {
    let mut builder = Board::builder(width, height);
    let cell = |rng: &mut Rng| Cell::new(rng.below(width) as u8, rng.below(height) as u8);
    for _ in 0..width * height / 6 {
        builder = builder.wall(cell(rng), Direction::from_index(rng.below(4)));
    }
    let mut taken = Vec::new();
    for i in 0..diagonals {
        let at = cell(rng);
        if !taken.contains(&at) {
            let lean = [Lean::Slash, Lean::Backslash][rng.below(2)];
            builder = builder.diagonal(at, lean, Robot::new(i % 5).unwrap());
            taken.push(at);
        }
    }
    if diagonals == 0 {
        builder = builder.close(cell(rng));
    }
    builder.build().unwrap()
}

fn random_puzzle(
    seed: u64,
    size: (usize, usize),
    robots: usize,
    any: bool,
    diagonals: usize,
) -> Puzzle {
    let mut rng = Rng::new(seed);
    loop {
        let board = random_board(&mut rng, size.0, size.1, diagonals);
        let open: Vec<Cell> = board.cells().filter(|&c| !board.is_closed(c)).collect();
        let goal = Goal {
            robot: (!any).then(|| Robot::new(rng.below(robots)).unwrap()),
            cell: open[rng.below(open.len())],
        };
        if let Ok(puzzle) = Puzzle::new(board, &open[..robots], goal) {
            return puzzle;
        }
    }
}

#[test]
fn small_boards_agree_with_plain_search_in_every_state() {
    for seed in 0..3 {
        check(&random_puzzle(seed, (6, 6), 3, false, 0), 1);
    }
    check(&random_puzzle(10, (5, 7), 3, false, 0), 2);
    check(&random_puzzle(11, (16, 3), 2, false, 0), 1);
    check(&random_puzzle(12, (2, 16), 2, false, 0), 1);
    check(&random_puzzle(13, (9, 9), 1, false, 0), 1);
}

#[test]
fn four_and_five_robots_agree_with_plain_search() {
    check(&random_puzzle(20, (4, 4), 4, false, 0), 1);
    check(&random_puzzle(21, (4, 4), 4, false, 0), 2);
    check(&random_puzzle(22, (5, 4), 4, false, 0), 3);
    check(&random_puzzle(23, (3, 4), 5, false, 0), 1);
    check(&random_puzzle(24, (3, 4), 5, false, 0), 2);
}

#[test]
fn any_robot_goals_agree_with_plain_search() {
    check(&random_puzzle(30, (6, 6), 3, true, 0), 1);
    check(&random_puzzle(31, (4, 4), 4, true, 0), 2);
    check(&random_puzzle(32, (5, 5), 2, true, 0), 1);
    check(&random_puzzle(33, (7, 7), 1, true, 0), 1);
}

#[test]
fn diagonals_agree_with_plain_search() {
    for seed in 40..44 {
        check(&random_puzzle(seed, (6, 6), 3, false, 6), 1);
    }
    for seed in 44..48 {
        check(&random_puzzle(seed, (5, 5), 3, true, 4), 1);
    }
    check(&random_puzzle(48, (4, 4), 4, false, 1), 2);
    check(&random_puzzle(49, (4, 4), 4, false, 2), 2);
    check(&random_puzzle(50, (4, 4), 4, true, 2), 1);
}

/// Four diagonals in a ring: a robot that enters it from within never stops, unless another one
/// stands in the way.
#[test]
fn rings_of_diagonals_agree_with_plain_search() {
    let ring = |goal| {
        let silver = Robot::SILVER;
        let board = Board::builder(6, 5)
            .diagonal(Cell::new(1, 1), Lean::Slash, silver)
            .diagonal(Cell::new(4, 1), Lean::Backslash, silver)
            .diagonal(Cell::new(4, 3), Lean::Slash, silver)
            .diagonal(Cell::new(1, 3), Lean::Backslash, silver)
            .build()
            .unwrap();
        let robots = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)];
        Puzzle::new(board, &robots, goal).unwrap()
    };
    for cell in [Cell::new(2, 1), Cell::new(1, 1), Cell::new(3, 2)] {
        let robot = Some(Robot::RED);
        check(&ring(Goal { robot, cell }), 1);
        check(&ring(Goal { robot: None, cell }), 1);
    }
}

#[test]
fn unsolvable_states_are_counted() {
    // A wall all the way down: who is on the wrong side stays there.
    let mut builder = Board::builder(6, 6);
    for y in 0..6 {
        builder = builder.wall(Cell::new(2, y), Direction::East);
    }
    let board = builder.build().unwrap();
    let goal = Goal {
        robot: Some(Robot::GREEN),
        cell: Cell::new(0, 0),
    };
    let robots = [Cell::new(0, 1), Cell::new(1, 1), Cell::new(2, 1)];
    let puzzle = Puzzle::new(board, &robots, goal).unwrap();
    let survey = check(&puzzle, 1);
    assert!(survey.histogram.unsolvable >= 18 * 35 * 34 / 2);

    // One robot alone on an empty board reaches only the corners and the rims.
    let board = Board::builder(8, 8).build().unwrap();
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(3, 3),
    };
    let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    let survey = check(&puzzle, 1);
    assert_eq!(survey.histogram.counts, [1]);
    assert_eq!(survey.histogram.unsolvable, 63);
}

/// The board and target of the 25-move record: 656,239,500 states.
#[test]
fn the_record_board_has_the_known_histogram() {
    let layout: Layout = "4B 3B 2B 1A".parse().unwrap();
    let at = |number: u8| Cell::new(number % 16, number / 16);
    let goal = Goal {
        robot: Some(Robot::BLUE),
        cell: at(0xc9),
    };
    let record = [at(0xe2), at(0x30), at(0x2b), at(0x12)];
    let puzzle = Puzzle::new(layout.board(), &record, goal).unwrap();
    let survey = survey(&puzzle, 1);
    let known = [
        2_604_125, 12_741_744, 1_532_356, 2_618_493, 9_749_950, 15_613_668, 16_679_382, 26_406_267,
        29_935_424, 40_781_407, 55_015_487, 67_268_727, 72_926_000, 72_032_313, 66_659_543,
        61_389_419, 48_194_427, 29_873_304, 15_355_005, 6_471_811, 1_905_585, 415_419, 64_000,
        5_430, 212, 2,
    ];
    assert_eq!(survey.histogram.counts, known);
    assert_eq!(survey.histogram.unsolvable, 0);
    assert_eq!(survey.histogram.states(), 656_239_500);
    let space = Space::of(&puzzle).unwrap();
    assert!(survey.hardest.contains(&space.canonical(&puzzle.start())));
}

/// Random states over many boards against the optimal search forwards.
#[test]
fn random_states_agree_with_a_search_forwards() {
    let mut solver = registry::build("iddfs").unwrap();
    let mut rng = Rng::new(7);
    for (number, layout) in Edition::Of1999.layouts().into_iter().step_by(5).enumerate() {
        let board = layout.board();
        let target = board.targets()[number % 17];
        let goal = Goal {
            robot: target
                .robot
                .map(|robot| Robot::new(robot.index() % 3).unwrap()),
            cell: target.cell,
        };
        let robots = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)];
        let table = table(&Puzzle::new(board, &robots, goal).unwrap(), 1);
        let limits = Limits {
            moves: Some(8),
            ..Limits::default()
        };
        for _ in 0..50 {
            let state = table.random_state(&mut rng).unwrap();
            let puzzle = table.space().puzzle(&state);
            let distance = table.distance(&state).unwrap();
            match solver.solve(&puzzle, &limits, &mut NullObserver).0 {
                Outcome::Solved { lower_bound, .. } => assert_eq!(distance, Some(lower_bound)),
                Outcome::Unsolvable => assert_eq!(distance, None),
                _ => assert!(distance.is_none_or(|distance| distance > 8)),
            }
        }
    }
}

/// 10,000 random states with four robots over 20 boards; some minutes and 0.6 GB:
/// `cargo test --release -p ricochet-solve --test it tablebase:: -- --ignored agreement`.
#[test]
#[ignore = "some minutes"]
fn agreement_with_the_flagship_on_10000_states_over_20_boards() {
    let mut solver = registry::build("flagship").unwrap();
    let mut rng = Rng::new(8);
    let mut builder = Builder::new(1);
    for (number, layout) in Edition::Of1999.layouts().into_iter().step_by(5).enumerate() {
        let board = layout.board();
        let target = board.targets()[number % 17];
        let goal = Goal {
            robot: target.robot,
            cell: target.cell,
        };
        let robots: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
        let space = Space::of(&Puzzle::new(board, &robots, goal).unwrap()).unwrap();
        let table = builder
            .tablebase(&space, &Limits::default(), &mut NullObserver)
            .unwrap();
        for _ in 0..500 {
            let state = table.random_state(&mut rng).unwrap();
            let puzzle = space.puzzle(&state);
            let found = match solver
                .solve(&puzzle, &Limits::default(), &mut NullObserver)
                .0
            {
                Outcome::Solved { lower_bound, .. } => Some(lower_bound),
                Outcome::Unsolvable => None,
                other => panic!("{other:?}"),
            };
            assert_eq!(table.distance(&state).unwrap(), found, "{layout} {state:?}");
        }
    }
}

#[test]
fn files_keep_every_distance_and_damage_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("small.tb");
    for puzzle in [
        random_puzzle(60, (8, 7), 3, false, 0),
        random_puzzle(61, (6, 6), 3, true, 3),
        random_puzzle(62, (5, 5), 1, false, 0),
    ] {
        let built = table(&puzzle, 1);
        built.write(&path, 2).unwrap();
        let names: Vec<_> = std::fs::read_dir(directory.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "no temporary file is left");
        let opened = Tablebase::open(&path).unwrap();
        assert_eq!(opened.histogram(), built.histogram());
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let state = built.random_state(&mut rng).unwrap();
            assert_eq!(opened.probe(&state).unwrap(), built.probe(&state).unwrap());
        }
        assert_eq!(opened.verify_sample(500, 3).unwrap(), None);
        let whole = opened.into_memory().unwrap();
        let verified = whole.verify_all(2, &|_| ()).unwrap();
        assert_eq!(verified.mismatch, None);
        assert_eq!(verified.states, built.space().states());
    }
    // Any byte that changes, and any length, is noticed at the latest when all blocks are read.
    let sound = std::fs::read(&path).unwrap();
    let broken = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let read = Tablebase::open(&path).and_then(Tablebase::into_memory);
        match read {
            Err(error @ TablebaseError::Damaged { .. }) => {
                assert!(error.to_string().contains("small.tb"), "{error}");
            }
            other => panic!("{other:?}"),
        }
    };
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x55;
        broken(&bytes);
        broken(&sound[..at]);
    }
    broken(&[&sound[..], b"x"].concat());
    let missing = directory.path().join("missing.tb");
    assert!(matches!(
        Tablebase::open(&missing),
        Err(TablebaseError::Io { .. })
    ));
}

#[test]
fn write_errors_name_the_file_asked_for() {
    use std::error::Error;
    let directory = tempfile::tempdir().unwrap();
    // Longer than file systems allow.
    let path = directory.path().join("x".repeat(300));
    let built = table(&random_puzzle(63, (5, 5), 1, false, 0), 1);
    let error = built.write(&path, 1).unwrap_err();
    let text = format!("{error}: {}", error.source().unwrap());
    let start = format!("cannot write {}: ", path.display());
    // The directory of the test has .tmp in its own name.
    let reason = text.strip_prefix(&start).expect(&text);
    assert!(!reason.contains(".tmp"), "{text}");
}

/// Changes the head of a file and repairs its checksum.
fn forge_head(path: &std::path::Path, change: impl Fn(&mut [u8])) {
    let mut bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    change(&mut bytes[12..12 + length]);
    let checksum = crc32fast::hash(&bytes[12..12 + length]);
    bytes[12 + length..16 + length].copy_from_slice(&checksum.to_le_bytes());
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_forged_histogram_is_found_by_verifying_all() {
    let puzzle = random_puzzle(70, (6, 6), 2, false, 0);
    let right = table(&puzzle, 1);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("forged.tb");
    right.write(&path, 1).unwrap();
    let counts = &right.histogram().counts;
    // One state more of distance 1, one less of distance 2: the sum stays what it was.
    forge_head(&path, |head| {
        let first = head.len() - 8 * (counts.len() + 1);
        for (distance, count) in [(1, counts[1] + 1), (2, counts[2] - 1)] {
            let at = first + 8 * distance;
            assert_eq!(head[at..at + 8], counts[distance].to_le_bytes());
            head[at..at + 8].copy_from_slice(&count.to_le_bytes());
        }
    });
    let forged = Tablebase::open(&path).unwrap().into_memory().unwrap();
    let verified = forged.verify_all(2, &|_| ()).unwrap();
    assert_eq!(verified.mismatch, None);
    let miscount = verified.miscount.expect("the histogram is wrong");
    assert_eq!(miscount.distance, Some(1));
    assert_eq!(
        (miscount.stored, miscount.counted),
        (counts[1] + 1, counts[1])
    );
    assert_eq!(right.verify_all(2, &|_| ()).unwrap().miscount, None);
}

#[test]
fn a_lookup_counts_what_it_looks_at() {
    use ricochet_solve::tablebase::TablebaseSolver;
    let puzzle = random_puzzle(70, (6, 6), 3, false, 0);
    let built = table(&puzzle, 1);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table.tb");
    built.write(&path, 1).unwrap();
    let mut by_file = TablebaseSolver::new().file(&path);
    let mut in_memory = TablebaseSolver::new();
    let mut rng = ricochet_core::rng::Rng::new(5);
    for _ in 0..20 {
        let state = built.random_state(&mut rng).unwrap();
        let puzzle = built.space().puzzle(&state);
        if puzzle.is_solved(state) {
            continue;
        }
        let (outcome, stats) = by_file.solve(&puzzle, &Limits::default(), &mut NullObserver);
        let moves = outcome.solution().map_or(0, ricochet_core::Solution::len) as u64;
        // Three robots in four directions at each move, and the start.
        assert!(
            (1 + moves..=1 + 12 * moves).contains(&stats.nodes),
            "{stats:?}"
        );
        assert_eq!(stats.stored, built.space().states());
        let (_, others) = in_memory.solve(&puzzle, &Limits::default(), &mut NullObserver);
        assert_eq!(others.nodes, stats.nodes, "built, kept or read");
    }
}

#[test]
fn wrong_distances_are_found_by_verifying() {
    // The table of one target is wrong for another.
    let puzzle = random_puzzle(70, (6, 6), 2, false, 0);
    let right = table(&puzzle, 1);
    assert_eq!(right.verify_all(1, &|_| ()).unwrap().mismatch, None);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("wrong.tb");
    right.write(&path, 1).unwrap();
    // Move the target in the head.
    let target = puzzle.goal().cell;
    let other = puzzle
        .board()
        .cells()
        .find(|&cell| cell != target && !puzzle.board().is_closed(cell))
        .unwrap();
    forge_head(&path, |head| {
        assert_eq!(head[6..8], [target.x, target.y]);
        head[6..8].copy_from_slice(&[other.x, other.y]);
    });
    let wrong = Tablebase::open(&path).unwrap();
    let mut contradictions = 0;
    let mut rng = ricochet_core::rng::Rng::new(1);
    for _ in 0..500 {
        let state = wrong.random_state(&mut rng).unwrap();
        match wrong.probe(&state) {
            Ok(probe) if probe.distance.is_some_and(|distance| distance > 0) => {
                assert!(
                    probe.solutions > 0 && !probe.best_moves.is_empty(),
                    "{probe:?}"
                );
            }
            Ok(_) => (),
            Err(error @ TablebaseError::Contradiction { .. }) => {
                assert!(
                    error.to_string().contains("not a sound tablebase"),
                    "{error}"
                );
                contradictions += 1;
            }
            Err(error) => panic!("{error}"),
        }
        if let Ok(Some(solution)) = wrong.solution(&state) {
            let solved = wrong.space().puzzle(&state);
            assert_eq!(solution.is_empty(), solved.is_solved(state), "{state:?}");
        }
    }
    assert!(contradictions > 20, "{contradictions}");
    assert!(wrong.verify_sample(5000, 1).unwrap().is_some());
    assert!(wrong.verify_all(1, &|_| ()).unwrap().mismatch.is_some());
    assert!(wrong.space().check(&puzzle).is_err());
}

/// Counts shortest solutions one by one.
fn count(puzzle: &Puzzle, distances: &HashMap<State, Option<u32>>, state: State) -> u128 {
    let Some(distance) = distances[&state] else {
        return 0;
    };
    if distance == 0 {
        return 1;
    }
    let mut sum = 0;
    for robot in state.robots() {
        for direction in Direction::ALL {
            if let Some(next) = puzzle.apply(state, robot, direction)
                && distances[&next] == Some(distance - 1)
            {
                sum += count(puzzle, distances, next);
            }
        }
    }
    sum
}

#[test]
fn solutions_are_counted_as_an_explicit_search_counts_them() {
    let puzzle = random_puzzle(80, (6, 6), 3, false, 0);
    let distances = distances_by_search(&puzzle);
    let table = table(&puzzle, 1);
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let state = table.random_state(&mut rng).unwrap();
        assert_eq!(
            table.count_solutions(&state).unwrap(),
            count(&puzzle, &distances, state)
        );
    }
}

/// Counts shortest solutions state by state, asking for every move.
fn plain_count(
    table: &Tablebase,
    puzzle: &Puzzle,
    state: State,
    known: &mut HashMap<State, u128>,
) -> u128 {
    if let Some(&count) = known.get(&state) {
        return count;
    }
    let count = match table.distance(&state).unwrap() {
        None => 0,
        Some(0) => 1,
        Some(distance) => {
            let mut sum = 0;
            for robot in state.robots() {
                for direction in Direction::ALL {
                    if let Some(next) = puzzle.apply(state, robot, direction)
                        && table.distance(&next).unwrap() == Some(distance - 1)
                    {
                        sum += plain_count(table, puzzle, next, known);
                    }
                }
            }
            sum
        }
    };
    known.insert(state, count);
    count
}

#[test]
fn solutions_are_counted_as_without_shortcuts_on_boards_of_all_kinds() {
    let mut rng = Rng::new(4);
    let (mut states, mut solutions) = (0, 0);
    for seed in 0..60 {
        let robots = 1 + seed as usize % 5;
        let size = match robots {
            1 | 2 => (16, 9 + seed as usize % 8),
            3 => (9, 8),
            4 => (7, 6),
            _ => (5, 4),
        };
        let any = seed % 3 == 2;
        let diagonals = if seed % 4 == 3 {
            1 + seed as usize % 7
        } else {
            0
        };
        let puzzle = random_puzzle(1000 + seed, size, robots, any, diagonals);
        let table = table(&puzzle, 1);
        let mut known = HashMap::new();
        for _ in 0..150 {
            let state = table.random_state(&mut rng).unwrap();
            let probe = table.probe(&state).unwrap();
            let expected = plain_count(&table, &puzzle, state, &mut known);
            assert_eq!(probe.solutions, expected, "seed {seed}: {state:?}");
            let (distance, best_moves) = table.best_moves(&state).unwrap();
            assert_eq!((probe.distance, &probe.best_moves), (distance, &best_moves));
            for robot in state.robots() {
                for direction in Direction::ALL {
                    let closer = puzzle
                        .apply(state, robot, direction)
                        .and_then(|next| table.distance(&next).unwrap())
                        .is_some_and(|closer| Some(closer + 1) == distance);
                    let step = ricochet_core::Move { robot, direction };
                    assert_eq!(best_moves.contains(&step), closer, "seed {seed}: {state:?}");
                }
            }
            assert!(best_moves.is_sorted_by_key(|step| (step.robot, step.direction.index())));
            states += usize::from(distance > Some(1));
            solutions += expected;
        }
    }
    assert!(states > 5000 && solutions > 50_000, "{states} {solutions}");
}

/// Nothing in common with the table: a search forwards that keeps every shortest solution.
#[test]
fn solutions_are_counted_as_by_a_search_for_all_of_them() {
    let mut rng = Rng::new(5);
    let mut compared = 0;
    for layout in Edition::Of1999.layouts().into_iter().step_by(30) {
        let board = layout.board();
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: board.targets()[rng.below(17)].cell,
        };
        let robots = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)];
        let table = table(&Puzzle::new(board, &robots, goal).unwrap(), 1);
        for _ in 0..80 {
            let state = table.random_state(&mut rng).unwrap();
            let probe = table.probe(&state).unwrap();
            if probe.distance.is_none_or(|distance| distance > 8) {
                continue;
            }
            let puzzle = table.space().puzzle(&state);
            let Ok(Some(all)) = all_solutions(&puzzle, &Limits::default()) else {
                panic!("{state:?}");
            };
            assert_eq!(probe.distance, Some(all.length()), "{layout} {state:?}");
            assert_eq!(probe.solutions, all.count(), "{layout} {state:?}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn limits_are_kept_and_too_large_boards_refused() {
    let official = Edition::Of1999.layouts()[0].board();
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: official.targets()[0].cell,
    };
    let cells: Vec<Cell> = (0..5).map(|x| Cell::new(x, 0)).collect();
    let four = Puzzle::new(official.clone(), &cells[..4], goal).unwrap();
    let space = Space::of(&four).unwrap();
    let mut builder = Builder::new(1);
    let mut error = |limits: &Limits| {
        let survey = builder.survey(&space, 1, limits, &mut NullObserver);
        survey.expect_err("a limit").limit()
    };
    let megabytes = |n: u64| Limits {
        memory: Some(n << 20),
        ..Limits::default()
    };
    assert_eq!(error(&megabytes(100)), Some(Limit::Memory));
    let cancel = CancelToken::default();
    cancel.cancel();
    let cancelled = Limits {
        cancel: Some(cancel),
        ..Limits::default()
    };
    assert_eq!(error(&cancelled), Some(Limit::Cancelled));
    let no_time = Limits {
        time: Some(std::time::Duration::ZERO),
        ..Limits::default()
    };
    assert_eq!(error(&no_time), Some(Limit::Time));
    // Five robots fit into 16 GiB for counting, but not with all distances.
    let five = Space::of(&Puzzle::new(official, &cells, goal).unwrap()).unwrap();
    assert!(Builder::survey_bytes(&five) < 16 << 30);
    assert!(Builder::tablebase_bytes(&five) > 16 << 30);
    let refused = Builder::new(1).tablebase(&five, &Limits::default(), &mut NullObserver);
    let message = refused.expect_err("too large").to_string();
    assert!(message.contains("GiB"), "{message}");
    // Boards and rules without tablebases say so.
    let large = Board::builder(17, 3).build().unwrap();
    let goal = Goal {
        robot: None,
        cell: Cell::new(0, 0),
    };
    let puzzle = Puzzle::new(large, &[Cell::new(5, 1)], goal).unwrap();
    assert!(matches!(
        Space::of(&puzzle),
        Err(TablebaseError::Unsupported { .. })
    ));
}

/// Many puzzles of one board: searched at first, then from a table, always with the same lengths;
/// another board or a limit of nodes means searching again.
#[test]
fn a_batch_on_one_board_turns_to_a_table() {
    let build = || registry::build("flagship").unwrap();
    let mut first = AdaptiveSolver::new(build());
    let mut plain = build();
    let one = random_puzzle(90, (8, 8), 3, false, 0);
    let other = random_puzzle(91, (8, 8), 3, false, 0);
    let space = Space::of(&one).unwrap();
    let right = table(&one, 1);
    let mut rng = Rng::new(1);
    let mut names = Vec::new();
    for _ in 0..3000 {
        let puzzle = space.puzzle(&right.random_state(&mut rng).unwrap());
        let (outcome, _) = first.solve(&puzzle, &Limits::default(), &mut NullObserver);
        let length = match outcome {
            Outcome::Solved {
                solution, optimal, ..
            } => {
                assert!(optimal && solution.replay(&puzzle).is_ok());
                Some(solution.len() as u32)
            }
            Outcome::Unsolvable => None,
            other => panic!("{other:?}"),
        };
        assert_eq!(length, right.distance(&puzzle.start()).unwrap());
        names.push(first.name());
    }
    assert_eq!(names[0], "flagship");
    let turned = names.iter().position(|&name| name == "tablebase").unwrap();
    assert!(names[turned..].iter().all(|&name| name == "tablebase"));
    // A second thread has the table at once.
    let mut second = first.sibling(build());
    second.solve(&one, &Limits::default(), &mut NullObserver);
    assert_eq!(second.name(), "tablebase");
    let few_moves = Limits {
        moves: Some(0),
        ..Limits::default()
    };
    let limited = Limits {
        nodes: Some(1_000_000),
        ..Limits::default()
    };
    let (outcome, _) = second.solve(&one, &few_moves, &mut NullObserver);
    assert!(matches!(
        outcome,
        Outcome::LimitReached {
            limit: Limit::Moves,
            ..
        }
    ));
    second.solve(&one, &limited, &mut NullObserver);
    assert_eq!(second.name(), "flagship");
    let expected = plain.solve(&other, &Limits::default(), &mut NullObserver).0;
    assert_eq!(
        first.solve(&other, &Limits::default(), &mut NullObserver).0,
        expected
    );
    assert_eq!(first.name(), "flagship");
    // Where no table fits, nothing changes.
    let tight = Limits {
        memory: Some(1 << 18),
        ..Limits::default()
    };
    let mut third = AdaptiveSolver::new(build());
    for _ in 0..3000 {
        third.solve(&one, &tight, &mut NullObserver);
        assert_eq!(third.name(), "flagship");
    }
}
