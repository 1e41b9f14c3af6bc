//! Sentences about the differences between the thesis's figures and ours, computed from the run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ricochet_core::describe::thousands;

use super::PUBLISHED_STATELESS;
use super::aggregate::{Aggregate, Sums};
use crate::experiments::published::Thesis;
use crate::report::document::Section;
use crate::report::table::Value;

/// The required moves between which the growth of time is stated: below them, set-up dominates; above
/// them, positions are few.
const FROM: u32 = 6;
const TO: u32 = 12;

/// The fewest positions of one length from which a mean is stated.
const ENOUGH: u64 = 5;

pub(super) fn section(sums: &Aggregate, thesis: &Thesis) -> Section {
    let mut section = Section::new("Where ours differ");
    let mut sentences = vec![
        "The board: the thesis shows its own as a picture only, so ours is an official layout. Which \
         lengths are common, and with them every average, depends on the board (see the experiment \
         over 96 layouts)."
            .to_owned(),
        format!("Their machine and language: {}; ours is native code.", thesis.machine),
    ];
    sentences.extend(growth(sums, thesis));
    sentences.extend(sums.get("naive").map(naive));
    sentences.extend(sums.get(PUBLISHED_STATELESS).map(claims));
    sentences.extend(sums.get("stateless").map(played));
    section.list(sentences);
    section
}

fn share(part: u64, whole: u64) -> String {
    Value::Share(part as f64 / whole.max(1) as f64).show()
}

fn sum(by_moves: &BTreeMap<u32, Sums>, pick: fn(&Sums) -> u64) -> u64 {
    by_moves.values().map(pick).sum()
}

/// The factor by which the mean time grows with each required move, measured and published.
fn growth(sums: &Aggregate, thesis: &Thesis) -> Option<String> {
    let factor = |from: f64, to: f64| (to / from).powf(1.0 / f64::from(TO - FROM));
    let mut parts = Vec::new();
    for (solver, by_moves) in sums {
        let mean = |moves: u32| {
            let s = by_moves.get(&moves).filter(|s| s.count >= ENOUGH)?;
            Some(s.micros / s.count as f64)
        };
        let (Some(from), Some(to)) = (mean(FROM), mean(TO)) else {
            continue;
        };
        let mut part = format!("`{solver}` {:.2}", factor(from, to));
        let published = thesis.mean_ms_by_required_moves.get(solver);
        if let Some(ms) = published
            && let (Some(&from), Some(&to)) = (ms.get(FROM as usize - 1), ms.get(TO as usize - 1))
            && from > 0.0
        {
            let _ = write!(part, " (thesis {:.2})", factor(from, to));
        }
        parts.push(part);
    }
    (!parts.is_empty()).then(|| {
        format!(
            "With each required move from {FROM} to {TO} the mean time grows by a factor of: {}.",
            parts.join(", ")
        )
    })
}

fn naive(by_moves: &BTreeMap<u32, Sums>) -> String {
    let (count, hits) = (sum(by_moves, |s| s.count), sum(by_moves, |s| s.hits));
    let first_miss = by_moves.iter().find(|(_, s)| s.hits < s.count);
    format!(
        "`naive` found the optimum in {} of {} positions and ended at a limit in {}{}. In the thesis, \
         where 40 s or the heap run out, it misses some from 13 required moves on.",
        thousands(hits),
        thousands(count),
        thousands(sum(by_moves, |s| s.limits)),
        first_miss.map_or_else(String::new, |(moves, _)| format!(
            ", the first time at {moves} required moves"
        ))
    )
}

fn claims(by_moves: &BTreeMap<u32, Sums>) -> String {
    let count = sum(by_moves, |s| s.count);
    format!(
        "The published form of `stateless` claims the right length in {} of the positions and too low \
         a one in {}; a solution as long as required comes out of playing its claims in {}. (That may \
         be more or less than the claims that are right: some cannot be played, and where a claim \
         counts a move twice, what is played is shorter than the claim.)",
        share(sum(by_moves, |s| s.claims), count),
        share(sum(by_moves, |s| s.claims_below), count),
        share(sum(by_moves, |s| s.hits), count),
    )
}

fn played(by_moves: &BTreeMap<u32, Sums>) -> String {
    let count = sum(by_moves, |s| s.count);
    format!(
        "Our `stateless` plays every state before it counts, so that it never claims what cannot be \
         played; it finds the optimum in {}. Playing takes time that grows with the moves, which the \
         published form does not spend.",
        share(sum(by_moves, |s| s.hits), count),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(count: u64, micros: f64) -> Sums {
        Sums {
            count,
            hits: count,
            micros,
            ..Sums::default()
        }
    }

    #[test]
    fn growth_is_told_of_lengths_with_enough_positions() {
        let thesis = crate::experiments::published::thesis();
        let by_moves = |last| BTreeMap::from([(FROM, sums(10, 10.0)), (TO, sums(last, 640.0))]);
        let told = growth(&Aggregate::from([("iddfs".into(), by_moves(10))]), &thesis).unwrap();
        // 64 = 2^6; the thesis has 1 ms and 414 ms.
        assert!(told.contains("`iddfs` 2.00 (thesis 2.73)"), "{told}");
        assert_eq!(
            growth(&Aggregate::from([("iddfs".into(), by_moves(4))]), &thesis),
            None
        );
    }

    #[test]
    fn misses_are_told_where_they_begin() {
        let mut by_moves = BTreeMap::from([(9, sums(10, 1.0)), (14, sums(4, 1.0))]);
        assert!(!naive(&by_moves).contains("first time"));
        by_moves.get_mut(&14).unwrap().hits = 3;
        by_moves.get_mut(&14).unwrap().limits = 1;
        let told = naive(&by_moves);
        assert!(
            told.contains("13 of 14") && told.contains("first time at 14"),
            "{told}"
        );
    }
}
