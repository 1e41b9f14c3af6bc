//! The moves of a solution as an animated GIF.
//!
//! The board is painted once; each frame repeats only the rectangle that changed, and in it only
//! the pixels that changed, which keeps the file small.

use std::borrow::Cow;
use std::collections::HashMap;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use ricochet_core::describe::capitalize;
use ricochet_core::{Cell, Direction, Robot, State, Step};
use tiny_skia::Pixmap;

use crate::color::role::ColorRole;
use crate::goal::goal_caption;
use crate::letters::glyphs::{Anchor, Font};
use crate::picture::Picture;
use crate::raster::palette::{Palette, Rgb};
use crate::raster::{RasterError, blank, paint, painted_over};
use crate::scene::move_paths::{self, MovePath};
use crate::scene::pieces;
use crate::scene::{Point, Scene, at};

// How long frames are shown, in hundredths of a second.
/// A frame of a moving robot.
const FRAME: u16 = 3;
/// The board before the first move.
const PAUSE_AT_START: u16 = 160;
/// The board between two moves.
const PAUSE_BETWEEN: u16 = 30;
/// The board after the last move.
const PAUSE_AT_END: u16 = 400;

impl Picture<'_> {
    /// The moves of the solution as an animated GIF that repeats forever, with a caption below the
    /// board.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot, Solution};
    /// use ricochet_draw::{Picture, RasterError};
    /// let board = Board::builder(4, 3).build().unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(3, 2) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let trace = "RE RS".parse::<Solution>().unwrap().replay(&puzzle).unwrap();
    /// let gif = Picture::new(&puzzle).cell_size(20).solution(&trace).gif().unwrap();
    /// assert_eq!(&gif[..6], b"GIF89a");
    /// assert_eq!(Picture::new(&puzzle).gif(), Err(RasterError::NoSolution));
    /// ```
    ///
    /// # Errors
    /// If the picture has no solution, or there is not enough memory for the pixels.
    pub fn gif(&self) -> Result<Vec<u8>, RasterError> {
        let trace = self.trace().ok_or(RasterError::NoSolution)?;
        let paths = self.paths(trace);
        // The palette depends on all frames. Painting them twice is cheaper than keeping them.
        let mut counts: HashMap<Rgb, u64> = HashMap::new();
        self.changes(&paths, |change, _| {
            for rgb in change.pixels.iter().flatten() {
                *counts.entry(*rgb).or_default() += 1;
            }
            Ok(())
        })?;
        let palette = Palette::new(&counts);
        let mut table: Vec<u8> = palette.colors.iter().flatten().copied().collect();
        let transparent = palette.colors.len() as u8;
        table.extend([0; 3]);

        let (width, height) = self.animation_size();
        let failed = |error: gif::EncodingError| RasterError::Encoding(error.to_string());
        let mut file = Vec::new();
        let mut encoder =
            Encoder::new(&mut file, width as u16, height as u16, &table).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        self.changes(&paths, |change, delay| {
            let index = |pixel: &Option<Rgb>| pixel.map_or(transparent, |rgb| palette.index(rgb));
            let frame = Frame {
                delay,
                left: change.left as u16,
                top: change.top as u16,
                width: change.width as u16,
                height: (change.pixels.len() / change.width) as u16,
                transparent: Some(transparent),
                dispose: DisposalMethod::Keep,
                buffer: Cow::Owned(change.pixels.iter().map(index).collect()),
                ..Frame::default()
            };
            encoder.write_frame(&frame).map_err(failed)
        })?;
        drop(encoder);
        Ok(file)
    }

    /// Paints the frames and passes on what changes in each.
    fn changes(
        &self,
        paths: &[MovePath],
        mut show: impl FnMut(ChangedRegion, u16) -> Result<(), RasterError>,
    ) -> Result<(), RasterError> {
        let mut shown: Option<Pixmap> = None;
        self.frames(paths, |pixels, delay| {
            show(ChangedRegion::between(shown.as_ref(), &pixels), delay)?;
            shown = Some(pixels);
            Ok(())
        })
    }

    /// Paints the frames in order and passes on each with the time for which it is shown.
    fn frames(
        &self,
        paths: &[MovePath],
        mut show: impl FnMut(Pixmap, u16) -> Result<(), RasterError>,
    ) -> Result<(), RasterError> {
        let trace = self.trace().ok_or(RasterError::NoSolution)?;
        let (still, _) = self.still_scene();
        let (width, height) = self.animation_size();
        let mut contents = FrameContents {
            ground: blank((width as f32, height as f32))?,
            departed: Vec::new(),
            numbers: Scene::default(),
            captions: Vec::new(),
        };
        let mut paper = Scene::default();
        let background = self.colors().paint(ColorRole::Background);
        paper.rect(0.0, 0.0, width as f32, height as f32, background);
        paint(&mut contents.ground, &paper);
        paint(&mut contents.ground, &still);
        let geometry = self.geometry();
        let mut state = trace.start;
        let count = trace.steps.len();
        let pause = if count == 0 {
            PAUSE_AT_END
        } else {
            PAUSE_AT_START
        };
        let goal = capitalize(&goal_caption(self.puzzle()));
        let moves = if count == 1 { "move" } else { "moves" };
        contents.captions = vec![
            format!("{goal} in {count} {moves}"),
            format!("{count} {moves}"),
        ];
        show(self.frame(&contents, paths, state, None), pause)?;
        for (number, (step, path)) in (1..).zip(trace.steps.iter().zip(paths)) {
            let robot = step.play.robot;
            contents.captions = vec![
                format!(
                    "Move {number} of {count}: {} {}",
                    robot.name(),
                    heading(step.play.direction)
                ),
                format!("{number} of {count}"),
            ];
            let frames = 8 + step.path.len().min(16) * 3 / 4;
            for i in 1..frames {
                let share = ease(i as f32 / frames as f32);
                let moving = MovingRobot {
                    robot,
                    place: self.place_on_path(step, share),
                    path,
                    share,
                };
                show(self.frame(&contents, paths, state, Some(moving)), FRAME)?;
            }
            let mut line = Scene::default();
            move_paths::draw_line(&mut line, self.colors(), geometry, path);
            move_paths::draw_head(&mut line, self.colors(), geometry, path);
            paint(&mut contents.ground, &line);
            if contents.departed.iter().all(|&(other, _)| other != robot) {
                contents.departed.push((robot, step.from));
            }
            move_paths::draw_badge(&mut contents.numbers, self.colors(), geometry, path);
            state = step.state;
            let pause = if number == count {
                contents
                    .captions
                    .insert(0, format!("{goal}: there after {count} {moves}"));
                PAUSE_AT_END
            } else {
                PAUSE_BETWEEN
            };
            show(self.frame(&contents, paths, state, None), pause)?;
        }
        Ok(())
    }

    /// The size of the picture and the caption below it.
    fn animation_size(&self) -> (u32, u32) {
        let (width, height) = self.size();
        (width, height + self.caption_height().ceil() as u32)
    }

    fn caption_height(&self) -> f32 {
        self.geometry().text_height() * 2.0
    }

    /// Draws the first caption that fits.
    fn draw_caption(&self, scene: &mut Scene, captions: &[String]) {
        let geometry = self.geometry();
        let font = Font::bold(geometry.text_height(), self.colors().paint(ColorRole::Ink));
        let fits = captions
            .iter()
            .find(|text| font.width(text) <= geometry.width);
        if let Some(text) = fits {
            let (_, height) = self.animation_size();
            let place = at(
                geometry.origin.x,
                height as f32 - self.caption_height() * 0.5,
            );
            font.draw(scene, text, place, Anchor::Left);
        }
    }

    /// One frame: the robots on the board, one of them perhaps moving, above everything else.
    fn frame(
        &self,
        contents: &FrameContents,
        paths: &[MovePath],
        state: State,
        moving: Option<MovingRobot<'_>>,
    ) -> Pixmap {
        let geometry = self.geometry();
        let mut scene = Scene::default();
        self.draw_caption(&mut scene, &contents.captions);
        if let Some(MovingRobot { path, share, .. }) = moving {
            move_paths::draw_trail(&mut scene, self.colors(), geometry, path, share);
        }
        let standing = |cell: Cell| {
            let mut robots = state.iter().filter(|&(_, at)| at == cell);
            robots.any(|(robot, _)| moving.is_none_or(|moving| moving.robot != robot))
        };
        for &(robot, cell) in &contents.departed {
            if !standing(cell) {
                pieces::start_marker(
                    &mut scene,
                    self.colors(),
                    geometry,
                    robot,
                    geometry.middle(cell),
                );
            }
        }
        for (robot, cell) in state.iter() {
            if moving.is_none_or(|moving| moving.robot != robot) {
                self.robot(&mut scene, robot, geometry.middle(cell));
            }
        }
        for &(robot, cell) in &contents.departed {
            let away = state.iter().all(|(other, at)| other != robot || at != cell);
            if away && standing(cell) {
                self.covered_start(&mut scene, robot, cell, paths);
            }
        }
        scene.items.extend_from_slice(&contents.numbers.items);
        if let Some(MovingRobot { robot, place, .. }) = moving {
            self.robot(&mut scene, robot, place);
        }
        painted_over(&contents.ground, &scene)
    }

    /// Where a robot is at a share of its path.
    fn place_on_path(&self, step: &Step, share: f32) -> Point {
        let geometry = self.geometry();
        let cells: Vec<Cell> = std::iter::once(step.from)
            .chain(step.path.iter().map(|&(cell, _)| cell))
            .collect();
        let walked = share * (cells.len() - 1) as f32;
        let done = walked as usize;
        match cells.get(done..done + 2) {
            Some(pair) => {
                let (from, to) = (geometry.middle(pair[0]), geometry.middle(pair[1]));
                from.towards(to, walked - done as f32)
            }
            None => geometry.middle(step.to),
        }
    }
}

