//! The bound of plans as a heuristic for the layers.
//!
//! A layer is `g` plus the raised bound, which also depends on the helpers. A helper move may lower
//! it by one. It then leads to the same layer, as a lowering goal-robot move does; both are made at
//! once, the latest first. All other helper moves are made when the next layer is filled; the ones
//! that lead further are deferred. There is no lookahead: the search ends with the first state that
//! has the target, in the layer of its length.

use super::goal_moves::RaisedMoves;
use super::helper_moves::{Origin, lowering_moves, other_moves, survey_of};
use super::{Plans, Survey};
use crate::flagship::small::frontier::{
    Child, Children, DEFERRED_LAYERS, Frontier, Node, SolvedNode, TargetHit, TouchedConfiguration,
};
use crate::flagship::small::goal_moves::follow_lowering;
use crate::flagship::small::heuristic::{Context, Heuristic, NodeResult};
use crate::flagship::small::key::helpers;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::Set;

/// The heuristic of the bound raised by plans.
pub(crate) struct RaisedHeuristic;

impl Heuristic for RaisedHeuristic {
    const DEPENDS_ON_HELPERS: bool = true;
    const NODES_PER_ROUND: usize = 64;
    const EXPANSIONS_PER_ROUND: usize = 1 << 10;

    #[inline(always)]
    fn make_node<S: Set, const N: usize>(
        context: &mut Context<S>,
        touched: &TouchedConfiguration<S>,
        survey: Option<&mut Survey>,
        frontier: &mut Frontier,
        children: &mut Children,
    ) -> NodeResult<S> {
        let (isa, layer, key) = (context.isa, context.layer, touched.key);
        let plans = made(&mut context.plans);
        let survey = survey.expect("there is room for one");
        if survey.number == 0 {
            *survey = survey_of::<S, N>(isa, context.tables, plans, key);
        }
        let number = survey.number - 1;
        plans.make_levels(number);
        let mut moves = RaisedMoves::new(
            context.tables,
            &context.enter,
            plans.bound(number),
            helpers::<N>(key),
        );
        let (cells, seen) = follow_lowering(&mut moves, touched.fresh, touched.seen);
        let mut deferred = moves.by_raise;
        for cells in &mut deferred {
            *cells = cells.minus(seen);
        }
        let latest = frontier.add_node::<S, true>(touched, layer.f, cells, &deferred);
        let target = cells.and(context.tables.target(isa));
        let mut stop = false;
        if !target.is_empty() {
            if layer.collect {
                let (f, cell) = (layer.f, target.first());
                frontier.hits.push(TargetHit { f, key, cell });
            } else {
                stop = true;
                frontier.solved = Some(SolvedNode {
                    f: layer.f,
                    before: key,
                    key,
                    cells: cells.words(),
                });
            }
        }
        if !stop {
            children.begin_node();
            let from = Origin { key, cells, number };
            lowering_moves::<S, N>(isa, context.tables, plans, &from, survey, children);
        }
        NodeResult { latest, seen, stop }
    }

    #[inline(always)]
    fn helper_moves<S: Set, const N: usize>(
        context: &mut Context<S>,
        node: &Node,
        survey: Option<&Survey>,
        children: &mut Children,
        deferred: &mut [Vec<Child>; DEFERRED_LAYERS],
    ) {
        let (isa, f) = (context.isa, context.layer.f);
        let survey = survey.expect("the node's configuration has one");
        let from = Origin {
            key: node.key,
            cells: isa.load(&node.cells),
            number: survey.number - 1,
        };
        let plans = made(&mut context.plans);
        children.begin_node();
        other_moves::<S, N>(isa, context.tables, plans, &from, survey, |raise, child| {
            if raise == 0 {
                children.push(child);
            } else {
                deferred[(f + raise) % DEFERRED_LAYERS].push(child);
            }
        });
    }
}

#[inline(always)]
fn made<'a>(plans: &'a mut Option<&mut Plans>) -> &'a mut Plans {
    plans
        .as_deref_mut()
        .expect("plans are made before they are used")
}
