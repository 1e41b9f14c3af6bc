//! Sizes of paper, and the grid of boards on a page.

use crate::color::role::Role;
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::scene::{Point, Scene, at};
use crate::vector::svg::{self, Colors, Document};

/// A size of paper.
///
/// ```
/// use ricochet_draw::Paper;
/// assert_eq!(Paper::from_name("letter"), Some(Paper::Letter));
/// assert_eq!(Paper::from_name("A4"), Some(Paper::A4));
/// assert_eq!(Paper::Letter.size(), (612.0, 792.0));
/// assert_eq!(Paper::from_name("a3"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// ISO A4, 210 by 297 millimetres.
    #[default]
    A4,
    /// US Letter, 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// The names that [`Paper::from_name`] knows.
    pub const NAMES: [&'static str; 2] = ["a4", "letter"];

    /// The paper of a name, in capitals or not: `a4` and `A4` are the same paper.
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

/// Pages as SVG documents, each with its number in the title.
pub(crate) fn svg_pages(pages: &[Scene], paper: Paper, title: &str) -> Vec<String> {
    let count = pages.len();
    let page = |(number, page): (usize, &Scene)| {
        let document = Document {
            size: paper.size(),
            unit: "pt",
            colors: Colors::Fixed,
            title: format!("{title} ({number}/{count})"),
            description: String::new(),
        };
        svg::document(page, &document)
    };
    (1..).zip(pages).map(page).collect()
}

const MARGIN: f32 = 40.0;
/// Room for the title above the boards.
const HEAD: f32 = 28.0;
/// Room for the page number below them.
const FOOT: f32 = 12.0;
/// Between boards.
const GAP: f32 = 16.0;
/// The height of capitals below a board, and from one line to the next.
pub(crate) const TEXT: f32 = 6.5;
pub(crate) const LINE: f32 = 11.5;

/// The line above the boards of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Title<'a> {
    pub(crate) text: &'a str,
    /// What makes this page's title another one than those of other pages; never cut.
    pub(crate) suffix: &'a str,
    /// From the left edge of the squares to that of what is in them.
    pub(crate) indent: f32,
}

impl Title<'_> {
    /// The whole title, its text cut with dots where both would be wider than `width`.
    fn fit(&self, font: Font, width: f32) -> String {
        let room = match self.suffix {
            "" => width,
            suffix => width - font.width(suffix),
        };
        font.fit(self.text, room) + self.suffix
    }
}

/// Equal squares on a page, as large as possible, each with room for text below or beside it.
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
    /// With room below each square.
    pub(crate) fn new(paper: Paper, squares: usize, below: f32) -> Self {
        Self::with_room(paper, squares, below, 0.0)
    }

    /// With room on the right of each square.
    pub(crate) fn beside(paper: Paper, squares: usize, beside: f32) -> Self {
        Self::with_room(paper, squares, 0.0, beside)
    }

    fn with_room(paper: Paper, squares: usize, below: f32, beside: f32) -> Self {
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

    /// The room for text below each square.
    pub(crate) fn below(self) -> f32 {
        self.below
    }

    /// An empty page with its title.
    pub(crate) fn page(self, theme: &Theme, title: &Title<'_>) -> Scene {
        let mut scene = Scene::default();
        let (width, height) = self.paper.size();
        scene.rect(0.0, 0.0, width, height, theme.paint(Role::Background));
        let font = Font::bold(11.0, theme.paint(Role::Ink)).typeset();
        let room = self.width() - 2.0 * title.indent;
        let place = at(self.left() + title.indent, MARGIN + 11.0);
        font.draw(&mut scene, &title.fit(font, room), place, Anchor::Left);
        scene
    }

    /// A line at the foot of a page.
    pub(crate) fn foot(self, scene: &mut Scene, theme: &Theme, text: &str) {
        let font = Font::regular(TEXT, theme.paint(Role::Faint)).typeset();
        let (width, height) = self.paper.size();
        let text = font.fit(text, width - 2.0 * MARGIN);
        let place = at(width / 2.0, height - MARGIN + FOOT);
        font.draw(scene, &text, place, Anchor::Middle);
    }
}
