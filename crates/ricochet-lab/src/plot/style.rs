//! Colours, dashes, markers and fills. The colours are Okabe and Ito's, which people with any kind of
//! colour vision can tell apart, darkened on light and lightened on dark backgrounds.
//!
//! A *style* is a number below [`STYLES`] that stands for a colour, a marker, a line and a fill. The
//! styles of solvers differ in at least two of the first three, neighbouring ones in all, and so do
//! all series of a report ([`make_styles_distinct`]): whoever overlooks the colour still
//! has the marker and the line. Published values are hollow and dotted, or hatched.

use std::collections::{BTreeMap, HashSet};

use ricochet_draw::svg::SvgWriter;

use super::Chart;

/// Custom properties for a light background.
pub(crate) const LIGHT: &str = "--ink:#1d2733;--soft:#5b6675;--line:#dfe3e8;--paper:#ffffff;\
--s0:#0072b2;--s1:#c75000;--s2:#00805c;--s3:#b8407c;--s4:#8a6d00;--s5:#2b2f36;--s6:#6f45c4;--s7:#9aa5b4;";

/// Custom properties for a dark background.
pub(crate) const DARK: &str = "--ink:#e6e9ee;--soft:#9aa5b4;--line:#333d4a;--paper:#161b22;\
--s0:#5ab4e8;--s1:#f08c4a;--s2:#33c79a;--s3:#f07fb8;--s4:#dcc04a;--s5:#f2f4f7;--s6:#a98bff;--s7:#6b7684;";

/// Rules that every plot uses.
pub(crate) const STYLE: &str = "\
svg.plot{font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:var(--ink)}\
svg.plot text{fill:var(--ink)}svg.plot .tick{fill:var(--soft)}\
svg.plot .grid{stroke:var(--line);stroke-width:1}svg.plot .axis{stroke:var(--soft);stroke-width:1}\
svg.plot text.value{font-size:9px;fill:var(--ink)}\
svg.plot .hollow{fill:var(--paper)}\
svg.plot .c0{--c:var(--s0)}svg.plot .c1{--c:var(--s1)}svg.plot .c2{--c:var(--s2)}\
svg.plot .c3{--c:var(--s3)}svg.plot .c4{--c:var(--s4)}svg.plot .c5{--c:var(--s5)}\
svg.plot .c6{--c:var(--s6)}svg.plot .c7{--c:var(--s7)}\
svg.plot .l{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}\
svg.plot .m{fill:var(--c);stroke:var(--c);stroke-width:1.4}\
svg.plot .m.hollow{fill:var(--paper)}\
svg.plot .b{fill:var(--c)}\
svg.plot .t{fill:var(--c);fill-opacity:.3;stroke:var(--c);stroke-width:1.2}svg.plot .h{stroke:var(--c);stroke-width:1.3}\
svg.plot .o{fill:none;stroke:var(--c);stroke-width:1.2}";

/// The number of colours.
pub(crate) const COLORS: usize = 7;

/// The number of fills.
pub(crate) const FILLS: usize = 6;

/// The number of styles: every colour with every fill.
pub(crate) const STYLES: usize = COLORS * FILLS;

/// The style of bars that do not belong to a solver, such as counts of positions: grey.
pub const NEUTRAL: usize = STYLES;

/// The lines of ours: the first is solid.
const LINES: [&str; 8] = [
    "",
    "9 4",
    "4 4",
    "11 4 2 4",
    "18 5",
    "11 4 2 4 2 4",
    "5 3 5 9",
    "14 3 5 3",
];

/// The lines of published series: dots.
const DOTS: [&str; 8] = [
    "1 4",
    "1 8",
    "1 4 1 10",
    "1 4 1 4 1 10",
    "1 12",
    "1 8 1 8 1 14",
    "1 4 1 16",
    "1 16",
];

/// The markers, as paths from the middle. All are closed, so that they can be hollow.
const MARKERS: [&str; 12] = [
    "m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z",
    "m-3.1 -3.1h6.2v6.2h-6.2z",
    "m0 -4.4l4 7h-8z",
    "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z",
    "m0 4.4l4 -7h-8z",
    "m-1.3 -4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z",
    "m-4.4 0l7 -4v8z",
    "m0 -1.9l2.3 -2.3l1.9 1.9l-2.3 2.3l2.3 2.3l-1.9 1.9l-2.3 -2.3l-2.3 2.3l-1.9 -1.9l2.3 -2.3\
     l-2.3 -2.3l1.9 -1.9z",
    "m4.4 0l-7 -4v8z",
    "m-3.8 -4h7.6l-7.6 8h7.6z",
    "m0 -4.8l1.2 3.2l3.4 .1l-2.7 2.1l1 3.3l-2.9 -1.9l-2.9 1.9l1 -3.3l-2.7 -2.1l3.4 -.1z",
    "m-1.5 -4.4h3v8.8h-3z",
];

