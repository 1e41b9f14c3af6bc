//! Printable pages of puzzles, with their solutions on the last pages.

pub(crate) mod paper;
pub mod quadrant;

use ricochet_core::{Puzzle, Trace};

use crate::color::role::ColorRole;
use crate::color::theme::Theme;
use crate::goal::goal_caption;
use crate::letters::glyphs::{Anchor, Font};
use crate::picture::{CELL_SIZES, Picture};
use crate::scene::Scene;
use crate::scene::geometry::MIN_STROKED_CELL;
use crate::sheet::paper::{Grid, LINE, Pages, Paper, TEXT, Title};

/// The resolution at which boards are drawn before they are scaled to the page.
const PIXELS_PER_POINT: f32 = 1.5;
/// The most lines of full-size text below a board before the text becomes smaller, and the most lines
/// of the smallest readable text. Every line makes the boards smaller.
const LINES: usize = 3;
const MAX_LINES: usize = 6;
/// The sizes of text relative to the full size, and the smallest size if not even [`MAX_LINES`] are
/// enough.
const READABLE_SIZES: [f32; 6] = [1.0, 0.95, 0.9, 0.85, 0.8, 0.75];
const SMALLEST: f32 = 0.3;

/// Puzzles to print.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot, Solution};
/// use ricochet_draw::{Paper, Sheet, SheetPuzzle};
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(7, 7) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// let trace = "RE RS".parse::<Solution>().unwrap().replay(&puzzle).unwrap();
/// let mut sheet = Sheet::new("Sunday puzzles").paper(Paper::Letter).per_page(4);
/// for _ in 0..4 {
///     sheet.add(SheetPuzzle::new(&puzzle).caption("red to the corner · 2 moves").solution(&trace));
/// }
/// sheet.add(SheetPuzzle::new(&puzzle).no_solution("not solved"));
/// // Two pages of puzzles, two of solutions.
/// assert_eq!(sheet.pages().svg().len(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    title: String,
    theme: Theme,
    paper: Paper,
    per_page: usize,
    coordinates: bool,
    entries: Vec<SheetPuzzle<'a>>,
}

/// A puzzle on a [`Sheet`].
#[derive(Clone, Debug)]
pub struct SheetPuzzle<'a> {
    puzzle: &'a Puzzle,
    caption: Option<String>,
    answer: Answer<'a>,
}

/// What the last pages say about a puzzle.
#[derive(Clone, Debug)]
enum Answer<'a> {
    None,
    Solution(&'a Trace),
    /// Why there is no solution.
    Note(String),
}

impl<'a> SheetPuzzle<'a> {
    /// A puzzle without a solution. Its caption is [`goal_caption`].
    pub fn new(puzzle: &'a Puzzle) -> Self {
        Self {
            puzzle,
            caption: None,
            answer: Answer::None,
        }
    }

    /// Sets the text below the board.
    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = Some(text.into());
        self
    }

    /// Shows a solution on the last pages. The trace must be of this puzzle.
    #[must_use]
    pub fn solution(mut self, trace: &'a Trace) -> Self {
        self.answer = Answer::Solution(trace);
        self
    }

    /// Says on the last pages why there is no solution.
    #[must_use]
    pub fn no_solution(mut self, why: impl Into<String>) -> Self {
        self.answer = Answer::Note(why.into());
        self
    }
}

impl<'a> Sheet<'a> {
    /// An empty sheet: A4, six boards per page, in the theme for print.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            theme: Theme::PRINT,
            paper: Paper::A4,
            per_page: 6,
            coordinates: false,
            entries: Vec::new(),
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

    /// Sets the number of boards per page, clamped to 1 to 12.
    #[must_use]
    pub fn per_page(mut self, boards: usize) -> Self {
        self.per_page = boards.clamp(1, 12);
        self
    }

    /// Shows or hides the column and row numbers.
    #[must_use]
    pub fn coordinates(mut self, shown: bool) -> Self {
        self.coordinates = shown;
        self
    }

    /// Adds a puzzle.
    pub fn add(&mut self, puzzle: SheetPuzzle<'a>) {
        self.entries.push(puzzle);
    }

    /// The characters of the sheet's texts that the pages cannot show, each once.
    pub fn missing_letters(&self) -> Vec<char> {
        let mut texts = self.title.clone();
        for entry in &self.entries {
            texts += entry.caption.as_deref().unwrap_or_default();
            if let Answer::Note(why) = &entry.answer {
                texts += why;
            }
        }
        crate::missing_letters(&texts)
    }

