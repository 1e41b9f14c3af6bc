//! Positions with every slide from them and a random line of moves, one JSON object per line: what
//! other implementations of the rules are tested against, such as the page's (`web/public/board/rules.js`).
//!
//! ```text
//! cargo run -p ricochet --example replays -- 10000
//! ```

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};

use ricochet_core::generate::{GoalCell, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_core::rng::Rng;
use ricochet_core::{
    Board, Cell, Direction, Goal, Lean, Move, Obstacle, Puzzle, Robot, Rules, Trace, slide_slowly,
};

const SEED: u64 = 15;

fn main() -> io::Result<()> {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let Some(count) = count else {
        eprintln!("usage: replays COUNT");
        std::process::exit(2);
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..count {
        let mut rng = Rng::stream(SEED, number);
        let puzzle = puzzle(number, &mut rng);
        writeln!(out, "{}", record(&puzzle, &mut rng))?;
    }
    out.flush()
}

/// Printed boards of all kinds, and small ones with walls and diagonals anywhere: the rings in which
/// a robot would never stop are rare.
fn puzzle(number: u64, rng: &mut Rng) -> Puzzle {
    let edition = match number % 4 {
        0 => Edition::Of1999,
        1 => Edition::Of2013,
        _ => return wild(rng),
    };
    let mut recipe = Recipe::official(edition);
    recipe.robots = 1 + rng.below(8);
    recipe.goal_cell = GoalCell::AnyCell;
    recipe.rules.must_ricochet = rng.chance(1, 3);
    recipe
        .puzzle(SEED, number)
        .expect("a printed board has room for eight robots")
}

fn wild(rng: &mut Rng) -> Puzzle {
    let (width, height) = (3 + rng.below(10), 3 + rng.below(10));
    let mut cells: Vec<Cell> = (0..width * height)
        .map(|i| Cell::new((i % width) as u8, (i / width) as u8))
        .collect();
    rng.shuffle(&mut cells);
    let robots = cells.split_off(cells.len() - 1 - rng.below(8));
    let mut board = Board::builder(width, height);
    for _ in 0..rng.below(width * height / 3) {
        let cell = *rng.choose(&cells).expect("most cells are free");
        board = board.wall(cell, *rng.choose(&Direction::ALL).expect("four of them"));
    }
    let diagonals = rng.below(cells.len());
    for &cell in &cells[..diagonals] {
        let lean = if rng.chance(1, 2) {
            Lean::Slash
        } else {
            Lean::Backslash
        };
        let color = *rng.choose(&Robot::ALL).expect("eight of them");
        board = board.diagonal(cell, lean, color);
    }
    let who = rng.below(robots.len() + 1);
    let goal = Goal {
        robot: Robot::new(who).filter(|_| who < robots.len()),
        cell: *rng.choose(&cells[diagonals..]).expect("one is left"),
    };
    let rules = Rules {
        must_ricochet: rng.chance(1, 3),
    };
    let board = board.build().ok();
    match board.and_then(|board| Puzzle::new(board, &robots, goal).ok()) {
        Some(puzzle) => puzzle.with_rules(rules),
        // Walls closed a cell that something is on: another one.
        None => wild(rng),
    }
}

fn record(puzzle: &Puzzle, rng: &mut Rng) -> String {
    let board = puzzle.board();
    let mut text = format!(
        "{{\"width\":{},\"height\":{},\"walls\":{:?},\"diagonals\":[",
        board.width(),
        board.height(),
        board.walls()
    );
    for (i, it) in board.diagonals().iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let lean = match it.lean {
            Lean::Slash => "/",
            Lean::Backslash => "\\\\",
        };
        let Cell { x, y } = it.cell;
        let _ = write!(text, "{comma}[{x},{y},\"{lean}\",\"{}\"]", it.color);
    }
    let goal = puzzle.goal();
    let who = goal
        .robot
        .map_or("null".to_owned(), |robot| format!("\"{}\"", robot.letter()));
    let _ = write!(
        text,
        "],\"robots\":{},\"goal\":{{\"robot\":{who},\"cell\":{:?}}},\"must_ricochet\":{}",
        cells(puzzle.start().cells()),
        [goal.cell.x, goal.cell.y],
        puzzle.rules().must_ricochet
    );
    let slides: Vec<String> = puzzle
        .start()
        .robots()
        .flat_map(|robot| Direction::ALL.map(|direction| (robot, direction)))
        .map(|(robot, direction)| slide(puzzle, robot, direction))
        .collect();
    let line = line(puzzle, rng);
    let trace = Trace::play(puzzle, &line).expect("the moves were possible one by one");
    let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
    let _ = write!(
        text,
        ",\"slides\":[{}],\"moves\":{moves:?},\"end\":{},\"solved\":{}}}",
        slides.join(","),
        cells(trace.end().cells()),
        trace.solved
    );
    text
}

/// `["RN", path, what stops it]`; the path is empty for what is not a move.
fn slide(puzzle: &Puzzle, robot: Robot, direction: Direction) -> String {
    let start = puzzle.start();
    let slide = slide_slowly(
        puzzle.board(),
        robot,
        start[robot],
        direction,
        start.cells(),
    );
    let end = slide.path.last().map_or(start[robot], |&(cell, _)| cell);
    let path: Vec<Cell> = match slide.obstacle {
        Obstacle::Nothing => Vec::new(),
        _ if end == start[robot] => Vec::new(),
        _ => slide.path.iter().map(|&(cell, _)| cell).collect(),
    };
    let stop = match slide.obstacle {
        Obstacle::Wall | Obstacle::Rim => "wall",
        Obstacle::Robot(_) => "robot",
        Obstacle::Nothing => "nothing",
    };
    let play = Move { robot, direction };
    format!("[\"{play}\",{},\"{stop}\"]", cells(&path))
}

/// Up to twelve moves at random; one that is on the target may stay there.
fn line(puzzle: &Puzzle, rng: &mut Rng) -> Vec<Move> {
    let mut state = puzzle.start();
    let mut moves = Vec::new();
    let length = rng.below(13);
    while moves.len() < length && !(puzzle.is_on_target(state) && rng.chance(3, 4)) {
        let possible: Vec<(Move, _)> = state
            .robots()
            .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }))
            .filter_map(|play| Some((play, puzzle.apply(state, play.robot, play.direction)?)))
            .collect();
        let Some(&(play, next)) = rng.choose(&possible) else {
            break;
        };
        moves.push(play);
        state = next;
    }
    moves
}

fn cells(cells: &[Cell]) -> String {
    let pairs: Vec<String> = cells.iter().map(|c| format!("[{},{}]", c.x, c.y)).collect();
    format!("[{}]", pairs.join(","))
}
