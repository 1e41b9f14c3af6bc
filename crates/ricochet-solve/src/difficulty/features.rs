//! [`Features`]: what can be counted about all shortest solutions of a puzzle.

use ricochet_core::{Direction, MAX_ROBOTS, Puzzle, Robot, Trace};

use super::Difficulty;
use super::line::Line;
use super::population::Choices;
use super::rating::Rating;
use super::theme::Themes;
use crate::all::dag::Dag;
use crate::all::{AllSolutions, Preference, all_of_length};
use crate::heuristics::bound::Bound;
use crate::state_space::{Game, SearchState, unpack_move};
use crate::{LimitReached, Limits};

/// Solutions are looked at one by one if there are at most this many.
pub const MAX_LINES: u64 = 1_000;

/// What can be counted about all shortest solutions of a puzzle.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::Limits;
/// use ricochet_solve::difficulty::{Features, Theme};
/// // Green has to stop red: in the south, before or after red's first move, or in the north.
/// let puzzle = notation::parse_line("8x8..0073.R67")?.validate()?;
/// let features = Features::of(&puzzle, 3, &Limits::default())?.ok_or("another length")?;
/// assert_eq!((features.solutions, features.robots, features.helper_moves), (3, 2, 1));
/// let lines = features.lines.ok_or("too many solutions")?;
/// assert_eq!((lines.groups, lines.dependency_depth), (2, 1));
/// assert!(lines.themes.has(Theme::PlacedBlocker));
/// assert_eq!(lines.themes.count(Theme::RobotAtTarget), 2, "the third goes east first");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// Moves of a shortest solution.
    pub length: u32,
    /// Number of shortest solutions, as sequences of moves; `u64::MAX` if there are more.
    pub solutions: u64,
    /// The fewest robots that move in one of them.
    pub robots: u32,
    /// The fewest moves in one of them of robots other than the one that arrives.
    pub helper_moves: u32,
    /// The fewest moves if robots could stop anywhere.
    pub free_moves: u32,
    /// Legal moves of the position.
    pub legal_moves: u32,
    /// Those of them that shortest solutions begin with.
    pub first_moves: u32,
    /// The fewest positions on a shortest solution from which only one move keeps it shortest.
    pub only_moves: u32,
    /// How hard the puzzle is for the simulated players.
    pub rating: Rating,
    /// What was found out by looking at each solution; `None` if there are more than [`MAX_LINES`].
    pub lines: Option<LineFeatures>,
}

/// What is found out by looking at each shortest solution. Counts are the least of any solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineFeatures {
    /// Groups of solutions that differ only in the order of independent moves.
    pub groups: u64,
    /// Moves that all solutions begin with, before they part.
    pub common_moves: u32,
    /// How deep the moves depend on each other: see [`Line::dependency_depth`].
    pub dependency_depth: u32,
    /// Moves that take the goal robot away from the target.
    pub moves_away: u32,
    /// Moves opposite to the same robot's move before.
    pub reversals: u32,
    /// Moves in which the goal robot slides over the target.
    pub passes: u32,
    /// Moves that another robot stops.
    pub robot_stops: u32,
    /// In how many solutions each theme happens.
    pub themes: Themes,
}

impl Features {
    /// Looks at all shortest solutions. `length` is the optimum, which an optimal solver found. `None`
    /// if the shortest solutions have another length.
    ///
    /// # Errors
    /// The limit that was reached. Its lower bound is the length that was given. If the length was
    /// found within the same limits, a [`Budget`](crate::Budget) says what is left of them.
    pub fn of(puzzle: &Puzzle, length: u32, limits: &Limits) -> Result<Option<Self>, LimitReached> {
        let Some(all) = all_of_length(puzzle, length, limits)? else {
            return Ok(None);
        };
        Self::of_solutions(puzzle, &all).map(Some)
    }

    /// The grade.
    pub fn difficulty(&self) -> Difficulty {
        Difficulty::of_rating(self.rating.value)
    }

