//! The style of boards as data for other programs.

use ricochet_draw::{ColorRole, Picture, Theme, style_json};

use crate::support::everything;

#[test]
fn the_style_file_is_up_to_date() {
    let kept = include_str!("../../assets/style.json");
    assert!(
        kept == style_json(),
        "regenerate it: cargo run -p ricochet-draw --example style > \
         crates/ricochet-draw/assets/style.json"
    );
}

#[test]
fn a_picture_for_web_pages_has_no_colour_that_a_page_cannot_set() {
    let puzzle = everything();
    let svg = Picture::new(&puzzle).coordinates(true).css_svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let css = Theme::LIGHT.css();
    let mut seen = 0;
    for node in document.descendants() {
        for value in ["fill", "stroke"]
            .iter()
            .filter_map(|name| node.attribute(*name))
        {
            if value == "none" {
                continue;
            }
            let name = value
                .strip_prefix("var(")
                .and_then(|rest| rest.split_once(','));
            let (name, fallback) = name.unwrap_or_else(|| panic!("{value} is not a variable"));
            let declared = format!("{name}: {};\n", fallback.trim_end_matches(')'));
            assert!(css.contains(&declared), "{declared}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen} colours");
    assert_eq!(css.lines().count(), ColorRole::all().len());
}

#[test]
fn the_two_kinds_of_svg_differ_in_their_colours_only() {
    let puzzle = everything();
    let picture = Picture::new(&puzzle).coordinates(true);
    let mut css = picture.css_svg();
    for role in ColorRole::all() {
        let color = Theme::LIGHT.color(role);
        css = css.replace(&format!("var(--rr-{role},{color})"), &color.to_string());
    }
    assert_eq!(css, picture.svg());
}
