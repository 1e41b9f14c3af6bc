//! `Stepper`: many games at once, stepped into given arrays. The vector environment of the package
//! is made of it.
//!
//! Each game plays a puzzle of a bank. A step moves one robot in each game and changes only the cells
//! of an observation that the move changes; a new game copies the planes that were made with the bank.

use std::sync::Arc;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use ricochet_core::rng::Rng;
use ricochet_core::{Direction, MAX_ROBOTS, Robot, State};

use crate::arrays::{bytes_of, common_shape, diagonal_code, fill_planes, plane_count, robot_plane};
use crate::errors;
use crate::puzzle::{Puzzle, pairs};
use crate::stepper_arrays::{Arrays, Out, borrowed};

/// When a game that is over begins anew.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Autoreset {
    /// At the step after its last one, whose action is ignored.
    NextStep,
    /// At its last step, whose observation goes to an array of its own.
    SameStep,
    /// Never by itself.
    Disabled,
}

/// A puzzle of the bank, ready to be copied.
struct Entry {
    puzzle: Arc<ricochet_core::Puzzle>,
    planes: Box<[u8]>,
    diagonals: Box<[u8]>,
}

struct Game {
    entry: usize,
    state: State,
    /// The axes that each robot has travelled along: bit 0 rows, bit 1 columns.
    travelled: [u8; MAX_ROBOTS],
    /// Under `must_ricochet`: whether a robot has stopped on the target before it had turned.
    straight_arrival: bool,
    steps: u32,
    over: bool,
}

/// The cells of the robots.
type Cells = Vec<(u8, u8)>;

/// Games that are stepped together.
#[pyclass(module = "ricochet_engine._native")]
pub(crate) struct Stepper {
    bank: Vec<Entry>,
    /// The puzzles that new games are chosen from.
    allowed: Vec<usize>,
    games: Vec<Game>,
    rng: Rng,
    width: usize,
    height: usize,
    robots: usize,
    max_steps: u32,
    autoreset: Autoreset,
    /// For a step, for a solution, for a move that goes nowhere.
    rewards: [f32; 3],
}

#[pymethods]
impl Stepper {
    /// Games on the puzzles of a bank, which have one shape. `autoreset` is `next-step`, `same-step` or
    /// `disabled`; `rewards` are those of a step, of a solution and of a move that goes nowhere.
    #[new]
    fn new(
        bank: Vec<Bound<'_, Puzzle>>,
        games: usize,
        max_steps: u32,
        autoreset: &str,
        rewards: [f32; 3],
    ) -> PyResult<Self> {
        let autoreset = match autoreset {
            "next-step" => Autoreset::NextStep,
            "same-step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            other => return Err(errors::bad(format!("there is no autoreset mode '{other}'"))),
        };
        if games == 0 || max_steps == 0 {
            return Err(errors::bad("at least one game and one step are needed"));
        }
        let puzzles: Vec<_> = bank.iter().map(|puzzle| puzzle.get().0.clone()).collect();
        let (width, height, robots) = common_shape(&puzzles)?;
        let bank = puzzles.into_iter().enumerate().map(|(index, puzzle)| {
            Entry::new(puzzle).map_err(|error| errors::at(index, "puzzle", error))
        });
        let bank: Vec<Entry> = bank.collect::<PyResult<_>>()?;
        let first = bank[0].puzzle.start();
        let games = (0..games).map(|_| Game {
            entry: 0,
            state: first,
            travelled: [0; MAX_ROBOTS],
            straight_arrival: false,
            steps: 0,
            over: true,
        });
        Ok(Self {
            allowed: (0..bank.len()).collect(),
            games: games.collect(),
            rng: Rng::new(0),
            bank,
            width,
            height,
            robots,
            max_steps,
            autoreset,
            rewards,
        })
    }

    /// Columns, rows, robots and planes.
    #[getter]
    fn shape(&self) -> (usize, usize, usize, usize) {
        (
            self.width,
            self.height,
            self.robots,
            plane_count(self.robots),
        )
    }

