//! Solves a round before it begins.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ricochet_core::{Puzzle, Solution, notation};
use ricochet_rooms::Optimum;
use ricochet_service::questions::solve::{Solve, SolveOutcome};
use ricochet_service::{Answer, PuzzleInput, Request, RequestLimits};

use crate::queue::dispatcher::Dispatcher;
use crate::rate_limit::ROOMS;

/// The time limit of a search. Positions on the printed boards take a few milliseconds.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// How often to try again, once a second, when the queues are full.
const TRIES: usize = 10;

/// A round that is being solved.
pub(crate) struct Preparation {
    pub(crate) round: u32,
    /// The position in one-line notation: the number of the round stays the same if a chip is
    /// discarded.
    pub(crate) line: String,
    pub(crate) search: Pin<Box<dyn Future<Output = Optimum> + Send>>,
}

impl Preparation {
    pub(crate) fn start(dispatcher: &Arc<Dispatcher>, round: u32, puzzle: &Puzzle) -> Self {
        let line = notation::to_line(puzzle);
        let input = PuzzleInput::from(Arc::new(puzzle.clone()));
        let search = Box::pin(solve(Arc::clone(dispatcher), input));
        Self {
            round,
            line,
            search,
        }
    }
}

/// Solves a position through the same queues as every client.
async fn solve(dispatcher: Arc<Dispatcher>, puzzle: PuzzleInput) -> Optimum {
    for _ in 0..TRIES {
        let question = Request::Solve(Solve {
            puzzle: puzzle.clone(),
            limits: RequestLimits {
                ms: Some(TIME_LIMIT.as_millis() as u64),
                ..RequestLimits::default()
            },
            ..Solve::default()
        });
        let dispatch = dispatcher.submit(question, ROOMS);
        let reply = dispatch.reply().await;
        match reply.as_ref().map(|reply| &reply.result) {
            Ok(Ok(Answer::Solve(answer))) => {
                return match (answer.outcome, &answer.moves) {
                    (SolveOutcome::Solved, Some(moves)) if answer.optimal => {
                        Optimum::Solved(Solution::new(moves.0.clone()))
                    }
                    (SolveOutcome::Unsolvable, _) => Optimum::Unsolvable,
                    _ => Optimum::Unknown,
                };
            }
            // The queues are full.
            Ok(Err(_)) | Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
            Ok(Ok(_)) => break,
        }
    }
    Optimum::Unknown
}
