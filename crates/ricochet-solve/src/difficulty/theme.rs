//! [`Theme`]: what happens in a solution, one predicate each.

use std::fmt;
use std::str::FromStr;

use ricochet_core::{Cell, Robot};

use super::line::{Line, LineMove, Stop};

/// Something that can happen in a solution, such as a helper that stops another robot.
///
/// Each theme is a predicate on one [`Line`]. What a puzzle's shortest solutions have in common is in
/// [`Themes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theme {
    /// Only the goal robot moves.
    Solo,
    /// A wall or the rim stops the goal robot on the target.
    WallAtTarget,
    /// Another robot stops the goal robot on the target.
    RobotAtTarget,
    /// A robot that has not moved yet stops another one.
    StandingBlocker,
    /// A helper moves, and later it stops another robot.
    PlacedBlocker,
    /// A helper stops another helper.
    HelperStopsHelper,
    /// The goal robot stops a helper.
    GoalRobotBlocks,
    /// A robot leaves its first cell, and later another robot slides over that cell or stops on it.
    ClearTheWay,
    /// A robot's next move is opposite to the one before.
    ThereAndBack,
    /// A robot returns to a cell that it has left.
    RoundTrip,
    /// The same wall inside the board stops two moves, from either side.
    WallTwice,
    /// Two or more helpers move.
    TwoHelpers,
    /// Three or more helpers move.
    ThreeHelpers,
    /// One robot stops others in two or more moves.
    BlockerTwice,
    /// A robot that has moved stops a second one, and later the second one stops another move.
    Chain,
    /// The goal robot slides over the target without stopping.
    OverTheTarget,
    /// The goal robot moves away from the target.
    AwayFromTarget,
    /// The first move does not bring the goal robot nearer to the target.
    QuietStart,
    /// A diagonal turns a robot.
    Diagonal,
}

impl Theme {
    /// All themes.
    pub const ALL: [Self; 19] = [
        Self::Solo,
        Self::WallAtTarget,
        Self::RobotAtTarget,
        Self::StandingBlocker,
        Self::PlacedBlocker,
        Self::HelperStopsHelper,
        Self::GoalRobotBlocks,
        Self::ClearTheWay,
        Self::ThereAndBack,
        Self::RoundTrip,
        Self::WallTwice,
        Self::TwoHelpers,
        Self::ThreeHelpers,
        Self::BlockerTwice,
        Self::Chain,
        Self::OverTheTarget,
        Self::AwayFromTarget,
        Self::QuietStart,
        Self::Diagonal,
    ];

