//! How the search of a whole board grows with robots, cells and threads, as CSV.
//!
//! `cargo bench -q -p ricochet-solve --bench tablebase_scaling [-- ROBOTS [THREADS]]`: up to
//! ROBOTS robots (default 4; 5 take 11 GB and some minutes), with one thread and with THREADS (default 2).
//! Short searches are repeated for half a second, and the mean counts.
//!
//! `... --bench tablebase_plot < CSV > SVG` draws the rows with one thread.

use std::time::Instant;

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::quadrants::Layout;
use ricochet_core::{Cell, Goal, Puzzle, Robot};
use ricochet_solve::tablebase::{Builder, Space};
use ricochet_solve::{Limits, NullObserver};

/// Processor time of this process in seconds, where the system tells.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks: u64 = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(ticks as f64 / 100.0)
}

fn row(puzzle: &Puzzle, threads: usize) {
    let space = Space::of(puzzle).expect("a supported board");
    let mut builder = Builder::new(threads);
    // The first search touches the memory; the second is what a census pays for each target.
    let mut survey = |limits| builder.survey(&space, 0, limits, &mut NullObserver);
    let limits = Limits::default();
    if puzzle.start().len() < 5 {
        survey(&limits).expect("fits into the memory");
    }
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let mut searches = 0.0;
    let result = loop {
        let result = survey(&limits).expect("fits into the memory");
        searches += 1.0;
        if wall.elapsed().as_secs_f64() > 0.5 {
            break result;
        }
    };
    let wall = wall.elapsed().as_secs_f64() / searches;
    let cpu = cpu
        .zip(cpu_seconds())
        .map(|(before, after)| (after - before) / searches);
    println!(
        "{},{},{},{threads},{},{},{:.6},{},{},{}",
        puzzle.start().len(),
        puzzle.board().width(),
        puzzle.board().height(),
        space.configurations(),
        space.states(),
        wall,
        cpu.map(|seconds| format!("{seconds:.6}"))
            .unwrap_or_default(),
        Builder::survey_bytes(&space) >> 20,
        result.histogram.max_distance().unwrap_or(0)
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let mut number = |default| {
        arguments
            .next()
            .map_or(default, |text| text.parse().expect("a number"))
    };
    let (most_robots, threads): (usize, usize) = (number(4), number(2));
    println!(
        "robots,width,height,threads,configurations,states,wall_seconds,cpu_seconds,mib,longest"
    );
    // The board and target of the 25-move record.
    let layout: Layout = "4B 3B 2B 1A".parse().expect("a layout");
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(9, 12),
    };
    let start: Vec<Cell> = (0..8).map(|x| Cell::new(x, 0)).collect();
    for robots in 1..=most_robots {
        let puzzle = Puzzle::new(layout.board(), &start[..robots], goal).expect("a puzzle");
        for threads in if threads > 1 {
            vec![1, threads]
        } else {
            vec![1]
        } {
            row(&puzzle, threads);
        }
    }
    for side in [6, 8, 10, 12, 14] {
        let recipe = Recipe {
            robots: 4,
            ..Recipe::random(RandomBoard::new(side, side))
        };
        row(&recipe.puzzle(1, 1).expect("a random board"), 1);
    }
}
