//! Solves many random positions on all cores, in constant memory, and prints how long they are.
//!
//! `cargo run --release -p ricochet-solve --example batch -- [COUNT]`

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::Edition;
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Limits, NullObserver, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(std::env::args().nth(1))
}

fn run(argument: Option<String>) -> Result<(), Box<dyn std::error::Error>> {
    let count: u64 = argument.map_or(Ok(200), |n| n.parse())?;
    let recipe = Recipe::official(Edition::Of1999);
    // A puzzle is made from its number alone, so the threads need to share nothing but a counter.
    let next = AtomicU64::new(0);
    let histogram = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut solver = Flagship::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let puzzle = recipe.puzzle(1, number).expect("official boards have room");
                    let (outcome, _) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
                    let length = outcome.solution().map(ricochet_core::Solution::len);
                    let mut histogram = histogram.lock().expect("no thread panics with the lock");
                    *histogram.entry(length).or_insert(0u64) += 1;
                }
            });
        }
    });
    for (length, puzzles) in histogram.into_inner()? {
        let length = length.map_or("unsolvable".to_owned(), |length| format!("{length} moves"));
        println!("{length:>10}: {puzzles}");
    }
    Ok(())
}

#[test]
fn it_runs() {
    run(None).unwrap();
}
