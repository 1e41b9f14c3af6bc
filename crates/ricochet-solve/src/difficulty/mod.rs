//! How hard a puzzle is for a person, from things that can be counted.
//!
//! A [`Profile`] looks at *all* shortest solutions of a puzzle and at the ways that lose one move:
//!
//! - `length`: moves of a shortest solution;
//! - `solutions`: how many sequences of moves are that short;
//! - `robots`: the fewest robots that have to move in one of them;
//! - `helper_moves`: the fewest moves that robots other than the arriving one have to make;
//! - `bits`: the difficulty proper.
//!
//! **The bits of a puzzle.** Let somebody who knows nothing move at random, every possible move
//! being equally likely, and let p be the chance that the goal is reached with at most one move more
//! than necessary. That takes -log2(p) bits of insight, and we add one for each helper move that no
//! shortest solution can do without, since a helper's move has to be thought of before it is seen to
//! be of use. Length, helpers, the number of solutions and the branching of near-optimal ways all
//! enter; nothing in it is a guess, and it does not depend on the solver.
//!
//! The grades of [`Difficulty`] cut the bits at 12, 20 and 30: of the 500 random official positions
//! of the corpus 90 are easy, 209 medium, 175 hard and 26 for experts.

mod goal_distances;

use std::fmt;

use ricochet_core::{MAX_ROBOTS, Puzzle, Robot};
use rustc_hash::FxHashMap;

use self::goal_distances::GoalDistances;
use crate::state_space::SearchState;
use crate::{Limit, LimitReached, Limits};

/// What all shortest solutions of a puzzle have to say about it.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::Limits;
/// use ricochet_solve::difficulty::{Difficulty, Profile};
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(7, 7) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// let profile = Profile::of(&puzzle, 2, &Limits::default()).unwrap().unwrap();
/// assert_eq!((profile.length, profile.solutions), (2, 2), "RE RS and RS RE");
/// assert_eq!((profile.robots, profile.helper_moves), (1, 0));
/// assert_eq!(profile.difficulty(), Difficulty::Easy);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Moves of a shortest solution.
    pub length: u32,
    /// Number of shortest solutions, as sequences of moves; `u64::MAX` if there are more.
    pub solutions: u64,
    /// The fewest robots that move in one of them.
    pub robots: u32,
    /// The fewest moves in one of them of robots other than the one that arrives.
    pub helper_moves: u32,
    /// The difficulty, see the module's documentation.
    pub bits: f64,
}

/// A grade that [`Profile::bits`] falls into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difficulty {
    /// Under 12 bits.
    Easy,
    /// 12 to under 20 bits.
    Medium,
    /// 20 to under 30 bits.
    Hard,
    /// 30 bits and more.
    Expert,
}

impl Difficulty {
    /// All grades, the easiest first.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Expert];

    /// The grade of a number of bits.
    pub fn of_bits(bits: f64) -> Self {
        match bits {
            _ if bits < 12.0 => Self::Easy,
            _ if bits < 20.0 => Self::Medium,
            _ if bits < 30.0 => Self::Hard,
            _ => Self::Expert,
        }
    }

