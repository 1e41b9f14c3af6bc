//! Verifies answers: every solution is replayed cell by cell, and its length is compared with the
//! known optimum.

use ricochet_core::Puzzle;
use ricochet_solve::{Failure, Guarantee, Outcome};

use crate::corpus::Expectation;
use crate::run::store::row::{OutcomeKind, Verdict, single_line};

/// A verified answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedAnswer {
    /// How it ended.
    pub ending: OutcomeKind,
    /// The reason; empty for a plain solution.
    pub detail: String,
    /// The length of the solution.
    pub length: Option<u32>,
    /// The proved lower bound.
    pub lower_bound: Option<u32>,
    /// How good the answer is.
    pub verdict: Verdict,
    /// The moves as text.
    pub moves: String,
}

/// Verifies the outcome of a solver with this guarantee.
pub fn verify(
    puzzle: &Puzzle,
    expectation: Expectation,
    guarantee: Guarantee,
    outcome: &Outcome,
) -> VerifiedAnswer {
    let mut answer = VerifiedAnswer {
        ending: OutcomeKind::Solved,
        detail: String::new(),
        length: None,
        lower_bound: outcome.lower_bound(),
        verdict: Verdict::None,
        moves: String::new(),
    };
    match outcome {
        Outcome::Solved {
            solution, optimal, ..
        } => {
            answer.length = Some(solution.len() as u32);
            answer.moves = solution.to_string();
            if let Err(error) = solution.replay(puzzle) {
                answer.ending = OutcomeKind::Error;
                answer.verdict = Verdict::Wrong;
                answer.detail = single_line(&format!("does not replay: {error}"), 300);
                return answer;
            }
            let claims_optimal = *optimal || guarantee == Guarantee::Optimal;
            answer.verdict = verify_length(expectation, claims_optimal, solution.len() as u32);
            if answer.verdict == Verdict::Wrong {
                answer.detail = match expectation {
                    Expectation::Optimal(known) => {
                        format!("{} moves, but the optimum is {known}", solution.len())
                    }
                    _ => "solved, but it is known to be unsolvable".to_owned(),
                };
            }
        }
        Outcome::Unsolvable => {
            answer.ending = OutcomeKind::Unsolvable;
            answer.verdict = match expectation {
                Expectation::Unsolvable => Verdict::Optimal,
                Expectation::Unknown => Verdict::Proved,
                Expectation::Optimal(known) => {
                    answer.detail = format!("'unsolvable', but it can be solved in {known}");
                    Verdict::Wrong
                }
            };
        }
        Outcome::LimitReached { limit, lower_bound } => {
            answer.ending = OutcomeKind::Limit;
            answer.detail = limit.to_string();
            check_lower_bound(&mut answer, expectation, *lower_bound);
        }
        Outcome::Failed {
            failure,
            lower_bound,
        } => {
            answer.ending = match failure {
                Failure::Unsupported(_) => OutcomeKind::Declined,
                _ => OutcomeKind::Failed,
            };
            answer.detail = single_line(&failure.to_string(), 300);
            check_lower_bound(&mut answer, expectation, *lower_bound);
        }
    }
    answer
}

pub(crate) fn verify_length(
    expectation: Expectation,
    claims_optimal: bool,
    length: u32,
) -> Verdict {
    match expectation {
        Expectation::Optimal(known) if length == known => Verdict::Optimal,
        Expectation::Optimal(known) if length > known && !claims_optimal => Verdict::Longer,
        Expectation::Optimal(_) | Expectation::Unsolvable => Verdict::Wrong,
        Expectation::Unknown if claims_optimal => Verdict::Proved,
        Expectation::Unknown => Verdict::Unchecked,
    }
}

