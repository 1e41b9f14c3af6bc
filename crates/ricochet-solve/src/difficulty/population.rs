//! Simulated players: how likely each of them is to choose a move, and to find a shortest solution.
//!
//! A player tries one line after another in its head. At each position it chooses a move at random,
//! with chances that depend on what it sees:
//!
//! - whether the goal robot comes nearer to the target, counted as if it could stop anywhere (the
//!   slides' minimum-moves map);
//! - whether the position comes nearer to one in which walls and one helper lead the goal robot home:
//!   a search backwards from the target for the cells where a helper would stop the goal robot, and
//!   how far the helpers are from them. Subgoals of this kind are the heuristic of Hůla, Adamczyk and
//!   Janota;
//! - whether the move itself reaches the target.
//!
//! A player follows a line up to a depth without effort, and holds a few robots in mind that stand
//! elsewhere than on the board in front of it. Beyond that it loses the thread more and more often. It
//! tries a number of lines and succeeds if one of them is a shortest solution, unless it slips. Players differ in all
//! of this, and in how willingly they move helpers or take the goal robot away from the target, and
//! these techniques can be learned.
//!
//! The chance that a line is a shortest solution is a sum over the ways through the graph of all
//! shortest solutions, so it is computed exactly, without trying any line.

use ricochet_core::rng::Rng;
use ricochet_core::{Direction, Puzzle};

use super::features::states;
use crate::all::{AllSolutions, all_of_length};
use crate::heuristics::bound::Bound;
use crate::heuristics::helped::HelpedBound;
use crate::state_space::{Game, SearchState, pack_move};
use crate::{LimitReached, Limits};

/// Kinds of moves that players tell apart.
const KINDS: usize = 13;

/// The kind of a move that reaches the target.
const ARRIVES: usize = 12;

/// The chance that a player fails although it has found a solution: it slips, or is interrupted.
const LAPSE: f64 = 0.03;

/// The techniques that players know more or less well, and learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Technique {
    /// Moving a helper towards a cell where it stops the goal robot.
    Block,
    /// Moving a helper although that does not bring it nearer to such a cell.
    Prepare,
    /// Moving the goal robot although it does not come nearer.
    Detour,
}

impl Technique {
    /// All techniques.
    pub const ALL: [Self; 3] = [Self::Block, Self::Prepare, Self::Detour];
}

/// A simulated player.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// How much it prefers moves of the goal robot towards the target.
    pub forward: f64,
    /// How much it prefers moves that serve a subgoal.
    pub backward: f64,
    /// Moves that it looks ahead without effort.
    pub depth: f64,
    /// Robots that it holds in mind without effort.
    pub robots: f64,
    /// How quickly it loses the thread beyond that.
    pub forgetting: f64,
    /// Lines that it tries.
    pub lines: f64,
    /// How much it favours moves that need each [`Technique`].
    pub techniques: [f64; 3],
}

impl Player {
    /// The player of a number: always the same for the same seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut rng = Rng::stream(seed, number);
        let mut uniform = |least: f64, most: f64| {
            let unit = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            least + (most - least) * unit
        };
        // General skill moves all traits together; the rest is individual.
        let skill = uniform(0.0, 1.0);
        let mut mixed = |least: f64, most: f64| {
            let place = 0.7 * skill + 0.3 * uniform(0.0, 1.0);
            least + (most - least) * place
        };
        Self {
            forward: mixed(0.4, 1.4),
            backward: mixed(0.0, 2.0),
            depth: mixed(2.0, 8.0),
            robots: mixed(0.0, 2.5),
            forgetting: mixed(0.5, 0.1),
            lines: mixed(3.0, 7.0).exp(),
            techniques: [mixed(-1.0, 0.5), mixed(-1.6, 0.0), mixed(-1.2, 0.2)],
        }
    }

    /// The relative chance of each kind of move.
    fn weights(&self) -> [f64; KINDS] {
        let [block, prepare, detour] = self.techniques;
        let mut weights = [0.0; KINDS];
        for (kind, weight) in weights.iter_mut().enumerate() {
            let gain = (kind % 3) as f64 - 1.0;
            let score = match kind {
                // The goal robot: nearer by the plain map, and by the subgoals.
                0..9 => {
                    let forward = (kind / 3) as f64 - 1.0;
                    let away = if forward > 0.0 { 0.0 } else { detour };
                    self.forward * forward + self.backward * gain + away
                }
                9..ARRIVES => self.backward * gain + if gain > 0.0 { block } else { prepare },
                _ => 4.0,
            };
            *weight = score.exp();
        }
        weights
    }

    /// The chance of success.
    pub fn chance(&self, puzzle: &Choices) -> f64 {
        let weights = self.weights();
        let mut reached = vec![0.0; puzzle.nodes.len()];
        reached[0] = 1.0;
        let mut found = 0.0;
        for (node, choices) in puzzle.nodes.iter().enumerate() {
            if choices.edges.is_empty() {
                found += reached[node];
                continue;
            }
            let counts = choices.kinds.iter().zip(&weights);
            let all: f64 = counts
                .map(|(&count, weight)| f64::from(count) * weight)
                .sum();
            let strain = (f64::from(choices.made) - self.depth).max(0.0)
                + (f64::from(choices.displaced) - self.robots).max(0.0);
            let here = reached[node] * (-self.forgetting * strain).exp() / all;
            for &(child, kind) in &choices.edges {
                reached[child as usize] += here * weights[usize::from(kind)];
            }
        }
        // One minus the chance that all lines fail, without loss of precision for small chances.
        let finds = -(self.lines * (-found.min(1.0 - 1e-12)).ln_1p()).exp_m1();
        (1.0 - LAPSE) * finds
    }

    /// Becomes better at the techniques that a solved puzzle needs.
    pub fn learn(&mut self, needed: [bool; 3], rate: f64) {
        for (technique, _) in self.techniques.iter_mut().zip(needed).filter(|it| it.1) {
            // The better it is known already, the less is learned.
            *technique += rate * (1.0 - *technique);
        }
    }
}

