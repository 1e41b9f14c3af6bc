//! The paths of a solution's moves: lanes that keep paths along the same cells apart, and places for
//! the numbers.

use ricochet_core::{Cell, Direction, Robot, Trace};

use crate::color::role::ColorRole;
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::letters::pixels;
use crate::scene::geometry::BoardGeometry;
use crate::scene::measure::{ARROW, ARROW_HALF, BADGE, LINE, ROBOT_RADIUS};
use crate::scene::{Point, Scene, at};

/// A straight part of a move.
#[derive(Clone, Copy, Debug)]
struct Leg {
    /// The move, from 0.
    step: usize,
    heading: Direction,
    from: Cell,
    to: Cell,
    /// 0 is the middle of the cells; 1, -1, 2, … are further and further from it.
    lane: i32,
    /// How far the lane is from the middle, in pixels.
    offset: f32,
}

impl Leg {
    fn is_horizontal(&self) -> bool {
        self.heading.is_horizontal()
    }

    /// The row or column.
    fn line(&self) -> u8 {
        if self.is_horizontal() {
            self.from.y
        } else {
            self.from.x
        }
    }

    fn span(&self) -> (u8, u8) {
        let (a, b) = if self.is_horizontal() {
            (self.from.x, self.to.x)
        } else {
            (self.from.y, self.to.y)
        };
        (a.min(b), a.max(b))
    }

    /// Whether both run along a common edge between two cells.
    fn runs_along(&self, other: &Self) -> bool {
        let ((a, b), (c, d)) = (self.span(), other.span());
        self.is_horizontal() == other.is_horizontal()
            && self.line() == other.line()
            && a < d
            && c < b
    }

    /// The point of the lane in a cell, shifted by `along` in the direction of the lane.
    fn point(&self, geometry: BoardGeometry, cell: Cell, along: f32) -> Point {
        let middle = geometry.middle(cell);
        if self.is_horizontal() {
            middle.plus(along, self.offset)
        } else {
            middle.plus(self.offset, along)
        }
    }
}

/// One move on its lanes.
#[derive(Clone, Debug)]
pub(crate) struct MovePath {
    pub(crate) robot: Robot,
    /// From 1.
    pub(crate) number: usize,
    points: Vec<Point>,
    badge: Point,
}

/// The cells that a picture of a solution shows pieces on: the robots' last cells, and the starts of
/// robots that moved. Arrows stop at the edge of a piece.
pub(crate) fn occupied_cells(trace: &Trace) -> Vec<Cell> {
    let end = trace.end();
    let mut cells = end.cells().to_vec();
    let moved = trace
        .start
        .iter()
        .filter(|&(robot, cell)| end[robot] != cell);
    cells.extend(moved.map(|(_, cell)| cell));
    cells
}

/// The paths of all moves. Their numbers avoid `pieces` and `goal` if they can.
pub(crate) fn lay_out(
    geometry: BoardGeometry,
    trace: &Trace,
    pieces: &[Cell],
    goal: Cell,
) -> Vec<MovePath> {
    let legs = lanes(geometry, trace);
    let mut paths: Vec<MovePath> = Vec::with_capacity(trace.steps.len());
    for (number, step) in trace.steps.iter().enumerate() {
        let robot = step.play.robot;
        let mine: Vec<Leg> = legs
            .iter()
            .filter(|leg| leg.step == number)
            .copied()
            .collect();
        let next = legs
            .iter()
            .find(|leg| leg.step > number && trace.steps[leg.step].play.robot == robot);
        let before = paths.iter().rev().find(|path| path.robot == robot);
        paths.push(MovePath {
            robot,
            number: number + 1,
            points: points(
                geometry,
                &mine,
                before.and_then(|path| path.points.last()),
                next,
                pieces.contains(&step.to),
            ),
            badge: at(0.0, 0.0),
        });
    }
    let keep_free: Vec<Point> = pieces
        .iter()
        .chain([&goal])
        .map(|&cell| geometry.middle(cell))
        .collect();
    place_badges(geometry, &mut paths, &keep_free);
    paths
}

