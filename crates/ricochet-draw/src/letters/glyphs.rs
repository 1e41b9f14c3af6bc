//! Letters, digits and symbols as strokes of one width with round ends. They need no font file, and
//! every format shows the same letters. Text with other letters is set in [`crate::letters::typeface`].
//!
//! A glyph is a path in units of a tenth of the height of a capital: y = 0 is the top of a capital,
//! y = 10 the base line. In addition to the usual `M`, `L` and `C` there are `h x y` and `v x y`, a
//! quarter of an ellipse that starts horizontally or vertically, and `O x y rx ry`, an ellipse.

use crate::color::role::Paint;
use crate::letters::typeface;
use crate::scene::{Outline, Point, QUARTER, Scene, Segment, Stroke, at, ellipse};

/// Width, path.
type Glyph = (f32, &'static str);

const DIGITS: [Glyph; 10] = [
    (6.0, "M 3 0 h 6 3.2 L 6 6.8 v 3 10 h 0 6.8 L 0 3.2 v 3 0"),
    (6.0, "M 1.2 2.2 L 3.6 0 L 3.6 10"),
    (
        6.0,
        "M 0.3 2.6 v 3 0 h 5.8 2.7 C 5.8 4.9 2.6 6.6 0.2 10 L 6 10",
    ),
    (6.0, "M 0.4 0 L 5.6 0 L 2.7 4 h 5.9 7 v 3 10 h 0.1 7.8"),
    (6.0, "M 4.5 10 L 4.5 0 L 0 7.2 L 6.2 7.2"),
    (
        6.0,
        "M 5.4 0 L 1 0 L 0.6 4.6 C 1.2 3.9 2 3.6 3 3.6 h 6 6.8 v 3 10 h 0.1 8.1",
    ),
    (6.0, "M 4.6 0 C 2 2 0 4.4 0 6.9 O 3 6.9 3 3.1"),
    (6.0, "M 0 0 L 6 0 L 2.2 10"),
    (6.0, "O 3 2.4 2.5 2.4 O 3 7.4 3 2.6"),
    (6.0, "M 1.4 10 C 4 8 6 5.6 6 3.1 O 3 3.1 3 3.1"),
];

const CAPITALS: [Glyph; 26] = [
    (6.8, "M 0 10 L 3.4 0 L 6.8 10 M 1.2 6.7 L 5.6 6.7"),
    (
        6.0,
        "M 0 10 L 0 0 L 3 0 h 5.4 2.4 v 3 4.7 L 0 4.7 M 3 4.7 h 6 7.35 v 3.2 10 L 0 10",
    ),
    (6.2, "M 6.2 2.6 v 3.2 0 h 0 3.5 L 0 6.5 v 3.2 10 h 6.2 7.4"),
    (
        6.2,
        "M 0 0 L 0 10 L 2.6 10 h 6.2 6.4 L 6.2 3.6 v 2.6 0 L 0 0",
    ),
    (5.2, "M 5.2 0 L 0 0 L 0 10 L 5.2 10 M 0 4.8 L 4.4 4.8"),
    (5.2, "M 5.2 0 L 0 0 L 0 10 M 0 4.8 L 4.4 4.8"),
    (
        6.4,
        "M 6.2 2.6 v 3.2 0 h 0 3.5 L 0 6.5 v 3.2 10 h 6.4 7 L 6.4 5.3 L 3.7 5.3",
    ),
    (6.2, "M 0 0 L 0 10 M 6.2 0 L 6.2 10 M 0 4.8 L 6.2 4.8"),
    (0.0, "M 0 0 L 0 10"),
    (4.2, "M 4.2 0 L 4.2 7.6 v 2.1 10 h 0 8"),
    (6.0, "M 0 0 L 0 10 M 5.6 0 L 0 6 M 2.2 3.7 L 6 10"),
    (5.0, "M 0 0 L 0 10 L 5 10"),
    (7.6, "M 0 10 L 0 0 L 3.8 6 L 7.6 0 L 7.6 10"),
    (6.4, "M 0 10 L 0 0 L 6.4 10 L 6.4 0"),
    (
        6.6,
        "M 3.3 0 h 6.6 3.6 L 6.6 6.4 v 3.3 10 h 0 6.4 L 0 3.6 v 3.3 0",
    ),
    (5.8, "M 0 10 L 0 0 L 3 0 h 5.8 2.8 v 3 5.6 L 0 5.6"),
    (
        6.6,
        "M 3.3 0 h 6.6 3.6 L 6.6 6.4 v 3.3 10 h 0 6.4 L 0 3.6 v 3.3 0 M 4.2 7.6 L 6.8 10.6",
    ),
    (
        6.0,
        "M 0 10 L 0 0 L 3 0 h 5.7 2.7 v 3 5.4 L 0 5.4 M 3 5.4 L 6 10",
    ),
    (
        6.0,
        "M 5.6 2.3 v 2.9 0 h 0.3 2.5 C 0.3 4.2 1.6 4.6 3 5 C 4.5 5.4 6 6 6 7.4 v 3 10 h 0 7.7",
    ),
    (6.4, "M 0 0 L 6.4 0 M 3.2 0 L 3.2 10"),
    (6.2, "M 0 0 L 0 6.8 v 3.1 10 h 6.2 6.8 L 6.2 0"),
    (6.6, "M 0 0 L 3.3 10 L 6.6 0"),
    (9.4, "M 0 0 L 2.3 10 L 4.7 1.4 L 7.1 10 L 9.4 0"),
    (6.2, "M 0 0 L 6.2 10 M 6.2 0 L 0 10"),
    (6.6, "M 0 0 L 3.3 5 L 6.6 0 M 3.3 5 L 3.3 10"),
    (6.0, "M 0 0 L 6 0 L 0 10 L 6 10"),
];

const SMALL: [Glyph; 26] = [
    (5.2, "O 2.6 6.6 2.6 3.4 M 5.2 3.3 L 5.2 10"),
    (5.2, "M 0 0 L 0 10 O 2.6 6.6 2.6 3.4"),
    (4.8, "M 4.8 5 v 2.6 3.2 h 0 6.1 L 0 7.1 v 2.6 10 h 4.8 8.2"),
    (5.2, "O 2.6 6.6 2.6 3.4 M 5.2 0 L 5.2 10"),
    (
        5.2,
        "M 0 6.6 L 5.2 6.6 L 5.2 6.3 v 2.6 3.2 h 0 6.4 L 0 6.9 v 2.7 10 h 4.9 8.6",
    ),
    (3.4, "M 3.4 0 L 3.1 0 h 1.2 2 L 1.2 10 M 0 3.4 L 3.1 3.4"),
    (
        5.2,
        "O 2.6 6.6 2.6 3.4 M 5.2 3.3 L 5.2 10.6 v 2.6 13 h 0.3 11.9",
    ),
    (4.8, "M 0 0 L 0 10 M 0 6.2 v 2.5 3.2 h 4.8 5.8 L 4.8 10"),
    (0.0, "M 0 3.4 L 0 10 M 0 0.5 L 0 0.6"),
    (1.5, "M 1.5 3.4 L 1.5 11 v 0 12.9 M 1.5 0.5 L 1.5 0.6"),
    (4.8, "M 0 0 L 0 10 M 4.5 3.4 L 0 7.4 M 1.8 5.8 L 4.8 10"),
    (0.0, "M 0 0 L 0 10"),
    (
        8.0,
        "M 0 3.4 L 0 10 M 0 5.6 v 2.1 3.2 h 4 5.4 L 4 10 M 4 5.6 v 6.1 3.2 h 8 5.4 L 8 10",
    ),
    (4.8, "M 0 3.4 L 0 10 M 0 6 v 2.5 3.2 h 4.8 5.8 L 4.8 10"),
    (5.4, "O 2.7 6.6 2.7 3.4"),
    (5.2, "M 0 3.4 L 0 13 O 2.6 6.6 2.6 3.4"),
    (5.2, "O 2.6 6.6 2.6 3.4 M 5.2 3.4 L 5.2 13"),
    (3.2, "M 0 3.4 L 0 10 M 0 6 v 2.6 3.2 L 3.2 3.2"),
    (
        4.7,
        "M 4.4 4.7 v 2.3 3.2 h 0.2 4.9 C 0.2 6.2 1.3 6.4 2.4 6.6 C 3.6 6.8 4.7 7.1 4.7 8.2 \
         v 2.4 10 h 0 8.5",
    ),
    (3.4, "M 1.3 1 L 1.3 8.2 v 3 10 L 3.4 10 M 0 3.4 L 3.2 3.4"),
    (4.8, "M 0 3.4 L 0 7.4 v 2.4 10 h 4.8 7.4 M 4.8 3.4 L 4.8 10"),
    (5.2, "M 0 3.4 L 2.6 10 L 5.2 3.4"),
    (7.8, "M 0 3.4 L 1.9 10 L 3.9 4.2 L 5.9 10 L 7.8 3.4"),
    (4.8, "M 0 3.4 L 4.8 10 M 4.8 3.4 L 0 10"),
    (
        5.4,
        "M 0 3.4 L 2.7 10 M 5.4 3.4 L 2.7 10 C 1.9 12.2 1.5 13 0.3 13",
    ),
    (4.8, "M 0 3.4 L 4.8 3.4 L 0 10 L 4.8 10"),
];

/// The glyph of a character, if there is one.
fn glyph(character: char) -> Option<Glyph> {
    Some(match character {
        '0'..='9' => DIGITS[character as usize - '0' as usize],
        'A'..='Z' => CAPITALS[character as usize - 'A' as usize],
        'a'..='z' => SMALL[character as usize - 'a' as usize],
        ' ' => (2.6, ""),
        '.' => (0.0, "M 0 10 L 0 9.9"),
        ',' => (0.6, "M 0.6 9.8 L 0 11.6"),
        ':' => (0.0, "M 0 10 L 0 9.9 M 0 4.4 L 0 4.3"),
        ';' => (0.6, "M 0.6 9.8 L 0 11.6 M 0.6 4.4 L 0.6 4.3"),
        '-' | '\u{2010}' | '\u{2011}' => (3.2, "M 0 6 L 3.2 6"),
        '–' | '—' => (5.4, "M 0 6 L 5.4 6"),
        '+' => (5.4, "M 0 6 L 5.4 6 M 2.7 3.3 L 2.7 8.7"),
        '=' => (5.4, "M 0 4.6 L 5.4 4.6 M 0 7.4 L 5.4 7.4"),
        '(' => (2.0, "M 2 -1 C -0.6 2.4 -0.6 8.6 2 12"),
        ')' => (2.0, "M 0 -1 C 2.6 2.4 2.6 8.6 0 12"),
        '[' => (1.8, "M 1.8 -1 L 0 -1 L 0 12 L 1.8 12"),
        ']' => (1.8, "M 0 -1 L 1.8 -1 L 1.8 12 L 0 12"),
        '/' => (4.4, "M 4.4 -0.6 L 0 11.4"),
        '\\' => (4.4, "M 0 -0.6 L 4.4 11.4"),
        '\'' | '’' => (0.0, "M 0 0 L 0 2.4"),
        '"' => (1.8, "M 0 0 L 0 2.4 M 1.8 0 L 1.8 2.4"),
        '!' => (0.0, "M 0 0 L 0 6.8 M 0 10 L 0 9.9"),
        '?' => (
            4.8,
            "M 0 2.4 v 2.4 0 h 4.8 2.4 C 4.8 4.6 2.4 4.6 2.4 7 M 2.4 10 L 2.4 9.9",
        ),
        '*' => (4.4, "M 2.2 0 L 2.2 5 M 0 1.2 L 4.4 3.8 M 4.4 1.2 L 0 3.8"),
        '#' => (
            6.0,
            "M 2 1 L 1 9.6 M 5 1 L 4 9.6 M 0.4 3.6 L 6 3.6 M 0 7 L 5.6 7",
        ),
        '%' => (7.6, "O 1.6 2 1.6 2 O 6 8 1.6 2 M 6 0 L 1.6 10"),
        '&' => (
            6.4,
            "M 6.4 10 L 1.4 3.2 C 0.2 1.6 1 0 2.6 0 C 4.4 0 5 2 3.6 3.2 L 1.4 5 \
             C -1 6.8 0 10 2.8 10 C 4.8 10 6 8 6.2 6",
        ),
        '_' => (5.4, "M 0 11.4 L 5.4 11.4"),
        '<' => (4.6, "M 4.6 3.2 L 0 6 L 4.6 8.8"),
        '>' => (4.6, "M 0 3.2 L 4.6 6 L 0 8.8"),
        '→' => (7.0, "M 0 6 L 7 6 M 4.6 3.6 L 7 6 L 4.6 8.4"),
        '×' => (4.4, "M 0 3.8 L 4.4 8.2 M 4.4 3.8 L 0 8.2"),
        '·' => (0.0, "M 0 6 L 0 5.9"),
        _ => return None,
    })
}

/// Which point of a text is at the given place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// The left end of the base line.
    Left,
    /// The middle of the capitals.
    Middle,
    /// The right end of the base line.
    Right,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Font {
    /// The height of a capital.
    pub(crate) height: f32,
    /// The width of the lines, in tenths of the height.
    pub(crate) weight: f32,
    pub(crate) color: Paint,
    /// Whether to use [`typeface`] even for text that does not need it.
    typeset: bool,
}

impl Font {
    pub(crate) fn regular(height: f32, color: impl Into<Paint>) -> Self {
        Self {
            height,
            weight: 1.15,
            color: color.into(),
            typeset: false,
        }
    }

    pub(crate) fn bold(height: f32, color: impl Into<Paint>) -> Self {
        Self {
            height,
            weight: 1.75,
            color: color.into(),
            typeset: false,
        }
    }

    /// The same font, always in the typeface of printed pages.
    pub(crate) fn typeset(mut self) -> Self {
        self.typeset = true;
        self
    }

    /// The stroked glyphs of a text; `None` if it is set in the typeface.
    fn glyphs(self, text: &str) -> Option<Vec<Glyph>> {
        if self.typeset {
            return None;
        }
        text.chars().map(glyph).collect()
    }

    /// How much is added around the typeface's outlines to make them bold.
    fn boldness(self) -> f32 {
        (self.weight - 1.15).max(0.0) * (self.height / 10.0)
    }

    /// The distance between two glyphs.
    fn gap(self) -> f32 {
        1.5 + self.weight
    }

    /// The width of the lines.
    pub(crate) fn line_width(self) -> f32 {
        self.weight * (self.height / 10.0)
    }

    /// The width of a text, including the width of its strokes.
    pub(crate) fn width(self, text: &str) -> f32 {
        let Some(glyphs) = self.glyphs(text) else {
            return typeface::width(text, self.height) + self.boldness();
        };
        let units: f32 = glyphs.iter().map(|(width, _)| width + self.gap()).sum();
        if text.is_empty() {
            0.0
        } else {
            (units - self.gap() + self.weight) * self.height / 10.0
        }
    }

    /// The text; if it is wider than `width`, it is cut and ends in dots.
    pub(crate) fn fit(self, text: &str, width: f32) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut cut: Vec<char> = text.chars().collect();
        loop {
            cut.pop();
            let shorter: String = cut.iter().collect::<String>().trim_end().to_owned() + "...";
            if cut.is_empty() || self.width(&shorter) <= width {
                return shorter;
            }
        }
    }

    /// Adds a text to a scene.
    pub(crate) fn draw(self, scene: &mut Scene, text: &str, place: Point, anchor: Anchor) {
        let Some(glyphs) = self.glyphs(text) else {
            return self.draw_typeset(scene, text, place, anchor);
        };
        let unit = self.height / 10.0;
        let half_line = self.line_width() / 2.0;
        let width = self.width(text);
        let (mut x, top) = match anchor {
            Anchor::Left => (place.x + half_line, place.y - self.height),
            Anchor::Middle => (
                place.x - width / 2.0 + half_line,
                place.y - self.height / 2.0,
            ),
            Anchor::Right => (place.x - width + half_line, place.y - self.height),
        };
        let mut path = Vec::new();
        for (glyph_width, source) in glyphs {
            trace(&mut path, source, at(x, top), unit);
            x += (glyph_width + self.gap()) * unit;
        }
        if !path.is_empty() {
            let stroke = Stroke {
                color: self.color,
                width: self.line_width(),
                dashes: Vec::new(),
            };
            scene.push(Outline::Path(path), None, Some(stroke));
        }
    }

    fn draw_typeset(self, scene: &mut Scene, text: &str, place: Point, anchor: Anchor) {
        let width = self.width(text);
        let left = match anchor {
            Anchor::Left => place,
            Anchor::Middle => place.plus(-width / 2.0, self.height / 2.0),
            Anchor::Right => place.plus(-width, 0.0),
        };
        let bold = self.boldness();
        let path = typeface::outlines(text, left.plus(bold / 2.0, 0.0), self.height);
        if !path.is_empty() {
            let stroke = (bold > 0.0).then(|| Stroke {
                color: self.color,
                width: bold,
                dashes: Vec::new(),
            });
            scene.push(Outline::Path(path), Some(self.color), stroke);
        }
    }
}

