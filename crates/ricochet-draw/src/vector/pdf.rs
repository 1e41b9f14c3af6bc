//! Scenes as PDF, one page each: compressed vector graphics.

use std::fmt::{self, Write as _};
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::color::Color;
use crate::picture::Picture;
use crate::scene::{Scene, Segment};
use crate::vector::svg::{Number, numbers};

/// A point is 1/72 inch, a pixel 1/96.
const POINTS_PER_PIXEL: f32 = 0.75;

impl Picture<'_> {
    /// The picture as a PDF with one page of the picture's size.
    pub fn pdf(&self) -> Vec<u8> {
        let (scene, (width, height)) = self.scene();
        let mut page = Scene::default();
        page.embed(&scene, crate::scene::at(0.0, 0.0), POINTS_PER_PIXEL);
        let size = (width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL);
        document(&[page], size, &self.title())
    }
}

/// A PDF file with one page for each scene, `size` in points.
pub(crate) fn document(pages: &[Scene], size: (f32, f32), title: &str) -> Vec<u8> {
    let opacities = opacities(pages);
    // Object 1 is the catalogue, 2 the tree of pages, 3 the title; then two objects per page.
    let mut file = File::default();
    let kids: Vec<String> = (0..pages.len())
        .map(|i| format!("{} 0 R", 4 + 2 * i))
        .collect();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object(&format!(
        "<< /Type /Pages /Count {} /Kids [{}] >>",
        pages.len(),
        kids.join(" ")
    ));
    file.object(&format!("<< /Title {} >>", hex_text(title)));
    let states: Vec<String> = opacities
        .iter()
        .map(|&a| {
            let opacity = f32::from(a) / 255.0;
            format!("/A{a} << /ca {opacity:.3} /CA {opacity:.3} >>")
        })
        .collect();
    let (width, height) = (Number(size.0), Number(size.1));
    for (i, scene) in pages.iter().enumerate() {
        file.object(&format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] \
             /Resources << /ExtGState << {} >> >> /Contents {} 0 R >>",
            states.join(" "),
            5 + 2 * i
        ));
        let mut content = String::new();
        let _ = write_content(&mut content, scene, size.1);
        file.stream(content.as_bytes());
    }
    file.finish()
}

/// The opacities below 1 in use.
fn opacities(pages: &[Scene]) -> Vec<u8> {
    let colors = pages.iter().flat_map(Scene::shapes).flat_map(|shape| {
        let stroke = shape.stroke.as_ref().map(|stroke| stroke.color.color);
        shape.fill.map(|fill| fill.color).into_iter().chain(stroke)
    });
    let mut opacities: Vec<u8> = colors.map(|color| color.a).filter(|&a| a < 255).collect();
    opacities.sort_unstable();
    opacities.dedup();
    opacities
}

/// Text as UTF-16 in hexadecimal, which needs no escaping.
fn hex_text(text: &str) -> String {
    let mut hex = String::from("<FEFF");
    for unit in text.encode_utf16() {
        let _ = write!(hex, "{unit:04X}");
    }
    hex + ">"
}

struct Channels(Color);

impl fmt::Display for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |channel: u8| f32::from(channel) / 255.0;
        let Color { r, g, b, .. } = self.0;
        write!(f, "{:.3} {:.3} {:.3}", share(r), share(g), share(b))
    }
}

fn write_content(out: &mut String, scene: &Scene, height: f32) -> fmt::Result {
    // PDF's y axis points up. Caps and joins are round.
    writeln!(out, "1 0 0 -1 0 {} cm 1 J 1 j", Number(height))?;
    for shape in scene.shapes() {
        // A fill and a stroke may differ in opacity, so they are painted separately.
        if let Some(color) = shape.fill.map(|fill| fill.color) {
            write_opaque(out, color, |out| {
                write!(out, "{} rg ", Channels(color))?;
                write_path(out, &shape.outline.segments())?;
                out.write_str("f")
            })?;
        }
        if let Some(stroke) = &shape.stroke {
            write_opaque(out, stroke.color.color, |out| {
                write!(
                    out,
                    "{} RG {} w ",
                    Channels(stroke.color.color),
                    Number(stroke.width)
                )?;
                write!(out, "[{}] 0 d ", numbers(&stroke.dashes))?;
                write_path(out, &shape.outline.segments())?;
                out.write_str("S")
            })?;
        }
    }
    Ok(())
}

fn write_opaque(
    out: &mut String,
    color: Color,
    write: impl FnOnce(&mut String) -> fmt::Result,
) -> fmt::Result {
    if color.a < 255 {
        write!(out, "q /A{} gs ", color.a)?;
        write(out)?;
        out.write_str(" Q\n")
    } else {
        write(out)?;
        out.write_str("\n")
    }
}

fn write_path(out: &mut String, path: &[Segment]) -> fmt::Result {
    for &segment in path {
        match segment {
            Segment::Move(p) => write!(out, "{p} m ")?,
            Segment::Line(p) => write!(out, "{p} l ")?,
            Segment::Cubic(a, b, p) => write!(out, "{a} {b} {p} c ")?,
            Segment::Close => out.write_str("h ")?,
        }
    }
    Ok(())
}

/// Writes a PDF file. Objects are numbered from 1 in the order of writing.
struct File {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl Default for File {
    fn default() -> Self {
        Self {
            // The second line marks the file as binary.
            bytes: b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec(),
            offsets: Vec::new(),
        }
    }
}

impl File {
    fn open(&mut self) {
        self.offsets.push(self.bytes.len());
        let head = format!("{} 0 obj\n", self.offsets.len());
        self.bytes.extend(head.as_bytes());
    }

    fn object(&mut self, text: &str) {
        self.open();
        self.bytes.extend(text.as_bytes());
        self.bytes.extend(b"\nendobj\n");
    }

    fn stream(&mut self, content: &[u8]) {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let compressed = encoder
            .write_all(content)
            .and_then(|()| encoder.finish())
            .expect("writing to memory never fails");
        self.open();
        let head = format!(
            "<< /Length {} /Filter /FlateDecode >>\nstream\n",
            compressed.len()
        );
        self.bytes.extend(head.as_bytes());
        self.bytes.extend(compressed);
        self.bytes.extend(b"\nendstream\nendobj\n");
    }

    fn finish(mut self) -> Vec<u8> {
        let table = self.bytes.len();
        let count = self.offsets.len() + 1;
        let entries: Vec<String> = self
            .offsets
            .iter()
            .map(|offset| format!("{offset:010} 00000 n \n"))
            .collect();
        let entries = entries.concat();
        let text = format!(
            "xref\n0 {count}\n0000000000 65535 f \n{entries}\
             trailer\n<< /Size {count} /Root 1 0 R /Info 3 0 R >>\nstartxref\n{table}\n%%EOF\n"
        );
        self.bytes.extend(text.as_bytes());
        self.bytes
    }
}