    /// From now on new games are chosen from puzzles whose optimum is within these ends.
    fn set_curriculum(&mut self, least: u32, most: u32) -> PyResult<usize> {
        let fits = |entry: &Entry| {
            let optimum = entry.puzzle.known_optimal();
            optimum.is_some_and(|optimum| (least..=most).contains(&optimum))
        };
        let allowed: Vec<usize> = (0..self.bank.len())
            .filter(|&at| fits(&self.bank[at]))
            .collect();
        if allowed.is_empty() {
            return Err(errors::bad(format!(
                "no puzzle of the bank has an optimum of {least} to {most} moves"
            )));
        }
        self.allowed = allowed;
        Ok(self.allowed.len())
    }

    /// Begins games anew: all, or those of the mask. A seed restarts the choice of puzzles.
    #[pyo3(signature = (arrays, seed = None, only = None))]
    fn reset(
        &mut self,
        arrays: Arrays<'_>,
        seed: Option<u64>,
        only: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let chosen: Vec<bool> = match &only {
            None => vec![true; self.games.len()],
            Some(mask) => mask.as_array().iter().copied().collect(),
        };
        if chosen.len() != self.games.len() {
            return Err(errors::bad("the mask needs one value for each game"));
        }
        let mut borrowed = arrays.borrow()?;
        let mut out = borrowed.out(self.games.len(), self.width * self.height, self.robots)?;
        if let Some(seed) = seed {
            self.rng = Rng::new(seed);
        }
        for game in (0..self.games.len()).filter(|&game| chosen[game]) {
            let entry = self.allowed[self.rng.below(self.allowed.len())];
            self.begin(game, entry, &mut out);
        }
        Ok(())
    }

    /// Begins one game with a puzzle of its own.
    fn put(&mut self, game: usize, puzzle: &Puzzle, arrays: Arrays<'_>) -> PyResult<()> {
        if game >= self.games.len() {
            return Err(errors::bad(format!("there is no game {game}")));
        }
        common_shape(&[self.bank[0].puzzle.clone(), puzzle.0.clone()])?;
        let mut borrowed = arrays.borrow()?;
        let mut out = borrowed.out(self.games.len(), self.width * self.height, self.robots)?;
        let known = self.bank.iter().position(|entry| entry.puzzle == puzzle.0);
        let entry = if let Some(entry) = known {
            entry
        } else {
            self.bank.push(Entry::new(puzzle.0.clone())?);
            self.bank.len() - 1
        };
        self.begin(game, entry, &mut out);
        Ok(())
    }

