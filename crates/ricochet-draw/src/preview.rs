//! The picture that other sites show for a link to a puzzle.

use ricochet_core::Puzzle;

use crate::color::role::ColorRole;
use crate::color::theme::Theme;
use crate::goal::goal_caption;
use crate::letters::glyphs::{Anchor, Font};
use crate::picture::{CELL_SIZES, Picture};
use crate::scene::board::BoardScene;
use crate::scene::geometry::BoardGeometry;
use crate::scene::{Scene, at, pieces};
use crate::sheet::wrap;
use crate::vector::svg::{self, Colors, Document};

/// The size that sites ask for.
const SIZE: (f32, f32) = (1200.0, 630.0);
const MARGIN: f32 = 35.0;
/// The left edge of the text, and its width.
const TEXT: f32 = 660.0;
const TEXT_WIDTH: f32 = SIZE.0 - TEXT - MARGIN;
/// The side of the cells that show the robot and its target again.
const LARGE: u32 = 128;

/// The picture that other sites show for a link: the board with the goal in words. It does not tell
/// the number of moves.
#[derive(Clone, Debug)]
pub struct LinkPreview<'a> {
    puzzle: &'a Puzzle,
    theme: Theme,
}

impl<'a> LinkPreview<'a> {
    /// Width and height in pixels.
    pub const SIZE: (u32, u32) = (SIZE.0 as u32, SIZE.1 as u32);

    /// The puzzle in the light theme.
    pub fn new(puzzle: &'a Puzzle) -> Self {
        Self {
            puzzle,
            theme: Theme::LIGHT,
        }
    }

    /// Sets the colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// The picture as an SVG document.
    pub fn svg(&self) -> String {
        let document = Document {
            size: SIZE,
            unit: "",
            colors: Colors::Fixed,
            title: goal_caption(self.puzzle),
            description: String::new(),
        };
        svg::document(&self.scene(), &document)
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// If there is not enough memory for the pixels.
    #[cfg(feature = "raster")]
    pub fn png(&self) -> Result<Vec<u8>, crate::RasterError> {
        crate::raster::png(&self.scene(), SIZE)
    }

    fn scene(&self) -> Scene {
        let mut scene = Scene::default();
        let paint = |role| self.theme.paint(role);
        scene.rect(0.0, 0.0, SIZE.0, SIZE.1, paint(ColorRole::Background));
        self.board(&mut scene);

        let ink = paint(ColorRole::Ink);
        let name = Font::bold(34.0, ink).typeset();
        name.draw(&mut scene, "Ricochet Robots", at(TEXT, 100.0), Anchor::Left);
        self.goal(&mut scene, 215.0);
        let mut goal = goal_caption(self.puzzle);
        if let Some(first) = goal.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let font = Font::bold(42.0, ink).typeset();
        let words = goal.split_whitespace().map(str::to_owned);
        let mut place = at(TEXT, 415.0);
        for line in wrap(words, font, TEXT_WIDTH).into_iter().take(3) {
            font.draw(
                &mut scene,
                &font.fit(&line, TEXT_WIDTH),
                place,
                Anchor::Left,
            );
            place.y += 64.0;
        }
        let question = Font::regular(28.0, paint(ColorRole::Faint)).typeset();
        question.draw(
            &mut scene,
            "In how few moves?",
            at(TEXT, 580.0),
            Anchor::Left,
        );
        scene
    }

    /// The board as large as fits on the left.
    fn board(&self, scene: &mut Scene) {
        let room = (TEXT - 2.0 * MARGIN, SIZE.1 - 2.0 * MARGIN);
        let board = self.puzzle.board();
        let longest = board.width().max(board.height()) as f32;
        // Cells of whole pixels are crisp.
        let cell = (room.1.min(room.0) / (longest + 0.5)) as u32;
        let cell = cell.clamp(*CELL_SIZES.start(), *CELL_SIZES.end());
        let picture = Picture::new(self.puzzle)
            .theme(self.theme.clone())
            .cell_size(cell);
        let (board, (width, height)) = picture.scene();
        let scale = (room.0 / width).min(room.1 / height).min(1.0);
        let corner = at(
            (MARGIN + (room.0 - width * scale) / 2.0).round(),
            ((SIZE.1 - height * scale) / 2.0).round(),
        );
        scene.embed(&board, corner, scale);
    }

    /// The robot, an arrow and the target, large enough for a small preview.
    fn goal(&self, scene: &mut Scene, middle: f32) {
        let goal = self.puzzle.goal();
        let geometry = BoardGeometry::new(self.puzzle.board(), LARGE, false);
        let cell = geometry.cell;
        let mut x = TEXT + cell / 2.0;
        if let Some(robot) = goal.robot {
            pieces::robot(
                scene,
                &self.theme,
                geometry,
                robot,
                at(x - cell * 0.12, middle),
            );
        } else {
            for (number, (robot, _)) in self.puzzle.start().iter().take(4).enumerate() {
                let small = BoardGeometry::new(self.puzzle.board(), LARGE / 2, false);
                let aside = [(-0.36, -0.25), (0.14, -0.25), (-0.36, 0.25), (0.14, 0.25)][number];
                let place = at(x + cell * aside.0, middle + cell * aside.1);
                pieces::robot(scene, &self.theme, small, robot, place);
            }
        }
        x += cell * 0.55;
        let color = self.theme.paint(ColorRole::Faint);
        scene.rect(x, middle - 5.0, 70.0, 10.0, color);
        let tip = at(x + 100.0, middle);
        scene.polygon(&[tip, tip.plus(-38.0, -26.0), tip.plus(-38.0, 26.0)], color);
        x += 100.0 + cell * 0.2;
        let mut target = Scene::default();
        BoardScene {
            board: self.puzzle.board(),
            columns: self.puzzle.board().width(),
            rows: self.puzzle.board().height(),
            geometry,
            theme: &self.theme,
        }
        .goal(&mut target, goal);
        let from = geometry.corner(f32::from(goal.cell.x), f32::from(goal.cell.y));
        scene.embed(&target, at(x - from.x, middle - cell / 2.0 - from.y), 1.0);
    }
}

#[cfg(all(test, feature = "raster"))]
mod tests {
    use ricochet_core::{Setup, notation};

    use super::*;

    #[test]
    fn every_board_fits_and_the_optimum_is_not_told() {
        for line in [
            "1A4B3B2B.1fc1f0c0.B9c",
            "4x3..0012.R31",
            "32x32..0012.-31",
            "1A4B3B2B.1fc1f0c0.-77.o7",
            "2x32..0011.R0v",
        ] {
            let Ok(Ok(puzzle)) = notation::parse_line(line).map(Setup::validate) else {
                continue;
            };
            let preview = LinkPreview::new(&puzzle);
            let png = preview.png().unwrap();
            let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
            assert_eq!((size(16), size(20)), LinkPreview::SIZE, "{line}");
            let other = puzzle.clone().with_optimal(Some(9));
            assert_eq!(LinkPreview::new(&other).svg(), preview.svg(), "{line}");
        }
    }
}
