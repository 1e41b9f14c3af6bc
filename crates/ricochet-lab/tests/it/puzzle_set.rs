//! The puzzle set, and the page's part of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ricochet_core::quadrants::{Edition, Layout};
use ricochet_core::{Puzzle, notation};
use ricochet_draw::Picture;
use ricochet_lab::puzzle_set::{self, PuzzleSetOptions, Row};
use ricochet_solve::difficulty::{Features, Theme};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Limits, NullObserver, Outcome, Solver};

/// A line of the page's file.
struct TrainingPuzzle {
    puzzle: Puzzle,
    rating: i32,
    deviation: i32,
    length: u32,
    themes: BTreeSet<Theme>,
}

/// Reads the file as the page does: the letters of the themes are in a comment.
fn read(text: &str) -> Vec<TrainingPuzzle> {
    let letters = text.lines().find_map(|line| line.strip_prefix("# themes "));
    let letters: BTreeMap<char, Theme> = letters
        .expect("the letters of the themes")
        .split(' ')
        .map(|pair| {
            let (letter, name) = pair.split_once('=').expect("letter and name");
            (letter.parse().unwrap(), name.parse().unwrap())
        })
        .collect();
    assert_eq!(letters.len(), Theme::ALL.len());
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let puzzle = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        let [id, position, rating, deviation, length, themes] = fields[..] else {
            panic!("six fields: {line}");
        };
        assert!(id.starts_with('S'), "{line}");
        TrainingPuzzle {
            puzzle: notation::parse_line(position).unwrap().validate().unwrap(),
            rating: rating.parse().unwrap(),
            deviation: deviation.parse().unwrap(),
            length: length.parse().unwrap(),
            themes: match themes {
                "-" => BTreeSet::new(),
                letters_of => letters_of.chars().map(|it| letters[&it]).collect(),
            },
        }
    };
    lines.map(puzzle).collect()
}

fn page_file() -> Vec<TrainingPuzzle> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../web/public/training/puzzles.txt"
    );
    let text = fs::read_to_string(path).unwrap();
    assert!(text.len() < 300_000, "{} bytes", text.len());
    read(&text)
}

/// Solves and rates a puzzle of the page again.
fn check(listed: &TrainingPuzzle, solver: &mut Flagship) {
    let (puzzle, limits) = (&listed.puzzle, Limits::default());
    let (outcome, _) = solver.solve(puzzle, &limits, &mut NullObserver);
    let Outcome::Solved {
        solution,
        optimal: true,
        ..
    } = outcome
    else {
        panic!("{} has a solution", notation::to_line(puzzle));
    };
    let line = notation::to_line(puzzle);
    assert_eq!(solution.len() as u32, listed.length, "{line}");
    let features = Features::of(puzzle, listed.length, &limits);
    let features = features.unwrap().expect("that is its length");
    let rating = (features.rating.rounded(), features.rating.deviation.round());
    assert_eq!(
        rating,
        (listed.rating, f64::from(listed.deviation)),
        "{line}"
    );
    let themes: BTreeSet<Theme> = features.lines.unwrap().themes.all().collect();
    assert_eq!(themes, listed.themes, "{line}");
}

#[test]
fn the_page_has_puzzles_of_all_ratings_and_themes() {
    let puzzles = page_file();
    assert!(puzzles.len() >= 3_000, "{}", puzzles.len());
    let mut by_rating: BTreeMap<i32, usize> = BTreeMap::new();
    for listed in &puzzles {
        *by_rating.entry(listed.rating / 100).or_default() += 1;
        let layout = Layout::from_board(listed.puzzle.board()).unwrap();
        assert!(layout.quadrants().iter().all(|&it| Edition::Of1999.has(it)));
        assert_eq!(listed.puzzle.start().len(), 4);
    }
    assert!(puzzles.is_sorted_by_key(|listed| listed.rating));
    for range in 6..36 {
        let count = by_rating.get(&range).copied().unwrap_or(0);
        assert!(count >= 20, "{count} puzzles from {range}00");
    }
    for theme in Theme::ALL {
        let with = puzzles.iter().filter(|it| it.themes.contains(&theme));
        let count = with.count();
        // These boards have no diagonals.
        let enough = if theme == Theme::Diagonal { 0 } else { 20 };
        assert!(count >= enough, "{count} puzzles with {theme}");
    }
}

