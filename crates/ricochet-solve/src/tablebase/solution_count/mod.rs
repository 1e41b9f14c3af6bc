//! Walks over all shortest solutions of a state at once and counts them.
//!
//! Solutions are counted forwards: layer `n` has every state that `n` moves of shortest solutions
//! reach, with the number of ways to reach it. States that differ only by swapping two equal helpers
//! have equally many solutions, so they are one.
//!
//! Most moves do not come closer, and asking the table for each would be most of the work. So a
//! state knows from those before it which moves cannot ([`MoveInLines::still_not_best`]): of the
//! sixteen moves of four robots three are asked on average. Where the robot that has to arrive needs all
//! moves that are left, even if it could stop anywhere, only its own are asked, and the last move
//! needs no table.
//!
//! [`MoveInLines::still_not_best`]: moves::MoveInLines::still_not_best

mod layer;
mod moves;

use ricochet_core::{Direction, Move, Robot, State};

use self::layer::{Buffers, PathLayer, PathNode};
use self::moves::{ALL_DIRECTIONS, Cells, SLOTS, Slides, byte_of};
use super::TablebaseError;
use super::space::{Space, bit_of};
use super::table::TableReader;
use crate::heuristics::bound::MinMoves;
use crate::lowlevel::instructions::{Kernel, dispatch};
use crate::lowlevel::set256::Set256;

/// What a walk has to know of a board and goal. Robots are in *slots*: the lead first, then all
/// classes of helpers.
#[derive(Clone, Debug)]
pub(crate) struct PathCounter {
    robots: Vec<Robot>,
    slides: Slides,
    target: u8,
    /// How many of the slots may arrive: the first one, or all.
    arriving: usize,
    /// The fewest moves from each cell that the lead needs, if it alone may arrive.
    least: Box<[u16; 256]>,
    several_classes: bool,
    /// The class of each helper; that of slot 0 is empty.
    classes: Vec<Class>,
    /// `C(n, k)` at `[k]` and the cell of place `n`. (Cells and places have the same order.)
    shares: Box<[[u32; 256]; SLOTS + 1]>,
}

/// A class of helpers.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    first: usize,
    end: usize,
    stride: u32,
}

/// How much of a walk is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WalkGoal {
    BestMoves,
    Solutions,
}

impl PathCounter {
    pub(crate) fn new(space: &Space, least_moves: Option<&MinMoves>) -> Self {
        let mut robots = vec![space.lead()];
        let mut classes = vec![Class::default()];
        for class in space.classes() {
            let first = robots.len();
            robots.extend(&class.robots);
            let end = robots.len();
            let stride = class.stride as u32;
            classes.resize(end, Class { first, end, stride });
        }
        let mut least = Box::new([0; 256]);
        let mut shares = Box::new([[0; 256]; SLOTS + 1]);
        for cell in space.board().cells() {
            let byte = usize::from(byte_of(cell));
            if let Some(map) = least_moves {
                least[byte] = map.by_index()[space.board().index(cell)];
            }
            if let Some(place) = space.place(bit_of(cell)) {
                for (k, shares) in shares.iter_mut().enumerate().take(robots.len()) {
                    // Those over 32 bits are never asked for: all configurations are below that.
                    shares[byte] = space.binomial_row(k)[usize::from(place)] as u32;
                }
            }
        }
        let arriving = match space.goal().robot {
            Some(_) => 1,
            None => robots.len(),
        };
        Self {
            slides: Slides::new(space.board(), robots.clone()),
            robots,
            target: byte_of(space.goal().cell),
            arriving,
            least,
            several_classes: space.classes().len() > 1,
            classes,
            shares,
        }
    }

    /// All moves that come closer from a state of this distance, robot by robot, and, if wanted,
    /// the number of its shortest solutions.
    pub(crate) fn walk(
        &self,
        state: &State,
        configuration: usize,
        distance: u32,
        look: &mut TableReader<'_>,
        wanted: WalkGoal,
    ) -> Result<(Vec<Move>, u128), TablebaseError> {
        if distance == 0 {
            return Ok((Vec::new(), 1));
        }
        let mut cells = Cells::default();
        for (slot, &robot) in self.robots.iter().enumerate() {
            cells.set(slot, byte_of(state[robot]));
        }
        let start = PathNode {
            ends: self.slides.ends(cells),
            cells,
            not_best: 0,
            configuration: configuration as u32,
        };
        let task = CountingTask {
            start,
            distance,
            wanted,
            look,
            ways: self,
        };
        match self.robots.len() {
            1 => dispatch(CountingWalk::<1>(task)),
            2 => dispatch(CountingWalk::<2>(task)),
            3 => dispatch(CountingWalk::<3>(task)),
            4 => dispatch(CountingWalk::<4>(task)),
            5 => dispatch(CountingWalk::<5>(task)),
            6 => dispatch(CountingWalk::<6>(task)),
            7 => dispatch(CountingWalk::<7>(task)),
            _ => dispatch(CountingWalk::<8>(task)),
        }
    }

