//! `I/N`: one machine's share of a batch, run or census.
//!
//! [`crate::parts`] and this module serve the command line and the lab alone, so they stay here: the
//! server and the Python package split work in their own way, by request and by rows.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// One of several equal shares of some numbered work, such as `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// All of the work.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// The shard of this number, counted from 1.
    pub(crate) fn new(index: u32, count: u32) -> Self {
        debug_assert!(1 <= index && index <= count);
        Self { index, count }
    }

    /// Whether the item with this number, counted from 0, belongs to the shard. Neighbours go to
    /// different shards, so each gets its share of the hard ones.
    pub fn has(self, number: usize) -> bool {
        number % self.count as usize == self.index as usize - 1
    }

    /// The numbers below `count` that belong to the shard.
    pub fn numbers(self, count: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        (self.index as usize - 1..count).step_by(self.count as usize)
    }

    /// The numbers below `count` of the shard if neighbours stay together.
    pub fn range(self, count: u64) -> Range<u64> {
        let start =
            |index: u32| (u128::from(count) * u128::from(index) / u128::from(self.count)) as u64;
        start(self.index - 1)..start(self.index)
    }

    /// The number of the shard, counted from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The number of shards.
    pub fn count(self) -> u32 {
        self.count
    }

    /// The suffix of the shard's files; empty for [`Shard::WHOLE`].
    pub fn suffix(self) -> String {
        if self == Self::WHOLE {
            String::new()
        } else {
            format!(".{}-of-{}", self.index, self.count)
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// Text that is not a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardError {
    text: String,
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not a shard: expected i/n with 1 <= i <= n, such as 2/4",
            self.text.escape_debug()
        )
    }
}

impl std::error::Error for ShardError {}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> std::result::Result<Self, ShardError> {
        text.split_once('/')
            .and_then(|(index, count)| {
                let (index, count) = (index.trim().parse().ok()?, count.trim().parse().ok()?);
                (1 <= index && index <= count).then_some(Self { index, count })
            })
            .ok_or_else(|| ShardError {
                text: text.chars().take(40).collect(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_has_every_nth_number() {
        let shard: Shard = "2/4".parse().unwrap();
        assert!(shard.has(1) && !shard.has(0) && shard.has(5));
        assert!(shard.numbers(11).eq([1, 5, 9]));
        assert_eq!(shard.range(11), 2..5);
        let all = (1..=4).flat_map(|index| Shard::new(index, 4).range(11));
        assert!(all.eq(0..11));
        assert_eq!(Shard::WHOLE.range(u64::MAX), 0..u64::MAX);
        assert_eq!(shard.suffix(), ".2-of-4");
        assert_eq!(Shard::WHOLE.suffix(), "");
    }

    #[test]
    fn bad_shards_are_refused() {
        for text in ["", "1", "0/2", "3/2", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
