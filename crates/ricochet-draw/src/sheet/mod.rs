//! Puzzles on printable pages, their solutions on the last ones.

pub(crate) mod paper;
pub mod quadrant;

use ricochet_core::{Puzzle, Trace};

use crate::color::role::Role;
use crate::color::theme::Theme;
use crate::goal::goal_words;
use crate::letters::glyphs::{Anchor, Font};
use crate::picture::{CELL_SIZES, Picture};
use crate::scene::Scene;
use crate::scene::layout::STROKED;
use crate::sheet::paper::{Grid, LINE, Paper, TEXT, Title};

/// How many of a picture's pixels make a point.
const FINER: f32 = 1.5;
/// How many lines of full size a sheet leaves room for before words become smaller, and how many if
/// they are as small as they can be read with ease. Boards become smaller with every line.
const LINES: usize = 3;
const MOST_LINES: usize = 6;
/// The sizes of words that need more room, against the full size, and the smallest where not even
/// [`MOST_LINES`] are enough.
const EASY_SIZES: [f32; 6] = [1.0, 0.95, 0.9, 0.85, 0.8, 0.75];
const SMALLEST: f32 = 0.3;

/// Puzzles to be printed.
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
/// sheet.add(SheetPuzzle::new(&puzzle).no_solution("nobody looked for one"));
/// // Two pages of puzzles, two of solutions.
/// assert_eq!(sheet.svg_pages().len(), 4);
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
    /// Nothing: it is not there.
    None,
    Solution(&'a Trace),
    /// Why there is no solution.
    Word(String),
}

impl<'a> SheetPuzzle<'a> {
    /// A puzzle without a solution. Its caption says who has to get where, as
    /// [`goal_words`] does.
    pub fn new(puzzle: &'a Puzzle) -> Self {
        Self {
            puzzle,
            caption: None,
            answer: Answer::None,
        }
    }

    /// Another line below the board.
    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = Some(text.into());
        self
    }

    /// With a solution on the last pages. The trace must be one of this puzzle.
    #[must_use]
    pub fn solution(mut self, trace: &'a Trace) -> Self {
        self.answer = Answer::Solution(trace);
        self
    }

    /// With a word on the last pages that says why there is no solution.
    #[must_use]
    pub fn no_solution(mut self, why: impl Into<String>) -> Self {
        self.answer = Answer::Word(why.into());
        self
    }
}

impl<'a> Sheet<'a> {
    /// An empty sheet of A4 paper, six boards a page, in the theme for paper.
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

    /// Another number of boards a page, 1 to 12; others are brought into this range.
    #[must_use]
    pub fn per_page(mut self, boards: usize) -> Self {
        self.per_page = boards.clamp(1, 12);
        self
    }

    /// With or without the numbers of columns and rows.
    #[must_use]
    pub fn coordinates(mut self, shown: bool) -> Self {
        self.coordinates = shown;
        self
    }

    /// Adds a puzzle.
    pub fn add(&mut self, puzzle: SheetPuzzle<'a>) {
        self.entries.push(puzzle);
    }

    /// The characters of its texts that the pages cannot show, each once.
    ///
    /// ```
    /// assert_eq!(ricochet_draw::Sheet::new("Übung 練習").missing_letters(), ['練', '習']);
    /// ```
    pub fn missing_letters(&self) -> Vec<char> {
        let mut texts = self.title.clone();
        for entry in &self.entries {
            texts += entry.caption.as_deref().unwrap_or_default();
            if let Answer::Word(why) = &entry.answer {
                texts += why;
            }
        }
        crate::missing_letters(&texts)
    }

    /// The pages as SVG documents: the puzzles first, then their solutions.
    pub fn svg_pages(&self) -> Vec<String> {
        crate::sheet::paper::svg_pages(&self.pages(), self.paper, &self.title)
    }

