//! The printed quadrants: single pictures, or all of them on printable pages.

use ricochet_core::quadrants::{Edition, Quadrant};

use crate::color::role::ColorRole;
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::picture::CELL_SIZES;
use crate::scene::Scene;
use crate::scene::board::BoardScene;
use crate::scene::geometry::BoardGeometry;
use crate::sheet::paper::{Grid, LINE, Pages, Paper, TEXT, Title};
use crate::terminal::{Terminal, TextPicture};
use crate::vector::svg::{self, Colors, Document};

/// The number of cells along each side of a quadrant.
const CELLS: usize = 8;

/// All sixteen quadrants, 1A to 4D.
pub fn all() -> Vec<Quadrant> {
    let names = (1..=4).flat_map(|tile| "ABCD".chars().map(move |face| Quadrant::new(tile, face)));
    names.flatten().collect()
}

/// A quadrant as it lies in the north-west, for a terminal. Its east and south edges are open, because
/// the board continues there.
///
/// ```
/// use ricochet_draw::{BoardSize, Terminal, quadrant};
/// let picture = quadrant::text("3B".parse().unwrap(), Terminal::ascii().size(BoardSize::Narrow));
/// assert_eq!(picture.plain().lines().nth(3), Some(" 1 |.|r_. . . . _ ."));
/// ```
pub fn text(quadrant: Quadrant, terminal: Terminal) -> TextPicture {
    let board = quadrant.board();
    let picture = terminal.board(&board, None);
    let (columns, rows) = terminal.cell_pitch();
    picture.cropped(
        picture.width() - (board.width() - CELLS) * columns,
        picture.height() - (board.height() - CELLS) * rows,
    )
}

/// A quadrant as it lies in the north-west, as an SVG document with cells of this many pixels.
pub fn svg(quadrant: Quadrant, theme: &Theme, cell_size: u32) -> String {
    let cell = cell_size.clamp(*CELL_SIZES.start(), *CELL_SIZES.end());
    let (scene, size) = scene(quadrant, theme, cell);
    let document = Document {
        size,
        unit: "",
        colors: Colors::Fixed,
        title: format!("Quadrant {quadrant}"),
        description: String::new(),
    };
    svg::document(&scene, &document)
}

fn scene(quadrant: Quadrant, theme: &Theme, cell: u32) -> (Scene, (f32, f32)) {
    let board = quadrant.board();
    let geometry = BoardGeometry::of_size(CELLS, CELLS, cell, false);
    let parts = BoardScene {
        board: &board,
        columns: CELLS,
        rows: CELLS,
        geometry,
        theme,
    };
    let size = geometry.picture_size();
    let mut scene = Scene::default();
    scene.rect(0.0, 0.0, size.0, size.1, theme.paint(ColorRole::Background));
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

/// Printable pages of quadrants with their names, at most eight per page, so that they are large
/// enough to compare with the tiles on the table.
#[derive(Clone, Debug)]
pub struct QuadrantSheet {
    quadrants: Vec<Quadrant>,
    theme: Theme,
    paper: Paper,
}

/// The most quadrants on a page.
const MAX_PER_PAGE: usize = 8;
/// The width of the space for the name of a quadrant, and the height of its letters, in points.
const NAME_WIDTH: f32 = 62.0;
const NAME_HEIGHT: f32 = 15.0;

impl QuadrantSheet {
    /// A4 pages in the light theme.
    pub fn new(quadrants: &[Quadrant]) -> Self {
        Self {
            quadrants: quadrants.to_vec(),
            theme: Theme::LIGHT,
            paper: Paper::A4,
        }
    }

    /// Sets the colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets the paper.
    #[must_use]
    pub fn paper(mut self, paper: Paper) -> Self {
        self.paper = paper;
        self
    }

    /// The pages.
    pub fn pages(&self) -> Pages {
        let pages = self.quadrants.len().div_ceil(MAX_PER_PAGE).max(1);
        // Spread the quadrants evenly over the pages.
        let per_page = self.quadrants.len().div_ceil(pages).max(1);
        let grid = Grid::new(self.paper, per_page, 0.0, NAME_WIDTH);
        let mut scenes: Vec<Scene> = self
            .quadrants
            .chunks(per_page)
            .map(|quadrants| self.page(grid, quadrants))
            .collect();
        if scenes.is_empty() {
            scenes.push(self.page(grid, &[]));
        }
        Pages {
            scenes,
            paper: self.paper,
            title: TITLE.to_owned(),
        }
    }

    fn page(&self, grid: Grid, quadrants: &[Quadrant]) -> Scene {
        let cell = (grid.side * 1.5 / CELLS as f32) as u32;
        let cell = cell.clamp(*CELL_SIZES.start(), *CELL_SIZES.end());
        let geometry = BoardGeometry::of_size(CELLS, CELLS, cell, false);
        let scale = grid.side / geometry.picture_size().0;
        let margin = geometry.origin.x * scale;
        let title = Title {
            text: TITLE,
            suffix: "",
            indent: margin,
        };
        let mut page = grid.page(&self.theme, &title);
        let ink = self.theme.paint(ColorRole::Ink);
        let name = Font::bold(NAME_HEIGHT, ink).typeset();
        let font = Font::regular(TEXT, self.theme.paint(ColorRole::Faint)).typeset();
        for (i, &quadrant) in quadrants.iter().enumerate() {
            let corner = grid.corner(i);
            let (scene, _) = scene(quadrant, &self.theme, cell);
            page.embed(&scene, corner, scale);
            let mut place = corner.plus(grid.side + 4.0, margin + NAME_HEIGHT);
            name.draw(&mut page, &quadrant.to_string(), place, Anchor::Left);
            place.y += LINE * 0.5;
            for edition in edition_names(quadrant) {
                place.y += LINE;
                font.draw(&mut page, edition, place, Anchor::Left);
            }
        }
        grid.foot(&mut page, &self.theme, FOOT);
        page
    }
}

const TITLE: &str = "Ricochet Robots: the printed quadrants";
const FOOT: &str = "Each quadrant as it lies in the north-west. A layout names four of them clockwise \
                    from there, such as 1A 4B 3B 2B.";

/// The editions that have a quadrant, such as `1999, 2013`.
pub fn editions(quadrant: Quadrant) -> String {
    edition_names(quadrant).collect::<Vec<_>>().join(", ")
}

fn edition_names(quadrant: Quadrant) -> impl Iterator<Item = &'static str> {
    let editions = Edition::ALL.into_iter();
    editions
        .filter(move |edition| edition.has(quadrant))
        .map(Edition::name)
}