    /// The pages: the puzzles first, then their solutions.
    pub fn pages(&self) -> Pages {
        let numbered: Vec<(usize, &SheetPuzzle<'a>)> = (1..).zip(&self.entries).collect();
        let answered: Vec<(usize, &SheetPuzzle<'a>)> = numbered
            .iter()
            .filter(|(_, entry)| !matches!(entry.answer, Answer::None))
            .copied()
            .collect();
        let grid = self.grid();
        let mut pages = Vec::new();
        for (entries, solutions) in [(&numbered, false), (&answered, true)] {
            for chunk in entries.chunks(self.per_page) {
                pages.push(self.page(grid, chunk, solutions));
            }
        }
        if pages.is_empty() {
            pages.push(self.page(grid, &[], false));
        }
        let count = pages.len();
        for (number, page) in (1..).zip(&mut pages) {
            grid.foot(page, &self.theme, &format!("{number} / {count}"));
        }
        Pages {
            scenes: pages,
            paper: self.paper,
            title: self.title.clone(),
        }
    }

    /// The grid of all pages, so that a board has the same size and place among the puzzles and among
    /// the solutions. It has room for the longest text: up to [`LINES`] of full size, more only if
    /// smaller text is not enough.
    fn grid(&self) -> Grid {
        let with = |lines| Grid::new(self.paper, self.per_page, LINE * lines as f32 + 4.0, 0.0);
        let fit = |grid: &Grid, sizes: &[f32]| {
            (1..).zip(&self.entries).all(|(number, entry)| {
                [false, true].into_iter().all(|solution| {
                    let placement = self.placement(number, entry, grid);
                    let mut blocks = sizes
                        .iter()
                        .map(|&s| self.block(entry, solution, &placement, s));
                    // More lines do not help if a word is too wide.
                    blocks.any(|block| block.is_low_enough(&placement))
                })
            })
        };
        let full = (1..=LINES).map(|lines| (with(lines), &READABLE_SIZES[..1]));
        let smaller = (LINES..=MAX_LINES).map(|lines| (with(lines), &READABLE_SIZES[..]));
        let fitting = full.chain(smaller).find(|(grid, sizes)| fit(grid, sizes));
        fitting.map_or_else(|| with(MAX_LINES), |(grid, _)| grid)
    }

    fn page(&self, grid: Grid, entries: &[(usize, &SheetPuzzle<'a>)], solutions: bool) -> Scene {
        let spots = entries.iter().enumerate();
        let spots = spots.filter(|&(i, _)| grid.is_first_of_row(i));
        let title = Title {
            text: &self.title,
            suffix: if solutions { " – solutions" } else { "" },
            // Aligned with the leftmost board below it.
            indent: spots
                .map(|(_, &(number, entry))| self.placement(number, entry, &grid).number)
                .min_by(f32::total_cmp)
                .unwrap_or_default(),
        };
        let mut scene = grid.page(&self.theme, &title);
        for (i, &entry) in entries.iter().enumerate() {
            self.entry(&mut scene, entry, &grid, i, solutions);
        }
        scene
    }

    /// The picture of a puzzle in a square with sides of this length.
    fn picture(&self, entry: &SheetPuzzle<'a>, side: f32) -> Picture<'a> {
        let board = entry.puzzle.board();
        let longest = board.width().max(board.height()) as f32;
        // Drawn larger and scaled down: paper can show lines finer than a pixel, and letters of whole
        // pixels would look coarse.
        let cell = (side * PIXELS_PER_POINT / longest) as u32;
        let cell = cell.clamp(MIN_STROKED_CELL, *CELL_SIZES.end());
        Picture::new(entry.puzzle)
            .theme(self.theme.clone())
            .cell_size(cell)
            .coordinates(self.coordinates)
    }

    fn placement(&self, number: usize, entry: &SheetPuzzle<'a>, grid: &Grid) -> Placement {
        let side = grid.side;
        let geometry = self.picture(entry, side).geometry();
        let (width, height) = geometry.picture_size();
        let scale = (side / width).min(side / height);
        let left = (side - width * scale) / 2.0;
        let text = left + geometry.origin.x * scale;
        let bold = Font::bold(TEXT, self.theme.paint(ColorRole::Ink)).typeset();
        let indent = bold.width(&format!("{number}.")) + TEXT * 0.6;
        // The text is as wide as the board. Below a narrow board it may be as wide as the square.
        let board = geometry.width * scale;
        let narrow = geometry.width < geometry.height;
        let end = if narrow { side } else { text + board };
        Placement {
            scale,
            left,
            bottom: height * scale,
            number: text,
            text: text + indent,
            room: end - text - indent,
            depth: grid.below() + side - height * scale,
        }
    }

    /// The text below a board, scaled by `size`.
    fn block(
        &self,
        entry: &SheetPuzzle<'_>,
        solution: bool,
        placement: &Placement,
        size: f32,
    ) -> TextBlock {
        let font = Font::regular(TEXT * size, self.theme.paint(ColorRole::Ink)).typeset();
        TextBlock {
            lines: texts(entry, solution, font, placement.room),
            font,
            pitch: LINE * size,
        }
    }

    /// The text below a board, as large as fits. Only text that does not fit at the smallest size is
    /// cut.
    fn largest_block(
        &self,
        entry: &SheetPuzzle<'_>,
        solution: bool,
        placement: &Placement,
    ) -> TextBlock {
        let smaller = std::iter::successors(Some(0.7), |size| Some(size - 0.05));
        let smaller = smaller.take_while(|&size| size >= SMALLEST);
        let sizes = READABLE_SIZES.into_iter().chain(smaller);
        let mut blocks = sizes.map(|size| self.block(entry, solution, placement, size));
        blocks
            .find(|block| block.fits(placement))
            .unwrap_or_else(|| {
                self.block(entry, solution, placement, SMALLEST)
                    .cut(placement)
            })
    }

    fn entry(
        &self,
        scene: &mut Scene,
        (number, entry): (usize, &SheetPuzzle<'a>),
        grid: &Grid,
        square: usize,
        with_solution: bool,
    ) {
        let corner = grid.corner(square);
        let placement = self.placement(number, entry, grid);
        let mut picture = self.picture(entry, grid.side);
        if let Answer::Solution(trace) = entry.answer
            && with_solution
        {
            picture = picture.solution(trace).targets(false);
        }
        let (board_scene, _) = picture.scene();
        scene.embed(
            &board_scene,
            corner.plus(placement.left, 0.0),
            placement.scale,
        );

        let mut place = corner.plus(placement.number, placement.bottom + TEXT + 1.0);
        let bold = Font::bold(TEXT, self.theme.paint(ColorRole::Ink)).typeset();
        bold.draw(scene, &format!("{number}."), place, Anchor::Left);
        place.x = corner.x + placement.text;
        let block = self.largest_block(entry, with_solution, &placement);
        for line in block.lines {
            block.font.draw(scene, &line, place, Anchor::Left);
            place.y += block.pitch;
        }
    }
}

/// The places of a board and its text in their square, relative to its north-west corner.
struct Placement {
    /// The picture's scale, left edge and lower edge.
    scale: f32,
    left: f32,
    bottom: f32,
    /// The left edges of the puzzle's number, aligned with the board, and of the text after it.
    number: f32,
    text: f32,
    /// The width and height available to the text.
    room: f32,
    depth: f32,
}

/// Text broken into lines.
struct TextBlock {
    lines: Vec<String>,
    font: Font,
    /// The distance from one line to the next.
    pitch: f32,
}

impl TextBlock {
    fn fits(&self, placement: &Placement) -> bool {
        let wide = |line: &String| self.font.width(line) > placement.room;
        self.is_low_enough(placement) && !self.lines.iter().any(wide)
    }

    fn is_low_enough(&self, placement: &Placement) -> bool {
        self.lines.len() <= self.most_lines(placement)
    }

    fn most_lines(&self, placement: &Placement) -> usize {
        // Allow for rounding: a line that just fits does fit.
        ((placement.depth + 0.01) / self.pitch) as usize
    }

    /// Cuts the text to what fits, ending in dots.
    fn cut(mut self, placement: &Placement) -> Self {
        let most = self.most_lines(placement).max(1);
        let cut = self.lines.len() > most;
        self.lines.truncate(most);
        if let Some(last) = self.lines.last_mut().filter(|_| cut) {
            *last += " and so on, more than fits here";
        }
        for line in &mut self.lines {
            *line = self.font.fit(line, placement.room);
        }
        self
    }
}

/// The lines below a board.
fn texts(entry: &SheetPuzzle<'_>, solution: bool, font: Font, room: f32) -> Vec<String> {
    match &entry.answer {
        Answer::Solution(trace) if solution => {
            let moves = trace.steps.iter().map(|step| step.play.to_string());
            let count = match trace.steps.len() {
                1 => "1 move:".to_owned(),
                n => format!("{n} moves:"),
            };
            wrap(std::iter::once(count).chain(moves), font, room)
        }
        Answer::Note(why) if solution => wrap(words(why), font, room),
        _ => {
            let text = entry.caption.clone();
            let text = text.unwrap_or_else(|| goal_caption(entry.puzzle));
            caption_lines(&text, font, room)
        }
    }
}

/// A caption such as `goal · moves · grade`: on one line if it fits, else with the goal on lines of its
/// own.
fn caption_lines(text: &str, font: Font, room: f32) -> Vec<String> {
    let parts = text.split_once(" · ");
    match parts.filter(|_| font.width(text) > room) {
        None => wrap(words(text), font, room),
        Some((goal, rest)) => {
            let mut lines = wrap(words(goal), font, room);
            lines.extend(wrap(words(rest), font, room));
            lines
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(str::to_owned)
}

/// Breaks words into lines. A word that is wider than a line gets a line of its own.
pub(crate) fn wrap(words: impl Iterator<Item = String>, font: Font, room: f32) -> Vec<String> {
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
    lines
}