    /// Plays one action in each game and writes what follows into the arrays. `last` are the arrays
    /// that the last observation of a game goes to where a new one begins at the same step.
    #[pyo3(signature = (actions, arrays, rewards, terminated, truncated, last = None))]
    fn step(
        &mut self,
        actions: PyReadonlyArray1<'_, i64>,
        arrays: Arrays<'_>,
        rewards: Bound<'_, PyArray1<f32>>,
        terminated: Bound<'_, PyArray1<bool>>,
        truncated: Bound<'_, PyArray1<bool>>,
        last: Option<Arrays<'_>>,
    ) -> PyResult<()> {
        let n = self.games.len();
        let actions = actions
            .as_slice()
            .map_err(|_| errors::bad("the array of actions is not contiguous"))?;
        let most = 4 * self.robots as i64;
        if actions.len() != n {
            return Err(errors::bad(format!(
                "{} actions for {n} games",
                actions.len()
            )));
        }
        if let Some(wrong) = actions.iter().find(|action| !(0..most).contains(action)) {
            return Err(errors::bad(format!(
                "action {wrong} is not within 0..{most}"
            )));
        }
        let mut borrowed_arrays = arrays.borrow()?;
        let mut out =
            borrowed_arrays.out(self.games.len(), self.width * self.height, self.robots)?;
        let mut borrowed_last = last.as_ref().map(Arrays::borrow).transpose()?;
        let shape = (n, self.width * self.height, self.robots);
        let last = borrowed_last.as_mut();
        let mut last = last
            .map(|last| last.out(shape.0, shape.1, shape.2))
            .transpose()?;
        let mut rewards = borrowed(Some(&rewards))?;
        let mut terminated = borrowed(Some(&terminated))?;
        let mut truncated = borrowed(Some(&truncated))?;
        let missing = || errors::bad("an array is missing");
        let rewards = bytes_of(rewards.as_mut().ok_or_else(missing)?, n, "rewards")?;
        let terminated = bytes_of(terminated.as_mut().ok_or_else(missing)?, n, "terminated")?;
        let truncated = bytes_of(truncated.as_mut().ok_or_else(missing)?, n, "truncated")?;
        if self.autoreset == Autoreset::Disabled
            && let Some(over) = self.games.iter().position(|game| game.over)
        {
            return Err(errors::bad(format!("game {over} is over: reset it first")));
        }
        for at in 0..n {
            if self.games[at].over {
                let entry = self.allowed[self.rng.below(self.allowed.len())];
                self.begin(at, entry, &mut out);
                (rewards[at], terminated[at], truncated[at]) = (0.0, false, false);
                continue;
            }
            let (reward, solved) = self.play(at, actions[at] as usize, &mut out);
            let game = &mut self.games[at];
            let cut = !solved && game.steps >= self.max_steps;
            game.over = solved || cut;
            (rewards[at], terminated[at], truncated[at]) = (reward, solved, cut);
            if game.over && self.autoreset == Autoreset::SameStep {
                if let Some(last) = &mut last {
                    last.copy_game(&out, at, n);
                }
                let entry = self.allowed[self.rng.below(self.allowed.len())];
                self.begin(at, entry, &mut out);
            } else if game.over || reward_of_a_move(reward, self.rewards) {
                self.write_mask(at, &mut out);
            }
        }
        Ok(())
    }

    /// The puzzle of a game, with its robots as they are now.
    fn position(&self, game: usize) -> PyResult<(Puzzle, Cells, u32)> {
        let game = self
            .games
            .get(game)
            .ok_or_else(|| errors::bad(format!("there is no game {game}")))?;
        let puzzle = Puzzle(self.bank[game.entry].puzzle.clone());
        Ok((puzzle, pairs(game.state.cells()), game.steps))
    }
}

/// Moves that go nowhere change no mask. Equal rewards tell nothing, so then masks are written anyway.
fn reward_of_a_move(reward: f32, [step, _, nowhere]: [f32; 3]) -> bool {
    #[expect(
        clippy::float_cmp,
        reason = "these are the very numbers that were given"
    )]
    let nowhere_alone = reward == nowhere && nowhere != step;
    !nowhere_alone
}

impl Entry {
    fn new(puzzle: Arc<ricochet_core::Puzzle>) -> PyResult<Self> {
        if puzzle.is_solved(puzzle.start()) {
            let line = ricochet_core::notation::to_line(&puzzle);
            return Err(errors::bad(format!("{line} is solved already")));
        }
        let board = puzzle.board();
        let mut planes = vec![0; plane_count(puzzle.start().len()) * board.cell_count()];
        fill_planes(&puzzle, &mut planes);
        let mut diagonals = vec![0; board.cell_count()];
        for diagonal in board.diagonals() {
            diagonals[board.index(diagonal.cell)] = diagonal_code(*diagonal);
        }
        Ok(Self {
            planes: planes.into(),
            diagonals: diagonals.into(),
            puzzle,
        })
    }
}