fn lanes(geometry: BoardGeometry, trace: &Trace) -> Vec<Leg> {
    let mut legs: Vec<Leg> = Vec::new();
    for (number, step) in trace.steps.iter().enumerate() {
        let first = legs.len();
        let mut from = step.from;
        for &(cell, heading) in &step.path {
            match legs[first..].last_mut() {
                Some(leg) if leg.heading == heading => leg.to = cell,
                _ => legs.push(Leg {
                    step: number,
                    heading,
                    from,
                    to: cell,
                    lane: 0,
                    offset: 0.0,
                }),
            }
            from = cell;
        }
    }
    for i in 0..legs.len() {
        let (done, rest) = legs.split_at_mut(i);
        let leg = &mut rest[0];
        let taken: Vec<i32> = done
            .iter()
            .filter(|other| leg.runs_along(other))
            .map(|other| other.lane)
            .collect();
        let near_first = (0..).map(|n| if n % 2 == 1 { (n + 1) / 2 } else { -n / 2 });
        leg.lane = near_first
            .into_iter()
            .find(|lane| !taken.contains(lane))
            .unwrap_or(0);
    }
    // Lanes are closer together if many share a row.
    for i in 0..legs.len() {
        let leg = legs[i];
        let outermost = legs
            .iter()
            .filter(|other| {
                other.is_horizontal() == leg.is_horizontal() && other.line() == leg.line()
            })
            .map(|other| other.lane.abs())
            .max()
            .unwrap_or(0);
        let apart = geometry
            .cells(0.17)
            .min(geometry.cells(0.36) / outermost.max(1) as f32);
        legs[i].offset = leg.lane as f32 * apart;
    }
    legs
}

/// The corners of one move's path, from the end of the robot's last move to the start of its next. If
/// `piece` is set, there is a piece where the path ends, and the arrow stops at its edge.
fn points(
    geometry: BoardGeometry,
    legs: &[Leg],
    before: Option<&Point>,
    next: Option<&Leg>,
    piece: bool,
) -> Vec<Point> {
    let mut points: Vec<Point> = before.copied().into_iter().collect();
    let Some((first, last)) = legs.first().zip(legs.last()) else {
        return points;
    };
    let start = first.point(geometry, first.from, 0.0);
    match before {
        // The last move ended on this move's lane.
        Some(&end)
            if (first.is_horizontal() && (end.y - start.y).abs() < 0.01)
                || (!first.is_horizontal() && (end.x - start.x).abs() < 0.01) => {}
        Some(&end) => points.push(if first.is_horizontal() {
            at(end.x, start.y)
        } else {
            at(start.x, end.y)
        }),
        None => points.push(start),
    }
    for pair in legs.windows(2) {
        points.push(pair[0].point(geometry, pair[0].to, pair[1].offset));
    }
    let along = match next {
        _ if piece => {
            let back = geometry.cells(ROBOT_RADIUS + 0.05);
            match last.heading {
                Direction::East | Direction::South => -back,
                Direction::West | Direction::North => back,
            }
        }
        Some(next) if next.is_horizontal() != last.is_horizontal() => next.offset,
        _ => 0.0,
    };
    points.push(last.point(geometry, last.to, along));
    points
}

/// The radius of a number's disc: large enough for two legible digits, but with its halo no larger
/// than a cell.
fn badge_radius(geometry: BoardGeometry) -> f32 {
    geometry
        .cells(BADGE)
        .max(5.5)
        .min(geometry.cells(0.5) - badge_halo(geometry))
}

/// The width of the ring in the board's colour around a number's disc.
fn badge_halo(geometry: BoardGeometry) -> f32 {
    geometry.cells(0.03).max(1.0).min(geometry.cells(0.06))
}

/// The length of an arrowhead.
fn arrow_length(geometry: BoardGeometry) -> f32 {
    geometry.cells(ARROW).max(4.5).min(geometry.cells(0.4))
}

/// Points along a path, every eighth of a cell, with the unit vector to the side and the distance from
/// the start.
fn samples(geometry: BoardGeometry, points: &[Point]) -> Vec<(Point, Point, f32)> {
    let mut samples = Vec::new();
    let mut walked = 0.0;
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        let steps = (length / geometry.cells(0.125)).ceil().max(1.0) as usize;
        for i in 0..=steps {
            let share = i as f32 / steps as f32;
            let side = if length > 0.0 {
                at(
                    (pair[0].y - pair[1].y) / length,
                    (pair[1].x - pair[0].x) / length,
                )
            } else {
                at(0.0, 0.0)
            };
            samples.push((
                pair[0].towards(pair[1], share),
                side,
                walked + length * share,
            ));
        }
        walked += length;
    }
    samples
}

