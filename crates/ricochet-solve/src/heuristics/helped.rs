//! A bound that knows that the goal robot may need another robot to stop it.
//!
//! Let `w(c)` be the number of moves from `c` to the target if walls alone stop the goal robot. A
//! solution in which no robot ever stops the goal robot has at least `w(c)` moves. In any other, take
//! the last stop of the goal robot at another robot: it stands on `y`, the other one on the next cell
//! `r`. To come to `y`, the goal robot makes at least as many moves as if it could stop anywhere, and
//! after that `w(y)`, as walls alone stop it from there on. Some other robot has come to `r`, which
//! takes it at least as many moves as if it could stop anywhere. No move is counted twice, so the
//! least of these sums, over all `y` and `r`, and of `w(c)` is a lower bound. It is admissible, but a
//! move may lower it by more than one.

use ricochet_core::{Board, Cell, Direction, Lean, Puzzle, Robot, State};

/// A distance that no solution has.
const FAR: u8 = 100;

/// The bound of one puzzle with a goal robot.
#[derive(Clone, Debug)]
pub(crate) struct HelpedBound {
    width: usize,
    goal_robot: Robot,
    /// By cell: moves of the goal robot if walls alone stop it.
    alone: Vec<u8>,
    /// The number of cells `r`.
    stoppers: usize,
    /// By the goal robot's cell, then by `r`: the goal robot's moves.
    goal_moves: Vec<u8>,
    /// By a helper's cell, then by `r`: the helper's moves.
    helper_moves: Vec<u8>,
}

impl HelpedBound {
    /// Computes the tables; `None` if any robot may reach the target.
    pub(crate) fn new(puzzle: &Puzzle) -> Option<Self> {
        let goal_robot = puzzle.goal().robot?;
        let board: &Board = puzzle.board();
        let cells = board.cell_count();
        let alone = moves_alone(board, goal_robot, puzzle.goal().cell);
        // By `r`: the cells `y` next to it.
        let mut stops: Vec<(usize, Vec<usize>)> = Vec::new();
        for stopper in board.cells().filter(|&cell| !board.is_closed(cell)) {
            let beside = Direction::ALL
                .into_iter()
                .filter(|&side| !board.has_wall(stopper, side))
                .filter_map(|side| Some(board.index(stopper.step(side)?)));
            let beside: Vec<usize> = beside.filter(|&stop| alone[stop] < FAR).collect();
            if !beside.is_empty() {
                stops.push((board.index(stopper), beside));
            }
        }
        let stoppers = stops.len();
        let mut leans = Vec::new();
        if !board.diagonals().is_empty() {
            let lean = |cell| board.diagonal(cell).map(|it| it.lean);
            leans.extend(board.cells().map(lean));
        }
        let mut distances_to: Vec<Option<Vec<u8>>> = vec![None; cells];
        let mut goal_moves = vec![FAR; cells * stoppers];
        let mut helper_moves = vec![FAR; cells * stoppers];
        for (place, (stopper, beside)) in stops.iter().enumerate() {
            for &stop in beside {
                let distances = distances_to[stop]
                    .get_or_insert_with(|| free_distances(board, board.cell(stop), &leans));
                for (cell, distance) in distances.iter().enumerate() {
                    let moves = &mut goal_moves[cell * stoppers + place];
                    *moves = (*moves).min(distance + alone[stop]).min(FAR);
                }
            }
            let distances = distances_to[*stopper]
                .get_or_insert_with(|| free_distances(board, board.cell(*stopper), &leans));
            for (cell, &distance) in distances.iter().enumerate() {
                helper_moves[cell * stoppers + place] = distance;
            }
        }
        Some(Self {
            width: board.width(),
            goal_robot,
            alone,
            stoppers,
            goal_moves,
            helper_moves,
        })
    }

    /// The bound of a state; `None` if there is no solution.
    pub(crate) fn of_state(&self, state: State) -> Option<u32> {
        let least = self.least(state, 0);
        (least < FAR).then_some(u32::from(least))
    }

    /// Whether the bound is at most `moves`.
    pub(crate) fn allows(&self, state: State, moves: u32) -> bool {
        let enough = u8::try_from(moves).map_or(FAR - 1, |it| it.min(FAR - 1));
        self.least(state, enough) <= enough
    }

    /// The bound, or some sum that is at most `enough`.
    fn least(&self, state: State, enough: u8) -> u8 {
        let from = self.index(state[self.goal_robot]);
        let alone = self.alone[from];
        if alone <= enough {
            return alone;
        }
        let goal_moves = self.row(&self.goal_moves, from);
        let mut least = alone;
        for (robot, cell) in state.iter() {
            if robot == self.goal_robot {
                continue;
            }
            let helper_moves = self.row(&self.helper_moves, self.index(cell));
            for (goal, helper) in goal_moves.iter().zip(helper_moves) {
                // Both are at most FAR, so the sum fits. The check would keep it from being vectorised.
                least = least.min(goal.wrapping_add(*helper));
            }
            if least <= enough {
                return least;
            }
        }
        least
    }

