//! Counts the shortest solutions of a puzzle and lists them, those with the fewest changes of robot
//! first, and once what differs only in the order of independent moves.
//!
//! `cargo run --release -p ricochet-solve --example all_solutions -- [PUZZLE]`

use ricochet_core::formats;
use ricochet_solve::Limits;
use ricochet_solve::all::{Preference, all_solutions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(std::env::args().nth(1))
}

fn run(argument: Option<String>) -> Result<(), Box<dyn std::error::Error>> {
    let text = argument.unwrap_or_else(|| "1A3A4A2A.73da99b0.Ra7".to_owned());
    let setup = formats::read(&text)?.into_iter().next();
    let puzzle = setup.ok_or("no puzzle in the text")?.validate()?;
    let all = all_solutions(&puzzle, &Limits::default())?.ok_or("it has no solution")?;
    println!("{} solutions of {} moves", all.count(), all.length());
    for group in all.groups(Preference::FewestChanges)?.take(100) {
        let group = group?;
        group.first.replay(&puzzle)?;
        println!("  {} in {} orders", group.first, group.size);
    }
    Ok(())
}

#[test]
fn it_runs() {
    run(None).unwrap();
}
