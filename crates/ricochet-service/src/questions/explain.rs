//! `explain`: a solution in sentences.

use std::fmt::{self, Write};

use ricochet_core::describe::{capitalize, join_with_and, plural, task};
use ricochet_core::{Board, Cell, Direction, Obstacle, Puzzle, Robot, Solution, Step, Trace};
use ricochet_solve::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::json::MoveList;
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::SolveOutcome;
use crate::request::Question;
use crate::trace::{TraceStep, heading_at_end};

/// Asks for an explanation of a solution: a given one, or a shortest one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The moves, which must solve the puzzle. Default: a shortest solution.
    #[serde(default)]
    pub moves: Option<MoveList>,
    /// The limits of the search.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// A solution in sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExplainAnswer {
    /// How the search ended; only `solved` has a solution to explain.
    pub outcome: SolveOutcome,
    /// No solution has fewer moves than this; null if nothing is proved.
    pub lower_bound: Option<u32>,
    /// The task in one sentence.
    pub task: String,
    /// The number of moves, in total and per robot.
    pub summary: Option<String>,
    /// The moves.
    pub moves: Option<MoveList>,
    /// A sentence or two per move.
    pub sentences: Vec<String>,
    /// The purpose of each helper move.
    pub helpers: Vec<String>,
    /// The replayed moves.
    pub trace: Vec<TraceStep>,
}

impl Question for Explain {
    type Answer = ExplainAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &ExplainAnswer) -> bool {
        answer.outcome != SolveOutcome::Limit
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<ExplainAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let (outcome, trace) = if let Some(moves) = &self.moves {
            let solution = Solution::new(moves.0.clone());
            let trace = solution.replay(&puzzle);
            let trace = trace.map_err(|error| Error::bad_request(error.to_string()))?;
            let outcome = Outcome::Solved {
                solution,
                optimal: false,
                lower_bound: 0,
            };
            (outcome, Some(trace))
        } else {
            let search = call.solve_by_default(&puzzle, &self.limits)?;
            (search.outcome, search.trace)
        };
        Ok(ExplainAnswer::of(&puzzle, &outcome, trace.as_ref()))
    }
}

impl ExplainAnswer {
    /// Explains the outcome of a search and the replay of its solution.
    pub fn of(puzzle: &Puzzle, outcome: &Outcome, trace: Option<&Trace>) -> Self {
        let optimal = matches!(outcome, Outcome::Solved { optimal: true, .. });
        let mut answer = Self {
            outcome: outcome.into(),
            lower_bound: outcome.lower_bound(),
            task: task(puzzle),
            summary: None,
            moves: None,
            sentences: Vec::new(),
            helpers: Vec::new(),
            trace: Vec::new(),
        };
        if let (Some(trace), Some(solution)) = (trace, outcome.solution()) {
            let numbers = 0..trace.steps.len();
            answer.lower_bound = optimal.then_some(solution.len() as u32);
            answer.summary = Some(summary(puzzle, trace, optimal));
            answer.moves = Some(MoveList::from(solution));
            answer.sentences = numbers.map(|n| sentence(puzzle, trace, n)).collect();
            answer.helpers = helpers(puzzle, trace);
            answer.trace = TraceStep::all(trace);
        }
        answer
    }
}

