//! Bars side by side; published ones are hatched.

use std::fmt::Write as _;

use ricochet_draw::svg::{Number, SvgWriter};

use super::draw::{Frame, text_at, text_width};
use super::scale::Scale;
use super::style::COLORS;
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
    // All values level, or all upright: a mixture is hard to read.
    let labels = match width {
        _ if widest <= width - 2.0 => Labels::Level,
        _ if width >= UPRIGHT => Labels::Upright,
        _ => Labels::None,
    };
    for (i, series) in chart.series.iter().enumerate() {
        svg.open("g").class(&format!("c{}", series.style % COLORS));
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
            shape.draw(svg, series.published);
            let about = format!("{}: {}, {value}", series.name, chart.name_at(at));
            svg.leaf("title").text(&about);
            svg.close();
            shape.label(svg, &short, labels);
        }
        svg.close();
    }
}

struct Bar {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Bar {
    /// Filled, or outlined with hatching. The hatching is drawn line by line: patterns would need
    /// ids, which clash when two plots stand in one page.
    fn draw(&self, svg: &mut SvgWriter, hatched: bool) {
        let Self {
            left,
            top,
            width,
            height,
        } = *self;
        if hatched {
            let mut path = String::new();
            let step = 5.0;
            let mut offset = step;
            // Lines rise to the right at 45 degrees from the left or bottom edge to the top or right.
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
            svg.leaf("path").class("h").attr("d", path);
        }
        svg.leaf("rect")
            .class(if hatched { "o" } else { "b" })
            .attr("x", Number(left as f32))
            .attr("y", Number(top as f32))
            .attr("width", Number(width as f32))
            .attr("height", Number(height as f32));
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

/// How the values of bars are written.
#[derive(Clone, Copy)]
enum Labels {
    /// Where the bars are wide enough.
    Level,
    Upright,
    /// Where not even that has room.
    None,
}

/// How large values are beside other text.
const LABEL: f64 = 9.0 / 12.0;

/// A line of them needs this much, so that two upright ones side by side do not touch.
const UPRIGHT: f64 = 9.5;

pub(super) fn swatch(svg: &mut SvgWriter, series: &Series, left: f64, middle: f64) {
    Bar {
        left: left + 6.0,
        top: middle - 6.0,
        width: 18.0,
        height: 12.0,
    }
    .draw(svg, series.published);
}
