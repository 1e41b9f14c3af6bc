//! From states in which helpers can stand for each other back to moves of robots with names.

use ricochet_core::{Direction, Move, Robot};

/// The moves that lead from `start` through all `wanted` states in turn, each one move after the one
/// before. `step` makes a move, if there is one; `pack` forgets the names.
pub(crate) fn moves_through<T: Copy, W: PartialEq>(
    start: T,
    robots: impl Iterator<Item = Robot>,
    wanted: impl Iterator<Item = W>,
    step: impl Fn(T, Robot, Direction) -> Option<T>,
    pack: impl Fn(T) -> W,
) -> Vec<Move> {
    let plays: Vec<Move> = robots
        .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }))
        .collect();
    let mut state = start;
    wanted
        .map(|wanted| {
            let (play, after) = plays
                .iter()
                .find_map(|&play| {
                    let next = step(state, play.robot, play.direction)?;
                    (pack(next) == wanted).then_some((play, next))
                })
                .expect("each state is one move from the one before");
            state = after;
            play
        })
        .collect()
}
