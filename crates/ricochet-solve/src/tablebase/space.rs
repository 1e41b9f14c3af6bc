//! The numbering of all states of a board and goal.
//!
//! A state is a *configuration* of the helpers and the cell of one more robot, the *lead*: the
//! active robot, or any robot if any may arrive. The lead's cell is a bit of a set, the
//! configuration is the number of that set. Helpers that can stand for each other form a class,
//! and a class is numbered by the combinatorial number system: members `a < b < c` have the number
//! `C(a,1) + C(b,2) + C(c,3)`. On boards without diagonals there is one class.

use std::sync::Arc;

use ricochet_core::{Board, Cell, Direction, Goal, Puzzle, Robot, State};

use super::TablebaseError;
use crate::lowlevel::combinations::{Binomials, Layout, MAX_MEMBERS};
use crate::lowlevel::set256::Set256;

/// Most helpers that the numbering can hold (eight robots).
pub(crate) const MAX_HELPERS: usize = MAX_MEMBERS;

/// Helpers that can stand for each other.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// Who they are.
    pub(crate) robots: Vec<Robot>,
    /// What one step of this class's number adds to the configuration's.
    pub(crate) stride: usize,
    /// How many numbers the class has.
    pub(crate) count: usize,
}

/// Puts a member among the first `len`, which are ascending.
#[inline(always)]
fn insert(members: &mut [u16; MAX_HELPERS], len: usize, member: u16) {
    let mut at = len;
    while at > 0 && members[at - 1] > member {
        members[at] = members[at - 1];
        at -= 1;
    }
    members[at] = member;
}

/// The cells of all helpers, class by class, each class in ascending order.
pub(crate) type Helpers = Vec<Vec<u16>>;

/// All states of a board and goal.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::tablebase::Space;
/// let board = Board::builder(16, 16).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(3, 3) };
/// let robots = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0), Cell::new(3, 0)];
/// let puzzle = Puzzle::new(board, &robots, goal).unwrap();
/// let space = Space::of(&puzzle).unwrap();
/// assert_eq!(space.configurations(), 256 * 255 * 254 / 6);
/// assert_eq!(space.states(), 256 * 255 * 254 / 6 * 253);
/// ```
#[derive(Clone, Debug)]
pub struct Space {
    board: Arc<Board>,
    goal: Goal,
    robots: usize,
    /// The bit of each open cell, row by row. Helpers are counted in these.
    bits: Vec<u8>,
    /// The place in `bits`, or `u16::MAX` for a cell that is not open.
    places: Box<[u16; 256]>,
    open: Set256,
    lead: Robot,
    classes: Vec<Class>,
    configurations: usize,
    states: u64,
    alike: Vec<Robot>,
    copies: u64,
    binomials: Binomials,
}

impl Space {
    /// The space of a puzzle's board, goal and number of robots.
    ///
    /// # Errors
    /// [`TablebaseError::Unsupported`] for boards over 16×16 and for `must_ricochet`;
    /// [`TablebaseError::TooLarge`] if the configurations cannot even be numbered in 32 bits.
    pub fn of(puzzle: &Puzzle) -> Result<Self, TablebaseError> {
        if puzzle.rules().must_ricochet {
            return Err(TablebaseError::Unsupported {
                what: "must_ricochet",
            });
        }
        let board = puzzle.board();
        if board.width() > 16 || board.height() > 16 {
            return Err(TablebaseError::Unsupported {
                what: "a board over 16x16 cells",
            });
        }
        let binomials = Binomials::new();
        let mut bits = Vec::new();
        let mut places = Box::new([u16::MAX; 256]);
        for cell in board.cells().filter(|&cell| !board.is_closed(cell)) {
            let bit = bit_of(cell);
            places[bit] = bits.len() as u16;
            bits.push(bit as u8);
        }
        let cells = bits.len();
        let (lead, groups) = lead_and_classes(puzzle, |sizes| {
            sizes
                .iter()
                .fold(1u64, |n, &k| n.saturating_mul(binomials.row(k)[cells]))
        });
        let mut classes = Vec::new();
        let mut stride = 1u64;
        let mut states = (cells.saturating_sub(puzzle.start().len() - 1)) as u64;
        let mut free = cells as u64;
        for robots in groups {
            let count = binomials.row(robots.len())[cells];
            states = states.saturating_mul(binomials.row(robots.len())[free as usize]);
            free = free.saturating_sub(robots.len() as u64);
            classes.push(Class {
                stride: stride as usize,
                count: count as usize,
                robots,
            });
            stride = stride.saturating_mul(count);
        }
        if stride > u64::from(u32::MAX) {
            return Err(TablebaseError::TooLarge {
                configurations: stride,
                bytes: stride.saturating_mul(64),
                limit: super::DEFAULT_MEMORY,
            });
        }
        let alike = puzzle.interchangeable();
        let copies = if alike.contains(&lead) {
            alike.len() as u64
        } else {
            1
        };
        Ok(Self {
            board: Arc::clone(board),
            goal: puzzle.goal(),
            robots: puzzle.start().len(),
            open: bits.iter().map(|&bit| usize::from(bit)).collect(),
            bits,
            places,
            lead,
            classes,
            configurations: stride as usize,
            states: states / copies,
            alike,
            copies,
            binomials,
        })
    }