/// The colour of a style.
pub(crate) fn color_of(style: usize) -> usize {
    if style == NEUTRAL {
        COLORS
    } else {
        style % COLORS
    }
}

/// The fill of a style: the number of rounds through all colours before it.
pub(crate) fn fill_of(style: usize) -> usize {
    style / COLORS % FILLS
}

/// The marker of a style.
pub(crate) fn marker_of(style: usize) -> usize {
    style % MARKERS.len()
}

/// The line of a style.
fn line_of(style: usize) -> usize {
    style % LINES.len()
}

/// Whether two styles have two of colour, marker, line and fill in common, so that they could be
/// taken for each other.
pub(crate) fn look_alike(a: usize, b: usize) -> bool {
    let common = [
        color_of(a) == color_of(b),
        marker_of(a) == marker_of(b),
        line_of(a) == line_of(b),
    ];
    common.iter().filter(|&&it| it).count() > 1
        || color_of(a) == color_of(b) && fill_of(a) == fill_of(b)
}

/// The dash pattern of a series.
pub(crate) fn dash(style: usize, published: bool) -> &'static str {
    let lines = if published { &DOTS } else { &LINES };
    lines[line_of(style)]
}

/// A marker around (x, y), by shape.
pub(crate) fn marker(svg: &mut SvgWriter, style: usize, x: f64, y: f64, hollow: bool) {
    let class = if hollow { "m hollow" } else { "m" };
    let path = format!("M{x:.1} {y:.1}{}", MARKERS[marker_of(style)]);
    svg.leaf("path").class(class).attr("d", path);
}

/// Solvers in the order of their styles. The order never changes, so that a solver has the same colour
/// and marker in every figure of every report.
const SOLVERS: [&str; 19] = [
    "flagship",
    "iddfs",
    "graph-v1",
    "graph-v2",
    "stateless",
    "naive",
    "stateless:published=on",
    "tablebase",
    "graph-complete",
    "graph-bounded",
    "iddfs-bounded",
    "bfs",
    "dfs",
    "single-color",
    "setup-bfs",
    "setup-dfs",
    "setup-position",
    "setup-crossblock",
    "subgoals",
];

/// The style of a solver in every figure. A solver that is not listed, such as one with parameters or
/// an external program, gets one of the remaining styles by its name. Two such names may collide;
/// `make_styles_distinct` resolves that within a report.
pub fn style_of(solver: &str) -> usize {
    SOLVERS
        .iter()
        .position(|&known| known == solver)
        .unwrap_or_else(|| {
            let sum = solver.bytes().fold(5381usize, |sum, byte| {
                sum.wrapping_mul(33) ^ usize::from(byte)
            });
            SOLVERS.len() + sum % (STYLES - SOLVERS.len())
        })
}

/// Gives unlisted names in these charts styles of their own, which look like no other in them, as
/// long as there are enough. Listed solvers keep their style.
pub(crate) fn make_styles_distinct(charts: &mut [&mut Chart]) {
    let is_listed = |style: usize| !(SOLVERS.len()..STYLES).contains(&style);
    let mut styles: BTreeMap<String, usize> = BTreeMap::new();
    let mut taken: HashSet<usize> = HashSet::new();
    for series in charts.iter().flat_map(|chart| &chart.series) {
        if is_listed(series.style) {
            taken.insert(series.style);
        } else {
            styles.insert(series.name.clone(), series.style);
        }
    }
    for style in styles.values_mut() {
        let candidates = || (*style..STYLES).chain(SOLVERS.len()..*style);
        let free = candidates()
            .find(|&it| taken.iter().all(|&other| !look_alike(it, other)))
            .or_else(|| candidates().find(|it| !taken.contains(it)));
        *style = free.unwrap_or(*style);
        taken.insert(*style);
    }
    for chart in charts {
        for series in &mut chart.series {
            if let Some(&style) = styles.get(&series.name)
                && !is_listed(series.style)
            {
                series.style = style;
            }
        }
    }
}

