//! The two bounds that a search can use, behind the interface that filling a layer needs.
//!
//! [`PlainHeuristic`] depends on the goal robot's cell alone; [`super::plans::RaisedHeuristic`] on the helpers as well.

use super::frontier::{
    Child, Children, DEFERRED_LAYERS, Frontier, Node, SolvedNode, TouchedConfiguration,
};
use super::goal_moves::{PlainMoves, follow_lowering};
use super::helper_moves::plain_helper_moves;
use super::key::helpers;
use super::lookahead::{NodeMoves, collect_ahead, look_ahead};
use super::plans::{Plans, Survey};
use super::tables::Tables;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::Set;

/// The layer that is being filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub(super) f: usize,
    /// Look for the target in the next layers.
    pub(super) lookahead: bool,
    /// Collect every target hit instead of ending with the first one.
    pub(super) collect: bool,
}

/// The data that moves depend on.
pub(super) struct Context<'a, S: Set> {
    pub(super) isa: S::Isa,
    pub(super) layer: Layer,
    pub(super) tables: &'a mut Tables,
    pub(super) plans: Option<&'a mut Plans>,
    pub(super) enter: [S; 4],
}

impl<'a, S: Set> Context<'a, S> {
    #[inline(always)]
    pub(super) fn new(
        isa: S::Isa,
        layer: Layer,
        tables: &'a mut Tables,
        plans: Option<&'a mut Plans>,
    ) -> Self {
        let [n, e, s, w] = &tables.enter;
        Self {
            isa,
            layer,
            enter: [isa.load(n), isa.load(e), isa.load(s), isa.load(w)],
            tables,
            plans,
        }
    }
}

/// The result of making the node of a touched configuration.
pub(super) struct NodeResult<S> {
    /// One more than the index of its latest node.
    pub(super) latest: u32,
    /// The cells seen with it by now.
    pub(super) seen: S,
    /// The target is in this layer or known to be in the next: the layer need not be completed.
    pub(super) stop: bool,
}

/// An admissible bound on the number of moves from a state to the target that one move lowers by at
/// most 1.
pub(super) trait Heuristic: Sync {
    /// Whether the bound depends on the helpers. If so, a helper move may lead to the same layer.
    const DEPENDS_ON_HELPERS: bool;

    /// The number of nodes made before children that stay in the layer are added and limits are
    /// checked.
    const NODES_PER_ROUND: usize;

    /// The number of nodes of the previous layer that are expanded before the nodes of their
    /// children are made.
    const EXPANSIONS_PER_ROUND: usize;

    /// Makes the node of a touched configuration, with all its moves that stay in the layer.
    /// Goal-robot moves that lead further are deferred; helper moves that stay in the layer become
    /// children.
    fn make_node<S: Set, const N: usize>(
        context: &mut Context<S>,
        touched: &TouchedConfiguration<S>,
        survey: Option<&mut Survey>,
        frontier: &mut Frontier,
        children: &mut Children,
    ) -> NodeResult<S>;

    /// Makes the helper moves of a node of the previous layer that were not made with the node.
    /// Moves that lead beyond this layer are deferred.
    fn helper_moves<S: Set, const N: usize>(
        context: &mut Context<S>,
        node: &Node,
        survey: Option<&Survey>,
        children: &mut Children,
        deferred: &mut [Vec<Child>; DEFERRED_LAYERS],
    );
}

/// The minimum-moves map of the slides.
pub(super) struct PlainHeuristic;

impl Heuristic for PlainHeuristic {
    const DEPENDS_ON_HELPERS: bool = false;
    const NODES_PER_ROUND: usize = 1 << 12;
    const EXPANSIONS_PER_ROUND: usize = usize::MAX;

    #[inline(always)]
    fn make_node<S: Set, const N: usize>(
        context: &mut Context<S>,
        touched: &TouchedConfiguration<S>,
        _: Option<&mut Survey>,
        frontier: &mut Frontier,
        _: &mut Children,
    ) -> NodeResult<S> {
        let Context {
            isa,
            layer,
            tables,
            enter,
            ..
        } = context;
        let (f, key) = (layer.f, touched.key);
        let mut moves = PlainMoves::new(tables, enter, helpers::<N>(key));
        let (all, seen) = follow_lowering(&mut moves, touched.fresh, touched.seen);
        let moved = NodeMoves {
            all,
            descend_from: moves.descend_from,
            descend_to: moves.descend_to,
            same: moves.same.minus(seen),
            higher: moves.higher.minus(seen),
            first_stoppers: moves.first_stoppers,
        };
        let latest = frontier.add_node::<S, false>(touched, f, all, &[moved.same, moved.higher]);
        let mut stop = false;
        if !all.and(tables.target(*isa)).is_empty() {
            stop = true;
            frontier.solved = Some(SolvedNode {
                f,
                before: key,
                key,
                cells: all.words(),
            });
        } else if layer.collect {
            collect_ahead::<S, N>(tables, enter, f, key, &moved, &mut frontier.hits);
        } else if layer.lookahead
            && let Some(solved) = look_ahead::<S, N>(tables, enter, f, key, &moved, frontier.solved)
        {
            stop = solved.f <= f + 1;
            frontier.solved = Some(solved);
        }
        NodeResult { latest, seen, stop }
    }

    #[inline(always)]
    fn helper_moves<S: Set, const N: usize>(
        context: &mut Context<S>,
        node: &Node,
        _: Option<&Survey>,
        children: &mut Children,
        _: &mut [Vec<Child>; DEFERRED_LAYERS],
    ) {
        plain_helper_moves::<S, N>(context.isa, context.tables, node, children);
    }
}
