//! The lessons of the page: `web/public/learn/lessons.js`.
//!
//! A group of lessons teaches one technique, which is a [`Theme`]. Each of its puzzles needs it: the theme
//! holds for all shortest solutions, and no theme of a later group holds for any of them. To find the
//! puzzles again and write the file, run
//! `cargo test -p ricochet-solve --test it lessons:: -- --ignored make_the_data_file`.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::thread;

use ricochet_core::generate::{GoalCell, GoalRobot, RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_core::{Direction, Puzzle, Robot, State, notation};
use ricochet_solve::all::{Preference, all_of_length};
use ricochet_solve::difficulty::{Features, Theme};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Limits, NullObserver, Outcome, Solver};

/// The techniques in the order in which they are taught.
const COURSE: [Theme; 12] = [
    Theme::WallAtTarget,
    Theme::StandingBlocker,
    Theme::ClearTheWay,
    Theme::PlacedBlocker,
    Theme::AwayFromTarget,
    Theme::ThereAndBack,
    Theme::WallTwice,
    Theme::BlockerTwice,
    Theme::HelperStopsHelper,
    Theme::GoalRobotBlocks,
    Theme::TwoHelpers,
    Theme::Chain,
];

/// Lessons per group; an example comes before them.
const LESSONS: usize = 5;

/// The last move of a lesson is at most this one.
const MOST_MOVES: u32 = 6;

/// The steps of the first run: puzzles made by hand, and a theme of each.
const FIRST_RUN: [(&str, Theme); 5] = [
    ("5x5..03.R44.tRc44", Theme::Solo),
    ("5x5.~AS.00.R22.tRt22", Theme::WallAtTarget),
    ("5x5.AI.0441.R42.tRs42", Theme::StandingBlocker),
    ("5x5..0044.R30.tRh30", Theme::PlacedBlocker),
    ("6x6.~CIAE.5025.R35.tRc35", Theme::PlacedBlocker),
];

/// A board for one puzzle: its side (16 is an official board), the robots, the moves.
type Slot = (usize, usize, RangeInclusive<u32>);

/// What the example and the lessons of a group look like: small boards first.
fn slots(technique: Theme) -> [Slot; 1 + LESSONS] {
    match technique {
        Theme::WallAtTarget => [
            (4, 1, 2..=2),
            (4, 1, 1..=1),
            (4, 1, 2..=2),
            (5, 1, 2..=2),
            (6, 1, 3..=3),
            (8, 1, 3..=3),
        ],
        Theme::StandingBlocker => [
            (4, 2, 2..=2),
            (4, 2, 1..=1),
            (5, 2, 2..=2),
            (6, 2, 2..=2),
            (8, 2, 3..=3),
            (16, 4, 3..=3),
        ],
        Theme::ClearTheWay => [
            (4, 2, 2..=2),
            (4, 2, 2..=2),
            (5, 2, 2..=2),
            (6, 2, 3..=3),
            (8, 2, 3..=3),
            (16, 4, 3..=3),
        ],
        Theme::PlacedBlocker => [
            (5, 2, 2..=2),
            (5, 2, 2..=2),
            (6, 2, 3..=3),
            (7, 2, 3..=3),
            (8, 2, 4..=4),
            (16, 4, 3..=4),
        ],
        Theme::AwayFromTarget => [
            (4, 1, 4..=4),
            (4, 1, 4..=4),
            (5, 2, 3..=4),
            (6, 2, 3..=4),
            (8, 2, 4..=4),
            (16, 4, 3..=4),
        ],
        Theme::ThereAndBack => [
            (5, 2, 3..=3),
            (5, 2, 3..=3),
            (6, 2, 3..=3),
            (7, 2, 3..=4),
            (8, 2, 3..=4),
            (16, 4, 3..=5),
        ],
        Theme::WallTwice => [
            (5, 2, 4..=4),
            (5, 2, 4..=4),
            (6, 2, 4..=4),
            (7, 2, 4..=4),
            (8, 2, 4..=4),
            (16, 4, 5..=5),
        ],
        Theme::BlockerTwice => [
            (5, 2, 3..=4),
            (5, 2, 3..=4),
            (6, 2, 4..=4),
            (7, 2, 4..=5),
            (8, 2, 4..=5),
            (16, 4, 4..=5),
        ],
        Theme::HelperStopsHelper => [
            (6, 3, 3..=3),
            (5, 3, 3..=3),
            (6, 3, 3..=3),
            (7, 3, 4..=4),
            (8, 3, 4..=4),
            (16, 4, 4..=5),
        ],
        Theme::GoalRobotBlocks => [
            (5, 2, 4..=4),
            (5, 2, 4..=4),
            (6, 2, 4..=4),
            (7, 2, 4..=4),
            (8, 3, 4..=5),
            (16, 4, 4..=5),
        ],
        Theme::TwoHelpers => [
            (5, 3, 3..=4),
            (5, 3, 3..=3),
            (6, 3, 4..=4),
            (8, 3, 4..=4),
            (16, 4, 4..=5),
            (16, 4, 4..=5),
        ],
        Theme::Chain => [
            (6, 3, 4..=4),
            (6, 3, 4..=4),
            (8, 3, 5..=5),
            (16, 4, 4..=5),
            (16, 4, 5..=5),
            (16, 4, 6..=6),
        ],
        _ => unreachable!("it is not taught"),
    }
}

