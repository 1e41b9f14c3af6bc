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
///
/// ```
/// use ricochet_service::{DiagonalView, words::ColorName};
/// let diagonal: DiagonalView = serde_json::from_str(r#"[3,4,"/","red"]"#).unwrap();
/// assert_eq!(diagonal.3, ColorName(ricochet_core::Robot::RED));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiagonalView(pub u8, pub u8, pub LeanView, pub ColorName);

/// Which way a diagonal leans.
///
/// ```
/// use ricochet_service::LeanView;
/// assert_eq!(serde_json::to_string(&LeanView::Slash).unwrap(), "\"/\"");
/// ```
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
///
/// ```
/// use ricochet_core::Shape;
/// use ricochet_service::ShapeName;
/// assert_eq!(serde_json::to_string(&ShapeName(Shape::Vortex)).unwrap(), "\"vortex\"");
/// ```
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
///
/// ```
/// use ricochet_service::TargetView;
/// let target: TargetView =
///     serde_json::from_str(r#"{"cell":[3,4],"robot":null,"shape":"vortex"}"#).unwrap();
/// assert_eq!(target.robot, None);
/// ```
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
///
/// ```
/// use ricochet_service::GoalView;
/// let goal: GoalView = serde_json::from_str(r#"{"robot":"R","cell":[3,4]}"#).unwrap();
/// assert_eq!(goal.cell, [3, 4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalView {
    /// Who has to arrive; null if any robot may.
    pub robot: Option<RobotLetter>,
    /// Where.
    pub cell: Place,
}

/// Variants of the rules.
///
/// ```
/// let rules: ricochet_service::RulesView = serde_json::from_str("{}").unwrap();
/// assert!(!rules.must_ricochet);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RulesView {
    /// The robot that arrives must have turned at a right angle at least once.
    pub must_ricochet: bool,
}

/// Everything that is needed to draw a position and to play it. An invalid one has `problems` and no
/// `line`.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_service::View;
/// let setup = notation::parse_line("1A4B3B2B.1fc1f0c0.B9c").unwrap();
/// let view = View::of(&setup);
/// assert_eq!(view.layout.as_deref(), Some("1A4B3B2B"));
/// assert_eq!(view.line.as_deref(), Some("1A4B3B2B.1fc1f0c0.B9c"));
/// assert_eq!(view.printed, None, "no target is printed at (9,12)");
/// assert!(view.problems.is_empty());
/// ```
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
    ///
    /// ```
    /// use ricochet_core::Setup;
    /// use ricochet_service::View;
    /// let view = View::of(&Setup::empty(4, 4));
    /// assert_eq!((view.line, view.problems.len()), (None, 1), "there are no robots");
    /// ```
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
    ///
    /// ```
    /// use ricochet_core::notation;
    /// use ricochet_service::View;
    /// let puzzle = notation::parse_line("4x3..0012.R31").unwrap().validate().unwrap();
    /// assert_eq!(View::of_puzzle(&puzzle).line.as_deref(), Some("4x3..0012.R31"));
    /// ```
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
///
/// ```
/// use ricochet_service::Draft;
/// let draft: Draft = serde_json::from_str(
///     r#"{"width":4,"height":4,"robots":[[0,0]],"goal":{"robot":"R","cell":[3,3]}}"#,
/// ).unwrap();
/// assert!(draft.setup().problems().is_empty(), "without walls there is only the rim");
/// ```
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
    ///
    /// ```
    /// use ricochet_service::Draft;
    /// let draft: Draft = serde_json::from_str(
    ///     r#"{"width":4,"height":4,"robots":[],"goal":{"robot":null,"cell":[9,9]}}"#,
    /// ).unwrap();
    /// assert_eq!(draft.setup().problems().len(), 2);
    /// ```
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
