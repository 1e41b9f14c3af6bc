//! All shortest solutions of one puzzle, for `solve --all`.

use std::fmt::Write;
use std::ops::ControlFlow;

use ricochet::{Puzzle, Solution};
use ricochet_solve::{Limit, Limits, all_shortest};

use crate::units::thousands;

/// How many there are, and some of them.
pub(crate) struct AllShortest {
    pub(crate) count: u64,
    listed: Vec<Solution>,
    /// What ended the search before all were seen.
    pub(crate) limit: Option<Limit>,
}

impl AllShortest {
    /// Counts all, keeps the first `most`.
    pub(crate) fn of(puzzle: &Puzzle, length: u32, limits: &Limits, most: usize) -> Self {
        let mut all = Self {
            count: 0,
            listed: Vec::new(),
            limit: None,
        };
        let ended = all_shortest(puzzle, length, limits, |solution| {
            all.count += 1;
            if all.listed.len() < most {
                all.listed.push(solution.clone());
            }
            ControlFlow::Continue(())
        });
        all.limit = ended.err();
        all
    }

    /// The listed ones as lists of moves.
    pub(crate) fn as_moves(&self) -> Vec<Vec<String>> {
        let moves =
            |solution: &Solution| solution.moves().iter().map(ToString::to_string).collect();
        self.listed.iter().map(moves).collect()
    }

    /// The number, and one solution a line.
    pub(crate) fn page(&self) -> String {
        let mut page = match (self.limit, self.count) {
            (None, 1) => "The only shortest solution:\n".to_owned(),
            (None, count) => format!("{} shortest solutions:\n", thousands(count)),
            (Some(limit), count) => {
                format!(
                    "{limit} reached after {} shortest solutions:\n",
                    thousands(count)
                )
            }
        };
        for solution in &self.listed {
            let _ = writeln!(page, "  {solution}");
        }
        let unlisted = self.count - self.listed.len() as u64;
        if unlisted > 0 {
            let _ = writeln!(page, "  and {} more (--max-solutions)", thousands(unlisted));
        }
        page
    }
}