    /// The pages as PNG files with so many pixels per inch, in the same order.
    ///
    /// ```
    /// let pages = ricochet_draw::Sheet::new("Empty").png_pages(36).unwrap();
    /// assert_eq!((pages.len(), &pages[0][1..4]), (1, &b"PNG"[..]));
    /// ```
    ///
    /// # Errors
    /// If there is no memory for the pixels.
    #[cfg(feature = "raster")]
    pub fn png_pages(&self, per_inch: u32) -> Result<Vec<Vec<u8>>, crate::RasterError> {
        crate::raster::png_pages(&self.pages(), self.paper, per_inch)
    }

    /// The pages as one PDF file.
    #[cfg(feature = "pdf")]
    pub fn pdf(&self) -> Vec<u8> {
        crate::vector::pdf::document(&self.pages(), self.paper.size(), &self.title)
    }

    fn pages(&self) -> Vec<Scene> {
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
        pages
    }

    /// The same for puzzles and solutions, so that a board is as large on the last pages as on the
    /// first, and at the same place. It leaves room for as many lines as any of them needs: up to
    /// [`LINES`] of full size, more only where smaller words are not enough.
    fn grid(&self) -> Grid {
        let with = |lines| Grid::new(self.paper, self.per_page, LINE * lines as f32 + 4.0);
        let fit = |grid: &Grid, sizes: &[f32]| {
            (1..).zip(&self.entries).all(|(number, entry)| {
                [false, true].into_iter().all(|solution| {
                    let spot = self.spot(number, entry, grid);
                    let mut blocks = sizes.iter().map(|&s| self.block(entry, solution, &spot, s));
                    // More lines do not help a word that is too wide.
                    blocks.any(|block| block.is_low_enough(&spot))
                })
            })
        };
        let full = (1..=LINES).map(|lines| (with(lines), &EASY_SIZES[..1]));
        let smaller = (LINES..=MOST_LINES).map(|lines| (with(lines), &EASY_SIZES[..]));
        let fitting = full.chain(smaller).find(|(grid, sizes)| fit(grid, sizes));
        fitting.map_or_else(|| with(MOST_LINES), |(grid, _)| grid)
    }

