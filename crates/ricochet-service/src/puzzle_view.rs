//! [`PuzzleView`]: everything needed to draw and play a position, and [`SetupInput`]: a position being
//! edited.

use std::borrow::Cow;

use ricochet_core::describe::printed_target;
use ricochet_core::quadrants::Layout;
use ricochet_core::{
    Board, Diagonal, Lean, Problem, Puzzle, Robot, Rules, Setup, Shape, Target, notation,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::error::ProblemInfo;
use crate::json::{ColorName, Coordinates, RobotLetter, coordinates, quote, to_cell};

/// A diagonal as `[x, y, "/" or "\\", colour]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiagonalView(pub u8, pub u8, pub LeanView, pub ColorName);

/// Which way a diagonal leans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LeanView {
    /// `/`
    #[serde(rename = "/")]
    Slash,
    /// `\`
    #[serde(rename = "\\")]
    Backslash,
}

/// The shape of a printed target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeName(pub Shape);

impl Serialize for ShapeName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for ShapeName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Shape::from_name(&name).map(Self).ok_or_else(|| {
            serde::de::Error::custom(format_args!(
                "{} is not a shape: expected {}",
                quote(&name),
                Shape::ALL.map(Shape::name).join(", ")
            ))
        })
    }
}

impl JsonSchema for ShapeName {
    fn schema_name() -> Cow<'static, str> {
        "Shape".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Shape::ALL.map(Shape::name) })
    }
}

/// A printed target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TargetView {
    /// Its cell.
    pub cell: Coordinates,
    /// The robot it is for; null for any.
    pub robot: Option<RobotLetter>,
    /// Its shape.
    pub shape: ShapeName,
}

impl From<Target> for TargetView {
    fn from(target: Target) -> Self {
        Self {
            cell: coordinates(target.cell),
            robot: target.robot.map(RobotLetter),
            shape: ShapeName(target.shape),
        }
    }
}

/// The goal: which robot must reach which cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalView {
    /// The robot; null if any robot may reach the cell.
    pub robot: Option<RobotLetter>,
    /// The cell to reach.
    pub cell: Coordinates,
}

/// Variants of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RulesView {
    /// The robot that reaches the goal must have turned by 90 degrees at least once.
    pub must_ricochet: bool,
}

/// Everything needed to draw and play a position. An invalid position has `problems` and no `line`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleView {
    /// The position in one-line notation, which can be used in URLs; null if it is not valid.
    pub line: Option<String>,
    /// Its name.
    pub id: Option<String>,
    /// The optimal number of moves, if the puzzle states it.
    pub optimal: Option<u32>,
    /// The official layout with these walls, such as `1A4B3B2B`; null if there is none.
    pub layout: Option<String>,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The walls of each cell, row by row: N=1, E=2, S=4, W=8.
    pub walls: Vec<u8>,
    /// Diagonals.
    pub diagonals: Vec<DiagonalView>,
    /// Printed targets.
    pub targets: Vec<TargetView>,
    /// Cells of the robots, in the order R G B Y W O P C.
    pub robots: Vec<Coordinates>,
    /// The goal.
    pub goal: GoalView,
    /// The printed target on the goal's cell, which gives the goal a name. It is known for official
    /// layouts even if `targets` is empty.
    pub printed: Option<TargetView>,
    /// Variants of the rules.
    pub rules: RulesView,
    /// Everything that is wrong with the position.
    pub problems: Vec<ProblemInfo>,
}

impl PuzzleView {
    /// The view of a position, valid or not.
    pub fn of(setup: &Setup) -> Self {
        let problems = setup.problems();
        let valid = problems.is_empty().then(|| setup.clone().validate().ok());
        Self::of_parts(setup, valid.flatten().as_ref(), &problems)
    }

    /// The view of a puzzle.
    pub fn of_puzzle(puzzle: &Puzzle) -> Self {
        Self::of_parts(&puzzle.to_setup(), Some(puzzle), &[])
    }

