//! The page is well formed, self-contained, and escapes what it is given.

use std::collections::HashMap;

use ricochet_lab::plot::{Axis, Chart, Mark, Series, Size, Unit, standalone, style_of};
use ricochet_lab::report::document::{Document, Section};
use ricochet_lab::report::table::{Table, Value};

/// Checks that tags are balanced and quotes closed, as an XML parser would. Void elements of the
/// page are written as `<meta …/>`.
fn assert_well_formed(text: &str) {
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a stray '>' before a tag");
        rest = &rest[at + 1..];
        let mut quoted = false;
        let end = rest
            .char_indices()
            .find(|&(_, c)| {
                quoted ^= c == '"';
                !quoted && c == '>'
            })
            .map(|(i, _)| i)
            .expect("every tag ends");
        let tag = &rest[..end];
        assert!(!tag.contains('<'), "'<' inside a tag: {tag}");
        rest = &rest[end + 1..];
        if tag.ends_with('/') {
            continue;
        }
        let name = tag
            .trim_start_matches('/')
            .split_whitespace()
            .next()
            .expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed out of order");
        } else if name == "style" {
            rest = &rest[rest.find("</style>").expect("style ends") + 8..];
        } else {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}

fn chart(mark: Mark, log: bool) -> Chart {
    let y = if log {
        Axis::log("a <time> & \"more\"", Unit::Micros)
    } else {
        Axis::linear("y", Unit::Share)
    };
    Chart {
        mark,
        x: Axis::linear("x", Unit::Plain),
        y,
        series: vec![
            Series::new("a<b>&c", 0, vec![(1.0, 0.5), (2.0, 1.0), (5.0, 0.0)]),
            Series::published("b", 1, vec![(1.0, 0.25), (2.0, 3e9)]),
            Series::new("empty", 2, vec![]),
        ],
    }
}

fn document() -> Document {
    let mut section = Section::new("Results <& more>");
    section
        .text("Code: `a < b && c`.")
        .warning("<script>alert(1)</script>")
        .list(["one", "two & three"]);
    let mut table = Table::new("t", "A \"caption\"", &["name", "*value"]);
    table.push(vec!["<b>".into(), Value::Count(5)]);
    section.table(table);
    for (i, mark) in [Mark::Line, Mark::Step, Mark::Bar].into_iter().enumerate() {
        section.figure(&format!("f{i}"), "A figure", chart(mark, i != 1));
    }
    Document {
        title: "Title & <tag>".into(),
        lead: "Lead".into(),
        sections: vec![section],
    }
}

#[test]
fn the_page_is_well_formed_and_self_contained() {
    let directory = tempfile::tempdir().unwrap();
    document().write(directory.path()).unwrap();
    let page = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    assert_well_formed(page.strip_prefix("<!DOCTYPE html>").unwrap());
    assert!(
        !page.contains("<script"),
        "markup in the text has to be escaped"
    );
    for outside in ["src=\"http", "href=\"http", "url(", "@import"] {
        assert!(
            !page.contains(outside),
            "{outside}: the page needs nothing else"
        );
    }
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("name=\"viewport\""));
    let markdown = std::fs::read_to_string(directory.path().join("report.md")).unwrap();
    assert!(markdown.contains("](figures/f0.svg)") && markdown.contains("> **Attention:**"));
}

#[test]
fn plots_are_well_formed_in_every_kind_and_size() {
    for mark in [Mark::Line, Mark::Step, Mark::Bar] {
        for log in [false, true] {
            for size in [Size::Wide, Size::Narrow] {
                let svg = chart(mark, log).to_svg(size, "a <title>");
                assert_well_formed(&svg);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert_well_formed(&standalone(&svg));
            }
        }
    }
}

#[test]
fn published_series_differ_by_more_than_colour() {
    let line = chart(Mark::Line, true).to_svg(Size::Wide, "t");
    assert!(line.contains("stroke-dasharray") && line.contains("m hollow"));
    let bars = chart(Mark::Bar, true).to_svg(Size::Wide, "t");
    assert!(bars.contains("class=\"h\""), "hatched");
    assert!(line.contains("b (published)"));
}

#[test]
fn data_of_a_plot_is_csv_with_its_source() {
    let csv = chart(Mark::Line, false).to_csv().unwrap();
    assert!(csv.starts_with("series,source,x,y\n"), "{csv}");
    assert!(csv.contains("b,published,1,0.25\n"), "{csv}");
}

#[test]
fn categories_are_not_joined_by_lines() {
    let mut chart = chart(Mark::Line, true);
    assert!(chart.to_svg(Size::Wide, "t").contains("class=\"l\""));
    chart.x = Axis::names("x", (0..6).map(|i| format!("category {i}")).collect());
    let svg = chart.to_svg(Size::Wide, "t");
    assert!(!svg.contains("class=\"l\""), "{svg}");
    assert!(svg.contains("m hollow"), "{svg}");
}

