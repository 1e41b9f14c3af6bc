//! Sets of cells of a board of at most 16×16, and the slides of a whole set at once.
//!
//! A cell has the number `16·y + x` whatever the board's size, so that a row is one 16-bit lane:
//! shifts along a row cannot run over into the next one, and shifts by whole rows are byte shifts.

use super::instructions::InstructionSet;

/// 256 bits with the shifts of a 16×16 grid. An [`InstructionSet`] makes them.
pub(crate) trait Set: Copy {
    /// The instructions it needs.
    type Isa: InstructionSet<Set = Self>;

    /// These instructions: a set exists only if the processor has them.
    fn isa(self) -> Self::Isa;
    /// The set as four words.
    fn words(self) -> [u64; 4];
    /// Intersection.
    fn and(self, other: Self) -> Self;
    /// Union.
    fn or(self, other: Self) -> Self;
    /// Without the cells of `other`.
    fn minus(self, other: Self) -> Self;
    /// Whether there are no cells.
    fn is_empty(self) -> bool;
    /// One bit for each of sixteen cells, given as one byte each: whether it is in the set.
    fn members(self, cells: [u64; 2]) -> u32;
    /// The lowest cell of a set that is not empty.
    #[inline(always)]
    fn first(self) -> u8 {
        first_cell(&self.words())
    }
    /// Every cell `N` columns further east; cells that leave their row are dropped. `N` is 1, 2, 4
    /// or 8.
    fn east<const N: i32>(self) -> Self;
    /// Every cell `N` columns further west.
    fn west<const N: i32>(self) -> Self;
    /// Every cell `N` rows further south.
    fn south<const N: i32>(self) -> Self;
    /// Every cell `N` rows further north.
    fn north<const N: i32>(self) -> Self;

    /// All cells that the cells of `self` can reach going east through cells in `enter`.
    #[inline(always)]
    fn fill_east(self, enter: Self) -> Self {
        let (mut fill, mut way) = (self, enter);
        fill = fill.or(way.and(fill.east::<1>()));
        way = way.and(way.east::<1>());
        fill = fill.or(way.and(fill.east::<2>()));
        way = way.and(way.east::<2>());
        fill = fill.or(way.and(fill.east::<4>()));
        way = way.and(way.east::<4>());
        fill.or(way.and(fill.east::<8>()))
    }

    /// All cells that they can reach going west.
    #[inline(always)]
    fn fill_west(self, enter: Self) -> Self {
        let (mut fill, mut way) = (self, enter);
        fill = fill.or(way.and(fill.west::<1>()));
        way = way.and(way.west::<1>());
        fill = fill.or(way.and(fill.west::<2>()));
        way = way.and(way.west::<2>());
        fill = fill.or(way.and(fill.west::<4>()));
        way = way.and(way.west::<4>());
        fill.or(way.and(fill.west::<8>()))
    }

    /// All cells that they can reach going south.
    #[inline(always)]
    fn fill_south(self, enter: Self) -> Self {
        let (mut fill, mut way) = (self, enter);
        fill = fill.or(way.and(fill.south::<1>()));
        way = way.and(way.south::<1>());
        fill = fill.or(way.and(fill.south::<2>()));
        way = way.and(way.south::<2>());
        fill = fill.or(way.and(fill.south::<4>()));
        way = way.and(way.south::<4>());
        fill.or(way.and(fill.south::<8>()))
    }

    /// All cells that they can reach going north.
    #[inline(always)]
    fn fill_north(self, enter: Self) -> Self {
        let (mut fill, mut way) = (self, enter);
        fill = fill.or(way.and(fill.north::<1>()));
        way = way.and(way.north::<1>());
        fill = fill.or(way.and(fill.north::<2>()));
        way = way.and(way.north::<2>());
        fill = fill.or(way.and(fill.north::<4>()));
        way = way.and(way.north::<4>());
        fill.or(way.and(fill.north::<8>()))
    }

    /// The cells on which robots on these cells can stop after one move. `enter[d]` are the cells
    /// that walls allow to be entered heading `d` (N, E, S, W); `blocked` are the cells of other
    /// robots. Robots that cannot move stay on their cells.
    #[inline(always)]
    fn stops(self, enter: &[Self; 4], blocked: Self) -> Self {
        let north = enter[0].minus(blocked);
        let east = enter[1].minus(blocked);
        let south = enter[2].minus(blocked);
        let west = enter[3].minus(blocked);
        let north = self.fill_north(north).minus(north.south::<1>());
        let east = self.fill_east(east).minus(east.west::<1>());
        let south = self.fill_south(south).minus(south.north::<1>());
        let west = self.fill_west(west).minus(west.east::<1>());
        north.or(east).or(south.or(west))
    }
}