    fn of_parts(setup: &Setup, puzzle: Option<&Puzzle>, problems: &[Problem]) -> Self {
        let board = puzzle.map(|puzzle| puzzle.board().as_ref());
        Self {
            line: puzzle.map(notation::to_line),
            id: setup.id.clone(),
            optimal: setup.optimal,
            layout: board.and_then(layout_of),
            width: setup.width,
            height: setup.height,
            walls: setup.walls.clone(),
            diagonals: diagonals(&setup.diagonals),
            targets: targets(&setup.targets),
            robots: setup.robots.iter().copied().map(coordinates).collect(),
            goal: GoalView {
                robot: setup.active.and_then(Robot::new).map(RobotLetter),
                cell: coordinates(setup.target),
            },
            printed: board
                .and_then(|board| printed_target(board, setup.target))
                .map(TargetView::from),
            rules: RulesView {
                must_ricochet: setup.rules.must_ricochet,
            },
            problems: problems.iter().map(ProblemInfo::from).collect(),
        }
    }
}

pub(crate) fn diagonals(list: &[Diagonal]) -> Vec<DiagonalView> {
    list.iter()
        .map(|it| {
            let lean = match it.lean {
                Lean::Slash => LeanView::Slash,
                Lean::Backslash => LeanView::Backslash,
            };
            DiagonalView(it.cell.x, it.cell.y, lean, ColorName(it.color))
        })
        .collect()
}

pub(crate) fn targets(list: &[Target]) -> Vec<TargetView> {
    list.iter().copied().map(TargetView::from).collect()
}

fn layout_of(board: &Board) -> Option<String> {
    let layout = Layout::from_walls(board)?;
    Some(layout.to_string().replace(' ', ""))
}

/// A position being edited: the fields of a [`PuzzleView`], some of which can be left out. The other
/// keys of a view are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetupInput {
    /// Its name.
    #[serde(default)]
    pub id: Option<String>,
    /// The optimal number of moves, if known.
    #[serde(default)]
    pub optimal: Option<u32>,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The walls of each cell, row by row: N=1, E=2, S=4, W=8. Default: only the rim.
    #[serde(default)]
    pub walls: Vec<u8>,
    /// Diagonals.
    #[serde(default)]
    pub diagonals: Vec<DiagonalView>,
    /// Printed targets.
    #[serde(default)]
    pub targets: Vec<TargetView>,
    /// Cells of the robots, in the order R G B Y W O P C.
    pub robots: Vec<Coordinates>,
    /// The goal.
    pub goal: GoalView,
    /// Variants of the rules.
    #[serde(default)]
    pub rules: RulesView,
}

impl SetupInput {
    /// The position, valid or not.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.width, self.height);
        if !self.walls.is_empty() {
            setup.walls.clone_from(&self.walls);
        }
        setup.id.clone_from(&self.id);
        setup.optimal = self.optimal;
        setup.diagonals = self.diagonals.iter().copied().map(Diagonal::from).collect();
        setup.targets = self.targets.iter().copied().map(Target::from).collect();
        setup.robots = self.robots.iter().copied().map(to_cell).collect();
        setup.active = self.goal.robot.map(|robot| robot.0.index());
        setup.target = to_cell(self.goal.cell);
        setup.rules = Rules {
            must_ricochet: self.rules.must_ricochet,
        };
        setup
    }
}

impl From<DiagonalView> for Diagonal {
    fn from(DiagonalView(x, y, lean, color): DiagonalView) -> Self {
        Self {
            cell: to_cell([x, y]),
            lean: match lean {
                LeanView::Slash => Lean::Slash,
                LeanView::Backslash => Lean::Backslash,
            },
            color: color.0,
        }
    }
}

impl From<TargetView> for Target {
    fn from(target: TargetView) -> Self {
        Self {
            cell: to_cell(target.cell),
            robot: target.robot.map(|robot| robot.0),
            shape: target.shape.0,
        }
    }
}
