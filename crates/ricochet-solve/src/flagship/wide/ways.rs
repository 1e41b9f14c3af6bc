//! The ways of a robot over a board: which cells it passes, in order, from each cell in each
//! direction.

use ricochet::{Board, Direction, Robot};

use crate::word_set::WordSet;

/// The ways of all robots that see the board alike: diagonals let those of their own colour pass.
pub(crate) struct RobotWays {
    /// The cells of all ways; those of one way are beside each other.
    cells: Vec<u16>,
    /// By cell and direction N, E, S, W: where the way begins among the cells, and its length.
    way: Vec<[(u32, u16); 4]>,
    /// Where the moves end if no other robot stands in the way.
    ends: Vec<[u16; 4]>,
    /// Row and column of each cell, on boards where all ways are straight.
    lines: Vec<[u8; 2]>,
}

impl RobotWays {
    pub(crate) fn new(board: &Board, robot: Robot) -> Self {
        if board.diagonals().iter().any(|d| d.color != robot) {
            Self::bent(board, robot)
        } else {
            Self::straight(board)
        }
    }

    /// Without diagonals all ways are pieces of four lists of all cells: by columns northwards, by
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
            // From the end of each way backwards: one cell longer than from the next cell.
            for place in (list * count..(list + 1) * count).rev() {
                let cell = usize::from(cells[place]);
                let (length, end) = if walls[cell] & direction.wall_bit() != 0 {
                    (0, cell as u16)
                } else {
                    let next = usize::from(cells[place + 1]);
                    (way[next][list].1 + 1, ends[next][list])
                };
                way[cell][list] = (place as u32 + 1, length);
                ends[cell][list] = end;
            }
        }
        let lines = (0..count)
            .map(|cell| [(cell / width) as u8, (cell % width) as u8])
            .collect();
        Self {
            cells,
            way,
            ends,
            lines,
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
        for from in 0..count {
            for direction in Direction::ALL {
                let begin = cells.len();
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
                    // Every way can be gone back, so one that comes round for ever comes by its
                    // first cell again in the same direction: that is no move.
                    if heading == direction && cells.get(begin) == Some(&(at as u16)) {
                        break from;
                    }
                    cells.push(at as u16);
                    if let Some(lean) = leans[at] {
                        heading = lean.deflect(heading);
                    }
                };
                way[from][direction.index()] = (begin as u32, (cells.len() - begin) as u16);
                ends[from][direction.index()] = end as u16;
            }
        }
        Self {
            cells,
            way,
            ends,
            lines: Vec::new(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let bytes = size_of_val(&self.cells[..])
            + size_of_val(&self.way[..])
            + size_of_val(&self.ends[..])
            + size_of_val(&self.lines[..]);
        bytes as u64
    }

    /// The cells that a robot passes, as far as walls are concerned.
    #[inline]
    pub(crate) fn way(&self, from: u16, d: usize) -> &[u16] {
        let (begin, length) = self.way[usize::from(from)][d];
        &self.cells[begin as usize..begin as usize + usize::from(length)]
    }

    /// Where a move ends if no other robot stands in the way.
    #[inline]
    pub(crate) fn end(&self, from: u16, d: usize) -> u16 {
        self.ends[usize::from(from)][d]
    }

    /// Where the four moves end, with other robots on `others`, which are the cells of `blocked`.
    #[inline]
    pub(crate) fn ends<const W: usize>(
        &self,
        from: u16,
        others: &[u16],
        blocked: &WordSet<W>,
    ) -> [u16; 4] {
        let mut ends = self.ends[usize::from(from)];
        let here = self.lines.get(usize::from(from));
        let apart = here.is_some_and(|here| {
            others.iter().all(|&other| {
                let there = self.lines[usize::from(other)];
                here[0] != there[0] && here[1] != there[1]
            })
        });
        if !apart {
            for (d, end) in ends.iter_mut().enumerate() {
                let way = self.way(from, d);
                if let Some(met) = way.iter().position(|&cell| blocked.has(cell)) {
                    *end = if met == 0 { from } else { way[met - 1] };
                }
            }
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::RobotWays;
    use crate::word_set::WordSet;
    use ricochet::{Board, Cell, Direction, Lean, Robot};

    /// All ways of all robots end where the rules say, with any other robot in the way.
    fn agrees(board: &Board) {
        for robot in [Robot::RED, Robot::GREEN] {
            let ways = RobotWays::new(board, robot);
            for from in board.cells() {
                for other in board.cells().filter(|&other| other != from) {
                    let number = board.index(other) as u16;
                    let mut blocked = WordSet::<16>::EMPTY;
                    blocked.insert(number);
                    let ends = ways.ends(board.index(from) as u16, &[number], &blocked);
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
