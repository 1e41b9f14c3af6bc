//! Sizes of paper, and the grid of boards on a page.

use crate::color::role::ColorRole;
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::scene::{Point, Scene, at};
use crate::vector::svg::{self, Colors, Document};

/// A size of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// ISO A4, 210 by 297 millimetres.
    #[default]
    A4,
    /// US Letter, 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// The names that [`Paper::from_name`] accepts.
    pub const NAMES: [&'static str; 2] = ["a4", "letter"];

    /// The paper with this name, in upper or lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "a4" => Some(Self::A4),
            "letter" => Some(Self::Letter),
            _ => None,
        }
    }

    /// Width and height in points (1/72 inch).
    pub fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.28, 841.89),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// Pages ready to be written as a file.
#[derive(Clone, Debug)]
pub struct Pages {
    pub(super) scenes: Vec<Scene>,
    pub(super) paper: Paper,
    pub(super) title: String,
}

impl Pages {
    /// One SVG document per page, with the page number in its title.
    pub fn svg(&self) -> Vec<String> {
        let count = self.scenes.len();
        let page = |(number, scene): (usize, &Scene)| {
            let document = Document {
                size: self.paper.size(),
                unit: "pt",
                colors: Colors::Fixed,
                title: format!("{} ({number}/{count})", self.title),
                description: String::new(),
            };
            svg::document(scene, &document)
        };
        (1..).zip(&self.scenes).map(page).collect()
    }

    /// All pages as one PDF file.
    #[cfg(feature = "pdf")]
    pub fn pdf(&self) -> Vec<u8> {
        crate::vector::pdf::document(&self.scenes, self.paper.size(), &self.title)
    }

    /// One PNG file per page.
    ///
    /// # Errors
    /// If there is not enough memory for the pixels.
    #[cfg(feature = "raster")]
    pub fn png(&self, pixels_per_inch: u32) -> Result<Vec<Vec<u8>>, crate::RasterError> {
        let scale = pixels_per_inch.max(1) as f32 / 72.0;
        let (width, height) = self.paper.size();
        let size = ((width * scale).round(), (height * scale).round());
        let page = |scene: &Scene| {
            let mut larger = Scene::default();
            larger.embed(scene, at(0.0, 0.0), scale);
            crate::raster::png(&larger, size)
        };
        self.scenes.iter().map(page).collect()
    }
}

const MARGIN: f32 = 40.0;
/// The height of the title above the boards.
const HEAD: f32 = 28.0;
/// The height of the line below the boards.
const FOOT: f32 = 12.0;
/// The distance between boards.
const GAP: f32 = 16.0;
/// The height of capitals below a board, and the distance from one line to the next.
pub(crate) const TEXT: f32 = 6.5;
pub(crate) const LINE: f32 = 11.5;

/// The line above the boards of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Title<'a> {
    pub(crate) text: &'a str,
    /// What distinguishes this page's title from that of other pages; never cut.
    pub(crate) suffix: &'a str,
    /// The distance from the left edge of the squares to that of their contents.
    pub(crate) indent: f32,
}

impl Title<'_> {
    /// The whole title; its text is cut and ends in dots if the title is wider than `width`.
    fn fit(&self, font: Font, width: f32) -> String {
        let room = match self.suffix {
            "" => width,
            suffix => width - font.width(suffix),
        };
        font.fit(self.text, room) + self.suffix
    }
}

/// Equal squares on a page, as large as possible, each with space for text below or on its right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    paper: Paper,
    columns: usize,
    /// The side of a square.
    pub(crate) side: f32,
    below: f32,
    beside: f32,
}

impl Grid {
    /// With space of this height below each square and of this width on its right.
    pub(crate) fn new(paper: Paper, squares: usize, below: f32, beside: f32) -> Self {
        let (width, height) = paper.size();
        let (width, height) = (width - 2.0 * MARGIN, height - 2.0 * MARGIN - HEAD - FOOT);
        let side = |columns: usize| {
            let rows = squares.div_ceil(columns);
            let wide = (width - GAP * (columns - 1) as f32) / columns as f32 - beside;
            let high = (height - GAP * (rows - 1) as f32) / rows as f32 - below;
            wide.min(high)
        };
        let columns = (1..=squares)
            .max_by(|&a, &b| side(a).total_cmp(&side(b)))
            .unwrap_or(1);
        Self {
            paper,
            columns,
            side: side(columns),
            below,
            beside,
        }
    }

    fn width(self) -> f32 {
        (self.side + self.beside) * self.columns as f32 + GAP * (self.columns - 1) as f32
    }

    fn left(self) -> f32 {
        (self.paper.size().0 - self.width()) / 2.0
    }

    /// The north-west corner of a square, counted from 0.
    pub(crate) fn corner(self, number: usize) -> Point {
        let (column, row) = (number % self.columns, number / self.columns);
        at(
            self.left() + column as f32 * (self.side + self.beside + GAP),
            MARGIN + HEAD + row as f32 * (self.side + self.below + GAP),
        )
    }

    /// Whether a square, counted from 0, is at the left end of its row.
    pub(crate) fn is_first_of_row(self, number: usize) -> bool {
        number.is_multiple_of(self.columns)
    }

    /// The height of the text below each square.
    pub(crate) fn below(self) -> f32 {
        self.below
    }

    /// An empty page with its title.
    pub(crate) fn page(self, theme: &Theme, title: &Title<'_>) -> Scene {
        let mut scene = Scene::default();
        let (width, height) = self.paper.size();
        scene.rect(0.0, 0.0, width, height, theme.paint(ColorRole::Background));
        let font = Font::bold(11.0, theme.paint(ColorRole::Ink)).typeset();
        let room = self.width() - 2.0 * title.indent;
        let place = at(self.left() + title.indent, MARGIN + 11.0);
        font.draw(&mut scene, &title.fit(font, room), place, Anchor::Left);
        scene
    }

    /// Draws a line at the foot of a page.
    pub(crate) fn foot(self, scene: &mut Scene, theme: &Theme, text: &str) {
        let font = Font::regular(TEXT, theme.paint(ColorRole::Faint)).typeset();
        let (width, height) = self.paper.size();
        let text = font.fit(text, width - 2.0 * MARGIN);
        let place = at(width / 2.0, height - MARGIN + FOOT);
        font.draw(scene, &text, place, Anchor::Middle);
    }
}
