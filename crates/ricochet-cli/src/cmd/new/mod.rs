//! `ricochet new`: from the board on the table to a puzzle, question by question.

mod page;

use std::env;
use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};

use ricochet_core::describe::{
    DescriptionError, GoalDescription, MoveWord, Robots, capitalize, cell_name, parse_cell, task,
};
use ricochet_core::quadrants::{Layout, LayoutError, Quadrant, partial_board};
use ricochet_core::{Cell, Puzzle, Robot, Rules, Setup, State, notation};
use ricochet_draw::{BoardSize, Terminal, TextPicture, quadrant};

use crate::args::drawing::DrawingArgs;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::wrap::wrap;

use self::page::{QuadrantsPage, board, free_tiles, page};
use crate::args::whole_number::whole_number;
use crate::term::size::TerminalSize;

/// Ask for the position on your board, step by step, and print it as a puzzle
///
/// The questions are about the quadrants of the board, the robots' cells and the target. The board
/// is shown after each answer, and the puzzle is printed on one line. Questions and boards go to
/// standard error, the line to standard output. '?' explains the current question, 'back' returns
/// to the previous one, 'quit' exits.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Number of robots, 1 to 8; most editions have 4, or 5 with silver
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole_number::<u8>(1..=8))]
    robot_count: u8,

    /// Require the robot that reaches the target to turn at a right angle at least once
    #[arg(long)]
    must_ricochet: bool,

    #[command(flatten)]
    show: DrawingArgs,
}

/// The width of lines if there are no pages.
const LINE: usize = 88;

/// The places of the quadrants, in the order of a layout.
const PLACES: [&str; 4] = ["north-west", "north-east", "south-east", "south-west"];

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let stdin = io::stdin();
    let dumb = env::var_os("TERM").is_some_and(|it| it == "dumb");
    let mut dialogue = Dialogue {
        args,
        terminal: args.show.terminal(),
        mode: match (stdin.is_terminal(), io::stderr().is_terminal() && !dumb) {
            (true, true) => DisplayMode::Pages,
            (true, false) => DisplayMode::Prompts,
            (false, _) => DisplayMode::Lines,
        },
        quadrants: Vec::new(),
        cells: Vec::new(),
        tile: 1,
        message: String::new(),
        output,
    };
    dialogue.greet();
    let mut answers = stdin.lock().lines();
    loop {
        dialogue.ask();
        let Some(answer) = answers.next().transpose()? else {
            dialogue.output.error(format_args!(
                "the answers ended before the puzzle was complete; the next question was: {}",
                dialogue.question()
            ));
            return Ok(ExitCode::Error);
        };
        match dialogue.handle_answer(answer.trim()) {
            Step::More => {}
            Step::Quit => return Ok(ExitCode::Interrupted),
            Step::Done(puzzle) => {
                let line = notation::to_line(&puzzle);
                dialogue.show_result(&puzzle, &line);
                dialogue.output.data(format_args!("{line}\n"))?;
                return Ok(ExitCode::Solved);
            }
        }
    }
}

/// The result of an answer.
enum Step {
    /// Another question, or the same again.
    More,
    Quit,
    Done(Box<Puzzle>),
}

/// How questions are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DisplayMode {
    /// Each on a screen of its own, with the pictures that it needs.
    Pages,
    /// One after the other, for terminals that cannot be cleared.
    Prompts,
    /// The same for answers from a pipe.
    Lines,
}

/// The dialogue, with the answers so far.
struct Dialogue<'a> {
    args: &'a Args,
    terminal: Terminal,
    mode: DisplayMode,
    quadrants: Vec<Quadrant>,
    cells: Vec<Cell>,
    /// The tile whose quadrants are shown to choose from.
    tile: usize,
    /// The reply to the last answer, for the next page.
    message: String,
    output: &'a mut Output,
}

