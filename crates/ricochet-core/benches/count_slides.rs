//! Looks slides up again and again: the program that instruction counts are taken of. What 0 rounds
//! take is the set-up, the rest divided by the slides is one lookup.
//!
//! ```text
//! cargo bench --no-run --profile profiling -p ricochet-core --bench count_slides  # says where it is
//! valgrind --tool=callgrind target/profiling/deps/count_slides-… 0
//! valgrind --tool=callgrind target/profiling/deps/count_slides-… 100
//! ```

#[path = "cases/mod.rs"]
mod cases;

use std::hint::black_box;

use ricochet_core::Robot;
use ricochet_core::quadrants::Layout;

fn main() {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let Some(rounds) = rounds else {
        eprintln!("usage: count_slides ROUNDS");
        std::process::exit(2);
    };
    let layout: Layout = "1A 4B 3B 2B".parse().expect("a layout");
    let board = layout.board();
    let cases = cases::random_cases(&board, 4096);
    let mut sum = 0;
    for _ in 0..rounds {
        for case in black_box(&cases) {
            let end = board.slide(Robot::RED, case.robots[0], case.direction, &case.robots);
            sum += u64::from(end.x) + u64::from(end.y);
        }
    }
    println!("{} slides, {sum}", rounds * cases.len());
}
