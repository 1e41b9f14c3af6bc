//! Puzzles as `NumPy` arrays, and back.

use std::sync::Arc;

use numpy::{
    PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyUntypedArrayMethods, ToPyArray,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use ricochet_core::{Cell, Diagonal, Direction, Goal, Lean, Robot, Rules};

use crate::errors;
use crate::puzzle::Puzzle;

/// Planes that every observation has: four of walls and two of diagonals.
const FIXED_PLANES: usize = 6;

/// The number of planes of a puzzle, by its number of robots.
pub(crate) fn plane_count(robots: usize) -> usize {
    FIXED_PLANES + 2 * robots
}

/// The plane of a robot's place.
pub(crate) fn robot_plane(robot: usize) -> usize {
    FIXED_PLANES + robot
}

/// Writes the planes of a puzzle: walls N E S W, diagonals `/` and `\` (1 + colour), the robots, the
/// target of each robot.
pub(crate) fn fill_planes(puzzle: &ricochet_core::Puzzle, out: &mut [u8]) {
    let board = puzzle.board();
    let cells = board.cell_count();
    out.fill(0);
    for (cell, &mask) in board.walls().iter().enumerate() {
        for side in Direction::ALL {
            out[side.index() * cells + cell] = u8::from(mask & side.wall_bit() != 0);
        }
    }
    for diagonal in board.diagonals() {
        let plane = match diagonal.lean {
            Lean::Slash => 4,
            Lean::Backslash => 5,
        };
        out[plane * cells + board.index(diagonal.cell)] = 1 + diagonal.color.index() as u8;
    }
    let goal = puzzle.goal();
    let robots = puzzle.start().len();
    for (robot, cell) in puzzle.start().iter() {
        out[robot_plane(robot.index()) * cells + board.index(cell)] = 1;
        if goal.robot.is_none_or(|active| active == robot) {
            out[(FIXED_PLANES + robots + robot.index()) * cells + board.index(goal.cell)] = 1;
        }
    }
}

/// The code of a diagonal in an array: 1 + 2 × colour + lean.
pub(crate) fn diagonal_code(diagonal: Diagonal) -> u8 {
    let lean = match diagonal.lean {
        Lean::Slash => 0,
        Lean::Backslash => 1,
    };
    1 + 2 * diagonal.color.index() as u8 + lean
}

/// Columns, rows and robots that all puzzles have in common.
pub(crate) fn common_shape(
    puzzles: &[Arc<ricochet_core::Puzzle>],
) -> PyResult<(usize, usize, usize)> {
    let shape = |puzzle: &ricochet_core::Puzzle| {
        let board = puzzle.board();
        (board.width(), board.height(), puzzle.start().len())
    };
    let first = puzzles
        .first()
        .map(|puzzle| shape(puzzle))
        .ok_or_else(|| errors::bad("no puzzles"))?;
    match puzzles.iter().position(|puzzle| shape(puzzle) != first) {
        None => Ok(first),
        Some(at) => {
            let (width, height, robots) = shape(&puzzles[at]);
            Err(errors::bad(format!(
                "puzzle {at} has {width}×{height} cells and {robots} robots, puzzle 0 has {}×{} and {}: arrays need one shape",
                first.0, first.1, first.2
            )))
        }
    }
}

/// Puzzles of one shape as arrays. Names and printed targets are left out.
#[pyfunction]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    puzzles: Vec<Bound<'py, Puzzle>>,
) -> PyResult<Bound<'py, PyDict>> {
    let puzzles: Vec<_> = puzzles
        .iter()
        .map(|puzzle| puzzle.get().0.clone())
        .collect();
    let (width, height, robots) = common_shape(&puzzles)?;
    let (n, cells) = (puzzles.len(), width * height);
    let mut walls = Vec::with_capacity(n * cells);
    let mut diagonals = vec![0_u8; n * cells];
    let mut places = Vec::with_capacity(n * robots * 2);
    let mut targets = Vec::with_capacity(n * 2);
    let mut target_robots = Vec::with_capacity(n);
    let mut rules = Vec::with_capacity(n);
    let mut optimum = Vec::with_capacity(n);
    for (i, puzzle) in puzzles.iter().enumerate() {
        let board = puzzle.board();
        walls.extend_from_slice(board.walls());
        for diagonal in board.diagonals() {
            diagonals[i * cells + board.index(diagonal.cell)] = diagonal_code(*diagonal);
        }
        for cell in puzzle.start().cells() {
            places.extend([cell.x, cell.y]);
        }
        let goal = puzzle.goal();
        targets.extend([goal.cell.x, goal.cell.y]);
        target_robots.push(goal.robot.map_or(-1, |robot| robot.index() as i8));
        rules.push(puzzle.rules().must_ricochet);
        optimum.push(puzzle.known_optimal().map_or(-1, |optimum| optimum as i32));
    }
    let arrays = PyDict::new(py);
    arrays.set_item("walls", walls.to_pyarray(py).reshape([n, height, width])?)?;
    arrays.set_item(
        "diagonals",
        diagonals.to_pyarray(py).reshape([n, height, width])?,
    )?;
    arrays.set_item("robots", places.to_pyarray(py).reshape([n, robots, 2])?)?;
    arrays.set_item("target", targets.to_pyarray(py).reshape([n, 2])?)?;
    arrays.set_item("target_robot", target_robots.to_pyarray(py))?;
    arrays.set_item("must_ricochet", rules.to_pyarray(py))?;
    arrays.set_item("optimum", optimum.to_pyarray(py))?;
    Ok(arrays)
}

