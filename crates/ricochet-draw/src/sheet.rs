//! Puzzles on printable A4 pages, their solutions on the last ones.

use ricochet::{Puzzle, Trace};

use crate::glyphs::{Anchor, Font};
use crate::picture::{CELL_SIZES, Picture, goal_text};
use crate::scene::{Point, Scene, at};
use crate::svg::{self, Colors, Document};
use crate::theme::Theme;

/// A4, in points.
const PAGE: (f32, f32) = (595.28, 841.89);
const MARGIN: f32 = 40.0;
/// Room for the title above the boards.
const HEAD: f32 = 26.0;
/// Room for the page number below them.
const FOOT: f32 = 12.0;
/// Between boards.
const GAP: f32 = 16.0;
/// The height of capitals below a board, and from one line to the next.
const TEXT: f32 = 6.5;
const LINE: f32 = 11.5;
/// How many of a picture's pixels make a point.
const FINER: f32 = 1.5;
/// How many lines the moves below a solution may take.
const MOVE_LINES: usize = 3;

/// Puzzles to be printed.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot, Solution};
/// use ricochet_draw::Sheet;
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(7, 7) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// let trace = "RE RS".parse::<Solution>().unwrap().replay(&puzzle).unwrap();
/// let mut sheet = Sheet::new("Sunday puzzles").per_page(4);
/// for _ in 0..5 {
///     sheet.add(&puzzle, Some(&trace));
/// }
/// // Two pages of puzzles, two of solutions.
/// assert_eq!(sheet.svg_pages().len(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    title: String,
    theme: Theme,
    per_page: usize,
    lengths: bool,
    entries: Vec<(&'a Puzzle, Option<&'a Trace>)>,
}

