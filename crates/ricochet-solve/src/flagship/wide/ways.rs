//! The ways of a robot over a board: the cells it passes, in order, from each cell in each
//! direction.

use ricochet_core::{Board, Direction, Robot};

use super::lines::Lines;
use crate::lowlevel::word_set::WordSet;

/// The ways of all robots that share them: a robot passes through diagonals of its own colour.
pub(crate) struct RobotWays {
    /// The cells of all ways; the cells of one way are adjacent.
    cells: Vec<u16>,
    /// By cell and direction N, E, S, W: the index of the way's first cell, and its length.
    way: Vec<[(u32, u16); 4]>,
    /// Where each move ends if no other robot is in the way.
    ends: Vec<[u16; 4]>,
    /// Row and column of each cell.
    row_columns: Vec<[u8; 2]>,
    /// By cell and direction: the cells of a straight way as bits of their line; 0 for a bent way.
    spans: Vec<[u32; 4]>,
    /// By cell: a bit for each direction in which the way is bent.
    bent: Vec<u8>,
    width: u16,
}

impl RobotWays {
    pub(crate) fn new(board: &Board, robot: Robot) -> Self {
        if board.diagonals().iter().any(|d| d.color != robot) {
            Self::bent(board, robot)
        } else {
            Self::straight(board)
        }
    }

    /// Without diagonals, all ways are slices of four lists of all cells: by columns northwards, by
    /// rows eastwards, by columns southwards, by rows westwards.
    fn straight(board: &Board) -> Self {
        let (width, height) = (board.width(), board.height());
        let count = width * height;
        let walls = board.walls();
        let by_columns = (0..count).map(|i| (i % height * width + i / height) as u16);
        let by_rows = 0..count as u16;
        let mut cells: Vec<u16> = by_columns.clone().rev().collect();
        cells.extend(by_rows.clone());
        cells.extend(by_columns);
        cells.extend(by_rows.rev());
        let mut way = vec![[(0, 0); 4]; count];
        let mut ends = vec![[0; 4]; count];
        for list in 0..4 {
            let direction = Direction::ALL[list];
            // From the end of each way backwards: each way is one cell longer than that of the next
            // cell.
            for index in (list * count..(list + 1) * count).rev() {
                let cell = usize::from(cells[index]);
                let (length, end) = if walls[cell] & direction.wall_bit() != 0 {
                    (0, cell as u16)
                } else {
                    let next = usize::from(cells[index + 1]);
                    (way[next][list].1 + 1, ends[next][list])
                };
                way[cell][list] = (index as u32 + 1, length);
                ends[cell][list] = end;
            }
        }
        let row_columns = row_columns(board);
        Self {
            spans: spans(&row_columns, &ends),
            bent: vec![0; count],
            cells,
            way,
            ends,
            row_columns,
            width: width as u16,
        }
    }

