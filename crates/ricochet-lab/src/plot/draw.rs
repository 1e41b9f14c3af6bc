//! Draws a chart: frame, grid, ticks, legend, lines.

use std::fmt::Write as _;

use ricochet_draw::svg::{Number, SvgWriter, Tag};

use super::bars::draw_bars;
use super::scale::Scale;
use super::style::{DARK, LIGHT, STYLE, color_of, dash, marker};
use super::{Chart, Mark, Series};

/// The two sizes of a plot: text must not shrink, so phones get a plot of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For a page.
    Wide,
    /// For a phone.
    Narrow,
}

impl Size {
    fn pixels(self) -> (f64, f64) {
        match self {
            Self::Wide => (760.0, 380.0),
            Self::Narrow => (372.0, 330.0),
        }
    }
}

/// The frame in which points are drawn.
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// The approximate width of a text at 12 px.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 6.6
}

/// The share of a frame's height above its highest bar, enough for a vertical value such as `28.3 ms`.
const VALUE_ROOM: f64 = 0.15;

impl Chart {
    /// The SVG element, for a page that defines the colours as custom properties.
    pub fn to_svg(&self, size: Size, title: &str) -> String {
        let (width, height) = size.pixels();
        let (legend, legend_height) = self.legend(width);
        let longest_tick = self
            .tick_texts()
            .iter()
            .map(|text| text_width(text))
            .fold(0.0, f64::max);
        let frame = Frame {
            left: longest_tick + 14.0,
            right: width - 12.0,
            top: legend_height + 30.0,
            bottom: height - 44.0,
        };
        let (x, y) = self.scales(&frame);
        let mut svg = SvgWriter::new();
        svg.open_svg((width as f32, height as f32))
            .class("plot")
            .attr("role", "img")
            .attr("aria-label", title);
        svg.raw(&legend.finish());
        self.draw_axes(&mut svg, &frame, &x, &y, size);
        match self.mark {
            Mark::Bar => draw_bars(self, &mut svg, &frame, &x, &y),
            Mark::Line | Mark::Step => {
                for series in &self.series {
                    self.draw_line(&mut svg, series, &x, &y);
                }
            }
        }
        svg.finish()
    }

