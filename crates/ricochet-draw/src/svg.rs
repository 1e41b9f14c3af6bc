//! Scenes as SVG, by hand.

use std::fmt::{self, Write as _};

use crate::color::Color;
use crate::scene::{Item, Outline, Point, Scene, Segment, Stroke};

/// A number with at most two decimals.
pub(crate) struct Number(pub(crate) f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        let (whole, rest) = (hundredths.abs() / 100, hundredths.abs() % 100);
        if hundredths < 0 {
            f.write_str("-")?;
        }
        match rest {
            0 => write!(f, "{whole}"),
            r if r % 10 == 0 => write!(f, "{whole}.{}", r / 10),
            r => write!(f, "{whole}.{r:02}"),
        }
    }
}

/// Text with what XML does not allow left out and what it reserves escaped.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '\t' | '\n' | ' '..='\u{7e}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'.. => {
                    f.write_char(character)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// A scene as an SVG document. `unit` is the unit of its size on paper, such as `pt`, or empty.
pub(crate) fn document(
    scene: &Scene,
    (width, height): (f32, f32),
    unit: &str,
    title: &str,
    description: &str,
) -> String {
    let mut text = String::with_capacity(scene.items.len() * 100);
    let written = write_document(&mut text, scene, (width, height), unit, title, description);
    debug_assert!(written.is_ok(), "writing to a string never fails");
    text
}

fn write_document(
    out: &mut String,
    scene: &Scene,
    (width, height): (f32, f32),
    unit: &str,
    title: &str,
    description: &str,
) -> fmt::Result {
    let (w, h) = (Number(width), Number(height));
    write!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" ")?;
    writeln!(
        out,
        "width=\"{w}{unit}\" height=\"{h}{unit}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    )?;
    writeln!(out, "<title>{}</title>", Escaped(title))?;
    if !description.is_empty() {
        writeln!(out, "<desc>{}</desc>", Escaped(description))?;
    }
    for item in &scene.items {
        match item {
            Item::Open(name) => writeln!(out, "<g class=\"{name}\">")?,
            Item::Close => writeln!(out, "</g>")?,
            Item::Shape(shape) => {
                match &shape.outline {
                    Outline::Rect {
                        x,
                        y,
                        width,
                        height,
                        radius,
                    } => {
                        write!(out, "<rect x=\"{}\" y=\"{}\" ", Number(*x), Number(*y))?;
                        write!(
                            out,
                            "width=\"{}\" height=\"{}\"",
                            Number(*width),
                            Number(*height)
                        )?;
                        if *radius > 0.0 {
                            write!(out, " rx=\"{}\"", Number(*radius))?;
                        }
                    }
                    Outline::Circle { center, radius } => write!(
                        out,
                        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"",
                        Number(center.x),
                        Number(center.y),
                        Number(*radius)
                    )?,
                    Outline::Path(path) => {
                        out.push_str("<path d=\"");
                        write_path(out, path)?;
                        out.push('"');
                    }
                }
                write_paint(out, shape.fill, shape.stroke.as_ref())?;
                out.push_str("/>\n");
            }
        }
    }
    out.push_str("</svg>\n");
    Ok(())
}

fn write_paint(out: &mut String, fill: Option<Color>, stroke: Option<&Stroke>) -> fmt::Result {
    match fill {
        None => write!(out, " fill=\"none\"")?,
        Some(color) => {
            write!(out, " fill=\"{color}\"")?;
            if color.a < 255 {
                write!(out, " fill-opacity=\"{}\"", Number(color.opacity()))?;
            }
        }
    }
    if let Some(stroke) = stroke {
        let color = stroke.color;
        write!(
            out,
            " stroke=\"{color}\" stroke-width=\"{}\"",
            Number(stroke.width)
        )?;
        if color.a < 255 {
            write!(out, " stroke-opacity=\"{}\"", Number(color.opacity()))?;
        }
        for (i, &length) in stroke.dashes.iter().enumerate() {
            out.push_str(if i == 0 { " stroke-dasharray=\"" } else { " " });
            write!(out, "{}", Number(length))?;
        }
        if !stroke.dashes.is_empty() {
            out.push('"');
        }
    }
    Ok(())
}

fn write_path(out: &mut String, path: &[Segment]) -> fmt::Result {
    let mut here: Option<Point> = None;
    for &segment in path {
        match segment {
            Segment::Move(p) => {
                write!(out, "M{} {}", Number(p.x), Number(p.y))?;
                here = Some(p);
            }
            Segment::Line(p) => {
                match here {
                    Some(from) if Number(from.x).to_string() == Number(p.x).to_string() => {
                        write!(out, "V{}", Number(p.y))?;
                    }
                    Some(from) if Number(from.y).to_string() == Number(p.y).to_string() => {
                        write!(out, "H{}", Number(p.x))?;
                    }
                    _ => write!(out, "L{} {}", Number(p.x), Number(p.y))?,
                }
                here = Some(p);
            }
            Segment::Cubic(a, b, p) => {
                write!(
                    out,
                    "C{} {} {} {} {} {}",
                    Number(a.x),
                    Number(a.y),
                    Number(b.x),
                    Number(b.y),
                    Number(p.x),
                    Number(p.y)
                )?;
                here = Some(p);
            }
            Segment::Close => {
                out.push('Z');
                here = None;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_scientific() {
        let text = |value: f32| Number(value).to_string();
        assert_eq!(text(3.0), "3");
        assert_eq!(text(-0.001), "0");
        assert_eq!(text(-0.25), "-0.25");
        assert_eq!(text(12.5), "12.5");
        assert_eq!(text(0.05), "0.05");
        assert_eq!(text(1e6), "1000000");
    }

    #[test]
    fn text_is_escaped_and_control_characters_are_dropped() {
        let text = Escaped("<a & b>\u{0}\u{1b}\u{ffff}é").to_string();
        assert_eq!(text, "&lt;a &amp; b&gt;é");
    }
}
