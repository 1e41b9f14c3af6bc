//! Moves of the goal robot, from the cells that are new in a layer.

use std::cmp::Ordering;

use super::bytes::min4;
use super::config::helper;
use super::set::{Set, count, take_first};
use super::tables::{BITS, FLIP, Tables};
use super::work::Work;

#[inline(always)]
fn helpers<S: Set, const N: usize>(key: u32) -> S {
    let mut blocked = S::load(&[0; 4]);
    for i in 0..N {
        blocked = blocked.or(S::load(&BITS[usize::from(helper(key, i))]));
    }
    blocked
}

/// The packed ends of the goal robot's moves.
#[inline(always)]
pub(crate) fn goal_ends<const N: usize>(tables: &mut Tables, key: u32, cell: u8) -> u32 {
    tables.want(cell);
    if N == 0 {
        // Its own cell as 'the other' stands for no obstacle at all.
        return tables.ends(cell, cell);
    }
    let mut ends = tables.ends(cell, helper(key, 0));
    for i in 1..N {
        ends = min4(ends, tables.ends(cell, helper(key, i)));
    }
    ends
}

/// Makes the goal-robot moves of new cells one by one, and of what they reach in this layer;
/// returns all cells new in this layer.
#[inline(never)]
pub(super) fn move_cells<const N: usize>(
    tables: &mut Tables,
    seen: &mut [u64; 4],
    work: &mut Work,
    key: u32,
    new: [u64; 4],
) -> [u64; 4] {
    let mut all = new;
    let mut rest = new;
    let (mut same, mut higher) = ([0; 4], [0; 4]);
    let (mut same_cells, mut higher_cells) = (0, 0);
    loop {
        let cell = take_first(&mut rest);
        let bound = tables.bound[usize::from(cell)];
        if bound == 0 {
            work.found = Some(key);
            return all;
        }
        let ends = goal_ends::<N>(tables, key, cell) ^ FLIP;
        for d in 0..4 {
            let end = (ends >> (8 * d)) as u8;
            let (word, bit) = (usize::from(end >> 6), 1u64 << (end & 63));
            if seen[word] & bit != 0 {
                continue;
            }
            let there = tables.bound[usize::from(end)];
            match there.cmp(&bound) {
                Ordering::Less => {
                    seen[word] |= bit;
                    all[word] |= bit;
                    rest[word] |= bit;
                }
                Ordering::Equal => {
                    same[word] |= bit;
                    same_cells += 1;
                }
                Ordering::Greater => {
                    higher[word] |= bit;
                    higher_cells += 1;
                }
            }
        }
        if rest == [0; 4] {
            work.keep(key, same, same_cells, 1);
            work.keep(key, higher, higher_cells, 2);
            return all;
        }
    }
}

/// Like [`move_cells`], all cells of a level at once.
#[inline(always)]
pub(super) fn move_set<S: Set, const N: usize>(
    tables: &Tables,
    enter: &[S; 4],
    seen_words: &mut [u64; 4],
    work: &mut Work,
    key: u32,
    new: S,
) -> [u64; 4] {
    let blocked = helpers::<S, N>(key);
    let mut seen = S::load(seen_words);
    let mut all = new;
    let mut rest = new;
    // The highest level present; there is one, since every cell of a child has a bound.
    let mut level = 0;
    loop {
        rest = rest.minus(S::load(&tables.levels[level]));
        if rest.is_empty() {
            break;
        }
        level += 1;
    }
    while level > 0 {
        let here = all.and(S::load(&tables.levels[level]));
        if !here.is_empty() {
            let stops = here.stops(enter, blocked).minus(seen);
            if !stops.is_empty() {
                let lower = stops.and(S::load(&tables.levels[level - 1]));
                seen = seen.or(lower);
                all = all.or(lower);
                let same = stops.and(S::load(&tables.levels[level]));
                let words = same.words();
                work.keep(key, words, count(&words), 1);
                let higher = stops.and(S::load(&tables.levels[level + 1]));
                let words = higher.words();
                work.keep(key, words, count(&words), 2);
            }
        }
        level -= 1;
    }
    *seen_words = seen.words();
    if !all.and(S::load(&tables.levels[0])).is_empty() {
        work.found = Some(key);
    }
    all.words()
}
