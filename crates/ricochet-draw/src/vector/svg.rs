//! Scenes as SVG.

use std::fmt::Write as _;

use crate::color::role::Paint;
use crate::scene::{Item, Outline, Point, Scene, Segment};

pub(super) use super::svg_writer::numbers;
pub use super::svg_writer::{Escaped, Number, SvgWriter, Tag};

/// How colours are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    /// As fixed values, for every program that shows SVG.
    Fixed,
    /// As CSS variables that a page can set, for browsers.
    Css,
}

/// What a document has apart from its scene.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) size: (f32, f32),
    /// The unit of its size on paper, such as `pt`, or empty.
    pub(crate) unit: &'static str,
    pub(crate) colors: Colors,
    pub(crate) title: String,
    /// Empty for none.
    pub(crate) description: String,
}

/// A scene as an SVG document.
pub(crate) fn document(scene: &Scene, about: &Document) -> String {
    let (width, height) = about.size;
    let mut svg = SvgWriter::new();
    let (w, h, unit) = (Number(width), Number(height), about.unit);
    svg.open("svg")
        .attr("xmlns", "http://www.w3.org/2000/svg")
        .attr("width", format_args!("{w}{unit}"))
        .attr("height", format_args!("{h}{unit}"))
        .attr("viewBox", format_args!("0 0 {w} {h}"))
        .attr("role", "img")
        .attr("stroke-linecap", "round")
        .attr("stroke-linejoin", "round");
    svg.leaf("title").text(&about.title);
    if !about.description.is_empty() {
        svg.leaf("desc").text(&about.description);
    }
    for item in &scene.items {
        match item {
            Item::Open(name) => drop(svg.open("g").class(name)),
            Item::Close => svg.close(),
            Item::Shape(shape) => {
                let mut tag = outline(&mut svg, &shape.outline);
                tag = paint(tag, "fill", shape.fill, about.colors);
                tag = opacity(tag, "fill-opacity", shape.fill);
                if let Some(stroke) = &shape.stroke {
                    tag = paint(tag, "stroke", Some(stroke.color), about.colors)
                        .attr("stroke-width", Number(stroke.width));
                    tag = opacity(tag, "stroke-opacity", Some(stroke.color));
                    if !stroke.dashes.is_empty() {
                        tag = tag.attr("stroke-dasharray", numbers(&stroke.dashes));
                    }
                }
                drop(tag);
            }
        }
    }
    svg.finish()
}

fn outline<'a>(svg: &'a mut SvgWriter, outline: &Outline) -> Tag<'a> {
    match *outline {
        Outline::Rect {
            x,
            y,
            width,
            height,
            radius,
        } => {
            let tag = svg
                .leaf("rect")
                .attr("x", Number(x))
                .attr("y", Number(y))
                .attr("width", Number(width))
                .attr("height", Number(height));
            if radius > 0.0 {
                tag.attr("rx", Number(radius))
            } else {
                tag
            }
        }
        Outline::Circle { center, radius } => svg
            .leaf("circle")
            .attr("cx", Number(center.x))
            .attr("cy", Number(center.y))
            .attr("r", Number(radius)),
        Outline::Path(ref path) => svg.leaf("path").attr("d", path_data(path)),
    }
}

/// A colour as the attribute `fill` or `stroke`.
fn paint<'a>(tag: Tag<'a>, name: &str, paint: Option<Paint>, colors: Colors) -> Tag<'a> {
    let Some(Paint { color, role }) = paint else {
        return tag.attr(name, "none");
    };
    match role.filter(|_| colors == Colors::Css) {
        Some(role) => tag.attr(name, format_args!("var(--rr-{role},{color})")),
        None => tag.attr(name, color),
    }
}

/// The opacity of a colour as an attribute, unless it is opaque.
fn opacity<'a>(tag: Tag<'a>, name: &str, paint: Option<Paint>) -> Tag<'a> {
    match paint {
        Some(Paint { color, .. }) if color.a < 255 => tag.attr(name, Number(color.opacity())),
        _ => tag,
    }
}

/// The data of a path, for the attribute `d`.
pub(crate) fn path_data(path: &[Segment]) -> String {
    let mut data = String::new();
    let mut here: Option<Point> = None;
    for &segment in path {
        let _ = match segment {
            Segment::Move(p) => write!(data, "M{p}"),
            Segment::Line(p) => match here {
                Some(from) if Number(from.x).to_string() == Number(p.x).to_string() => {
                    write!(data, "V{}", Number(p.y))
                }
                Some(from) if Number(from.y).to_string() == Number(p.y).to_string() => {
                    write!(data, "H{}", Number(p.x))
                }
                _ => write!(data, "L{p}"),
            },
            Segment::Cubic(a, b, p) => write!(data, "C{a} {b} {p}"),
            Segment::Close => write!(data, "Z"),
        };
        here = match segment {
            Segment::Move(p) | Segment::Line(p) | Segment::Cubic(_, _, p) => Some(p),
            Segment::Close => None,
        };
    }
    data
}
