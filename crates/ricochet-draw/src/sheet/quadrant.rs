//! The printed quadrant sides: one as a small picture, or all of them on pages.

use ricochet_core::quadrants::{Edition, Side};

use crate::color::role::Role;
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::picture::CELL_SIZES;
use crate::scene::Scene;
use crate::scene::board::BoardScene;
use crate::scene::layout::Layout;
use crate::sheet::paper::{Grid, LINE, Paper, TEXT, Title};
use crate::terminal::{Terminal, TextPicture};
use crate::vector::svg::{self, Colors, Document};

/// Cells of a quadrant, along each side.
const CELLS: usize = 8;

/// All sixteen sides, 1A to 4D.
///
/// ```
/// let sides = ricochet_draw::quadrant::all();
/// assert_eq!((sides.len(), sides[5].to_string().as_str()), (16, "2B"));
/// ```
pub fn all() -> Vec<Side> {
    let names = (1..=4).flat_map(|tile| "ABCD".chars().map(move |face| Side::new(tile, face)));
    names.flatten().collect()
}

/// A side as it lies in the north-west, for a terminal. Its east and south edges are open, because
/// the board continues there.
///
/// ```
/// use ricochet_draw::{BoardSize, Terminal, quadrant};
/// let picture = quadrant::text("3B".parse().unwrap(), Terminal::ascii().size(BoardSize::Narrow));
/// assert_eq!(picture.plain().lines().nth(3), Some(" 1 |.|r_. . . . _ ."));
/// ```
pub fn text(side: Side, terminal: Terminal) -> TextPicture {
    let board = side.board();
    let picture = terminal.board(&board, None);
    let (columns, rows) = terminal.cell_pitch();
    picture.cropped(
        picture.width() - (board.width() - CELLS) * columns,
        picture.height() - (board.height() - CELLS) * rows,
    )
}

/// A side as it lies in the north-west, as an SVG document with cells of this many pixels.
///
/// ```
/// use ricochet_draw::{Theme, quadrant};
/// let svg = quadrant::svg("3B".parse().unwrap(), &Theme::DARK, 24);
/// assert!(svg.contains("<title>Quadrant 3B</title>"));
/// ```
pub fn svg(side: Side, theme: &Theme, cell_size: u32) -> String {
    let cell = cell_size.clamp(*CELL_SIZES.start(), *CELL_SIZES.end());
    let (scene, size) = scene(side, theme, cell);
    let document = Document {
        size,
        unit: "",
        colors: Colors::Fixed,
        title: format!("Quadrant {side}"),
        description: String::new(),
    };
    svg::document(&scene, &document)
}

fn scene(side: Side, theme: &Theme, cell: u32) -> (Scene, (f32, f32)) {
    let board = side.board();
    let layout = Layout::of_size(CELLS, CELLS, cell, false);
    let parts = BoardScene {
        board: &board,
        columns: CELLS,
        rows: CELLS,
        layout,
        theme,
    };
    let size = layout.picture_size();
    let mut scene = Scene::default();
    scene.rect(0.0, 0.0, size.0, size.1, theme.paint(Role::Background));
    scene.group("board", |scene| {
        parts.ground(scene);
        parts.grid(scene);
    });
    scene.group("targets", |scene| parts.targets(scene, None));
    scene.group("walls", |scene| {
        parts.diagonals(scene);
        parts.walls(scene);
    });
    (scene, size)
}

/// Quadrant sides with their names on pages for printing, at most eight on each: large enough to
/// compare them with the tiles on the table.
///
/// ```
/// use ricochet_draw::Paper;
/// use ricochet_draw::quadrant::{self, QuadrantSheet};
/// let sheet = QuadrantSheet::new(&quadrant::all()).paper(Paper::Letter);
/// let pages = sheet.svg_pages();
/// assert_eq!(pages.len(), 2);
/// assert!(pages[0].contains("width=\"612pt\""));
/// ```
#[derive(Clone, Debug)]
pub struct QuadrantSheet {
    sides: Vec<Side>,
    theme: Theme,
    paper: Paper,
}

/// The most sides on a page.
const MOST: usize = 8;
/// The room beside a side for its name, and the height of the name's letters, in points.
const BESIDE: f32 = 62.0;
const NAME: f32 = 15.0;

