//! A tablebase: asks for the distance of any state, its best moves, and how many ways there are.

use std::collections::HashMap;

use ricochet::{Direction, Move, Puzzle, Robot, Solution, State};

use super::distances::Distances;
use super::file::TableFile;
use super::{Histogram, Space, TablebaseError};

/// The distance of every state of a board and goal, in memory or in a file.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Limits, Silent};
/// use ricochet_solve::tablebase::{Builder, Space};
/// let board = Board::builder(6, 6).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(4, 0) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(5, 0)], goal)?;
/// let space = Space::of(&puzzle).unwrap();
/// let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent).unwrap();
/// assert_eq!(table.distance(&puzzle.start()).unwrap(), Some(1));
/// assert_eq!(table.solution(&puzzle.start()).unwrap().unwrap().to_string(), "RE");
/// # Ok::<(), ricochet::Invalid>(())
/// ```
#[derive(Debug)]
pub struct Tablebase {
    space: Space,
    histogram: Histogram,
    source: Source,
    /// Any state of the space with its board and goal, for making moves.
    rules: Option<Puzzle>,
}

#[derive(Debug)]
enum Source {
    Memory(Distances),
    File(TableFile),
}

/// What a tablebase says of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The fewest moves to the goal; `None` if it cannot be reached.
    pub distance: Option<u32>,
    /// All first moves of shortest solutions, robot by robot; none if solved or unsolvable.
    pub best_moves: Vec<Move>,
}

impl Tablebase {
    pub(crate) fn in_memory(space: Space, histogram: Histogram, distances: Distances) -> Self {
        Self::new(space, histogram, Source::Memory(distances))
    }

    pub(crate) fn in_file(space: Space, histogram: Histogram, file: TableFile) -> Self {
        Self::new(space, histogram, Source::File(file))
    }

    fn new(space: Space, histogram: Histogram, source: Source) -> Self {
        let rules = space.any_puzzle();
        Self {
            space,
            histogram,
            source,
            rules,
        }
    }

    /// What its states are.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// How many states are how far from the goal.
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// The distances, if they are in memory.
    pub(crate) fn distances(&self) -> Option<&Distances> {
        match &self.source {
            Source::Memory(distances) => Some(distances),
            Source::File(_) => None,
        }
    }

    /// Reads all of a file into memory, and checks every block on the way.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged.
    pub fn into_memory(self) -> Result<Self, TablebaseError> {
        let distances = match self.source {
            Source::Memory(distances) => distances,
            Source::File(file) => file.read_all(self.space.configurations())?,
        };
        Ok(Self {
            source: Source::Memory(distances),
            ..self
        })
    }

    /// The fewest moves from a state to the goal; `None` if it cannot be reached.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    ///
    /// # Panics
    /// If the state does not belong to this board and number of robots.
    pub fn distance(&self, state: &State) -> Result<Option<u32>, TablebaseError> {
        let (configuration, bit) = self.space.locate(state);
        match &self.source {
            Source::Memory(distances) => Ok(distances.get(configuration, bit)),
            Source::File(file) => file.distance(configuration, bit),
        }
    }

    /// The states that one move leads to, each with the move.
    pub(crate) fn successors(&self, state: State) -> impl Iterator<Item = (Move, State)> + '_ {
        let moves = state
            .robots()
            .flat_map(|robot: Robot| Direction::ALL.map(|direction| Move { robot, direction }));
        moves.filter_map(move |step| {
            let rules = self.rules.as_ref()?;
            let next = rules.apply(state, step.robot, step.direction)?;
            Some((step, next))
        })
    }

    /// The distance of a state and all moves that come closer.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`].
    pub fn probe(&self, state: &State) -> Result<Probe, TablebaseError> {
        let distance = self.distance(state)?;
        let mut best_moves = Vec::new();
        if let Some(closer) = distance.and_then(|distance| distance.checked_sub(1)) {
            for (step, next) in self.successors(*state) {
                if self.distance(&next)? == Some(closer) {
                    best_moves.push(step);
                }
            }
        }
        Ok(Probe {
            distance,
            best_moves,
        })
    }

    /// A shortest solution; `None` if there is none. Of all, the first in the order of robots and
    /// directions.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`].
    pub fn solution(&self, state: &State) -> Result<Option<Solution>, TablebaseError> {
        let Some(mut distance) = self.distance(state)? else {
            return Ok(None);
        };
        let mut moves = Vec::new();
        let mut at = *state;
        while distance > 0 {
            let mut found = None;
            for (step, next) in self.successors(at) {
                if self.distance(&next)? == Some(distance - 1) {
                    found = Some((step, next));
                    break;
                }
            }
            let Some((step, next)) = found else {
                // Only a table with wrong contents gets here: every distance has a move.
                return Ok(None);
            };
            moves.push(step);
            at = next;
            distance -= 1;
        }
        Ok(Some(Solution::new(moves)))
    }

    /// The number of different shortest solutions (sequences of moves); 1 if the state is solved
    /// already, 0 if it cannot be.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`].
    pub fn count_solutions(&self, state: &State) -> Result<u128, TablebaseError> {
        let Some(distance) = self.distance(state)? else {
            return Ok(0);
        };
        // Forwards, layer by layer: how many ways lead to each state that is on a shortest one.
        let mut layer: HashMap<State, u128> = HashMap::from([(*state, 1)]);
        for closer in (0..distance).rev() {
            let mut next_layer: HashMap<State, u128> = HashMap::new();
            for (state, ways) in layer {
                for (_, next) in self.successors(state) {
                    if self.distance(&next)? == Some(closer) {
                        let all = next_layer.entry(next).or_default();
                        *all = all.saturating_add(ways);
                    }
                }
            }
            layer = next_layer;
        }
        Ok(layer.into_values().fold(0u128, u128::saturating_add))
    }
}
