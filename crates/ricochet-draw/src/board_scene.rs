//! The board itself: cells, grid, walls, targets, diagonals, coordinates.

use ricochet::{Board, Cell, Diagonal, Goal, Lean, Robot, Shape, Target};

use crate::color::Color;
use crate::glyphs::{Anchor, Font};
use crate::layout::Layout;
use crate::scene::{Outline, Point, Scene, Segment, Stroke, at};
use crate::theme::Theme;
use crate::walls;

/// What the layers of a board need.
#[derive(Clone, Copy)]
pub(crate) struct BoardScene<'a> {
    pub(crate) board: &'a Board,
    pub(crate) layout: Layout,
    pub(crate) theme: &'a Theme,
}

impl BoardScene<'_> {
    /// The ground of the open cells.
    pub(crate) fn ground(&self, scene: &mut Scene) {
        let Layout {
            origin,
            width,
            height,
            ..
        } = self.layout;
        scene.rect(origin.x, origin.y, width, height, self.theme.board);
    }

    pub(crate) fn grid(&self, scene: &mut Scene) {
        let Layout {
            origin,
            width,
            height,
            cell,
            ..
        } = self.layout;
        let line = self.layout.grid_width();
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
        for x in 1..self.board.width() {
            bar(origin.x + x as f32 * cell - half, origin.y, line, height);
        }
        for y in 1..self.board.height() {
            bar(origin.x, origin.y + y as f32 * cell - half, width, line);
        }
        scene.fill(Outline::Path(path), self.theme.grid);
    }

    /// Closed cells and walls.
    pub(crate) fn walls(&self, scene: &mut Scene) {
        let (columns, rows) = (self.board.width(), self.board.height());
        // Runs of closed cells that lie below each other become one rectangle: seams would show.
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
            let corner = self.layout.corner(start as f32, top as f32);
            let width = self.layout.cells((end - start) as f32);
            let height = self.layout.cells((bottom - top) as f32);
            scene.rect(corner.x, corner.y, width, height, self.theme.closed);
        }
        let thick = self.layout.wall_width();
        let half = thick / 2.0;
        let radius = if self.layout.cell >= 24.0 { half } else { 0.0 };
        for y in 0..=rows {
            for (start, end) in walls::runs(columns, |x| walls::above(self.board, x, y)) {
                let corner = self
                    .layout
                    .corner(start as f32, y as f32)
                    .plus(-half, -half);
                let length = self.layout.cells((end - start) as f32) + thick;
                scene.round_rect(corner.x, corner.y, length, thick, radius, self.theme.wall);
            }
        }
        for x in 0..=columns {
            for (start, end) in walls::runs(rows, |y| walls::before(self.board, x, y)) {
                let corner = self
                    .layout
                    .corner(x as f32, start as f32)
                    .plus(-half, -half);
                let length = self.layout.cells((end - start) as f32) + thick;
                scene.round_rect(corner.x, corner.y, thick, length, radius, self.theme.wall);
            }
        }
    }

    /// The printed targets but the one that is the goal.
    pub(crate) fn targets(&self, scene: &mut Scene, goal: Option<Goal>) {
        for target in self.board.targets() {
            if goal.is_none_or(|goal| goal.cell != target.cell) {
                self.target(scene, *target);
            }
        }
    }

    fn target(&self, scene: &mut Scene, target: Target) {
        let middle = self.layout.middle(target.cell);
        let pale = |color: Color| color.mix(self.theme.board, 0.62);
        match (target.robot, target.shape) {
            (Some(robot), shape) if shape != Shape::Vortex => {
                let ground = pale(self.theme.robot(robot));
                self.shape(scene, shape, middle, 1.0, ground);
                let ink = self.theme.robot_line(robot).mix(self.theme.ink, 0.35);
                self.letter(scene, robot, shape, middle, 0.2, ink);
            }
            (robot, _) => self.vortex(scene, robot, middle, 0.9, pale),
        }
    }

    /// The goal: its cell is framed, its target in full colour.
    pub(crate) fn goal(&self, scene: &mut Scene, goal: Goal) {
        let target = self
            .board
            .targets()
            .iter()
            .find(|target| target.cell == goal.cell);
        let shape = target.map(|target| target.shape);
        let middle = self.layout.middle(goal.cell);
        let color = goal
            .robot
            .map_or(self.theme.ink, |robot| self.theme.robot(robot));
        let line = goal
            .robot
            .map_or(self.theme.ink, |robot| self.theme.robot_line(robot));
        let corner = self
            .layout
            .corner(f32::from(goal.cell.x), f32::from(goal.cell.y));
        let inset = self.layout.wall_width() / 2.0 + self.layout.cells(0.05);
        let side = self.layout.cell - 2.0 * inset;
        let outline = Outline::Rect {
            x: corner.x + inset,
            y: corner.y + inset,
            width: side,
            height: side,
            radius: self.layout.cells(0.12),
        };
        let stroke = Stroke {
            color: line.mix(self.theme.ink, 0.35),
            width: self.layout.cells(0.065).max(1.5),
            dashes: Vec::new(),
        };
        scene.push(
            outline,
            Some(color.mix(self.theme.board, 0.78)),
            Some(stroke),
        );
        match (goal.robot, shape) {
            (Some(robot), Some(shape)) if shape != Shape::Vortex => {
                self.shape(scene, shape, middle, 1.0, color);
                let ink = self.theme.letter_on(color);
                self.letter(scene, robot, shape, middle, 0.24, ink);
            }
            (Some(robot), _) => {
                scene.ring(
                    middle,
                    self.layout.cells(0.3),
                    self.layout.cells(0.055),
                    color,
                );
                scene.circle(middle, self.layout.cells(0.22), color);
                let font = Font::bold(self.layout.cells(0.23), self.theme.letter_on(color));
                font.draw(scene, &robot.letter().to_string(), middle, Anchor::Middle);
            }
            (None, _) => self.vortex(scene, None, middle, 1.0, |color| color),
        }
    }

    fn letter(
        &self,
        scene: &mut Scene,
        robot: Robot,
        shape: Shape,
        middle: Point,
        height: f32,
        ink: Color,
    ) {
        // A triangle's middle is below the middle of its box.
        let drop = if shape == Shape::Triangle { 0.09 } else { 0.0 };
        let place = middle.plus(0.0, self.layout.cells(drop));
        let font = Font::bold(self.layout.cells(height), ink);
        font.draw(scene, &robot.letter().to_string(), place, Anchor::Middle);
    }

    /// The shape of a target; `scale` 1 fills most of the cell.
    fn shape(&self, scene: &mut Scene, shape: Shape, middle: Point, scale: f32, color: Color) {
        let unit = self.layout.cells(scale);
        let points = |places: &[(f32, f32)]| -> Vec<Point> {
            places
                .iter()
                .map(|&(x, y)| middle.plus(x * unit, y * unit))
                .collect()
        };
        match shape {
            Shape::Circle | Shape::Vortex => scene.circle(middle, 0.3 * unit, color),
            Shape::Triangle => {
                scene.polygon(&points(&[(0.0, -0.33), (0.36, 0.29), (-0.36, 0.29)]), color);
            }
            Shape::Square => scene.round_rect(
                middle.x - 0.27 * unit,
                middle.y - 0.27 * unit,
                0.54 * unit,
                0.54 * unit,
                0.04 * unit,
                color,
            ),
            Shape::Hexagon => {
                let places = [
                    (0.34, 0.0),
                    (0.17, 0.294),
                    (-0.17, 0.294),
                    (-0.34, 0.0),
                    (-0.17, -0.294),
                    (0.17, -0.294),
                ];
                scene.polygon(&points(&places), color);
            }
        }
    }

    /// Four curved blades, in the colours of the four robots unless it has one of its own.
    fn vortex(
        &self,
        scene: &mut Scene,
        robot: Option<Robot>,
        middle: Point,
        scale: f32,
        tint: impl Fn(Color) -> Color,
    ) {
        let unit = self.layout.cells(scale);
        for (turn, of) in Robot::ALL.into_iter().take(4).enumerate() {
            // A quarter turn clockwise, as often as needed.
            let place = |x: f32, y: f32| {
                let (x, y) = match turn {
                    0 => (x, y),
                    1 => (-y, x),
                    2 => (-x, -y),
                    _ => (y, -x),
                };
                middle.plus(x * unit, y * unit)
            };
            let blade = vec![
                Segment::Move(place(0.0, 0.0)),
                Segment::Cubic(place(-0.16, -0.1), place(-0.16, -0.3), place(0.02, -0.35)),
                Segment::Cubic(place(0.2, -0.37), place(0.31, -0.24), place(0.32, -0.1)),
                Segment::Cubic(place(0.22, -0.2), place(0.06, -0.2), place(0.0, 0.0)),
                Segment::Close,
            ];
            let color = tint(self.theme.robot(robot.unwrap_or(of)));
            scene.fill(Outline::Path(blade), color);
        }
    }

    pub(crate) fn diagonals(&self, scene: &mut Scene) {
        for diagonal in self.board.diagonals() {
            self.diagonal(scene, *diagonal);
        }
    }

    fn diagonal(&self, scene: &mut Scene, diagonal: Diagonal) {
        let middle = self.layout.middle(diagonal.cell);
        let reach = self.layout.cells(0.36);
        let rise = match diagonal.lean {
            Lean::Slash => -reach,
            Lean::Backslash => reach,
        };
        let ends = [middle.plus(-reach, -rise), middle.plus(reach, rise)];
        let line = self.theme.robot_line(diagonal.color);
        let edge = line.mix(self.theme.wall, 0.5);
        scene.polyline(&ends, self.layout.cells(0.17).max(3.0), edge, &[]);
        let color = self.theme.robot(diagonal.color);
        scene.polyline(&ends, self.layout.cells(0.11).max(2.0), color, &[]);
        // The letter stands in the upper corner that the diagonal leaves free.
        let side = match diagonal.lean {
            Lean::Slash => -1.0,
            Lean::Backslash => 1.0,
        };
        let place = middle.plus(side * self.layout.cells(0.27), -self.layout.cells(0.25));
        let font = Font::bold(self.layout.cells(0.19), line.mix(self.theme.ink, 0.25));
        font.draw(
            scene,
            &diagonal.color.letter().to_string(),
            place,
            Anchor::Middle,
        );
    }

    /// The numbers of columns and rows.
    pub(crate) fn coordinates(&self, scene: &mut Scene) {
        let height = self.layout.cells(0.22).clamp(6.0, 14.0);
        let font = Font::regular(height, self.theme.faint);
        let away = self.layout.wall_width() / 2.0 + height * 1.15;
        for x in 0..self.board.width() {
            let middle = self.layout.middle(Cell::new(x as u8, 0)).x;
            let place = at(middle, self.layout.origin.y - away);
            font.draw(scene, &x.to_string(), place, Anchor::Middle);
        }
        for y in 0..self.board.height() {
            let middle = self.layout.middle(Cell::new(0, y as u8)).y;
            let place = at(
                self.layout.origin.x - away + height * 0.4,
                middle + height / 2.0,
            );
            font.draw(scene, &y.to_string(), place, Anchor::Right);
        }
    }
}
