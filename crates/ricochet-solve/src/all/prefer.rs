//! What makes one shortest solution nicer than another, and which values of that can still be had
//! from each point of the graph, so that solutions come best first without looking at the others.

use ricochet_core::MAX_ROBOTS;

use crate::Limit;
use crate::memory::meter::MemoryMeter;

use super::dag::Dag;

/// Which shortest solutions come first. Equals come in the order of their moves: robots by their
/// place (R G B Y …), then directions N E S W.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// No preference.
    #[default]
    Nothing,
    /// Those in which the fewest robots move.
    FewestRobots,
    /// Those in which the most robots move.
    MostRobots,
    /// Those that switch between robots least often.
    FewestChanges,
}

impl Preference {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Nothing,
        Self::FewestRobots,
        Self::MostRobots,
        Self::FewestChanges,
    ];
}

/// A part of a solution from its beginning: what matters of it for what is preferred.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PathPrefix {
    robots: u8,
    changes: u32,
    last: Option<u8>,
}

impl PathPrefix {
    pub(super) fn with(self, packed_move: u8) -> Self {
        let robot = packed_move / 4;
        Self {
            robots: self.robots | 1 << robot,
            changes: self.changes + u32::from(self.last.is_some_and(|last| last != robot)),
            last: Some(robot),
        }
    }
}

/// What can still be had.
pub(super) enum Completions {
    Anything,
    /// For each node, the sets of robots that move from there on: bit m for the set with mask m.
    Robots {
        masks: Vec<[u64; 4]>,
        most_first: bool,
    },
    /// For each edge, the numbers of changes of robot after it: bit n for n, the last for more too.
    Changes {
        after: Vec<u128>,
    },
}

/// The number of changes from which on they count as equal.
const MANY_CHANGES: u32 = 127;

impl Completions {
    pub(super) fn new(
        dag: &Dag,
        prefer: Preference,
        meter: &mut MemoryMeter,
    ) -> Result<Self, Limit> {
        Ok(match prefer {
            Preference::Nothing => Self::Anything,
            Preference::FewestRobots | Preference::MostRobots => Self::Robots {
                masks: masks(dag, meter)?,
                most_first: prefer == Preference::MostRobots,
            },
            Preference::FewestChanges => Self::Changes {
                after: changes_after(dag, meter)?,
            },
        })
    }

    /// The values that solutions have, best first.
    pub(super) fn values(&self, dag: &Dag) -> Vec<u32> {
        match self {
            Self::Anything => vec![0],
            Self::Robots { masks, most_first } => {
                let mut values: Vec<u32> = (0..=MAX_ROBOTS as u32)
                    .filter(|&value| members(&masks[0]).any(|mask| mask.count_ones() == value))
                    .collect();
                if *most_first {
                    values.reverse();
                }
                values
            }
            Self::Changes { after } => {
                let all = dag.edges(0).fold(0, |all, edge| all | after[edge]);
                let values = (0..=MANY_CHANGES).filter(|&value| all >> value & 1 == 1);
                let values: Vec<u32> = values.collect();
                // A puzzle that is solved already has one solution, without moves.
                if values.is_empty() { vec![0] } else { values }
            }
        }
    }

    /// Whether a solution with this value begins with `prefix`, whose last move is `edge`.
    pub(super) fn allow(&self, dag: &Dag, prefix: PathPrefix, edge: usize, value: u32) -> bool {
        match self {
            Self::Anything => true,
            Self::Robots { masks, .. } => members(&masks[dag.child(edge)])
                .any(|mask| (mask | u32::from(prefix.robots)).count_ones() == value),
            Self::Changes { after } if value < MANY_CHANGES => {
                prefix.changes <= value && after[edge] >> (value - prefix.changes) & 1 == 1
            }
            Self::Changes { after } => {
                let needed = MANY_CHANGES.saturating_sub(prefix.changes);
                after[edge] >> needed != 0
            }
        }
    }
}

/// The members of a set of masks.
fn members(set: &[u64; 4]) -> impl Iterator<Item = u32> + '_ {
    (0..256u32).filter(|&mask| set[mask as usize / 64] >> (mask % 64) & 1 == 1)
}

fn masks(dag: &Dag, meter: &mut MemoryMeter) -> Result<Vec<[u64; 4]>, Limit> {
    let mut masks: Vec<[u64; 4]> = meter.zeros(dag.nodes())?;
    for node in (0..dag.nodes()).rev() {
        meter.tick(0)?;
        let mut own = [0; 4];
        if dag.edges(node).is_empty() {
            own[0] = 1;
        }
        for edge in dag.edges(node) {
            let robot = 1u32 << (dag.packed_move(edge) / 4);
            for mask in members(&masks[dag.child(edge)]) {
                let with = mask | robot;
                own[with as usize / 64] |= 1 << (with % 64);
            }
        }
        masks[node] = own;
    }
    Ok(masks)
}

fn changes_after(dag: &Dag, meter: &mut MemoryMeter) -> Result<Vec<u128>, Limit> {
    let mut after: Vec<u128> = meter.zeros(dag.edge_count())?;
    for edge in (0..dag.edge_count()).rev() {
        meter.tick(0)?;
        let robot = dag.packed_move(edge) / 4;
        let next = dag.edges(dag.child(edge));
        after[edge] = if next.is_empty() {
            1
        } else {
            next.fold(0, |all, follow| {
                let same = dag.packed_move(follow) / 4 == robot;
                let rest = after[follow];
                all | if same {
                    rest
                } else {
                    rest << 1 | rest & 1 << MANY_CHANGES
                }
            })
        };
    }
    Ok(after)
}
