//! Draws what `tablebase_scaling` measured: time against states, by robots and by cells.
//!
//! `cargo bench -q -p ricochet-solve --bench tablebase_plot < scaling.csv > scaling.svg`

use std::error::Error;
use std::fmt::Write as _;
use std::io::Read as _;

/// A search by one thread.
struct Point {
    robots: u32,
    side: u32,
    states: f64,
    seconds: f64,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 96.0;
const RIGHT: f64 = 616.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 370.0;

/// Powers of ten along the axes.
const STATES: std::ops::RangeInclusive<i32> = 4..=11;
const SECONDS: std::ops::RangeInclusive<i32> = -4..=3;

fn along(value: f64, powers: &std::ops::RangeInclusive<i32>, from: f64, to: f64) -> f64 {
    let (low, high) = (f64::from(*powers.start()), f64::from(*powers.end()));
    from + (value.log10() - low) / (high - low) * (to - from)
}

fn x(states: f64) -> f64 {
    along(states, &STATES, LEFT, RIGHT)
}

fn y(seconds: f64) -> f64 {
    along(seconds, &SECONDS, BOTTOM, TOP)
}

fn read(text: &str) -> Result<Vec<Point>, Box<dyn Error>> {
    let mut points = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [robots, width, _, threads, _, states, wall, cpu, ..] = fields[..] else {
            return Err(format!("not a row of tablebase_scaling: {line}").into());
        };
        if threads == "1" && robots != "1" {
            points.push(Point {
                robots: robots.parse()?,
                side: width.parse()?,
                states: states.parse()?,
                seconds: if cpu.is_empty() { wall } else { cpu }.parse()?,
            });
        }
    }
    Ok(points)
}

/// A line through points of the same kind, with a mark and a label at each.
fn series<'a>(
    svg: &mut String,
    points: impl Iterator<Item = &'a Point>,
    color: &str,
    below: bool,
    label: impl Fn(&Point) -> String,
) -> std::fmt::Result {
    let mut points: Vec<&Point> = points.collect();
    points.sort_by(|a, b| a.states.total_cmp(&b.states));
    let path: Vec<String> = points
        .iter()
        .map(|p| format!("{:.1} {:.1}", x(p.states), y(p.seconds)))
        .collect();
    writeln!(
        svg,
        r#"<path d="M{}" fill="none" stroke="{color}" stroke-width="2"/>"#,
        path.join("L")
    )?;
    for point in points {
        let (x, y) = (x(point.states), y(point.seconds));
        let (dx, dy, anchor) = if below {
            (10.0, 16.0, "start")
        } else {
            (-10.0, -8.0, "end")
        };
        writeln!(
            svg,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{color}"/><text x="{:.1}" y="{:.1}" text-anchor="{anchor}" fill="{color}">{}</text>"#,
            x + dx,
            y + dy,
            label(point)
        )?;
    }
    Ok(())
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{s:.0} s"),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let points = read(&text)?;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
<text x="{LEFT}" y="24" font-size="15" fill="#222">Counting all states of a board and target, one thread</text>
<text x="{LEFT}" y="46"><tspan fill="#1f5fa8">16×16 cells, by robots</tspan><tspan fill="#444"> · </tspan><tspan fill="#b3541e">4 robots, by cells</tspan></text>
"##
    );
    let sign = |power: i32| power.to_string().replace('-', "\u{2212}");
    for power in STATES {
        let x = x(10f64.powi(power));
        writeln!(
            svg,
            r##"<path d="M{x:.1} {TOP}V{BOTTOM}" stroke="#e0e4ea"/><text x="{x:.1}" y="{}" text-anchor="middle" fill="#444">10<tspan dy="-5" font-size="10">{}</tspan></text>"##,
            BOTTOM + 20.0,
            sign(power)
        )?;
    }
    for power in SECONDS {
        let seconds = 10f64.powi(power);
        let y = y(seconds);
        writeln!(
            svg,
            r##"<path d="M{LEFT} {y:.1}H{RIGHT}" stroke="#e0e4ea"/><text x="{}" y="{:.1}" text-anchor="end" fill="#444">{}</text>"##,
            LEFT - 8.0,
            y + 4.0,
            time(seconds).replace(".0 s", " s")
        )?;
    }
    writeln!(
        svg,
        r##"<text x="{:.1}" y="{}" text-anchor="middle" fill="#222">states</text><text x="20" y="{:.1}" text-anchor="middle" transform="rotate(-90 20 {:.1})" fill="#222">processor time</text>"##,
        f64::midpoint(LEFT, RIGHT),
        BOTTOM + 50.0,
        f64::midpoint(TOP, BOTTOM),
        f64::midpoint(TOP, BOTTOM)
    )?;
    let by_robots = points.iter().filter(|p| p.side == 16);
    series(&mut svg, by_robots, "#1f5fa8", true, |p| {
        format!("{} robots, {}", p.robots, time(p.seconds))
    })?;
    let by_cells = points.iter().filter(|p| p.robots == 4);
    series(&mut svg, by_cells, "#b3541e", false, |p| {
        format!("{0}×{0}", p.side)
    })?;
    println!("{svg}</svg>");
    Ok(())
}
