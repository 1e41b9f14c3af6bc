//! The size of a table on disk and the time of a probe, as CSV.
//!
//! `cargo bench -q -p ricochet-solve --bench tablebase_probe [-- ROBOTS]`: up to ROBOTS
//! robots (default 4) to the target of the 25-move record, which takes many moves, and to the first target
//! of the first official layout, which takes few.
//!
//! Nanoseconds are the median, the 95th percentile and the longest of 1,000 random states. In 'warm' rows
//! the fastest of nine calls counts (the state's blocks are already unpacked), in 'cold' rows the first.
//! 'far' rows have only the states that need 15 moves or more.
//!
//! `… -- everywhere TARGETS` probes tables of TARGETS random targets of random official layouts instead, with
//! four robots: a row for each, and a last row with the share of all probes that took under 10 µs.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use ricochet_core::quadrants::{Edition, Layout};
use ricochet_core::rng::Rng;
use ricochet_core::{Cell, Goal, Puzzle, Robot, State};
use ricochet_solve::tablebase::{Builder, Space, Tablebase, TablebaseError};
use ricochet_solve::{Limits, NullObserver};

const STATES: usize = 1000;
const FAR: u32 = 15;
const CALLS: usize = 9;

/// The fastest of `calls` calls for each state, in nanoseconds, ascending.
fn times<T>(
    states: &[State],
    calls: usize,
    ask: impl Fn(&State) -> Result<T, TablebaseError>,
) -> Result<Vec<u128>, TablebaseError> {
    let mut times = Vec::new();
    for state in states {
        let mut fastest = u128::MAX;
        for _ in 0..calls {
            let started = Instant::now();
            black_box(ask(state)?);
            fastest = fastest.min(started.elapsed().as_nanos());
        }
        times.push(fastest);
    }
    times.sort_unstable();
    Ok(times)
}

/// Whole probes of tables in memory, on random targets.
fn everywhere(targets: usize) -> Result<(), Box<dyn Error>> {
    let mut rng = Rng::new(1);
    let layouts = Edition::Of1999.layouts();
    let start: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
    let (mut quick, mut all) = (0, 0);
    println!("layout,target,asked,median_ns,p95_ns,longest_ns,under_10_us");
    for _ in 0..targets {
        let layout = layouts[rng.below(layouts.len())];
        let board = layout.board();
        let cell = board.targets()[rng.below(board.targets().len())].cell;
        let robot = Some(Robot::RED);
        let puzzle = Puzzle::new(board, &start, Goal { robot, cell })?;
        let table = Builder::new(1).tablebase(
            &Space::of(&puzzle)?,
            &Limits::default(),
            &mut NullObserver,
        )?;
        let states: Vec<State> = (0..STATES)
            .filter_map(|_| table.random_state(&mut rng))
            .collect();
        let times = times(&states, CALLS, |state| table.probe(state))?;
        let under = times.partition_point(|&time| time < 10_000);
        let (asked, last) = (times.len(), times[times.len() - 1]);
        let (median, p95) = (times[asked / 2], times[asked * 95 / 100]);
        println!("{layout},{cell},{asked},{median},{p95},{last},{under}");
        quick += under;
        all += asked;
    }
    println!("all,,{all},,,,{quick}");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    if let [mode, targets] = &arguments[..]
        && mode == "everywhere"
    {
        return everywhere(targets.parse()?);
    }
    let most: usize = match arguments.first() {
        Some(text) => text.parse()?,
        None => 4,
    };
    let first = Edition::Of1999.layouts()[0];
    let targets = [
        ("record", "4B 3B 2B 1A".parse::<Layout>()?, Cell::new(9, 12)),
        ("first", first, first.board().targets()[0].cell),
    ];
    let start: Vec<Cell> = (0..8).map(|x| Cell::new(x, 0)).collect();
    let directory = tempfile::tempdir()?;
    println!(
        "target,robots,states,file_bytes,bits_per_state,source,question,asked,median_ns,p95_ns,longest_ns"
    );
    let cases = targets
        .into_iter()
        .flat_map(|target| (1..=most).map(move |robots| (target, robots)));
    for ((target, layout, cell), robots) in cases {
        let goal = Goal {
            robot: Some(Robot::RED),
            cell,
        };
        let puzzle = Puzzle::new(layout.board(), &start[..robots], goal)?;
        let space = Space::of(&puzzle)?;
        let built = Builder::new(1).tablebase(&space, &Limits::default(), &mut NullObserver)?;
        let path = directory.path().join(format!("{robots}.tb"));
        built.write(&path, 1)?;
        let bytes = std::fs::metadata(&path)?.len();
        let mut rng = Rng::new(1);
        let states: Vec<State> = (0..STATES)
            .filter_map(|_| built.random_state(&mut rng))
            .collect();
        let row = |source: &str, question: &str, times: &[u128]| {
            let at = |part: usize| times.get(times.len() * part / 100).copied();
            println!(
                "{target},{robots},{},{bytes},{:.3},{source},{question},{},{},{},{}",
                space.states(),
                bytes as f64 * 8.0 / space.states() as f64,
                times.len(),
                at(50).unwrap_or(0),
                at(95).unwrap_or(0),
                times.last().copied().unwrap_or(0)
            );
        };
        let mut far = Vec::new();
        for state in &states {
            if built.distance(state)? >= Some(FAR) {
                far.push(*state);
            }
        }
        let file = Tablebase::open(&path)?;
        row(
            "file cold",
            "distance",
            &times(&states, 1, |s| file.distance(s))?,
        );
        for (source, table) in [("file warm", &file), ("memory", &built)] {
            row(
                source,
                "distance",
                &times(&states, CALLS, |s| table.distance(s))?,
            );
            let quick = times(&states, CALLS, |s| table.best_moves(s))?;
            row(source, "distance and best moves", &quick);
            let whole = times(&states, CALLS, |s| table.probe(s))?;
            row(source, "distance; best moves; number of solutions", &whole);
            let long = times(&far, CALLS, |s| table.probe(s))?;
            row(source, "the same of far states", &long);
        }
    }
    Ok(())
}