    /// The board.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Who has to arrive where.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Number of robots.
    pub fn robots(&self) -> usize {
        self.robots
    }

    /// How many helper configurations are numbered; where helpers of two classes stand on one cell
    /// the number stands for nothing.
    pub fn configurations(&self) -> usize {
        self.configurations
    }

    /// How many different states there are: the lead's cell times unordered helpers of each class;
    /// with an any-robot goal, unordered sets of all that can stand for each other.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// How often each state is numbered: once, or, if any robot may arrive, once for every robot
    /// that can be taken for the lead.
    pub fn copies(&self) -> u64 {
        self.copies
    }

    /// The configuration and bit of a state.
    ///
    /// # Panics
    /// If the state does not belong to this board and number of robots.
    pub fn locate(&self, state: &State) -> (usize, usize) {
        assert_eq!(state.len(), self.robots, "another number of robots");
        let mut number = 0;
        for class in &self.classes {
            let mut members = [0u16; MAX_HELPERS];
            for (i, &robot) in class.robots.iter().enumerate() {
                let member = self.places[bit_of(state[robot])];
                assert!(member != u16::MAX, "a robot on a closed cell");
                insert(&mut members, i, member);
            }
            number += class.stride * self.rank(&members[..class.robots.len()]);
        }
        (number, bit_of(state[self.lead]))
    }

    /// The state of a configuration and bit, helpers of a class in ascending order.
    pub fn state(&self, configuration: usize, bit: usize) -> State {
        let mut cells = vec![Cell::default(); self.robots];
        cells[self.lead.index()] = cell_of(bit);
        for (class, members) in self.classes.iter().zip(self.helpers(configuration)) {
            let mut robots = class.robots.clone();
            robots.sort_unstable();
            for (robot, member) in robots.into_iter().zip(members) {
                cells[robot.index()] = cell_of(usize::from(self.bits[usize::from(member)]));
            }
        }
        State::new(&cells).expect("at most eight robots")
    }

