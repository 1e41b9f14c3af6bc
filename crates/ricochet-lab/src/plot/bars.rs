//! Bars side by side; published ones are hatched.

use std::fmt::Write as _;

use super::draw::{Frame, escape};
use super::scale::Scale;
use super::style::COLORS;
use super::{Chart, Series};

pub(super) fn draw_bars(chart: &Chart, svg: &mut String, frame: &Frame, x: &Scale, y: &Scale) {
    let count = chart.series.len().max(1) as f64;
    let slot = x.at(1.0) - x.at(0.0);
    let wide = (slot * 0.82 / count).clamp(0.6, 46.0);
    for (i, series) in chart.series.iter().enumerate() {
        let _ = write!(svg, "<g class=\"c{}\">", series.style % COLORS);
        for &(at, value) in &series.points {
            let left = x.at(at) - wide * count / 2.0 + wide * i as f64;
            let (end, foot) = (
                y.at(value),
                if chart.y.log { y.at(1.0) } else { frame.bottom },
            );
            let shape = Bar {
                left,
                top: end.min(foot),
                width: (wide - if wide > 4.0 { 1.0 } else { 0.0 }).max(0.5),
                height: (foot - end).abs(),
            };
            let name = match chart.x.names.get(at as usize) {
                Some(name) => name.clone(),
                None => chart.x.unit.show(at),
            };
            let _ = write!(
                svg,
                "<g>{}<title>{}: {}, {}</title></g>",
                shape.draw(series.published),
                escape(&series.name),
                escape(&name),
                escape(&chart.y.unit.show(value))
            );
        }
        svg.push_str("</g>");
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
    fn draw(&self, hatched: bool) -> String {
        let Self {
            left,
            top,
            width,
            height,
        } = *self;
        if !hatched {
            return format!(
                "<rect class=\"b\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
            );
        }
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
        format!(
            "<path class=\"h\" d=\"{path}\"/>\
             <rect class=\"o\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        )
    }
}

pub(super) fn swatch(series: &Series, left: f64, middle: f64) -> String {
    Bar {
        left: left + 6.0,
        top: middle - 6.0,
        width: 18.0,
        height: 12.0,
    }
    .draw(series.published)
}