/// What a frame shows apart from the robots.
struct FrameContents {
    /// The board and the lines of finished moves.
    ground: Pixmap,
    /// The robots that have moved, and their starts.
    departed: Vec<(Robot, Cell)>,
    /// The numbers of finished moves.
    numbers: Scene,
    /// Captions to choose from, the longest first.
    captions: Vec<String>,
}

/// A robot in the middle of a move.
#[derive(Clone, Copy)]
struct MovingRobot<'a> {
    robot: Robot,
    place: Point,
    path: &'a MovePath,
    share: f32,
}

fn heading(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "up",
        Direction::East => "right",
        Direction::South => "down",
        Direction::West => "left",
    }
}

/// Eases a motion in and out: slow at both ends.
fn ease(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

/// The smallest rectangle around the changes of a frame; `None` for unchanged pixels.
struct ChangedRegion {
    left: usize,
    top: usize,
    width: usize,
    pixels: Vec<Option<Rgb>>,
}

impl ChangedRegion {
    /// The whole frame if nothing is shown yet.
    fn between(shown: Option<&Pixmap>, next: &Pixmap) -> Self {
        let (width, height) = (next.width() as usize, next.height() as usize);
        let row = |y: usize| &next.pixels()[y * width..][..width];
        let old_row = |y: usize| shown.map(|shown| &shown.pixels()[y * width..][..width]);
        let rows: Vec<usize> = (0..height)
            .filter(|&y| old_row(y) != Some(row(y)))
            .collect();
        let (top, bottom) = rows
            .first()
            .zip(rows.last())
            .map_or((0, 0), |(&a, &b)| (a, b));
        let differs = |x: usize, y: usize| old_row(y).is_none_or(|old| old[x] != row(y)[x]);
        let (mut left, mut right) = (width - 1, 0);
        for &y in &rows {
            left = (0..left).find(|&x| differs(x, y)).unwrap_or(left);
            right = (right + 1..width)
                .rfind(|&x| differs(x, y))
                .unwrap_or(right);
        }
        let left = left.min(right);
        let pixels = (top..=bottom)
            .flat_map(|y| (left..=right).map(move |x| (x, y)))
            .map(|(x, y)| {
                let pixel = row(y)[x];
                differs(x, y).then(|| [pixel.red(), pixel.green(), pixel.blue()])
            })
            .collect();
        Self {
            left,
            top,
            width: right - left + 1,
            pixels,
        }
    }
}
