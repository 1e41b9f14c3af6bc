//! `ricochet new`: from the board on the table to a puzzle, question by question.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};

use ricochet::describe::{NotUnderstood, Robots, Wanted, parse_cell, spoken, target_names};
use ricochet::quadrants::{Layout, Side};
use ricochet::{Cell, Puzzle, Robot, Rules, Setup, State, notation};
use ricochet_draw::{Terminal, TextPicture, quadrant};
use ricochet::describe::task;

use crate::exit_code::ExitCode;
use crate::output::Output;
use crate::show_args::ShowArgs;

/// Describe the board on your table, step by step
///
/// Asks which side lies where, where the robots stand and what to reach, shows the board after each
/// answer, and prints the puzzle in one line. Questions and boards go to standard error, the line to
/// standard output. 'back' returns to the question before, '?' explains, 'quit' ends.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Number of robots, 1 to 8: most editions have 4, or 5 with silver
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=8))]
    robots: u8,

    /// Require at least one turn at a right angle on the way to the target
    #[arg(long)]
    must_ricochet: bool,

    #[command(flatten)]
    show: ShowArgs,
}

const EXAMPLES: &str = "\
Examples:
  ricochet new
  ricochet new --robots 5 --must-ricochet";

/// The places of the sides, in the order of a layout.
const PLACES: [&str; 4] = ["north-west", "north-east", "south-east", "south-west"];

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let stdin = io::stdin();
    let prompts = stdin.is_terminal();
    let mut guide = Guide {
        args,
        terminal: args.show.terminal(),
        sides: Vec::new(),
        cells: Vec::new(),
        output,
    };
    guide.greet();
    let mut answers = stdin.lock().lines();
    loop {
        guide.ask(prompts);
        let Some(answer) = answers.next().transpose()? else {
            guide.output.error(format_args!(
                "the answers ended before the puzzle was complete; the next question was: {}",
                guide.question()
            ));
            return Ok(ExitCode::Error);
        };
        match guide.take(answer.trim()) {
            Taken::More => {}
            Taken::Quit => return Ok(ExitCode::Interrupted),
            Taken::Done(puzzle) => {
                let line = notation::to_line(&puzzle);
                guide.say(format_args!(
                    "{:#}\n{}\n\nSolve it with: ricochet solve {line}\nPlay it with:  ricochet play {line}",
                    guide.terminal.puzzle(&puzzle),
                    task(&puzzle),
                ));
                guide.output.data(format_args!("{line}\n"))?;
                return Ok(ExitCode::Solved);
            }
        }
    }
}

/// What an answer led to.
enum Taken {
    /// Another question, or the same again.
    More,
    Quit,
    Done(Box<Puzzle>),
}

/// What is known so far.
struct Guide<'a> {
    args: &'a Args,
    terminal: Terminal,
    sides: Vec<Side>,
    cells: Vec<Cell>,
    output: &'a mut Output,
}