/// A puzzle and one of its shortest solutions, as in the data file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Exercise {
    line: String,
    moves: String,
}

impl Exercise {
    fn puzzle(&self) -> Puzzle {
        notation::parse_line(&self.line)
            .unwrap()
            .validate()
            .unwrap()
    }

    fn length(&self) -> u32 {
        self.moves.split(' ').count() as u32
    }

    fn features(&self) -> Features {
        let features = Features::of(&self.puzzle(), self.length(), &Limits::default());
        features.unwrap().expect("the optimum is proven")
    }
}

struct Group {
    technique: Theme,
    /// The example first.
    exercises: Vec<Exercise>,
}

/// A shortest solution of at most [`MOST_MOVES`] moves.
fn solve(puzzle: &Puzzle) -> Option<Exercise> {
    let limits = Limits {
        moves: Some(MOST_MOVES),
        ..Limits::default()
    };
    let (outcome, _) = Flagship::new().solve(puzzle, &limits, &mut NullObserver);
    let solution = outcome.solution()?;
    assert!(matches!(outcome, Outcome::Solved { optimal: true, .. }));
    Some(Exercise {
        line: notation::to_line(puzzle),
        moves: solution.to_string(),
    })
}

/// Whether all shortest solutions have the technique, and none has one that is taught later.
fn needs_exactly(features: &Features, technique: Theme) -> bool {
    let Some(lines) = &features.lines else {
        return false;
    };
    let mut later = COURSE.iter().skip_while(|&&it| it != technique).skip(1);
    lines.themes.has(technique) && later.all(|&it| lines.themes.count(it) == 0)
}

fn recipe((side, robots, _): &Slot, number: u64) -> Recipe {
    let mut recipe = if *side == 16 {
        Recipe::official(Edition::Of1999)
    } else {
        // Fewer walls per cell than on a printed board.
        Recipe::random(RandomBoard {
            corners: Some((side * side + 12) / 20 + (number % 2) as usize),
            rim_walls: Some(side / 4 + (number / 2 % 2) as usize),
            closed_center: false,
            ..RandomBoard::new(*side, *side)
        })
    };
    recipe.robots = *robots;
    recipe.goal_robot = GoalRobot::OneRobot;
    if *side < 16 && *robots > 1 {
        recipe.goal_cell = GoalCell::AnyCell;
    }
    recipe
}

/// Small boards carry no target but the goal.
fn without_other_targets(puzzle: &Puzzle) -> Puzzle {
    let mut setup = puzzle.to_setup();
    let goal = puzzle.goal();
    let own = |cell, robot| cell == goal.cell && robot == goal.robot;
    setup
        .targets
        .retain(|target| own(target.cell, target.robot));
    setup.validate().unwrap()
}

/// Puzzles for a place in the course, the easiest first, with their ratings; boards with few walls are preferred.
fn candidates(technique: Theme, slot: &Slot, seed: u64) -> Vec<(i32, Exercise)> {
    let mut found: Vec<(usize, i32, Exercise)> = Vec::new();
    for number in 0..120_000 {
        if found.len() == if slot.0 == 16 { 16 } else { 48 } {
            break;
        }
        let Ok(mut puzzle) = recipe(slot, number).puzzle(seed, number) else {
            continue;
        };
        if slot.0 < 16 {
            puzzle = without_other_targets(&puzzle);
        }
        let Some(exercise) = solve(&puzzle).filter(|it| slot.2.contains(&it.length())) else {
            continue;
        };
        let features = exercise.features();
        // Its solutions differ only in the order of moves: one idea.
        let one_idea = features.lines.as_ref().is_some_and(|it| it.groups == 1);
        if one_idea && needs_exactly(&features, technique) {
            let walls = puzzle.board().walls().iter().map(|it| it.count_ones());
            let walls = walls.sum::<u32>() as usize;
            found.push((walls, features.rating.rounded(), exercise));
        }
    }
    found.sort_by_key(|(walls, rating, _)| (*walls, *rating));
    found.truncate(24);
    let mut found: Vec<_> = found.into_iter().map(|it| (it.1, it.2)).collect();
    found.sort_by_key(|it| it.0);
    found
}

