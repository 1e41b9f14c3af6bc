//! The searches of a census: one for all targets that are images of each other.
//!
//! On a board without diagonals only the target's cell matters, not its colour, since helpers are
//! interchangeable. A board with its target may also be the image of another one under one of the
//! eight symmetries.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Context, Result, ensure};
use ricochet_core::quadrants::Layout;
use ricochet_core::{Board, Cell, Goal, Puzzle, Robot, State, Symmetry, Target};

/// Names a target of the census.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetKey {
    /// `1A 4B 3B 2B`.
    pub layout: String,
    /// The row of the target.
    pub y: u8,
    /// The column of the target.
    pub x: u8,
    /// The colour, or `any`.
    pub color: String,
    /// The shape.
    pub shape: String,
}

impl TargetKey {
    /// The key of a target.
    pub fn new(layout: Layout, target: Target) -> Self {
        Self {
            layout: layout.to_string(),
            x: target.cell.x,
            y: target.cell.y,
            color: target.robot.map_or("any", Robot::name).to_owned(),
            shape: target.shape.name().to_owned(),
        }
    }

    /// The first five columns of every file of the census.
    pub(super) fn fields(&self) -> [String; 5] {
        [
            self.layout.clone(),
            self.x.to_string(),
            self.y.to_string(),
            self.color.clone(),
            self.shape.clone(),
        ]
    }

    /// Reads the key from the first five columns.
    pub(super) fn from_record(record: &csv::StringRecord) -> Result<Self> {
        let coordinate = |column: usize| -> Result<u8> {
            let text = record.get(column).unwrap_or_default();
            text.parse()
                .with_context(|| format!("'{text}' is not a coordinate"))
        };
        let text = |column: usize| record.get(column).unwrap_or_default().to_owned();
        Ok(Self {
            layout: text(0),
            x: coordinate(1)?,
            y: coordinate(2)?,
            color: text(3),
            shape: text(4),
        })
    }
}

impl fmt::Display for TargetKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            layout,
            x,
            y,
            color,
            shape,
        } = self;
        write!(f, "{layout},{x},{y},{color},{shape}")
    }
}

/// A target whose states are images of those of its task's puzzle, perhaps with another colour.
#[derive(Clone, Debug)]
pub struct TargetImage {
    layout: Layout,
    target: Target,
    /// Maps the task's board to this one.
    symmetry: Symmetry,
}

/// One search, and the targets that it answers.
#[derive(Clone, Debug)]
pub struct Task {
    /// The board and goal to search; the robots' cells do not matter.
    pub puzzle: Puzzle,
    /// The targets; at least one.
    pub targets: Vec<TargetImage>,
}

impl TargetImage {
    /// The key of the target.
    pub fn key(&self) -> TargetKey {
        TargetKey::new(self.layout, self.target)
    }

    /// A state of the task's puzzle as a puzzle on this board, with this target's colour.
    pub(crate) fn puzzle(&self, task: &Task, state: &State) -> Result<Puzzle> {
        let board = task.puzzle.board();
        let image = |cell| self.symmetry.cell(cell, board.width(), board.height());
        let mut cells: Vec<Cell> = state.cells().iter().map(|&cell| image(cell)).collect();
        let goal = Goal {
            robot: goal_robot(self.target, cells.len()),
            cell: self.target.cell,
        };
        // The robot that arrives keeps its role under its new colour.
        if let (Some(from), Some(to)) = (task.puzzle.goal().robot, goal.robot) {
            cells.swap(from.index(), to.index());
        }
        Puzzle::new(self.layout.board(), &cells, goal)
            .map_err(anyhow::Error::new)
            .with_context(|| format!("a state of {}", self.key()))
    }
}

/// The robot of a target; with fewer robots than colours, the first one stands in for the missing ones.
fn goal_robot(target: Target, robots: usize) -> Option<Robot> {
    target.robot.map(|robot| {
        if robot.index() < robots {
            robot
        } else {
            Robot::RED
        }
    })
}

