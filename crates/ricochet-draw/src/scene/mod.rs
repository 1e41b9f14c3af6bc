//! A picture as a list of outlines, from which SVG, PNG, GIF and PDF are written.
//!
//! Even letters are outlines (see [`crate::letters::glyphs`]), so that no font is needed and all formats
//! look the same.

pub(crate) mod board;
pub(crate) mod geometry;
pub(crate) mod measure;
pub(crate) mod move_paths;
pub(crate) mod pieces;
pub(crate) mod shading;
pub(crate) mod shapes;
pub(crate) mod walls;

use crate::color::role::Paint;

/// A point of a scene: x to the right, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// The point at these coordinates.
pub(crate) const fn at(x: f32, y: f32) -> Point {
    Point { x, y }
}

impl Point {
    pub(crate) fn plus(self, dx: f32, dy: f32) -> Self {
        at(self.x + dx, self.y + dy)
    }

    pub(crate) fn distance(self, other: Self) -> f32 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// The distance to the nearest point of a horizontal or vertical line between two points.
    pub(crate) fn distance_to_line(self, a: Self, b: Self) -> f32 {
        let nearest = at(
            self.x.clamp(a.x.min(b.x), a.x.max(b.x)),
            self.y.clamp(a.y.min(b.y), a.y.max(b.y)),
        );
        self.distance(nearest)
    }

    /// Between this point (`share` 0) and another (`share` 1).
    pub(crate) fn towards(self, other: Self, share: f32) -> Self {
        at(
            self.x + (other.x - self.x) * share,
            self.y + (other.y - self.y) * share,
        )
    }
}

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    Move(Point),
    Line(Point),
    Cubic(Point, Point, Point),
    Close,
}

/// The distance of the control points of a quarter of an ellipse from its ends.
pub(crate) const QUARTER: f32 = 0.552_284_8;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
    Rect {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        radius: f32,
    },
    Circle {
        center: Point,
        radius: f32,
    },
    Path(Vec<Segment>),
}

impl Outline {
    /// The outline as a path.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        match self {
            Self::Path(segments) => segments.clone(),
            &Self::Rect {
                x,
                y,
                width,
                height,
                radius,
            } => rounded_rect(x, y, width, height, radius),
            &Self::Circle { center, radius } => {
                let mut path = Vec::with_capacity(6);
                ellipse(&mut path, center, radius, radius);
                path
            }
        }
    }
}

/// Adds an ellipse to a path.
pub(crate) fn ellipse(path: &mut Vec<Segment>, center: Point, rx: f32, ry: f32) {
    let (kx, ky) = (rx * QUARTER, ry * QUARTER);
    let p = |dx: f32, dy: f32| center.plus(dx, dy);
    path.extend([
        Segment::Move(p(rx, 0.0)),
        Segment::Cubic(p(rx, ky), p(kx, ry), p(0.0, ry)),
        Segment::Cubic(p(-kx, ry), p(-rx, ky), p(-rx, 0.0)),
        Segment::Cubic(p(-rx, -ky), p(-kx, -ry), p(0.0, -ry)),
        Segment::Cubic(p(kx, -ry), p(rx, -ky), p(rx, 0.0)),
        Segment::Close,
    ]);
}

fn rounded_rect(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Vec<Segment> {
    let (right, bottom) = (x + width, y + height);
    let r = radius.min(width / 2.0).min(height / 2.0);
    if r <= 0.0 {
        return vec![
            Segment::Move(at(x, y)),
            Segment::Line(at(right, y)),
            Segment::Line(at(right, bottom)),
            Segment::Line(at(x, bottom)),
            Segment::Close,
        ];
    }
    let k = r * (1.0 - QUARTER);
    vec![
        Segment::Move(at(x + r, y)),
        Segment::Line(at(right - r, y)),
        Segment::Cubic(at(right - k, y), at(right, y + k), at(right, y + r)),
        Segment::Line(at(right, bottom - r)),
        Segment::Cubic(
            at(right, bottom - k),
            at(right - k, bottom),
            at(right - r, bottom),
        ),
        Segment::Line(at(x + r, bottom)),
        Segment::Cubic(at(x + k, bottom), at(x, bottom - k), at(x, bottom - r)),
        Segment::Line(at(x, y + r)),
        Segment::Cubic(at(x, y + k), at(x + k, y), at(x + r, y)),
        Segment::Close,
    ]
}

/// A line drawn along an outline; ends and corners are round.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) color: Paint,
    pub(crate) width: f32,
    /// Lengths of dashes and gaps in turn; empty for a solid line.
    pub(crate) dashes: Vec<f32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) outline: Outline,
    pub(crate) fill: Option<Paint>,
    pub(crate) stroke: Option<Stroke>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Shape(Shape),
    /// The start of a group, named for people who edit the SVG.
    Open(&'static str),
    /// The end of a group.
    Close,
}

