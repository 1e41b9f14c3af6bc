//! Solutions in the terminal: numbered lines with arrowheads, and the list of steps.

use anstyle::Style;
use ricochet_core::{Cell, CellSet, Direction, Obstacle, Puzzle, Robot, State, Step, Trace};

use super::board::{BoardCanvas, CELL_COLUMNS, CELL_ROWS};
use super::compact::VerticalArrowhead;
use super::style::{faint, robot_block, robot_style};
use super::{BoardSize, Terminal, TextPicture};

/// One board of a solution, with some of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The number of its first move, from 1.
    pub first: usize,
    /// The number of its last move.
    pub last: usize,
    /// The board.
    pub picture: TextPicture,
}

impl Terminal {
    /// A solution as numbered lines with arrowheads. Each board shows the robots as they are before
    /// its first move.
    ///
    /// One board is enough for most solutions. A move whose number does not fit, or whose line would
    /// be lost among the others, starts another board. A solution without moves has one board.
    /// [Narrow](BoardSize::Narrow) boards have no room for lines: there is one board with the robots at
    /// their start.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot, Solution};
    /// use ricochet_draw::Terminal;
    /// let board = Board::builder(3, 2).build().unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 1) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let trace = "RE RS".parse::<Solution>().unwrap().replay(&puzzle).unwrap();
    /// let panels = Terminal::ascii().without_coordinates().solution(&puzzle, &trace);
    /// assert_eq!((panels.len(), panels[0].first, panels[0].last), (1, 1, 2));
    /// assert_eq!(
    ///     panels[0].picture.plain(),
    ///     "+---+---+---+\n\
    ///      | R ----->1 |\n\
    ///      +   .   . v +\n\
    ///      |        [2]|\n\
    ///      +---+---+---+\n"
    /// );
    /// ```
    pub fn solution(&self, puzzle: &Puzzle, trace: &Trace) -> Vec<Panel> {
        if self.size == BoardSize::Narrow {
            return vec![Panel {
                first: 1,
                last: trace.steps.len(),
                picture: self.state(puzzle, trace.start),
            }];
        }
        let mut panels = Vec::new();
        let mut done: usize = 0;
        loop {
            let start = done
                .checked_sub(1)
                .map_or(trace.start, |last| trace.steps[last].state);
            let mut paths = Paths::new(puzzle, start);
            while let Some(step) = trace.steps.get(done)
                && paths.add(step, done + 1)
            {
                done += 1;
            }
            let first = panels.last().map_or(1, |panel: &Panel| panel.last + 1);
            panels.push(Panel {
                first,
                last: done,
                picture: paths.draw(*self, puzzle, start),
            });
            if done == trace.steps.len() {
                return panels;
            }
        }
    }

