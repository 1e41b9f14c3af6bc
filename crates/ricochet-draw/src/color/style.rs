//! The style of boards as data.

use std::fmt::Write as _;

use ricochet_core::{Lean, Robot, Shape};

use crate::color::Color;
use crate::color::role::ColorRole;
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::scene::geometry::BoardGeometry;
use crate::scene::measure;
use crate::scene::shapes;
use crate::scene::{Item, Outline, Scene, at};
use crate::vector::svg::{Number, path_data};

/// The side of a cell in the outlines and measures.
const CELL: f32 = 100.0;

/// The style of boards as a JSON object, for programs that draw boards themselves, such as a web
/// page. The crate keeps a copy in `assets/style.json`.
///
/// - `cell`: the side of a cell in the units of everything below. Outlines are centred on (0, 0), the
///   middle of the cell; y goes down.
/// - `robots`: names, letters, and each letter as a path to stroke with `letterWidth`.
/// - `shapes`: the outlines of targets as paths to fill, and how far below the middle their letter is.
/// - `vortex`: its four blades, in the colours of the first four robots.
/// - `diagonals`: both leans as paths to stroke, first with `diagonalEdgeWidth`, then with
///   `diagonalWidth`, and the place of their letter.
/// - `measures`: radii, widths and insets. Names that end in `Scale` are factors: a `LetterScale`
///   shrinks a robot's letter for that kind of thing, `vortexScale` shrinks a vortex that is not the
///   goal.
/// - `themes`: for each theme the colour of each [`ColorRole`], whether lines are dashed, and whether
///   targets are outlines and robots have a rim of `strongRobotEdgeWidth`
///   ([`Theme::outlined_targets`]).
pub fn style_json() -> String {
    let mut json = Json::default();
    json.open("");
    json.value("cell", Number(CELL));
    json.open("robots");
    for robot in Robot::ALL {
        json.open(robot.name());
        json.text("letter", &robot.letter().to_string());
        json.text("path", &letter(robot));
        json.close();
    }
    json.close();
    json.open("shapes");
    for (name, shape) in [
        ("circle", Shape::Circle),
        ("triangle", Shape::Triangle),
        ("square", Shape::Square),
        ("hexagon", Shape::Hexagon),
    ] {
        json.open(name);
        let outline = shapes::target(shape, at(0.0, 0.0), CELL);
        json.text("path", &path_data(&outline.segments()));
        json.value("letterDrop", Number(shapes::letter_drop(shape) * CELL));
        json.close();
    }
    json.close();
    json.open("vortex");
    let blades = shapes::vortex(at(0.0, 0.0), CELL);
    for (blade, robot) in blades.iter().zip(Robot::ALL) {
        json.text(robot.name(), &path_data(&blade.segments()));
    }
    json.close();
    json.open("diagonals");
    for (name, lean) in [("slash", Lean::Slash), ("backslash", Lean::Backslash)] {
        let rise = if lean == Lean::Slash { 1.0 } else { -1.0 };
        let reach = measure::DIAGONAL_REACH * CELL;
        let (x, y, up) = (Number(reach), Number(reach * rise), Number(-reach * rise));
        json.open(name);
        json.text("path", &format!("M-{x} {y}L{x} {up}"));
        json.value("letterX", Number(-measure::DIAGONAL_LETTER_X * CELL * rise));
        json.value("letterY", Number(-measure::DIAGONAL_LETTER_Y * CELL));
        json.close();
    }
    json.close();
    measures(&mut json);
    json.open("themes");
    for name in Theme::NAMES {
        let theme = Theme::from_name(name).unwrap_or_default();
        json.open(name);
        json.value("dashes", theme.dashes);
        json.value("outlinedTargets", theme.outlined_targets);
        json.open("colors");
        for role in ColorRole::all() {
            json.text(&role.to_string(), &theme.color(role).to_string());
        }
        json.close();
        json.close();
    }
    json.close();
    json.close();
    json.out.push('\n');
    json.out
}