    fn values(&self, pick: fn(&(f64, f64)) -> f64) -> impl Iterator<Item = f64> + '_ {
        self.series
            .iter()
            .flat_map(move |series| series.points.iter().map(pick))
    }

    fn scales(&self, frame: &Frame) -> (Scale, Scale) {
        let y = self.y_scale(frame.bottom, frame.top);
        let x = if self.x.names.is_empty() {
            let margin = if self.mark == Mark::Step { 0.0 } else { 14.0 };
            if self.mark == Mark::Bar {
                let (low, high) = self
                    .values(|p| p.0)
                    .fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
                let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
                Scale::between(low - 0.5, high + 0.5, frame.left, frame.right)
            } else {
                Scale::new(
                    self.values(|p| p.0),
                    self.x.log,
                    self.mark == Mark::Line,
                    frame.left + margin,
                    frame.right - margin,
                )
            }
        } else {
            let last = self.x.names.len() as f64 - 0.5;
            Scale::between(-0.5, last, frame.left, frame.right)
        };
        (x, y)
    }

    /// Bars on a logarithmic scale start at 1, so the scale must include 1.
    fn y_scale(&self, from: f64, to: f64) -> Scale {
        let mut more = Vec::new();
        if self.mark == Mark::Bar {
            // Above the highest bar there is room for its value.
            let highest = self.values(|p| p.1).fold(0.0, f64::max);
            if self.y.log {
                more.push(1.0);
                let lowest = self
                    .values(|p| p.1)
                    .filter(|v| *v > 0.0)
                    .fold(1.0, f64::min);
                more.push(highest * (highest / lowest).powf(VALUE_ROOM / (1.0 - VALUE_ROOM)));
            } else {
                more.push(highest / (1.0 - VALUE_ROOM));
            }
        }
        Scale::new(
            self.values(|p| p.1).chain(more),
            self.y.log,
            false,
            from,
            to,
        )
    }

    fn tick_texts(&self) -> Vec<String> {
        let y = self.y_scale(0.0, 1.0);
        let ticks = y.ticks(5).into_iter();
        ticks.map(|tick| self.y.unit.tick(tick)).collect()
    }

    fn draw_axes(&self, svg: &mut SvgWriter, frame: &Frame, x: &Scale, y: &Scale, size: Size) {
        for tick in y.ticks(5) {
            let at = y.at(tick);
            horizontal(svg, "grid", frame, at);
            text_at(svg, frame.left - 6.0, at + 4.0)
                .class("tick")
                .attr("text-anchor", "end")
                .text(&self.y.unit.tick(tick));
        }
        horizontal(svg, "axis", frame, frame.bottom);
        let label = |svg: &mut SvgWriter, at: f64, text: &str| {
            text_at(svg, at, frame.bottom + 17.0)
                .class("tick")
                .attr("text-anchor", "middle")
                .text(text);
        };
        if self.x.names.is_empty() {
            let wanted = match (size, self.mark) {
                (Size::Wide, Mark::Step) => 8,
                (Size::Wide, _) => 20,
                (Size::Narrow, Mark::Step) => 4,
                (Size::Narrow, _) => 8,
            };
            let mut last_end = f64::MIN;
            // Moves and robots are whole numbers, so there are no ticks between them.
            let whole = self.values(|p| p.0).all(|value| value.fract() == 0.0);
            let ticks = x.ticks(wanted).into_iter();
            for tick in ticks.filter(|tick| !whole || tick.fract() == 0.0) {
                let (at, text) = (x.at(tick), self.x.unit.tick(tick));
                let half = text_width(&text) / 2.0;
                let inside = at > frame.left - 1.0 && at < frame.right + 1.0;
                if inside && at - half > last_end + 5.0 {
                    label(svg, at.min(frame.right - half + 10.0), &text);
                    last_end = at + half;
                }
            }
        } else {
            let room = (frame.right - frame.left) / self.x.names.len() as f64;
            let most = self
                .x
                .names
                .iter()
                .map(|name| text_width(name))
                .fold(0.0, f64::max);
            // If names would touch, only every second or third is shown.
            let every = ((most + 6.0) / room).ceil().max(1.0) as usize;
            for (i, name) in self.x.names.iter().enumerate().step_by(every) {
                label(svg, x.at(i as f64), name);
            }
        }
        let middle = f64::midpoint(frame.left, frame.right);
        text_at(svg, middle, frame.bottom + 36.0)
            .attr("text-anchor", "middle")
            .text(&self.x.label);
        text_at(svg, 2.0, frame.top - 14.0).text(&self.y.label);
    }

    fn draw_line(&self, svg: &mut SvgWriter, series: &Series, x: &Scale, y: &Scale) {
        let points = series
            .points
            .iter()
            .filter(|(_, value)| !self.y.log || *value > 0.0);
        let places: Vec<(f64, f64)> = points.map(|&(a, b)| (x.at(a), y.at(b))).collect();
        let Some(first) = places.first() else { return };
        let mut path = format!("M{:.1} {:.1}", first.0, first.1);
        // The line is broken where nothing was measured.
        let steps = places.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let widest = steps.fold(f64::MAX, f64::min) * 1.5;
        for pair in places.windows(2) {
            let (a, b) = pair[1];
            let _ = match self.mark {
                Mark::Step => write!(path, "H{a:.1}V{b:.1}"),
                _ if !self.x.log && a - pair[0].0 > widest => write!(path, "M{a:.1} {b:.1}"),
                _ => write!(path, "L{a:.1} {b:.1}"),
            };
        }
        let dash = dash(series.style, series.published);
        svg.open("g").class(&format!("c{}", color_of(series.style)));
        // Categories have no order, so they are not joined.
        if self.x.names.is_empty() {
            dashed(svg.leaf("path").class("l").attr("d", path), dash);
        }
        if self.mark == Mark::Line {
            for (&(a, b), &(value_x, value_y)) in places.iter().zip(
                series
                    .points
                    .iter()
                    .filter(|(_, value)| !self.y.log || *value > 0.0),
            ) {
                svg.open("g");
                marker(svg, series.style, a, b, series.published);
                svg.leaf("title").text(&format!(
                    "{}: {}, {}",
                    series.name,
                    self.name_at(value_x),
                    self.y.unit.show(value_y)
                ));
                svg.close();
            }
        }
        if self.mark == Mark::Step {
            for (a, b) in along_steps(&places, series.style) {
                marker(svg, series.style, a, b, series.published);
            }
        }
        svg.close();
    }

    /// The label of a position on the horizontal axis.
    pub(super) fn name_at(&self, x: f64) -> String {
        match self.x.names.get(x as usize) {
            Some(name) => name.clone(),
            None => self.x.unit.show(x),
        }
    }

    /// The legend above the frame, wrapped to the width, and its height.
    fn legend(&self, width: f64) -> (SvgWriter, f64) {
        let mut svg = SvgWriter::new();
        if self.series.len() < 2 && self.series.iter().all(|series| !series.published) {
            return (svg, 0.0);
        }
        let (mut left, mut line) = (2.0, 0.0);
        for series in &self.series {
            let mut name = series.name.clone();
            if series.published {
                name.push_str(" (published)");
            }
            let wide = 34.0 + text_width(&name) + 14.0;
            if left > 2.0 && left + wide > width {
                left = 2.0;
                line += 1.0;
            }
            let middle = 10.0 + line * 19.0;
            svg.open("g").class(&format!("c{}", color_of(series.style)));
            self.swatch(&mut svg, series, left, middle);
            svg.close();
            text_at(&mut svg, left + 34.0, middle + 4.0).text(&name);
            left += wide;
        }
        (svg, (line + 1.0) * 19.0)
    }

    fn swatch(&self, svg: &mut SvgWriter, series: &Series, left: f64, middle: f64) {
        if self.mark == Mark::Bar {
            super::bars::swatch(svg, series, left, middle);
            return;
        }
        if self.x.names.is_empty() {
            let path = format!("M{left:.1} {middle:.1}h28");
            let dash = dash(series.style, series.published);
            dashed(svg.leaf("path").class("l").attr("d", path), dash);
        }
        marker(svg, series.style, left + 14.0, middle, series.published);
    }
}

