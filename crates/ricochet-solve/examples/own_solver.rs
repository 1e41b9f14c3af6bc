//! A solver of one's own behind the trait: breadth-first search in fifty lines, compared with ours.
//!
//! `cargo run --release -p ricochet-solve --example own_solver`

use std::collections::{HashMap, VecDeque};

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::{Direction, Move, Puzzle, Solution, State};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{
    Guarantee, Limits, Meter, NullObserver, Observer, Outcome, Solver, Stats, Unsupported,
};

struct BreadthFirst;

impl Solver for BreadthFirst {
    fn name(&self) -> &'static str {
        "breadth-first"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }

    fn supports(&self, puzzle: &Puzzle) -> Result<(), Unsupported> {
        if puzzle.rules().must_ricochet {
            return Err(Unsupported {
                what: "must_ricochet",
            });
        }
        Ok(())
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        _watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let mut stats = Stats::default();
        // The meter stops the search when a limit is reached.
        let mut meter = Meter::start(limits);
        let start = puzzle.start();
        let mut came_from: HashMap<State, Option<(State, Move)>> = HashMap::from([(start, None)]);
        let mut queue = VecDeque::from([(start, 0)]);
        let mut outcome = Outcome::Unsolvable;
        while let Some((state, depth)) = queue.pop_front() {
            stats.nodes += 1;
            if let Err(limit) = meter.tick(stats.nodes, came_from.len() as u64 * 64) {
                outcome = Outcome::LimitReached {
                    limit,
                    lower_bound: depth,
                };
                break;
            }
            if puzzle.is_solved(state) {
                let mut moves = Vec::new();
                let mut at = state;
                while let Some(&Some((before, play))) = came_from.get(&at) {
                    moves.push(play);
                    at = before;
                }
                moves.reverse();
                outcome = Outcome::Solved {
                    solution: Solution::new(moves),
                    optimal: true,
                    lower_bound: depth,
                };
                break;
            }
            for robot in state.robots() {
                for direction in Direction::ALL {
                    if let Some(next) = puzzle.apply(state, robot, direction) {
                        came_from.entry(next).or_insert_with(|| {
                            queue.push_back((next, depth + 1));
                            Some((state, Move { robot, direction }))
                        });
                    }
                }
            }
        }
        stats.time = meter.elapsed();
        (outcome, stats)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let recipe = Recipe {
        robots: 2,
        ..Recipe::random(RandomBoard::new(10, 10))
    };
    // Both are used through the same trait, reused from puzzle to puzzle.
    let mut solvers = [
        Box::new(BreadthFirst) as Box<dyn Solver>,
        Box::new(Flagship::new()),
    ];
    for puzzle in recipe.generator(1).take(10) {
        let puzzle = puzzle?;
        let lengths = solvers.each_mut().map(|solver| {
            let (outcome, _) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
            outcome.solution().map(Solution::len)
        });
        println!("{lengths:?}");
        assert_eq!(lengths[0], lengths[1], "one of them is wrong");
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