impl<'a> Sheet<'a> {
    /// An empty sheet, six boards a page, in the theme for paper.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            theme: Theme::PRINT,
            per_page: 6,
            lengths: false,
            entries: Vec::new(),
        }
    }

    /// Other colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Another number of boards a page, 1 to 12; others are brought into this range.
    #[must_use]
    pub fn per_page(mut self, boards: usize) -> Self {
        self.per_page = boards.clamp(1, 12);
        self
    }

    /// Prints the number of moves beside each puzzle, where it is known.
    #[must_use]
    pub fn lengths(mut self, shown: bool) -> Self {
        self.lengths = shown;
        self
    }

    /// Adds a puzzle, with a solution of it or without.
    pub fn add(&mut self, puzzle: &'a Puzzle, solution: Option<&'a Trace>) {
        self.entries.push((puzzle, solution));
    }

    /// The pages as SVG documents: the puzzles first, then the solutions of those that have one.
    pub fn svg_pages(&self) -> Vec<String> {
        let pages = self.pages();
        let count = pages.len();
        (1..)
            .zip(&pages)
            .map(|(number, page)| {
                let title = format!("{} ({number}/{count})", self.title);
                let document = Document {
                    size: PAGE,
                    unit: "pt",
                    colors: Colors::Fixed,
                    title,
                    description: String::new(),
                };
                svg::document(page, &document)
            })
            .collect()
    }

    /// The pages as one PDF file.
    #[cfg(feature = "pdf")]
    pub fn pdf(&self) -> Vec<u8> {
        crate::pdf::document(&self.pages(), PAGE, &self.title)
    }

    fn pages(&self) -> Vec<Scene> {
        let numbered: Vec<Entry<'_>> = (1..)
            .zip(&self.entries)
            .map(|(number, &(puzzle, trace))| Entry {
                number,
                puzzle,
                trace,
            })
            .collect();
        let solved: Vec<Entry<'_>> = numbered
            .iter()
            .filter(|entry| entry.trace.is_some())
            .copied()
            .collect();
        let mut pages = Vec::new();
        let solutions_title = format!("{} – solutions", self.title);
        for (entries, title, solutions) in [
            (&numbered, self.title.as_str(), false),
            (&solved, solutions_title.as_str(), true),
        ] {
            for chunk in entries.chunks(self.per_page) {
                pages.push(self.page(chunk, title, solutions));
            }
        }
        if pages.is_empty() {
            pages.push(self.page(&[], &self.title, false));
        }
        let count = pages.len();
        let font = Font::regular(TEXT, self.theme.faint);
        for (number, page) in (1..).zip(&mut pages) {
            let place = at(PAGE.0 / 2.0, PAGE.1 - MARGIN + FOOT);
            font.draw(page, &format!("{number} / {count}"), place, Anchor::Middle);
        }
        pages
    }

    fn page(&self, entries: &[Entry<'_>], title: &str, solutions: bool) -> Scene {
        let mut scene = Scene::default();
        scene.rect(0.0, 0.0, PAGE.0, PAGE.1, self.theme.background);
        let lines = if solutions { MOVE_LINES } else { 1 };
        let below = LINE * lines as f32 + 4.0;
        let (columns, side) = grid(self.per_page, below);
        let width = side * columns as f32 + GAP * (columns - 1) as f32;
        let left = (PAGE.0 - width) / 2.0;
        let head = Font::bold(11.0, self.theme.ink);
        let title = head.fit(title, width);
        head.draw(&mut scene, &title, at(left, MARGIN + 11.0), Anchor::Left);
        for (i, entry) in entries.iter().enumerate() {
            let (column, row) = (i % columns, i / columns);
            let corner = at(
                left + column as f32 * (side + GAP),
                MARGIN + HEAD + row as f32 * (side + below + GAP),
            );
            self.entry(&mut scene, *entry, corner, side, solutions);
        }
        scene
    }

    fn entry(
        &self,
        scene: &mut Scene,
        entry: Entry<'_>,
        corner: Point,
        side: f32,
        with_solution: bool,
    ) {
        let board = entry.puzzle.board();
        let longest = board.width().max(board.height()) as f32;
        // Drawn larger and shrunk: on paper, lines finer than a screen's pixel are good.
        let cell = (side * FINER / longest) as u32;
        let cell = cell.clamp(*CELL_SIZES.start(), *CELL_SIZES.end());
        let mut picture = Picture::new(entry.puzzle)
            .theme(self.theme.clone())
            .cell_size(cell);
        if let Some(trace) = entry.trace.filter(|_| with_solution) {
            picture = picture.solution(trace).targets(false);
        }
        let (board_scene, (width, height)) = picture.scene();
        let scale = (side / width).min(side / height);
        let origin = at(corner.x + (side - width * scale) / 2.0, corner.y);
        scene.embed(&board_scene, origin, scale);

        let margin = (cell as f32 * 0.4).round() * scale;
        let room = width * scale - 2.0 * margin;
        let mut place = at(origin.x + margin, corner.y + height * scale + TEXT + 1.0);
        let number = format!("{}.", entry.number);
        let bold = Font::bold(TEXT, self.theme.ink);
        bold.draw(scene, &number, place, Anchor::Left);
        let indent = bold.width(&number) + TEXT * 0.6;
        place.x += indent;
        let font = Font::regular(TEXT, self.theme.ink);
        for line in self.texts(entry, with_solution, font, room - indent) {
            font.draw(scene, &line, place, Anchor::Left);
            place.y += LINE;
        }
    }

    /// The lines below a board.
    fn texts(&self, entry: Entry<'_>, solution: bool, font: Font, room: f32) -> Vec<String> {
        if let Some(trace) = entry.trace.filter(|_| solution) {
            let moves = trace.steps.iter().map(|step| step.play.to_string());
            let count = match trace.steps.len() {
                1 => "1 move:".to_owned(),
                n => format!("{n} moves:"),
            };
            return wrap(std::iter::once(count).chain(moves), font, room);
        }
        let mut text = goal_text(entry.puzzle);
        let length = entry.puzzle.known_optimal().map(|moves| moves as usize);
        let length = length.or(entry.trace.map(|trace| trace.steps.len()));
        if let Some(length) = length.filter(|_| self.lengths) {
            text = format!("{text}, {length} moves");
        }
        if let Some(id) = entry.puzzle.id() {
            text = format!("{text} · {id}");
        }
        vec![font.fit(&text, room)]
    }
}

#[derive(Clone, Copy)]
struct Entry<'a> {
    number: usize,
    puzzle: &'a Puzzle,
    trace: Option<&'a Trace>,
}

/// The number of columns that makes the boards largest, and the side of a board.
fn grid(per_page: usize, below: f32) -> (usize, f32) {
    let (width, height) = (PAGE.0 - 2.0 * MARGIN, PAGE.1 - 2.0 * MARGIN - HEAD - FOOT);
    let side = |columns: usize| {
        let rows = per_page.div_ceil(columns);
        let wide = (width - GAP * (columns - 1) as f32) / columns as f32;
        let high = (height - GAP * (rows - 1) as f32) / rows as f32 - below;
        wide.min(high)
    };
    let best = (1..=per_page)
        .max_by(|&a, &b| side(a).total_cmp(&side(b)))
        .unwrap_or(1);
    (best, side(best))
}

/// Words in lines that fit; what needs more than [`MOVE_LINES`] lines is cut with dots.
fn wrap(words: impl Iterator<Item = String>, font: Font, room: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if font.width(&format!("{line} {word}")) <= room => {
                *line += " ";
                *line += &word;
            }
            _ => lines.push(word),
        }
    }
    if lines.len() > MOVE_LINES {
        lines.truncate(MOVE_LINES);
        if let Some(last) = lines.last_mut() {
            *last = font.fit(&format!("{last} and so on, more than fits here"), room);
        }
    }
    lines
}