    /// The name in data and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solo => "solo",
            Self::WallAtTarget => "wall-at-target",
            Self::RobotAtTarget => "robot-at-target",
            Self::StandingBlocker => "standing-blocker",
            Self::PlacedBlocker => "placed-blocker",
            Self::HelperStopsHelper => "helper-stops-helper",
            Self::GoalRobotBlocks => "goal-robot-blocks",
            Self::ClearTheWay => "clear-the-way",
            Self::ThereAndBack => "there-and-back",
            Self::RoundTrip => "round-trip",
            Self::WallTwice => "wall-twice",
            Self::TwoHelpers => "two-helpers",
            Self::ThreeHelpers => "three-helpers",
            Self::BlockerTwice => "blocker-twice",
            Self::Chain => "chain",
            Self::OverTheTarget => "over-the-target",
            Self::AwayFromTarget => "away-from-target",
            Self::QuietStart => "quiet-start",
            Self::Diagonal => "diagonal",
        }
    }

    /// What it means, in a sentence.
    pub const fn definition(self) -> &'static str {
        match self {
            Self::Solo => "Only the goal robot moves.",
            Self::WallAtTarget => "A wall or the rim stops the goal robot on the target.",
            Self::RobotAtTarget => "Another robot stops the goal robot on the target.",
            Self::StandingBlocker => "A robot that has not moved yet stops another one.",
            Self::PlacedBlocker => "A helper moves, and later it stops another robot.",
            Self::HelperStopsHelper => "A helper stops another helper.",
            Self::GoalRobotBlocks => "The goal robot stops a helper.",
            Self::ClearTheWay => {
                "A robot leaves its first cell, and later another robot slides over that cell or stops on it."
            }
            Self::ThereAndBack => "A robot's next move is opposite to the one before.",
            Self::RoundTrip => "A robot returns to a cell that it has left.",
            Self::WallTwice => "The same wall inside the board stops two moves, from either side.",
            Self::TwoHelpers => "Two or more helpers move.",
            Self::ThreeHelpers => "Three or more helpers move.",
            Self::BlockerTwice => "One robot stops others in two or more moves.",
            Self::Chain => {
                "A robot that has moved stops a second one, and later the second one stops another move."
            }
            Self::OverTheTarget => "The goal robot slides over the target without stopping.",
            Self::AwayFromTarget => {
                "The goal robot moves away from the target: if it could stop anywhere, it would need more moves after that move than before."
            }
            Self::QuietStart => {
                "The first move does not bring the goal robot nearer to the target, even if it could stop anywhere."
            }
            Self::Diagonal => "A diagonal turns a robot.",
        }
    }

    /// At least how many robots move if it happens.
    pub const fn least_movers(self) -> u32 {
        match self {
            Self::ThreeHelpers => 4,
            Self::TwoHelpers => 3,
            Self::PlacedBlocker
            | Self::HelperStopsHelper
            | Self::GoalRobotBlocks
            | Self::ClearTheWay
            | Self::Chain => 2,
            _ => 1,
        }
    }

    /// Whether it happens in a line.
    pub fn holds(self, line: &Line) -> bool {
        let moves = line.moves();
        match self {
            Self::Solo => !moves.is_empty() && line.helpers() == 0,
            Self::WallAtTarget => line.arrival().is_some_and(|it| stopping_robot(it).is_none()),
            Self::RobotAtTarget => line.arrival().is_some_and(|it| stopping_robot(it).is_some()),
            Self::StandingBlocker => {
                let stands = |it: &LineMove| matches!(it.stop, Stop::Robot { placed: None, .. });
                moves.iter().any(stands)
            }
            Self::PlacedBlocker => moves.iter().any(|it| {
                matches!(it.stop, Stop::Robot { robot, placed: Some(_) } if line.is_helper(robot))
            }),
            Self::HelperStopsHelper => moves.iter().any(|it| {
                line.is_helper(it.play.robot)
                    && stopping_robot(it).is_some_and(|robot| line.is_helper(robot))
            }),
            Self::GoalRobotBlocks => moves
                .iter()
                .any(|it| stopping_robot(it).is_some_and(|robot| !line.is_helper(robot))),
            Self::ClearTheWay => line.uses_vacated_cell(),
            Self::ThereAndBack => line.reversals() > 0,
            Self::RoundTrip => returns(line),
            Self::WallTwice => uses_a_wall_twice(moves),
            Self::TwoHelpers => line.helpers() >= 2,
            Self::ThreeHelpers => line.helpers() >= 3,
            Self::BlockerTwice => blocks_twice(moves),
            Self::Chain => line.dependency_depth() >= 2,
            Self::OverTheTarget => line.passes() > 0,
            Self::AwayFromTarget => line.moves_away() > 0,
            Self::QuietStart => moves.first().is_some_and(|it| it.nearer <= 0),
            Self::Diagonal => moves.iter().any(|it| it.turned),
        }
    }
}

fn stopping_robot(step: &LineMove) -> Option<Robot> {
    match step.stop {
        Stop::Robot { robot, .. } => Some(robot),
        Stop::Rim | Stop::Wall(..) => None,
    }
}

fn returns(line: &Line) -> bool {
    let moves = line.moves();
    moves.iter().enumerate().any(|(index, it)| {
        let mut before = moves[..=index].iter();
        before.any(|earlier| earlier.play.robot == it.play.robot && earlier.from == it.to)
    })
}

fn uses_a_wall_twice(moves: &[LineMove]) -> bool {
    let walls: Vec<(Cell, _)> = moves
        .iter()
        .filter_map(|it| match it.stop {
            Stop::Wall(cell, side) => Some((cell, side)),
            Stop::Rim | Stop::Robot { .. } => None,
        })
        .collect();
    (1..walls.len()).any(|index| walls[..index].contains(&walls[index]))
}

