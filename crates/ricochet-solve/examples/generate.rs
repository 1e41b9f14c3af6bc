//! Makes five puzzles of seven to nine moves: a wish that asks a solver.
//!
//! `cargo run --release -p ricochet-solve --example generate -- [SEED]`

use ricochet_core::Puzzle;
use ricochet_core::formats::{self, Format};
use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::Edition;
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Limits, NullObserver, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(std::env::args().nth(1))
}

fn run(argument: Option<String>) -> Result<(), Box<dyn std::error::Error>> {
    let seed = argument.map_or(Ok(1), |seed| seed.parse())?;
    let mut solver = Flagship::new();
    // Nothing longer than nine moves is looked for, so most candidates are dropped quickly.
    let limits = Limits {
        moves: Some(9),
        ..Limits::default()
    };
    let seven_to_nine = |candidate: Puzzle| {
        let (outcome, _) = solver.solve(&candidate, &limits, &mut NullObserver);
        let length = outcome.solution()?.len() as u32;
        (7..=9)
            .contains(&length)
            .then(|| candidate.with_optimal(Some(length)))
    };
    let mut generator = Recipe::official(Edition::Of1999)
        .generator(seed)
        .with_filter(seven_to_nine);
    for puzzle in generator.by_ref().take(5) {
        println!("{}", formats::write(Format::Line, &puzzle?)?.text);
    }
    println!("{} candidates were tried", generator.tried());
    Ok(())
}

#[test]
fn it_runs() {
    run(None).unwrap();
}