/// Pairs of series in a chart that a reader could take for each other. A published series shares the
/// colour of what it is compared with, but is hollow and dotted.
pub(crate) fn confusable(chart: &Chart) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    for (i, a) in chart.series.iter().enumerate() {
        for b in &chart.series[..i] {
            let same_subject = a.style == b.style && a.published != b.published;
            if !same_subject && look_alike(a.style, b.style) {
                pairs.push((a.name.as_str(), b.name.as_str()));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Mark, Series, Unit};

    #[test]
    fn every_solver_of_ours_has_a_look_of_its_own() {
        let mut looks = HashSet::new();
        for entry in ricochet_solve::registry::SOLVERS {
            assert!(SOLVERS.contains(&entry.name), "{} has no style", entry.name);
            assert!(looks.insert(style_of(entry.name)), "{}", entry.name);
        }
    }

    #[test]
    fn no_two_styles_share_colour_and_marker_or_colour_and_fill() {
        let (mut markers, mut fills) = (HashSet::new(), HashSet::new());
        for style in 0..STYLES {
            let color = color_of(style);
            assert!(markers.insert((color, marker_of(style))), "{style}");
            assert!(fills.insert((color, fill_of(style))), "{style}");
        }
    }

    /// By colour, marker and line: no two solvers share two of them, and those that reports compare
    /// by default share none.
    #[test]
    fn solvers_differ_by_colour_and_marker_and_line() {
        for (a, one) in SOLVERS.iter().enumerate() {
            for (b, other) in SOLVERS[..a].iter().enumerate() {
                assert!(!look_alike(a, b), "{one} and {other}");
            }
        }
        let thesis = crate::experiments::thesis::SOLVERS.map(style_of);
        for (i, &a) in thesis.iter().enumerate() {
            for &b in &thesis[..i] {
                assert_ne!(color_of(a), color_of(b));
                assert_ne!(marker_of(a), marker_of(b));
                assert_ne!(dash(a, false), dash(b, false));
                assert_ne!(
                    dash(a, true),
                    dash(b, false),
                    "dots are for published series"
                );
            }
        }
    }

    /// The distance in the CIELAB space; below about 25, lines of 2 px look alike.
    #[test]
    fn colours_are_far_apart_on_light_and_on_dark_paper() {
        let lab = |text: &str| -> [f64; 3] {
            let channel = |at: usize| {
                let value = u8::from_str_radix(&text[at..at + 2], 16).unwrap();
                let value = f64::from(value) / 255.0;
                if value <= 0.04045 {
                    value / 12.92
                } else {
                    ((value + 0.055) / 1.055).powf(2.4)
                }
            };
            let (r, g, b) = (channel(0), channel(2), channel(4));
            let f = |t: f64| {
                if t > 0.008_856 {
                    t.cbrt()
                } else {
                    7.787 * t + 16.0 / 116.0
                }
            };
            let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
            let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
            let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0888);
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        };
        for colors in [LIGHT, DARK] {
            let values: Vec<[f64; 3]> = (0..COLORS)
                .map(|i| lab(colors.split_once(&format!("--s{i}:#")).unwrap().1))
                .collect();
            for (i, a) in values.iter().enumerate() {
                for (j, b) in values.iter().enumerate().take(i) {
                    let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
                    let distance = squares.sum::<f64>().sqrt();
                    assert!(distance > 28.0, "{i} and {j}: {distance:.0}");
                }
            }
        }
    }

    /// A reader of a report must not take the bars of positions for those of a solver.
    #[test]
    fn what_is_no_solver_has_the_colour_of_none() {
        let colors: HashSet<usize> = (0..STYLES).map(color_of).collect();
        assert!(!colors.contains(&color_of(NEUTRAL)));
        assert!(STYLE.contains(&format!(".c{}{{", color_of(NEUTRAL))));
        for colors in [LIGHT, DARK] {
            assert!(colors.contains(&format!("--s{}:", color_of(NEUTRAL))));
        }
        let bars = crate::report::views::distribution_series("puzzles", &BTreeMap::from([(1, 2)]));
        let mut chart = crate::report::views::distribution_chart(vec![bars]);
        make_styles_distinct(&mut [&mut chart]);
        assert_eq!(chart.series[0].style, NEUTRAL);
    }

    #[test]
    fn names_whose_styles_collide_are_told_apart_in_all_charts_of_a_report() {
        let names: Vec<String> = (0..20).map(|i| format!("iddfs:nonsense={i}")).collect();
        let chart = |names: &[String]| Chart {
            mark: Mark::Bar,
            x: Axis::linear("x", Unit::Plain),
            y: Axis::linear("y", Unit::Plain),
            series: names
                .iter()
                .map(|name| Series::new(name.as_str(), style_of(name), vec![(0.0, 1.0)]))
                .collect(),
        };
        let distinct = |chart: &Chart| {
            let styles = chart.series.iter().map(|series| series.style);
            styles.collect::<HashSet<_>>().len()
        };
        let (mut all, mut some) = (chart(&names), chart(&names[5..]));
        all.series.push(Series::new("flagship", 0, vec![]));
        assert!(distinct(&all) < 21, "the names of this test collide");
        make_styles_distinct(&mut [&mut all, &mut some]);
        assert_eq!(distinct(&all), 21);
        for (i, a) in all.series.iter().enumerate() {
            for b in &all.series[..i.min(8)] {
                assert!(
                    i > 8 || !look_alike(a.style, b.style),
                    "{} {}",
                    a.name,
                    b.name
                );
            }
        }
        assert_eq!(all.series[20].style, 0, "a known solver keeps its style");
        for (a, b) in all.series[5..].iter().zip(&some.series) {
            assert_eq!((&a.name, a.style), (&b.name, b.style));
        }
    }
}
