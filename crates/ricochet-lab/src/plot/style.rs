//! Colours, dashes, markers and fills. The colours are Okabe and Ito's, which people with any kind of
//! colour vision can tell apart, darkened on light and lightened on dark backgrounds.
//!
//! A *style* is a number below [`STYLES`] that stands for a colour with a marker, and for the same
//! colour with a fill: lines have markers, bars have fills, and no two styles share either pair.

use std::collections::{BTreeMap, HashSet};

use ricochet_draw::svg::{Number, SvgWriter};

use super::{Chart, Series};

/// Custom properties for a light background.
pub(crate) const LIGHT: &str = "--ink:#1d2733;--soft:#5b6675;--line:#dfe3e8;--paper:#ffffff;\
--s0:#0072b2;--s1:#c75000;--s2:#00805c;--s3:#a8447f;--s4:#8a6d00;--s5:#4b5563;--s6:#1b7fa8;--s7:#7a4fbf;--s8:#9aa5b4;";

/// Custom properties for a dark background.
pub(crate) const DARK: &str = "--ink:#e6e9ee;--soft:#9aa5b4;--line:#333d4a;--paper:#161b22;\
--s0:#5ab4e8;--s1:#f08c4a;--s2:#33c79a;--s3:#e08bbd;--s4:#dcc04a;--s5:#aab4c2;--s6:#7fd0f0;--s7:#b79bf0;--s8:#6b7684;";

/// Rules that every plot uses.
pub(crate) const STYLE: &str = "\
svg.plot{font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:var(--ink)}\
svg.plot text{fill:var(--ink)}svg.plot .tick{fill:var(--soft)}\
svg.plot .grid{stroke:var(--line);stroke-width:1}svg.plot .axis{stroke:var(--soft);stroke-width:1}\
svg.plot text.value{font-size:9px;fill:var(--ink)}\
svg.plot .hollow{fill:var(--paper)}\
svg.plot .c0{--c:var(--s0)}svg.plot .c1{--c:var(--s1)}svg.plot .c2{--c:var(--s2)}\
svg.plot .c3{--c:var(--s3)}svg.plot .c4{--c:var(--s4)}svg.plot .c5{--c:var(--s5)}\
svg.plot .c6{--c:var(--s6)}svg.plot .c7{--c:var(--s7)}svg.plot .c8{--c:var(--s8)}\
svg.plot .l{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}\
svg.plot .m{fill:var(--c);stroke:var(--c);stroke-width:1.4}\
svg.plot .m.hollow{fill:var(--paper)}\
svg.plot .b{fill:var(--c)}\
svg.plot .t{fill:var(--c);fill-opacity:.3;stroke:var(--c);stroke-width:1.2}svg.plot .h{stroke:var(--c);stroke-width:1.3}\
svg.plot .o{fill:none;stroke:var(--c);stroke-width:1.2}";

/// The number of colours.
pub(crate) const COLORS: usize = 8;

/// The number of markers, and of fills.
pub(crate) const SHAPES: usize = 6;

/// The number of styles: every colour with every marker.
pub(crate) const STYLES: usize = COLORS * SHAPES;

/// The style of bars that do not belong to a solver, such as counts of positions: grey.
pub const NEUTRAL: usize = STYLES;

/// The colour of a style.
pub(crate) fn color_of(style: usize) -> usize {
    if style == NEUTRAL {
        COLORS
    } else {
        style % COLORS
    }
}

/// The number of rounds through all colours before this style, 0 to 5, which differs between styles of
/// one colour.
pub(crate) fn round_of(style: usize) -> usize {
    style / COLORS % SHAPES
}

/// The marker of a style. Neighbouring styles differ in it, and so do all styles of one colour: in
/// the first three rounds it takes every other marker, in the last three those between.
pub(crate) fn marker_of(style: usize) -> usize {
    let round = round_of(style);
    (color_of(style) + 2 * round + round / 3) % SHAPES
}

/// The dash pattern of a series: published ones are always dashed, ours are solid for the first colours.
pub(crate) fn dash(style: usize, published: bool) -> &'static str {
    match (published, style % 4) {
        (true, 0 | 2) => "5 4",
        (true, _) => "2 4",
        (false, _) => "",
    }
}

/// A marker around (x, y), by shape.
pub(crate) fn marker(svg: &mut SvgWriter, style: usize, x: f64, y: f64, hollow: bool) {
    let class = if hollow { "m hollow" } else { "m" };
    let path = match marker_of(style) {
        0 => {
            svg.leaf("circle")
                .class(class)
                .attr("cx", Number(x as f32))
                .attr("cy", Number(y as f32))
                .attr("r", Number(3.4));
            return;
        }
        1 => format!("M{:.1} {:.1}h6.2v6.2h-6.2z", x - 3.1, y - 3.1),
        2 => format!("M{x:.1} {:.1}l4 7h-8z", y - 4.4),
        3 => format!("M{x:.1} {:.1}l4.2 4.2l-4.2 4.2l-4.2 -4.2z", y - 4.2),
        4 => format!("M{x:.1} {:.1}l4 -7h-8z", y + 4.4),
        _ => {
            let path = format!("M{:.1} {:.1}l6.4 6.4m0 -6.4l-6.4 6.4", x - 3.2, y - 3.2);
            svg.leaf("path").class("l").attr("d", path);
            return;
        }
    };
    svg.leaf("path").class(class).attr("d", path);
}

/// Solvers in the order of their styles. The order never changes, so that a solver has the same colour
/// and marker in every figure of every report.
const SOLVERS: [&str; 18] = [
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

/// Gives unlisted names with equal styles different ones in all these charts, as long as there are
/// enough. Listed solvers keep their style.
pub(crate) fn make_styles_distinct(charts: &mut [&mut Chart]) {
    let unknown = |series: &&mut Series| (SOLVERS.len()..STYLES).contains(&series.style);
    let mut styles: BTreeMap<String, usize> = charts
        .iter_mut()
        .flat_map(|chart| chart.series.iter_mut().filter(unknown))
        .map(|series| (series.name.clone(), series.style))
        .collect();
    let mut taken = HashSet::new();
    for style in styles.values_mut() {
        let candidates = (*style..STYLES).chain(SOLVERS.len()..*style);
        if let Some(free) = candidates.into_iter().find(|free| !taken.contains(free)) {
            *style = free;
        }
        taken.insert(*style);
    }
    for chart in charts {
        for series in chart.series.iter_mut().filter(unknown) {
            series.style = styles[&series.name];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Mark, Unit};

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
            assert!(fills.insert((color, round_of(style))), "{style}");
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
        assert_eq!(all.series[20].style, 0, "a known solver keeps its style");
        for (a, b) in all.series[5..].iter().zip(&some.series) {
            assert_eq!((&a.name, a.style), (&b.name, b.style));
        }
    }
}
