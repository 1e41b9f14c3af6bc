//! Numbers from the front of binary data, with errors that name what is missing.

/// The data that has not been read yet.
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) const fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// The next `N` bytes; `what` is what they are, for people.
    pub(super) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], String> {
        let (first, rest) = self
            .0
            .split_first_chunk()
            .ok_or_else(|| format!("the data ends where {what} was expected"))?;
        self.0 = rest;
        Ok(*first)
    }

    pub(super) fn byte(&mut self, what: &str) -> Result<u8, String> {
        self.array(what).map(|[byte]| byte)
    }

    /// Nothing may be left.
    pub(super) fn end(self) -> Result<(), String> {
        match self.0.len() {
            0 => Ok(()),
            left => Err(format!(
                "expected the end of the data, found {left} more bytes"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_too_much_is_said() {
        let mut bytes = Bytes::new(&[1, 2, 3, 4]);
        assert_eq!(bytes.byte("a byte"), Ok(1));
        assert_eq!(bytes.array("two bytes"), Ok([2, 3]));
        let ends = "the data ends where two bytes was expected";
        assert_eq!(bytes.array::<2>("two bytes"), Err(ends.into()));
        assert_eq!(
            bytes.byte("what is left"),
            Ok(4),
            "a failed read takes nothing"
        );
        assert_eq!(bytes.end(), Ok(()));
        let more = "expected the end of the data, found 2 more bytes";
        assert_eq!(Bytes::new(&[0, 0]).end(), Err(more.into()));
    }
}
