//! The set search: layer by layer over f, on boards of at most 16×16 without diagonals, with one
//! active robot and at most four helpers.

use ricochet::{Direction, Move, Puzzle, Solution};

use super::config::{helper, key_of, with, without};
use super::layer::Expansion;
use super::seen::{Direct, Hashed, Seen};
use super::set::Set;
use super::tables::{STEP, Tables, UNREACHABLE, number};
use super::work::{Counters, Work};
use crate::{DepthRow, Limit, Limits, Meter, Observer};

/// How a set search ended.
pub(crate) enum Ended {
    Solved(Solution),
    Unsolvable,
    Limit { limit: Limit, lower_bound: u32 },
}

/// What a set search did.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) counters: Counters,
    pub(crate) stored: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) rows: Vec<DepthRow>,
}

/// Everything that is kept between searches.
pub(crate) struct SetSearch {
    pub(crate) tables: Tables,
    hashed: Hashed,
    direct: Option<Direct>,
    direct_in_use: bool,
    pub(crate) work: Work,
    /// Where each layer begins among the nodes, from the first f on.
    layers: Vec<usize>,
}

/// With this many configurations a search of three helpers moves to the direct table.
const DIRECT_FROM: usize = 1 << 17;

impl SetSearch {
    pub(crate) fn new() -> Self {
        Self {
            tables: Tables::new(),
            hashed: Hashed::new(),
            direct: None,
            direct_in_use: false,
            work: Work::new(),
            layers: Vec::new(),
        }
    }

    /// Whether the set search can take a puzzle.
    pub(crate) fn fits(puzzle: &Puzzle) -> bool {
        Tables::fits(puzzle.board())
            && puzzle.goal().robot.is_some()
            && puzzle.start().len() <= 5
            && !puzzle.rules().must_ricochet
    }

    /// Searches; the caller has checked that the puzzle fits and is not solved already.
    #[inline(always)]
    pub(crate) fn run<S: Set>(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        report: &mut Report,
    ) -> Ended {
        match puzzle.start().len() {
            1 => self.run_with::<S, 0>(puzzle, limits, meter, watch, report),
            2 => self.run_with::<S, 1>(puzzle, limits, meter, watch, report),
            3 => self.run_with::<S, 2>(puzzle, limits, meter, watch, report),
            4 => self.run_with::<S, 3>(puzzle, limits, meter, watch, report),
            _ => self.run_with::<S, 4>(puzzle, limits, meter, watch, report),
        }
    }

    #[inline(always)]
    fn run_with<S: Set, const N: usize>(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        report: &mut Report,
    ) -> Ended {
        self.forget();
        let active = puzzle.goal().robot.expect("one active robot");
        self.tables.set_up(puzzle.board(), puzzle.goal().cell);
        let start = puzzle.start();
        let (key, goal) = packed(puzzle, start);
        let first = self.tables.bound[usize::from(number(start[active]))];
        if first == UNREACHABLE {
            return Ended::Unsolvable;
        }
        let first = u32::from(first);
        let mut f = first;
        loop {
            if limits.moves.is_some_and(|most| f > most) {
                return Ended::Limit {
                    limit: Limit::Moves,
                    lower_bound: f,
                };
            }
            let before = self.work.counters;
            let nodes_before = self.work.nodes.len();
            let result = if N == 3 && self.direct_in_use {
                let direct = self.direct.as_mut().expect("in use");
                turn::<S, Direct, N>(
                    &mut self.tables,
                    direct,
                    &mut self.work,
                    &mut self.layers,
                    (f as usize, key, goal),
                    meter,
                    limits,
                )
            } else {
                turn::<S, Hashed, N>(
                    &mut self.tables,
                    &mut self.hashed,
                    &mut self.work,
                    &mut self.layers,
                    (f as usize, key, goal),
                    meter,
                    limits,
                )
            };
            let nodes = self.work.nodes.len();
            let row = DepthRow {
                depth: f,
                nodes: self.work.counters.generated - before.generated,
                inner: (nodes - nodes_before) as u64,
                hits: self.work.counters.hits - before.hits,
            };
            report.rows.push(row);
            report.counters = self.work.counters;
            report.stored = nodes as u64;
            report.peak_bytes = report.peak_bytes.max(self.bytes());
            if let Err(limit) = result {
                return Ended::Limit {
                    limit,
                    lower_bound: f,
                };
            }
            watch.depth_done(&row);
            if let Some(key) = self.work.found {
                let target = number(puzzle.goal().cell);
                let moves = self.moves_to(first, key, target).expect("reached");
                return Ended::Solved(self.rebuild::<N>(puzzle, key, first, moves));
            }
            // Nothing new in the last two layers, and nothing kept for later: nothing will come.
            let last_two = self.layers[self.layers.len().saturating_sub(2)];
            if nodes == last_two && self.work.nothing_later() {
                return Ended::Unsolvable;
            }
            if N == 3 && !self.direct_in_use && self.hashed.len() >= DIRECT_FROM {
                let fits = limits
                    .memory
                    .is_none_or(|most| self.bytes() + Direct::BYTES <= most);
                if fits {
                    let direct = self.direct.get_or_insert_with(Direct::new);
                    direct.take_over(&self.hashed);
                    self.direct_in_use = true;
                    self.hashed.clear();
                }
            }
            f += 1;
        }
    }

    /// Bytes in use.
    fn bytes(&self) -> u64 {
        let table = if self.direct_in_use {
            Direct::BYTES
        } else {
            self.hashed.bytes()
        };
        table + self.work.bytes() + Tables::BYTES
    }

