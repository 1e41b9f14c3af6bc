//! `ricochet play`: the game in the terminal.

mod game;
mod generator;
mod screen;
mod targets;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ricochet_core::Puzzle;
use ricochet_core::describe::{goal_name, task};
use ricochet_draw::{BoardSize, Terminal, TextPicture};
use ricochet_solve::{CancelToken, Limits, Solver};

use crate::args::drawing::DrawingArgs;
use crate::args::limits::LimitArgs;
use crate::args::names::corpus_names;
use crate::args::puzzles::ReadArgs;
use crate::args::solver::SolverArgs;
use crate::args::whole_number::whole_number;
use crate::batch;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::wrap::wrap;

use self::game::{Action, Game, KEYS};
use self::screen::{Input, Screen};

/// Searches that end sooner show no message.
const PATIENCE: Duration = Duration::from_millis(500);

/// The selected robot and the moves so far.
const STATUS_ROWS: usize = 2;

/// Below every board there is space for a message.
const MESSAGE_ROWS: usize = 1;

/// How often the time of a long search is updated.
const TICK: Duration = Duration::from_millis(100);

/// Play in the terminal
///
/// R G B Y select a robot and the arrow keys move it. N starts a new puzzle, U undoes a move, S
/// shows a solution, H gives a hint that says more each time, and ? lists all keys. T picks
/// the next target and keeps the board and the robots, as in the printed game. If standard
/// input is not a terminal, each line is a command, such as RN or undo, and the board is shown
/// after it.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A file, one-line notation, a DriftingDroids ID, or a built-in puzzle such as random:2.
    /// Default: a new random position
    #[arg(value_name = "PUZZLE", value_parser = corpus_names(), hide_possible_values = true)]
    puzzle: Option<String>,

    /// The random seed, to play the same positions again. Default: a new one each time
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>(..))]
    seed: Option<u64>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    show: DrawingArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let game = match (&args.puzzle, args.read.layout) {
        (None, None) => Game::random(seed)?,
        (argument, _) => {
            let read = batch::single(argument.as_deref(), args.read, false, output)?;
            Game::of(&read.puzzle, seed)?
        }
    };
    let mut session = Session {
        game,
        solver: SolverArgs::default().build_reproducible()?,
        limits: args.limits.limits(1, None),
        terminal: args.show.terminal(),
        arrow: if args.show.characters.is_ascii() {
            "->"
        } else {
            "→"
        },
        has_keys: io::stdin().is_terminal() && io::stdout().is_terminal(),
    };
    if session.has_keys {
        let code = session.run_with_keys()?;
        // The screen is gone: its last page stays in the terminal.
        output.record(session.last_page(Screen::size().0))?;
        Ok(code)
    } else {
        session.run_with_lines(output)
    }
}

struct Session {
    game: Game,
    solver: Box<dyn Solver>,
    limits: Limits,
    terminal: Terminal,
    /// Between a robot and its goal.
    arrow: &'static str,
    /// Whether it is played with keys; then there is a clock.
    has_keys: bool,
}

/// The task in a few words: `green → hexagon (6,14)`.
fn task_in_short(puzzle: &Puzzle, arrow: &str) -> String {
    let goal = puzzle.goal();
    let who = goal
        .robot
        .map_or_else(|| "any robot".to_owned(), |robot| robot.to_string());
    let name = goal_name(puzzle).unwrap_or_default();
    let what = name.trim_start_matches("its ").trim_start_matches("the ");
    let gap = if what.is_empty() { "" } else { " " };
    let rule = if puzzle.rules().must_ricochet {
        ", with a turn"
    } else {
        ""
    };
    format!("{who} {arrow} {what}{gap}{}{rule}", goal.cell)
}

impl Session {
    fn apply(&mut self, action: Action) -> anyhow::Result<bool> {
        self.game.apply(action, self.solver.as_mut(), &self.limits)
    }