/// An example and lessons that get harder.
fn find_group(technique: Theme, seed: u64) -> Group {
    let mut least = 0;
    let mut exercises = Vec::new();
    for (place, slot) in (0..).zip(slots(technique)) {
        let found = candidates(technique, &slot, seed + place);
        let (rating, exercise) = found
            .into_iter()
            .find(|(rating, exercise)| *rating >= least && !exercises.contains(exercise))
            .unwrap_or_else(|| panic!("{technique}: nothing for place {place}: at least {least}"));
        println!(
            "{technique} {place} {rating} {} {}",
            exercise.moves, exercise.line
        );
        // The example need not be easier than the first lesson.
        least = if place == 0 { 0 } else { rating };
        exercises.push(exercise);
    }
    Group {
        technique,
        exercises,
    }
}

/// All shortest solutions of a step of the first run.
fn all_shortest(line: &str) -> Vec<String> {
    let puzzle = notation::parse_line(line).unwrap().validate().unwrap();
    let length = solve(&puzzle).unwrap().length();
    let all = all_of_length(&puzzle, length, &Limits::default())
        .unwrap()
        .unwrap();
    let all = all.solutions(Preference::Nothing).unwrap();
    all.map(|it| it.unwrap().to_string()).collect()
}

fn data_file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web/public/learn/lessons.js")
}

#[test]
#[ignore = "writes into the source tree"]
fn make_the_data_file() {
    let mut text = String::from(
        "// The puzzles of the first run and of the lessons, made and checked by\n\
         // crates/ricochet-solve/tests/it/lessons.rs.\n\n\
         /** The steps of the first run, with all their shortest solutions. */\n\
         export const FIRST_RUN = [\n",
    );
    for (line, _) in FIRST_RUN {
        let moves = all_shortest(line).join("', '");
        let _ = writeln!(text, "  {{ line: '{line}', moves: ['{moves}'] }},");
    }
    text.push_str(
        "];\n\n\
         /** Techniques in the order in which they are taught; each lesson needs that of its group. */\n\
         export const GROUPS = /** @type {const} */ ([\n",
    );
    let groups: Vec<Group> = thread::scope(|scope| {
        let finders: Vec<_> = COURSE
            .map(|it| scope.spawn(move || find_group(it, 100 * (it as u64 + 1))))
            .into_iter()
            .collect();
        finders.into_iter().map(|it| it.join().unwrap()).collect()
    });
    for Group {
        technique,
        exercises,
    } in groups
    {
        let rows: Vec<String> = (exercises.iter())
            .map(|Exercise { line, moves }| format!("{{ line: '{line}', moves: '{moves}' }}"))
            .collect();
        let _ = writeln!(
            text,
            "  {{\n    theme: '{technique}',\n    example: {},\n    lessons: [",
            rows[0]
        );
        for row in &rows[1..] {
            let _ = writeln!(text, "      {row},");
        }
        text.push_str("    ],\n  },\n");
    }
    text.push_str("]);\n");
    fs::write(data_file(), text).unwrap();
}

/// The texts in quotes of a line of the data file.
fn quoted(row: &str) -> Vec<&str> {
    row.split('\'').skip(1).step_by(2).collect()
}

/// The groups of the data file, and each step of the first run with its solutions.
fn read() -> (Vec<(String, Vec<String>)>, Vec<Group>) {
    let text = fs::read_to_string(data_file()).unwrap();
    let mut steps = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    for row in text.lines() {
        match quoted(row)[..] {
            [theme] => groups.push(Group {
                technique: theme.parse().unwrap(),
                exercises: Vec::new(),
            }),
            [line, moves] if !groups.is_empty() => {
                let exercises = &mut groups.last_mut().unwrap().exercises;
                let (line, moves) = (line.to_owned(), moves.to_owned());
                exercises.push(Exercise { line, moves });
            }
            [line, ref moves @ ..] => {
                let moves = moves.iter().map(|&it| it.to_owned()).collect();
                steps.push((line.to_owned(), moves));
            }
            [] => {}
        }
    }
    (steps, groups)
}