    fn bent(board: &Board, robot: Robot) -> Self {
        let count = board.cell_count();
        let mut leans = vec![None; count];
        for diagonal in board.diagonals().iter().filter(|d| d.color != robot) {
            leans[board.index(diagonal.cell)] = Some(diagonal.lean);
        }
        let width = board.width();
        let mut cells = Vec::new();
        let mut way = vec![[(0, 0); 4]; count];
        let mut ends = vec![[0; 4]; count];
        let mut bent = vec![0; count];
        for from in 0..count {
            for direction in Direction::ALL {
                let begin = cells.len();
                let mut is_bent = false;
                let (mut at, mut heading) = (from, direction);
                let end = loop {
                    if board.walls()[at] & heading.wall_bit() != 0 {
                        break at;
                    }
                    at = match heading {
                        Direction::North => at - width,
                        Direction::East => at + 1,
                        Direction::South => at + width,
                        Direction::West => at - 1,
                    };
                    // Every way can be travelled backwards, so an endless one passes its first cell
                    // again in the same direction. Such a move is not legal.
                    if heading == direction && cells.get(begin) == Some(&(at as u16)) {
                        break from;
                    }
                    cells.push(at as u16);
                    is_bent |= heading != direction;
                    if let Some(lean) = leans[at] {
                        heading = lean.deflect(heading);
                    }
                };
                way[from][direction.index()] = (begin as u32, (cells.len() - begin) as u16);
                ends[from][direction.index()] = end as u16;
                bent[from] |= u8::from(is_bent) << direction.index();
            }
        }
        let row_columns = row_columns(board);
        let mut spans = spans(&row_columns, &ends);
        for (spans, bent) in spans.iter_mut().zip(&bent) {
            for (d, span) in spans.iter_mut().enumerate() {
                if bent >> d & 1 != 0 {
                    *span = 0;
                }
            }
        }
        Self {
            cells,
            way,
            ends,
            row_columns,
            spans,
            bent,
            width: width as u16,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let bytes = size_of_val(&self.cells[..])
            + size_of_val(&self.way[..])
            + size_of_val(&self.ends[..])
            + size_of_val(&self.row_columns[..])
            + size_of_val(&self.spans[..])
            + size_of_val(&self.bent[..]);
        bytes as u64
    }

    /// The cells that a robot passes if no other robot is in the way.
    #[inline]
    pub(crate) fn way(&self, from: u16, d: usize) -> &[u16] {
        let (begin, length) = self.way[usize::from(from)][d];
        &self.cells[begin as usize..begin as usize + usize::from(length)]
    }

    /// Where a move ends if no other robot is in the way.
    #[inline]
    pub(crate) fn end(&self, from: u16, d: usize) -> u16 {
        self.ends[usize::from(from)][d]
    }

    /// Whether a way is bent. The end of a move on a straight way can be computed from lines alone.
    #[inline]
    pub(crate) fn is_bent(&self, from: u16, d: usize) -> bool {
        self.bent[usize::from(from)] >> d & 1 != 0
    }

    /// The given cells by rows and columns.
    #[inline]
    pub(crate) fn lines(&self, cells: impl Iterator<Item = u16>) -> Lines {
        let mut lines = Lines::EMPTY;
        for cell in cells {
            lines.insert(self.row_columns[usize::from(cell)]);
        }
        lines
    }

    /// Where the four moves end, with other robots on the cells of `blocked`; `lines` has the same
    /// cells.
    #[inline]
    pub(crate) fn ends<const W: usize>(
        &self,
        from: u16,
        lines: &Lines,
        blocked: &WordSet<W>,
    ) -> [u16; 4] {
        let mut ends = self.ends[usize::from(from)];
        let row_column = self.row_columns[usize::from(from)];
        let met = lines.met(row_column, self.spans[usize::from(from)]);
        if met != [0; 4] {
            for d in 0..4 {
                ends[d] = self.before(ends[d], d, met[d], from);
            }
        }
        if self.bent[usize::from(from)] != 0 {
            for d in (0..4).filter(|&d| self.is_bent(from, d)) {
                let way = self.way(from, d);
                if let Some(met) = way.iter().position(|&cell| blocked.has(cell)) {
                    ends[d] = if met == 0 { from } else { way[met - 1] };
                }
            }
        }
        ends
    }

    /// Where a move on a straight way ends, and whether it passes one of the cells of `passed`.
    #[inline]
    pub(crate) fn straight_end(
        &self,
        from: u16,
        d: usize,
        robots: &Lines,
        passed: &Lines,
    ) -> (u16, bool) {
        let row_column = self.row_columns[usize::from(from)];
        let span = self.spans[usize::from(from)][d];
        let met = robots.line(row_column, d) & span;
        let end = self.before(self.ends[usize::from(from)][d], d, met, from);
        let free = match d {
            _ if met == 0 => span,
            0 | 3 => span & (u32::MAX << 1 << met.ilog2()),
            _ => span & (met & met.wrapping_neg()).wrapping_sub(1),
        };
        (end, passed.line(row_column, d) & free != 0)
    }

    /// The cell before the first obstacle in `met` on a straight way; `end` if there is none.
    #[inline]
    fn before(&self, end: u16, d: usize, met: u32, from: u16) -> u16 {
        if met == 0 {
            return end;
        }
        let [row, column] = self.row_columns[usize::from(from)].map(u16::from);
        let (last, first) = (met.ilog2() as u16, met.trailing_zeros() as u16);
        match d {
            0 => from - (row - last - 1) * self.width,
            1 => from + (first - column - 1),
            2 => from + (first - row - 1) * self.width,
            _ => from - (column - last - 1),
        }
    }
}

fn row_columns(board: &Board) -> Vec<[u8; 2]> {
    let width = board.width();
    (0..board.cell_count())
        .map(|cell| [(cell / width) as u8, (cell % width) as u8])
        .collect()
}

/// The cells of all straight ways as bits of their lines.
fn spans(row_columns: &[[u8; 2]], ends: &[[u16; 4]]) -> Vec<[u32; 4]> {
    let spans = row_columns.iter().zip(ends).map(|(&[row, column], ends)| {
        let to = ends.map(|end| row_columns[usize::from(end)]);
        [
            between(to[0][0], row),
            between(column + 1, to[1][1] + 1),
            between(row + 1, to[2][0] + 1),
            between(to[3][1], column),
        ]
    });
    spans.collect()
}

/// The bits from `from` up to but not including `to`.
fn between(from: u8, to: u8) -> u32 {
    (1u64 << to).wrapping_sub(1u64 << from) as u32
}

#[cfg(test)]
mod tests {
    use super::RobotWays;
    use crate::lowlevel::word_set::WordSet;
    use ricochet_core::{Board, Cell, Direction, Lean, Robot};