/// The searches for all targets of some layouts, in the order of the layouts; a rotated layout counts
/// as the same one.
///
/// # Errors
/// If there are no robots, too many, or too few for the colours of the diagonals.
pub fn tasks(layouts: &[Layout], robots: usize) -> Result<Vec<Task>> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut known: HashMap<Vec<u8>, (usize, Symmetry)> = HashMap::new();
    let mut seen = std::collections::HashSet::new();
    for layout in layouts.iter().map(|layout| layout.canonical()) {
        if !seen.insert(layout) {
            continue;
        }
        let board = layout.board();
        ensure!(
            robots >= 4 || board.diagonals().is_empty(),
            "{layout} has diagonals of four colours: its census needs at least 4 robots"
        );
        let open: Vec<Cell> = board.cells().filter(|&c| !board.is_closed(c)).collect();
        let cells = open
            .get(..robots)
            .with_context(|| format!("{robots} robots have no room"))?;
        for target in board.targets() {
            let goal = Goal {
                robot: goal_robot(*target, robots),
                cell: target.cell,
            };
            let (form, symmetry) = normal_form(&board, *target);
            let mut member = TargetImage {
                layout,
                target: *target,
                symmetry: Symmetry::ALL[0],
            };
            if let Some(&(number, first)) = known.get(&form) {
                // By the first one's symmetry to the common form, from there to this board.
                member.symmetry = between(first, symmetry);
                tasks[number].targets.push(member);
            } else {
                known.insert(form, (tasks.len(), symmetry));
                tasks.push(Task {
                    puzzle: Puzzle::new(board.clone(), cells, goal)?,
                    targets: vec![member],
                });
            }
        }
    }
    Ok(tasks)
}

/// The smallest of the eight images of a board with its target, as bytes, and the symmetry that leads
/// to it. On boards with diagonals colours matter, so these are left as they are.
fn normal_form(board: &Board, target: Target) -> (Vec<u8>, Symmetry) {
    let any = u8::from(target.robot.is_none());
    if !board.diagonals().is_empty() {
        let mut form = board.walls().to_vec();
        for diagonal in board.diagonals() {
            let (lean, robot) = (diagonal.lean as u8, diagonal.color.index() as u8);
            form.extend([diagonal.cell.x, diagonal.cell.y, lean, robot]);
        }
        let robot = target.robot.map_or(u8::MAX, |robot| robot.index() as u8);
        form.extend([target.cell.x, target.cell.y, robot]);
        return (form, Symmetry::ALL[0]);
    }
    Symmetry::ALL
        .into_iter()
        .map(|symmetry| {
            let cell = symmetry.cell(target.cell, board.width(), board.height());
            let mut form = board.transformed(symmetry).walls().to_vec();
            form.extend([cell.x, cell.y, any]);
            (form, symmetry)
        })
        .min_by(|(a, _), (b, _)| a.cmp(b))
        .expect("there are eight")
}

/// The symmetry of a square that equals `first` followed by the inverse of `second`.
fn between(first: Symmetry, second: Symmetry) -> Symmetry {
    const SIDE: usize = 16;
    let probes = [Cell::new(1, 2), Cell::new(0, 5)];
    Symmetry::ALL
        .into_iter()
        .find(|symmetry| {
            probes.iter().all(|&cell| {
                second.cell(symmetry.cell(cell, SIDE, SIDE), SIDE, SIDE)
                    == first.cell(cell, SIDE, SIDE)
            })
        })
        .expect("the eight symmetries are a group")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ricochet_core::quadrants::Edition;

    #[test]
    fn the_edition_of_1999_has_1632_targets_and_none_twice() {
        let tasks = tasks(&Edition::Of1999.layouts(), 4).unwrap();
        let targets: usize = tasks.iter().map(|task| task.targets.len()).sum();
        assert_eq!(targets, 96 * 17);
        let keys: std::collections::HashSet<TargetKey> = tasks
            .iter()
            .flat_map(|task| task.targets.iter().map(TargetImage::key))
            .collect();
        assert_eq!(keys.len(), targets);
    }

    #[test]
    fn a_turned_layout_is_the_same_layout() {
        let layout: Layout = "1A 4B 3B 2B".parse().unwrap();
        let turned: Layout = "3B 2B 1A 4B".parse().unwrap();
        assert_eq!(tasks(&[layout, turned], 4).unwrap().len(), 17);
    }

    #[test]
    fn the_way_between_two_images_leads_over_the_common_form() {
        for first in Symmetry::ALL {
            for second in Symmetry::ALL {
                let way = between(first, second);
                for cell in [Cell::new(3, 9), Cell::new(15, 0)] {
                    assert_eq!(
                        second.cell(way.cell(cell, 16, 16), 16, 16),
                        first.cell(cell, 16, 16)
                    );
                }
            }
        }
    }

    #[test]
    fn fewer_robots_than_colours_are_played_by_the_first() {
        let layout: Layout = "1A 4B 3B 2B".parse().unwrap();
        for task in tasks(&[layout], 2).unwrap() {
            let goal = task.puzzle.goal().robot;
            assert!(goal.is_none_or(|robot| robot.index() < 2));
        }
        let diagonal: Layout = "1D 2A 3A 4A".parse().unwrap();
        assert!(tasks(&[diagonal], 3).is_err());
        assert!(tasks(&[layout], 0).is_err());
    }
}