/// The lowest cell of a set that is not empty, from its words.
#[inline(always)]
fn first_cell(words: &[u64; 4]) -> u8 {
    // Without a branch, because which word it is in cannot be predicted.
    let [a, b, c, _] = *words;
    let (none_in_one, none_in_two, none_in_three) = (a == 0, a | b == 0, a | b | c == 0);
    let word = usize::from(none_in_one) + usize::from(none_in_two) + usize::from(none_in_three);
    (word * 64) as u8 | words[word].trailing_zeros() as u8 & 63
}

/// The cells of a set, in ascending order.
pub(crate) fn cells_of(words: [u64; 4]) -> impl Iterator<Item = u8> {
    words.into_iter().enumerate().flat_map(|(i, mut word)| {
        std::iter::from_fn(move || {
            if word == 0 {
                return None;
            }
            let bit = word.trailing_zeros();
            word &= word - 1;
            Some((i as u32 * 64 + bit) as u8)
        })
    })
}

/// The set of some cells, as words.
pub(crate) fn set_of(cells: &[u8]) -> [u64; 4] {
    let mut words = [0; 4];
    for cell in cells {
        words[usize::from(cell >> 6)] |= 1 << (cell & 63);
    }
    words
}

/// The number of cells in a set.
#[inline(always)]
pub(crate) fn count(words: &[u64; 4]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Takes the lowest cell out of a set that is not empty.
///
/// The set stays a vector, because words that were just written one by one cannot be read as a
/// vector without a stall.
#[inline(always)]
pub(crate) fn take_first<S: Set>(set: &mut S) -> u8 {
    let cell = set.first();
    *set = set.minus(set.isa().load(&BITS[usize::from(cell)]));
    cell
}

/// The set of each single cell.
pub(crate) static BITS: [[u64; 4]; 256] = {
    let mut bits = [[0; 4]; 256];
    let mut cell = 0;
    while cell < 256 {
        bits[cell] = bit(cell as u8);
        cell += 1;
    }
    bits
};

/// The set of one cell, as words.
pub(crate) const fn bit(cell: u8) -> [u64; 4] {
    let mut words = [0; 4];
    words[(cell >> 6) as usize] = 1 << (cell & 63);
    words
}

#[cfg(test)]
mod tests {
    use ricochet_core::rng::Rng;

    use super::*;
    use crate::lowlevel::instructions::{Instructions, Kernel, Portable};

    /// The place of [`Set::members`] in the output of [`Everything`].
    const MEMBERS: usize = 21;

    /// Everything that sets can do, with the results as words.
    struct Everything<I> {
        isa: I,
        sets: [[u64; 4]; 6],
        cells: [u64; 2],
    }

    impl<I: InstructionSet> Kernel for Everything<I> {
        type Output = Vec<[u64; 4]>;

        #[inline(always)]
        fn run(self) -> Self::Output {
            let [a, b, n, e, s, w] = self.sets.map(|words| self.isa.load(&words));
            let sets = [
                a.and(b),
                a.or(b),
                a.minus(b),
                a.east::<1>(),
                a.east::<2>(),
                a.east::<4>(),
                a.east::<8>(),
                a.west::<1>(),
                a.west::<2>(),
                a.west::<4>(),
                a.west::<8>(),
                a.south::<1>(),
                a.south::<2>(),
                a.south::<4>(),
                a.south::<8>(),
                a.north::<1>(),
                a.north::<2>(),
                a.north::<4>(),
                a.north::<8>(),
                a.stops(&[n, e, s, w], b),
                a.isa().load(&a.words()),
            ];
            let mut all: Vec<[u64; 4]> = sets.into_iter().map(Set::words).collect();
            all.push([u64::from(a.members(self.cells)), 0, 0, 0]);
            all.push([a.is_empty(), a.minus(a).is_empty(), false, false].map(u64::from));
            // Some have one cell, and in some the lowest cell is far up.
            for set in [a, b, n, a.and(b), a.minus(b).minus(n).minus(e)] {
                if !set.is_empty() {
                    let first = usize::from(set.first());
                    let others = set.minus(self.isa.load(&BITS[first]));
                    all.push([first as u64, u64::from(others.is_empty()), 0, 0]);
                }
            }
            for cell in 0..=255u8 {
                let set = self.isa.load(&BITS[usize::from(cell)]);
                assert_eq!(set.first(), cell);
                if cell < 255 {
                    let next = self.isa.load(&BITS[usize::from(cell + 1)]);
                    assert_eq!(set.or(next).first(), cell);
                }
            }
            all
        }
    }

    #[test]
    fn all_instruction_sets_agree() {
        let mut rng = Rng::new(7);
        for round in 0..if cfg!(miri) { 20 } else { 10_000 } {
            // Some are sparse, as the sets of a search are.
            let mut word = || match round % 3 {
                0 => rng.next_u64(),
                1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
                _ => rng.next_u64() | rng.next_u64(),
            };
            let sets = [(); 6].map(|()| [(); 4].map(|()| word()));
            let cells = [(); 2].map(|()| word());
            let expected = Portable.run(Everything {
                isa: Portable,
                sets,
                cells,
            });
            let members = expected[MEMBERS][0];
            for (place, cell) in cells.into_iter().flat_map(u64::to_le_bytes).enumerate() {
                let member = sets[0][usize::from(cell / 64)] >> (cell % 64) & 1;
                assert_eq!(members >> place & 1, member);
            }
            match Instructions::detect() {
                Instructions::Portable(_) => (),
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2(isa) => {
                    assert_eq!(isa.run(Everything { isa, sets, cells }), expected);
                }
                #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                Instructions::Simd128(isa) => {
                    assert_eq!(isa.run(Everything { isa, sets, cells }), expected);
                }
            }
        }
    }

    /// The stops of all robots of many sets.
    struct AllStops<'a, I> {
        isa: I,
        sets: &'a [[u64; 4]],
        enter: [[u64; 4]; 4],
    }

    impl<I: InstructionSet> Kernel for AllStops<'_, I> {
        type Output = u64;

        #[inline(always)]
        fn run(self) -> u64 {
            let enter = self.enter.map(|words| self.isa.load(&words));
            let nobody = self.isa.load(&[0; 4]);
            let mut cells = 0;
            for words in self.sets {
                let stops = self.isa.load(words).stops(&enter, nobody);
                cells += u64::from(count(&stops.words()));
            }
            cells
        }
    }

    /// See `side_by_side.rs`.
    #[test]
    #[ignore = "it measures"]
    fn side_by_side_with_words() {
        use ricochet_core::quadrants::Layout;
        use ricochet_core::{Direction, Robot};

        use crate::lowlevel::side_by_side::compare;
        use crate::lowlevel::word_set::WordSet;

        let board = "1A 4B 3B 2B".parse::<Layout>().unwrap().board();
        let number = |cell: ricochet_core::Cell| usize::from(cell.y) * 16 + usize::from(cell.x);
        let (mut enter, mut ends) = ([[0; 4]; 4], [[0; 4]; 256]);
        for cell in board.cells() {
            for side in Direction::ALL {
                let end = board.slide(Robot::RED, cell, side, &[]);
                ends[number(cell)][side.index()] = number(end);
                if end != cell {
                    let next = number(cell.step(side).unwrap());
                    enter[side.index()][next / 64] |= 1 << (next % 64);
                }
            }
        }
        let mut rng = Rng::new(7);
        // About thirty cells.
        let mut word = || rng.next_u64() & rng.next_u64() & rng.next_u64();
        let sets: Vec<[u64; 4]> = (0..1 << 16).map(|_| [(); 4].map(|()| word())).collect();
        let apart = || match Instructions::detect() {
            Instructions::Portable(isa) => isa.run(AllStops {
                isa,
                sets: &sets,
                enter,
            }),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(isa) => isa.run(AllStops {
                isa,
                sets: &sets,
                enter,
            }),
        };
        let shared = || {
            let mut cells = 0;
            for words in &sets {
                let mut stops = WordSet::<4>::EMPTY;
                for cell in WordSet(*words).cells() {
                    for end in ends[cell] {
                        stops.insert(end);
                    }
                }
                cells += stops.cells().count() as u64;
            }
            cells
        };
        compare("`Set`", sets.len(), apart, shared);
    }
}