fn blocks_twice(moves: &[LineMove]) -> bool {
    let mut blocked = 0u32;
    moves.iter().filter_map(stopping_robot).any(|robot| {
        let bit = 1 << robot.index();
        let again = blocked & bit != 0;
        blocked |= bit;
        again
    })
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Not the name of a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTheme(pub String);

impl fmt::Display for UnknownTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Theme::ALL.map(Theme::name).join(", ");
        write!(f, "'{}' is not a theme: expected one of {names}", self.0)
    }
}

impl std::error::Error for UnknownTheme {}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(name: &str) -> Result<Self, UnknownTheme> {
        let found = Self::ALL.into_iter().find(|theme| theme.name() == name);
        found.ok_or_else(|| UnknownTheme(name.to_owned()))
    }
}

/// In how many of a puzzle's shortest solutions each theme happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Themes {
    solutions: u64,
    counts: [u64; Theme::ALL.len()],
}

impl Themes {
    pub(super) fn add(&mut self, line: &Line) {
        self.solutions += 1;
        for (theme, count) in Theme::ALL.into_iter().zip(&mut self.counts) {
            *count += u64::from(theme.holds(line));
        }
    }

    /// How many shortest solutions there are.
    pub fn solutions(&self) -> u64 {
        self.solutions
    }

    /// In how many of them the theme happens.
    pub fn count(&self, theme: Theme) -> u64 {
        self.counts[theme as usize]
    }

    /// Whether it happens in all of them: then the puzzle has the theme.
    pub fn has(&self, theme: Theme) -> bool {
        self.solutions > 0 && self.count(theme) == self.solutions
    }