#[test]
fn a_sample_of_the_page_s_puzzles_is_rated_as_listed() {
    let mut solver = Flagship::new();
    for listed in page_file().iter().step_by(50) {
        check(listed, &mut solver);
    }
}

#[test]
#[ignore = "thousands of puzzles: run in an optimised build"]
fn all_of_the_page_s_puzzles_are_rated_as_listed() {
    let mut solver = Flagship::new();
    for listed in &page_file() {
        check(listed, &mut solver);
    }
}

#[test]
fn shards_and_interrupted_runs_make_the_same_set() {
    let here = tempfile::tempdir().unwrap();
    let options = |name: &str, shard: &str| PuzzleSetOptions {
        out: here.path().join(name),
        // Two parts.
        candidates: 2_040,
        puzzles: 60,
        training: 20,
        seed: 7,
        shard: shard.parse().unwrap(),
        jobs: 2,
        quiet: true,
    };
    let first = puzzle_set::run(&options("sharded", "2/2")).unwrap();
    assert_eq!((first.parts, first.missing, first.puzzles), (2, 1, 0));
    assert!(!here.path().join("sharded/puzzles.csv").exists());
    let second = puzzle_set::run(&options("sharded", "1/2")).unwrap();
    assert_eq!((second.missing, second.puzzles), (0, 60));
    let set = fs::read_to_string(here.path().join("sharded/puzzles.csv")).unwrap();
    // A part is lost, and only that is made again.
    let lost = here.path().join("sharded/candidates/part.1-of-2.csv");
    fs::remove_file(&lost).unwrap();
    fs::remove_file(here.path().join("sharded/puzzles.csv")).unwrap();
    assert_eq!(puzzle_set::run(&options("sharded", "1/1")).unwrap(), second);
    let again = fs::read_to_string(here.path().join("sharded/puzzles.csv")).unwrap();
    assert_eq!(again, set);
    let other = PuzzleSetOptions {
        seed: 8,
        ..options("sharded", "1/1")
    };
    let error = puzzle_set::run(&other).unwrap_err().to_string();
    assert!(error.contains("belongs to another task"), "{error}");

    let mut reader = csv::Reader::from_reader(set.as_bytes());
    assert_eq!(reader.headers().unwrap(), &puzzle_set::COLUMNS.to_vec());
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(set.split_once('\n').unwrap().1.as_bytes());
    let rows: Vec<Row> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 60);
    for row in &rows {
        let puzzle = row.puzzle().unwrap();
        let moves: ricochet_core::Solution = row.moves.parse().unwrap();
        assert_eq!(moves.len() as u32, row.length);
        let trace = ricochet_core::Trace::play(&puzzle, moves.moves()).unwrap();
        assert!(
            puzzle.is_solved(trace.steps.last().unwrap().state),
            "{row:?}"
        );
    }
    let training = fs::read_to_string(here.path().join("sharded/training.txt")).unwrap();
    let training = read(&training);
    assert_eq!(training.len(), 20);
    let card = fs::read_to_string(here.path().join("sharded/README.md")).unwrap();
    assert!(card.starts_with("# Data card: 60 puzzles"), "{card}");
}

/// The pictures of docs/design/difficulty.md.
#[test]
fn each_theme_has_an_example_with_a_picture() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/images/themes");
    let text = fs::read_to_string(format!("{directory}/puzzles.txt")).unwrap();
    let mut solver = Flagship::new();
    let mut shown = BTreeSet::new();
    for line in text.lines() {
        let puzzle = notation::parse_line(line).unwrap().validate().unwrap();
        let theme: Theme = puzzle.id().expect("a theme").parse().unwrap();
        let limits = Limits::default();
        let (outcome, _) = solver.solve(&puzzle, &limits, &mut NullObserver);
        let solution = outcome.solution().expect("it has a solution");
        let features = Features::of(&puzzle, solution.len() as u32, &limits).unwrap();
        let features = features.expect("a shortest solution");
        assert_eq!(features.solutions, 1, "{theme}");
        assert!(features.lines.unwrap().themes.has(theme), "{theme}");
        let trace = solution.replay(&puzzle).unwrap();
        let picture = Picture::new(&puzzle).cell_size(32).solution(&trace);
        let file = fs::read_to_string(format!("{directory}/{theme}.svg")).unwrap();
        assert_eq!(file.trim_end(), picture.svg().trim_end(), "{theme}");
        shown.insert(theme);
    }
    assert_eq!(shown.len(), Theme::ALL.len());
}