/// Marks a lower bound above the optimum as wrong.
fn check_lower_bound(answer: &mut VerifiedAnswer, expectation: Expectation, lower_bound: u32) {
    if let Expectation::Optimal(known) = expectation
        && lower_bound > known
    {
        answer.verdict = Verdict::Wrong;
        answer.detail = format!(
            "{}; claims that {lower_bound} moves are needed, but the optimum is {known}",
            answer.detail
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ricochet_core::{Board, Cell, Goal, Robot, Solution};
    use ricochet_solve::Limit;

    fn puzzle() -> Puzzle {
        let board = Board::builder(8, 8).build().unwrap();
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: Cell::new(7, 7),
        };
        Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap()
    }

    fn solved(moves: &str, optimal: bool) -> Outcome {
        let solution: Solution = moves.parse().unwrap();
        Outcome::Solved {
            lower_bound: 1,
            solution,
            optimal,
        }
    }

    #[test]
    fn every_kind_of_answer_gets_its_verdict() {
        use Expectation as E;
        use Guarantee as G;
        use Verdict as V;
        let cases = [
            (solved("RE RS", true), E::Optimal(2), G::Optimal, V::Optimal),
            (solved("RE RS", true), E::Unknown, G::Optimal, V::Proved),
            (solved("RE RS", false), E::Unknown, G::Any, V::Unchecked),
            (
                solved("RE RW RE RS", false),
                E::Optimal(2),
                G::Any,
                V::Longer,
            ),
            (solved("RE RW RE RS", true), E::Optimal(2), G::Any, V::Wrong),
            (
                solved("RE RW RE RS", false),
                E::Optimal(2),
                G::Optimal,
                V::Wrong,
            ),
            (solved("RE RS", true), E::Optimal(3), G::Optimal, V::Wrong),
            (solved("RE RS", false), E::Optimal(3), G::Any, V::Wrong),
            (solved("RE RS", true), E::Unsolvable, G::Optimal, V::Wrong),
            (solved("RE", true), E::Optimal(1), G::Optimal, V::Wrong),
            (solved("RN", true), E::Unknown, G::Any, V::Wrong),
            (Outcome::Unsolvable, E::Unsolvable, G::Optimal, V::Optimal),
            (Outcome::Unsolvable, E::Unknown, G::Optimal, V::Proved),
            (Outcome::Unsolvable, E::Optimal(2), G::Optimal, V::Wrong),
        ];
        for (outcome, expectation, guarantee, verdict) in cases {
            let found = verify(&puzzle(), expectation, guarantee, &outcome);
            assert_eq!(found.verdict, verdict, "{outcome:?} {expectation:?}");
            assert_eq!(found.verdict == V::Wrong, !found.detail.is_empty());
        }
    }

    #[test]
    fn limits_and_failures_keep_their_reason_and_their_bound_is_checked() {
        let limit = |lower_bound| Outcome::LimitReached {
            limit: Limit::Time,
            lower_bound,
        };
        let fine = verify(
            &puzzle(),
            Expectation::Optimal(2),
            Guarantee::Any,
            &limit(2),
        );
        assert_eq!(
            (fine.ending, fine.verdict),
            (OutcomeKind::Limit, Verdict::None)
        );
        assert_eq!(fine.detail, "time limit");
        let wrong = verify(
            &puzzle(),
            Expectation::Optimal(2),
            Guarantee::Any,
            &limit(3),
        );
        assert_eq!(wrong.verdict, Verdict::Wrong);
        let failed = Outcome::Failed {
            failure: Failure::SearchSpaceExhausted,
            lower_bound: 0,
        };
        let failed = verify(&puzzle(), Expectation::Unknown, Guarantee::Any, &failed);
        assert_eq!(
            (failed.ending, failed.verdict),
            (OutcomeKind::Failed, Verdict::None)
        );
    }

    #[test]
    fn a_solution_that_does_not_replay_is_an_error() {
        let found = verify(
            &puzzle(),
            Expectation::Unknown,
            Guarantee::Any,
            &solved("RE", false),
        );
        assert_eq!(found.ending, OutcomeKind::Error);
        assert!(found.detail.starts_with("does not replay"));
    }
}