/// Adds the strokes of a glyph with its origin at `origin`.
fn trace(path: &mut Vec<Segment>, source: &str, origin: Point, unit: f32) {
    let mut words = source.split_ascii_whitespace();
    let mut here = origin;
    while let Some(command) = words.next() {
        let mut number = || -> f32 {
            let word = words.next().expect("a glyph's command has its numbers");
            word.parse().expect("a glyph's number")
        };
        let mut point = || {
            let (x, y) = (number(), number());
            origin.plus(x * unit, y * unit)
        };
        let to = point();
        match command {
            "M" => path.push(Segment::Move(to)),
            "L" => path.push(Segment::Line(to)),
            "h" => {
                let a = at(here.x + (to.x - here.x) * QUARTER, here.y);
                let b = at(to.x, to.y + (here.y - to.y) * QUARTER);
                path.push(Segment::Cubic(a, b, to));
            }
            "v" => {
                let a = at(here.x, here.y + (to.y - here.y) * QUARTER);
                let b = at(to.x + (here.x - to.x) * QUARTER, to.y);
                path.push(Segment::Cubic(a, b, to));
            }
            "C" => {
                let (b, end) = (point(), point());
                path.push(Segment::Cubic(to, b, end));
                here = end;
                continue;
            }
            "O" => {
                let (rx, ry) = (number() * unit, number() * unit);
                ellipse(path, to, rx, ry);
            }
            _ => unreachable!("a glyph's command is one of M L h v C O"),
        }
        here = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;

    #[test]
    fn every_glyph_can_be_traced_and_stays_in_its_box() {
        let signs = "`$@^{|}~";
        let all = (' '..='~').filter(|c| !signs.contains(*c));
        for character in all.chain("–→×·’".chars()) {
            let (width, source) = glyph(character).unwrap_or_else(|| panic!("{character}"));
            let mut path = Vec::new();
            trace(&mut path, source, at(0.0, 0.0), 1.0);
            for segment in path {
                let points = match segment {
                    Segment::Move(p) | Segment::Line(p) | Segment::Cubic(_, _, p) => vec![p],
                    Segment::Close => vec![],
                };
                for p in points {
                    assert!((-0.7..=width + 0.7).contains(&p.x), "{character} {p:?}");
                    assert!((-1.5..=13.5).contains(&p.y), "{character} {p:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_text_is_cut_to_its_place() {
        let font = Font::regular(10.0, Color::BLACK);
        let text = "a rather long title of a puzzle";
        assert_eq!(font.fit(text, 1e6), text);
        let cut = font.fit(text, 100.0);
        assert!(cut.ends_with("...") && font.width(&cut) <= 100.0);
    }
}