    /// The features of a puzzle whose shortest solutions were found before.
    ///
    /// # Errors
    /// The limit that was reached while the solutions were looked at.
    pub fn of_solutions(puzzle: &Puzzle, all: &AllSolutions) -> Result<Self, LimitReached> {
        let bound = Bound::new(puzzle);
        let summary = Summary::of_all(puzzle, all.dag());
        let start = puzzle.start();
        let plays = start
            .robots()
            .flat_map(|robot| Direction::ALL.map(|way| (robot, way)));
        let legal = plays.filter(|&(robot, way)| puzzle.apply(start, robot, way).is_some());
        let legal_moves = legal.count() as u32;
        let solutions = u64::try_from(all.count()).unwrap_or(u64::MAX);
        let lines = if solutions <= MAX_LINES {
            Some(LineFeatures::of(puzzle, all, &bound)?)
        } else {
            None
        };
        Ok(Self {
            length: all.length(),
            solutions,
            robots: summary.fewest_robots(),
            helper_moves: summary.helper_moves.into_iter().min().unwrap_or(0),
            free_moves: bound.of_state(puzzle.start()).unwrap_or(0),
            legal_moves,
            first_moves: all.dag().edges(0).len() as u32,
            only_moves: summary.only_moves,
            rating: Rating::of(&Choices::of_solutions(puzzle, all, &bound)),
            lines,
        })
    }
}

impl LineFeatures {
    fn of(puzzle: &Puzzle, all: &AllSolutions, bound: &Bound) -> Result<Self, LimitReached> {
        let mut features: Option<Self> = None;
        let mut common: Option<Vec<_>> = None;
        let mut themes = Themes::default();
        for solution in all.solutions(Preference::Nothing)? {
            let solution = solution?;
            let trace = Trace::play(puzzle, solution.moves()).expect("it was replayed");
            let line = Line::with_bound(puzzle, &trace, bound);
            themes.add(&line);
            let of_line = Self {
                dependency_depth: line.dependency_depth(),
                moves_away: line.moves_away(),
                reversals: line.reversals(),
                passes: line.passes(),
                robot_stops: line.robot_stops(),
                ..Self::default()
            };
            features = Some(match features {
                None => of_line,
                Some(least) => least.least(&of_line),
            });
            let moves = solution.into_moves();
            match &mut common {
                None => common = Some(moves),
                Some(common) => {
                    let same = common.iter().zip(&moves).take_while(|(a, b)| a == b);
                    common.truncate(same.count());
                }
            }
        }
        let mut groups = 0;
        for group in all.groups(Preference::Nothing)? {
            group?;
            groups += 1;
        }
        Ok(Self {
            groups,
            common_moves: common.map_or(0, |moves| moves.len() as u32),
            themes,
            ..features.unwrap_or_default()
        })
    }

    fn least(self, other: &Self) -> Self {
        Self {
            dependency_depth: self.dependency_depth.min(other.dependency_depth),
            moves_away: self.moves_away.min(other.moves_away),
            reversals: self.reversals.min(other.reversals),
            passes: self.passes.min(other.passes),
            robot_stops: self.robot_stops.min(other.robot_stops),
            ..self
        }
    }
}

/// What the shortest solutions from one position have in common.
#[derive(Clone, Copy)]
struct Summary {
    /// Bit m of this set of masks: some shortest solution moves exactly the robots of mask m.
    movers: [u64; 4],
    /// For each robot that may arrive in the end: the fewest helper moves; else [`NEVER`].
    helper_moves: [u32; MAX_ROBOTS],
    /// The fewest positions with only one best move.
    only_moves: u32,
}

/// No solution in which that robot arrives.
const NEVER: u32 = u32::MAX;