    /// Empties the tables of the search before, at a cost that depends on what it touched.
    fn forget(&mut self) {
        if self.direct_in_use {
            let direct = self.direct.as_mut().expect("in use");
            if self.work.nodes.len() > 400_000 {
                direct.clear();
            } else {
                for index in 0..self.work.nodes.len() {
                    direct.forget(self.work.nodes[index].key);
                }
            }
            self.direct_in_use = false;
        }
        self.hashed.clear();
        self.work.clear();
        self.layers.clear();
    }

    /// In how many moves a state was reached, if it was.
    fn moves_to(&self, first: u32, key: u32, goal: u8) -> Option<u32> {
        let mut latest = if self.direct_in_use {
            self.direct.as_ref().expect("in use").latest(key)
        } else {
            self.hashed.latest(key)
        };
        let (word, bit) = (usize::from(goal >> 6), 1u64 << (goal & 63));
        while latest > 0 {
            let index = latest as usize - 1;
            let node = &self.work.nodes[index];
            if node.set[word] & bit != 0 {
                let layer = self.layers.partition_point(|&begin| begin <= index) as u32 - 1;
                return Some(first + layer - u32::from(self.tables.bound[usize::from(goal)]));
            }
            latest = node.earlier();
        }
        None
    }

    /// Walks back from the target to the start, always to a state that is one move nearer to the
    /// start, then forward again with the robots under their own names.
    fn rebuild<const N: usize>(
        &mut self,
        puzzle: &Puzzle,
        key: u32,
        first: u32,
        length: u32,
    ) -> Solution {
        let mut way = vec![(key, number(puzzle.goal().cell))];
        for moves in (0..length).rev() {
            let &(key, goal) = way.last().expect("not empty");
            let mut before = None;
            self.for_each_predecessor::<N>(key, goal, |search, key, goal| {
                if before.is_none() && search.moves_to(first, key, goal) == Some(moves) {
                    before = Some((key, goal));
                }
            });
            way.push(before.expect("every state but the first has one before it"));
        }
        let mut state = puzzle.start();
        let mut moves = Vec::with_capacity(way.len() - 1);
        for &wanted in way.iter().rev().skip(1) {
            let next = state
                .robots()
                .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }))
                .find_map(|play| {
                    let next = puzzle.apply(state, play.robot, play.direction)?;
                    (packed(puzzle, next) == wanted).then_some((play, next))
                });
            let (play, after) = next.expect("each state is one move from the one before");
            moves.push(play);
            state = after;
        }
        Solution::new(moves)
    }

    /// Calls `visit` with every state from which one move leads to the given one.
    fn for_each_predecessor<const N: usize>(
        &self,
        key: u32,
        goal: u8,
        mut visit: impl FnMut(&Self, u32, u8),
    ) {
        let robots = |except: Option<usize>| {
            let helpers = (0..N).filter(move |&i| Some(i) != except);
            helpers.map(move |i| helper(key, i))
        };
        for mover in (0..N).map(Some).chain([None]) {
            let end = mover.map_or(goal, |i| helper(key, i));
            let is_robot = |cell: u8| {
                (mover.is_some() && cell == goal) || robots(mover).any(|other| other == cell)
            };
            for direction in Direction::ALL {
                let (d, back) = (direction.index(), direction.opposite());
                // It must have been stopped there …
                let stopped =
                    self.tables.has_wall(end, direction) || is_robot(end.wrapping_add(STEP[d]));
                if !stopped {
                    continue;
                }
                // … and have come from anywhere on the free way behind it.
                let mut from = end;
                while !self.tables.has_wall(from, back) {
                    from = from.wrapping_sub(STEP[d]);
                    if is_robot(from) {
                        break;
                    }
                    match mover {
                        None => visit(self, key, from),
                        Some(i) => visit(self, replaced::<N>(key, i, from), goal),
                    }
                }
            }
        }
    }
}

fn replaced<const N: usize>(key: u32, i: usize, cell: u8) -> u32 {
    if N == 0 {
        key
    } else {
        with::<N>(without(key, i), cell)
    }
}

/// A state as the set search has it: the helpers' key and the goal robot's cell.
fn packed(puzzle: &Puzzle, state: ricochet::State) -> (u32, u8) {
    let active = puzzle.goal().robot.expect("one active robot");
    let mut helpers = [0; 4];
    let mut len = 0;
    for (robot, cell) in state.iter() {
        if robot != active {
            helpers[len] = number(cell);
            len += 1;
        }
    }
    (key_of(&mut helpers[..len]), number(state[active]))
}

/// One layer's turn.
#[inline(always)]
fn turn<S: Set, T: Seen, const N: usize>(
    tables: &mut Tables,
    seen: &mut T,
    work: &mut Work,
    layers: &mut Vec<usize>,
    start: (usize, u32, u8),
    meter: &Meter,
    limits: &Limits,
) -> Result<(), Limit> {
    let (most_nodes, most_bytes) = (
        limits.nodes.unwrap_or(u64::MAX),
        limits.memory.unwrap_or(u64::MAX),
    );
    let mut check = |counters: &Counters, bytes: u64| {
        if counters.generated > most_nodes {
            return Err(Limit::Nodes);
        }
        if bytes + Tables::BYTES > most_bytes {
            return Err(Limit::Memory);
        }
        meter.look()
    };
    let (f, key, goal) = start;
    let mut expansion = Expansion::<S, T, N>::new(tables, seen, work);
    if let [.., before, last] = **layers {
        expansion.complete(f - 1, last, before..last, &mut check)?;
        expansion.finish();
    }
    assert!(
        !expansion.found(),
        "a layer's beginning reaches the target if it can be"
    );
    let begin = expansion.nodes();
    layers.push(begin);
    match **layers {
        [.., last, _] => expansion.begin(f, last..begin, &mut check)?,
        _ => expansion.start(f, key, goal),
    }
    expansion.finish();
    Ok(())
}