impl QuadrantSheet {
    /// Pages of A4 in the light theme.
    pub fn new(sides: &[Side]) -> Self {
        Self {
            sides: sides.to_vec(),
            theme: Theme::LIGHT,
            paper: Paper::A4,
        }
    }

    /// Other colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Other paper.
    #[must_use]
    pub fn paper(mut self, paper: Paper) -> Self {
        self.paper = paper;
        self
    }

    /// The pages as SVG documents.
    pub fn svg_pages(&self) -> Vec<String> {
        crate::sheet::paper::svg_pages(&self.pages(), self.paper, TITLE)
    }

    /// The pages as one PDF file.
    #[cfg(feature = "pdf")]
    pub fn pdf(&self) -> Vec<u8> {
        crate::vector::pdf::document(&self.pages(), self.paper.size(), TITLE)
    }

    /// The pages as PNG files with so many pixels per inch.
    ///
    /// ```
    /// use ricochet_draw::quadrant::QuadrantSheet;
    /// let sheet = QuadrantSheet::new(&["1A".parse().unwrap()]);
    /// let pages = sheet.png_pages(36).unwrap();
    /// assert_eq!((pages.len(), &pages[0][1..4]), (1, &b"PNG"[..]));
    /// ```
    ///
    /// # Errors
    /// If there is no memory for the pixels.
    #[cfg(feature = "raster")]
    pub fn png_pages(&self, per_inch: u32) -> Result<Vec<Vec<u8>>, crate::RasterError> {
        crate::raster::png_pages(&self.pages(), self.paper, per_inch)
    }

    fn pages(&self) -> Vec<Scene> {
        let pages = self.sides.len().div_ceil(MOST).max(1);
        // As many on the last page as on the others, or nearly.
        let per_page = self.sides.len().div_ceil(pages).max(1);
        let grid = Grid::beside(self.paper, per_page, BESIDE);
        let mut pages: Vec<Scene> = self
            .sides
            .chunks(per_page)
            .map(|sides| self.page(grid, sides))
            .collect();
        if pages.is_empty() {
            pages.push(self.page(grid, &[]));
        }
        pages
    }

    fn page(&self, grid: Grid, sides: &[Side]) -> Scene {
        // The margin of a side's picture is the same on all four sides.
        let cell = (grid.side * 1.5 / CELLS as f32) as u32;
        let cell = cell.clamp(*CELL_SIZES.start(), *CELL_SIZES.end());
        let layout = Layout::of_size(CELLS, CELLS, cell, false);
        let scale = grid.side / layout.picture_size().0;
        let margin = layout.origin.x * scale;
        let title = Title {
            text: TITLE,
            suffix: "",
            indent: margin,
        };
        let mut page = grid.page(&self.theme, &title);
        let ink = self.theme.paint(Role::Ink);
        let name = Font::bold(NAME, ink).typeset();
        let font = Font::regular(TEXT, self.theme.paint(Role::Faint)).typeset();
        for (i, &side) in sides.iter().enumerate() {
            let corner = grid.corner(i);
            let (scene, _) = scene(side, &self.theme, cell);
            page.embed(&scene, corner, scale);
            let mut place = corner.plus(grid.side + 4.0, margin + NAME);
            name.draw(&mut page, &side.to_string(), place, Anchor::Left);
            place.y += LINE * 0.5;
            for edition in edition_names(side) {
                place.y += LINE;
                font.draw(&mut page, edition, place, Anchor::Left);
            }
        }
        grid.foot(&mut page, &self.theme, FOOT);
        page
    }
}

const TITLE: &str = "Ricochet Robots: the printed quadrants";
const FOOT: &str = "Each side as it lies in the north-west. A layout names four of them clockwise \
                    from there, such as 1A 4B 3B 2B.";

/// The editions that have a side, such as `1999, 2013`.
///
/// ```
/// assert_eq!(ricochet_draw::quadrant::editions("3B".parse().unwrap()), "1999, 2013");
/// ```
pub fn editions(side: Side) -> String {
    edition_names(side).collect::<Vec<_>>().join(", ")
}

fn edition_names(side: Side) -> impl Iterator<Item = &'static str> {
    let editions = Edition::ALL.into_iter();
    editions
        .filter(move |edition| edition.has(side))
        .map(Edition::name)
}