/// What players can choose from at each position on a shortest solution of one puzzle.
#[derive(Clone, Debug)]
pub struct Choices {
    nodes: Vec<NodeChoices>,
    needed: [bool; 3],
}

#[derive(Clone, Debug)]
struct NodeChoices {
    /// Legal moves of each kind.
    kinds: [u8; KINDS],
    /// Moves made.
    made: u32,
    /// Robots that stand elsewhere than at the start.
    displaced: u32,
    /// Moves that keep the solution shortest: where they lead, and their kind.
    edges: Vec<(u32, u8)>,
}

/// What players see of a position.
#[derive(Clone, Copy)]
struct View {
    free: u32,
    helped: u32,
}

impl Choices {
    /// The choices of a puzzle whose shortest solutions have this length; `None` if they have not.
    ///
    /// # Errors
    /// The limit that was reached. Its lower bound is the length that was given.
    pub fn of(puzzle: &Puzzle, length: u32, limits: &Limits) -> Result<Option<Self>, LimitReached> {
        let all = all_of_length(puzzle, length, limits)?;
        Ok(all.map(|all| Self::of_solutions(puzzle, &all, &Bound::new(puzzle))))
    }

    /// The choices of a puzzle with these shortest solutions.
    pub(super) fn of_solutions(puzzle: &Puzzle, all: &AllSolutions, bound: &Bound) -> Self {
        let game = Game::new(puzzle);
        let dag = all.dag();
        let own = all
            .helped()
            .is_none()
            .then(|| HelpedBound::new(puzzle))
            .flatten();
        let helped = all.helped().or(own.as_ref());
        let view = |it: SearchState| {
            // A position without any solution looks as bad as one that is far away.
            let free = bound.of_state(it.state).unwrap_or(50);
            let helped = helped.map_or(Some(free), |map| map.of_state(it.state));
            View {
                free,
                helped: helped.unwrap_or(50),
            }
        };
        let states = states(puzzle, dag);
        let mut made = vec![0; dag.nodes()];
        let mut nodes = Vec::with_capacity(dag.nodes());
        let start = puzzle.start();
        for (node, &here) in states.iter().enumerate() {
            let seen = view(here);
            let displaced = start
                .iter()
                .filter(|&(robot, cell)| here.state[robot] != cell);
            let mut choices = NodeChoices {
                kinds: [0; KINDS],
                made: made[node],
                displaced: displaced.count() as u32,
                edges: Vec::with_capacity(dag.edges(node).len()),
            };
            if !dag.edges(node).is_empty() {
                for robot in start.robots() {
                    let may_arrive = puzzle.goal().robot.is_none_or(|active| active == robot);
                    for way in Direction::ALL {
                        let Some(next) = game.step(here, robot, way) else {
                            continue;
                        };
                        let kind = if game.is_over(next) {
                            ARRIVES
                        } else {
                            let after = view(next);
                            let change = |before: u32, after: u32| match before.cmp(&after) {
                                std::cmp::Ordering::Less => 0,
                                std::cmp::Ordering::Equal => 1,
                                std::cmp::Ordering::Greater => 2,
                            };
                            let gain = change(seen.helped, after.helped);
                            if may_arrive {
                                3 * change(seen.free, after.free) + gain
                            } else {
                                9 + gain
                            }
                        };
                        choices.kinds[kind] += 1;
                        let packed = pack_move(robot, way);
                        if let Some(child) = dag.step(node, packed) {
                            made[child] = made[node] + 1;
                            choices.edges.push((child as u32, kind as u8));
                        }
                    }
                }
            }
            nodes.push(choices);
        }
        let mut choices = Self {
            nodes,
            needed: [false; 3],
        };
        choices.needed = choices.needed_techniques();
        choices
    }

    /// The chance that random legal moves follow a shortest solution.
    pub fn random_chance(&self) -> f64 {
        let mut reached = vec![0.0; self.nodes.len()];
        reached[0] = 1.0;
        let mut found = 0.0;
        for (node, choices) in self.nodes.iter().enumerate() {
            if choices.edges.is_empty() {
                found += reached[node];
                continue;
            }
            let legal: u32 = choices.kinds.iter().map(|&it| u32::from(it)).sum();
            let here = reached[node] / f64::from(legal);
            for &(child, _) in &choices.edges {
                reached[child as usize] += here;
            }
        }
        found
    }

    /// The techniques that every shortest solution needs.
    pub fn needed(&self) -> [bool; 3] {
        self.needed
    }

    fn needed_techniques(&self) -> [bool; 3] {
        let uses = |kind: u8| match usize::from(kind) {
            ARRIVES => None,
            11 => Some(Technique::Block),
            9 | 10 => Some(Technique::Prepare),
            0..6 => Some(Technique::Detour),
            _ => None,
        };
        Technique::ALL.map(|technique| {
            // Whether some way to each node avoids the technique.
            let mut avoids = vec![false; self.nodes.len()];
            avoids[0] = true;
            let mut avoidable = false;
            for (node, choices) in self.nodes.iter().enumerate() {
                avoidable |= choices.edges.is_empty() && avoids[node];
                for &(child, kind) in &choices.edges {
                    avoids[child as usize] |= avoids[node] && uses(kind) != Some(technique);
                }
            }
            !avoidable
        })
    }
}
