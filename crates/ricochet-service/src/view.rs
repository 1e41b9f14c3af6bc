//! [`View`]: everything that is needed to draw a position and to play it, and [`Draft`], a position
//! that somebody is still building.

use std::borrow::Cow;

use ricochet_core::describe::printed_target;
use ricochet_core::quadrants::Layout;
use ricochet_core::{Board, Diagonal, Lean, Puzzle, Robot, Rules, Setup, Shape, Target, notation};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::error::Fault;
use crate::words::{ColorName, Place, RobotLetter, cell, place};

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
                "'{}' is not a shape: expected {}",
                name.chars().take(40).collect::<String>().escape_debug(),
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
    /// Where.
    pub cell: Place,
    /// For which robot; null for any.
    pub robot: Option<RobotLetter>,
    /// Its shape.
    pub shape: ShapeName,
}

impl From<Target> for TargetView {
    fn from(target: Target) -> Self {
        Self {
            cell: place(target.cell),
            robot: target.robot.map(RobotLetter),
            shape: ShapeName(target.shape),
        }
    }
}

/// Who has to arrive where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalView {
    /// Who has to arrive; null if any robot may.
    pub robot: Option<RobotLetter>,
    /// Where.
    pub cell: Place,
}

/// Variants of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RulesView {
    /// The robot that arrives must have turned at a right angle at least once.
    pub must_ricochet: bool,
}

/// Everything that is needed to draw a position and to play it. An invalid one has `problems` and no
/// `line`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The position in our one-line notation, which fits in a URL; null if it is not valid.
    pub line: Option<String>,
    /// Its name.
    pub id: Option<String>,
    /// The optimal number of moves, if the source of the puzzle states it.
    pub optimal: Option<u32>,
    /// The official layout that the walls are, such as `1A4B3B2B`.
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
    pub robots: Vec<Place>,
    /// Who has to arrive where.
    pub goal: GoalView,
    /// The target that is printed where the goal is, so that it can be named; also where the
    /// position does not carry its targets but its walls are those of printed sides.
    pub printed: Option<TargetView>,
    /// Variants of the rules.
    pub rules: RulesView,
    /// Everything that is wrong with it.
    pub problems: Vec<Fault>,
}

impl View {
    /// The view of a position, valid or not.
    pub fn of(setup: &Setup) -> Self {
        let problems = setup.problems();
        let valid = problems.is_empty().then(|| setup.clone().validate().ok());
        let puzzle = valid.flatten();
        let board = puzzle.as_ref().map(|puzzle| puzzle.board().as_ref());
        Self {
            line: puzzle.as_ref().map(notation::to_line),
            id: setup.id.clone(),
            optimal: setup.optimal,
            layout: board.and_then(layout_of),
            width: setup.width,
            height: setup.height,
            walls: setup.walls.clone(),
            diagonals: diagonals(&setup.diagonals),
            targets: targets(&setup.targets),
            robots: setup.robots.iter().copied().map(place).collect(),
            goal: GoalView {
                robot: setup.active.and_then(Robot::new).map(RobotLetter),
                cell: place(setup.target),
            },
            printed: board
                .and_then(|board| printed_target(board, setup.target))
                .map(TargetView::from),
            rules: RulesView {
                must_ricochet: setup.rules.must_ricochet,
            },
            problems: problems.iter().map(Fault::from).collect(),
        }
    }

    /// The view of a puzzle.
    pub fn of_puzzle(puzzle: &Puzzle) -> Self {
        Self::of(&puzzle.to_setup())
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

/// A position that somebody is building: the fields of a [`View`], of which those that can be left
/// out have their usual values. Keys that a view has and a draft has not are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draft {
    /// Its name.
    #[serde(default)]
    pub id: Option<String>,
    /// The optimal number of moves, if it is known.
    #[serde(default)]
    pub optimal: Option<u32>,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The walls of each cell, row by row: N=1, E=2, S=4, W=8. None: only the rim.
    #[serde(default)]
    pub walls: Vec<u8>,
    /// Diagonals.
    #[serde(default)]
    pub diagonals: Vec<DiagonalView>,
    /// Printed targets.
    #[serde(default)]
    pub targets: Vec<TargetView>,
    /// Cells of the robots, in the order R G B Y W O P C.
    pub robots: Vec<Place>,
    /// Who has to arrive where.
    pub goal: GoalView,
    /// Variants of the rules.
    #[serde(default)]
    pub rules: RulesView,
}

impl Draft {
    /// The position as it is, right or wrong.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.width, self.height);
        if !self.walls.is_empty() {
            setup.walls.clone_from(&self.walls);
        }
        setup.id.clone_from(&self.id);
        setup.optimal = self.optimal;
        setup.diagonals = self.diagonals.iter().copied().map(Diagonal::from).collect();
        setup.targets = self.targets.iter().copied().map(Target::from).collect();
        setup.robots = self.robots.iter().copied().map(cell).collect();
        setup.active = self.goal.robot.map(|robot| robot.0.index());
        setup.target = cell(self.goal.cell);
        setup.rules = Rules {
            must_ricochet: self.rules.must_ricochet,
        };
        setup
    }
}

impl From<DiagonalView> for Diagonal {
    fn from(DiagonalView(x, y, lean, color): DiagonalView) -> Self {
        Self {
            cell: cell([x, y]),
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
            cell: cell(target.cell),
            robot: target.robot.map(|robot| robot.0),
            shape: target.shape.0,
        }
    }
}