    /// The moves of a solution, one per row: number, move, path, and what stopped the robot.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot, Solution};
    /// use ricochet_draw::Terminal;
    /// let board = Board::builder(3, 2).build().unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 1) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let trace = "RE RS".parse::<Solution>().unwrap().replay(&puzzle).unwrap();
    /// let steps = Terminal::ascii().steps(&trace);
    /// assert_eq!(
    ///     steps.plain(),
    ///     " 1  RE  red     east   (0,0) -> (2,0)  rim\n \
    ///       2  RS  red     south  (2,0) -> (2,1)  rim\n"
    /// );
    /// ```
    pub fn steps(&self, trace: &Trace) -> TextPicture {
        let digits = trace.steps.len().to_string().len().max(2);
        let arrow = self.pick("→", "->");
        let mut state = trace.start;
        let rows: Vec<(Robot, [String; 4])> = (1..)
            .zip(&trace.steps)
            .map(|(number, step)| {
                let obstacle = match step.obstacle {
                    Obstacle::Rim => "rim".to_owned(),
                    Obstacle::Wall => "wall".to_owned(),
                    Obstacle::Robot(cell) => state
                        .robot_at(cell)
                        .map_or_else(String::new, |robot| format!("{robot} robot")),
                    Obstacle::Nothing => String::new(),
                };
                state = step.state;
                let robot = step.play.robot;
                let way = format!("{} {arrow} {}", step.from, step.to);
                let words = format!("{:<7} {:<5}", robot.name(), step.play.direction.to_string());
                (
                    robot,
                    [
                        format!("{number:>digits$}"),
                        step.play.to_string(),
                        format!("{words}  {way}"),
                        obstacle,
                    ],
                )
            })
            .collect();
        let widest = |column: usize| {
            rows.iter()
                .map(|(_, row)| row[column].chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths = [0, 1, 2, 3].map(widest);
        let starts = [0, widths[0] + 2, widths[0] + 6, widths[0] + 8 + widths[2]];
        let mut picture = TextPicture::blank(starts[3] + widths[3], rows.len());
        for (row, (robot, texts)) in rows.iter().enumerate() {
            let styles = [faint(), robot_style(*robot).bold(), Style::new(), faint()];
            for ((text, start), style) in texts.iter().zip(starts).zip(styles) {
                picture.write(start, row, text, style);
            }
        }
        picture
    }
}

/// A step of a robot from a cell to the next.
type Stroke = (Cell, Direction, Robot);

/// The lines, numbers and arrowheads of the moves on one board.
struct Paths {
    goal: Cell,
    /// Cells that no number may cover.
    pieces: CellSet,
    labelled: CellSet,
    labels: Vec<(Cell, usize, Robot)>,
    /// Each step from one cell to the next, in drawing order.
    strokes: Vec<Stroke>,
    arrowheads: Vec<Stroke>,
}

impl Paths {
    fn new(puzzle: &Puzzle, start: State) -> Self {
        Self {
            goal: puzzle.goal().cell,
            pieces: start.cells().iter().copied().collect(),
            labelled: CellSet::EMPTY,
            labels: Vec::new(),
            strokes: Vec::new(),
            arrowheads: Vec::new(),
        }
    }

    /// Adds a move unless it could not be followed. The first move is always added.
    fn add(&mut self, step: &Step, number: usize) -> bool {
        let mut strokes = Vec::with_capacity(step.path.len());
        let mut from = step.from;
        for &(cell, heading) in &step.path {
            strokes.push((from, heading, step.play.robot));
            from = cell;
        }
        let first = self.labels.is_empty();
        if !first && !self.can_be_followed(step, &strokes) {
            return false;
        }
        // The best place for the number is the end; the goal stays visible if possible.
        let free = |cell: Cell| !self.labelled.contains(cell) && !self.pieces.contains(cell);
        let way = || step.path.iter().rev().map(|&(cell, _)| cell);
        let place = way()
            .find(|&cell| free(cell) && cell != self.goal)
            .or_else(|| way().find(|&cell| free(cell)))
            .or_else(|| first.then_some(step.to));
        let Some(place) = place else { return false };
        self.labelled.insert(place);
        self.labels.push((place, number, step.play.robot));
        self.arrowheads.extend(strokes.last());
        self.strokes.extend(strokes);
        true
    }

    /// Whether a move can be followed among those already drawn: part of it is not shared, or it
    /// retraces its robot's own lines and ends where nothing else does.
    fn can_be_followed(&self, step: &Step, strokes: &[Stroke]) -> bool {
        let same_edge = |&(a, heading, _): &Stroke, &(b, way, _): &Stroke| {
            (a, heading) == (b, way) || (a.step(heading), heading.opposite()) == (Some(b), way)
        };
        let drawn = |stroke: &Stroke, of: Option<Robot>| {
            self.strokes
                .iter()
                .any(|other| same_edge(stroke, other) && of.is_none_or(|of| of == other.2))
        };
        let ends_alone = !self.labelled.contains(step.to)
            && !self.pieces.contains(step.to)
            && step.to != self.goal
            && strokes
                .last()
                .is_some_and(|last| !self.arrowheads.iter().any(|head| same_edge(last, head)));
        let own_lines = Some(step.play.robot);
        strokes.iter().any(|stroke| !drawn(stroke, None))
            || (ends_alone && strokes.iter().all(|stroke| drawn(stroke, own_lines)))
    }

    fn draw(&self, terminal: Terminal, puzzle: &Puzzle, start: State) -> TextPicture {
        let mut canvas = BoardCanvas::new(terminal, puzzle.board());
        canvas.draw_board(Some(puzzle.goal()));
        self.draw_lines(&mut canvas);
        canvas.draw_pieces(Some(start), Some(puzzle.goal()));
        for &(cell, number, robot) in &self.labels {
            let text = if cell == self.goal && number < 10 {
                format!("[{number}]")
            } else {
                number.to_string()
            };
            let (column, row) = canvas.middle(cell);
            let left = column - usize::from(text.len() > 1);
            canvas.picture.write(left, row, &text, robot_block(robot));
        }
        let mut picture = canvas.finish();
        if terminal.size == BoardSize::Compact {
            for head in self.vertical_arrowheads(terminal) {
                head.put(&mut picture, terminal);
            }
        }
        picture
    }

    /// The arrowheads whose rows compact boards leave out.
    fn vertical_arrowheads(&self, terminal: Terminal) -> impl Iterator<Item = VerticalArrowhead> {
        let moves = self.arrowheads.iter().zip(&self.labels);
        moves.filter_map(move |(&(from, heading, robot), &(number, ..))| {
            Some(VerticalArrowhead {
                from,
                to: from.step(heading)?,
                number,
                glyph: match heading {
                    Direction::North => terminal.pick('▲', '^'),
                    Direction::South => terminal.pick('▼', 'v'),
                    Direction::East | Direction::West => return None,
                },
                style: robot_style(robot),
            })
        })
    }

    fn draw_lines(&self, canvas: &mut BoardCanvas<'_>) {
        let width = canvas.picture.width();
        // The arms N, E, S, W of the lines that meet in each character.
        let mut arms = vec![0u8; width * canvas.picture.height()];
        let mut draw =
            |canvas: &mut BoardCanvas<'_>, column: usize, row: usize, bits: u8, robot| {
                let arms = &mut arms[row * width + column];
                *arms |= bits;
                let glyphs = canvas.terminal.pick(&LINES, &ASCII_LINES);
                let glyph = glyphs[usize::from(*arms)];
                canvas.picture.put(column, row, glyph, robot_style(robot));
            };
        let mut touched = CellSet::EMPTY;
        for &(cell, heading, robot) in &self.strokes {
            let next = cell.step(heading).expect("a line stays on the board");
            for end in [cell, next] {
                if touched.insert(end) && canvas.board.diagonal(end).is_none() {
                    canvas.write_cell(end, "   ", Style::new());
                }
            }
            let (column, row) = canvas.middle(cell);
            let (out, back) = (heading.wall_bit(), heading.opposite().wall_bit());
            let straight = out | back;
            let length = if heading.is_horizontal() {
                CELL_COLUMNS
            } else {
                CELL_ROWS
            };
            for i in 0..=length {
                let (column, row) = match heading {
                    Direction::North => (column, row - i),
                    Direction::East => (column + i, row),
                    Direction::South => (column, row + i),
                    Direction::West => (column - i, row),
                };
                let bits = match i {
                    0 => out,
                    i if i == length => back,
                    _ => straight,
                };
                draw(canvas, column, row, bits, robot);
            }
        }
        for diagonal in canvas.board.diagonals() {
            if touched.contains(diagonal.cell) {
                let (column, row) = canvas.middle(diagonal.cell);
                let glyph = canvas.terminal.lean_glyph(diagonal.lean);
                let style = robot_style(diagonal.color).bold();
                canvas.picture.put(column, row, glyph, style);
            }
        }
        for &(cell, heading, robot) in &self.arrowheads {
            let (column, row) = canvas.middle(cell);
            let reach = 2 + usize::from(self.leaves_room(cell, heading));
            let (glyph, ascii, column, row) = match heading {
                Direction::North => ('▲', '^', column, row - 1),
                Direction::East => ('►', '>', column + reach, row),
                Direction::South => ('▼', 'v', column, row + 1),
                Direction::West => ('◄', '<', column - reach, row),
            };
            let glyph = canvas.terminal.pick(glyph, ascii);
            canvas.picture.put(column, row, glyph, robot_style(robot));
        }
    }

    /// Whether the first column of the cell that is entered is free for the arrowhead.
    fn leaves_room(&self, from: Cell, heading: Direction) -> bool {
        let end = from.step(heading).expect("a line stays on the board");
        let wide = |&(cell, number, _): &(Cell, usize, Robot)| {
            cell == end && number >= if heading == Direction::East { 10 } else { 100 }
        };
        end != self.goal && !self.pieces.contains(end) && !self.labels.iter().any(wide)
    }
}

/// The line glyph for the arms N, E, S, W that meet in it.
const LINES: [char; 16] = [
    ' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼',
];
const ASCII_LINES: [char; 16] = [
    ' ', '|', '-', '+', '|', '|', '+', '+', '-', '+', '-', '+', '+', '+', '+', '+',
];