    fn page(&self, grid: Grid, entries: &[(usize, &SheetPuzzle<'a>)], solutions: bool) -> Scene {
        let spots = entries.iter().enumerate();
        let spots = spots.filter(|&(i, _)| grid.is_first_of_row(i));
        let title = Title {
            text: &self.title,
            suffix: if solutions { " – solutions" } else { "" },
            // In line with the boards below it; narrow ones may begin further to the right.
            indent: spots
                .map(|(_, &(number, entry))| self.spot(number, entry, &grid).number)
                .min_by(f32::total_cmp)
                .unwrap_or_default(),
        };
        let mut scene = grid.page(&self.theme, &title);
        for (i, &entry) in entries.iter().enumerate() {
            self.entry(&mut scene, entry, &grid, i, solutions);
        }
        scene
    }

    /// The picture of a puzzle in a square of that side.
    fn picture(&self, entry: &SheetPuzzle<'a>, side: f32) -> Picture<'a> {
        let board = entry.puzzle.board();
        let longest = board.width().max(board.height()) as f32;
        // Drawn larger and shrunk: on paper, lines finer than a screen's pixel are good, and letters
        // of whole pixels are not.
        let cell = (side * FINER / longest) as u32;
        let cell = cell.clamp(STROKED, *CELL_SIZES.end());
        Picture::new(entry.puzzle)
            .theme(self.theme.clone())
            .cell_size(cell)
            .coordinates(self.coordinates)
    }

    fn spot(&self, number: usize, entry: &SheetPuzzle<'a>, grid: &Grid) -> Spot {
        let side = grid.side;
        let layout = self.picture(entry, side).layout();
        let (width, height) = layout.picture_size();
        let scale = (side / width).min(side / height);
        let left = (side - width * scale) / 2.0;
        let text = left + layout.origin.x * scale;
        let bold = Font::bold(TEXT, self.theme.paint(Role::Ink)).typeset();
        let indent = bold.width(&format!("{number}.")) + TEXT * 0.6;
        // Words end where their board does. A narrow board would leave them too little: below it
        // they may go on to the end of the square.
        let board = layout.width * scale;
        let narrow = layout.width < layout.height;
        let end = if narrow { side } else { text + board };
        Spot {
            scale,
            left,
            bottom: height * scale,
            number: text,
            text: text + indent,
            room: end - text - indent,
            depth: grid.below() + side - height * scale,
        }
    }

    /// The words below a board, `size` times as large as usual.
    fn block(&self, entry: &SheetPuzzle<'_>, solution: bool, spot: &Spot, size: f32) -> Block {
        let font = Font::regular(TEXT * size, self.theme.paint(Role::Ink)).typeset();
        Block {
            lines: texts(entry, solution, font, spot.room),
            font,
            pitch: LINE * size,
        }
    }

    /// The words below a board, as large as they fit. Only what does not even fit at the smallest
    /// size is cut.
    fn largest_block(&self, entry: &SheetPuzzle<'_>, solution: bool, spot: &Spot) -> Block {
        let smaller = std::iter::successors(Some(0.7), |size| Some(size - 0.05));
        let smaller = smaller.take_while(|&size| size >= SMALLEST);
        let sizes = EASY_SIZES.into_iter().chain(smaller);
        let mut blocks = sizes.map(|size| self.block(entry, solution, spot, size));
        blocks
            .find(|block| block.fits(spot))
            .unwrap_or_else(|| self.block(entry, solution, spot, SMALLEST).cut(spot))
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
        let spot = self.spot(number, entry, grid);
        let mut picture = self.picture(entry, grid.side);
        if let Answer::Solution(trace) = entry.answer
            && with_solution
        {
            picture = picture.solution(trace).targets(false);
        }
        let (board_scene, _) = picture.scene();
        scene.embed(&board_scene, corner.plus(spot.left, 0.0), spot.scale);

        let mut place = corner.plus(spot.number, spot.bottom + TEXT + 1.0);
        let bold = Font::bold(TEXT, self.theme.paint(Role::Ink)).typeset();
        bold.draw(scene, &format!("{number}."), place, Anchor::Left);
        place.x = corner.x + spot.text;
        let block = self.largest_block(entry, with_solution, &spot);
        for line in block.lines {
            block.font.draw(scene, &line, place, Anchor::Left);
            place.y += block.pitch;
        }
    }
}

/// Where a board and its words are in their square, from its north-west corner.
struct Spot {
    /// Of the picture.
    scale: f32,
    left: f32,
    bottom: f32,
    /// Where the puzzle's number begins, in line with the board, and where the words after it do.
    number: f32,
    text: f32,
    /// How wide the words may be, and how high.
    room: f32,
    depth: f32,
}

/// Words in lines.
struct Block {
    lines: Vec<String>,
    font: Font,
    /// From one line to the next.
    pitch: f32,
}

impl Block {
    fn fits(&self, spot: &Spot) -> bool {
        let wide = |line: &String| self.font.width(line) > spot.room;
        self.is_low_enough(spot) && !self.lines.iter().any(wide)
    }

    fn is_low_enough(&self, spot: &Spot) -> bool {
        self.lines.len() <= self.most_lines(spot)
    }

    fn most_lines(&self, spot: &Spot) -> usize {
        // A line that fits exactly fits.
        ((spot.depth + 0.01) / self.pitch) as usize
    }

    /// What fits, with dots where something is missing.
    fn cut(mut self, spot: &Spot) -> Self {
        let most = self.most_lines(spot).max(1);
        let cut = self.lines.len() > most;
        self.lines.truncate(most);
        if let Some(last) = self.lines.last_mut().filter(|_| cut) {
            *last += " and so on, more than fits here";
        }
        for line in &mut self.lines {
            *line = self.font.fit(line, spot.room);
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
        Answer::Word(why) if solution => wrap(words(why), font, room),
        _ => {
            let text = entry.caption.clone();
            let text = text.unwrap_or_else(|| goal_words(entry.puzzle));
            caption_lines(&text, font, room)
        }
    }
}

/// A caption on one line, or its first part and the others on lines of their own; `goal · moves ·
/// grade`.
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

/// Words in lines that fit, except for words that are wider than a line.
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
    lines
}
