//! Pictures of puzzles.

use ricochet_core::{Board, Cell, Puzzle, Robot, State, Trace};

use crate::color::role::ColorRole;
use crate::color::theme::Theme;
use crate::goal::goal_description;
use crate::letters::glyphs::{Anchor, Font};
use crate::overlay::Overlay;
use crate::scene::board::BoardScene;
use crate::scene::geometry::BoardGeometry;
use crate::scene::move_paths::{self, MovePath};
use crate::scene::pieces;
use crate::scene::{Point, Scene, at};
use crate::vector::svg::{self, Colors, Document};

/// The possible sizes of a picture's cells, in pixels.
pub const CELL_SIZES: std::ops::RangeInclusive<u32> = 8..=128;

/// A picture of a puzzle, with options for what to show.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    puzzle: &'a Puzzle,
    theme: Theme,
    cell_size: u32,
    coordinates: bool,
    caption: Option<String>,
    trace: Option<&'a Trace>,
    overlay: Option<&'a Overlay>,
    targets: bool,
}

impl<'a> Picture<'a> {
    /// The puzzle in the light theme with cells of 40 pixels.
    pub fn new(puzzle: &'a Puzzle) -> Self {
        Self {
            puzzle,
            theme: Theme::LIGHT,
            cell_size: 40,
            coordinates: false,
            caption: None,
            trace: None,
            overlay: None,
            targets: true,
        }
    }

    /// Sets the colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets the size of cells in pixels, clamped to [`CELL_SIZES`].
    #[must_use]
    pub fn cell_size(mut self, pixels: u32) -> Self {
        self.cell_size = pixels.clamp(*CELL_SIZES.start(), *CELL_SIZES.end());
        self
    }

    /// Shows or hides the column and row numbers.
    #[must_use]
    pub fn coordinates(mut self, shown: bool) -> Self {
        self.coordinates = shown;
        self
    }

