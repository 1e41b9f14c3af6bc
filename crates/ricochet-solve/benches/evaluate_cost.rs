//! What an evaluation costs beside one search: nodes and time of both, in turn, for the corpus puzzles
//! whose optimum lies in a range. With `separate` also one search for each position after a move.
//!
//! ```text
//! cargo bench --profile profiling -p ricochet-solve --bench evaluate_cost -- random 12 16
//! ```

use std::time::{Duration, Instant};

use ricochet_solve::Limits;
use ricochet_solve::evaluate::Evaluator;
use ricochet_solve::flagship::Flagship;

#[path = "../tests/it/common/mod.rs"]
mod common;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let (corpora, least, most) = match arguments.as_slice() {
        [corpora, least, most, ..] => (corpora, least, most),
        _ => {
            eprintln!("usage: evaluate_cost CORPUS[,CORPUS…] LEAST MOST [separate]");
            std::process::exit(2);
        }
    };
    let number = |text: &String| -> u32 { text.parse().expect("a number of moves") };
    let range = number(least)..=number(most);
    let separate = arguments.len() > 3;
    let (mut solver, mut evaluator) = (Flagship::new(), Evaluator::new());
    let mut times = [Duration::ZERO; 3];
    let mut nodes = [0; 3];
    // Until the distance and all best moves are known.
    let mut best_moves = Duration::ZERO;
    // The most expensive of the positions after a move, alone.
    let mut worst = 0;
    let (mut puzzles, mut moves, mut further) = (0, 0, [0u32; 8]);
    let puzzles_of = |name: &str| common::corpus(&format!("official/{name}.jsonl"));
    for puzzle in corpora.split(',').flat_map(puzzles_of) {
        let optimal = puzzle.known_optimal().expect("the corpus has optima");
        if !range.contains(&optimal) {
            continue;
        }
        puzzles += 1;
        let begin = Instant::now();
        let (_, stats) = common::solve(&mut solver, &puzzle);
        times[0] += begin.elapsed();
        nodes[0] += stats.nodes;
        let begin = Instant::now();
        let mut best_known = None;
        let evaluation = evaluator.evaluate(&puzzle, &Limits::default(), &mut |so_far| {
            if so_far.distance.exactly().is_some() {
                best_known.get_or_insert_with(|| begin.elapsed());
            }
        });
        times[1] += begin.elapsed();
        best_moves += best_known.unwrap_or_else(|| begin.elapsed());
        nodes[1] += evaluation.stats.nodes;
        assert_eq!(evaluation.distance.exactly(), Some(optimal));
        moves += evaluation.moves.len();
        let mut most_nodes = 0;
        for after in &evaluation.moves {
            let distance = after.distance.exactly().unwrap_or(100) + 1;
            further[(distance - optimal).min(7) as usize] += 1;
            if separate {
                let puzzle = puzzle
                    .with_position(after.state.cells(), puzzle.goal())
                    .expect("a position");
                let begin = Instant::now();
                let (outcome, stats) = common::solve(&mut solver, &puzzle);
                times[2] += begin.elapsed();
                nodes[2] += stats.nodes;
                most_nodes = stats.nodes.max(most_nodes);
                assert_eq!(
                    outcome.solution().map(|it| it.len() as u32),
                    after.distance.exactly()
                );
            }
        }
        worst += most_nodes;
    }
    println!("{puzzles} puzzles, {moves} moves; moves lost by a move: {further:?}");
    for (what, (time, nodes)) in ["solve", "evaluate", "separate"]
        .iter()
        .zip(times.iter().zip(nodes))
    {
        let ratio = time.as_secs_f64() / times[0].as_secs_f64();
        println!("{what:>9}: {time:>12.3?} ({ratio:.2}), {nodes} nodes");
    }
    let ratio = best_moves.as_secs_f64() / times[0].as_secs_f64();
    println!("distance and all best moves known after {best_moves:.3?} ({ratio:.2})");
    if separate {
        println!("the most expensive position after a move of each: {worst} nodes");
    }
}
