//! Configurations: an unordered set of helper cells, packed in ascending order, one byte each.

/// The helper at index `i`, counted from the lowest cell.
#[inline(always)]
pub(crate) fn helper(key: u32, i: usize) -> u8 {
    (key >> (8 * i)) as u8
}

/// All helpers, in ascending order of their cells.
#[inline(always)]
pub(crate) fn helpers<const N: usize>(key: u32) -> [u8; N] {
    let mut cells = [0; N];
    for (i, cell) in cells.iter_mut().enumerate() {
        *cell = helper(key, i);
    }
    cells
}

/// The key of helpers in any order; sorts them.
pub(crate) fn key_of(helpers: &mut [u8]) -> u32 {
    helpers.sort_unstable();
    helpers
        .iter()
        .rev()
        .fold(0, |key, &cell| key << 8 | u32::from(cell))
}

/// The key without the helper at index `i`.
#[inline(always)]
pub(crate) fn without(key: u32, i: usize) -> u32 {
    let low = (1u64 << (8 * i)) - 1;
    let wide = u64::from(key);
    ((wide & low) | (wide >> 8 & !low)) as u32
}

/// The key of `others`, which has `N - 1` helpers, with one more helper on `cell`.
#[inline(always)]
pub(crate) fn with<const N: usize>(others: u32, cell: u8) -> u32 {
    let mut shift = 0;
    for i in 0..N - 1 {
        shift += 8 * u32::from(helper(others, i) < cell);
    }
    let low = (1u64 << shift) - 1;
    let wide = u64::from(others);
    ((wide & low) | u64::from(cell) << shift | (wide & !low) << 8) as u32
}

/// The number of a configuration of three helpers among all such configurations: `C(c,3) + C(b,2) +
/// a` for cells `a < b < c`.
#[inline(always)]
pub(crate) fn index_of_three(key: u32) -> usize {
    let (a, b, c) = (helper(key, 0), helper(key, 1), helper(key, 2));
    (CHOOSE_3[usize::from(c)] + CHOOSE_2[usize::from(b)] + u32::from(a)) as usize
}

/// The number of configurations of three helpers on 256 cells.
pub(crate) const CONFIGS_OF_THREE: usize = 256 * 255 * 254 / 6;

static CHOOSE_2: [u32; 256] = {
    let mut table = [0; 256];
    let mut n: u32 = 0;
    while n < 256 {
        table[n as usize] = n * n.saturating_sub(1) / 2;
        n += 1;
    }
    table
};

static CHOOSE_3: [u32; 256] = {
    let mut table = [0; 256];
    let mut n: u32 = 0;
    while n < 256 {
        table[n as usize] = n * n.saturating_sub(1) * n.saturating_sub(2) / 6;
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_however_they_are_made() {
        assert_eq!(key_of(&mut [7, 3, 200]), 0x00c8_0703);
        let key = key_of(&mut [10, 20, 30, 255]);
        for i in 0..4 {
            let others = without(key, i);
            for cell in [0, 11, 25, 40, 254] {
                let mut cells: Vec<u8> =
                    (0..4).filter(|&j| j != i).map(|j| helper(key, j)).collect();
                assert_eq!(others, key_of(&mut cells.clone()));
                cells.push(cell);
                assert_eq!(with::<4>(others, cell), key_of(&mut cells.clone()));
            }
        }
        assert_eq!(with::<1>(0, 9), 9);
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of steps")]
    fn configurations_of_three_are_numbered_without_gaps() {
        let mut next = 0;
        for c in 0..=255u8 {
            for b in 0..c {
                for a in 0..b {
                    assert_eq!(index_of_three(key_of(&mut [a, b, c])), next);
                    next += 1;
                }
            }
        }
        assert_eq!(next, CONFIGS_OF_THREE);
    }
}