/// Puts each number where it covers the least. Short paths choose first because they have the least
/// choice.
fn place_badges(geometry: BoardGeometry, paths: &mut [MovePath], keep_free: &[Point]) {
    let radius = badge_radius(geometry);
    let length =
        |path: &MovePath| -> f32 { path.points.windows(2).map(|p| p[0].distance(p[1])).sum() };
    let mut order: Vec<usize> = (0..paths.len()).collect();
    order.sort_by(|&a, &b| {
        length(&paths[a])
            .total_cmp(&length(&paths[b]))
            .then(a.cmp(&b))
    });
    let lines: Vec<Vec<Point>> = paths.iter().map(|path| path.points.clone()).collect();
    let tips: Vec<Point> = paths
        .iter()
        .filter_map(|path| {
            let (&end, &before) = (path.points.last()?, path.points.iter().rev().nth(1)?);
            let far = end.distance(before).max(0.01);
            Some(end.towards(before, (arrow_length(geometry) / 2.0 / far).min(1.0)))
        })
        .collect();
    let mut placed: Vec<Point> = Vec::new();
    for &i in &order {
        let total = length(&paths[i]);
        let mut best = (f32::INFINITY, at(0.0, 0.0));
        for (on_path, side, walked) in samples(geometry, &paths[i].points) {
            for shift in [0.0, 1.0, -1.0, 1.6, -1.6, 2.2, -2.2] {
                let away = shift * radius * 1.1;
                let place = on_path.plus(side.x * away, side.y * away);
                // Numbers are expected near the start.
                let mut cost = (walked - geometry.cells(0.75)).abs() / total.max(1.0) * 0.5
                    + f32::abs(shift) * 1.5;
                let inside = geometry.distance_inside(place);
                cost += 40.0 * (1.0 - inside / (radius * 1.2)).max(0.0);
                for &other in &placed {
                    cost += 60.0 * overlap(place, other, 2.1 * radius);
                }
                for &piece in keep_free {
                    cost += 12.0 * overlap(place, piece, radius + geometry.cells(ROBOT_RADIUS));
                }
                for &tip in &tips {
                    cost += 30.0 * overlap(place, tip, radius + arrow_length(geometry) * 0.6);
                }
                for (j, line) in lines.iter().enumerate() {
                    let near = line
                        .windows(2)
                        .any(|p| place.distance_to_line(p[0], p[1]) < radius);
                    if j != i && near {
                        cost += 1.0;
                    }
                }
                if cost < best.0 {
                    best = (cost, place);
                }
            }
        }
        paths[i].badge = best.1;
        placed.push(best.1);
    }
}

/// 0 if two things are at least `room` apart, up to 1 if they are in the same place.
fn overlap(a: Point, b: Point, room: f32) -> f32 {
    (1.0 - a.distance(b) / room).max(0.0)
}

/// The distance to the nearest line or number.
pub(crate) fn distance(place: Point, paths: &[MovePath]) -> f32 {
    let near = |path: &MovePath| -> f32 {
        path.points
            .windows(2)
            .map(|p| place.distance_to_line(p[0], p[1]))
            .fold(place.distance(path.badge), f32::min)
    };
    paths.iter().map(near).fold(f32::INFINITY, f32::min)
}

/// Draws the line of a path, without its arrowhead.
pub(crate) fn draw_line(
    scene: &mut Scene,
    theme: &Theme,
    geometry: BoardGeometry,
    path: &MovePath,
) {
    let color = theme.paint(ColorRole::Line(path.robot));
    let width = geometry.cells(LINE).max(1.5);
    let Some((&end, &before)) = path.points.last().zip(path.points.iter().rev().nth(1)) else {
        return;
    };
    let head = arrow_length(geometry);
    let far = end.distance(before).max(0.01);
    let mut line = path.points.clone();
    if let Some(last) = line.last_mut() {
        // A line that reached the tip would make it look blunt.
        *last = end.towards(before, (head * 0.6 / far).min(1.0));
    }
    scene.polyline(
        &line,
        width * 2.1,
        theme.paint(ColorRole::Board).with_opacity(0.85),
        &[],
    );
    let dashes: Vec<f32> = theme.dash(path.robot).iter().map(|d| d * width).collect();
    scene.polyline(&line, width, color, &dashes);
}

