//! What a tablebase says of a state: its distance, every best move, and how many shortest solutions
//! there are.
//!
//! Solutions are counted forwards: a layer has every state that can be reached by so many moves of
//! shortest solutions, and in how many ways. States that differ only in which of two equal helpers
//! is where have as many solutions as each other, so they are one. Most of the time goes to asking
//! for distances that turn out to be too long; where the robot that has to arrive needs all moves
//! that are left, even if it could stop anywhere, nothing else is asked.

use ricochet::{Cell, Direction, Move, State};
use rustc_hash::FxHashMap;

use super::space::bit_of;
use super::table::Look;
use super::{Tablebase, TablebaseError};

/// What a tablebase says of a state.
///
/// ```
/// use ricochet::notation;
/// use ricochet_solve::tablebase::{Builder, Space};
/// use ricochet_solve::{Limits, Silent};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let space = Space::of(&puzzle)?;
/// let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
/// let probe = table.probe(&puzzle.start())?;
/// assert_eq!(probe.distance, Some(3));
/// assert_eq!(probe.best_moves.len(), 3);
/// assert!(probe.solutions >= 3, "each of them begins at least one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The fewest moves to the goal; `None` if it cannot be reached.
    pub distance: Option<u32>,
    /// All first moves of shortest solutions, robot by robot; none if solved or unsolvable.
    pub best_moves: Vec<Move>,
    /// How many different shortest solutions (sequences of moves) there are: 1 if the state is
    /// solved already, 0 if it cannot be.
    pub solutions: u128,
}

impl Tablebase {
    /// The distance of a state, all moves that come closer, and the number of ways to the goal.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`].
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.probe(&puzzle.start())?.distance, Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe(&self, state: &State) -> Result<Probe, TablebaseError> {
        let mut look = self.look();
        let number = Number::of(self.space().locate(state));
        let distance = look.distance(number.configuration(), number.bit())?;
        let (best_moves, solutions) = match distance {
            Some(distance) => self.count_ways(state, number, distance, &mut look)?,
            None => (Vec::new(), 0),
        };
        Ok(Probe {
            distance,
            best_moves,
            solutions,
        })
    }

    /// The distance of a state and all moves that come closer, robot by robot.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`].
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// let (distance, moves) = table.best_moves(&puzzle.start())?;
    /// assert_eq!((distance, moves.len()), (Some(3), 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_moves(&self, state: &State) -> Result<(Option<u32>, Vec<Move>), TablebaseError> {
        let mut look = self.look();
        let number = Number::of(self.space().locate(state));
        let distance = look.distance(number.configuration(), number.bit())?;
        let mut moves = Vec::new();
        if let Some(closer) = distance.and_then(|distance| distance.checked_sub(1)) {
            let found = |step, _, _: &State| moves.push(step);
            self.closer_states(state, number, closer, &mut look, found)?;
        }
        Ok((distance, moves))
    }

    /// The number of different shortest solutions (sequences of moves); 1 if the state is solved
    /// already, 0 if it cannot be.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`].
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.count_solutions(&puzzle.start())?, table.probe(&puzzle.start())?.solutions);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_solutions(&self, state: &State) -> Result<u128, TablebaseError> {
        Ok(self.probe(state)?.solutions)
    }

    /// All best moves of a state at this distance, and the number of its shortest solutions.
    fn count_ways(
        &self,
        state: &State,
        number: Number,
        distance: u32,
        look: &mut Look<'_>,
    ) -> Result<(Vec<Move>, u128), TablebaseError> {
        let mut best_moves = Vec::new();
        let (mut layer, mut next) = (Layer::default(), Layer::default());
        layer.add(number, state, 1);
        for closer in (0..distance).rev() {
            next.clear();
            for (&number, &(state, ways)) in layer.numbers.iter().zip(&layer.states) {
                self.closer_states(&state, number, closer, look, |step, number, state| {
                    if closer + 1 == distance {
                        best_moves.push(step);
                    }
                    next.add(number, state, ways);
                })?;
            }
            std::mem::swap(&mut layer, &mut next);
        }
        let ways = layer.states.iter().map(|&(_, ways)| ways);
        Ok((best_moves, ways.fold(0, u128::saturating_add)))
    }

    /// All moves to states of distance `closer`, robot by robot, with the state and its number.
    fn closer_states(
        &self,
        state: &State,
        number: Number,
        closer: u32,
        look: &mut Look<'_>,
        mut found: impl FnMut(Move, Number, &State),
    ) -> Result<(), TablebaseError> {
        let space = self.space();
        let arriving = space.goal().robot.zip(self.least_moves());
        let can_arrive = |cell: Cell| {
            arriving.is_none_or(|(_, least)| least.get(cell).is_some_and(|moves| moves <= closer))
        };
        let (configuration, bit) = (number.configuration(), number.bit());
        // If any robot may arrive, the lead is one of them, and nothing is known beforehand.
        let others_may_move = can_arrive(state[space.lead()]);
        for robot in state.robots() {
            let leads = robot == space.lead();
            if !leads && !others_may_move {
                continue;
            }
            let mover = (!leads).then(|| space.mover(state, configuration, robot));
            for direction in Direction::ALL {
                let from = state[robot];
                let to = space.board().slide(robot, from, direction, state.cells());
                if to == from || (leads && !can_arrive(to)) {
                    continue;
                }
                let (configuration, bit) = match &mover {
                    Some(mover) => (space.moved(mover, to), bit),
                    None => (configuration, bit_of(to)),
                };
                if look.distance(configuration, bit)? == Some(closer) {
                    let number = Number::of((configuration, bit));
                    found(Move { robot, direction }, number, &state.with(robot, to));
                }
            }
        }
        Ok(())
    }
}

