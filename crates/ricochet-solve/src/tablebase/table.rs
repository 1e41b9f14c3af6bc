//! A tablebase: the distance of any state, and a shortest solution.

use ricochet_core::{Direction, Move, Puzzle, Robot, Solution, State};

use super::distances::Distances;
use super::file::{FileReader, TableFile};
use super::solution_count::PathCounter;
use super::{Histogram, Space, TablebaseError};
use crate::heuristics::bound::MinMoves;
use crate::lowlevel::set256::Set256;

/// The distance of every state of a board and goal, in memory or in a file.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Limits, NullObserver};
/// use ricochet_solve::tablebase::{Builder, Space};
/// let board = Board::builder(6, 6).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(4, 0) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(5, 0)], goal)?;
/// let space = Space::of(&puzzle).unwrap();
/// let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut NullObserver).unwrap();
/// assert_eq!(table.distance(&puzzle.start()).unwrap(), Some(1));
/// assert_eq!(table.solution(&puzzle.start()).unwrap().unwrap().to_string(), "RE");
/// # Ok::<(), ricochet_core::ValidationError>(())
/// ```
#[derive(Debug)]
pub struct Tablebase {
    space: Space,
    histogram: Histogram,
    source: Source,
    /// Any state of the space with its board and goal, for making moves.
    rules: Option<Puzzle>,
    ways: PathCounter,
}

#[derive(Debug)]
enum Source {
    Memory(Distances),
    File(TableFile),
}

/// A look at the distances.
#[derive(Debug)]
pub(crate) enum TableReader<'a> {
    Memory(&'a Distances),
    File(FileReader<'a>),
}

impl TableReader<'_> {
    pub(crate) fn distance(
        &mut self,
        configuration: usize,
        bit: usize,
    ) -> Result<Option<u32>, TablebaseError> {
        match self {
            TableReader::Memory(distances) => Ok(distances.get(configuration, bit)),
            TableReader::File(file) => file.distance(configuration, bit),
        }
    }

    /// The planes of a configuration.
    #[inline(always)]
    pub(crate) fn planes(&mut self, configuration: u32) -> Result<&[Set256], TablebaseError> {
        match self {
            TableReader::Memory(distances) => Ok(distances.of(configuration as usize)),
            TableReader::File(file) => file.planes(configuration),
        }
    }
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
        let goal = space.goal();
        let least_moves = goal
            .robot
            .map(|robot| MinMoves::new(space.board(), robot, goal.cell));
        let ways = PathCounter::new(&space, least_moves.as_ref());
        Self {
            space,
            histogram,
            source,
            rules,
            ways,
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

    /// Bytes of what is unpacked of a file.
    pub(crate) fn cached_bytes(&self) -> u64 {
        match &self.source {
            Source::Memory(_) => 0,
            Source::File(file) => file.cached_bytes(),
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
        self.reader().distance(configuration, bit)
    }

    /// For looking up many distances in a row: a file stays locked.
    pub(crate) fn reader(&self) -> TableReader<'_> {
        match &self.source {
            Source::Memory(distances) => TableReader::Memory(distances),
            Source::File(file) => TableReader::File(file.reader()),
        }
    }

    /// How to walk over shortest solutions.
    pub(crate) fn ways(&self) -> &PathCounter {
        &self.ways
    }

    /// Whether the goal is reached.
    pub(crate) fn is_solved(&self, state: &State) -> bool {
        let goal = self.space.goal();
        match goal.robot {
            Some(robot) => state[robot] == goal.cell,
            None => state.cells().contains(&goal.cell),
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

    /// A shortest solution; `None` if there is none. Of all, the first in the order of robots and
    /// directions.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`], and [`TablebaseError::Contradiction`] if there is none of the
    /// length that the table says.
    pub fn solution(&self, state: &State) -> Result<Option<Solution>, TablebaseError> {
        let Some(distance) = self.distance(state)? else {
            return Ok(None);
        };
        self.solution_from(state, distance, &mut 0).map(Some)
    }

    /// A shortest solution of a state of this distance; counts the distances that are looked up.
    pub(crate) fn solution_from(
        &self,
        state: &State,
        mut distance: u32,
        lookups: &mut u64,
    ) -> Result<Solution, TablebaseError> {
        if (distance == 0) != self.is_solved(state) {
            let state = *state;
            return Err(TablebaseError::Contradiction { state, distance });
        }
        let mut moves = Vec::new();
        let mut at = *state;
        while distance > 0 {
            let mut found = None;
            for (step, next) in self.successors(at) {
                *lookups += 1;
                if self.distance(&next)? == Some(distance - 1) {
                    found = Some((step, next));
                    break;
                }
            }
            let Some((step, next)) = found else {
                return Err(TablebaseError::Contradiction {
                    state: at,
                    distance,
                });
            };
            moves.push(step);
            at = next;
            distance -= 1;
        }
        Ok(Solution::new(moves))
    }
}