    /// The themes of all shortest solutions.
    pub fn all(&self) -> impl Iterator<Item = Theme> + '_ {
        Theme::ALL.into_iter().filter(|&theme| self.has(theme))
    }

    /// The themes of some shortest solutions, but not of all, with their number.
    pub fn some(&self) -> impl Iterator<Item = (Theme, u64)> + '_ {
        let counted = Theme::ALL.into_iter().map(|it| (it, self.count(it)));
        counted.filter(|&(theme, count)| count > 0 && !self.has(theme))
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::{
        Board, BoardBuilder, Cell, Direction, Goal, Lean, Puzzle, Solution, Trace,
    };

    use super::*;

    /// The themes of moves on a board of 8 by 8 with robots and the goal robot's target.
    fn themes_on(
        board: BoardBuilder,
        robots: &[(u8, u8)],
        target: (u8, u8),
        moves: &str,
    ) -> String {
        let cells: Vec<Cell> = robots.iter().map(|&(x, y)| Cell::new(x, y)).collect();
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: Cell::new(target.0, target.1),
        };
        let puzzle = Puzzle::new(board.build().unwrap(), &cells, goal).unwrap();
        let moves: Solution = moves.parse().unwrap();
        let line = Line::new(&puzzle, &Trace::play(&puzzle, moves.moves()).unwrap());
        let holding = Theme::ALL.into_iter().filter(|theme| theme.holds(&line));
        holding.map(Theme::name).collect::<Vec<_>>().join(" ")
    }

    fn themes(robots: &[(u8, u8)], target: (u8, u8), moves: &str) -> String {
        themes_on(Board::builder(8, 8), robots, target, moves)
    }

    /// Each line lists all its themes, so it is a negative example for all others.
    #[test]
    fn themes_of_lines_checked_by_hand() {
        let far = [(0, 0), (3, 3)];
        let side = [(0, 0), (7, 3)];
        let three = [(0, 0), (7, 3), (0, 3)];
        // East along the rim, south into the corner.
        assert_eq!(themes(&far, (7, 7), "RE RS"), "solo wall-at-target");
        // Green has been on the rim all the time, and red stops on it.
        let stands = "solo robot-at-target standing-blocker";
        assert_eq!(themes(&side, (7, 2), "RE RS"), stands);
        // Green goes there in between.
        let placed = "robot-at-target placed-blocker";
        assert_eq!(themes(&far, (7, 2), "RE GE RS"), placed);
        assert_eq!(themes(&side, (6, 7), "RS GS RE"), placed);
        // Green stops red in the north, the rim stops it on the target.
        let quiet = "wall-at-target placed-blocker quiet-start";
        assert_eq!(themes(&side, (6, 7), "GN RE RS"), quiet);
        // Green stops blue.
        let helpers = "standing-blocker helper-stops-helper quiet-start";
        assert_eq!(themes(&three, (7, 7), "BE"), helpers);
        // Red stops blue.
        let by_red = "standing-blocker goal-robot-blocks quiet-start";
        assert_eq!(themes(&three, (7, 7), "BN"), by_red);
        // Blue leaves column 0, and red goes down there.
        let cleared =
            "wall-at-target standing-blocker helper-stops-helper clear-the-way quiet-start";
        assert_eq!(themes(&three, (0, 7), "BE RS"), cleared);
        // Green leaves its cell, but red does not go there.
        let elsewhere = "away-from-target quiet-start";
        assert_eq!(themes(&far, (0, 7), "GS RE"), elsewhere);
        let back = "solo there-and-back round-trip away-from-target quiet-start";
        assert_eq!(themes(&far, (0, 4), "RE RW"), back);
        // It returns, but not by the opposite move.
        let round = "solo round-trip over-the-target away-from-target quiet-start";
        assert_eq!(themes(&far, (0, 4), "RE RS RW RN"), round);
        // The moves back need not follow each other; green comes to another cell.
        let apart = "there-and-back quiet-start";
        assert_eq!(themes(&far, (3, 4), "GE GW RE"), apart);
        let over = "solo over-the-target quiet-start";
        assert_eq!(themes(&far, (0, 4), "RS"), over);
    }

    #[test]
    fn themes_of_several_helpers() {
        let three = [(0, 0), (7, 3), (3, 3)];
        // Green goes to the corner, blue stops next to it, red next to blue.
        let chain =
            "robot-at-target placed-blocker helper-stops-helper two-helpers chain quiet-start";
        assert_eq!(themes(&three, (5, 7), "GS BS BE RS RE"), chain);
        let four = [(0, 0), (7, 3), (3, 4), (3, 3)];
        assert_eq!(
            themes(&four, (7, 7), "GN BS YW"),
            "two-helpers three-helpers quiet-start"
        );
        let twice = "solo robot-at-target standing-blocker there-and-back round-trip blocker-twice away-from-target";
        assert_eq!(themes(&[(0, 0), (7, 3)], (7, 2), "RE RS RN RS"), twice);
    }

    #[test]
    fn a_wall_inside_the_board_stops_two_moves() {
        let wall = || Board::builder(8, 8).wall(Cell::new(4, 0), Direction::East);
        let holds =
            |moves| themes_on(wall(), &[(0, 0), (7, 0)], (0, 7), moves).contains("wall-twice");
        assert!(holds("RE RW RE"), "twice from one side");
        assert!(holds("RE GW"), "from both sides");
        assert!(!holds("RE RW"), "the rim stops the second move");
        assert!(!holds("RE RS"));
        // The rim is no wall inside the board.
        assert!(!themes(&[(0, 0), (7, 0)], (0, 7), "RS RN RS").contains("wall-twice"));
    }

    #[test]
    fn a_diagonal_turns_robots_of_other_colors() {
        let board = |color| Board::builder(8, 8).diagonal(Cell::new(4, 0), Lean::Backslash, color);
        let of = |color| themes_on(board(color), &[(0, 0)], (4, 7), "RE");
        assert_eq!(of(Robot::GREEN), "solo wall-at-target diagonal");
        assert_eq!(of(Robot::RED), "solo quiet-start");
    }

    #[test]
    fn names_are_unique_and_can_be_read() {
        for (index, theme) in Theme::ALL.into_iter().enumerate() {
            assert_eq!(theme as usize, index);
            assert_eq!(theme.name().parse(), Ok(theme));
            assert!(theme.definition().ends_with('.'));
        }
        let error = "zugzwang".parse::<Theme>().unwrap_err().to_string();
        assert!(error.starts_with("'zugzwang' is not a theme: expected one of solo, "));
    }
}