/// Draws the arrowhead of a path. It is drawn above the pieces, because it does not fit between two
/// neighbours.
pub(crate) fn draw_head(
    scene: &mut Scene,
    theme: &Theme,
    geometry: BoardGeometry,
    path: &MovePath,
) {
    let Some((&end, &before)) = path.points.last().zip(path.points.iter().rev().nth(1)) else {
        return;
    };
    let head = arrow_length(geometry);
    let far = end.distance(before).max(0.01);
    let unit = at((end.x - before.x) / far, (end.y - before.y) / far);
    let base = end.plus(-unit.x * head, -unit.y * head);
    let half = head * (ARROW_HALF / ARROW);
    let wings = [
        end,
        base.plus(-unit.y * half, unit.x * half),
        base.plus(unit.x * head * 0.2, unit.y * head * 0.2),
        base.plus(unit.y * half, -unit.x * half),
    ];
    scene.polygon(&wings, theme.paint(ColorRole::Line(path.robot)));
}

/// Draws the line of an unfinished move: `share` of its length, without an arrowhead.
#[cfg(feature = "raster")]
pub(crate) fn draw_trail(
    scene: &mut Scene,
    theme: &Theme,
    geometry: BoardGeometry,
    path: &MovePath,
    share: f32,
) {
    let length: f32 = path.points.windows(2).map(|p| p[0].distance(p[1])).sum();
    let mut left = length * share;
    let mut line: Vec<Point> = path.points.first().copied().into_iter().collect();
    for pair in path.points.windows(2) {
        let far = pair[0].distance(pair[1]);
        if far > left {
            line.push(pair[0].towards(pair[1], left / far));
            break;
        }
        left -= far;
        line.push(pair[1]);
    }
    let width = geometry.cells(LINE).max(1.5);
    let color = theme.paint(ColorRole::Line(path.robot));
    let dashes: Vec<f32> = theme.dash(path.robot).iter().map(|d| d * width).collect();
    scene.polyline(&line, width, color, &dashes);
}

/// Draws the number of a path.
pub(crate) fn draw_badge(
    scene: &mut Scene,
    theme: &Theme,
    geometry: BoardGeometry,
    path: &MovePath,
) {
    let text = path.number.to_string();
    if geometry.is_tiny() && pixels::width(&text) < geometry.cell {
        draw_tiny_number(scene, theme, geometry, path, &text);
        return;
    }
    let radius = badge_radius(geometry);
    let ground = theme.robot(path.robot);
    let halo = radius + badge_halo(geometry);
    scene.circle(path.badge, halo, theme.paint(ColorRole::Board));
    scene.circle(
        path.badge,
        radius,
        theme.paint(ColorRole::Robot(path.robot)),
    );
    if (ground.lightness() - theme.board.lightness()).abs() < 0.4 {
        let edge = geometry.cells(0.025).max(0.75);
        scene.ring(
            path.badge,
            radius - edge / 2.0,
            edge,
            theme.paint(ColorRole::Line(path.robot)),
        );
    }
    let height = match text.len() {
        1 => radius * 1.15,
        2 => radius * 1.0,
        _ => radius * 0.7,
    };
    let font = Font::bold(height, theme.paint(ColorRole::Letter(path.robot)));
    font.draw(scene, &text, path.badge, Anchor::Middle);
}

/// Draws a number on a patch of the board's colour, because a disc would be larger than the cell.
fn draw_tiny_number(
    scene: &mut Scene,
    theme: &Theme,
    geometry: BoardGeometry,
    path: &MovePath,
    text: &str,
) {
    let width = (pixels::width(text) + 2.0).min(geometry.cell);
    let height = pixels::HEIGHT + 2.0;
    let corner = path.badge.plus(-width / 2.0, -height / 2.0);
    let ground = theme.paint(ColorRole::Board);
    scene.rect(corner.x.round(), corner.y.round(), width, height, ground);
    let ink = theme.paint(ColorRole::TargetLetter(path.robot));
    pixels::draw(scene, text, path.badge, ink);
}

#[cfg(test)]
mod tests {
    use ricochet_core::{Board, Goal, Puzzle, Solution};

    use super::*;