    /// Moves in the order of the robots.
    fn moves(&self, found: &[CloserMove]) -> Vec<Move> {
        let moves = found.iter().map(|found| Move {
            robot: self.robots[usize::from(found.slot)],
            direction: Direction::from_index(usize::from(found.direction)),
        });
        let mut moves: Vec<Move> = moves.collect();
        moves.sort_unstable_by_key(|step| (step.robot.index(), step.direction.index()));
        moves
    }
}

/// A move that comes closer.
#[derive(Clone, Copy, Debug)]
pub(super) struct CloserMove {
    slot: u8,
    direction: u8,
    to: u8,
    configuration: u32,
}

struct CountingTask<'a, 'b> {
    start: PathNode,
    distance: u32,
    wanted: WalkGoal,
    look: &'a mut TableReader<'b>,
    ways: &'a PathCounter,
}

/// A walk with `ROBOTS` robots; loops over them are unrolled.
struct CountingWalk<'a, 'b, const ROBOTS: usize>(CountingTask<'a, 'b>);

impl<const ROBOTS: usize> Kernel for CountingWalk<'_, '_, ROBOTS> {
    type Output = Result<(Vec<Move>, u128), TablebaseError>;

    #[inline(always)]
    fn run(mut self) -> Self::Output {
        let mut buffers = Buffers::borrow();
        let Buffers { layer, next, found } = &mut *buffers;
        let start = self.0.start;
        let closer = CloserTest::new(self.0.distance - 1);
        found.clear();
        self.closer(&start, &closer, found)?;
        let best_moves = self.0.ways.moves(found);
        if self.0.wanted == WalkGoal::BestMoves {
            return Ok((best_moves, 0));
        }
        layer.clear();
        if closer.distance == 0 {
            layer.push(start, 1);
        } else {
            self.follow(&start, 1, found, layer);
        }
        for distance in (1..closer.distance).rev() {
            let closer = CloserTest::new(distance);
            next.clear();
            for (node, ways) in layer.iter() {
                found.clear();
                self.closer(node, &closer, found)?;
                self.follow(node, ways, found, next);
            }
            std::mem::swap(layer, next);
        }
        // All of them are one move away.
        let PathCounter {
            arriving, target, ..
        } = *self.0.ways;
        let solutions = layer.iter().map(|(node, ways)| {
            let last_moves = node.ends.count(arriving, target);
            ways.saturating_mul(last_moves.into())
        });
        Ok((best_moves, solutions.fold(0, u128::saturating_add)))
    }
}

impl<const ROBOTS: usize> CountingWalk<'_, '_, ROBOTS> {
    /// Adds the states that these moves lead to, all that come closer from a node, to a layer.
    #[inline(always)]
    fn follow(&self, node: &PathNode, ways: u128, best: &[CloserMove], next: &mut PathLayer) {
        let slides = &self.0.ways.slides;
        let mut not_best = slides.all_moves();
        for found in best {
            not_best &= !(1 << (8 * found.slot + found.direction));
        }
        for found in best {
            let (slot, direction) = (usize::from(found.slot), usize::from(found.direction));
            let step = slides.step(node.cells, &node.ends, slot, direction);
            let known = step.still_not_best(not_best);
            let mut cells = node.cells;
            cells.set(slot, found.to);
            match next.find(found.configuration, cells.get(0)) {
                Ok(place) => next.add(place, cells, known, ways),
                Err(free) => {
                    let node = PathNode {
                        ends: step.ends_after(cells),
                        cells,
                        not_best: known,
                        configuration: found.configuration,
                    };
                    next.insert(free, node, ways);
                }
            }
        }
    }