impl Stepper {
    /// Moves a robot; gives the reward and whether the goal is reached.
    fn play(&mut self, at: usize, action: usize, out: &mut Out<'_>) -> (f32, bool) {
        let [step, solution, nowhere] = self.rewards;
        let game = &mut self.games[at];
        game.steps += 1;
        let puzzle = &self.bank[game.entry].puzzle;
        let (Some(robot), direction) = (Robot::new(action / 4), Direction::from_index(action % 4))
        else {
            return (nowhere, false);
        };
        let board = puzzle.board();
        let from = game.state[robot];
        let must_ricochet = puzzle.rules().must_ricochet;
        let to = if must_ricochet {
            let slide = board.slide_with_axes(robot, from, direction, game.state.cells());
            game.travelled[robot.index()] |= slide.axes;
            slide.end
        } else {
            board.slide(robot, from, direction, game.state.cells())
        };
        if to == from {
            return (nowhere, false);
        }
        game.state = game.state.with(robot, to);
        let cells = self.width * self.height;
        if let Some(planes) = &mut out.planes {
            let plane = (at * plane_count(self.robots) + robot_plane(robot.index())) * cells;
            planes[plane + board.index(from)] = 0;
            planes[plane + board.index(to)] = 1;
        }
        if let Some(robots) = &mut out.robots {
            let place = (at * self.robots + robot.index()) * 2;
            robots[place..place + 2].copy_from_slice(&[to.x, to.y]);
        }
        let goal = puzzle.goal();
        // Only the robot that moved can have arrived now: the others have been where they are.
        let arrives = to == goal.cell && goal.robot.is_none_or(|active| active == robot);
        game.straight_arrival |= must_ricochet && arrives && game.travelled[robot.index()] != 3;
        let solved = arrives && !game.straight_arrival;
        (if solved { solution } else { step }, solved)
    }

    fn begin(&mut self, at: usize, entry: usize, out: &mut Out<'_>) {
        let chosen = &self.bank[entry];
        let puzzle = &chosen.puzzle;
        self.games[at] = Game {
            entry,
            state: puzzle.start(),
            travelled: [0; MAX_ROBOTS],
            straight_arrival: false,
            steps: 0,
            over: false,
        };
        let cells = self.width * self.height;
        if let Some(planes) = &mut out.planes {
            let each = chosen.planes.len();
            planes[at * each..][..each].copy_from_slice(&chosen.planes);
        }
        if let Some(robots) = &mut out.robots {
            for (robot, cell) in puzzle.start().iter() {
                let place = (at * self.robots + robot.index()) * 2;
                robots[place..place + 2].copy_from_slice(&[cell.x, cell.y]);
            }
        }
        if let Some(walls) = &mut out.walls {
            walls[at * cells..][..cells].copy_from_slice(puzzle.board().walls());
        }
        if let Some(diagonals) = &mut out.diagonals {
            diagonals[at * cells..][..cells].copy_from_slice(&chosen.diagonals);
        }
        let goal = puzzle.goal();
        if let Some(target) = &mut out.target {
            target[at * 2..][..2].copy_from_slice(&[goal.cell.x, goal.cell.y]);
        }
        if let Some(target_robot) = &mut out.target_robot {
            target_robot[at] = goal.robot.map_or(self.robots, Robot::index) as i64;
        }
        if let Some(optimum) = &mut out.optimum {
            optimum[at] = puzzle.known_optimal().map_or(-1, |optimum| optimum as i32);
        }
        self.write_mask(at, out);
    }

    fn write_mask(&self, at: usize, out: &mut Out<'_>) {
        let Some(mask) = &mut out.mask else {
            return;
        };
        let game = &self.games[at];
        let board = self.bank[game.entry].puzzle.board();
        let actions = &mut mask[at * self.robots * 4..][..self.robots * 4];
        for (robot, legal) in game.state.robots().zip(actions.chunks_exact_mut(4)) {
            let from = game.state[robot];
            for direction in Direction::ALL {
                let to = board.slide(robot, from, direction, game.state.cells());
                legal[direction.index()] = to != from;
            }
        }
    }
}