#[test]
fn every_lesson_needs_its_technique_and_none_that_comes_later() {
    let (_, groups) = read();
    assert_eq!(
        groups.iter().map(|it| it.technique).collect::<Vec<_>>(),
        COURSE
    );
    let mut lines = HashSet::new();
    for Group {
        technique,
        exercises,
    } in &groups
    {
        assert_eq!(exercises.len(), 1 + LESSONS, "{technique}");
        let mut least = 0;
        for (place, exercise) in exercises.iter().enumerate() {
            let Exercise { line, moves } = exercise;
            let puzzle = exercise.puzzle();
            assert_eq!(notation::to_line(&puzzle), *line, "the shortest form");
            assert!(lines.insert(line), "{line} is there twice");
            let shortest = solve(&puzzle).expect("at most as many moves as a lesson has");
            assert_eq!(exercise.length(), shortest.length(), "{line}");
            let solution: ricochet_core::Solution = moves.parse().unwrap();
            solution.replay(&puzzle).unwrap();
            let features = exercise.features();
            assert!(needs_exactly(&features, *technique), "{technique}: {line}");
            let rating = features.rating.rounded();
            if place > 0 {
                assert!(
                    rating >= least,
                    "{technique}: {line} is easier than the one before"
                );
                least = rating;
            }
        }
    }
    assert_eq!(lines.len(), COURSE.len() * (1 + LESSONS));
}

#[test]
fn boards_grow_from_small_to_official() {
    let (_, groups) = read();
    for Group {
        technique,
        exercises,
    } in &groups
    {
        let sides: Vec<usize> = (exercises[1..].iter())
            .map(|it| it.puzzle().board().width())
            .collect();
        assert!(sides.is_sorted(), "{technique}: {sides:?}");
        assert!(sides[0] <= 6, "{technique}: {sides:?}");
    }
    let official = |group: &Group| group.exercises[LESSONS].puzzle().board().width() == 16;
    assert!(!official(&groups[0]) && groups[1..].iter().all(official));
}

/// All positions that can be reached, each with those that follow it; nothing follows a solved one.
fn reachable(puzzle: &Puzzle) -> HashMap<State, Vec<State>> {
    let mut follow = HashMap::new();
    let mut open = vec![puzzle.start()];
    while let Some(state) = open.pop() {
        if follow.contains_key(&state) {
            continue;
        }
        let mut next = Vec::new();
        if !puzzle.is_solved(state) {
            let moves = state
                .robots()
                .flat_map(|robot| Direction::ALL.map(|way| (robot, way)));
            next.extend(moves.filter_map(|(robot, way)| puzzle.apply(state, robot, way)));
        }
        open.extend(&next);
        follow.insert(state, next);
    }
    follow
}

#[test]
fn the_first_run_has_no_dead_end() {
    let (steps, _) = read();
    assert_eq!(steps.len(), FIRST_RUN.len());
    for ((line, moves), (expected, theme)) in steps.iter().zip(FIRST_RUN) {
        assert_eq!(line, expected);
        assert_eq!(*moves, all_shortest(line));
        let exercise = Exercise {
            line: line.clone(),
            moves: moves[0].clone(),
        };
        let themes = exercise.features().lines.unwrap().themes;
        assert!(themes.has(theme), "{line}");
        let puzzle = exercise.puzzle();
        assert_eq!(puzzle.goal().robot, Some(Robot::RED));
        let follow = reachable(&puzzle);
        let mut good: HashSet<State> = follow
            .keys()
            .copied()
            .filter(|&it| puzzle.is_solved(it))
            .collect();
        loop {
            let before = good.len();
            for (state, next) in &follow {
                if next.iter().any(|it| good.contains(it)) {
                    good.insert(*state);
                }
            }
            if good.len() == before {
                break;
            }
        }
        assert_eq!(good.len(), follow.len(), "{line}: lost positions");
    }
}

#[test]
fn the_last_step_needs_a_helper_only_for_the_fewest_moves() {
    let (line, theme) = FIRST_RUN[4];
    let together = notation::parse_line(line).unwrap().validate().unwrap();
    assert_eq!(
        (solve(&together).unwrap().length(), theme),
        (3, Theme::PlacedBlocker)
    );
    // The helper stays where it is: a wall in its place.
    let mut alone = together.to_setup();
    let helper = alone.robots.pop().unwrap();
    let index = usize::from(helper.y) * alone.width + usize::from(helper.x);
    alone.walls[index] = 15;
    alone.repair_walls();
    let alone = alone.validate().unwrap();
    assert_eq!(solve(&alone).unwrap().length(), 5);
}
