//! Where a helper's moves come from: chains of cells.
//!
//! A helper that leaves a cell by one of its four sides enters the next cell and leaves it by one
//! side again, turned where a diagonal turns it. So the pairs of cell and side form chains that end
//! at walls, or rings. Walked from its end backwards, a chain gives for each cell the set of lead
//! cells for which a helper that goes this way ends in the frontier:
//!
//! > `ends(p) = ends(next)`, but the frontier's own set of `p` where something stands on `next`:
//! > everywhere if that is a wall or a fixed helper, on the single bit `next` if it is the lead.
//!
//! One blend a step moves a helper from all cells for all cells of the lead.

use ricochet_core::{Direction, Robot};

use super::space::{Space, bit_of, cell_of};

/// Stands for 'no cell' (padding) and for 'a wall' (behind the last cell).
pub(crate) const NOTHING: u16 = 256;

/// One step backwards: from `next`, where the chain was, to `cell`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChainStep {
    pub(crate) cell: u16,
    pub(crate) next: u16,
}

/// A pair of cell and side by which it is left, as one number.
type Exit = usize;

fn exit(place: u16, side: Direction) -> Exit {
    usize::from(place) * 4 + side.index()
}

/// All chains of one robot on a board.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    /// Four independent streams of steps side by side, so that the processor has four blends in
    /// flight. A chain never changes its stream.
    pub(crate) steps: Vec<[ChainStep; 4]>,
    /// The cell behind each exit, or `NOTHING`.
    next: Vec<u16>,
    /// The exit before each exit.
    previous: Vec<Option<(u16, Direction)>>,
}

impl Chains {
    /// The chains of a robot, cells counted as in the space.
    pub(crate) fn new(space: &Space, robot: Robot) -> Self {
        let exits = space.bits().len() * 4;
        let mut next = vec![NOTHING; exits];
        let mut follow: Vec<Option<(u16, Direction)>> = vec![None; exits];
        let mut previous = vec![None; exits];
        for (place, &bit) in space.bits().iter().enumerate() {
            let place = place as u16;
            let cell = cell_of(usize::from(bit));
            for side in Direction::ALL {
                if space.has_wall(usize::from(bit), side) {
                    continue;
                }
                let entered = cell.step(side).expect("the rim has walls");
                let onwards = match space.board().diagonal(entered) {
                    Some(diagonal) if diagonal.color != robot => diagonal.lean.deflect(side),
                    _ => side,
                };
                let to = space.place(bit_of(entered)).expect("no wall, so open");
                next[exit(place, side)] = to;
                follow[exit(place, side)] = Some((to, onwards));
                previous[exit(to, onwards)] = Some((place, side));
            }
        }
        let mut chains = Self {
            steps: Vec::new(),
            next,
            previous,
        };
        chains.steps = chains.streams(&follow);
        chains
    }

    /// The cell that a helper on `place` enters by that side; `NOTHING` behind a wall.
    pub(crate) fn next(&self, place: u16, side: Direction) -> u16 {
        self.next[exit(place, side)]
    }

    /// The exit from which a helper comes to leave `place` by that side.
    pub(crate) fn previous(&self, place: u16, side: Direction) -> Option<(u16, Direction)> {
        self.previous[exit(place, side)]
    }

    fn streams(&self, follow: &[Option<(u16, Direction)>]) -> Vec<[ChainStep; 4]> {
        let mut streams: [Vec<ChainStep>; 4] = Default::default();
        let mut seen = vec![false; follow.len()];
        let places = (follow.len() / 4) as u16;
        let exits = || {
            Direction::ALL
                .into_iter()
                .flat_map(move |side| (0..places).map(move |place| (place, side)))
        };
        let mut emit = |chain: &[ChainStep]| {
            let shortest = streams.iter_mut().min_by_key(|stream| stream.len());
            shortest.expect("there are four").extend_from_slice(chain);
        };
        for (place, side) in exits() {
            if follow[exit(place, side)].is_none() {
                let chain = self.walk_back(place, side, &mut seen);
                emit(&chain);
            }
        }
        // What is left are rings. Twice around, every blocker on the ring has met every cell;
        // before the first lap nothing ends anywhere.
        for (place, side) in exits() {
            if !seen[exit(place, side)] {
                let lap = self.walk_back(place, side, &mut seen);
                let mut chain = vec![ChainStep {
                    cell: NOTHING,
                    next: NOTHING,
                }];
                chain.extend_from_slice(&lap);
                chain.extend_from_slice(&lap);
                emit(&chain);
            }
        }
        let length = streams.iter().map(Vec::len).max().unwrap_or(0);
        let padding = ChainStep {
            cell: NOTHING,
            next: NOTHING,
        };
        (0..length)
            .map(|i| [0, 1, 2, 3].map(|s: usize| streams[s].get(i).copied().unwrap_or(padding)))
            .collect()
    }

    /// The steps from an exit backwards until the chain begins or a ring closes.
    fn walk_back(&self, place: u16, side: Direction, seen: &mut [bool]) -> Vec<ChainStep> {
        let mut steps = Vec::new();
        let mut at = Some((place, side));
        while let Some((place, side)) = at {
            if std::mem::replace(&mut seen[exit(place, side)], true) {
                break;
            }
            steps.push(ChainStep {
                cell: place,
                next: self.next(place, side),
            });
            at = self.previous(place, side);
        }
        steps
    }
}
