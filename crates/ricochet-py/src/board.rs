//! `Board`.

use std::sync::Arc;

use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyType;
use ricochet_core::quadrants::Layout;
use ricochet_core::{Cell, Diagonal, Goal, Lean, Robot, Shape, Target, notation};

use crate::arguments;
use crate::errors;
use crate::moves::hash_of;

/// A board: size, walls, diagonals and printed targets.
///
/// Its text is the part of the one-line notation that describes boards: `Board("1A4B3B2B")` is an
/// official layout, `Board("8x8.")` has nothing but its rim.
#[pyclass(frozen, module = "ricochet_engine", skip_from_py_object)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Board(pub(crate) Arc<ricochet_core::Board>);

/// A diagonal: x, y, lean, colour.
type DiagonalRow = (u8, u8, char, &'static str);

/// A printed target: x, y, colour or none, shape.
type TargetRow = (u8, u8, Option<&'static str>, &'static str);

#[pymethods]
impl Board {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        // A placeholder: neither board nor position is used.
        let parts: Vec<&str> = text.split('.').collect();
        let parts_of_board = if text
            .split('.')
            .next()
            .is_some_and(|first| first.contains('x'))
        {
            2
        } else {
            1
        };
        if parts.len() < parts_of_board {
            return Err(no_board(text));
        }
        let (board, options) = parts.split_at(parts_of_board);
        let mut line = format!("{}.00.V00", board.join("."));
        for option in options {
            line.push('.');
            line.push_str(option);
        }
        let setup = notation::parse_line(&line).map_err(|error| {
            // Where the text ends too early, the error would speak of what was added.
            if error.column > text.chars().count() {
                no_board(text)
            } else {
                errors::unreadable(error)
            }
        })?;
        Self::of_parts(
            setup.width,
            setup.height,
            &setup.walls,
            setup.diagonals,
            setup.targets,
        )
    }

    /// Makes a board of wall masks (N=1, E=2, S=4, W=8), as rows or as one list row by row, diagonals `(x, y, "/", colour)` and
    /// printed targets `(x, y, colour or None, shape)`.
    #[classmethod]
    #[pyo3(signature = (width, height, walls, diagonals = None, targets = None))]
    fn from_walls(
        _: &Bound<'_, PyType>,
        width: &Bound<'_, PyAny>,
        height: &Bound<'_, PyAny>,
        walls: &Bound<'_, PyAny>,
        diagonals: Option<&Bound<'_, PyAny>>,
        targets: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        type DiagonalGiven = (u8, u8, char, String);
        type TargetGiven = (u8, u8, Option<String>, String);
        let width = arguments::number(width, "width", 255)? as usize;
        let height = arguments::number(height, "height", 255)? as usize;
        let walls = arguments::walls(walls, height, width)?;
        let diagonals: Vec<DiagonalGiven> =
            arguments::rows(diagonals, "diagonals", "(x, y, lean, colour)")?;
        let targets: Vec<TargetGiven> =
            arguments::rows(targets, "targets", "(x, y, colour or None, shape)")?;
        let robot = |name: &str| {
            Robot::from_name(name).ok_or_else(|| errors::bad(format!("'{name}' is not a colour")))
        };
        let diagonals = diagonals
            .iter()
            .map(|(x, y, lean, color)| {
                Ok(Diagonal {
                    cell: Cell::new(*x, *y),
                    lean: Lean::from_symbol(*lean)
                        .ok_or_else(|| errors::bad(format!("'{lean}' is not / or \\")))?,
                    color: robot(color)?,
                })
            })
            .collect::<PyResult<_>>()?;
        let targets = targets
            .iter()
            .map(|(x, y, color, shape)| {
                Ok(Target {
                    cell: Cell::new(*x, *y),
                    robot: color.as_deref().map(robot).transpose()?,
                    shape: Shape::from_name(shape)
                        .ok_or_else(|| errors::bad(format!("'{shape}' is not a shape")))?,
                })
            })
            .collect::<PyResult<_>>()?;
        Self::of_parts(width, height, &walls, diagonals, targets)
    }

    /// Columns.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> usize {
        self.0.height()
    }

    /// The wall masks (N=1, E=2, S=4, W=8) as an array of rows.
    #[getter]
    fn walls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let flat = self.0.walls().to_pyarray(py);
        flat.reshape([self.0.height(), self.0.width()])
    }

    /// The official layout that the walls are, such as `1A4B3B2B`.
    #[getter]
    fn layout(&self) -> Option<String> {
        Layout::from_walls(&self.0).map(|layout| layout.to_string().replace(' ', ""))
    }

    /// Diagonals as `(x, y, "/" or "\\", colour)`.
    #[getter]
    fn diagonals(&self) -> Vec<DiagonalRow> {
        let row = |it: &Diagonal| (it.cell.x, it.cell.y, it.lean.symbol(), it.color.name());
        self.0.diagonals().iter().map(row).collect()
    }

    /// Printed targets as `(x, y, colour or None, shape)`.
    #[getter]
    fn targets(&self) -> Vec<TargetRow> {
        let row = |it: &Target| {
            let color = it.robot.map(Robot::name);
            (it.cell.x, it.cell.y, color, it.shape.name())
        };
        self.0.targets().iter().map(row).collect()
    }

    /// Its text.
    #[getter]
    fn text(&self) -> String {
        // The line of some puzzle on it, without that puzzle.
        let Some(cell) = self.0.cells().find(|&cell| !self.0.is_closed(cell)) else {
            return self.closed_text();
        };
        let goal = Goal { robot: None, cell };
        match ricochet_core::Puzzle::new(Arc::clone(&self.0), &[cell], goal) {
            Ok(puzzle) => without_position(&notation::to_line(&puzzle)),
            Err(_) => self.closed_text(),
        }
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.text())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get() == self)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.0.width(), self.0.walls()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.text(),))
    }

    /// The picture that notebooks show.
    fn _repr_svg_(&self) -> String {
        ricochet_draw::board_svg(&self.0)
    }
}

impl Board {
    fn of_parts(
        width: usize,
        height: usize,
        walls: &[u8],
        diagonals: Vec<Diagonal>,
        targets: Vec<Target>,
    ) -> PyResult<Self> {
        ricochet_core::Board::from_parts(width, height, walls, diagonals, targets)
            .map(|board| Self(Arc::new(board)))
            .map_err(errors::invalid)
    }

    /// A board without an open cell has no puzzle, but every wall: all its bits are ones.
    fn closed_text(&self) -> String {
        let (width, height) = (self.0.width(), self.0.height());
        let bits = (width - 1) * height + (height - 1) * width;
        let mut walls = "_".repeat(bits / 6);
        if bits % 6 > 0 {
            // The first bits of a sextet are its high ones.
            let value = (0x3f_u8 << (6 - bits % 6)) & 0x3f;
            let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            walls.push(char::from(digits[usize::from(value)]));
        }
        format!("{width}x{height}.{walls}")
    }
}

fn no_board(text: &str) -> PyErr {
    errors::bad(format!(
        "'{}' is not a board: expected a layout such as 1A4B3B2B, or size and walls such as 8x8.",
        text.chars().take(40).collect::<String>().escape_debug()
    ))
}

/// `1A4B3B2B.00.V00.t` as `1A4B3B2B.t`, `8x8..00.V00` as `8x8.`
fn without_position(line: &str) -> String {
    let parts: Vec<&str> = line.split('.').collect();
    let board = if parts[0].contains('x') { 2 } else { 1 };
    let kept: Vec<&str> = parts[..board]
        .iter()
        .chain(&parts[board + 2..])
        .copied()
        .collect();
    kept.join(".")
}