    /// The board with the task, the moves so far and the last message below it.
    fn page(&self) -> String {
        let game = &self.game;
        let picture = self.terminal.state(&game.puzzle, game.state());
        let task = task(&game.puzzle);
        format!(
            "{picture:#}\n{task}\n{}{}\n",
            self.status("\n"),
            game.message
        )
    }

    /// What a game with keys leaves in the terminal: the board, the moves and the last message.
    fn last_page(&self, columns: usize) -> String {
        let game = &self.game;
        let draw = |size| self.terminal.size(size).state(&game.puzzle, game.state());
        let picture = [BoardSize::Full, BoardSize::Compact]
            .map(draw)
            .into_iter()
            .find(|picture| picture.width() <= columns)
            .unwrap_or_else(|| draw(BoardSize::Narrow));
        let message = if game.offers_keys() {
            String::new()
        } else {
            format!("{}\n", game.message)
        };
        let (task, clock, line) = (task(&game.puzzle), game.clock(), game.line());
        let words = format!("{task}\n{clock}\n{line}\n{message}");
        format!("{picture:#}\n{}", wrap(&words, columns))
    }

    /// Which robot is selected, if one is, and the moves so far.
    fn status(&self, between: &str) -> String {
        let selected = self.game.selected;
        let selected =
            selected.map_or_else(String::new, |robot| format!("Selected: {robot}{between}"));
        let clock = if self.has_keys {
            format!("{}, ", self.game.clock())
        } else {
            String::new()
        };
        format!("{selected}{clock}{}\n", self.game.line())
    }

    /// The task, and as much of the rest as fits into these rows: the keys are left out first, then the
    /// sentence about the goal becomes a few words, then the moves so far are left out, then the goal.
    /// The message, which answers the last key, is left out last.
    fn words_within(&self, columns: usize, rows: usize) -> String {
        let game = &self.game;
        let tasks = self.tasks(columns);
        let [apart, together] = ["\n", ", "].map(|between| wrap(&self.status(between), columns));
        let message = wrap(&game.message, columns);
        let short = game.message_in_short();
        let short = short.map(|short| wrap(&short, columns));
        let mut whole = vec![apart + &message, format!("{together}{message}")];
        whole.extend(short.iter().map(|short| format!("{together}{short}")));
        let answers = if game.offers_keys() || message.is_empty() {
            vec![together]
        } else {
            [Some(message), short].into_iter().flatten().collect()
        };
        let with_tasks = [&whole, &answers].into_iter().flat_map(|rests| {
            tasks
                .iter()
                .flat_map(move |task| rests.iter().map(move |rest| format!("{task}{rest}")))
        });
        with_tasks
            .chain(answers.iter().cloned())
            .find(|words| words.lines().count() <= rows)
            .unwrap_or_else(|| {
                let lines = answers.last().map_or("", String::as_str).lines();
                lines.take(rows).flat_map(|line| [line, "\n"]).collect()
            })
    }

    /// The task in a sentence, and in a few words if those take fewer rows.
    fn tasks(&self, columns: usize) -> Vec<String> {
        let puzzle = &self.game.puzzle;
        let tasks = [task(puzzle), task_in_short(puzzle, self.arrow)];
        let [long, short] = tasks.map(|task| wrap(&task, columns));
        if short.lines().count() < long.lines().count() {
            vec![long, short]
        } else {
            vec![long]
        }
    }