    fn trace(moves: &str) -> (BoardGeometry, Trace) {
        let board = Board::builder(8, 3).build().unwrap();
        let goal = Goal {
            robot: None,
            cell: Cell::new(3, 1),
        };
        let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(4, 1)], goal).unwrap();
        let moves: Solution = moves.parse().unwrap();
        let trace = Trace::play(&puzzle, moves.moves()).unwrap();
        (BoardGeometry::new(puzzle.board(), 40, false), trace)
    }

    #[test]
    fn ways_along_the_same_cells_have_lanes_of_their_own() {
        let (geometry, trace) = trace("RE RW RE RW RE RS RN GN GE");
        let legs = lanes(geometry, &trace);
        for (i, leg) in legs.iter().enumerate() {
            assert!(leg.offset.abs() < 20.0, "a lane stays in its cells");
            for other in &legs[..i] {
                let apart = (leg.offset - other.offset).abs() >= 2.0;
                assert!(!leg.runs_along(other) || apart, "{leg:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_way_begins_where_the_robots_last_one_ended() {
        let (geometry, trace) = trace("RE RS GN RW GE RN RE");
        let paths = lay_out(geometry, &trace, &[], Cell::new(3, 1));
        for (i, path) in paths.iter().enumerate() {
            let last = paths[..i]
                .iter()
                .rev()
                .find(|other| other.robot == path.robot);
            if let Some(last) = last {
                assert_eq!(last.points.last(), path.points.first());
            }
        }
    }

    #[test]
    fn numbers_are_on_the_board_and_apart() {
        let (geometry, trace) = trace("RE RS GN RW GE RN RE");
        let paths = lay_out(geometry, &trace, &[], Cell::new(3, 1));
        for (i, path) in paths.iter().enumerate() {
            assert!(geometry.distance_inside(path.badge) > 0.0);
            for other in &paths[..i] {
                assert!(path.badge.distance(other.badge) > badge_radius(geometry));
            }
        }
    }

    /// Red moves by one cell, between pieces: there is no room for a number on the line.
    fn one_cell_moves() -> (BoardGeometry, Trace) {
        let board = Board::builder(5, 4)
            .wall(Cell::new(1, 1), Direction::East)
            .wall(Cell::new(1, 1), Direction::South)
            .build()
            .unwrap();
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: Cell::new(1, 1),
        };
        let puzzle = Puzzle::new(board, &[Cell::new(0, 1), Cell::new(4, 3)], goal).unwrap();
        let trace = Trace::play(&puzzle, "RE".parse::<Solution>().unwrap().moves()).unwrap();
        (BoardGeometry::new(puzzle.board(), 40, false), trace)
    }

    #[test]
    fn the_number_of_a_one_cell_move_leaves_its_arrowhead_and_the_pieces_free() {
        let (geometry, trace) = one_cell_moves();
        let pieces = occupied_cells(&trace);
        let paths = lay_out(geometry, &trace, &pieces, Cell::new(1, 1));
        assert_eq!(trace.steps[0].path.len(), 1);
        let radius = badge_radius(geometry);
        let tip = *paths[0].points.last().unwrap();
        let base = tip.plus(-arrow_length(geometry), 0.0);
        assert!(paths[0].badge.distance_to_line(base, tip) >= radius * 0.9);
        for &cell in &pieces {
            let far = paths[0].badge.distance(geometry.middle(cell));
            assert!(far >= geometry.cells(ROBOT_RADIUS) + radius * 0.8, "{far}");
        }
    }

    #[test]
    fn an_arrowhead_is_never_below_a_piece() {
        // Red stops next to green's start and goes on; green stops where red was.
        let (geometry, trace) = trace("RE RS GE GN GW RW RN");
        let pieces = occupied_cells(&trace);
        for path in lay_out(geometry, &trace, &pieces, Cell::new(3, 1)) {
            let tip = *path.points.last().unwrap();
            for &cell in &pieces {
                let far = tip.distance(geometry.middle(cell));
                assert!(far >= geometry.cells(ROBOT_RADIUS), "{far} {}", path.number);
            }
        }
    }

    #[test]
    fn a_number_is_never_larger_than_a_cell() {
        let board = Board::builder(4, 4).build().unwrap();
        for cell in [8, 10, 12, 20, 40, 128] {
            let geometry = BoardGeometry::new(&board, cell, true);
            let side = 2.0 * (badge_radius(geometry) + badge_halo(geometry));
            assert!(side <= cell as f32, "{side} on cells of {cell}");
        }
    }
}
