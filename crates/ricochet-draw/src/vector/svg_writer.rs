//! Writes SVG: elements, attributes, escaped text.

use std::fmt::{self, Write as _};

use crate::scene::Point;

/// A number with at most two decimals, never in scientific notation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        let (whole, rest) = (hundredths.abs() / 100, hundredths.abs() % 100);
        if hundredths < 0 {
            f.write_str("-")?;
        }
        match rest {
            0 => write!(f, "{whole}"),
            r if r % 10 == 0 => write!(f, "{whole}.{}", r / 10),
            r => write!(f, "{whole}.{r:02}"),
        }
    }
}

/// Text escaped for XML and HTML, in elements and in attributes. Characters that XML does not allow
/// are left out.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Escaper(f).write_str(self.0)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Number(self.x), Number(self.y))
    }
}

/// Numbers with blanks between them.
pub(super) fn numbers(values: &[f32]) -> String {
    let texts: Vec<String> = values.iter().map(|&v| Number(v).to_string()).collect();
    texts.join(" ")
}

/// Escapes what is written through it.
struct Escaper<'a, W: fmt::Write>(&'a mut W);

impl<W: fmt::Write> fmt::Write for Escaper<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.0.write_str("&amp;")?,
                '<' => self.0.write_str("&lt;")?,
                '>' => self.0.write_str("&gt;")?,
                '"' => self.0.write_str("&quot;")?,
                '\t' | '\n' | ' '..='\u{7e}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'.. => {
                    self.0.write_char(character)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Writes an SVG document or a part of one. All SVG of this workspace is written with it, so escaping
/// and closing tags is done in one place.
///
/// ```
/// use ricochet_draw::svg::{Number, SvgWriter};
/// let mut svg = SvgWriter::new();
/// svg.open("g").class("axis");
/// svg.leaf("path").attr("d", "M0 0H10");
/// svg.leaf("text").attr("x", Number(2.5)).text("a < b");
/// svg.close();
/// assert_eq!(
///     svg.finish(),
///     "<g class=\"axis\">\n<path d=\"M0 0H10\"/>\n<text x=\"2.5\">a &lt; b</text>\n</g>\n"
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct SvgWriter {
    text: String,
    open: Vec<&'static str>,
}

impl SvgWriter {
    /// An empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// The opening tag of an `svg` element with this view box; further attributes may follow.
    pub fn open_svg(&mut self, (width, height): (f32, f32)) -> Tag<'_> {
        let view_box = format!("0 0 {} {}", Number(width), Number(height));
        self.open("svg")
            .attr("xmlns", "http://www.w3.org/2000/svg")
            .attr("viewBox", view_box)
    }

    /// The opening tag of an element that [`SvgWriter::close`] closes.
    pub fn open(&mut self, name: &'static str) -> Tag<'_> {
        self.open.push(name);
        self.start(name, ">\n")
    }

    /// An element without children; with [`Tag::text`] it has text.
    pub fn leaf(&mut self, name: &'static str) -> Tag<'_> {
        self.start(name, "/>\n")
    }

    fn start(&mut self, name: &'static str, end: &'static str) -> Tag<'_> {
        self.text.push('<');
        self.text.push_str(name);
        Tag {
            out: &mut self.text,
            name,
            end,
        }
    }

    /// Closes the element that was opened last, if any.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push_str(">\n");
        }
    }

    /// Adds markup as it is, such as another writer's result or the content of a style element.
    pub fn raw(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    /// The text, after closing all open elements.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }
}

/// A tag that takes attributes. Dropping it ends the tag.
#[derive(Debug)]
pub struct Tag<'a> {
    out: &'a mut String,
    name: &'static str,
    end: &'static str,
}

impl Tag<'_> {
    /// An attribute with a value of any kind.
    pub fn attr(self, name: &str, value: impl fmt::Display) -> Self {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        let _ = write!(Escaper(self.out), "{value}");
        self.out.push('"');
        self
    }

    /// The attribute `class`.
    pub fn class(self, names: &str) -> Self {
        self.attr("class", names)
    }

    /// The text of an element without other children.
    pub fn text(mut self, text: &str) {
        self.out.push('>');
        let _ = writeln!(self.out, "{}</{}>", Escaped(text), self.name);
        self.end = "";
    }
}

impl Drop for Tag<'_> {
    fn drop(&mut self) {
        self.out.push_str(self.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_scientific() {
        let text = |value: f32| Number(value).to_string();
        assert_eq!(text(3.0), "3");
        assert_eq!(text(-0.001), "0");
        assert_eq!(text(-0.25), "-0.25");
        assert_eq!(text(12.5), "12.5");
        assert_eq!(text(0.05), "0.05");
        assert_eq!(text(1e6), "1000000");
    }

    #[test]
    fn text_is_escaped_and_control_characters_are_dropped() {
        let text = Escaped("<a & b>\u{0}\u{1b}\u{ffff}é").to_string();
        assert_eq!(text, "&lt;a &amp; b&gt;é");
    }

    #[test]
    fn open_elements_are_closed_at_the_end() {
        let mut svg = SvgWriter::new();
        svg.open("g");
        svg.open("g").attr("id", "a\"b");
        svg.leaf("title").text("<");
        assert_eq!(
            svg.finish(),
            "<g>\n<g id=\"a&quot;b\">\n<title>&lt;</title>\n</g>\n</g>\n"
        );
    }
}
