//! Lists every shortest solution of a puzzle, by depth-first search under the minimum-moves bound.
//!
//! `cargo run --release -p ricochet-solve --example all_solutions -- [PUZZLE]`

use ricochet::formats;
use ricochet::{Direction, Move, Puzzle, Solution, State};
use ricochet_solve::bound::Bound;
use ricochet_solve::registry::{self, Options};
use ricochet_solve::{Limits, Silent};

struct Search<'a> {
    puzzle: &'a Puzzle,
    bound: Bound,
    moves: Vec<Move>,
    found: Vec<Solution>,
}

impl Search<'_> {
    /// All ways that solve the puzzle from here in exactly `left` moves.
    fn run(&mut self, state: State, left: u32) {
        if self.puzzle.is_solved(state) {
            // A shortest solution ends when the goal is reached for the first time.
            if left == 0 {
                self.found.push(Solution::new(self.moves.clone()));
            }
            return;
        }
        if self.bound.of_state(state).is_none_or(|bound| bound > left) {
            return;
        }
        for robot in state.robots() {
            for direction in Direction::ALL {
                if let Some(next) = self.puzzle.apply(state, robot, direction) {
                    self.moves.push(Move { robot, direction });
                    self.run(next, left - 1);
                    self.moves.pop();
                }
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(std::env::args().nth(1))
}

fn run(argument: Option<String>) -> Result<(), Box<dyn std::error::Error>> {
    let text = argument.unwrap_or_else(|| "1A3A4A2A.73da99b0.Ra7".to_owned());
    let setup = formats::read(&text)?.into_iter().next();
    let puzzle = setup.ok_or("no puzzle in the text")?.validate()?;
    let mut solver = registry::build("flagship", &Options::default())?;
    let (outcome, _) = solver.solve(&puzzle, &Limits::default(), &mut Silent);
    let length = outcome.solution().ok_or("it has no solution")?.len();
    let mut search = Search {
        puzzle: &puzzle,
        bound: Bound::new(&puzzle),
        moves: Vec::new(),
        found: Vec::new(),
    };
    search.run(puzzle.start(), length as u32);
    println!("{} solutions of {length} moves", search.found.len());
    for solution in &search.found {
        solution.replay(&puzzle)?;
        println!("  {solution}");
    }
    Ok(())
}

#[test]
fn it_runs() {
    run(None).unwrap();
}
