//! A tablebase: asks for the distance of any state, its best moves, and how many ways there are.

use ricochet::{Direction, Move, Puzzle, Robot, Solution, State};
use rustc_hash::FxHashMap;

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
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.space().states(), 132);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// How many states are how far from the goal.
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.histogram().states(), 132);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.into_memory()?.histogram().states(), 132);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.distance(&puzzle.start())?, Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        let (distance, best_moves) = self.best_moves(state)?;
        Ok(Probe {
            distance,
            best_moves,
            solutions: self.count_solutions(state)?,
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
        let distance = self.distance(state)?;
        let mut moves = Vec::new();
        if let Some(closer) = distance.and_then(|distance| distance.checked_sub(1)) {
            for (step, next) in self.successors(*state) {
                if self.distance(&next)? == Some(closer) {
                    moves.push(step);
                }
            }
        }
        Ok((distance, moves))
    }

    /// A shortest solution; `None` if there is none. Of all, the first in the order of robots and
    /// directions.
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
    /// let solution = table.solution(&puzzle.start())?.expect("it is solvable");
    /// assert!(solution.len() == 3 && solution.replay(&puzzle).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        let Some(distance) = self.distance(state)? else {
            return Ok(0);
        };
        // Forwards, layer by layer: how many ways lead to each state that is on a shortest one.
        let mut layer: FxHashMap<State, u128> = FxHashMap::default();
        layer.insert(*state, 1);
        for closer in (0..distance).rev() {
            let mut next_layer: FxHashMap<State, u128> = FxHashMap::default();
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