impl Summary {
    /// From the goals backwards: children have higher numbers than their parents.
    fn of_all(puzzle: &Puzzle, dag: &Dag) -> Self {
        let mut summaries = vec![
            Self {
                movers: [0; 4],
                helper_moves: [NEVER; MAX_ROBOTS],
                only_moves: NEVER,
            };
            dag.nodes()
        ];
        let states = states(puzzle, dag);
        for node in (0..dag.nodes()).rev() {
            let edges = dag.edges(node);
            if edges.is_empty() {
                summaries[node] = Self::of_goal(puzzle, states[node]);
                continue;
            }
            let mut summary = summaries[node];
            for edge in edges.clone() {
                let robot = unpack_move(dag.packed_move(edge)).robot;
                summary.add(robot, &summaries[dag.child(edge)]);
            }
            summary.only_moves += u32::from(edges.len() == 1);
            summaries[node] = summary;
        }
        summaries[0]
    }

    fn of_goal(puzzle: &Puzzle, search_state: SearchState) -> Self {
        let mut summary = Self {
            movers: [1, 0, 0, 0],
            helper_moves: [NEVER; MAX_ROBOTS],
            only_moves: 0,
        };
        let goal = puzzle.goal();
        for (robot, cell) in search_state.state.iter() {
            if cell == goal.cell && goal.robot.is_none_or(|active| active == robot) {
                summary.helper_moves[robot.index()] = 0;
            }
        }
        summary
    }

    /// Adds the solutions that begin with a move of `robot` to a position with summary `rest`.
    fn add(&mut self, robot: Robot, rest: &Self) {
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
        self.only_moves = self.only_moves.min(rest.only_moves);
    }

    fn fewest_robots(&self) -> u32 {
        let masks =
            (0..256u32).filter(|&mask| self.movers[mask as usize / 64] >> (mask % 64) & 1 == 1);
        masks.map(u32::count_ones).min().unwrap_or(0)
    }
}