/// One line per sentence, the moves numbered.
impl fmt::Display for ExplainAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.task)?;
        if let Some(summary) = &self.summary {
            writeln!(f, "{summary}")?;
        }
        for (number, sentence) in (1..).zip(&self.sentences) {
            writeln!(f, "{number:>3}. {sentence}")?;
        }
        for line in &self.helpers {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

fn summary(puzzle: &Puzzle, trace: &Trace, optimal: bool) -> String {
    if trace.steps.is_empty() {
        return "The robot is already on the target.".to_owned();
    }
    let worth = if optimal { ", the fewest possible" } else { "" };
    let counts: Vec<String> = puzzle
        .start()
        .robots()
        .filter_map(|robot| {
            let count = moves_of(trace, robot).count();
            (count > 0).then(|| format!("{robot} {}", times(count)))
        })
        .collect();
    format!(
        "{}{worth}: {}.",
        plural(trace.steps.len(), "move"),
        join_with_and(&counts)
    )
}

/// One move: its robot and path, the diagonals on the way, what stops it, and its purpose.
fn sentence(puzzle: &Puzzle, trace: &Trace, number: usize) -> String {
    let step = &trace.steps[number];
    let board = puzzle.board();
    let mut text = format!(
        "{}: {} goes {} from {} to {}",
        step.play,
        capitalize(step.play.robot.name()),
        step.play.direction,
        step.from,
        step.to
    );
    let turns: Vec<String> = turns(board, step)
        .into_iter()
        .map(|(cell, heading)| format!("at {cell} to the {heading}"))
        .collect();
    if !turns.is_empty() {
        let diagonals = if turns.len() == 1 {
            "a diagonal"
        } else {
            "diagonals"
        };
        let _ = write!(text, ", turned by {diagonals} {}", join_with_and(&turns));
    }
    let _ = write!(text, "; {}.", stopped_by(trace, number));
    match purpose(trace, number) {
        Some(Purpose::Stops(later)) => {
            let _ = write!(text, " There it will stop {}.", moves_named(trace, &later));
        }
        Some(Purpose::Clears(later)) => {
            let _ = write!(text, " It makes way for {}.", moves_named(trace, &[later]));
        }
        None => {}
    }
    let goal = puzzle.goal();
    if step.to == goal.cell && goal.robot.is_none_or(|robot| robot == step.play.robot) {
        text.push_str(" That is the target.");
    }
    text
}

/// The cells where a diagonal turned the robot, and its direction after each turn.
fn turns(board: &Board, step: &Step) -> Vec<(Cell, Direction)> {
    let headings = step.path.iter().map(|&(_, heading)| heading);
    let cells = step.path.iter().map(|&(cell, _)| cell);
    let next = headings
        .clone()
        .skip(1)
        .chain([heading_at_end(board, step)]);
    cells
        .zip(headings.zip(next))
        .filter(|(_, (before, after))| before != after)
        .map(|(cell, (_, after))| (cell, after))
        .collect()
}

fn stopped_by(trace: &Trace, number: usize) -> String {
    let step = &trace.steps[number];
    if let Obstacle::Robot(cell) = step.obstacle {
        let Some(blocker) = step.state.robot_at(cell) else {
            return format!("a robot at {cell} stops it");
        };
        // The move that brought it there.
        let placed = moves_of(trace, blocker).take_while(|&i| i < number).last();
        return match placed {
            Some(earlier) => format!("{blocker}, there since move {}, stops it", earlier + 1),
            None => format!("{blocker}, which has not moved, stops it"),
        };
    }
    match step.obstacle {
        Obstacle::Rim => "the rim stops it".to_owned(),
        _ => "a wall stops it".to_owned(),
    }
}

/// What a move does for other robots.
enum Purpose {
    /// At its new cell, the robot stops these moves of others.
    Stops(Vec<usize>),
    /// Another robot's move crosses the cell that this one left.
    Clears(usize),
}

fn purpose(trace: &Trace, number: usize) -> Option<Purpose> {
    let step = &trace.steps[number];
    let robot = step.play.robot;
    // The moves of others before it moves again.
    let stay = trace.steps[number + 1..]
        .iter()
        .take_while(|later| later.play.robot != robot)
        .count();
    let rest = number + 1..number + 1 + stay;
    let stops: Vec<usize> = rest
        .clone()
        .filter(|&i| trace.steps[i].obstacle == Obstacle::Robot(step.to))
        .collect();
    if !stops.is_empty() {
        return Some(Purpose::Stops(stops));
    }
    // The first robot to enter the cell it left, unless that is itself.
    trace.steps[number + 1..]
        .iter()
        .position(|later| later.path.iter().any(|&(cell, _)| cell == step.from))
        .map(|offset| number + 1 + offset)
        .filter(|&i| trace.steps[i].play.robot != robot)
        .map(Purpose::Clears)
}

/// One line per helper move that stops another robot or clears its path.
fn helpers(puzzle: &Puzzle, trace: &Trace) -> Vec<String> {
    let arriving = trace.end().robot_at(puzzle.goal().cell);
    let mut lines = Vec::new();
    for helper in puzzle
        .start()
        .robots()
        .filter(|&robot| Some(robot) != arriving)
    {
        let mut since_last = Vec::new();
        for number in moves_of(trace, helper) {
            since_last.push((number + 1).to_string());
            let step = &trace.steps[number];
            let what = match purpose(trace, number) {
                None => continue,
                Some(Purpose::Stops(later)) => {
                    format!("goes to {} to stop {}", step.to, moves_named(trace, &later))
                }
                Some(Purpose::Clears(later)) => {
                    format!(
                        "leaves {} so that {} can pass in move {}",
                        step.from,
                        trace.steps[later].play.robot,
                        later + 1
                    )
                }
            };
            let moves = if since_last.len() == 1 {
                "move"
            } else {
                "moves"
            };
            lines.push(format!(
                "In {moves} {}, {helper} {what}.",
                join_with_and(&since_last)
            ));
            since_last.clear();
        }
    }
    lines
}

fn moves_of(trace: &Trace, robot: Robot) -> impl Iterator<Item = usize> + '_ {
    trace
        .steps
        .iter()
        .enumerate()
        .filter(move |(_, step)| step.play.robot == robot)
        .map(|(i, _)| i)
}

