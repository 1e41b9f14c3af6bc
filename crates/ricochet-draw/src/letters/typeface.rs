//! Letters of many alphabets, from a font that is part of the crate: a subset of `DejaVu` Sans with
//! Latin, Greek, Cyrillic, Armenian and Georgian letters. Pictures contain its outlines, so they can
//! be shown without the font.

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use crate::scene::{Point, Segment, at};

static FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");

/// The height of a capital, in the font's units.
const CAPITAL: f32 = 1493.0;

fn font() -> FontRef<'static> {
    FontRef::new(FONT).expect("the crate's own font is a font")
}

/// The characters of a text that pictures and sheets cannot show, each once. Boxes are drawn instead.
///
/// Letters of the Latin, Greek, Cyrillic, Armenian and Georgian alphabets can be shown.
///
/// ```
/// use ricochet_draw::missing_letters;
/// assert_eq!(missing_letters("Grüße, Ελλάδα, Україна!"), []);
/// assert_eq!(missing_letters("日本 日"), ['日', '本']);
/// ```
pub fn missing_letters(text: &str) -> Vec<char> {
    let known = font().charmap();
    let mut missing: Vec<char> = Vec::new();
    for character in text.chars().filter(|c| !is_blank(*c)) {
        if known.map(character).is_none() && !missing.contains(&character) {
            missing.push(character);
        }
    }
    missing
}

/// White space and control characters are all drawn as a space.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

fn glyph(font: &FontRef<'_>, character: char) -> GlyphId {
    let character = if is_blank(character) { ' ' } else { character };
    // Glyph 0 is the box.
    font.charmap().map(character).unwrap_or_default()
}

/// How far a glyph moves the pen, in the font's units.
fn advance(font: &FontRef<'_>, glyph: GlyphId) -> f32 {
    let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
    metrics.advance_width(glyph).unwrap_or_default()
}

/// The width of a text with capitals of this height.
pub(crate) fn width(text: &str, height: f32) -> f32 {
    let font = font();
    let units: f32 = text.chars().map(|c| advance(&font, glyph(&font, c))).sum();
    units * height / CAPITAL
}

/// The outlines of a text, to fill; `left` is the left end of its base line.
pub(crate) fn outlines(text: &str, left: Point, height: f32) -> Vec<Segment> {
    let font = font();
    let outlines = font.outline_glyphs();
    let mut pen = Pen {
        path: Vec::new(),
        origin: left,
        scale: height / CAPITAL,
        here: left,
    };
    for character in text.chars() {
        let glyph = glyph(&font, character);
        // Blanks have no outline.
        if let Some(outline) = outlines.get(glyph) {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            let _ = outline.draw(settings, &mut pen);
        }
        pen.origin.x += advance(&font, glyph) * pen.scale;
    }
    pen.path
}

/// Collects the outlines of glyphs.
struct Pen {
    path: Vec<Segment>,
    origin: Point,
    scale: f32,
    here: Point,
}

impl Pen {
    /// A point of the font, whose y goes up.
    fn point(&self, x: f32, y: f32) -> Point {
        at(
            self.origin.x + x * self.scale,
            self.origin.y - y * self.scale,
        )
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.here = self.point(x, y);
        self.path.push(Segment::Move(self.here));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.here = self.point(x, y);
        self.path.push(Segment::Line(self.here));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (control, end) = (self.point(x1, y1), self.point(x, y));
        // The same curve with two control points.
        let a = self.here.towards(control, 2.0 / 3.0);
        let b = end.towards(control, 2.0 / 3.0);
        self.here = end;
        self.path.push(Segment::Cubic(a, b, end));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (a, b, end) = (self.point(x1, y1), self.point(x2, y2), self.point(x, y));
        self.here = end;
        self.path.push(Segment::Cubic(a, b, end));
    }

    fn close(&mut self) {
        self.path.push(Segment::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_height_of_a_capital_is_the_font_s() {
        let font = font();
        let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        let box_of_h = metrics.bounds(glyph(&font, 'H')).unwrap();
        assert_eq!((box_of_h.y_min, box_of_h.y_max), (0.0, CAPITAL));
    }

    #[test]
    fn an_umlaut_is_more_than_its_letter() {
        let dots =
            outlines("ö", at(0.0, 0.0), 10.0).len() - outlines("o", at(0.0, 0.0), 10.0).len();
        assert!(dots > 0);
        assert!((width("öö", 10.0) - 2.0 * width("ö", 10.0)).abs() < 0.01);
    }
}
