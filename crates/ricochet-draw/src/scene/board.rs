//! The board itself: cells, grid, walls, targets, diagonals, coordinates.

use ricochet_core::describe::printed_target;
use ricochet_core::{Board, Cell, Diagonal, Goal, Lean, Robot, Shape, Target};

use crate::color::role::ColorRole;
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::letters::pixels;
use crate::scene::geometry::BoardGeometry;
use crate::scene::measure::{
    DIAGONAL, DIAGONAL_EDGE, DIAGONAL_LETTER, DIAGONAL_LETTER_X, DIAGONAL_LETTER_Y, DIAGONAL_REACH,
    GOAL_CORNER, GOAL_EDGE, GOAL_FRAME, GOAL_INSET, GOAL_LETTER, PLAIN_DISC, PLAIN_LETTER,
    PLAIN_RING, PLAIN_RING_WIDTH, TARGET_EDGE, TARGET_LETTER, THIN_TARGET_EDGE, VORTEX,
    VORTEX_EDGE,
};
use crate::scene::shapes;
use crate::scene::walls;
use crate::scene::{Outline, Point, Scene, Stroke, at};

/// A board to draw, one layer at a time.
#[derive(Clone, Copy)]
pub(crate) struct BoardScene<'a> {
    pub(crate) board: &'a Board,
    /// The part of the board to draw, from the north-west.
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) geometry: BoardGeometry,
    pub(crate) theme: &'a Theme,
}

