//! Solves one puzzle and says what each move does.
//!
//! `cargo run --release -p ricochet-solve --example solve -- [PUZZLE]`, in any notation that the
//! library reads; without one, a position on an official board.

use ricochet_core::formats;
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Limits, NullObserver, Outcome, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(std::env::args().nth(1))
}

fn run(argument: Option<String>) -> Result<(), Box<dyn std::error::Error>> {
    let text = argument.unwrap_or_else(|| "1A3A4A2A.73da99b0.Ra7".to_owned());
    // What was read may be wrong in any way; only what validates is a puzzle.
    let setup = formats::read(&text)?.into_iter().next();
    let puzzle = setup.ok_or("no puzzle in the text")?.validate()?;

    let mut solver = Flagship::new();
    let (outcome, stats) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
    match outcome {
        Outcome::Solved { solution, .. } => {
            println!("{} moves: {solution}", solution.len());
            for step in solution.replay(&puzzle)?.steps {
                println!("  {} from {} to {}", step.play, step.from, step.to);
            }
        }
        Outcome::Unsolvable => println!("nothing solves it"),
        other => println!("no answer: {}", other.name()),
    }
    println!("{} nodes in {:?}", stats.nodes, stats.time);
    Ok(())
}

#[test]
fn it_runs() {
    run(None).unwrap();
}
