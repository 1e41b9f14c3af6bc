//! The nodes of a search over sets, with the nodes that they were made from.
//!
//! The search forgets which helper move led to a configuration, since it can find out again. So does
//! the recorder, for the nodes that it keeps: it plays the helper moves of earlier nodes until it has
//! met each new configuration.

use std::collections::HashMap;

use ricochet_core::{Cell, Direction, Puzzle, Robot, State};

use super::{EventKind, NodeFacts, NodeId, Recorder};

/// A node as the search has it.
pub(crate) struct TracedNode {
    /// The goal robot; `None` if the search has no sets and any robot may arrive.
    pub(crate) robot: Option<Robot>,
    /// Where it can be.
    pub(crate) cells: Vec<Cell>,
    /// Where the others are, with the goal robot on any of its cells.
    pub(crate) state: State,
}

/// The goal robot and the cells of the others, interchangeable ones in ascending order.
type Configuration = (Option<Robot>, Vec<Cell>);

/// The nodes since the search began or began again.
#[derive(Debug, Default)]
pub(super) struct TracedSets {
    nodes: Vec<(NodeId, Option<Robot>, Vec<Cell>, State)>,
    /// The latest node of each configuration.
    latest: HashMap<Configuration, NodeId>,
}

impl Recorder {
    /// The search begins again.
    pub(crate) fn restart(&mut self, robot: Option<Robot>) {
        self.note(EventKind::Restart { robot });
        let kept = |of: Option<Robot>| robot.is_some() && of != robot;
        self.sets.nodes.retain(|node| kept(node.1));
        self.sets
            .latest
            .retain(|configuration, _| kept(configuration.0));
    }

    /// The nodes that layer `f` has brought.
    pub(crate) fn layer_of_sets(
        &mut self,
        puzzle: &Puzzle,
        f: u32,
        nodes: impl Iterator<Item = TracedNode>,
    ) {
        let mut orphans = HashMap::new();
        let mut layer = Vec::new();
        let mut not_kept = 0;
        for node in nodes {
            if self.events.len() + layer.len() >= self.most {
                not_kept += 1;
                continue;
            }
            let configuration = configuration_of(puzzle, node.robot, node.state);
            if !self.sets.latest.contains_key(&configuration) {
                orphans.insert(configuration.clone(), None);
            }
            layer.push((configuration, node));
        }
        self.sets.find_parents(puzzle, &mut orphans);
        for (configuration, TracedNode { cells, state, .. }) in layer {
            let known = self.sets.latest.get(&configuration).copied();
            let parent = known.or_else(|| orphans.get(&configuration).copied().flatten());
            let (robot, helpers) = configuration.clone();
            let kind = EventKind::Node {
                f,
                robot,
                cells: cells.clone(),
                helpers,
            };
            let facts = NodeFacts {
                parent,
                ..NodeFacts::default()
            };
            let id = self.make(kind, facts);
            self.sets.latest.insert(configuration, id);
            self.sets.nodes.push((id, robot, cells, state));
        }
        for _ in 0..not_kept {
            let kind = EventKind::Node {
                f,
                robot: None,
                cells: Vec::new(),
                helpers: Vec::new(),
            };
            self.make(kind, NodeFacts::default());
        }
    }
}

impl TracedSets {
    /// Finds nodes, the latest first, from which one helper move leads to these configurations.
    fn find_parents(&self, puzzle: &Puzzle, orphans: &mut HashMap<Configuration, Option<NodeId>>) {
        let mut left = orphans.len();
        for (id, robot, cells, state) in self.nodes.iter().rev() {
            // Without a goal robot, `state` is the whole position.
            let states = cells
                .iter()
                .filter_map(|&cell| Some(state.with((*robot)?, cell)));
            let whole = robot.is_none().then_some(*state);
            for state in states.chain(whole) {
                if left == 0 {
                    return;
                }
                for moved in state.robots().filter(|&moved| Some(moved) != *robot) {
                    for direction in Direction::ALL {
                        let Some(next) = puzzle.apply(state, moved, direction) else {
                            continue;
                        };
                        let child = configuration_of(puzzle, *robot, next);
                        if let Some(parent @ None) = orphans.get_mut(&child) {
                            *parent = Some(*id);
                            left -= 1;
                        }
                    }
                }
            }
        }
    }
}

fn configuration_of(puzzle: &Puzzle, robot: Option<Robot>, state: State) -> Configuration {
    let mut interchangeable = puzzle.interchangeable();
    interchangeable.retain(|&other| Some(other) != robot);
    let state = state.canonical(&interchangeable);
    let others = state.iter().filter(|&(other, _)| Some(other) != robot);
    (robot, others.map(|(_, cell)| cell).collect())
}