impl Guide<'_> {
    fn say(&self, text: impl Display) {
        self.output.say(text);
    }

    fn greet(&self) {
        self.say(
            "A board is made of four tiles. Each has a number, 1 to 4, and a letter for each printed\n\
             side, such as 1A. These are the sides; 'ricochet quadrants -o sides.pdf' prints them.\n",
        );
        self.show_sides("");
    }

    /// Small pictures of the sides whose name begins so, side by side.
    fn show_sides(&self, prefix: &str) {
        let sides: Vec<Side> = quadrant::all()
            .into_iter()
            .filter(|side| side.to_string().starts_with(prefix))
            .collect();
        for pair in sides.chunks(2) {
            let pictures: Vec<(Side, TextPicture)> = pair
                .iter()
                .map(|&side| {
                    (
                        side,
                        quadrant::text(side, self.terminal.without_coordinates()),
                    )
                })
                .collect();
            self.say(beside_each_other(&pictures));
        }
    }

    fn question(&self) -> String {
        if let Some(place) = PLACES.get(self.sides.len()) {
            return format!("Which side lies in the {place}? (such as 1A; ? for help)");
        }
        match Robot::new(self.cells.len()) {
            Some(robot) if self.cells.len() < usize::from(self.args.robots) => {
                format!("Where is the {robot} robot? (such as 1,8 or b9; ? for help)")
            }
            _ => "What is the target? (such as green hexagon; ? for help)".to_owned(),
        }
    }

    fn ask(&self, prompts: bool) {
        let question = self.question();
        if prompts {
            self.output.prompt(format_args!("{question} "));
        } else {
            self.say(question);
        }
    }

    fn take(&mut self, answer: &str) -> Taken {
        match answer.to_lowercase().as_str() {
            "" => return Taken::More,
            "?" | "help" => self.explain(),
            "back" => self.back(),
            "quit" | "q" | "exit" => return Taken::Quit,
            _ if self.sides.len() < 4 => self.take_sides(answer),
            _ if self.cells.len() < usize::from(self.args.robots) => self.take_cell(answer),
            _ => match self.take_target(answer) {
                Ok(puzzle) => return Taken::Done(Box::new(puzzle)),
                Err(error) => self.say(format_args!("{error}")),
            },
        }
        Taken::More
    }

    fn explain(&self) {
        if self.sides.len() < 4 {
            self.say(
                "A side is a tile and a letter, such as 1A. Or all four at once, clockwise from the\n\
                 north-west: 1A 4B 3B 2B. A tile number alone shows its sides.",
            );
        } else if self.cells.len() < usize::from(self.args.robots) {
            self.say(
                "A cell is column and row as the board shows them, such as 1,8; or as on a chess\n\
                 board, with row 1 at the top: b9 is the same cell.",
            );
        } else {
            self.say(format_args!(
                "A target is one of the printed ones ({}), or a robot and a cell: blue 9,12.",
                target_names(self.board_targets().as_slice())
            ));
        }
    }

    fn back(&mut self) {
        if self.cells.pop().is_none() && self.sides.pop().is_none() {
            self.say("This is the first question.");
        }
        self.show_board();
    }

    fn take_sides(&mut self, answer: &str) {
        // All that are missing may come at once.
        let missing = 4 - self.sides.len();
        if missing == 4
            && let Ok(layout) = answer.parse::<Layout>()
        {
            self.sides = layout.sides().to_vec();
            self.show_board();
            return;
        }
        if matches!(answer, "1" | "2" | "3" | "4") {
            self.show_sides(answer);
            return;
        }
        match answer.parse::<Side>() {
            Err(error) => match answer.parse::<Layout>() {
                // More than one side: what is wrong with all of them together says more.
                Err(whole) if missing == 4 && answer.trim().chars().count() > 2 => self.say(whole),
                _ => self.say(error),
            },
            Ok(side) => {
                if self.sides.iter().any(|other| other.tile() == side.tile()) {
                    self.say(format_args!(
                        "Tile {} lies on the board already; each tile exists once.",
                        side.tile()
                    ));
                    return;
                }
                self.sides.push(side);
                self.show_board();
            }
        }
    }

    fn take_cell(&mut self, answer: &str) {
        // `1,8`, or `red 1,8` if red is asked for.
        let named = answer.parse::<Robots>().ok();
        let named = named.filter(|robots| robots.iter().count() == 1);
        let named = named.and_then(|robots| robots.cell(Robot::new(self.cells.len())?));
        let cell = named.map_or_else(|| parse_cell(answer), Ok);
        let placed = cell.and_then(|cell| self.free(cell));
        match placed {
            Err(error) => self.say(error),
            Ok(cell) => {
                self.cells.push(cell);
                self.show_board();
            }
        }
    }

    /// The cell, if a robot can stand there.
    fn free(&self, cell: Cell) -> Result<Cell, NotUnderstood> {
        let Some(layout) = self.layout() else {
            return Ok(cell);
        };
        let board = layout.board();
        let taken = self.cells.iter().position(|&other| other == cell);
        if !board.contains(cell) {
            return Err(NotUnderstood::new(format!(
                "{cell} is off the board: columns are 0 to 15, rows 0 to 15"
            )));
        }
        if board.is_closed(cell) {
            return Err(NotUnderstood::new(format!(
                "{cell} is in the closed centre of the board"
            )));
        }
        match taken.and_then(Robot::new) {
            Some(robot) => Err(NotUnderstood::new(format!(
                "the {robot} robot is on {cell} ({}) already",
                spoken(cell)
            ))),
            None => Ok(cell),
        }
    }

    fn take_target(&self, answer: &str) -> anyhow::Result<Puzzle> {
        let mut setup = self.setup();
        answer.parse::<Wanted>()?.aim(&mut setup)?;
        setup.rules = Rules {
            must_ricochet: self.args.must_ricochet,
        };
        Ok(setup.validate()?)
    }

    fn layout(&self) -> Option<Layout> {
        let sides: [Side; 4] = self.sides.clone().try_into().ok()?;
        Layout::new(sides).ok()
    }

    fn setup(&self) -> Setup {
        let mut setup = match self.layout() {
            Some(layout) => Setup::of_board(layout.board()),
            None => Setup::empty(16, 16),
        };
        setup.robots.clone_from(&self.cells);
        setup
    }

    fn board_targets(&self) -> Vec<ricochet::Target> {
        self.setup().targets
    }

    /// The board so far: the tiles that are known, and the robots that stand on it.
    fn show_board(&self) {
        let Some(layout) = self.layout() else {
            if let Some(&side) = self.sides.last() {
                let place = PLACES[self.sides.len() - 1];
                self.say(format_args!(
                    "{side} in the {place}; sides so far: {}.",
                    self.sides
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join(" ")
                ));
            }
            return;
        };
        let board = layout.board();
        let picture = match State::new(&self.cells) {
            Some(robots) if !self.cells.is_empty() => self.terminal.robots(&board, robots),
            _ => self.terminal.board(&board),
        };
        self.say(format_args!("{picture:#}"));
    }
}

/// Pictures in one row, each below its name.
fn beside_each_other(pictures: &[(Side, TextPicture)]) -> String {
    const GAP: usize = 4;
    let texts: Vec<String> = pictures
        .iter()
        .map(|(_, picture)| picture.to_string())
        .collect();
    let width = |text: &str| {
        text.lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(0)
    };
    let height = texts
        .iter()
        .map(|text| text.lines().count())
        .max()
        .unwrap_or(0);
    let mut page = String::new();
    let mut row = |cells: Vec<(String, usize)>| {
        let mut line = String::new();
        for (text, width) in cells {
            let pad = (width + GAP).saturating_sub(text.chars().count());
            line.push_str(&text);
            line.extend(std::iter::repeat_n(' ', pad));
        }
        page.push_str(line.trim_end());
        page.push('\n');
    };
    row(pictures
        .iter()
        .zip(&texts)
        .map(|((side, _), text)| (side.to_string(), width(text)))
        .collect());
    for i in 0..height {
        row(texts
            .iter()
            .map(|text| (text.lines().nth(i).unwrap_or("").to_owned(), width(text)))
            .collect());
    }
    page
}