/// Positions of the markers on a line of steps, about 90 px apart. They depend on the style, so that
/// markers of coinciding lines do not cover each other.
fn along_steps(places: &[(f64, f64)], style: usize) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return Vec::new();
    };
    let length = last.0 - first.0;
    let count = (length / 90.0).ceil().max(1.0);
    let shift = (style % 9) as f64 / 9.0;
    (0..count as usize)
        .map(|i| {
            let x = first.0 + length * (i as f64 + shift) / count;
            // A step is as high as the last point before it.
            let before = places.partition_point(|place| place.0 <= x);
            (x, places[before.saturating_sub(1)].1)
        })
        .collect()
}

fn horizontal(svg: &mut SvgWriter, class: &str, frame: &Frame, at: f64) {
    let path = format!("M{:.1} {at:.1}H{:.1}", frame.left, frame.right);
    svg.leaf("path").class(class).attr("d", path);
}

/// A text with its start, middle or end at this position.
pub(super) fn text_at(svg: &mut SvgWriter, x: f64, y: f64) -> Tag<'_> {
    svg.leaf("text")
        .attr("x", Number(x as f32))
        .attr("y", Number(y as f32))
}

fn dashed(tag: Tag<'_>, dash: &str) {
    if !dash.is_empty() {
        drop(tag.attr("stroke-dasharray", dash));
    }
}

/// A standalone SVG file, with style rules for light and dark.
pub fn standalone(svg: &str) -> String {
    let style = format!(
        "<style>svg{{{LIGHT}background:var(--paper)}}\
         @media(prefers-color-scheme:dark){{svg{{{DARK}}}}}{STYLE}</style>"
    );
    svg.replacen('>', &format!(">{style}"), 1)
}