/// The states of the graph's nodes.
pub(super) fn states(puzzle: &Puzzle, dag: &Dag) -> Vec<SearchState> {
    let game = Game::new(puzzle);
    let mut states = vec![game.start(); dag.nodes()];
    for node in 0..dag.nodes() {
        for edge in dag.edges(node) {
            let play = unpack_move(dag.packed_move(edge));
            let next = game.step(states[node], play.robot, play.direction);
            states[dag.child(edge)] = next.expect("an edge is a legal move");
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{GoalRobot, RandomBoard, Recipe};
    use ricochet_core::quadrants::Edition;
    use ricochet_core::{Goal, Move, Rules, Solution, State, Symmetry};

    use super::super::theme::Theme;
    use super::*;
    use crate::flagship::Flagship;
    use crate::{Limit, NullObserver, Outcome, Solver};

    /// Puzzles of all kinds with their features.
    fn samples() -> Vec<(Puzzle, Features)> {
        let mut samples = Vec::new();
        for number in 0..120 {
            let mut recipe = if number % 3 == 0 {
                Recipe::official(Edition::Of1999)
            } else {
                Recipe::random(RandomBoard {
                    diagonals: Some(number as usize % 2 * 3),
                    ..RandomBoard::new(7 + number as usize % 3, 6)
                })
            };
            recipe.robots = 2 + number as usize % 4;
            recipe.rules = Rules {
                must_ricochet: number % 5 == 1,
            };
            if number % 7 == 0 {
                recipe.goal_robot = GoalRobot::AnyRobot;
            }
            let Ok(puzzle) = recipe.puzzle(11, number) else {
                continue;
            };
            let limits = Limits::default().within_moves(9);
            let solved = Flagship::new().solve(&puzzle, &limits, &mut NullObserver);
            if let (Outcome::Solved { solution, .. }, _) = solved {
                let features = Features::of(&puzzle, solution.len() as u32, &Limits::default());
                samples.push((puzzle, features.unwrap().unwrap()));
            }
        }
        assert!(samples.len() > 80, "only {} puzzles", samples.len());
        samples
    }

    fn features(puzzle: &Puzzle, like: &Features) -> Features {
        let features = Features::of(puzzle, like.length, &Limits::default());
        let mut features = features.unwrap().unwrap();
        // The order of additions differs.
        let rating = &mut features.rating;
        assert!(
            (rating.value - like.rating.value).abs() < 1e-3,
            "{rating:?}"
        );
        assert!(
            (rating.deviation - like.rating.deviation).abs() < 1e-3,
            "{rating:?}"
        );
        *rating = like.rating;
        features
    }

    #[test]
    fn features_and_themes_are_invariant_under_symmetry() {
        for (puzzle, expected) in samples() {
            for symmetry in Symmetry::ALL {
                let image = features(&puzzle.transformed(symmetry), &expected);
                assert_eq!(image, expected, "{puzzle:?} under {symmetry:?}");
            }
        }
    }

    #[test]
    fn features_and_themes_are_invariant_under_recolouring_of_helpers() {
        let mut compared = 0;
        for (puzzle, expected) in samples() {
            let goal = puzzle.goal();
            // Diagonals have colours.
            if !puzzle.board().diagonals().is_empty() {
                continue;
            }
            let helpers = puzzle.start().robots().filter(|&it| Some(it) != goal.robot);
            let helpers: Vec<Robot> = helpers.collect();
            if helpers.len() < 2 {
                continue;
            }
            let start = puzzle.start();
            let swapped: State = start
                .with(helpers[0], start[helpers[1]])
                .with(helpers[1], start[helpers[0]]);
            let image = puzzle.with_position(swapped.cells(), goal).unwrap();
            let image = image.with_rules(puzzle.rules());
            assert_eq!(features(&image, &expected), expected, "{puzzle:?}");
            // The goal robot's colour does not matter either.
            if let Some(robot) = goal.robot {
                let swapped = start
                    .with(helpers[0], start[robot])
                    .with(robot, start[helpers[0]]);
                let goal = Goal {
                    robot: Some(helpers[0]),
                    ..goal
                };
                let image = puzzle.with_position(swapped.cells(), goal).unwrap();
                let image = image.with_rules(puzzle.rules());
                assert_eq!(features(&image, &expected), expected, "{puzzle:?}");
            }
            compared += 1;
        }
        assert!(compared > 20, "only {compared} puzzles were compared");
    }

    #[test]
    fn themes_count_solutions() {
        for (puzzle, features) in samples() {
            let Some(lines) = &features.lines else {
                assert!(features.solutions > MAX_LINES);
                continue;
            };
            let themes = &lines.themes;
            assert_eq!(themes.solutions(), features.solutions);
            let [wall, robot] = [Theme::WallAtTarget, Theme::RobotAtTarget];
            let arrivals = themes.count(wall) + themes.count(robot);
            assert_eq!(
                arrivals, features.solutions,
                "every solution arrives: {puzzle:?}"
            );
            assert!(themes.count(Theme::ThreeHelpers) <= themes.count(Theme::TwoHelpers));
            assert!(lines.groups <= features.solutions);
            assert_eq!(features.helper_moves == 0, themes.count(Theme::Solo) > 0);
            let common = lines.common_moves == features.length;
            assert_eq!(common, features.solutions == 1, "{puzzle:?}");
        }
    }

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
                .filter(|moves| Trace::play(puzzle, moves).is_ok())
                .collect();
        }
        let solutions = sequences.into_iter().map(Solution::new);
        solutions
            .filter(|solution| solution.replay(puzzle).is_ok())
            .collect()
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
            let features = Features::of(&puzzle, length, &Limits::default())
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
            assert_eq!(features.solutions, all.len() as u64, "{puzzle:?}");
            assert_eq!(Some(features.robots), robots.min());
            assert_eq!(Some(features.helper_moves), helpers.min());
            compared += 1;
        }
        assert!(compared > 25, "only {compared} puzzles were compared");
    }

    #[test]
    fn a_wrong_length_has_no_features() {
        let puzzle = Recipe::random(RandomBoard::new(8, 8)).puzzle(1, 3).unwrap();
        let length = optimum(&puzzle).unwrap();
        let of = |length| Features::of(&puzzle, length, &Limits::default()).unwrap();
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
        let stopped = Features::of(&puzzle, length, &limits).unwrap_err();
        assert_eq!((stopped.limit, stopped.lower_bound), (Limit::Nodes, length));
    }
}
