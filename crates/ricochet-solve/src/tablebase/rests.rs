//! All ways to fix every helper but one.
//!
//! A *rest* is a configuration without one member of one class. Moving that member over the whole
//! board touches exactly the configurations that contain the rest.

use std::ops::Range;

use super::space::{MAX_HELPERS, Space};
use crate::lowlevel::set256::Set256;

/// A part of the rests of one class.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) class: usize,
    /// Numbers of the other classes' configurations, in mixed radix.
    others: Range<usize>,
    /// How many members of the class are fixed.
    fixed_len: usize,
    /// Where the lowest of them may be, if it is below the second.
    lowest: Range<u16>,
    /// All choices of the others.
    uppers: Vec<[u16; MAX_HELPERS]>,
}

/// One rest.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    /// The fixed members of the moving helper's class, ascending; the first `fixed_len` count.
    pub(crate) fixed: [u16; MAX_HELPERS],
    pub(crate) fixed_len: usize,
    /// The cells of the other classes' helpers.
    pub(crate) others: Vec<u16>,
    /// The other classes' number.
    pub(crate) other: usize,
    /// Bits of all of them.
    pub(crate) blockers: Set256,
}

impl Rest {
    /// The fixed members of the moving helper's class.
    #[inline(always)]
    pub(crate) fn fixed(&self) -> &[u16] {
        &self.fixed[..self.fixed_len]
    }

    /// All cells that are taken.
    #[inline(always)]
    pub(crate) fn taken(&self) -> impl Iterator<Item = u16> + '_ {
        let fixed = self.fixed[..self.fixed_len].iter();
        fixed.chain(&self.others).copied()
    }
}

impl Job {
    /// Every rest of a class.
    pub(crate) fn whole(space: &Space, class: usize) -> Self {
        let fixed = space.classes()[class].robots.len() - 1;
        let cells = space.bits().len() as u16;
        Self::new(class, 0..space.others(class), &vec![0..cells; fixed])
    }

    /// The rests with the other classes' number and each fixed member in these ranges.
    pub(crate) fn new(class: usize, others: Range<usize>, ranges: &[Range<u16>]) -> Self {
        let mut uppers = Vec::new();
        let mut fixed = [0; MAX_HELPERS];
        list_uppers(ranges, ranges.len(), u16::MAX, &mut fixed, &mut uppers);
        Self {
            class,
            others,
            fixed_len: ranges.len(),
            lowest: ranges.first().cloned().unwrap_or(0..1),
            uppers,
        }
    }

    /// How many rests there are, about.
    pub(crate) fn weight(&self) -> u64 {
        let uppers = self.uppers.iter();
        let rests: u64 = uppers
            .map(|fixed| self.lowest_places(fixed).len() as u64)
            .sum();
        rests * self.others.len() as u64
    }

    /// The places of the lowest member below a choice of the others.
    #[inline(always)]
    fn lowest_places(&self, fixed: &[u16; MAX_HELPERS]) -> Range<u16> {
        let end = if self.fixed_len > 1 {
            self.lowest.end.min(fixed[1])
        } else {
            self.lowest.end
        };
        self.lowest.start..end.max(self.lowest.start)
    }

    /// Walks over every rest of the job. The lowest member runs fastest, so that neighbours in the
    /// table come one after the other.
    pub(crate) fn walk<'a>(&'a self, space: &'a Space) -> RestWalk<'a> {
        RestWalk {
            job: self,
            space,
            others: self.others.clone(),
            uppers: [].iter(),
            lows: 0..0,
            other_bits: Set256::EMPTY,
            upper_bits: Set256::EMPTY,
            rest: Rest {
                fixed: [0; MAX_HELPERS],
                fixed_len: self.fixed_len,
                others: Vec::new(),
                other: 0,
                blockers: Set256::EMPTY,
            },
        }
    }

    /// Puts the other classes' helpers in place; `false` if two of them collide.
    fn set_others(&self, space: &Space, mut number: usize, rest: &mut Rest) -> bool {
        rest.others.clear();
        rest.other = number;
        for (i, class) in space.classes().iter().enumerate() {
            if i == self.class {
                continue;
            }
            let own = number % class.count;
            number /= class.count;
            for member in space.unrank(own as u64, class.robots.len()) {
                if rest.others.contains(&member) {
                    return false;
                }
                rest.others.push(member);
            }
        }
        true
    }
}

/// A walk over the rests of a job.
pub(crate) struct RestWalk<'a> {
    job: &'a Job,
    space: &'a Space,
    others: Range<usize>,
    uppers: std::slice::Iter<'a, [u16; MAX_HELPERS]>,
    lows: Range<u16>,
    other_bits: Set256,
    upper_bits: Set256,
    rest: Rest,
}

impl RestWalk<'_> {
    /// The next rest. (Not an iterator: the rest is lent.)
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<&Rest> {
        loop {
            let Some(low) = self.lows.next() else {
                if self.next_upper() {
                    continue;
                }
                return None;
            };
            self.rest.blockers = self.upper_bits;
            if self.rest.fixed_len > 0 {
                self.rest.fixed[0] = low;
                self.rest.blockers |= Set256::of(usize::from(self.space.bits()[usize::from(low)]));
                if self.rest.others.contains(&low) {
                    continue;
                }
            }
            return Some(&self.rest);
        }
    }

    /// Moves on to the next choice of all but the lowest member.
    fn next_upper(&mut self) -> bool {
        loop {
            let Some(upper) = self.uppers.next() else {
                let Some(number) = self.others.next() else {
                    return false;
                };
                if self.job.set_others(self.space, number, &mut self.rest) {
                    self.other_bits = bits_of(self.space, &self.rest.others);
                    self.uppers = self.job.uppers.iter();
                }
                continue;
            };
            let fixed = upper.get(1..self.rest.fixed_len).unwrap_or_default();
            if fixed.iter().any(|member| self.rest.others.contains(member)) {
                continue;
            }
            self.rest.fixed = *upper;
            self.upper_bits = self.other_bits | bits_of(self.space, fixed);
            self.lows = self.job.lowest_places(upper);
            return true;
        }
    }
}

/// Lists all ascending choices of the members `1..` within their ranges; those of the highest
/// member come slowest.
fn list_uppers(
    ranges: &[Range<u16>],
    i: usize,
    below: u16,
    fixed: &mut [u16; MAX_HELPERS],
    uppers: &mut Vec<[u16; MAX_HELPERS]>,
) {
    if i <= 1 {
        uppers.push(*fixed);
        return;
    }
    let range = ranges[i - 1].clone();
    for place in range.start..range.end.min(below) {
        fixed[i - 1] = place;
        list_uppers(ranges, i - 1, place, fixed, uppers);
    }
}

fn bits_of(space: &Space, places: &[u16]) -> Set256 {
    places
        .iter()
        .map(|&place| usize::from(space.bits()[usize::from(place)]))
        .collect()
}