    fn row<'a>(&self, table: &'a [u8], cell: usize) -> &'a [u8] {
        &table[cell * self.stoppers..(cell + 1) * self.stoppers]
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width + usize::from(cell.x)
    }
}

/// By cell: moves of a robot to the target if walls alone stop it.
fn moves_alone(board: &Board, robot: Robot, target: Cell) -> Vec<u8> {
    let ends: Vec<[usize; 4]> = board
        .cells()
        .map(|cell| Direction::ALL.map(|way| board.index(board.slide(robot, cell, way, &[]))))
        .collect();
    let mut moves = vec![FAR; ends.len()];
    moves[board.index(target)] = 0;
    for distance in 1..FAR {
        let mut is_new = false;
        for (cell, ends) in ends.iter().enumerate() {
            if moves[cell] == FAR && ends.iter().any(|&end| moves[end] == distance - 1) {
                moves[cell] = distance;
                is_new = true;
            }
        }
        if !is_new {
            break;
        }
    }
    moves
}

/// By cell: moves between it and another one for a robot that can stop anywhere, and that may let each
/// diagonal turn it or not, so that the distances are a bound for robots of all colours.
fn free_distances(board: &Board, to: Cell, leans: &[Option<Lean>]) -> Vec<u8> {
    let width = board.width() as isize;
    let walls = board.walls();
    let mut distances = vec![FAR; walls.len()];
    // By cell: the headings in which it was entered.
    let mut entered = vec![0u8; walls.len()];
    let mut queue = Vec::with_capacity(walls.len());
    distances[board.index(to)] = 0;
    queue.push(board.index(to));
    let mut walks = Vec::new();
    let mut head = 0;
    while let Some(&from) = queue.get(head) {
        head += 1;
        let distance = (distances[from] + 1).min(FAR);
        walks.extend(Direction::ALL.map(|heading| (from, heading)));
        while let Some((mut at, heading)) = walks.pop() {
            let bit = heading.wall_bit();
            if entered[at] & bit != 0 {
                continue;
            }
            let step = match heading {
                Direction::North => -width,
                Direction::East => 1,
                Direction::South => width,
                Direction::West => -1,
            };
            while walls[at] & bit == 0 {
                at = at.checked_add_signed(step).expect("no wall, so a cell");
                if entered[at] & bit != 0 {
                    // What lies beyond was reached with no more moves.
                    break;
                }
                entered[at] |= bit;
                if distances[at] == FAR {
                    distances[at] = distance;
                    queue.push(at);
                }
                if let Some(lean) = leans.get(at).copied().flatten() {
                    walks.push((at, lean.deflect(heading)));
                }
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{RandomBoard, Recipe};

    use super::*;
    use crate::flagship::Flagship;
    use crate::{Limits, NullObserver, Outcome, Solver};

    #[test]
    fn the_bound_never_exceeds_the_optimum() {
        let (mut solved, mut tight, mut better) = (0, 0, 0);
        for number in 0..300 {
            let mut recipe = Recipe::random(RandomBoard {
                diagonals: Some(number as usize % 3 * 2),
                ..RandomBoard::new(5 + number as usize % 5, 6)
            });
            recipe.robots = 2 + number as usize % 3;
            recipe.rules.must_ricochet = number % 5 == 0;
            let Ok(puzzle) = recipe.puzzle(17, number) else {
                continue;
            };
            let Some(bound) = HelpedBound::new(&puzzle) else {
                continue; // any robot may reach the target
            };
            let plain = crate::heuristics::bound::Bound::new(&puzzle);
            let limits = Limits::default();
            let (outcome, _) = Flagship::new().solve(&puzzle, &limits, &mut NullObserver);
            let Outcome::Solved { solution, .. } = outcome else {
                continue;
            };
            // All positions of the solution, too.
            let mut state = puzzle.start();
            for (made, step) in solution.moves().iter().enumerate() {
                let left = (solution.len() - made) as u32;
                let moves = bound.of_state(state).expect("it is solvable");
                assert!(moves <= left, "{moves} of {left} moves: {puzzle:?}");
                for enough in 0..10 {
                    assert_eq!(bound.allows(state, enough), moves <= enough);
                }
                solved += 1;
                tight += u32::from(moves == left);
                better += u32::from(plain.of_state(state).is_some_and(|it| it < moves));
                let next = puzzle.apply(state, step.robot, step.direction);
                state = next.expect("solutions can be played");
            }
        }
        assert!(
            solved > 300 && tight > 100 && better > 50,
            "{solved} {tight} {better}"
        );
    }
}