    /// The page for a screen of this size: a smaller board if the screen is too small, without
    /// coordinates if they would take the last row, and only words if no board fits. Below every
    /// board there is space for the task and a message. The choice of the board does not depend on
    /// the message, which changes with every key.
    fn page_within(&self, columns: usize, rows: usize) -> String {
        let game = &self.game;
        let (puzzle, state) = (&game.puzzle, game.state());
        let draw = |size, terminal: Terminal| terminal.size(size).state(puzzle, state);
        let (numbered, bare) = (self.terminal, self.terminal.without_coordinates());
        let smallest = draw(BoardSize::Narrow, bare);
        let tasks = self.tasks(columns.max(smallest.width()));
        let task_rows = |task: Option<&String>| task.map_or(0, |task| task.lines().count());
        let fits = |picture: &TextPicture, below: usize| {
            picture.width() <= columns && picture.height() + below <= rows
        };
        // The full board is used only if everything else fits as well.
        let keys = wrap(KEYS, columns).lines().count();
        let all_words = task_rows(tasks.first()) + STATUS_ROWS + keys;
        let few_words = task_rows(tasks.last()) + MESSAGE_ROWS;
        let needed = format!(
            "The board needs {} columns and {} rows; the terminal has {columns} and {rows}.",
            smallest.width(),
            smallest.height() + few_words
        );
        let sizes = [
            (draw(BoardSize::Full, numbered), all_words),
            (draw(BoardSize::Compact, numbered), few_words),
            (draw(BoardSize::Narrow, numbered), few_words),
            (draw(BoardSize::Compact, bare), few_words),
            (smallest, few_words),
        ];
        let fitting = sizes.into_iter().find(|(board, below)| fits(board, *below));
        let Some((board, _)) = fitting else {
            let needed = wrap(&needed, columns);
            let left = rows.saturating_sub(needed.lines().count());
            return format!("{needed}{}", self.words_within(columns, left));
        };
        let words = self.words_within(columns, rows - board.height());
        // The screen writes around `Output`, so colours that are not wanted are left out here.
        let plain = anstream::AutoStream::choice(&io::stdout()) == anstream::ColorChoice::Never;
        if plain {
            format!("{board}{words}")
        } else {
            format!("{board:#}{words}")
        }
    }

    fn run_with_keys(&mut self) -> anyhow::Result<ExitCode> {
        let screen = Screen::open()?;
        self.game.tell_keys();
        loop {
            let (columns, rows) = Screen::size();
            screen.show(&self.page_within(columns, rows))?;
            match Screen::input()? {
                Input::Redraw => {}
                Input::Interrupt => return Ok(ExitCode::Interrupted),
                Input::Action(action) => {
                    if !self.apply_watched(action, &screen)? {
                        return Ok(ExitCode::Solved);
                    }
                }
            }
        }
    }

