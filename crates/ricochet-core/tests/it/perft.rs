//! Counts by depth: the slides' figures to the digit, and data files made by a second, slow
//! generator that shares nothing with the fast tables.
//!
//! A data file (`tests/perft/*.perft`) holds a puzzle and rows of counts. Lines that start with `#` are
//! comments. `size W H`; then H rows of W hexadecimal wall masks (N=1, E=2, S=4, W=8); any number of
//! `diagonal X Y LEAN COLOUR`; `robots X,Y …`; `goal R X Y` (a robot's letter or `*`); then rows
//! `DEPTH SEQUENCES ONWARD STATES CLASSES`: sequences of exactly that many moves, those without an
//! immediate reversal, new distinct states, and new states up to interchangeable robots.
//!
//! To make the files anew after adding a puzzle to `sources`:
//! `cargo test -p ricochet --test it perft:: -- --ignored make_the_data_files`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use ricochet_core::generate::{GoalRobot, RandomBoard, Recipe};
use ricochet_core::perft::{Identity, Layers, Perft, Reversals};
use ricochet_core::quadrants::Edition;
use ricochet_core::{
    Cell, Diagonal, Direction, Lean, Obstacle, Puzzle, Robot, Setup, slide_slowly,
};

/// The slides print the last of these; `corpus/reference/slides.json` has them all.
const SLIDES: [u64; 10] = [
    11,
    100,
    866,
    7291,
    60_671,
    502_446,
    4_147_102,
    34_130_258,
    280_165_297,
    2_294_544_866,
];

#[test]
fn the_slides_counts_come_out_to_the_digit() {
    let puzzle = read(&data_file("slides-22")).puzzle;
    let perft = Perft::new(&puzzle, Reversals::Forbidden);
    for depth in 1..=8 {
        assert_eq!(perft.tree_size(depth), SLIDES[depth as usize - 1]);
    }
}

/// Two and a half thousand million sequences:
/// `cargo test --release -p ricochet --test it perft:: -- --ignored the_slides_counts_at_depth`.
#[test]
#[ignore = "two minutes in release"]
fn the_slides_counts_at_depth_9_and_10() {
    let puzzle = read(&data_file("slides-22")).puzzle;
    let counts = Perft::new(&puzzle, Reversals::Forbidden);
    let mut total = 0;
    for (depth, count) in counts.take(11).enumerate() {
        total += count;
        if depth > 0 {
            assert_eq!(total, SLIDES[depth - 1], "depth {depth}");
        }
    }
}

#[test]
fn the_fast_generator_counts_as_the_data_files_say() {
    let mut files = 0;
    for path in data_files() {
        let data = read(&path);
        let depths = data.rows.len();
        let name = path.display();
        let puzzle = &data.puzzle;
        let count = |reversals| Perft::new(puzzle, reversals).take(depths);
        // A layer that does not exist is written as 0.
        let states = |identity| {
            let layers = Layers::new(puzzle, identity);
            layers.chain(std::iter::repeat(0)).take(depths)
        };
        let all = count(Reversals::Allowed);
        let onward = count(Reversals::Forbidden);
        let columns = all
            .zip(onward)
            .zip(states(Identity::Robots))
            .zip(states(Identity::Interchangeable));
        for (depth, (((all, onward), states), classes)) in columns.enumerate() {
            assert_eq!(
                [all, onward, states, classes],
                data.rows[depth],
                "{name}, depth {depth}"
            );
        }
        let divided = Perft::new(puzzle, Reversals::Allowed).divide(depths as u32 - 1);
        let sum: u64 = divided.iter().map(|&(_, count)| count).sum();
        assert_eq!(sum, data.rows[depths - 1][0], "{name}, divided");
        files += 1;
    }
    assert_eq!(files, sources().len() + 1);
}

#[test]
fn the_slow_generator_counts_so_too() {
    for path in data_files() {
        let data = read(&path);
        let rows: Vec<[u64; 4]> = (data.rows.iter().copied())
            .take_while(|row| row[0] <= 100_000)
            .collect();
        assert!(rows.len() > 2, "{}", path.display());
        assert_eq!(
            slow_rows(&data.puzzle, rows.len()),
            rows,
            "{}",
            path.display()
        );
    }
}

#[test]
#[ignore = "writes into the source tree"]
fn make_the_data_files() {
    let slides = read(&data_file("slides-22")).puzzle;
    let note = "the puzzle of M. Fogleman, Ricochet Robots: Solver Algorithms, 2012";
    write("slides-22", note, &slides);
    for (name, note, puzzle) in sources() {
        write(name, note, &puzzle);
    }
}

