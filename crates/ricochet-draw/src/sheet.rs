//! Puzzles on printable pages, their solutions on the last ones.

use ricochet::{Puzzle, Trace};

use crate::glyphs::{Anchor, Font};
use crate::goal::goal_words;
use crate::paper::{Grid, LINE, Paper, TEXT};
use crate::picture::{CELL_SIZES, Picture};
use crate::role::Role;
use crate::scene::{Point, Scene};
use crate::svg::{self, Colors, Document};
use crate::theme::Theme;

/// How many of a picture's pixels make a point.
const FINER: f32 = 1.5;
/// How many lines the moves below a solution may take.
const MOVE_LINES: usize = 3;

/// Puzzles to be printed.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot, Solution};
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
        let pages = self.pages();
        let count = pages.len();
        (1..)
            .zip(&pages)
            .map(|(number, page)| {
                let document = Document {
                    size: self.paper.size(),
                    unit: "pt",
                    colors: Colors::Fixed,
                    title: format!("{} ({number}/{count})", self.title),
                    description: String::new(),
                };
                svg::document(page, &document)
            })
            .collect()
    }

    /// The pages as one PDF file.
    #[cfg(feature = "pdf")]
    pub fn pdf(&self) -> Vec<u8> {
        crate::pdf::document(&self.pages(), self.paper.size(), &self.title)
    }

    fn pages(&self) -> Vec<Scene> {
        let numbered: Vec<(usize, &SheetPuzzle<'a>)> = (1..).zip(&self.entries).collect();
        let answered: Vec<(usize, &SheetPuzzle<'a>)> = numbered
            .iter()
            .filter(|(_, entry)| !matches!(entry.answer, Answer::None))
            .copied()
            .collect();
        let mut pages = Vec::new();
        let solutions_title = format!("{} – solutions", self.title);
        for (entries, title, solutions) in [
            (&numbered, self.title.as_str(), false),
            (&answered, solutions_title.as_str(), true),
        ] {
            for chunk in entries.chunks(self.per_page) {
                pages.push(self.page(chunk, title, solutions));
            }
        }
        if pages.is_empty() {
            pages.push(self.page(&[], &self.title, false));
        }
        let count = pages.len();
        let grid = self.grid();
        for (number, page) in (1..).zip(&mut pages) {
            grid.foot(page, &self.theme, &format!("{number} / {count}"));
        }
        pages
    }

    /// The same for puzzles and solutions, so that a board is as large on the last pages as on the
    /// first, and at the same place. It leaves room for as many lines as any of them needs.
    fn grid(&self) -> Grid {
        let with = |lines| Grid::new(self.paper, self.per_page, LINE * lines as f32 + 4.0);
        let fit = |grid: &Grid, lines| {
            (1..).zip(&self.entries).all(|(number, entry)| {
                [false, true].into_iter().all(|solution| {
                    let spot = self.spot(number, entry, grid.side);
                    self.lines(entry, solution, spot.room).len() <= lines
                })
            })
        };
        let grids = (1..MOVE_LINES).map(|lines| (with(lines), lines));
        let fitting = grids.into_iter().find(|(grid, lines)| fit(grid, *lines));
        fitting.map_or_else(|| with(MOVE_LINES), |(grid, _)| grid)
    }

    fn page(&self, entries: &[(usize, &SheetPuzzle<'a>)], title: &str, solutions: bool) -> Scene {
        let grid = self.grid();
        let mut scene = grid.page(&self.theme, title);
        for (i, &(number, entry)) in entries.iter().enumerate() {
            let corner = grid.corner(i);
            self.entry(&mut scene, (number, entry), corner, grid.side, solutions);
        }
        scene
    }

    /// The picture of a puzzle in a square of that side.
    fn picture(&self, entry: &SheetPuzzle<'a>, side: f32) -> Picture<'a> {
        let board = entry.puzzle.board();
        let longest = board.width().max(board.height()) as f32;
        // Drawn larger and shrunk: on paper, lines finer than a screen's pixel are good.
        let cell = (side * FINER / longest) as u32;
        let cell = cell.clamp(*CELL_SIZES.start(), *CELL_SIZES.end());
        Picture::new(entry.puzzle)
            .theme(self.theme.clone())
            .cell_size(cell)
            .coordinates(self.coordinates)
    }

    fn spot(&self, number: usize, entry: &SheetPuzzle<'a>, side: f32) -> Spot {
        let layout = self.picture(entry, side).layout();
        let (width, height) = layout.picture_size();
        let scale = (side / width).min(side / height);
        let left = (side - width * scale) / 2.0;
        let text = left + layout.origin.x * scale;
        let bold = Font::bold(TEXT, self.theme.paint(Role::Ink)).typeset();
        let indent = bold.width(&format!("{number}.")) + TEXT * 0.6;
        Spot {
            scale,
            left,
            bottom: height * scale,
            number: text,
            text: text + indent,
            room: side - text - indent,
        }
    }

    fn lines(&self, entry: &SheetPuzzle<'_>, solution: bool, room: f32) -> Vec<String> {
        let font = Font::regular(TEXT, self.theme.paint(Role::Ink)).typeset();
        texts(entry, solution, font, room)
    }

    fn entry(
        &self,
        scene: &mut Scene,
        (number, entry): (usize, &SheetPuzzle<'a>),
        corner: Point,
        side: f32,
        with_solution: bool,
    ) {
        let spot = self.spot(number, entry, side);
        let mut picture = self.picture(entry, side);
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
        let font = Font::regular(TEXT, self.theme.paint(Role::Ink)).typeset();
        for line in self.lines(entry, with_solution, spot.room) {
            font.draw(scene, &line, place, Anchor::Left);
            place.y += LINE;
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
    /// How wide the words may be.
    room: f32,
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
        Answer::Word(why) if solution => {
            wrap(why.split_whitespace().map(str::to_owned), font, room)
        }
        _ => {
            let text = entry.caption.clone();
            let text = text.unwrap_or_else(|| goal_words(entry.puzzle));
            caption_lines(&text, font, room)
        }
    }
}

/// A caption on one line, or its first part and the others on two; `goal · moves · grade`.
fn caption_lines(text: &str, font: Font, room: f32) -> Vec<String> {
    let parts = text.split_once(" · ");
    match parts.filter(|_| font.width(text) > room) {
        None => vec![font.fit(text, room)],
        Some((goal, rest)) => vec![font.fit(goal, room), font.fit(rest, room)],
    }
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