    /// Applies an action. If it takes long, the last row says so, and Esc stops it.
    fn apply_watched(&mut self, action: Action, screen: &Screen) -> anyhow::Result<bool> {
        let cancel = CancelToken::default();
        let limits = Limits {
            cancel: Some(cancel.clone()),
            ..self.limits.clone()
        };
        let (game, solver) = (&mut self.game, self.solver.as_mut());
        thread::scope(|scope| {
            let (sender, done) = mpsc::channel();
            scope.spawn(move || {
                // The receiver is still there: it waits for this.
                let _ = sender.send(game.apply(action, solver, &limits));
            });
            let started = Instant::now();
            // Keys pressed meanwhile are handled afterwards.
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

    fn run_with_lines(&mut self, output: &mut Output) -> anyhow::Result<ExitCode> {
        output.record(self.page())?;
        for line in io::stdin().lock().lines() {
            match Action::parse_line(&line?) {
                Err(error) => output.error(error),
                Ok(actions) => {
                    if actions.is_empty() {
                        continue;
                    }
                    for action in actions {
                        if !self.apply(action)? {
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

    fn session() -> Session {
        Session {
            game: Game::random(7).unwrap(),
            solver: SolverArgs::default().build_reproducible().unwrap(),
            limits: Limits::default(),
            terminal: Terminal::unicode(),
            arrow: "→",
            has_keys: false,
        }
    }

    #[test]
    fn what_has_to_be_done_is_seen_in_every_terminal() {
        let mut session = session();
        session.game.tell_keys();
        for (columns, rows) in [
            (100, 50),
            (80, 24),
            (80, 19),
            (80, 18),
            (60, 24),
            (40, 30),
            (36, 20),
            (35, 24),
            (33, 19),
            (32, 24),
            (20, 12),
        ] {
            let page = session.page_within(columns, rows);
            let sentence = page.replace('\n', " ");
            let puzzle = &session.game.puzzle;
            let tasks = [task(puzzle), task_in_short(puzzle, "→")];
            let is_seen = tasks.iter().any(|task| sentence.contains(task));
            assert!(is_seen, "{columns}x{rows}:\n{page}");
            assert!(page.lines().count() <= rows, "{columns}x{rows}:\n{page}");
            assert_eq!(
                page.contains("The board needs"),
                rows < 19 || columns < 33,
                "{columns}x{rows}:\n{page}"
            );
        }
        assert!(session.page_within(100, 50).contains('━'), "the full board");
        let plain = |page: &str| anstream::adapter::strip_str(page).to_string();
        let usual = plain(&session.page_within(80, 24));
        assert!(usual.contains('▁'), "walls as underlines:\n{usual}");
        assert!(usual.trim_start().starts_with("0   1   2 "), "{usual}");
        let narrow = plain(&session.page_within(60, 24));
        assert!(narrow.trim_start().starts_with("0 1 2 "), "{narrow}");
    }

    /// What a key shows below the board never decides whether there is one, or which.
    #[test]
    fn the_board_stays_whatever_the_message_is() {
        let mut session = session();
        let board = |page: &str| page.lines().filter(|line| line.contains('┃')).count();
        let messages = ["", "Took back RN.", KEYS, &"many words ".repeat(30)];
        for (columns, rows, expected) in [
            (80, 19, 16),
            (80, 20, 16),
            (80, 22, 16),
            (80, 24, 16),
            (80, 39, 16),
            (80, 50, 33),
            (40, 19, 16),
            (40, 20, 16),
            (40, 21, 16),
            (33, 19, 16),
            (80, 18, 0),
            (40, 18, 0),
        ] {
            for message in messages {
                message.clone_into(&mut session.game.message);
                for selected in [None, Some(ricochet_core::Robot::GREEN)] {
                    session.game.selected = selected;
                    let page = session.page_within(columns, rows);
                    let at = format!("{columns}x{rows} {message:?}:\n{page}");
                    assert!(page.lines().count() <= rows, "{at}");
                    if expected == 33 {
                        assert!(page.contains('━'), "{at}");
                    } else {
                        assert!(!page.contains('━'), "{at}");
                        assert_eq!(board(&page), expected, "{at}");
                    }
                }
            }
        }
    }

    /// Whatever the player asks is answered, wherever there is a board.
    #[test]
    fn there_is_room_for_an_answer_below_every_board() {
        let puzzle = ricochet_core::notation::parse_line("1A4B3B2B.18c1f0c0.G6e").unwrap();
        let mut session = session();
        session.game = Game::of(&puzzle.validate().unwrap(), 7).unwrap();
        session.game.tell_keys();
        let below = |session: &Session, rows: usize| {
            let page = session.page_within(40, rows);
            let after_board = page.lines().skip_while(|line| !line.contains('┃'));
            let words = after_board.skip_while(|line| line.contains('┃'));
            words.collect::<Vec<&str>>().join("\n")
        };
        let goal = "green → hexagon (6,14)";
        assert_eq!(below(&session, 20), format!("{goal}\n0 moves"));
        assert_eq!(below(&session, 19), format!("{goal}\n0 moves"));
        session.apply(Action::Hint).unwrap();
        let hint = session.game.message.clone();
        assert!(hint.starts_with("Look at the "), "{hint}");
        assert_eq!(below(&session, 20), format!("{goal}\n{hint}"));
        assert_eq!(below(&session, 21), format!("{goal}\n0 moves\n{hint}"));
        session.apply(Action::Help).unwrap();
        assert!(below(&session, 20).starts_with("R G B Y, arrows"));
        session.apply(Action::Solve).unwrap();
        assert!(below(&session, 20).contains(" from here: "));
        for action in Action::parse_line("BS GE GS GW GN GW RW RN RE RS GS GE").unwrap() {
            session.apply(action).unwrap();
        }
        let told = below(&session, 20);
        assert!(told.starts_with("Solved in 12 moves, "), "{told}");
    }

    #[test]
    fn a_solution_is_told_in_words_or_else_in_letters() {
        let mut session = session();
        session.game = Game::random(3).unwrap();
        session.apply(Action::Next).unwrap();
        session.apply(Action::Solve).unwrap();
        let solution = |columns, rows| {
            let page = session.page_within(columns, rows);
            assert!(page.lines().count() <= rows, "{columns}x{rows}:\n{page}");
            let words: Vec<&str> = page.lines().skip(18).collect();
            let words = words.join(" ");
            words[words.find("12 moves from here: ").unwrap()..].to_owned()
        };
        let in_words = solution(80, 24);
        assert!(
            in_words.contains(": green south, red south, "),
            "{in_words}"
        );
        assert!(
            in_words.ends_with(" green north, green east."),
            "{in_words}"
        );
        let in_letters = solution(40, 23);
        assert!(in_letters.contains(": GS RS "), "{in_letters}");
        assert!(in_letters.ends_with(" GN GE."), "{in_letters}");
    }

    #[test]
    fn with_keys_there_is_a_clock_and_the_result_stays() {
        let mut session = session();
        session.has_keys = true;
        session.game.tell_keys();
        let begin = session.last_page(80);
        assert!(
            begin.contains("\n0:0") && begin.contains(", target 1 of 17\n"),
            "{begin}"
        );
        assert!(!begin.contains(KEYS), "{begin}");
        let page = session.page_within(80, 50);
        assert!(page.contains(", target 1 of 17, 0 moves\n"), "{page}");
        session.apply(Action::Next).unwrap();
        assert!(
            session
                .page_within(80, 50)
                .contains(", target 2 of 17, 0 moves")
        );
        // Enter plays the solution, move by move.
        session.apply(Action::Step).unwrap();
        assert_eq!(
            session.game.message,
            "There is no solution to play: S shows one."
        );
        session.apply(Action::Solve).unwrap();
        let mut steps = 0;
        while !session.game.is_solved() {
            session.apply(Action::Step).unwrap();
            steps += 1;
            assert!(steps < 30, "{}", session.game.message);
        }
        let end = session.last_page(80);
        assert!(end.contains(&format!("\n{steps} moves: ")), "{end}");
        assert!(end.contains("the fewest possible!"), "{end}");
    }

    #[test]
    fn the_keys_give_way_first_and_the_message_last() {
        let mut session = session();
        session.game.tell_keys();
        session.game.selected = Some(ricochet_core::Robot::GREEN);
        let below = |session: &Session, rows: usize| {
            let page = session.page_within(80, rows);
            let lines: Vec<&str> = page.lines().skip(18 + 1).collect();
            lines.join("\n")
        };
        let all = below(&session, 25);
        assert_eq!(all, format!("Selected: green\n0 moves\n{KEYS}"));
        assert_eq!(
            below(&session, 24),
            format!("Selected: green, 0 moves\n{KEYS}")
        );
        let short = session.game.message_in_short().unwrap();
        let short = format!("Selected: green, 0 moves\n{short}");
        assert_eq!(below(&session, 23), short);
        assert_eq!(below(&session, 21), short);
        assert_eq!(below(&session, 20), "Selected: green, 0 moves");
        let page = session.page_within(80, 19);
        let last: Vec<&str> = page.lines().skip(17 + 1).collect();
        assert_eq!(last, ["Selected: green, 0 moves"], "no coordinates: {page}");
        "Took back RN.".clone_into(&mut session.game.message);
        assert_eq!(
            below(&session, 21),
            "Selected: green, 0 moves\nTook back RN."
        );
        assert_eq!(below(&session, 20), "Took back RN.");
    }
}
