//! Sentences about puzzle generation, for the command line and the answer to `generate`.

use ricochet_solve::generation::PuzzleMaker;

use ricochet_core::describe::{plural, thousands};

/// `2 puzzles of 51 candidates`
pub fn summary(maker: &PuzzleMaker) -> String {
    let found = plural(maker.found() as usize, "puzzle");
    let tried = count_candidates(maker.tried());
    match maker.tables() {
        0 => format!("{found} of {tried}"),
        tables => {
            let tables = plural(tables as usize, "table");
            format!("{found} of {tried}, then from {tables} of all positions")
        }
    }
}

/// Why no puzzles can be drawn from tables; `None` if they can, or if the filter does not ask for a
/// length.
pub fn why_not_drawn(maker: &PuzzleMaker) -> Option<String> {
    let candidates = match maker.candidates_per_table() {
        Ok(candidates) => candidates?,
        Err(error) => return Some(error.to_string()),
    };
    let patience = maker.options().patience;
    (patience <= candidates).then(|| {
        format!(
            "tables are made after {}, and only {} are allowed",
            count_candidates(candidates),
            thousands(patience)
        )
    })
}

/// `51 candidates`
pub fn count_candidates(count: u64) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} candidate{s}", thousands(count))
}

#[cfg(test)]
mod tests {
    use ricochet_solve::generation::{Attempt, MakerOptions};
    use ricochet_solve::{Limits, registry};

    use super::*;
    use crate::questions::generate::Generate;

    #[test]
    fn the_summary_counts_puzzles_candidates_and_tables() {
        let long = Generate {
            size: Some([6, 6]),
            robots: Some(2),
            moves: Some([20, 99]),
            ..Generate::default()
        };
        let mut maker = long.maker(7, MakerOptions::default()).unwrap();
        let mut solver = registry::build("flagship").unwrap();
        assert_eq!(summary(&maker), "0 puzzles of 0 candidates");
        while !maker.is_done() {
            let attempt = maker.next(solver.as_mut(), &Limits::default()).unwrap();
            assert!(matches!(attempt, Attempt::Found(_) | Attempt::NoMatch));
        }
        let all = "1 puzzle of 10,001 candidates, then from 4 tables of all positions";
        assert_eq!(summary(&maker), all);
    }

    #[test]
    fn the_reason_why_nothing_is_drawn_is_given() {
        let long = Generate {
            moves: Some([20, 25]),
            ..Generate::default()
        };
        let why = |options| why_not_drawn(&long.maker(7, options).unwrap());
        let small = why(MakerOptions {
            memory: Some(1 << 20),
            ..MakerOptions::default()
        });
        let small = small.unwrap();
        assert!(small.ends_with("but only 1 MiB are allowed"), "{small}");
        let brief = MakerOptions {
            memory: Some(1 << 30),
            patience: 20_000,
            ..MakerOptions::default()
        };
        let brief = why(brief).unwrap();
        assert!(
            brief.ends_with("candidates, and only 20,000 are allowed"),
            "{brief}"
        );
        let too_short = MakerOptions {
            memory: Some(1 << 30),
            moves: Some(19),
            ..MakerOptions::default()
        };
        assert_eq!(why(too_short), None);
    }
}
