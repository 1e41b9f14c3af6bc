//! `ricochet play`: the game in the terminal.

mod game;
mod screen;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, IsTerminal};

use ricochet_draw::Terminal;
use ricochet_service::narrate::task;
use ricochet_solve::{Limits, Solver};

use crate::exit_code::ExitCode;
use crate::input::ReadArgs;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::show_args::ShowArgs;
use crate::solver_args::SolverArgs;
use crate::walk;

use self::game::{Game, HELP, Wish};
use self::screen::Screen;

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
    puzzle: Option<String>,

    /// The seed of random positions, to play the same ones again
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
    fn page(&self, styled: bool) -> String {
        let game = &self.game;
        let picture = self.terminal.state(&game.puzzle, game.state());
        let board = if styled {
            format!("{picture:#}")
        } else {
            picture.to_string()
        };
        let selected = game
            .selected
            .map_or_else(String::new, |robot| format!(" [{robot}]"));
        format!(
            "{board}\n{}{selected}\n{}\n{}\n",
            task(&game.puzzle),
            game.line(),
            game.message
        )
    }

    fn by_keys(&mut self) -> anyhow::Result<ExitCode> {
        let screen = Screen::open()?;
        HELP.clone_into(&mut self.game.message);
        loop {
            screen.show(&self.page(true))?;
            if !self.wish(Screen::wish()?)? {
                return Ok(ExitCode::Solved);
            }
        }
    }

    fn by_lines(&mut self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.record(self.page(true))?;
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
                    output.record(self.page(true))?;
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