    /// All states of a configuration, copies included; none if two helpers of different classes
    /// stand on one cell.
    pub(crate) fn states_of(&self, configuration: usize) -> impl Iterator<Item = State> + '_ {
        let helpers = self.helpers(configuration);
        let places: Vec<u16> = helpers.iter().flatten().copied().collect();
        let taken: Set256 = places
            .iter()
            .map(|&place| usize::from(self.bits[usize::from(place)]))
            .collect();
        let valid = taken.len() as usize == places.len();
        let free = if valid {
            self.open.without(taken)
        } else {
            Set256::EMPTY
        };
        let sample = free.iter().next().map(|bit| self.state(configuration, bit));
        free.iter().filter_map(move |bit| {
            let state = sample.as_ref()?;
            Some(state.with(self.lead, cell_of(bit)))
        })
    }

    /// The same state with the robots that can stand for each other in ascending order.
    pub fn canonical(&self, state: &State) -> State {
        state.canonical(&self.alike)
    }

    /// The puzzle of a state of this space.
    pub fn puzzle(&self, state: &State) -> Puzzle {
        Puzzle::new(Arc::clone(&self.board), state.cells(), self.goal)
            .expect("a state of a valid puzzle's board")
    }

    /// A puzzle with the robots on the first open cells, if there are enough of them: for making
    /// moves from any state.
    pub(crate) fn any_puzzle(&self) -> Option<Puzzle> {
        let bits = self.bits.get(..self.robots)?;
        let cells: Vec<Cell> = bits.iter().map(|&bit| cell_of(usize::from(bit))).collect();
        Puzzle::new(Arc::clone(&self.board), &cells, self.goal).ok()
    }

    /// Says what keeps a puzzle from being one of this space.
    ///
    /// # Errors
    /// [`TablebaseError::OtherPuzzle`]; [`TablebaseError::Unsupported`] for `must_ricochet`.
    pub fn check(&self, puzzle: &Puzzle) -> Result<(), TablebaseError> {
        if puzzle.rules().must_ricochet {
            return Err(TablebaseError::Unsupported {
                what: "must_ricochet",
            });
        }
        let board = puzzle.board();
        let same_board = board.width() == self.board.width()
            && board.height() == self.board.height()
            && board.walls() == self.board.walls()
            && board.diagonals() == self.board.diagonals();
        let what = if !same_board {
            "the board"
        } else if puzzle.start().len() != self.robots {
            "the number of robots"
        } else if puzzle.goal().cell != self.goal.cell {
            "the target"
        } else if puzzle.goal().robot != self.goal.robot {
            "the robot that has to arrive"
        } else {
            return Ok(());
        };
        Err(TablebaseError::OtherPuzzle { what })
    }

    /// The number of ascending members within their class.
    #[inline(always)]
    pub(crate) fn rank(&self, members: &[u16]) -> usize {
        members
            .iter()
            .enumerate()
            .map(|(i, &member)| self.binomials.row(i + 1)[usize::from(member)] as usize)
            .sum()
    }

    /// The cells of all helpers of a configuration.
    pub(crate) fn helpers(&self, configuration: usize) -> Helpers {
        self.classes
            .iter()
            .map(|class| {
                let number = configuration / class.stride % class.count;
                self.unrank(number as u64, class.robots.len())
            })
            .collect()
    }

    /// The `k` ascending members with the given number.
    pub(crate) fn unrank(&self, mut number: u64, k: usize) -> Vec<u16> {
        let mut members = vec![0; k];
        for i in (0..k).rev() {
            let row = self.binomials.row(i + 1);
            let member = row.partition_point(|&count| count <= number) - 1;
            members[i] = member as u16;
            number -= row[member];
        }
        members
    }

    pub(crate) fn binomial_row(&self, k: usize) -> &[u64; 257] {
        self.binomials.row(k)
    }

    /// How the configurations are numbered by the members of a class.
    pub(crate) fn layout(&self, class: usize) -> Layout<'_> {
        let Class { robots, stride, .. } = &self.classes[class];
        let (places, others) = (self.bits.len(), self.others(class));
        Layout::new(&self.binomials, places, robots.len(), *stride, others)
    }

    /// How many numbers the classes other than this one have together.
    pub(crate) fn others(&self, class: usize) -> usize {
        let classes = self.classes.iter().enumerate();
        classes
            .filter(|&(i, _)| i != class)
            .map(|(_, class)| class.count)
            .product()
    }

    pub(crate) fn classes(&self) -> &[Class] {
        &self.classes
    }

    pub(crate) fn lead(&self) -> Robot {
        self.lead
    }

    pub(crate) fn open(&self) -> Set256 {
        self.open
    }

    /// The bit of each place.
    pub(crate) fn bits(&self) -> &[u8] {
        &self.bits
    }

    /// The place of a bit, if it is an open cell.
    pub(crate) fn place(&self, bit: usize) -> Option<u16> {
        Some(self.places[bit]).filter(|&place| place != u16::MAX)
    }

    pub(crate) fn has_wall(&self, bit: usize, side: Direction) -> bool {
        self.board.has_wall(cell_of(bit), side)
    }
}

/// The bit of a cell.
pub(crate) fn bit_of(cell: Cell) -> usize {
    Set256::bit(usize::from(cell.x), usize::from(cell.y))
}

/// The cell of a bit.
pub(crate) fn cell_of(bit: usize) -> Cell {
    let (x, y) = Set256::coordinates(bit);
    Cell::new(x as u8, y as u8)
}

/// Chooses the lead and sorts the other robots into classes. If any robot may arrive, the lead is
/// the one that leaves the fewest configurations.
fn lead_and_classes(
    puzzle: &Puzzle,
    configurations: impl Fn(&[usize]) -> u64,
) -> (Robot, Vec<Vec<Robot>>) {
    let alike = puzzle.interchangeable();
    let classes_without = |lead: Robot| {
        let mut classes: Vec<Vec<Robot>> = Vec::new();
        let class: Vec<Robot> = alike.iter().copied().filter(|&r| r != lead).collect();
        if !class.is_empty() {
            classes.push(class);
        }
        for robot in puzzle.start().robots() {
            if robot != lead && !alike.contains(&robot) {
                classes.push(vec![robot]);
            }
        }
        classes
    };
    let sizes =
        |lead: Robot| -> Vec<usize> { classes_without(lead).iter().map(Vec::len).collect() };
    let lead = puzzle.goal().robot.unwrap_or_else(|| {
        puzzle
            .start()
            .robots()
            .min_by_key(|&robot| configurations(&sizes(robot)))
            .expect("a puzzle has a robot")
    });
    (lead, classes_without(lead))
}