    /// Adds a line of text below the board.
    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = Some(text.into());
        self
    }

    /// Shows the moves of a solution: numbered paths, the robots at the end, and markers at their
    /// starts. The trace must be of this puzzle.
    #[must_use]
    pub fn solution(mut self, trace: &'a Trace) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Shows an overlay. Printed targets other than the goal are left out.
    #[must_use]
    pub fn overlay(mut self, overlay: &'a Overlay) -> Self {
        self.overlay = Some(overlay);
        self
    }

    /// Shows or hides the printed targets that are not the goal.
    #[must_use]
    pub fn targets(mut self, shown: bool) -> Self {
        self.targets = shown;
        self
    }

    /// The picture as an SVG document. Letters are outlines, so no font is needed.
    pub fn svg(&self) -> String {
        let (scene, size) = self.scene();
        svg::document(&scene, &self.document(size, Colors::Fixed))
    }

    /// The picture as an SVG document for web pages: each colour is a CSS variable, such as
    /// `var(--rr-wall,#3a3632)`, so that a page can restyle it. See [`ColorRole`] for the names and
    /// [`Theme::css`] for the values.
    pub fn css_svg(&self) -> String {
        let (scene, size) = self.scene();
        svg::document(&scene, &self.document(size, Colors::Css))
    }

    fn document(&self, size: (f32, f32), colors: Colors) -> Document {
        Document {
            size,
            unit: "",
            colors,
            title: self.title(),
            description: self.description(),
        }
    }

    /// The size of the picture in pixels.
    pub fn size(&self) -> (u32, u32) {
        let (_, (width, height)) = self.scene();
        (width as u32, height as u32)
    }

    /// A sentence that says what the picture shows.
    pub fn title(&self) -> String {
        let name = self
            .puzzle
            .id()
            .map_or_else(String::new, |id| format!("{id}: "));
        format!("{name}{}", goal_description(self.puzzle))
    }

    /// The robots' cells and the moves, for people who cannot see the picture.
    fn description(&self) -> String {
        let robots: Vec<String> = self
            .puzzle
            .start()
            .iter()
            .map(|(robot, cell)| format!("{robot} at {cell}"))
            .collect();
        let board = self.puzzle.board();
        let moves = self.trace.map_or_else(String::new, |trace| {
            let moves: Vec<String> = trace
                .steps
                .iter()
                .map(|step| step.play.to_string())
                .collect();
            format!(" Moves: {}.", moves.join(" "))
        });
        format!(
            "Ricochet Robots, {}×{} cells; robots: {}.{moves}",
            board.width(),
            board.height(),
            robots.join(", ")
        )
    }

    #[cfg(feature = "raster")]
    pub(crate) fn trace(&self) -> Option<&'a Trace> {
        self.trace
    }

    #[cfg(feature = "raster")]
    pub(crate) fn puzzle(&self) -> &'a Puzzle {
        self.puzzle
    }

    #[cfg(feature = "raster")]
    pub(crate) fn colors(&self) -> &Theme {
        &self.theme
    }

    pub(crate) fn geometry(&self) -> BoardGeometry {
        BoardGeometry::new(self.puzzle.board(), self.cell_size, self.coordinates)
    }

    pub(crate) fn paths(&self, trace: &Trace) -> Vec<MovePath> {
        let pieces = move_paths::occupied_cells(trace);
        move_paths::lay_out(self.geometry(), trace, &pieces, self.puzzle.goal().cell)
    }

    /// The whole picture and its size.
    pub(crate) fn scene(&self) -> (Scene, (f32, f32)) {
        let (mut scene, size) = self.still_scene();
        let geometry = self.geometry();
        let start = self.puzzle.start();
        let Some(trace) = self.trace else {
            self.robots(&mut scene, start);
            return (scene, size);
        };
        let paths = self.paths(trace);
        scene.group("paths", |scene| {
            for path in &paths {
                move_paths::draw_line(scene, &self.theme, geometry, path);
            }
        });
        let end = trace.end();
        let mut covered = Vec::new();
        scene.group("starts", |scene| {
            for (robot, cell) in start.iter().filter(|&(robot, cell)| end[robot] != cell) {
                if end.cells().contains(&cell) {
                    covered.push((robot, cell));
                } else {
                    pieces::start_marker(
                        scene,
                        &self.theme,
                        geometry,
                        robot,
                        geometry.middle(cell),
                    );
                }
            }
        });
        self.robots(&mut scene, end);
        scene.group("covered-starts", |scene| {
            for (robot, cell) in covered {
                self.covered_start(scene, robot, cell, &paths);
            }
        });
        scene.group("arrowheads", |scene| {
            for path in &paths {
                move_paths::draw_head(scene, &self.theme, geometry, path);
            }
        });
        scene.group("numbers", |scene| {
            for path in &paths {
                move_paths::draw_badge(scene, &self.theme, geometry, path);
            }
        });
        (scene, size)
    }

    fn robots(&self, scene: &mut Scene, state: State) {
        let geometry = self.geometry();
        scene.group("robots", |scene| {
            for (robot, cell) in state.iter() {
                self.robot(scene, robot, geometry.middle(cell));
            }
        });
    }

    /// Marks the start of a robot on which another robot stands: a small disc in the corner of the
    /// cell that is farthest from all lines.
    pub(crate) fn covered_start(
        &self,
        scene: &mut Scene,
        robot: Robot,
        cell: Cell,
        paths: &[MovePath],
    ) {
        let geometry = self.geometry();
        let middle = geometry.middle(cell);
        let aside = geometry.cells(0.5)
            - geometry.wall_width() / 2.0
            - pieces::small_start_radius(geometry) * 1.1;
        let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)]
            .map(|(x, y)| middle.plus(x * aside, y * aside));
        let room = |corner: &Point| move_paths::distance(*corner, paths);
        let best = corners
            .into_iter()
            .max_by(|a, b| room(a).total_cmp(&room(b)))
            .unwrap_or(middle);
        pieces::small_start_marker(scene, &self.theme, geometry, robot, best);
    }

    pub(crate) fn robot(&self, scene: &mut Scene, robot: Robot, place: Point) {
        pieces::robot(scene, &self.theme, self.geometry(), robot, place);
    }

    /// Everything except the robots and their paths, and the size of the picture.
    pub(crate) fn still_scene(&self) -> (Scene, (f32, f32)) {
        let board: &Board = self.puzzle.board();
        let geometry = self.geometry();
        let parts = BoardScene {
            board,
            columns: board.width(),
            rows: board.height(),
            geometry,
            theme: &self.theme,
        };
        let (width, mut height) = geometry.picture_size();
        let mut below = Scene::default();
        if let Some(caption) = &self.caption {
            let font = Font::regular(geometry.text_height(), self.theme.paint(ColorRole::Ink));
            let text = font.fit(caption, geometry.width);
            let place = at(geometry.origin.x, height + font.height * 0.6);
            below.group("caption", |scene| {
                font.draw(scene, &text, place, Anchor::Left);
            });
            height += font.height * 1.6;
        }
        if let Some(overlay) = self.overlay {
            let top = at(geometry.origin.x, height - geometry.cells(0.2));
            let mut used = 0.0;
            below.group("legend", |scene| used = parts.legend(scene, overlay, top));
            height += used;
        }
        let size = (width, height.ceil());

        let mut scene = Scene::default();
        scene.rect(
            0.0,
            0.0,
            size.0,
            size.1,
            self.theme.paint(ColorRole::Background),
        );
        scene.group("board", |scene| {
            parts.ground(scene);
            if let Some(overlay) = self.overlay {
                parts.shading(scene, overlay);
            }
            parts.grid(scene);
        });
        scene.group("targets", |scene| {
            if self.targets && self.overlay.is_none() {
                parts.targets(scene, Some(self.puzzle.goal()));
            }
            parts.goal(scene, self.puzzle.goal());
        });
        scene.group("walls", |scene| {
            parts.diagonals(scene);
            parts.walls(scene);
        });
        if let Some(overlay) = self.overlay {
            scene.group("values", |scene| {
                parts.shading_numbers(scene, overlay, self.puzzle, self.trace.is_some());
            });
        }
        if self.coordinates {
            scene.group("coordinates", |scene| parts.coordinates(scene));
        }
        scene.items.extend(below.items);
        (scene, size)
    }
}

/// A board without robots and goal as an SVG document, in the light theme with cells of 40 pixels.
pub fn board_svg(board: &Board) -> String {
    let theme = Theme::LIGHT;
    let geometry = BoardGeometry::new(board, 40, false);
    let parts = BoardScene {
        board,
        columns: board.width(),
        rows: board.height(),
        geometry,
        theme: &theme,
    };
    let size = geometry.picture_size();
    let mut scene = Scene::default();
    let background = theme.paint(ColorRole::Background);
    scene.rect(0.0, 0.0, size.0, size.1, background);
    scene.group("board", |scene| {
        parts.ground(scene);
        parts.grid(scene);
    });
    scene.group("targets", |scene| parts.targets(scene, None));
    scene.group("walls", |scene| {
        parts.diagonals(scene);
        parts.walls(scene);
    });
    let (width, height) = (board.width(), board.height());
    svg::document(
        &scene,
        &Document {
            size,
            unit: "",
            colors: Colors::Fixed,
            title: format!("A board of {width}×{height} cells"),
            description: format!("Ricochet Robots, {width}×{height} cells, without robots."),
        },
    )
}
