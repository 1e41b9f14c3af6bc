//! Plots as SVG: small files, text that stays text, series that differ in more than colour (marker,
//! dash, hatching), and the reader's light or dark theme.

mod bars;
mod draw;
mod scale;
mod style;

pub use draw::{Size, standalone};
pub use scale::Unit;
pub(crate) use style::{DARK, LIGHT, STYLE, confusable, make_styles_distinct};
pub use style::{NEUTRAL, style_of};

use anyhow::Result;

/// A series of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Whether others published it: drawn hollow and dashed, or hatched.
    pub published: bool,
    /// The points, ascending in x.
    pub points: Vec<(f64, f64)>,
    /// The style number; series of the same subject share it.
    pub style: usize,
}

impl Series {
    /// A series of ours.
    pub fn new(name: impl Into<String>, style: usize, points: Vec<(f64, f64)>) -> Self {
        Self {
            name: name.into(),
            published: false,
            points,
            style,
        }
    }

    /// A series that others published.
    pub fn published(name: impl Into<String>, style: usize, points: Vec<(f64, f64)>) -> Self {
        Self {
            published: true,
            ..Self::new(name, style, points)
        }
    }
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Joined by lines, with markers.
    Line,
    /// Joined by steps, with few markers, for cumulative counts.
    Step,
    /// Bars side by side.
    Bar,
}

/// One axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The label.
    pub label: String,
    /// The unit of its numbers.
    pub unit: Unit,
    /// Whether it is logarithmic.
    pub log: bool,
    /// Names instead of numbers, at 0, 1, 2, …
    pub names: Vec<String>,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str, unit: Unit) -> Self {
        Self {
            label: label.to_owned(),
            unit,
            log: false,
            names: Vec::new(),
        }
    }

    /// A logarithmic axis.
    pub fn log(label: &str, unit: Unit) -> Self {
        Self {
            log: true,
            ..Self::linear(label, unit)
        }
    }

    /// An axis of names.
    pub fn names(label: &str, names: Vec<String>) -> Self {
        Self {
            names,
            ..Self::linear(label, Unit::Plain)
        }
    }
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// How points are drawn.
    pub mark: Mark,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The data.
    pub series: Vec<Series>,
}

impl Chart {
    /// The points as CSV: series, source, x, y.
    ///
    /// # Errors
    /// Those of the CSV writer, which a chart cannot cause.
    pub fn to_csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["series", "source", &self.x.label, &self.y.label])?;
        for series in &self.series {
            let source = if series.published {
                "published"
            } else {
                "ours"
            };
            for &(x, y) in &series.points {
                let x = match self.x.names.get(x as usize) {
                    Some(name) if x >= 0.0 => name.clone(),
                    _ => format!("{x}"),
                };
                writer.write_record([&series.name, source, &x, &y.to_string()])?;
            }
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.points.is_empty())
    }
}
