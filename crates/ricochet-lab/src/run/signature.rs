//! The signature of a solver: its nodes and stored states on a fixed set of puzzles. The numbers depend
//! neither on the machine nor on the build; only a change of behaviour changes them.

use anyhow::{Result, bail};
use ricochet_solve::{Limits, NullObserver, Outcome};

use crate::corpus::{Corpus, CorpusPuzzle};
use crate::report::table::{Table, Value};
use ricochet_solve::registry::SolverSpec;

/// The puzzles: the first forty of `official/random` with an optimum of 3 to 6 moves.
fn puzzles() -> Result<Vec<CorpusPuzzle>> {
    let corpus = Corpus::load("official/random")?;
    let wanted = |item: &CorpusPuzzle| matches!(item.puzzle.known_optimal(), Some(3..=6));
    Ok(corpus.items.into_iter().filter(wanted).take(40).collect())
}

/// The node limit on each puzzle, without which depth-first searches would not end.
const NODES: u64 = 100_000;

/// Nodes, stored states and solved puzzles of each solver, with at most 100,000 nodes per puzzle.
///
/// # Errors
/// If a solution does not replay.
pub fn table(solvers: &[SolverSpec]) -> Result<Table> {
    let puzzles = puzzles()?;
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let mut table = Table::new(
        "signature",
        "Nodes and stored states over 40 fixed puzzles of 3 to 6 moves, 100,000 nodes at most on each",
        &["solver", "nodes", "stored", "solved"],
    );
    for spec in solvers {
        let mut solver = spec.build();
        let (mut nodes, mut stored, mut solved) = (0, 0, 0u64);
        for item in &puzzles {
            let (outcome, stats) = solver.solve(&item.puzzle, &limits, &mut NullObserver);
            nodes += stats.nodes;
            stored += stats.stored;
            if let Outcome::Solved { solution, .. } = &outcome {
                if solution.replay(&item.puzzle).is_err() {
                    bail!("{spec} on {}: the solution does not replay", item.id);
                }
                solved += 1;
            }
        }
        table.push(vec![
            spec.to_string().into(),
            Value::Count(nodes),
            Value::Count(stored),
            Value::Count(solved),
        ]);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_the_same_every_time() {
        let solvers = ["flagship", "iddfs", "graph-v2"].map(|name| name.parse().unwrap());
        let first = table(&solvers).unwrap();
        assert_eq!(first, table(&solvers).unwrap());
        assert_eq!(first.rows[0][3], Value::Count(40));
        assert_eq!(first.rows[1][3], Value::Count(40));
    }
}
