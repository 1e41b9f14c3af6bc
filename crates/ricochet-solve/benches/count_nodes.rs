//! Solves the corpus puzzles whose optimum lies in a range and prints the nodes: the program that
//! instruction counts are taken of.
//!
//! ```text
//! cargo bench --no-run --profile profiling -p ricochet-solve --bench count_nodes  # says where it is
//! valgrind --tool=callgrind --toggle-collect='*as ricochet_solve::Solver>::solve' \
//!     target/profiling/deps/count_nodes-… iddfs 12 14
//! ```

#[path = "../tests/it/common/mod.rs"]
mod common;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let [name, least, most] = arguments.as_slice() else {
        eprintln!("usage: count_nodes SOLVER LEAST MOST");
        std::process::exit(2);
    };
    let number = |text: &String| -> u32 { text.parse().expect("a number of moves") };
    let (least, most) = (number(least), number(most));
    let mut solver = common::solver(name, &[]);
    let (mut puzzles, mut nodes) = (0, 0);
    let random = common::corpus("official/random.jsonl");
    for puzzle in random
        .into_iter()
        .chain(common::corpus("official/hard.jsonl"))
    {
        let optimal = puzzle.known_optimal().expect("the corpus has optima");
        if !(least..=most).contains(&optimal) {
            continue;
        }
        let (outcome, stats) = common::solve(&mut *solver, &puzzle);
        assert!(common::length(&outcome) >= optimal);
        puzzles += 1;
        nodes += stats.nodes;
    }
    println!("{puzzles} puzzles of {least} to {most} moves, {nodes} nodes");
}