    /// Lower case English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Expert => "expert",
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Profile {
    /// Looks at every shortest solution. `length` is the optimum, which an optimal solver found.
    /// `None` if no solution has exactly that many moves as the shortest.
    ///
    /// The time grows with the length as that of iterative deepening does: milliseconds up to ten
    /// moves, seconds from about fourteen on.
    ///
    /// # Errors
    /// The limit that was reached. Its lower bound is the length that was given. Where the length
    /// was found within the same limits, a [`Budget`](crate::Budget) says what is left of them.
    pub fn of(puzzle: &Puzzle, length: u32, limits: &Limits) -> Result<Option<Self>, LimitReached> {
        Self::survey(puzzle, length, limits).map_err(|limit| LimitReached {
            limit,
            lower_bound: length,
        })
    }

    fn survey(puzzle: &Puzzle, length: u32, limits: &Limits) -> Result<Option<Self>, Limit> {
        let mut ways = GoalDistances::new(puzzle, limits);
        let start = ways.start();
        if !ways.is_distance(start, length)? {
            return Ok(None);
        }
        let mut survey = ProfileSearch {
            ways,
            summaries: FxHashMap::default(),
            chances: FxHashMap::default(),
        };
        let summary = survey.summary(start, length)?;
        let helper_moves = summary.helper_moves.into_iter().min().unwrap_or(0);
        let chance = survey.chance(start, length + 1)?;
        Ok(Some(Self {
            length,
            solutions: summary.solutions,
            robots: summary.fewest_robots(),
            helper_moves,
            bits: f64::from(helper_moves) - chance.log2(),
        }))
    }

    /// The grade.
    pub fn difficulty(&self) -> Difficulty {
        Difficulty::of_bits(self.bits)
    }
}

/// What the shortest solutions from one position have in common.
#[derive(Clone, Copy)]
struct Summary {
    solutions: u64,
    /// Bit m of this set of masks: some shortest solution moves exactly the robots of mask m.
    movers: [u64; 4],
    /// For each robot that may arrive in the end: the fewest helper moves; else [`NEVER`].
    helper_moves: [u32; MAX_ROBOTS],
}

/// No solution in which that robot arrives.
const NEVER: u32 = u32::MAX;

impl Summary {
    const NONE: Self = Self {
        solutions: 0,
        movers: [0; 4],
        helper_moves: [NEVER; MAX_ROBOTS],
    };

    /// Adds the solutions that begin with a move of `robot` to a position with summary `rest`.
    fn add(&mut self, robot: Robot, rest: &Self) {
        self.solutions = self.solutions.saturating_add(rest.solutions);
        for mask in (0..256).filter(|mask| rest.movers[mask / 64] >> (mask % 64) & 1 == 1) {
            let with = mask | 1 << robot.index();
            self.movers[with / 64] |= 1 << (with % 64);
        }
        for arriving in 0..MAX_ROBOTS {
            if rest.helper_moves[arriving] != NEVER {
                let helps = u32::from(arriving != robot.index());
                let moves = rest.helper_moves[arriving] + helps;
                self.helper_moves[arriving] = self.helper_moves[arriving].min(moves);
            }
        }
    }

    fn fewest_robots(&self) -> u32 {
        let masks =
            (0..256u32).filter(|&mask| self.movers[mask as usize / 64] >> (mask % 64) & 1 == 1);
        masks.map(u32::count_ones).min().unwrap_or(0)
    }
}

/// The shortest solutions of one puzzle, summed up.
struct ProfileSearch<'p> {
    ways: GoalDistances<'p>,
    /// Positions on shortest solutions.
    summaries: FxHashMap<u128, Summary>,
    /// Positions, with the number of moves that are left in the low bits.
    chances: FxHashMap<u128, f64>,
}