    /// Checks that all ways of all robots end where the rules say, with any other robot in the way.
    fn agrees(board: &Board) {
        for robot in [Robot::RED, Robot::GREEN] {
            let ways = RobotWays::new(board, robot);
            for from in board.cells() {
                for other in board.cells().filter(|&other| other != from) {
                    let number = board.index(other) as u16;
                    let mut blocked = WordSet::<16>::EMPTY;
                    blocked.insert(number);
                    let lines = ways.lines([number].into_iter());
                    let ends = ways.ends(board.index(from) as u16, &lines, &blocked);
                    for direction in Direction::ALL {
                        let expected = board.slide(robot, from, direction, &[from, other]);
                        let end = board.cell(usize::from(ends[direction.index()]));
                        assert_eq!(end, expected, "{from} {direction:?} with {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn ways_end_where_the_rules_say() {
        let straight = Board::builder(7, 5)
            .wall(Cell::new(2, 2), Direction::East)
            .wall(Cell::new(4, 1), Direction::South)
            .close(Cell::new(5, 3));
        agrees(&straight.build().unwrap());
        let bent = Board::builder(6, 9)
            .wall(Cell::new(2, 2), Direction::East)
            .diagonal(Cell::new(1, 1), Lean::Slash, Robot::RED)
            .diagonal(Cell::new(4, 1), Lean::Backslash, Robot::GREEN)
            .diagonal(Cell::new(4, 6), Lean::Slash, Robot::BLUE)
            .diagonal(Cell::new(1, 6), Lean::Backslash, Robot::BLUE);
        agrees(&bent.build().unwrap());
        let ring = Board::builder(6, 6)
            .diagonal(Cell::new(1, 1), Lean::Slash, Robot::BLUE)
            .diagonal(Cell::new(4, 1), Lean::Backslash, Robot::BLUE)
            .diagonal(Cell::new(4, 4), Lean::Slash, Robot::BLUE)
            .diagonal(Cell::new(1, 4), Lean::Backslash, Robot::BLUE);
        agrees(&ring.build().unwrap());
    }
}