/// The puzzles of the data files, apart from the slides' one.
fn sources() -> Vec<(&'static str, &'static str, Puzzle)> {
    let official = |edition, robots, goal_robot, number| {
        let recipe = Recipe {
            robots,
            goal_robot,
            ..Recipe::official(edition)
        };
        recipe.puzzle(1999, number).unwrap()
    };
    let random = |width, height, diagonals, robots, number| {
        let board = RandomBoard {
            diagonals: Some(diagonals),
            ..RandomBoard::new(width, height)
        };
        let recipe = Recipe {
            robots,
            ..Recipe::random(board)
        };
        recipe.puzzle(2012, number).unwrap()
    };
    // All cells but a few hold a diagonal: rings, and robots that stop on diagonals.
    let mut rings = Setup::empty(7, 6);
    for cell in (0..42u8).map(|i| Cell::new(i % 7, i / 7)) {
        let mix = usize::from(cell.x) * 5 + usize::from(cell.y) * 3;
        if mix % 4 != 0 {
            rings.diagonals.push(Diagonal {
                cell,
                lean: [Lean::Slash, Lean::Backslash][mix % 2],
                color: Robot::ALL[mix % 3],
            });
        }
    }
    rings.robots = vec![Cell::new(0, 0), Cell::new(4, 2), Cell::new(6, 5)];
    rings.active = Some(0);
    rings.target = Cell::new(3, 3);
    vec![
        (
            "official-1999",
            "a layout of 1999, four robots",
            official(Edition::Of1999, 4, GoalRobot::OneRobot, 0),
        ),
        (
            "official-five",
            "a layout of 1999, five robots, any may arrive",
            official(Edition::Of1999, 5, GoalRobot::AnyRobot, 1),
        ),
        (
            "official-2013",
            "a layout of 2013 with diagonals",
            official(Edition::Of2013, 4, GoalRobot::OneRobot, 3),
        ),
        (
            "random-diagonals",
            "12×10 cells, ten diagonals",
            random(12, 10, 10, 4, 0),
        ),
        (
            "random-eight",
            "20×9 cells, eight robots",
            random(20, 9, 4, 8, 0),
        ),
        (
            "random-large",
            "32×32 cells, three robots",
            random(32, 32, 12, 3, 0),
        ),
        (
            "random-small",
            "5×4 cells, two robots: all states are reached",
            random(5, 4, 0, 2, 0),
        ),
        ("tiny", "2×2 cells, three robots", random(2, 2, 0, 3, 0)),
        (
            "rings",
            "diagonals on most cells",
            rings.validate().unwrap(),
        ),
    ]
}

struct Data {
    puzzle: Puzzle,
    rows: Vec<[u64; 4]>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft")
}

fn data_file(name: &str) -> PathBuf {
    folder().join(format!("{name}.perft"))
}

fn data_files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn read(path: &Path) -> Data {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let size: Vec<usize> = words(lines.next().unwrap(), "size");
    let mut setup = Setup::empty(size[0], size[1]);
    setup.walls.clear();
    for row in lines.by_ref().take(size[1]) {
        let masks = row.chars().map(|digit| digit.to_digit(16).unwrap() as u8);
        setup.walls.extend(masks);
    }
    let mut rows = Vec::new();
    for line in lines {
        let mut fields = line.split_whitespace();
        match fields.next().unwrap() {
            "diagonal" => {
                let fields: Vec<&str> = fields.collect();
                setup.diagonals.push(Diagonal {
                    cell: cell(&fields[..2]),
                    lean: Lean::from_symbol(fields[2].chars().next().unwrap()).unwrap(),
                    color: Robot::from_name(fields[3]).unwrap(),
                });
            }
            "robots" => {
                let cells = fields.map(|pair| cell(&pair.split(',').collect::<Vec<_>>()));
                setup.robots = cells.collect();
            }
            "goal" => {
                let who = fields.next().unwrap().chars().next().unwrap();
                setup.active = Robot::from_letter(who).map(Robot::index);
                setup.target = cell(&fields.collect::<Vec<_>>());
            }
            depth => {
                assert_eq!(depth.parse(), Ok(rows.len()), "depths in order");
                let counts: Vec<u64> = fields.map(|field| field.parse().unwrap()).collect();
                rows.push(counts.try_into().unwrap());
            }
        }
    }
    Data {
        puzzle: setup.validate().unwrap(),
        rows,
    }
}

