//! Sizes of paper, and the grid of boards on a page.

use crate::glyphs::{Anchor, Font};
use crate::role::Role;
use crate::scene::{Point, Scene, at};
use crate::theme::Theme;

/// A size of paper.
///
/// ```
/// use ricochet_draw::Paper;
/// assert_eq!(Paper::from_name("letter"), Some(Paper::Letter));
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

    /// The paper of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
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

/// Equal squares on a page, as large as possible, each with room for text below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    paper: Paper,
    columns: usize,
    /// The side of a square.
    pub(crate) side: f32,
    below: f32,
}

impl Grid {
    pub(crate) fn new(paper: Paper, squares: usize, below: f32) -> Self {
        let (width, height) = paper.size();
        let (width, height) = (width - 2.0 * MARGIN, height - 2.0 * MARGIN - HEAD - FOOT);
        let side = |columns: usize| {
            let rows = squares.div_ceil(columns);
            let wide = (width - GAP * (columns - 1) as f32) / columns as f32;
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
        }
    }

    fn width(self) -> f32 {
        self.side * self.columns as f32 + GAP * (self.columns - 1) as f32
    }

    fn left(self) -> f32 {
        (self.paper.size().0 - self.width()) / 2.0
    }

    /// The north-west corner of a square, counted from 0.
    pub(crate) fn corner(self, number: usize) -> Point {
        let (column, row) = (number % self.columns, number / self.columns);
        at(
            self.left() + column as f32 * (self.side + GAP),
            MARGIN + HEAD + row as f32 * (self.side + self.below + GAP),
        )
    }

    /// An empty page with its title.
    pub(crate) fn page(self, theme: &Theme, title: &str) -> Scene {
        let mut scene = Scene::default();
        let (width, height) = self.paper.size();
        scene.rect(0.0, 0.0, width, height, theme.paint(Role::Background));
        let font = Font::bold(11.0, theme.paint(Role::Ink)).typeset();
        let title = font.fit(title, self.width());
        font.draw(
            &mut scene,
            &title,
            at(self.left(), MARGIN + 11.0),
            Anchor::Left,
        );
        scene
    }

    /// A line at the foot of a page.
    pub(crate) fn foot(self, scene: &mut Scene, theme: &Theme, text: &str) {
        let font = Font::regular(TEXT, theme.paint(Role::Faint)).typeset();
        let text = font.fit(text, self.width());
        let (width, height) = self.paper.size();
        let place = at(width / 2.0, height - MARGIN + FOOT);
        font.draw(scene, &text, place, Anchor::Middle);
    }
}