/// A robot's letter as on its disc.
fn letter(robot: Robot) -> String {
    let mut scene = Scene::default();
    let font = Font::bold(measure::ROBOT_LETTER * CELL, Color::BLACK);
    let text = robot.letter().to_string();
    font.draw(&mut scene, &text, at(0.0, 0.0), Anchor::Middle);
    let outlines = scene.items.iter().filter_map(|item| match item {
        Item::Shape(shape) => Some(&shape.outline),
        Item::Open(_) | Item::Close => None,
    });
    outlines
        .map(|outline: &Outline| path_data(&outline.segments()))
        .collect()
}

fn measures(json: &mut Json) {
    let board = ricochet_core::Board::builder(2, 2).build();
    let geometry = board.map(|board| BoardGeometry::new(&board, CELL as u32, false));
    json.open("measures");
    let letter = measure::ROBOT_LETTER;
    for (name, share) in [
        ("letterWidth", Font::bold(letter, Color::BLACK).line_width()),
        ("robotRadius", measure::ROBOT_RADIUS),
        ("robotEdgeWidth", measure::ROBOT_EDGE),
        ("strongRobotEdgeWidth", measure::STRONG_ROBOT_EDGE),
        ("antennaTop", measure::ANTENNA_TOP),
        ("antennaWidth", measure::ANTENNA),
        ("targetEdgeWidth", measure::TARGET_EDGE),
        ("thinTargetEdgeWidth", measure::THIN_TARGET_EDGE),
        ("startEdgeWidth", measure::START_EDGE),
        ("startDash", measure::START_EDGE * measure::START_DASH),
        ("goalInset", measure::GOAL_INSET),
        ("goalCorner", measure::GOAL_CORNER),
        ("goalFrameWidth", measure::GOAL_FRAME),
        ("plainGoalRingRadius", measure::PLAIN_RING),
        ("plainGoalRingWidth", measure::PLAIN_RING_WIDTH),
        ("plainGoalDiscRadius", measure::PLAIN_DISC),
        ("diagonalWidth", measure::DIAGONAL),
        ("diagonalEdgeWidth", measure::DIAGONAL_EDGE),
        ("lineWidth", measure::LINE),
        ("arrowLength", measure::ARROW),
        ("arrowHalfWidth", measure::ARROW_HALF),
        ("badgeRadius", measure::BADGE),
    ] {
        json.value(name, Number(share * CELL));
    }
    for (name, scale) in [
        ("startLetterScale", measure::START_LETTER / letter),
        ("targetLetterScale", measure::TARGET_LETTER / letter),
        ("goalLetterScale", measure::GOAL_LETTER / letter),
        ("plainGoalLetterScale", measure::PLAIN_LETTER / letter),
        ("diagonalLetterScale", measure::DIAGONAL_LETTER / letter),
        ("vortexScale", measure::VORTEX),
    ] {
        json.value(name, Number(scale));
    }
    if let Ok(geometry) = geometry {
        json.value("wallWidth", Number(geometry.wall_width()));
        json.value("gridWidth", Number(geometry.grid_width()));
    }
    json.close();
}

/// A writer of nested JSON objects.
#[derive(Default)]
struct Json {
    out: String,
    depth: usize,
    filled: bool,
}

impl Json {
    fn key(&mut self, name: &str) {
        if self.filled {
            self.out.push(',');
        }
        if self.depth > 0 {
            self.line();
            let _ = write!(self.out, "\"{name}\": ");
        }
        self.filled = true;
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.push_str(&"  ".repeat(self.depth));
    }

    fn open(&mut self, name: &str) {
        self.key(name);
        self.out.push('{');
        self.depth += 1;
        self.filled = false;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line();
        self.out.push('}');
        self.filled = true;
    }

    fn value(&mut self, name: &str, value: impl std::fmt::Display) {
        self.key(name);
        let _ = write!(self.out, "{value}");
    }

    /// Writes a text that needs no escaping: a path, a colour, a name.
    fn text(&mut self, name: &str, text: &str) {
        self.value(name, format_args!("\"{text}\""));
    }
}