/// The puzzles of arrays; the inverse of `encode`.
#[pyfunction]
#[pyo3(signature = (walls, diagonals, robots, target, target_robot, must_ricochet, optimum))]
pub(crate) fn decode(
    walls: PyReadonlyArray3<'_, u8>,
    diagonals: PyReadonlyArray3<'_, u8>,
    robots: PyReadonlyArray3<'_, u8>,
    target: PyReadonlyArray2<'_, u8>,
    target_robot: PyReadonlyArray1<'_, i8>,
    must_ricochet: PyReadonlyArray1<'_, bool>,
    optimum: PyReadonlyArray1<'_, i32>,
) -> PyResult<Vec<Puzzle>> {
    let n = walls.shape()[0];
    let lengths = [
        diagonals.shape()[0],
        robots.shape()[0],
        target.shape()[0],
        target_robot.shape()[0],
        must_ricochet.shape()[0],
        optimum.shape()[0],
    ];
    if lengths.iter().any(|&length| length != n)
        || diagonals.shape() != walls.shape()
        || robots.shape()[2] != 2
        || target.shape()[1] != 2
    {
        return Err(errors::bad(
            "the arrays do not belong together: their shapes differ",
        ));
    }
    let (height, width) = (walls.shape()[1], walls.shape()[2]);
    let (walls, diagonals, robots) = (walls.as_array(), diagonals.as_array(), robots.as_array());
    let (target, target_robot) = (target.as_array(), target_robot.as_array());
    let (must_ricochet, optimum) = (must_ricochet.as_array(), optimum.as_array());
    let mut board: Option<Arc<ricochet_core::Board>> = None;
    let mut puzzles = Vec::with_capacity(n);
    for i in 0..n {
        let wrong = |error| errors::at(i, "row", errors::invalid(error));
        let masks: Vec<u8> = walls
            .index_axis(numpy::ndarray::Axis(0), i)
            .iter()
            .copied()
            .collect();
        let mut list = Vec::new();
        for (cell, &code) in diagonals
            .index_axis(numpy::ndarray::Axis(0), i)
            .iter()
            .enumerate()
        {
            if code > 0 {
                let color = Robot::new(usize::from(code - 1) / 2);
                let color = color.ok_or_else(|| {
                    errors::at(
                        i,
                        "row",
                        errors::bad(format!("{code} is not the code of a diagonal")),
                    )
                })?;
                let lean = if code % 2 == 1 {
                    Lean::Slash
                } else {
                    Lean::Backslash
                };
                let cell = Cell::new((cell % width) as u8, (cell / width) as u8);
                list.push(Diagonal { cell, lean, color });
            }
        }
        // Rows often share a board; it is made once.
        let same = board.as_ref().is_some_and(|board| {
            board.walls() == masks && board.diagonals() == list && board.width() == width
        });
        if !same {
            let made = ricochet_core::Board::from_parts(width, height, &masks, list, vec![]);
            board = Some(Arc::new(made.map_err(wrong)?));
        }
        let board = board.as_ref().expect("it was just made");
        let cells: Vec<Cell> = (0..robots.shape()[1])
            .map(|robot| Cell::new(robots[[i, robot, 0]], robots[[i, robot, 1]]))
            .collect();
        let robot = match target_robot[i] {
            -1 => None,
            number => Some(
                usize::try_from(number)
                    .ok()
                    .and_then(Robot::new)
                    .ok_or_else(|| {
                        errors::at(i, "row", errors::bad(format!("there is no robot {number}")))
                    })?,
            ),
        };
        let goal = Goal {
            robot,
            cell: Cell::new(target[[i, 0]], target[[i, 1]]),
        };
        let puzzle = ricochet_core::Puzzle::new(Arc::clone(board), &cells, goal)
            .map_err(wrong)?
            .with_rules(Rules {
                must_ricochet: must_ricochet[i],
            })
            .with_optimal(u32::try_from(optimum[i]).ok());
        puzzles.push(Puzzle(Arc::new(puzzle)));
    }
    Ok(puzzles)
}

/// The observation planes of puzzles of one shape: `(n, planes, rows, columns)`.
#[pyfunction]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    puzzles: Vec<Bound<'py, Puzzle>>,
) -> PyResult<Bound<'py, PyArray4<u8>>> {
    let puzzles: Vec<_> = puzzles
        .iter()
        .map(|puzzle| puzzle.get().0.clone())
        .collect();
    let (width, height, robots) = common_shape(&puzzles)?;
    let count = plane_count(robots);
    let each = count * width * height;
    let mut out = vec![0_u8; puzzles.len() * each];
    for (puzzle, out) in puzzles.iter().zip(out.chunks_exact_mut(each)) {
        fill_planes(puzzle, out);
    }
    out.to_pyarray(py)
        .reshape([puzzles.len(), count, height, width])
}

/// The mutable bytes of an array, or why there are none.
pub(crate) fn bytes_of<'a, T: numpy::Element, D: numpy::ndarray::Dimension>(
    array: &'a mut numpy::PyReadwriteArray<'_, T, D>,
    wanted: usize,
    name: &str,
) -> PyResult<&'a mut [T]> {
    let slice = array
        .as_slice_mut()
        .map_err(|_| errors::bad(format!("the array {name} is not contiguous")))?;
    if slice.len() == wanted {
        Ok(slice)
    } else {
        let found = slice.len();
        Err(errors::bad(format!(
            "the array {name} has {found} values instead of {wanted}"
        )))
    }
}