/// Configuration and bit of a state in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Number(u64);

impl Number {
    fn of((configuration, bit): (usize, usize)) -> Self {
        Self((configuration as u64) << 8 | bit as u64)
    }

    fn configuration(self) -> usize {
        (self.0 >> 8) as usize
    }

    fn bit(self) -> usize {
        (self.0 & 255) as usize
    }
}

/// States at one distance, with the number of ways to each.
#[derive(Debug, Default)]
struct Layer {
    numbers: Vec<Number>,
    states: Vec<(State, u128)>,
    /// Where each number is, if there are too many to look through.
    places: FxHashMap<Number, usize>,
}

/// Most layers are smaller than this, and then looking through them is faster than hashing.
const LOOKED_THROUGH: usize = 32;

impl Layer {
    fn clear(&mut self) {
        self.numbers.clear();
        self.states.clear();
        self.places.clear();
    }

    /// Adds ways to a state.
    fn add(&mut self, number: Number, state: &State, ways: u128) {
        let known = if self.places.is_empty() {
            self.numbers.iter().position(|&known| known == number)
        } else {
            self.places.get(&number).copied()
        };
        if let Some(at) = known {
            let all = &mut self.states[at].1;
            *all = all.saturating_add(ways);
            return;
        }
        let at = self.numbers.len();
        self.numbers.push(number);
        self.states.push((*state, ways));
        if !self.places.is_empty() {
            self.places.insert(number, at);
        } else if at >= LOOKED_THROUGH {
            let numbers = self.numbers.iter().enumerate();
            self.places
                .extend(numbers.map(|(at, &number)| (number, at)));
        }
    }
}

#[cfg(test)]
mod tests {
    use ricochet::Cell;

    use super::*;

    #[test]
    fn a_large_layer_adds_up_like_a_small_one() {
        let state = State::new(&[Cell::new(0, 0)]).expect("one robot");
        let mut layer = Layer::default();
        for round in 0..3u64 {
            layer.clear();
            for i in (0..200).chain(0..200).chain(100..150) {
                layer.add(Number(i * 7 + round), &state, 2);
            }
            assert_eq!(layer.states.len(), 200);
            for (i, &(_, ways)) in layer.states.iter().enumerate() {
                let expected = if (100..150).contains(&i) { 6 } else { 4 };
                let number = Number(i as u64 * 7 + round);
                assert_eq!((layer.numbers[i], ways), (number, expected));
            }
        }
        layer.add(Number(9), &state, u128::MAX);
        assert_eq!(layer.states[1].1, u128::MAX, "does not wrap");
    }
}