impl ProfileSearch<'_> {
    /// What the shortest solutions from a position have in common; `distance` is its distance.
    fn summary(&mut self, search_state: SearchState, distance: u32) -> Result<Summary, Limit> {
        if self.ways.is_over(search_state) {
            let mut summary = Summary::NONE;
            summary.solutions = 1;
            summary.movers[0] = 1;
            for (robot, cell) in search_state.state.iter() {
                let may_arrive = self
                    .ways
                    .puzzle()
                    .goal()
                    .robot
                    .is_none_or(|active| active == robot);
                if cell == self.ways.puzzle().goal().cell && may_arrive {
                    summary.helper_moves[robot.index()] = 0;
                }
            }
            return Ok(summary);
        }
        let key = self.ways.key(search_state, false);
        if let Some(summary) = self.summaries.get(&key) {
            return Ok(*summary);
        }
        self.ways.tick()?;
        let mut summary = Summary::NONE;
        for (step, next) in self.ways.moves(search_state) {
            if self.ways.within(next, distance - 1)? {
                let rest = self.summary(next, distance - 1)?;
                summary.add(step.robot, &rest);
            }
        }
        self.ways.meter().reserve_in_map(&mut self.summaries)?;
        self.summaries.insert(key, summary);
        Ok(summary)
    }

    /// The chance that random moves, at most `moves` of them, reach the goal.
    fn chance(&mut self, search_state: SearchState, moves: u32) -> Result<f64, Limit> {
        if self.ways.is_over(search_state) {
            return Ok(1.0);
        }
        if !self.ways.within(search_state, moves)? {
            return Ok(0.0);
        }
        let key = self.ways.key(search_state, true) << 16 | u128::from(moves);
        if let Some(&chance) = self.chances.get(&key) {
            return Ok(chance);
        }
        self.ways.tick()?;
        let (mut sum, mut count) = (0.0, 0u32);
        for (_, next) in self.ways.moves(search_state) {
            sum += self.chance(next, moves - 1)?;
            count += 1;
        }
        let chance = sum / f64::from(count);
        self.ways.meter().reserve_in_map(&mut self.chances)?;
        self.chances.insert(key, chance);
        Ok(chance)
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{RandomBoard, Recipe};
    use ricochet_core::{Direction, Goal, Move, Rules, Solution};

    use super::*;
    use crate::state_space::Game;
    use crate::{NullObserver, Outcome, Solver};

    /// All shortest solutions by trying every sequence of moves.
    fn all_solutions(puzzle: &Puzzle, length: usize) -> Vec<Solution> {
        let mut sequences = vec![Vec::new()];
        for _ in 0..length {
            let longer = sequences.iter().flat_map(|sequence: &Vec<Move>| {
                let robots = puzzle.start().robots();
                let all = robots
                    .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }));
                all.map(|step| {
                    let mut longer = sequence.clone();
                    longer.push(step);
                    longer
                })
                .collect::<Vec<_>>()
            });
            sequences = longer
                .filter(|moves| ricochet_core::Trace::play(puzzle, moves).is_ok())
                .collect();
        }
        let solutions = sequences.into_iter().map(Solution::new);
        solutions
            .filter(|solution| solution.replay(puzzle).is_ok())
            .collect()
    }

    /// The chance of random moves, by trying them all.
    fn random_chance(game: &Game, search_state: SearchState, moves: u32) -> f64 {
        if game.is_over(search_state) {
            return 1.0;
        }
        if moves == 0 {
            return 0.0;
        }
        let robots = search_state.state.robots();
        let next: Vec<SearchState> = robots
            .flat_map(|robot| Direction::ALL.map(|way| game.step(search_state, robot, way)))
            .flatten()
            .collect();
        let chances = next
            .iter()
            .map(|&next| random_chance(game, next, moves - 1));
        chances.sum::<f64>() / next.len() as f64
    }

    fn optimum(puzzle: &Puzzle) -> Option<u32> {
        let mut solver = crate::published::naive::Naive;
        match solver
            .solve(puzzle, &Limits::default(), &mut NullObserver)
            .0
        {
            Outcome::Solved { solution, .. } => Some(solution.len() as u32),
            _ => None,
        }
    }

    #[test]
    fn counts_agree_with_trying_every_sequence() {
        let mut compared = 0;
        for number in 0..60 {
            let board = RandomBoard {
                diagonals: Some(number as usize % 3),
                ..RandomBoard::new(6, 5)
            };
            let mut recipe = Recipe::random(board);
            recipe.robots = 2 + number as usize % 2;
            recipe.rules = Rules {
                must_ricochet: number % 4 == 1,
            };
            let Ok(mut puzzle) = recipe.puzzle(7, number) else {
                continue;
            };
            if number % 5 == 0 {
                let goal = Goal {
                    robot: None,
                    ..puzzle.goal()
                };
                puzzle = puzzle.with_position(puzzle.start().cells(), goal).unwrap();
            }
            let Some(length) = optimum(&puzzle).filter(|length| (1..=4).contains(length)) else {
                continue;
            };
            let all = all_solutions(&puzzle, length as usize);
            let profile = Profile::of(&puzzle, length, &Limits::default())
                .unwrap()
                .unwrap();
            let robots = all.iter().map(|solution| {
                let mut robots: Vec<Robot> = solution.moves().iter().map(|m| m.robot).collect();
                robots.sort_unstable();
                robots.dedup();
                robots.len() as u32
            });
            let helpers = all.iter().map(|solution| {
                // The robot of the last move arrives: otherwise a shorter solution would do.
                let last = solution.moves().last().unwrap().robot;
                solution.moves().iter().filter(|m| m.robot != last).count() as u32
            });
            assert_eq!(profile.solutions, all.len() as u64, "{puzzle:?}");
            assert_eq!(Some(profile.robots), robots.min());
            assert_eq!(Some(profile.helper_moves), helpers.min());
            let chance = random_chance(&Game::new(&puzzle), Game::new(&puzzle).start(), length + 1);
            let bits = f64::from(profile.helper_moves) - chance.log2();
            assert!((profile.bits - bits).abs() < 1e-9);
            compared += 1;
        }
        assert!(compared > 25, "only {compared} puzzles were compared");
    }

    #[test]
    fn grades_begin_at_their_bounds() {
        let grades = [0.0, 12.0, 20.0, 30.0, 99.0].map(|bits| Difficulty::of_bits(bits).name());
        assert_eq!(grades, ["easy", "medium", "hard", "expert", "expert"]);
    }

    #[test]
    fn a_wrong_length_is_no_profile() {
        let puzzle = Recipe::random(RandomBoard::new(8, 8)).puzzle(1, 3).unwrap();
        let length = optimum(&puzzle).unwrap();
        let of = |length| Profile::of(&puzzle, length, &Limits::default()).unwrap();
        assert!(of(length).is_some());
        assert!(of(length + 1).is_none());
        assert!(of(length - 1).is_none());
    }

    #[test]
    fn limits_are_kept() {
        let puzzle = Recipe::random(RandomBoard::new(8, 8)).puzzle(1, 3).unwrap();
        let length = optimum(&puzzle).unwrap();
        let limits = Limits {
            nodes: Some(1),
            ..Limits::default()
        };
        let stopped = Profile::of(&puzzle, length, &limits).unwrap_err();
        assert_eq!((stopped.limit, stopped.lower_bound), (Limit::Nodes, length));
    }

    #[test]
    fn the_memory_limit_counts_what_the_maps_hold() {
        let puzzle = Recipe::random(RandomBoard::new(8, 8)).puzzle(1, 3).unwrap();
        let length = optimum(&puzzle).unwrap();
        let mut survey = ProfileSearch {
            ways: GoalDistances::new(&puzzle, &Limits::default()),
            summaries: FxHashMap::default(),
            chances: FxHashMap::default(),
        };
        let start = survey.ways.start();
        survey.summary(start, length).unwrap();
        survey.chance(start, length + 1).unwrap();
        // What is counted is at least the entries and the bytes beside them of the buckets.
        let held = survey.summaries.capacity() * (size_of::<(u128, Summary)>() + 1)
            + survey.chances.capacity() * (size_of::<(u128, f64)>() + 1);
        let counted = survey.ways.meter().peak();
        assert!(counted >= held as u64, "{counted} of {held}");
        let limits = Limits {
            memory: Some(counted / 2),
            ..Limits::default()
        };
        let stopped = Profile::of(&puzzle, length, &limits).unwrap_err();
        assert_eq!(stopped.limit, Limit::Memory);
    }
}