/// A list of shapes, painted in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scene {
    pub(crate) items: Vec<Item>,
}

impl Scene {
    pub(crate) fn group(&mut self, name: &'static str, draw: impl FnOnce(&mut Self)) {
        self.items.push(Item::Open(name));
        draw(self);
        if self.items.last() == Some(&Item::Open(name)) {
            self.items.pop();
        } else {
            self.items.push(Item::Close);
        }
    }

    pub(crate) fn push(&mut self, outline: Outline, fill: Option<Paint>, stroke: Option<Stroke>) {
        self.items.push(Item::Shape(Shape {
            outline,
            fill,
            stroke,
        }));
    }

    pub(crate) fn fill(&mut self, outline: Outline, color: impl Into<Paint>) {
        self.push(outline, Some(color.into()), None);
    }

    pub(crate) fn rect(
        &mut self,
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        color: impl Into<Paint>,
    ) {
        self.round_rect(x, y, width, height, 0.0, color);
    }

    pub(crate) fn round_rect(
        &mut self,
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        radius: f32,
        color: impl Into<Paint>,
    ) {
        let outline = Outline::Rect {
            x,
            y,
            width,
            height,
            radius,
        };
        self.fill(outline, color);
    }

    pub(crate) fn circle(&mut self, center: Point, radius: f32, color: impl Into<Paint>) {
        self.fill(Outline::Circle { center, radius }, color);
    }

    pub(crate) fn ring(&mut self, center: Point, radius: f32, width: f32, color: impl Into<Paint>) {
        let stroke = Stroke {
            color: color.into(),
            width,
            dashes: Vec::new(),
        };
        self.push(Outline::Circle { center, radius }, None, Some(stroke));
    }

    pub(crate) fn polygon(&mut self, points: &[Point], color: impl Into<Paint>) {
        self.fill(Outline::Path(closed(points)), color);
    }

    pub(crate) fn polyline(
        &mut self,
        points: &[Point],
        width: f32,
        color: impl Into<Paint>,
        dashes: &[f32],
    ) {
        let mut path = Vec::with_capacity(points.len());
        for &point in points {
            path.push(if path.is_empty() {
                Segment::Move(point)
            } else {
                Segment::Line(point)
            });
        }
        let stroke = Stroke {
            color: color.into(),
            width,
            dashes: dashes.to_vec(),
        };
        self.push(Outline::Path(path), None, Some(stroke));
    }

    /// The shapes without the groups.
    #[cfg(any(feature = "raster", feature = "pdf"))]
    pub(crate) fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.items.iter().filter_map(|item| match item {
            Item::Shape(shape) => Some(shape),
            Item::Open(_) | Item::Close => None,
        })
    }

    /// Adds another scene, its origin at `origin`, `scale` times as large.
    pub(crate) fn embed(&mut self, other: &Self, origin: Point, scale: f32) {
        let map = |p: Point| at(origin.x + p.x * scale, origin.y + p.y * scale);
        for item in &other.items {
            let mut item = item.clone();
            if let Item::Shape(shape) = &mut item {
                shape.outline = match &shape.outline {
                    Outline::Rect {
                        x,
                        y,
                        width,
                        height,
                        radius,
                    } => Outline::Rect {
                        x: origin.x + x * scale,
                        y: origin.y + y * scale,
                        width: width * scale,
                        height: height * scale,
                        radius: radius * scale,
                    },
                    Outline::Circle { center, radius } => Outline::Circle {
                        center: map(*center),
                        radius: radius * scale,
                    },
                    Outline::Path(path) => Outline::Path(
                        path.iter()
                            .map(|segment| match *segment {
                                Segment::Move(p) => Segment::Move(map(p)),
                                Segment::Line(p) => Segment::Line(map(p)),
                                Segment::Cubic(a, b, c) => Segment::Cubic(map(a), map(b), map(c)),
                                Segment::Close => Segment::Close,
                            })
                            .collect(),
                    ),
                };
                if let Some(stroke) = &mut shape.stroke {
                    stroke.width *= scale;
                    for dash in &mut stroke.dashes {
                        *dash *= scale;
                    }
                }
            }
            self.items.push(item);
        }
    }
}

/// The closed path through points.
pub(crate) fn closed(points: &[Point]) -> Vec<Segment> {
    let mut path: Vec<Segment> = points
        .iter()
        .enumerate()
        .map(|(i, &point)| {
            if i == 0 {
                Segment::Move(point)
            } else {
                Segment::Line(point)
            }
        })
        .collect();
    path.push(Segment::Close);
    path
}