/// `red in move 5`, `red in moves 5 and 7`, `red in move 5 and blue in move 6`.
fn moves_named(trace: &Trace, moves: &[usize]) -> String {
    let mut robots: Vec<Robot> = moves.iter().map(|&i| trace.steps[i].play.robot).collect();
    robots.dedup();
    robots.sort_unstable();
    robots.dedup();
    let parts: Vec<String> = robots
        .into_iter()
        .map(|robot| {
            let numbers: Vec<String> = moves
                .iter()
                .filter(|&&i| trace.steps[i].play.robot == robot)
                .map(|i| (i + 1).to_string())
                .collect();
            let word = if numbers.len() == 1 { "move" } else { "moves" };
            format!("{robot} in {word} {}", join_with_and(&numbers))
        })
        .collect();
    join_with_and(&parts)
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::{Goal, Lean};

    use super::*;

    fn puzzle(robots: &[Cell], target: Cell) -> Puzzle {
        let board = Board::builder(6, 6)
            .wall(Cell::new(2, 5), Direction::East)
            .diagonal(Cell::new(4, 0), Lean::Backslash, Robot::GREEN)
            .build()
            .unwrap();
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: target,
        };
        Puzzle::new(board, robots, goal).unwrap()
    }

    fn explain(puzzle: &Puzzle, moves: &str) -> String {
        let solution: Solution = moves.parse().unwrap();
        let trace = solution.replay(puzzle).unwrap();
        let outcome = Outcome::Solved {
            lower_bound: solution.len() as u32,
            solution,
            optimal: true,
        };
        ExplainAnswer::of(puzzle, &outcome, Some(&trace)).to_string()
    }

    #[test]
    fn a_helper_is_put_somewhere_to_stop_the_active_robot() {
        let puzzle = puzzle(&[Cell::new(0, 0), Cell::new(2, 0)], Cell::new(0, 4));
        assert_eq!(
            explain(&puzzle, "GS GW RS"),
            "The red robot has to reach (0,4).\n\
             3 moves, the fewest possible: red once and green twice.\n\
             \x20 1. GS: Green goes south from (2,0) to (2,5); the rim stops it.\n\
             \x20 2. GW: Green goes west from (2,5) to (0,5); the rim stops it. There it will stop red in move 3.\n\
             \x20 3. RS: Red goes south from (0,0) to (0,4); green, there since move 2, stops it. That is the target.\n\
             In moves 1 and 2, green goes to (0,5) to stop red in move 3.\n"
        );
    }

    #[test]
    fn only_the_robot_that_has_to_arrive_reaches_the_target() {
        let puzzle = puzzle(&[Cell::new(0, 0), Cell::new(2, 0)], Cell::new(1, 0));
        let text = explain(&puzzle, "RE GS");
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert!(lines[0].ends_with("That is the target."), "{text}");
        assert!(lines[1].ends_with("the rim stops it."), "{text}");
    }

    #[test]
    fn a_robot_that_makes_way_is_named() {
        let puzzle = puzzle(&[Cell::new(0, 5), Cell::new(1, 5)], Cell::new(2, 5));
        let text = explain(&puzzle, "GN RE");
        assert!(text.contains("It makes way for red in move 2."), "{text}");
        assert!(
            text.contains("a wall stops it. That is the target."),
            "{text}"
        );
        assert!(
            text.contains("In move 1, green leaves (1,5) so that red can pass in move 2."),
            "{text}"
        );
    }

    #[test]
    fn diagonals_and_unmoved_blockers_are_named() {
        let puzzle = puzzle(&[Cell::new(0, 0), Cell::new(4, 3)], Cell::new(4, 2));
        let text = explain(&puzzle, "RE");
        assert!(
            text.contains(
                "Red goes east from (0,0) to (4,2), turned by a diagonal at (4,0) to the south; \
                 green, which has not moved, stops it."
            ),
            "{text}"
        );
    }
}
