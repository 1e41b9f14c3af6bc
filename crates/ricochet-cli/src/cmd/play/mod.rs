//! `ricochet play`: the game in the terminal.

mod game;
mod screen;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ricochet::describe::task;
use ricochet_draw::{Terminal, TextPicture};
use ricochet_solve::{CancelToken, Limits, Solver};

use crate::exit_code::ExitCode;
use crate::input::ReadArgs;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::show_args::ShowArgs;
use crate::solver_args::{SolverArgs, corpus_names};
use crate::walk;
use crate::wrapped::wrapped;

use self::game::{Game, Wish};
use self::screen::{Input, Screen};

/// A search that ends sooner is not worth a word.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the time of a long search is renewed.
const TICK: Duration = Duration::from_millis(100);

/// Play in the terminal
///
/// The keys are those of Fogleman's slides (2012): R G B Y select a robot, arrows move it, N makes a
/// new puzzle, U takes a move back, S solves; H gives a hint that says more each time, ? lists all
/// keys. Where standard input is not a terminal, lines of moves and words are read instead, and the
/// board is shown after each.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A file, notation, a DriftingDroids ID, a corpus puzzle such as random:2. Default: a random
    /// position
    #[arg(value_name = "PUZZLE", value_parser = corpus_names(), hide_possible_values = true)]
    puzzle: Option<String>,

    /// The random seed, to play the same positions again. Default: a new one each time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    show: ShowArgs,
}

const EXAMPLES: &str = "\
Examples:
  ricochet play
  ricochet play random:2
  ricochet play --layout \"1A 4B 3B 2B\" --robots \"R 1,8 G 12,1 B 15,0 Y 12,0\" --target vortex";

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let puzzle = match (&args.puzzle, args.read.layout) {
        (None, None) => Game::random(seed, 0)?,
        (argument, _) => walk::single(argument.as_deref(), args.read, false, output)?.puzzle,
    };
    let mut table = Table {
        game: Game::new(puzzle, seed),
        solver: SolverArgs::default().for_people()?,
        limits: args.limits.limits(1, None),
        terminal: args.show.terminal(),
    };
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        table.by_keys()
    } else {
        table.by_lines(output)
    }
}

struct Table {
    game: Game,
    solver: Box<dyn Solver>,
    limits: Limits,
    terminal: Terminal,
}

impl Table {
    fn wish(&mut self, wish: Wish) -> anyhow::Result<bool> {
        self.game.wish(wish, self.solver.as_mut(), &self.limits)
    }

    /// The board with what has to be done, the moves so far and the last message below it.
    fn page(&self) -> String {
        let game = &self.game;
        let picture = self.terminal.state(&game.puzzle, game.state());
        format!("{picture:#}\n{}\n{}\n", self.status(), game.message)
    }

    /// What has to be done, which robot is selected, and the moves so far.
    fn status(&self) -> String {
        let game = &self.game;
        let selected = game
            .selected
            .map_or_else(String::new, |robot| format!(" [{robot}]"));
        format!("{}{selected}\n{}", task(&game.puzzle), game.line())
    }

    /// The page for a screen of this size: a smaller board if it is not tall enough, and only words
    /// if it is too small for that.
    fn page_within(&self, columns: usize, rows: usize) -> String {
        let game = &self.game;
        let words = format!("{}\n{}", self.status(), wrapped(&game.message, columns));
        let below = words.lines().count();
        let full = self.terminal.state(&game.puzzle, game.state());
        let small = self.terminal.compact(&game.puzzle, game.state());
        let fits =
            |picture: &TextPicture| picture.width() <= columns && picture.height() + below <= rows;
        let board = if fits(&full) {
            full
        } else if fits(&small) {
            small
        } else {
            let needed = format!(
                "The board needs {} columns and {} rows; the terminal has {columns} and {rows}.",
                small.width(),
                small.height() + below
            );
            return format!("{}{words}", wrapped(&needed, columns));
        };
        // The screen writes around `Output`, so colours that are not wanted are left out here.
        let plain = anstream::AutoStream::choice(&io::stdout()) == anstream::ColorChoice::Never;
        if plain {
            format!("{board}{words}")
        } else {
            format!("{board:#}{words}")
        }
    }

    fn by_keys(&mut self) -> anyhow::Result<ExitCode> {
        let screen = Screen::open()?;
        self.game.tell_keys();
        loop {
            let (columns, rows) = Screen::size();
            screen.show(&self.page_within(columns, rows))?;
            match Screen::input()? {
                Input::Resized => {}
                Input::Interrupt => return Ok(ExitCode::Interrupted),
                Input::Wish(wish) => {
                    if !self.wish_watched(wish, &screen)? {
                        return Ok(ExitCode::Solved);
                    }
                }
            }
        }
    }

    /// Does what the player wants. If it takes long, the last row says so, and Esc stops it.
    fn wish_watched(&mut self, wish: Wish, screen: &Screen) -> anyhow::Result<bool> {
        let cancel = CancelToken::default();
        let limits = Limits {
            cancel: Some(cancel.clone()),
            ..self.limits.clone()
        };
        let (game, solver) = (&mut self.game, self.solver.as_mut());
        thread::scope(|scope| {
            let (sender, done) = mpsc::channel();
            scope.spawn(move || {
                // The receiver waits for exactly this.
                let _ = sender.send(game.wish(wish, solver, &limits));
            });
            let started = Instant::now();
            // Keys that are pressed in quick succession are for later.
            let mut answer = done.recv_timeout(PATIENCE);
            while let Err(RecvTimeoutError::Timeout) = answer {
                let seconds = started.elapsed().as_secs_f64();
                screen.show_status(&format!("Searching for {seconds:.1} s; Esc stops."))?;
                if Screen::is_stopped_within(TICK)? {
                    cancel.cancel();
                }
                answer = done.recv_timeout(Duration::ZERO);
            }
            answer.unwrap_or(Ok(false))
        })
    }

    fn by_lines(&mut self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.record(self.page())?;
        for line in io::stdin().lock().lines() {
            match Wish::parse_line(&line?) {
                Err(error) => output.error(error),
                Ok(wishes) => {
                    if wishes.is_empty() {
                        continue;
                    }
                    for wish in wishes {
                        if !self.wish(wish)? {
                            return Ok(ExitCode::Solved);
                        }
                    }
                    output.record(self.page())?;
                }
            }
        }
        Ok(if self.game.is_solved() {
            ExitCode::Solved
        } else {
            ExitCode::Limit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            game: Game::new(Game::random(7, 0).unwrap(), 7),
            solver: SolverArgs::default().for_people().unwrap(),
            limits: Limits::default(),
            terminal: Terminal::unicode(),
        }
    }

    #[test]
    fn what_has_to_be_done_is_seen_in_every_terminal() {
        let mut table = table();
        table.game.tell_keys();
        for (columns, rows) in [(100, 50), (80, 24), (80, 12), (40, 30), (20, 9)] {
            let page = table.page_within(columns, rows);
            assert!(page.contains(" reach "), "{columns}x{rows}:\n{page}");
            if rows >= 24 {
                assert!(page.lines().count() <= rows, "{columns}x{rows}:\n{page}");
            }
            assert_eq!(
                page.contains("terminal has"),
                rows < 23 || columns < 68,
                "{columns}x{rows}:\n{page}"
            );
        }
        assert!(table.page_within(100, 50).contains('┃'));
        assert!(
            table.page_within(80, 24).contains('▁'),
            "walls as underlines"
        );
    }
}
