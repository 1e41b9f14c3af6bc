//! Plots as hand-written SVG: small files, text that stays text, series that can be told apart
//! without colour (marker, dash, hatching), light and dark by the reader's own choice.

mod bars;
mod draw;
mod scale;
mod style;

pub use draw::{Size, standalone};
pub use scale::Unit;
pub(crate) use style::{DARK, LIGHT, STYLE, tell_apart};
pub use style::{NEUTRAL, style_of};

use anyhow::Result;

/// One set of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Published by others: drawn hollow and dashed, or hatched.
    pub published: bool,
    /// The points, ascending in x.
    pub points: Vec<(f64, f64)>,
    /// Which colour and marker; series of the same subject share them.
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
    /// Joined by steps, with a marker here and there: cumulative counts.
    Step,
    /// Bars side by side.
    Bar,
}

/// One axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// How its numbers are written.
    pub unit: Unit,
    /// Logarithmic.
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
    /// None that a chart can cause; the CSV writer's own.
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
