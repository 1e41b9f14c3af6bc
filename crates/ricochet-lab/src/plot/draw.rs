//! Draws a chart: frame, grid, ticks, legend, lines.

use std::fmt::Write as _;

use super::bars::draw_bars;
use super::scale::Scale;
use super::style::{COLORS, DARK, LIGHT, STYLE, dash, marker};
use super::{Chart, Mark, Series};

/// The two sizes of a plot: text keeps its size, so a phone gets a plot of its own.
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

/// Text for XML.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() && c != '\n' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// About how wide a text is at 12 px.
fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 6.6
}

impl Chart {
    /// The SVG element, for a page that has the colours as custom properties.
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
            top: legend_height + 27.0,
            bottom: height - 44.0,
        };
        let (x, y) = self.scales(&frame);
        let mut svg = format!(
            "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-label=\"{}\">",
            escape(title)
        );
        svg.push_str(&legend);
        self.draw_axes(&mut svg, &frame, &x, &y, size);
        match self.mark {
            Mark::Bar => draw_bars(self, &mut svg, &frame, &x, &y),
            Mark::Line | Mark::Step => {
                for series in &self.series {
                    self.draw_line(&mut svg, series, &x, &y);
                }
            }
        }
        svg.push_str("</svg>");
        svg
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

    /// Bars on a log scale start at 1, so 1 has to be on it.
    fn y_scale(&self, from: f64, to: f64) -> Scale {
        let one = (self.y.log && self.mark == Mark::Bar).then_some(1.0);
        Scale::new(self.values(|p| p.1).chain(one), self.y.log, false, from, to)
    }

    fn tick_texts(&self) -> Vec<String> {
        let y = self.y_scale(0.0, 1.0);
        let ticks = y.ticks(5).into_iter();
        ticks.map(|tick| self.y.unit.show(tick)).collect()
    }

    fn draw_axes(&self, svg: &mut String, frame: &Frame, x: &Scale, y: &Scale, size: Size) {
        for tick in y.ticks(5) {
            let at = y.at(tick);
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{:.1} {at:.1}H{:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                frame.left,
                frame.right,
                frame.left - 6.0,
                at + 4.0,
                escape(&self.y.unit.show(tick))
            );
        }
        let _ = write!(
            svg,
            "<path class=\"axis\" d=\"M{:.1} {:.1}H{:.1}\"/>",
            frame.left, frame.bottom, frame.right
        );
        let label = |svg: &mut String, at: f64, text: &str| {
            let _ = write!(
                svg,
                "<text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                frame.bottom + 17.0,
                escape(text)
            );
        };
        if self.x.names.is_empty() {
            let wanted = match (size, self.mark) {
                (Size::Wide, Mark::Step) => 8,
                (Size::Wide, _) => 20,
                (Size::Narrow, Mark::Step) => 4,
                (Size::Narrow, _) => 8,
            };
            let mut last_end = f64::MIN;
            // Moves and robots come in whole numbers: nothing stands between them.
            let whole = self.values(|p| p.0).all(|value| value.fract() == 0.0);
            let ticks = x.ticks(wanted).into_iter();
            for tick in ticks.filter(|tick| !whole || tick.fract() == 0.0) {
                let (at, text) = (x.at(tick), self.x.unit.show(tick));
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
            // Names that would touch each other are shown every other, or every third time.
            let every = ((most + 6.0) / room).ceil().max(1.0) as usize;
            for (i, name) in self.x.names.iter().enumerate().step_by(every) {
                label(svg, x.at(i as f64), name);
            }
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            f64::midpoint(frame.left, frame.right),
            frame.bottom + 36.0,
            escape(&self.x.label),
            2.0,
            frame.top - 10.0,
            escape(&self.y.label)
        );
    }

    fn draw_line(&self, svg: &mut String, series: &Series, x: &Scale, y: &Scale) {
        let points = series
            .points
            .iter()
            .filter(|(_, value)| !self.y.log || *value > 0.0);
        let places: Vec<(f64, f64)> = points.map(|&(a, b)| (x.at(a), y.at(b))).collect();
        let Some(first) = places.first() else { return };
        let mut path = format!("M{:.1} {:.1}", first.0, first.1);
        // A line over values that were never measured would lie: it is broken there.
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
        let color = series.style % COLORS;
        let dash = match (self.mark, series.published) {
            // Steps have no markers: dashes tell them apart.
            (Mark::Step, false) => ["", "7 3", "2 3", "7 3 2 3"][series.style % 4],
            _ => dash(series.style, series.published),
        };
        let _ = write!(
            svg,
            "<g class=\"c{color}\"><path class=\"l\" d=\"{path}\"{}/>",
            dash_attribute(dash)
        );
        if self.mark == Mark::Line {
            for (&(a, b), &(value_x, value_y)) in places.iter().zip(
                series
                    .points
                    .iter()
                    .filter(|(_, value)| !self.y.log || *value > 0.0),
            ) {
                let _ = write!(
                    svg,
                    "<g>{}<title>{}: {}, {}</title></g>",
                    marker(series.style, a, b, series.published),
                    escape(&series.name),
                    escape(&self.x.unit.show(value_x)),
                    escape(&self.y.unit.show(value_y))
                );
            }
        }
        svg.push_str("</g>");
    }

    /// The legend above the frame, wrapped to the width, and its height.
    fn legend(&self, width: f64) -> (String, f64) {
        if self.series.len() < 2 && self.series.iter().all(|series| !series.published) {
            return (String::new(), 0.0);
        }
        let mut svg = String::new();
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
            let _ = write!(svg, "<g class=\"c{}\">", series.style % COLORS);
            svg.push_str(&self.swatch(series, left, middle));
            let _ = write!(
                svg,
                "</g><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                left + 34.0,
                middle + 4.0,
                escape(&name)
            );
            left += wide;
        }
        (svg, (line + 1.0) * 19.0)
    }

    fn swatch(&self, series: &Series, left: f64, middle: f64) -> String {
        if self.mark == Mark::Bar {
            return super::bars::swatch(series, left, middle);
        }
        let dash = match (self.mark, series.published) {
            (Mark::Step, false) => ["", "7 3", "2 3", "7 3 2 3"][series.style % 4],
            _ => dash(series.style, series.published),
        };
        let mut swatch = format!(
            "<path class=\"l\" d=\"M{left:.1} {middle:.1}h28\"{}/>",
            dash_attribute(dash)
        );
        if self.mark == Mark::Line {
            swatch.push_str(&marker(series.style, left + 14.0, middle, series.published));
        }
        swatch
    }
}

fn dash_attribute(dash: &str) -> String {
    if dash.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{dash}\"")
    }
}

/// A file of its own: the style inside, the reader's light or dark.
pub fn standalone(svg: &str) -> String {
    let style = format!(
        "<style>svg{{{LIGHT}background:var(--paper)}}\
         @media(prefers-color-scheme:dark){{svg{{{DARK}}}}}{STYLE}</style>"
    );
    svg.replacen('>', &format!(">{style}"), 1)
}