    /// All moves of a state that lead to a distance, which is one less than its own.
    #[inline(always)]
    fn closer(
        &mut self,
        node: &PathNode,
        closer: &CloserTest,
        found: &mut Vec<CloserMove>,
    ) -> Result<(), TablebaseError> {
        let ways = self.0.ways;
        let mut open = ways.slides.all_moves() & !node.not_best;
        let lead = node.cells.get(0);
        // If any robot may arrive nothing is known beforehand, and all is 0.
        let can_arrive = |cell: u8| u32::from(ways.least[usize::from(cell)]) <= closer.distance;
        if !can_arrive(lead) {
            open &= ALL_DIRECTIONS;
        }
        let mut own = open & ALL_DIRECTIONS;
        open ^= own;
        if own != 0 {
            let planes = self.0.look.planes(node.configuration)?;
            while own != 0 {
                let direction = own.trailing_zeros();
                own &= own - 1;
                let to = node.ends.get(0, direction as usize);
                if to != lead && can_arrive(to) && closer.is_in(planes, bit_of_byte(to)) {
                    found.push(CloserMove {
                        slot: 0,
                        direction: direction as u8,
                        to,
                        configuration: node.configuration,
                    });
                }
            }
        }
        if open == 0 {
            return Ok(());
        }
        let lead = bit_of_byte(lead);
        let sorted = sorted_helpers::<ROBOTS>(node.cells);
        while open != 0 {
            let (slot, direction) = (open.trailing_zeros() >> 3, open.trailing_zeros() & 7);
            open &= open - 1;
            let slot = slot as usize;
            let to = node.ends.get(slot, direction as usize);
            if to == node.cells.get(slot) {
                continue;
            }
            let configuration = ways.configuration::<ROBOTS>(node, sorted, slot, to);
            if closer.is_in(self.0.look.planes(configuration)?, lead) {
                found.push(CloserMove {
                    slot: slot as u8,
                    direction: direction as u8,
                    to,
                    configuration,
                });
            }
        }
        Ok(())
    }
}

impl PathCounter {
    /// The configuration of a node with a helper on another cell; `sorted` are the cells of all.
    #[inline(always)]
    fn configuration<const ROBOTS: usize>(
        &self,
        node: &PathNode,
        sorted: [u8; SLOTS],
        slot: usize,
        to: u8,
    ) -> u32 {
        if self.several_classes {
            return self.configuration_of_classes(node, slot, to);
        }
        // Puts the cell in its place among the others.
        let from = node.cells.get(slot);
        let mut carry = to;
        let mut number = 0u32;
        for i in 0..ROBOTS.saturating_sub(2) {
            let skipped = usize::from(sorted[i] >= from);
            let other = sorted[i + skipped];
            number = number.wrapping_add(self.shares[i + 1][usize::from(other.min(carry))]);
            carry = other.max(carry);
        }
        number.wrapping_add(self.shares[ROBOTS - 1][usize::from(carry)])
    }

    /// The same where some helpers are not like the others.
    #[cold]
    fn configuration_of_classes(&self, node: &PathNode, slot: usize, to: u8) -> u32 {
        let Class { first, end, stride } = self.classes[slot];
        let number = |cell: u8| {
            let mut members = [0; SLOTS];
            let members = &mut members[..end - first];
            for (i, member) in (first..end).zip(members.iter_mut()) {
                *member = if i == slot { cell } else { node.cells.get(i) };
            }
            members.sort_unstable();
            let shares = members.iter().zip(&self.shares[1..]);
            shares.fold(0u32, |number, (&member, shares)| {
                number.wrapping_add(shares[usize::from(member)])
            })
        };
        let change = number(to).wrapping_sub(number(node.cells.get(slot)));
        node.configuration.wrapping_add(stride.wrapping_mul(change))
    }
}

/// The cells of all helpers in ascending order.
#[inline(always)]
fn sorted_helpers<const ROBOTS: usize>(cells: Cells) -> [u8; SLOTS] {
    let mut sorted = [0; SLOTS];
    for i in 1..ROBOTS {
        let mut carry = cells.get(i);
        for other in &mut sorted[..i - 1] {
            (*other, carry) = ((*other).min(carry), (*other).max(carry));
        }
        sorted[i - 1] = carry;
    }
    sorted
}

/// The bit of a cell in the table's sets.
#[inline(always)]
fn bit_of_byte(cell: u8) -> usize {
    Set256::bit(usize::from(cell & 15), usize::from(cell >> 4))
}

/// A distance as the table's planes have it.
struct CloserTest {
    distance: u32,
    /// All ones where the plane has to contain the state.
    planes: [u64; 32],
}

impl CloserTest {
    #[inline(always)]
    fn new(distance: u32) -> Self {
        let code = u64::from(distance) + 1;
        Self {
            distance,
            planes: std::array::from_fn(|plane| (code >> plane & 1).wrapping_neg()),
        }
    }

    /// Whether a state has this distance.
    #[inline(always)]
    fn is_in(&self, planes: &[Set256], bit: usize) -> bool {
        let differs = |all, (plane, code): (&Set256, &u64)| all | (plane.0[bit >> 6 & 3] ^ code);
        // Five planes are what nearly all tables have.
        let all = match <&[Set256; 5]>::try_from(planes) {
            Ok(planes) => planes.iter().zip(&self.planes).fold(0, differs),
            Err(_) => planes.iter().zip(&self.planes).fold(0, differs),
        };
        all >> (bit & 63) & 1 == 0
    }
}
