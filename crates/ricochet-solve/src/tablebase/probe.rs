//! What a tablebase says of a state: its distance, every best move, and how many shortest solutions
//! there are.

use ricochet_core::{Move, State};

use super::solution_count::WalkGoal;
use super::{Tablebase, TablebaseError};

/// What a tablebase says of a state.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::tablebase::{Builder, Space};
/// use ricochet_solve::{Limits, NullObserver};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let space = Space::of(&puzzle)?;
/// let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut NullObserver)?;
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
    /// As for [`Tablebase::distance`], and [`TablebaseError::Contradiction`] if there is no way of the
    /// length that the table says.
    pub fn probe(&self, state: &State) -> Result<Probe, TablebaseError> {
        let mut look = self.reader();
        let (configuration, bit) = self.space().locate(state);
        let distance = look.distance(configuration, bit)?;
        let (best_moves, solutions) = match distance {
            Some(distance) => {
                let wanted = WalkGoal::Solutions;
                let walk = self
                    .ways()
                    .walk(state, configuration, distance, &mut look, wanted)?;
                self.check_walk(state, distance, walk.1 == 0)?;
                walk
            }
            None => (Vec::new(), 0),
        };
        Ok(Probe {
            distance,
            best_moves,
            solutions,
        })
    }

    /// A walk that leads nowhere, or a goal that is not where the distance says, contradicts the
    /// table.
    fn check_walk(
        &self,
        state: &State,
        distance: u32,
        leads_nowhere: bool,
    ) -> Result<(), TablebaseError> {
        if leads_nowhere || (distance == 0) != self.is_solved(state) {
            let state = *state;
            return Err(TablebaseError::Contradiction { state, distance });
        }
        Ok(())
    }

    /// The distance of a state and all moves that come closer, robot by robot.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`], and [`TablebaseError::Contradiction`] if there is no way of the
    /// length that the table says.
    pub fn best_moves(&self, state: &State) -> Result<(Option<u32>, Vec<Move>), TablebaseError> {
        let mut look = self.reader();
        let (configuration, bit) = self.space().locate(state);
        let distance = look.distance(configuration, bit)?;
        let moves = match distance {
            Some(distance) => {
                let wanted = WalkGoal::BestMoves;
                let walk = self
                    .ways()
                    .walk(state, configuration, distance, &mut look, wanted);
                let moves = walk?.0;
                self.check_walk(state, distance, distance > 0 && moves.is_empty())?;
                moves
            }
            None => Vec::new(),
        };
        Ok((distance, moves))
    }

    /// The number of different shortest solutions (sequences of moves); 1 if the state is solved
    /// already, 0 if it cannot be.
    ///
    /// # Errors
    /// As for [`Tablebase::distance`], and [`TablebaseError::Contradiction`] if there is no way of the
    /// length that the table says.
    pub fn count_solutions(&self, state: &State) -> Result<u128, TablebaseError> {
        Ok(self.probe(state)?.solutions)
    }
}