fn words<T: std::str::FromStr<Err: std::fmt::Debug>>(line: &str, keyword: &str) -> Vec<T> {
    let rest = line.strip_prefix(keyword).unwrap();
    rest.split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

fn cell(fields: &[&str]) -> Cell {
    Cell::new(fields[0].parse().unwrap(), fields[1].parse().unwrap())
}

/// Writes a file whose counts come from the slow generator.
fn write(name: &str, note: &str, puzzle: &Puzzle) {
    let board = puzzle.board();
    let mut text = format!("# {note}\nsize {} {}\n", board.width(), board.height());
    for row in board.walls().chunks(board.width()) {
        for mask in row {
            write!(text, "{mask:x}").unwrap();
        }
        text.push('\n');
    }
    for Diagonal { cell, lean, color } in board.diagonals() {
        writeln!(
            text,
            "diagonal {} {} {} {color}",
            cell.x,
            cell.y,
            lean.symbol()
        )
        .unwrap();
    }
    text.push_str("robots");
    for cell in puzzle.start().cells() {
        write!(text, " {},{}", cell.x, cell.y).unwrap();
    }
    let goal = puzzle.goal();
    let who = goal.robot.map_or('*', Robot::letter);
    writeln!(text, "\ngoal {who} {} {}", goal.cell.x, goal.cell.y).unwrap();
    text.push_str("# depth sequences onward states classes\n");
    // Up to some million sequences, or to the end of the states.
    let mut depths = 2;
    while depths < 10 && slow_rows(puzzle, depths)[depths - 1][0] < 400_000 {
        depths += 1;
    }
    for (depth, row) in slow_rows(puzzle, depths).iter().enumerate() {
        let [all, onward, states, classes] = row;
        writeln!(text, "{depth} {all} {onward} {states} {classes}").unwrap();
    }
    std::fs::write(data_file(name), text).unwrap();
}

/// The four columns for depths `0..depths`, by plain recursion over `slide_slowly` and sorted sets.
fn slow_rows(puzzle: &Puzzle, depths: usize) -> Vec<[u64; 4]> {
    let mut rows = vec![[0; 4]; depths];
    let start = puzzle.start().cells().to_vec();
    slow_sequences(puzzle, &start, 0, None, false, &mut rows);
    slow_sequences(puzzle, &start, 0, None, true, &mut rows);
    for (column, anonymous) in [(2, false), (3, true)] {
        let mut seen = BTreeSet::from([slow_identity(puzzle, &start, anonymous)]);
        let mut layer = vec![start.clone()];
        for row in &mut rows {
            row[column] = layer.len() as u64;
            let mut next = Vec::new();
            for state in &layer {
                for (_, _, child) in slow_moves(puzzle, state) {
                    if seen.insert(slow_identity(puzzle, &child, anonymous)) {
                        next.push(child);
                    }
                }
            }
            layer = next;
        }
    }
    rows
}

/// What makes a state the same as another: the robots that differ in more than their name, each on
/// its cell, and the cells of all the others in order.
fn slow_identity(
    puzzle: &Puzzle,
    state: &[Cell],
    anonymous: bool,
) -> (Vec<(usize, Cell)>, Vec<Cell>) {
    let mut named = Vec::new();
    let mut unnamed = Vec::new();
    for (index, &cell) in state.iter().enumerate() {
        let robot = Robot::new(index).unwrap();
        let has_diagonal = (puzzle.board().diagonals().iter()).any(|d| d.color == robot);
        if !anonymous || puzzle.goal().robot == Some(robot) || has_diagonal {
            named.push((index, cell));
        } else {
            unnamed.push(cell);
        }
    }
    unnamed.sort();
    (named, unnamed)
}

fn slow_sequences(
    puzzle: &Puzzle,
    state: &[Cell],
    depth: usize,
    last: Option<(usize, Direction)>,
    onward: bool,
    rows: &mut [[u64; 4]],
) {
    rows[depth][usize::from(onward)] += 1;
    if depth + 1 == rows.len() {
        return;
    }
    for (robot, direction, child) in slow_moves(puzzle, state) {
        let reverses = last.is_some_and(|(mover, way)| {
            mover == robot && way as usize % 2 == direction as usize % 2 && way != direction
        });
        if !(onward && reverses) {
            slow_sequences(
                puzzle,
                &child,
                depth + 1,
                Some((robot, direction)),
                onward,
                rows,
            );
        }
    }
}

fn slow_moves(puzzle: &Puzzle, state: &[Cell]) -> Vec<(usize, Direction, Vec<Cell>)> {
    let mut moves = Vec::new();
    for index in 0..state.len() {
        for direction in Direction::ALL {
            let robot = Robot::new(index).unwrap();
            let slide = slide_slowly(puzzle.board(), robot, state[index], direction, state);
            let Some(&(end, _)) = slide.path.last() else {
                continue;
            };
            if end != state[index] && slide.obstacle != Obstacle::Nothing {
                let mut child = state.to_vec();
                child[index] = end;
                moves.push((index, direction, child));
            }
        }
    }
    moves
}