#[test]
fn bars_carry_their_values_where_there_is_room() {
    let values = |count: usize, size| {
        let points = (0..count).map(|i| (i as f64, 0.25)).collect();
        let chart = Chart {
            mark: Mark::Bar,
            x: Axis::linear("x", Unit::Plain),
            y: Axis::linear("y", Unit::Share),
            series: vec![Series::new("a", 0, points)],
        };
        chart.to_svg(size, "t").matches(">25%</text>").count()
    };
    assert_eq!(values(5, Size::Wide), 5);
    assert_eq!(values(40, Size::Wide), 40, "upright");
    assert_eq!(values(300, Size::Wide), 0);
}

/// Two solvers may share a colour; then something else tells them apart, in every kind of plot.
#[test]
fn no_two_solvers_look_the_same() {
    for mark in [Mark::Line, Mark::Step, Mark::Bar] {
        let mut seen = HashMap::new();
        for solver in ricochet_solve::registry::SOLVERS {
            let chart = Chart {
                mark,
                x: Axis::linear("x", Unit::Plain),
                y: Axis::linear("y", Unit::Plain),
                // One name for all: what differs is the look.
                series: vec![Series::new(
                    "it",
                    style_of(solver.name),
                    vec![(1.0, 2.0), (2.0, 3.0)],
                )],
            };
            let other = seen.insert(chart.to_svg(Size::Wide, "t"), solver.name);
            assert_eq!(other, None, "{mark:?}: {} looks like it", solver.name);
        }
    }
}

#[test]
fn values_of_the_highest_bars_stay_inside_the_frame() {
    let points = (0..30)
        .map(|i| (f64::from(i), 3e6 * f64::from(i + 1)))
        .collect();
    let chart = Chart {
        mark: Mark::Bar,
        x: Axis::linear("x", Unit::Plain),
        y: Axis::log("y", Unit::Micros),
        series: vec![Series::new("a", 0, points)],
    };
    let svg = chart.to_svg(Size::Wide, "t");
    // Without a legend the frame begins at 30. A value is rotated about its first letter.
    let values: Vec<_> = svg.split("rotate(-90 ").skip(1).collect();
    assert_eq!(values.len(), 30, "all upright");
    for value in values {
        let (place, text) = value.split_once(")\">").unwrap();
        let foot: f64 = place.split_once(' ').unwrap().1.parse().unwrap();
        let text = text.split_once('<').unwrap().0;
        let length = text.chars().count() as f64 * 6.6 * 0.75;
        assert!(foot - length > 29.0, "{text} begins at {foot}");
    }
}

/// A4 is narrow: numbers keep to one line there, long names in headings are broken instead, and a
/// heading stays with what it announces.
#[test]
fn wide_tables_and_headings_are_made_for_paper() {
    let directory = tempfile::tempdir().unwrap();
    let mut document = document();
    let mut table = Table::new("w", "Wide", &["moves", "stateless:published=on"]);
    table.push(vec![Value::Count(1), Value::Micros(5.0)]);
    document.sections[0].table(table);
    document.write(directory.path()).unwrap();
    let page = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    assert!(
        page.contains(">stateless:<wbr/>published=<wbr/>on</th>"),
        "{page}"
    );
    let print = page.split_once("@media print").unwrap().1;
    let print = print.split_once("</style>").unwrap().0;
    assert!(print.contains("td.n{white-space:nowrap}"), "{print}");
    assert!(
        print.contains("h2,figure.table figcaption{break-after:avoid}"),
        "{print}"
    );
}

#[test]
fn programs_whose_looks_collide_are_told_apart_in_a_report() {
    let names: Vec<String> = (0..8).map(|i| format!("program-{i}")).collect();
    let series = |name: &String| Series::new(name, style_of(name), vec![(1.0, 2.0)]);
    let chart = Chart {
        mark: Mark::Line,
        x: Axis::linear("x", Unit::Plain),
        y: Axis::linear("y", Unit::Plain),
        series: names.iter().map(series).collect(),
    };
    let mut section = Section::new("S");
    section.figure("f", "F", chart);
    let document = Document {
        title: "T".into(),
        lead: "L".into(),
        sections: vec![section],
    };
    let directory = tempfile::tempdir().unwrap();
    document.write(directory.path()).unwrap();
    let svg = std::fs::read_to_string(directory.path().join("figures/f.svg")).unwrap();
    // The legend: a group with the colour, the line and the marker, then the name.
    let mut looks = HashMap::new();
    for name in &names {
        let before = svg.split_once(&format!(">{name}</text>")).unwrap().0;
        let group = before.rsplit_once("<g class=\"c").unwrap().1;
        let (color, rest) = group.split_once('"').unwrap();
        // Relative path commands say the shape; places differ.
        let shape: String = rest.chars().filter(char::is_ascii_alphabetic).collect();
        let other = looks.insert((color.to_owned(), shape), name);
        assert_eq!(other, None, "{name} looks the same");
    }
}
