//! Bars side by side. Solvers that share a colour differ in the fill; published bars are hatched.

use std::fmt::Write as _;

use ricochet_draw::svg::{Number, SvgWriter};

use super::draw::{Frame, text_at, text_width};
use super::scale::Scale;
use super::style::{color_of, fill_of};
use super::{Chart, Series};

pub(super) fn draw_bars(chart: &Chart, svg: &mut SvgWriter, frame: &Frame, x: &Scale, y: &Scale) {
    let count = chart.series.len().max(1) as f64;
    let slot = x.at(1.0) - x.at(0.0);
    let wide = (slot * 0.82 / count).clamp(0.6, 46.0);
    let width = (wide - if wide > 4.0 { 1.0 } else { 0.0 }).max(0.5);
    let values = chart.series.iter().flat_map(|series| &series.points);
    let widest = values
        .map(|&(_, value)| text_width(&chart.y.unit.show_short(value)) * LABEL)
        .fold(0.0, f64::max);
    // Values are all horizontal or all vertical: a mixture is hard to read.
    let labels = match width {
        _ if widest <= width - 2.0 => Labels::Level,
        _ if width >= UPRIGHT => Labels::Upright,
        _ => Labels::None,
    };
    for (i, series) in chart.series.iter().enumerate() {
        svg.open("g").class(&format!("c{}", color_of(series.style)));
        for &(at, value) in &series.points {
            let left = x.at(at) - wide * count / 2.0 + wide * i as f64;
            let (end, foot) = (
                y.at(value),
                if chart.y.log { y.at(1.0) } else { frame.bottom },
            );
            let shape = Bar {
                left,
                top: end.min(foot),
                width,
                height: (foot - end).abs(),
            };
            let short = chart.y.unit.show_short(value);
            let value = chart.y.unit.show(value);
            svg.open("g");
            shape.draw(svg, Fill::of(series));
            let about = format!("{}: {}, {value}", series.name, chart.name_at(at));
            svg.leaf("title").text(&about);
            svg.close();
            shape.label(svg, &short, labels);
        }
        svg.close();
    }
}

/// The fill of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    Solid,
    Tinted,
    /// Horizontal lines.
    Level,
    /// Vertical lines.
    Upright,
    /// Horizontal and vertical lines.
    Crossed,
    Empty,
    /// Slanted lines, for published values.
    Hatched,
}

impl Fill {
    fn of(series: &Series) -> Self {
        match fill_of(series.style) {
            _ if series.published => Self::Hatched,
            0 => Self::Solid,
            1 => Self::Tinted,
            2 => Self::Level,
            3 => Self::Upright,
            4 => Self::Crossed,
            _ => Self::Empty,
        }
    }

    /// The class of the bar's rectangle.
    fn class(self) -> &'static str {
        match self {
            Self::Solid => "b",
            Self::Tinted => "t",
            _ => "o",
        }
    }
}

struct Bar {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Bar {
    /// A filled rectangle, or an outline with lines in it. The lines are drawn one by one, since
    /// patterns need ids, which would clash if a page has two plots.
    fn draw(&self, svg: &mut SvgWriter, fill: Fill) {
        let lines = match fill {
            Fill::Hatched => self.slanting_lines(),
            Fill::Level => self.level_lines(),
            Fill::Upright => self.upright_lines(),
            Fill::Crossed => self.level_lines() + &self.upright_lines(),
            Fill::Solid | Fill::Tinted | Fill::Empty => String::new(),
        };
        if !lines.is_empty() {
            svg.leaf("path").class("h").attr("d", lines);
        }
        svg.leaf("rect")
            .class(fill.class())
            .attr("x", Number(self.left as f32))
            .attr("y", Number(self.top as f32))
            .attr("width", Number(self.width as f32))
            .attr("height", Number(self.height as f32));
    }

    /// Lines that rise to the right at 45 degrees from the left or bottom edge to the top or right.
    fn slanting_lines(&self) -> String {
        let Self {
            left,
            top,
            width,
            height,
        } = *self;
        let mut path = String::new();
        let step = 5.0;
        let mut offset = step;
        while offset < width + height {
            let (x1, y1) = if offset <= height {
                (left, top + offset)
            } else {
                (left + offset - height, top + height)
            };
            let (x2, y2) = if offset <= width {
                (left + offset, top)
            } else {
                (left + width, top + offset - width)
            };
            let _ = write!(path, "M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
            offset += step;
        }
        path
    }

    fn level_lines(&self) -> String {
        let mut path = String::new();
        for y in between(self.top, self.height) {
            let _ = write!(path, "M{:.1} {y:.1}h{:.1}", self.left, self.width);
        }
        path
    }

    fn upright_lines(&self) -> String {
        let mut path = String::new();
        for x in between(self.left, self.width) {
            let _ = write!(path, "M{x:.1} {:.1}v{:.1}", self.top, self.height);
        }
        path
    }

    /// The value above the bar.
    fn label(&self, svg: &mut SvgWriter, value: &str, labels: Labels) {
        let middle = self.left + self.width / 2.0;
        match labels {
            Labels::Level => {
                text_at(svg, middle, self.top - 4.0)
                    .class("value")
                    .attr("text-anchor", "middle")
                    .text(value);
            }
            Labels::Upright => {
                let (x, y) = (middle + 3.0, self.top - 4.0);
                text_at(svg, x, y)
                    .class("value")
                    .attr("transform", format!("rotate(-90 {x:.1} {y:.1})"))
                    .text(value);
            }
            Labels::None => {}
        }
    }
}

/// Positions of lines, 4 px apart, that divide a length.
fn between(start: f64, length: f64) -> impl Iterator<Item = f64> {
    let count = (length / 4.0) as usize;
    (1..=count).map(move |i| start + length * i as f64 / (count + 1) as f64)
}

/// The orientation of the values above bars.
#[derive(Clone, Copy)]
enum Labels {
    /// If the bars are wide enough.
    Level,
    Upright,
    /// If vertical values do not fit either.
    None,
}

/// The size of values relative to other text.
const LABEL: f64 = 9.0 / 12.0;

/// The height of a line of values, so that neighbouring vertical ones do not touch.
const UPRIGHT: f64 = 9.5;

pub(super) fn swatch(svg: &mut SvgWriter, series: &Series, left: f64, middle: f64) {
    Bar {
        left: left + 6.0,
        top: middle - 6.0,
        width: 18.0,
        height: 12.0,
    }
    .draw(svg, Fill::of(series));
}