impl Dialogue<'_> {
    fn say(&mut self, text: impl Display) {
        let text = capitalize(&text.to_string());
        if self.mode == DisplayMode::Pages {
            self.message = text;
        } else {
            self.output.say(wrap(&text, LINE).trim_end());
        }
    }

    fn greet(&mut self) {
        if self.mode == DisplayMode::Pages {
            self.say("A quadrant is a number and a letter: 1A.");
            return;
        }
        self.say(
            "A board is made of four quadrants. Each is named by a number, 1 to 4, and a letter, such as \
             1A. 'ricochet quadrants -o quadrants.pdf' prints them all.",
        );
        for tile in 1..=4 {
            self.show_quadrants(tile);
        }
    }

    /// Small pictures of a tile's quadrants.
    fn show_quadrants(&mut self, tile: usize) {
        self.tile = tile;
        if self.mode == DisplayMode::Pages {
            return;
        }
        let terminal = self.terminal.without_coordinates();
        let quadrants: Vec<Quadrant> = "ABCD"
            .chars()
            .filter_map(|face| Quadrant::new(tile, face))
            .collect();
        for pair in quadrants.chunks(2) {
            let pictures: Vec<TextPicture> = pair
                .iter()
                .map(|&quadrant| {
                    TextPicture::stacked(&[
                        TextPicture::from_lines(&quadrant.to_string()),
                        quadrant::text(quadrant, terminal),
                    ])
                })
                .collect();
            self.output.say(format_args!(
                "{:#}",
                TextPicture::side_by_side(&pictures, 4)
            ));
        }
    }

    fn question(&self) -> String {
        if let Some(place) = PLACES.get(self.quadrants.len()) {
            let more = match self.quadrants_page().next {
                Some(tile) if self.mode == DisplayMode::Pages => {
                    format!("; Enter shows {tile}")
                }
                _ => String::new(),
            };
            return format!(
                "Which quadrant is in the {place}? (such as {}{more}; ? for help)",
                self.example()
            );
        }
        match Robot::new(self.cells.len()) {
            Some(robot) if self.cells.len() < usize::from(self.args.robot_count) => {
                let all = if self.cells.is_empty() && self.args.robot_count > 1 {
                    "; or all: R 1,8 G 12,1 …"
                } else {
                    ""
                };
                format!("Where is the {robot} robot? (such as 1,8 or b9{all}; ? for help)")
            }
            _ => "What is the target? (such as green hexagon; ? for help)".to_owned(),
        }
    }

    /// A quadrant that could be the answer.
    fn example(&self) -> String {
        let quadrant = self.quadrants_page().shown.first().copied();
        quadrant.map_or_else(String::new, |quadrant| quadrant.to_string())
    }

    fn size() -> TerminalSize {
        let (columns, rows) = crossterm::terminal::size().unwrap_or((80, 24));
        TerminalSize {
            columns: usize::from(columns),
            rows: usize::from(rows),
        }
    }

    /// The quadrants to choose from that fit into the terminal at once.
    fn quadrants_page(&self) -> QuadrantsPage {
        let mut size = Self::size();
        // For the question, the answer and a word about the last one.
        size.rows = size.rows.saturating_sub(3);
        QuadrantsPage::of(&self.quadrants, self.tile, size)
    }

    fn ask(&mut self) {
        let question = self.question();
        match self.mode {
            DisplayMode::Lines => self.output.say(question),
            DisplayMode::Prompts => self.output.prompt(format_args!("{question} ")),
            DisplayMode::Pages => {
                let words = std::mem::take(&mut self.message);
                let page = page(Self::size(), &words, &format!("{question}\n>"), |size| {
                    if self.quadrants.len() < PLACES.len() {
                        self.quadrants_page()
                            .picture(&self.quadrants, self.terminal, size)
                    } else {
                        board(&self.quadrants, &self.cells, self.terminal, size)
                    }
                });
                self.output.page(page);
            }
        }
    }

    /// The finished puzzle, and what to do with it.
    fn show_result(&self, puzzle: &Puzzle, line: &str) {
        let words = format!(
            "{}\nSolve it with: ricochet solve {line}\nPlay it with:  ricochet play {line}",
            task(puzzle)
        );
        if self.mode != DisplayMode::Pages {
            let full = self.terminal.puzzle(puzzle);
            self.output.say(format_args!("{full:#}\n{words}"));
            return;
        }
        let size = Self::size();
        let pictures = BoardSize::ALL.map(|size| self.terminal.size(size).puzzle(puzzle));
        // Below follow the line itself and the shell's prompt.
        let below = wrap(&words, size.columns).lines().count() + 2;
        let fits = |picture: &TextPicture| {
            picture.width() <= size.columns && picture.height() + below <= size.rows
        };
        self.output.page("");
        match pictures.into_iter().find(fits) {
            Some(picture) => self.output.say(format_args!("{picture:#}{words}")),
            None => self.output.say(words),
        }
    }

    fn handle_answer(&mut self, answer: &str) -> Step {
        match answer.to_lowercase().as_str() {
            "" => {
                if let Some(tile) = self.quadrants_page().next {
                    self.tile = tile;
                }
            }
            "?" | "help" => self.explain(),
            "back" => self.back(),
            "quit" | "q" | "exit" => return Step::Quit,
            _ if self.quadrants.len() < PLACES.len() => self.take_quadrants(answer),
            _ if self.cells.len() < usize::from(self.args.robot_count) => self.take_robots(answer),
            _ => match self.take_target(answer) {
                Ok(puzzle) => return Step::Done(Box::new(puzzle)),
                Err(error) => self.say(format_args!("{error}")),
            },
        }
        Step::More
    }

    fn explain(&mut self) {
        let what = if self.quadrants.len() < PLACES.len() {
            "A quadrant is a number and a letter, such as 1A. Or several at once, clockwise from the \
             north-west: 1A 4B 3B 2B. A number alone shows its quadrants."
        } else if self.cells.len() < usize::from(self.args.robot_count) {
            "A cell is column and row as the board shows them, such as 1,8; or a letter and \
             a number counted from 1, such as b9 for the same cell. Several robots at once have \
             their letters: R 1,8 G 12,1."
        } else {
            "A target is a colour and a shape (circle, triangle, square, or hexagon, also called \
             star), vortex, or a robot and a cell, such as blue 9,12."
        };
        self.say(format_args!(
            "{what} 'back' undoes the last answer, 'quit' ends."
        ));
    }

    fn back(&mut self) {
        if self.cells.pop().is_none() && self.quadrants.pop().is_none() {
            self.say("This is the first question.");
            return;
        }
        self.show_board();
    }

    /// One quadrant, several that follow each other, or all four if those that are known are the same.
    fn take_quadrants(&mut self, answer: &str) {
        if let Ok(tile @ 1..=4) = answer.parse() {
            if free_tiles(&self.quadrants).contains(&tile) {
                self.show_quadrants(tile);
            } else {
                self.say_taken(tile);
            }
            return;
        }
        let named = match quadrants_of(answer) {
            Ok(quadrants) => quadrants,
            Err(error) => return self.say(error),
        };
        let known = self.quadrants.len();
        let new = if known > 0 && named.len() == PLACES.len() {
            let other = PLACES.iter().zip(self.quadrants.iter().zip(&named));
            if let Some((place, (quadrant, other))) = other.clone().find(|(_, (a, b))| a != b) {
                let text = format!(
                    "The {place} is already {quadrant}, not {other}: 'back' removes the last quadrant."
                );
                return self.say(text);
            }
            &named[known..]
        } else {
            &named[..]
        };
        let missing = PLACES.len() - known;
        if new.len() > missing {
            return self.say(format!(
                "Those are {} quadrants, but {} missing: {}.",
                new.len(),
                if missing == 1 { "one is" } else { "fewer are" },
                PLACES[known..].join(", ")
            ));
        }
        let mut quadrants = self.quadrants.clone();
        for &quadrant in new {
            if self
                .quadrants
                .iter()
                .any(|other| other.tile() == quadrant.tile())
            {
                return self.say_taken(quadrant.tile());
            }
            if quadrants
                .iter()
                .any(|other| other.tile() == quadrant.tile())
            {
                return self.say(LayoutError::TileTwice {
                    tile: quadrant.tile(),
                });
            }
            quadrants.push(quadrant);
        }
        self.quadrants = quadrants;
        self.show_board();
    }

    fn say_taken(&mut self, tile: usize) {
        self.say(format_args!(
            "Quadrant {tile} is already on the board; there is only one of each number."
        ));
    }

    fn take_robots(&mut self, answer: &str) {
        let known = self.cells.len();
        match self.place_robots(answer) {
            Ok(()) => self.show_board(),
            Err(error) => {
                // All of an answer, or nothing of it.
                self.cells.truncate(known);
                self.say(error);
            }
        }
    }

    /// Puts the robot that is asked for on a cell (`1,8`), or several on theirs (`R 1,8 G 12,1`).
    fn place_robots(&mut self, answer: &str) -> Result<(), DescriptionError> {
        let robots: Robots = match (parse_cell(answer), answer.parse()) {
            (Ok(cell), _) => {
                let cell = self.free(cell)?;
                self.cells.push(cell);
                return Ok(());
            }
            (Err(_), Ok(robots)) => robots,
            // A line that begins with a robot is about robots, and so are its errors.
            (Err(_), Err(error)) if begins_with_robot(answer) => return Err(error),
            (Err(error), Err(_)) => return Err(error),
        };
        let count = usize::from(self.args.robot_count);
        for (robot, cell) in robots.iter() {
            let next = Robot::new(self.cells.len());
            if robot.index() >= count {
                return Err(DescriptionError::new(format!(
                    "this puzzle has no {robot} robot: --robot-count {} adds it",
                    robot.index() + 1
                )));
            }
            if Some(robot) != next {
                let at = self.cells.get(robot.index());
                return Err(DescriptionError::new(match (at, next) {
                    (Some(at), _) => format!(
                        "the {robot} robot is already at {at}: 'back' removes the last robot"
                    ),
                    (None, Some(next)) => {
                        format!("where is the {next} robot? It comes before {robot}")
                    }
                    (None, None) => format!("there is no {robot} robot"),
                }));
            }
            let cell = self.free(cell)?;
            self.cells.push(cell);
        }
        Ok(())
    }

    /// The cell, if a robot can stand there.
    fn free(&self, cell: Cell) -> Result<Cell, DescriptionError> {
        let Some(layout) = self.layout() else {
            return Ok(cell);
        };
        let board = layout.board();
        let taken = self.cells.iter().position(|&other| other == cell);
        if !board.contains(cell) {
            return Err(DescriptionError::new(format!(
                "{cell}, or {}, is off the board: columns are 0 to 15 (a to p), rows 0 to 15 \
                 (1 to 16)",
                cell_name(cell)
            )));
        }
        if board.is_closed(cell) {
            return Err(DescriptionError::new(format!(
                "{cell} is in the closed centre of the board"
            )));
        }
        match taken.and_then(Robot::new) {
            Some(robot) => Err(DescriptionError::new(format!(
                "the {robot} robot is already at {cell} ({})",
                cell_name(cell)
            ))),
            None => Ok(cell),
        }
    }

    fn take_target(&self, answer: &str) -> anyhow::Result<Puzzle> {
        let mut setup = self.setup();
        answer.parse::<GoalDescription>()?.apply_to(&mut setup)?;
        setup.rules = Rules {
            must_ricochet: self.args.must_ricochet,
        };
        Ok(setup.validate()?)
    }

    fn layout(&self) -> Option<Layout> {
        let quadrants: [Quadrant; 4] = self.quadrants.clone().try_into().ok()?;
        Layout::new(quadrants).ok()
    }

    fn setup(&self) -> Setup {
        let mut setup = match self.layout() {
            Some(layout) => Setup::from_board(layout.board()),
            None => Setup::empty(16, 16),
        };
        setup.robots.clone_from(&self.cells);
        setup
    }

    /// The board so far: the tiles that are known, and the robots that stand on it. Pages have it
    /// anyway.
    fn show_board(&self) {
        if self.mode == DisplayMode::Pages {
            return;
        }
        let board = partial_board(&self.quadrants);
        let size = if self.quadrants.len() < PLACES.len() {
            BoardSize::Narrow
        } else {
            BoardSize::Full
        };
        let terminal = self.terminal.size(size);
        let picture = terminal.board(&board, State::new(&self.cells));
        self.output.say(format_args!("{picture:#}"));
    }
}

/// The quadrants that an answer names, in the order of a layout, with anything between them.
fn quadrants_of(answer: &str) -> Result<Vec<Quadrant>, LayoutError> {
    let letters: Vec<char> = answer.chars().filter(|it| it.is_alphanumeric()).collect();
    if letters.is_empty() || letters.len() > 2 * PLACES.len() || !letters.len().is_multiple_of(2) {
        return Err(LayoutError::NoSuchQuadrant {
            text: answer.chars().take(40).collect(),
        });
    }
    letters
        .chunks(2)
        .map(|pair| pair.iter().collect::<String>().parse())
        .collect()
}

fn begins_with_robot(answer: &str) -> bool {
    let word = answer.split(|c: char| !c.is_alphabetic()).next();
    let word = word.and_then(|word| MoveWord::read(word, false));
    matches!(word, Some(MoveWord::Robot(_)))
}
