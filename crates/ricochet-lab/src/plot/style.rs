//! Colours, dashes and markers. The colours are Okabe and Ito's, which people with any kind of
//! colour vision can tell apart, darkened on light and lightened on dark backgrounds.

use ricochet_draw::svg::{Number, SvgWriter};

/// Custom properties on a light background.
pub(crate) const LIGHT: &str = "--ink:#1d2733;--soft:#5b6675;--line:#dfe3e8;--paper:#ffffff;\
--s0:#0072b2;--s1:#c75000;--s2:#00805c;--s3:#a8447f;--s4:#8a6d00;--s5:#4b5563;--s6:#1b7fa8;--s7:#7a4fbf;";

/// The same on a dark background.
pub(crate) const DARK: &str = "--ink:#e6e9ee;--soft:#9aa5b4;--line:#333d4a;--paper:#161b22;\
--s0:#5ab4e8;--s1:#f08c4a;--s2:#33c79a;--s3:#e08bbd;--s4:#dcc04a;--s5:#aab4c2;--s6:#7fd0f0;--s7:#b79bf0;";

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
svg.plot .b{fill:var(--c)}svg.plot .h{stroke:var(--c);stroke-width:1.3}\
svg.plot .o{fill:none;stroke:var(--c);stroke-width:1.2}";

/// How many colours there are.
pub(crate) const COLORS: usize = 8;

/// Dash pattern of a series: published ones are always dashed, ours solid for the first colours.
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
    let path = match style % 6 {
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

/// Solvers in the order of their styles. A solver keeps its place for ever, so that it has the same
/// colour and marker in every figure of every report.
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

/// Eight colours and six markers make 24 pairs before one comes again.
const STYLES: usize = 24;

/// The style of a solver in every figure. One that is not known here, such as a program of others,
/// gets one of the styles that are left by its name.
///
/// ```
/// use ricochet_lab::plot::style_of;
/// assert_eq!(style_of("flagship"), 0);
/// assert_eq!(style_of("mine"), style_of("mine"));
/// assert_ne!(style_of("iddfs"), style_of("iddfs:memo=off"));
/// ```
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_solver_of_ours_has_a_look_of_its_own() {
        let mut looks = std::collections::HashSet::new();
        for entry in ricochet_solve::registry::SOLVERS {
            assert!(SOLVERS.contains(&entry.name), "{} has no style", entry.name);
            let style = style_of(entry.name);
            assert!(looks.insert((style % COLORS, style % 6)), "{}", entry.name);
        }
    }
}