impl BoardScene<'_> {
    /// The background of the open cells.
    pub(crate) fn ground(&self, scene: &mut Scene) {
        let BoardGeometry {
            origin,
            width,
            height,
            ..
        } = self.geometry;
        scene.rect(
            origin.x,
            origin.y,
            width,
            height,
            self.theme.paint(ColorRole::Board),
        );
    }

    pub(crate) fn grid(&self, scene: &mut Scene) {
        let BoardGeometry {
            origin,
            width,
            height,
            cell,
            ..
        } = self.geometry;
        let line = self.geometry.grid_width();
        let half = (line / 2.0).floor();
        let mut path = Vec::new();
        let mut bar = |x: f32, y: f32, w: f32, h: f32| {
            path.extend(crate::scene::closed(&[
                at(x, y),
                at(x + w, y),
                at(x + w, y + h),
                at(x, y + h),
            ]));
        };
        for x in 1..self.columns {
            bar(origin.x + x as f32 * cell - half, origin.y, line, height);
        }
        for y in 1..self.rows {
            bar(origin.x, origin.y + y as f32 * cell - half, width, line);
        }
        scene.fill(Outline::Path(path), self.theme.paint(ColorRole::Grid));
    }

    /// Closed cells and walls.
    pub(crate) fn walls(&self, scene: &mut Scene) {
        let (columns, rows) = (self.columns, self.rows);
        // Adjacent closed cells become one rectangle, because seams would show.
        let mut blocks: Vec<(usize, usize, usize, usize)> = Vec::new();
        for y in 0..rows {
            let closed = |x: usize| self.board.is_closed(Cell::new(x as u8, y as u8));
            for (start, end) in walls::runs(columns, closed) {
                let above = blocks
                    .iter_mut()
                    .find(|&&mut (s, e, _, bottom)| (s, e, bottom) == (start, end, y));
                match above {
                    Some((.., bottom)) => *bottom = y + 1,
                    None => blocks.push((start, end, y, y + 1)),
                }
            }
        }
        for (start, end, top, bottom) in blocks {
            let corner = self.geometry.corner(start as f32, top as f32);
            let width = self.geometry.cells((end - start) as f32);
            let height = self.geometry.cells((bottom - top) as f32);
            scene.rect(
                corner.x,
                corner.y,
                width,
                height,
                self.theme.paint(ColorRole::Closed),
            );
        }
        let paint = self.theme.paint(ColorRole::Wall);
        let thick = self.geometry.wall_width();
        let half = thick / 2.0;
        let radius = if self.geometry.cell >= 24.0 {
            half
        } else {
            0.0
        };
        for y in 0..=rows {
            for (start, end) in walls::runs(columns, |x| walls::north_of(self.board, x, y)) {
                let corner = self
                    .geometry
                    .corner(start as f32, y as f32)
                    .plus(-half, -half);
                let length = self.geometry.cells((end - start) as f32) + thick;
                scene.round_rect(corner.x, corner.y, length, thick, radius, paint);
            }
        }
        for x in 0..=columns {
            for (start, end) in walls::runs(rows, |y| walls::west_of(self.board, x, y)) {
                let corner = self
                    .geometry
                    .corner(x as f32, start as f32)
                    .plus(-half, -half);
                let length = self.geometry.cells((end - start) as f32) + thick;
                scene.round_rect(corner.x, corner.y, thick, length, radius, paint);
            }
        }
    }

    /// The printed targets except the goal.
    pub(crate) fn targets(&self, scene: &mut Scene, goal: Option<Goal>) {
        for target in self.board.targets() {
            if goal.is_none_or(|goal| goal.cell != target.cell) {
                self.target(scene, *target);
            }
        }
    }

    fn target(&self, scene: &mut Scene, target: Target) {
        let middle = self.geometry.middle(target.cell);
        match (target.robot, target.shape) {
            (Some(robot), shape) if shape != Shape::Vortex => {
                let outline = shapes::target(shape, middle, self.geometry.cell);
                let fill = self.theme.paint(ColorRole::Target(robot));
                scene.push(
                    outline,
                    Some(fill),
                    Some(self.target_edge(robot, self.edge_width())),
                );
                self.letter(
                    scene,
                    robot,
                    shape,
                    middle,
                    TARGET_LETTER,
                    ColorRole::TargetLetter(robot),
                );
            }
            (robot, _) => {
                self.vortex(
                    scene,
                    robot,
                    middle,
                    VORTEX,
                    ColorRole::Target,
                    self.edge_width(),
                );
            }
        }
    }

    /// The edge of a target, `width` cells wide. Printed targets are outlines: only robots are solid.
    fn target_edge(&self, robot: Robot, width: f32) -> Stroke {
        Stroke {
            color: self.theme.paint(ColorRole::TargetLetter(robot)),
            width: self.geometry.cells(width).max(0.75),
            dashes: Vec::new(),
        }
    }

    /// The width of the edge of a printed target. Large letters leave less room for it.
    fn edge_width(&self) -> f32 {
        if self.theme.dashes {
            THIN_TARGET_EDGE
        } else {
            TARGET_EDGE
        }
    }

    /// The goal: a tile in its robot's colour with its target on it in the colour of the board. If
    /// targets are outlines, full colour is for robots, and the tile is pale.
    pub(crate) fn goal(&self, scene: &mut Scene, goal: Goal) {
        let shape = printed_target(self.board, goal.cell).map(|target| target.shape);
        let middle = self.geometry.middle(goal.cell);
        let corner = self
            .geometry
            .corner(f32::from(goal.cell.x), f32::from(goal.cell.y));
        let inset = self.geometry.wall_width() / 2.0 + self.geometry.cells(GOAL_INSET);
        let side = self.geometry.cell - 2.0 * inset;
        let outline = Outline::Rect {
            x: corner.x + inset,
            y: corner.y + inset,
            width: side,
            height: side,
            radius: self.geometry.cells(GOAL_CORNER),
        };
        let stroke = Stroke {
            color: self.theme.paint(ColorRole::GoalFrame(goal.robot)),
            width: self.geometry.cells(GOAL_FRAME).max(1.5),
            dashes: Vec::new(),
        };
        scene.push(
            outline,
            Some(self.theme.paint(ColorRole::Goal(goal.robot))),
            Some(stroke),
        );
        match (goal.robot, shape) {
            (Some(robot), Some(shape)) if shape != Shape::Vortex => {
                let outline = shapes::target(shape, middle, self.geometry.cell);
                let edge = self.theme.outlined_targets;
                let edge = edge.then(|| self.target_edge(robot, GOAL_EDGE));
                scene.push(outline, Some(self.theme.paint(self.goal_fill(robot))), edge);
                let ink = ColorRole::TargetLetter(robot);
                self.letter(scene, robot, shape, middle, GOAL_LETTER, ink);
            }
            (Some(robot), _) => {
                let (fill, ink) = (self.goal_fill(robot), ColorRole::TargetLetter(robot));
                let ring = if self.theme.outlined_targets {
                    ink
                } else {
                    fill
                };
                scene.ring(
                    middle,
                    self.geometry.cells(PLAIN_RING),
                    self.geometry.cells(PLAIN_RING_WIDTH),
                    self.theme.paint(ring),
                );
                let disc = self.theme.paint(fill);
                scene.circle(middle, self.geometry.cells(PLAIN_DISC), disc);
                self.write_letter(scene, robot, middle, PLAIN_LETTER, ink);
            }
            (None, _) => self.vortex(scene, None, middle, 1.0, ColorRole::Robot, VORTEX_EDGE),
        }
    }

    /// The role of the target on the goal's tile.
    fn goal_fill(&self, robot: Robot) -> ColorRole {
        if self.theme.outlined_targets {
            ColorRole::Target(robot)
        } else {
            ColorRole::Board
        }
    }

    fn letter(
        &self,
        scene: &mut Scene,
        robot: Robot,
        shape: Shape,
        middle: Point,
        height: f32,
        ink: ColorRole,
    ) {
        let place = middle.plus(0.0, self.geometry.cells(shapes::letter_drop(shape)));
        // Without colours, the letter identifies the target, so it is as large as fits.
        let height = if self.theme.dashes {
            shapes::largest_letter(shape)
        } else {
            height
        };
        self.write_letter(scene, robot, place, height, ink);
    }

    /// The letter of a robot, `height` cells high, or of whole pixels on tiny cells.
    fn write_letter(
        &self,
        scene: &mut Scene,
        robot: Robot,
        place: Point,
        height: f32,
        ink: ColorRole,
    ) {
        let text = robot.letter().to_string();
        if self.geometry.is_tiny() {
            pixels::draw(scene, &text, place, self.theme.paint(ink));
            return;
        }
        let font = Font::bold(self.geometry.cells(height), self.theme.paint(ink));
        font.draw(scene, &text, place, Anchor::Middle);
    }

    /// The vortex, in the colours of the first four robots unless it has its own.
    fn vortex(
        &self,
        scene: &mut Scene,
        robot: Option<Robot>,
        middle: Point,
        scale: f32,
        role: impl Fn(Robot) -> ColorRole,
        edge: f32,
    ) {
        let blades = shapes::vortex(middle, self.geometry.cells(scale));
        for (blade, of) in blades.into_iter().zip(Robot::ALL) {
            let of = robot.unwrap_or(of);
            scene.push(
                blade,
                Some(self.theme.paint(role(of))),
                Some(self.target_edge(of, edge)),
            );
        }
    }

    pub(crate) fn diagonals(&self, scene: &mut Scene) {
        for diagonal in self.board.diagonals() {
            self.diagonal(scene, *diagonal);
        }
    }

    fn diagonal(&self, scene: &mut Scene, diagonal: Diagonal) {
        let middle = self.geometry.middle(diagonal.cell);
        let reach = self.geometry.cells(DIAGONAL_REACH);
        let rise = match diagonal.lean {
            Lean::Slash => -reach,
            Lean::Backslash => reach,
        };
        let ends = [middle.plus(-reach, -rise), middle.plus(reach, rise)];
        let edge = self.theme.paint(ColorRole::DiagonalEdge(diagonal.color));
        scene.polyline(
            &ends,
            self.geometry.cells(DIAGONAL_EDGE).max(3.0),
            edge,
            &[],
        );
        let color = self.theme.paint(ColorRole::Robot(diagonal.color));
        scene.polyline(&ends, self.geometry.cells(DIAGONAL).max(2.0), color, &[]);
        // The letter is in the upper corner that the diagonal leaves free.
        let side = match diagonal.lean {
            Lean::Slash => -1.0,
            Lean::Backslash => 1.0,
        };
        let place = middle.plus(
            side * self.geometry.cells(DIAGONAL_LETTER_X),
            -self.geometry.cells(DIAGONAL_LETTER_Y),
        );
        let ink = self.theme.paint(ColorRole::DiagonalLetter(diagonal.color));
        let font = Font::bold(self.geometry.cells(DIAGONAL_LETTER), ink);
        font.draw(
            scene,
            &diagonal.color.letter().to_string(),
            place,
            Anchor::Middle,
        );
    }

    /// The column and row numbers.
    pub(crate) fn coordinates(&self, scene: &mut Scene) {
        let height = self.geometry.coordinate_height();
        let font = Font::regular(height, self.theme.paint(ColorRole::Faint));
        let away = self.geometry.wall_width() / 2.0 + height * 1.15;
        // On small cells only some numbers fit.
        let longest = self.columns.max(self.rows) - 1;
        let room = font.width(&longest.to_string()) + height * 0.4;
        let step = [1, 2, 5, 10]
            .into_iter()
            .find(|&step| self.geometry.cells(step as f32) >= room)
            .unwrap_or(20);
        for x in (0..self.columns).step_by(step) {
            let middle = self.geometry.middle(Cell::new(x as u8, 0)).x;
            let place = at(middle, self.geometry.origin.y - away);
            font.draw(scene, &x.to_string(), place, Anchor::Middle);
        }
        for y in (0..self.rows).step_by(step) {
            let middle = self.geometry.middle(Cell::new(0, y as u8)).y;
            let place = at(
                self.geometry.origin.x - away + height * 0.4,
                middle + height / 2.0,
            );
            font.draw(scene, &y.to_string(), place, Anchor::Right);
        }
    }
}
