//! Scenes as pixels, and PNG.

mod gif;
mod palette;

use std::fmt;

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, StrokeDash, Transform};

use crate::color::Color;
use crate::picture::Picture;
use crate::scene::{Scene, Segment};

/// Why a picture cannot be written as pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RasterError {
    /// There is not enough memory for the pixels.
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The encoder failed, for this reason.
    Encoding(String),
    /// An animation needs a solution, and the picture has none.
    NoSolution,
}

impl fmt::Display for RasterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { width, height } => {
                write!(f, "a picture of {width}×{height} pixels is too large")
            }
            Self::Encoding(reason) => write!(f, "the picture cannot be encoded: {reason}"),
            Self::NoSolution => f.write_str("there are no moves to animate: a solution is needed"),
        }
    }
}

impl std::error::Error for RasterError {}

impl Picture<'_> {
    /// The picture as a PNG file.
    ///
    /// # Errors
    /// If there is not enough memory for the pixels.
    pub fn png(&self) -> Result<Vec<u8>, RasterError> {
        let (scene, size) = self.scene();
        png(&scene, size)
    }
}

/// A scene as a PNG file.
pub(crate) fn png(scene: &Scene, size: (f32, f32)) -> Result<Vec<u8>, RasterError> {
    let mut pixels = blank(size)?;
    paint(&mut pixels, scene);
    pixels
        .encode_png()
        .map_err(|error| RasterError::Encoding(error.to_string()))
}

/// Pixels for a picture of this size.
pub(crate) fn blank((width, height): (f32, f32)) -> Result<Pixmap, RasterError> {
    let (width, height) = (width as u32, height as u32);
    Pixmap::new(width, height).ok_or(RasterError::TooLarge { width, height })
}

/// A copy of the pixels with a scene painted on it.
pub(crate) fn painted_over(ground: &Pixmap, scene: &Scene) -> Pixmap {
    let mut pixels = ground.clone();
    paint(&mut pixels, scene);
    pixels
}

fn solid(color: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(color.r, color.g, color.b, color.a);
    paint.anti_alias = true;
    paint
}

/// Paints a scene.
pub(crate) fn paint(pixels: &mut Pixmap, scene: &Scene) {
    for shape in scene.shapes() {
        let mut builder = PathBuilder::new();
        for segment in shape.outline.segments() {
            match segment {
                Segment::Move(p) => builder.move_to(p.x, p.y),
                Segment::Line(p) => builder.line_to(p.x, p.y),
                Segment::Cubic(a, b, p) => builder.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y),
                Segment::Close => builder.close(),
            }
        }
        let Some(path) = builder.finish() else {
            continue;
        };
        if let Some(color) = shape.fill {
            let identity = Transform::identity();
            pixels.fill_path(
                &path,
                &solid(color.color),
                FillRule::Winding,
                identity,
                None,
            );
        }
        if let Some(stroke) = &shape.stroke {
            let pen = tiny_skia::Stroke {
                width: stroke.width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash: StrokeDash::new(stroke.dashes.clone(), 0.0),
                ..tiny_skia::Stroke::default()
            };
            pixels.stroke_path(
                &path,
                &solid(stroke.color.color),
                &pen,
                Transform::identity(),
                None,
            );
        }
    }
}
