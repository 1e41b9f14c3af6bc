//! A solution told in sentences: who moves where, what stops it, which helper was placed for what.

use std::fmt::{self, Write};

use ricochet_core::describe::{join_with_and, task};
use ricochet_core::{Board, Cell, Direction, Obstacle, Puzzle, Robot, Step, Trace};

use crate::trace::heading_at_end;

/// A solution in sentences.
///
/// ```
/// use ricochet_core::{Solution, notation};
/// use ricochet_service::narrate::Story;
/// let puzzle = notation::parse_line("4x3..0012.R31").unwrap().validate().unwrap();
/// let trace = "GE RE RS".parse::<Solution>().unwrap().replay(&puzzle).unwrap();
/// let story = Story::of(&puzzle, &trace, true);
/// assert_eq!(story.task, "The red robot has to reach (3,1).");
/// assert_eq!(story.moves.len(), 3);
/// assert_eq!(story.helpers, ["In move 1, green goes to (3,2) to stop red in move 3."]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What has to be done.
    pub task: String,
    /// How many moves, and whose.
    pub summary: String,
    /// One sentence or two for each move.
    pub moves: Vec<String>,
    /// What each helper was for.
    pub helpers: Vec<String>,
}

impl Story {
    /// Tells what happens in a trace.
    pub fn of(puzzle: &Puzzle, trace: &Trace, optimal: bool) -> Self {
        let numbers = 0..trace.steps.len();
        Self {
            task: task(puzzle),
            summary: summary(puzzle, trace, optimal),
            moves: numbers.map(|n| sentence(puzzle, trace, n)).collect(),
            helpers: helpers(puzzle, trace),
        }
    }
}

/// One line each, the moves numbered.
impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.task)?;
        writeln!(f, "{}", self.summary)?;
        for (number, sentence) in (1..).zip(&self.moves) {
            writeln!(f, "{number:>3}. {sentence}")?;
        }
        for line in &self.helpers {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

/// All sentences, one a line: what has to be done, one numbered line a move, and what each helper
/// was for.
pub fn narrate(puzzle: &Puzzle, trace: &Trace, optimal: bool) -> String {
    Story::of(puzzle, trace, optimal).to_string()
}

fn summary(puzzle: &Puzzle, trace: &Trace, optimal: bool) -> String {
    if trace.steps.is_empty() {
        return "Nothing to do: it is there already.".to_owned();
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

/// One move: who goes where, past which diagonals, what stops it, and what that is good for.
fn sentence(puzzle: &Puzzle, trace: &Trace, number: usize) -> String {
    let step = &trace.steps[number];
    let board = puzzle.board();
    let mut text = format!(
        "{}: {} goes {} from {} to {}",
        step.play,
        capitalised(step.play.robot),
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

/// Where a robot was turned, and its heading after each turn.
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
        // Which of its moves brought it there?
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

/// What a move is good for, as far as other robots are concerned.
enum Purpose {
    /// The robot stops these moves of others, where it now stands.
    Stops(Vec<usize>),
    /// Another robot's move crosses the cell that this one left.
    Clears(usize),
}

fn purpose(trace: &Trace, number: usize) -> Option<Purpose> {
    let step = &trace.steps[number];
    let robot = step.play.robot;
    // While it stays where it is.
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
    // The first to enter the cell that it left, unless it came back in between.
    trace.steps[number + 1..]
        .iter()
        .position(|later| later.path.iter().any(|&(cell, _)| cell == step.from))
        .map(|offset| number + 1 + offset)
        .filter(|&i| trace.steps[i].play.robot != robot)
        .map(Purpose::Clears)
}

/// One line for each time that a helper was moved somewhere to stop another robot.
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

fn capitalised(robot: Robot) -> String {
    let name = robot.name();
    name[..1].to_ascii_uppercase() + &name[1..]
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

/// `1 move`, `2 moves`.
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// `1,234,567`.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use ricochet_core::{Goal, Lean, Solution};

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

    fn told(puzzle: &Puzzle, moves: &str) -> String {
        let trace = moves.parse::<Solution>().unwrap().replay(puzzle).unwrap();
        narrate(puzzle, &trace, true)
    }

    #[test]
    fn a_helper_is_put_somewhere_to_stop_the_active_robot() {
        let puzzle = puzzle(&[Cell::new(0, 0), Cell::new(2, 0)], Cell::new(0, 4));
        assert_eq!(
            told(&puzzle, "GS GW RS"),
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
        let text = told(&puzzle, "RE GS");
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert!(lines[0].ends_with("That is the target."), "{text}");
        assert!(lines[1].ends_with("the rim stops it."), "{text}");
    }

    #[test]
    fn a_robot_that_makes_way_is_named() {
        let puzzle = puzzle(&[Cell::new(0, 5), Cell::new(1, 5)], Cell::new(2, 5));
        let text = told(&puzzle, "GN RE");
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
        let text = told(&puzzle, "RE");
        assert!(
            text.contains(
                "Red goes east from (0,0) to (4,2), turned by a diagonal at (4,0) to the south; \
                 green, which has not moved, stops it."
            ),
            "{text}"
        );
    }
}
