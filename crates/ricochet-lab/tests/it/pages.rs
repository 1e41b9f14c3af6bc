//! The page is well formed, self-contained, and escapes what it is given.

use ricochet_lab::plot::{Axis, Chart, Mark, Series, Size, Unit, standalone};
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
        .alarm("<script>alert(1)</script>")
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
